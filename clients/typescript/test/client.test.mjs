// Tests of the client against scripted responses: which requests it sends and retries.

import assert from "node:assert/strict";
import test from "node:test";

import { Client, ConnectionError, ServiceError } from "../src/index.js";

/** Creates a client that receives scripted responses. The last response is repeated. */
function scripted(...responses) {
  const requests = [];
  const fetch = async (url, options) => {
    requests.push({ url: String(url), ...options });
    const next = responses[Math.min(requests.length, responses.length) - 1];
    if (next instanceof Error) throw next;
    const body = typeof next.body === "string" ? next.body : JSON.stringify(next.body);
    return new Response(body ?? null, { status: next.status ?? 200, headers: next.headers });
  };
  return { client: new Client("http://service.test/prod/", { token: "secret", fetch }), requests };
}

const busy = { status: 503, headers: { "retry-after": "0" }, body: { status: 503, code: "unavailable" } };

test("a temporary failure is retried with the same idempotency key", async () => {
  const { client, requests } = scripted(busy, new TypeError("no network"), { status: 201, body: { user_id: 5 } });
  assert.deepEqual(await client.post("/users", { platform_id: "1", name: "Ann" }), { user_id: 5 });
  const keys = requests.map(({ headers }) => headers.get("idempotency-key"));
  assert.equal(keys.length, 3);
  assert.equal(new Set(keys).size, 1);
  assert.match(keys[0], /^[0-9a-f]{32}$/);
  assert.equal(requests[0].headers.get("authorization"), "Bearer secret");
});

test("a retried list of stamps is stored once", async () => {
  const { client, requests } = scripted({ body: { status: "ok" } }, new TypeError("the response was lost"), { status: 201, body: [] });
  await client.get("/health");
  await client.put("/stamps", [{ document_id: 5, stamp_type: "heart", pos_x: 1, pos_y: 2, rotation: 0 }]);
  const keys = requests.map(({ headers }) => headers.get("idempotency-key"));
  assert.match(keys[1], /^[0-9a-f]{32}$/);
  assert.deepEqual(keys, [null, keys[1], keys[1]]);
});

test("a connection that fails before the first response is not retried", async () => {
  const { client, requests } = scripted(new TypeError("fetch failed"));
  await assert.rejects(client.get("/health"), ConnectionError);
  await assert.rejects(client.get("/health"), ConnectionError);
  assert.equal(requests.length, 2);
});

test("the iteration over the feed reports where it starts", async () => {
  const { client } = scripted({ body: [], headers: { "feed-head": "41" } }, { body: [{ id: "42" }], headers: { "feed-head": "42" } });
  const starts = [];
  for await (const entry of client.entries({ onStart: (head) => starts.push(head) })) {
    assert.equal(entry.id, "42");
    break;
  }
  assert.deepEqual(starts, [41]);
  assert.equal(await client.head(), 42);
});

test("a Twitch login has no idempotency key, since its response contains a code", async () => {
  const login = scripted(busy);
  await assert.rejects(login.client.request("POST", "/connections/twitch", { body: {} }), ServiceError);
  assert.equal(login.requests.length, 1);
  assert.equal(login.requests[0].headers.get("idempotency-key"), null);
});

test("a PATCH is retried only after 429, and a new token never", async () => {
  const patched = scripted(busy);
  await assert.rejects(patched.client.patch("/users/5", { name: "Bea" }), { status: 503, code: "unavailable" });
  assert.equal(patched.requests.length, 1);
  const rateLimited = scripted({ status: 429, headers: { "retry-after": "0" } }, { body: {} });
  await rateLimited.client.patch("/users/5", { name: "Bea" });
  assert.equal(rateLimited.requests.length, 2);
  const newToken = scripted(busy);
  await assert.rejects(newToken.client.post("/tokens", { name: "OBS" }), ServiceError);
  assert.equal(newToken.requests.length, 1);
  assert.equal(newToken.requests[0].headers.get("idempotency-key"), null);
});

test("an error has its code and all violations, and 422 is not retried", async () => {
  const errors = [{ pointer: "/name", detail: "`name` must not be empty." }];
  const { client, requests } = scripted({ status: 422, headers: { "request-id": "r1" }, body: { status: 422, code: "invalid_body", detail: "One error.", errors } });
  const error = await client.post("/users", { platform_id: "1", name: "" }).catch((error) => error);
  assert.ok(error instanceof ServiceError);
  assert.deepEqual([error.code, error.detail, error.errors, error.requestId, error.isRetryable], ["invalid_body", "One error.", errors, "r1", false]);
  assert.equal(error.message, "POST /prod/users: One error. (/name: `name` must not be empty.)");
  assert.equal(requests.length, 1);
});

