// Tests of the client against scripted responses: what is sent, what is repeated, and what is not.

import assert from "node:assert/strict";
import test from "node:test";

import { Client, ServiceError } from "../src/index.js";

/** Creates a client whose requests get the scripted responses, the last one repeatedly. */
function scripted(...responses) {
  const requests = [];
  const fetch = async (url, options) => {
    requests.push({ url: String(url), ...options });
    const next = responses[Math.min(requests.length, responses.length) - 1];
    if (next instanceof Error) throw next;
    return new Response(next.body === undefined ? null : JSON.stringify(next.body), { status: next.status ?? 200, headers: next.headers });
  };
  return { client: new Client("http://service.test/prod/", { token: "secret", fetch }), requests };
}

const busy = { status: 503, headers: { "retry-after": "0" }, body: { status: 503, code: "unavailable" } };

test("a request that fails for a passing reason is repeated with the same idempotency key", async () => {
  const { client, requests } = scripted(busy, new TypeError("no network"), { status: 201, body: { user_id: 5 } });
  assert.deepEqual(await client.post("/users", { platform_id: "1", name: "Ann" }), { user_id: 5 });
  const keys = requests.map(({ headers }) => headers.get("idempotency-key"));
  assert.equal(keys.length, 3);
  assert.equal(new Set(keys).size, 1);
  assert.match(keys[0], /^[0-9a-f]{32}$/);
  assert.equal(requests[0].headers.get("authorization"), "Bearer secret");
});

test("a change is repeated only if the service has refused it", async () => {
  const changed = scripted(busy);
  await assert.rejects(changed.client.patch("/users/5", { name: "Bea" }), { status: 503, code: "unavailable" });
  assert.equal(changed.requests.length, 1);
  const refused = scripted({ status: 429, headers: { "retry-after": "0" } }, { body: {} });
  await refused.client.patch("/users/5", { name: "Bea" });
  assert.equal(refused.requests.length, 2);
  const secret = scripted(busy);
  await assert.rejects(secret.client.post("/tokens", { name: "OBS" }), ServiceError);
  assert.equal(secret.requests.length, 1);
  assert.equal(secret.requests[0].headers.get("idempotency-key"), null);
});

test("an error has its code and all violations, and is not repeated", async () => {
  const errors = [{ pointer: "/name", detail: "`name` must not be empty." }];
  const { client, requests } = scripted({ status: 422, headers: { "request-id": "r1" }, body: { status: 422, code: "invalid_body", detail: "One error.", errors } });
  const error = await client.post("/users", { platform_id: "1", name: "" }).catch((error) => error);
  assert.ok(error instanceof ServiceError);
  assert.deepEqual([error.code, error.message, error.errors, error.requestId, error.isPassing], ["invalid_body", "One error.", errors, "r1", false]);
  assert.equal(requests.length, 1);
});

test("a list is read page by page, and only as far as it is needed", async () => {
  const link = { link: '</prod/users?cursor=2>; rel="next"' };
  const pages = scripted({ body: [{ user_id: 1 }, { user_id: 2 }], headers: link }, { body: [{ user_id: 3 }] });
  const found = [];
  for await (const user of pages.client.list("/users", { name_prefix: "a b", created_after: new Date(0), order: undefined })) found.push(user.user_id);
  assert.deepEqual(found, [1, 2, 3]);
  assert.deepEqual(pages.requests.map(({ url }) => url), [
    "http://service.test/prod/users?limit=100&name_prefix=a+b&created_after=1970-01-01T00%3A00%3A00.000Z",
    "http://service.test/prod/users?cursor=2",
  ]);
  const early = scripted({ body: [{ user_id: 1 }, { user_id: 2 }], headers: link });
  for await (const _ of early.client.list("/users")) break;
  assert.equal(early.requests.length, 1);
});

test("the token is sent to no other host", async () => {
  const { client, requests } = scripted({ body: [], headers: { link: '<https://elsewhere.test/users>; rel="next"' } });
  const { next } = await client.page("/users");
  await assert.rejects(client.page(next), RangeError);
  await assert.rejects(client.get("http://service.test/other"), RangeError);
  assert.equal(requests.length, 1);
});

test("an ETag is sent back, and a canceled request is not repeated", async () => {
  const { client, requests } = scripted({ body: { user_id: 5 }, headers: { etag: '"a"' } });
  const { etag } = await client.request("GET", "/users/5");
  await client.delete("/users/5", { ifMatch: etag });
  assert.equal(requests[1].headers.get("if-match"), '"a"');
  const canceled = scripted(new DOMException("canceled", "AbortError"));
  await assert.rejects(canceled.client.get("/users/5", { signal: AbortSignal.abort() }), { name: "AbortError" });
  assert.equal(canceled.requests.length, 1);
});

test("entries come in order, and end with an error when the token is refused", async () => {
  const entry = (number) => ({ id: String(number).padStart(16, "0"), type: "event.created" });
  const at = (head, body = []) => ({ body, headers: { "feed-head": String(head) } });
  const { client } = scripted(at(2), at(2, [entry(1), entry(2)]), { body: { status: "ok" } }, { status: 401, body: { code: "unauthorized" } });
  const ids = [];
  const reading = (async () => {
    for await (const { id } of client.entries({ after: 0 })) ids.push(Number(id));
  })();
  await assert.rejects(reading, { status: 401 });
  assert.deepEqual(ids, [1, 2]);
});
