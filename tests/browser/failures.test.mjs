// Tests of failing requests, which determine the state of the connection.

import assert from "node:assert/strict";
import test from "node:test";
import { watchFailures } from "../../web/console/failures.js";

const URL_OF = "http://127.0.0.1:3000/events?limit=20";

/** A watched `fetch` with statuses and errors as responses, and the states that it has reported. */
function watched(...answers) {
  const states = [];
  const answer = async () => {
    const next = answers.shift();
    if (next instanceof Error) throw next;
    return new Response(null, { status: next });
  };
  return { ...watchFailures(answer, (isFailing) => states.push(isFailing)), states };
}

test("requests for a resource fail until one of them succeeds", async () => {
  const { fetch, states, forget } = watched(500, new TypeError("away"), 503, 404);
  await fetch(URL_OF);
  await assert.rejects(fetch(URL_OF));
  await fetch("http://127.0.0.1:3000/users/5");
  await fetch("http://127.0.0.1:3000/users/5/events");
  await fetch(URL_OF);
  assert.deepEqual(states, [true]);
  forget();
  assert.deepEqual(states, [true, false]);
});

test("a missing response counts as failing until there is one to any request", async () => {
  const { fetch, states } = watched(new TypeError("away"), 200);
  await assert.rejects(fetch(URL_OF, { method: "PATCH" }));
  await fetch("http://127.0.0.1:3000/feed");
  assert.deepEqual(states, [true, false]);
});

test("a request that takes long counts as failing, unless it sends much", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  for (const [options, states] of [[{}, [true, false]], [{ method: "POST", body: "{}" }, [true, false]], [{ method: "POST", body: "A".repeat(20_000) }, []]]) {
    const seen = [];
    let respond;
    const answer = () => new Promise((resolve) => (respond = resolve));
    const request = watchFailures(answer, (isFailing) => seen.push(isFailing)).fetch(URL_OF, options);
    context.mock.timers.tick(5_000);
    assert.deepEqual(seen, []);
    context.mock.timers.tick(2_000);
    respond(new Response(null, { status: 200 }));
    await request;
    assert.deepEqual(seen, states);
  }
});

test("an error from Twitch is not a failure of the service", async () => {
  const { fetch, states, forget } = watched(503, new TypeError("away"));
  const url = "http://127.0.0.1:3000/connections/twitch";
  await fetch(url, { method: "POST" });
  await assert.rejects(fetch(url));
  assert.deepEqual(states, [true]);
  // A timer would keep the process alive.
  forget();
});

test("a client error and a cancelled request are not failures", async () => {
  const { fetch, states } = watched(403, new DOMException("left", "AbortError"));
  await fetch(URL_OF);
  await assert.rejects(fetch(URL_OF, { signal: AbortSignal.abort() }));
  assert.deepEqual(states, []);
});