test("a list requests each page when its first record is needed", async () => {
  const link = { link: '</prod/users?cursor=2>; rel="next"' };
  const pages = scripted({ body: [{ user_id: 1 }, { user_id: 2 }], headers: link }, { body: [{ user_id: 3 }] });
  const users = [];
  for await (const user of pages.client.list("/users", { query: { name_prefix: "a b", created_after: new Date(0), order: undefined } })) users.push(user.user_id);
  assert.deepEqual(users, [1, 2, 3]);
  assert.deepEqual(pages.requests.map(({ url }) => url), [
    "http://service.test/prod/users?limit=100&name_prefix=a+b&created_after=1970-01-01T00%3A00%3A00.000Z",
    "http://service.test/prod/users?cursor=2",
  ]);
  const stopped = scripted({ body: [{ user_id: 1 }, { user_id: 2 }], headers: link });
  for await (const _ of stopped.client.list("/users")) break;
  assert.equal(stopped.requests.length, 1);
});

test("the token is not sent to other hosts", async () => {
  const { client, requests } = scripted({ body: [], headers: { link: '<https://elsewhere.test/users>; rel="next"' } });
  const { next } = await client.page("/users");
  await assert.rejects(client.page(next), RangeError);
  await assert.rejects(client.get("http://service.test/other"), RangeError);
  assert.equal(requests.length, 1);
});

test("`ifMatch` sends an ETag, and a canceled request is not retried", async () => {
  const { client, requests } = scripted({ body: { user_id: 5 }, headers: { etag: '"a"' } });
  const { etag } = await client.request("GET", "/users/5");
  await client.delete("/users/5", { ifMatch: etag });
  assert.equal(requests[1].headers.get("if-match"), '"a"');
  const canceled = scripted(new DOMException("canceled", "AbortError"));
  await assert.rejects(canceled.client.get("/users/5", { signal: AbortSignal.abort() }), { name: "AbortError" });
  assert.equal(canceled.requests.length, 1);
});

test("entries arrive in order, and throw when the token is revoked", async () => {
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

test("a form is sent as a form, and a 304 has no data", async () => {
  const { client, requests } = scripted({ status: 201, body: { document_id: 5 } }, { status: 304, headers: { etag: '"a"' } });
  const form = new FormData();
  form.set("seal", "7");
  await client.request("POST", "/documents", { body: form });
  assert.equal(requests[0].body, form);
  assert.equal(requests[0].headers.get("content-type"), null);
  const { data, status, etag } = await client.request("GET", "/documents/5", { headers: { "if-none-match": '"a"' } });
  assert.deepEqual([data, status, etag], [null, 304, '"a"']);
});

test("a body that is not JSON and a lost connection are errors that name the request", async () => {
  const proxy = scripted({ body: "<html>" });
  await assert.rejects(proxy.client.get("/users/5"), { name: "ServiceError", status: 200, message: /^GET \/prod\/users\/5: .*not JSON/ });
  const lost = scripted(new TypeError("no network"));
  const error = await lost.client.get("/users/5", { retries: 0 }).catch((error) => error);
  assert.ok(error instanceof ConnectionError && error.cause instanceof TypeError);
  assert.match(error.message, /^GET http:\/\/service.test\/prod\/users\/5: no response \(no network\)$/);
});

test("a retry is announced and waits at most a minute", async () => {
  const delays = [];
  const abort = new AbortController();
  const fetch = async () => new Response("{}", { status: 429, headers: { "retry-after": "86400" } });
  const onRetry = ({ error, attempt, delay }) => {
    delays.push([error.status, attempt, delay]);
    abort.abort();
  };
  const client = new Client("http://service.test", { fetch, onRetry });
  await assert.rejects(client.get("/users/5", { signal: abort.signal }), { name: "AbortError" });
  assert.deepEqual(delays, [[429, 1, 60_000]]);
});

test("entries request a page only after the previous one is consumed, and leave no timer", async () => {
  const page = (from) => [from, from + 1].map((number) => ({ id: String(number).padStart(16, "0"), type: "event.created" }));
  const pages = [page(1), page(1), page(3), page(5)].map((body) => ({ body, headers: { "feed-head": "6" } }));
  const { client, requests } = scripted(...pages);
  const ids = [];
  for await (const { id } of client.entries({ after: 0 })) {
    ids.push(Number(id));
    if (ids.length === 3) break;
  }
  assert.deepEqual(ids, [1, 2, 3]);
  assert.equal(requests.length, 3, "one that finds errors, and two pages");
  assert.deepEqual(process.getActiveResourcesInfo().filter((name) => name === "Timeout"), []);
});
