// Uses the packed client against a running service. It compiles only if the types match the service.

import assert from "node:assert/strict";
import { Client, ServiceError } from "event-capture";

const service = new Client(process.argv[2]!);
const name = `Client${Date.now()}`;
const ann = await service.post("/users", { platform_id: name, name });
const first = await service.post("/events", { event_type: "cheer", amount: 100, user_id: ann.user_id, user_name: name, occurred_at: new Date().toISOString() });
assert.equal(first.event_type === "cheer" && first.amount, 100);

// All records of a list, two per page.
for (let number = 0; number < 5; number += 1) await service.post("/transactions", { user_id: ann.user_id, amount: number, description: "test" });
const amounts: number[] = [];
for await (const { amount } of service.list("/transactions", { query: { user_id: ann.user_id, order: "asc", limit: 2 } })) amounts.push(amount);
assert.deepEqual(amounts, [0, 1, 2, 3, 4]);

const { etag } = await service.request("GET", `/users/${ann.user_id}`);
const renamed = await service.patch(`/users/${ann.user_id}`, { name: "Bea" }, { ifMatch: etag! });
assert.equal(renamed.name, "Bea");
const lost = await service.patch(`/users/${ann.user_id}`, { name: "Cleo" }, { ifMatch: etag! }).catch((error: unknown) => error);
assert.ok(lost instanceof ServiceError && lost.status === 412 && lost.code === "etag_mismatch");

// The feed, starting before the next event.
const { head } = await service.feed(null);
const sent = await service.post("/events", { event_type: "plain", message: "hello", user_id: ann.user_id, user_name: "Bea", occurred_at: new Date().toISOString() });
for await (const entry of service.entries({ after: head })) {
  assert.equal(entry.subject, `events/${sent.event_id}`);
  assert.ok(entry.type === "event.created" && entry.data?.event_type === "plain");
  assert.equal(entry.data.message, "hello");
  break;
}

// @ts-expect-error: a user has no amount.
await assert.rejects(service.post("/users", { amount: 1 }), { status: 422, code: "invalid_body" });
console.log("the packed client works");
// The program ends here: no timer or socket keeps it running.
