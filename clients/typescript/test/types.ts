// Compiles only if the client's types are as precise as the service. This file never runs.

import type { Bucket, CheerEvent, Entry, Event, NewUser, OptOut, Place, Product, Purchase, Specimen, Stamp, SubEvent, Transfer, User, UserBucket, UserDetails, Wallet } from "event-capture";
import { Client } from "event-capture";

type IsAny<T> = 0 extends 1 & T ? true : false;
type Equals<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Accepts only values of exactly the type `Expected`. Rejects `any`, which would match everything. */
const exactly = <Expected>() => <Actual>(_: IsAny<Actual> extends true ? never : Equals<Actual, Expected> extends true ? Actual : never) => {};

declare const service: Client;
const id = 5 as number;

// Records, lists and chains of links.
exactly<UserDetails>()(await service.get(`/users/${id}`));
exactly<Event>()(await service.get(`/events/${id}`));
exactly<Event[]>()(await service.get("/events"));
exactly<Event[]>()(await service.get(`/users/${id}/events`));
const subscribed: SubEvent["event_type"] = "subscriber";
exactly<"subscriber">()(subscribed);
exactly<Event>()(await service.get(`/users/${id}/events/${id}`));
exactly<UserDetails>()(await service.get(`/events/${id}/user/specimen/owner`));
exactly<Stamp[]>()(await service.get(`/users/${id}/events/${id}/document/stamps`));
exactly<Specimen>()(await service.get(`/users/${id}/specimen`));
exactly<Wallet>()(await service.get(`/users/${id}/wallet`));
exactly<UserBucket[]>()(await service.get(`/users/${id}/statistics`));
exactly<Bucket[]>()(await service.get("/statistics", { query: { by: "month" } }));
exactly<Place[]>()(await service.get("/leaderboards/bits", { query: { limit: 3 } }));
// @ts-expect-error: no such path.
await service.get("/somewhere/else");
// @ts-expect-error: unknown link of a user.
await service.get(`/users/${id}/pets`);
// @ts-expect-error: only users have this path in the singular.
await service.get(`/event/${id}`);
// @ts-expect-error: an identifier is a number.
await service.get("/users/abc");
exactly<UserDetails>()(await service.get(`/users/${"5" as string}`));
exactly<UserDetails>()(await service.get(`/events/${"5" as string}/user`));
// @ts-expect-error: unknown leaderboard.
await service.get("/leaderboards/points");
// @ts-expect-error: no such path.
await service.post("/somewhere", {});
// @ts-expect-error: no such path.
await service.patch("/somewhere/5", {});
// @ts-expect-error: no such path.
await service.post(`/users/${id}/pets`, {});
// @ts-expect-error: no such path.
await service.put("/somewhere/5", {});
// @ts-expect-error: no such path.
await service.delete("/somewhere/5");
// @ts-expect-error: no such path.
await service.page("/somewhere");
// @ts-expect-error: a dynamic path, which only `request` accepts.
await service.get("/users" as string);
(await service.request("GET", "/users" as string)).data.anything;
exactly<UserDetails>()(await service.delete(`/users/${id}`));
exactly<Specimen>()(await service.delete(`/events/${id}/user/specimen`));
// @ts-expect-error: a purchase cannot be deleted.
await service.delete(`/purchases/${id}`);
// @ts-expect-error: a list cannot be deleted.
await service.delete("/users");
// @ts-expect-error: a record with an identifier is not created by POST.
await service.post(`/users/${id}`, { platform_id: "1", name: "Ann" });
// @ts-expect-error: a wallet changes only by transactions.
await service.post(`/users/${id}/wallet`, {});
// @ts-expect-error: only stamps are created as a list.
await service.put("/users", []);
// @ts-expect-error: a single record has no pages.
await service.page(`/users/${id}`);

// Bodies, and the results of writes: a user without wallet and inventory.
const body: NewUser = { platform_id: "1", name: "Ann" };
exactly<User>()(await service.post("/users", body));
exactly<User>()(await service.patch(`/users/${id}`, { name: "Bea" }));
exactly<Specimen>()(await service.post(`/users/${id}/specimen`, {}));
exactly<Event>()(await service.post(`/users/${id}/events`, { event_type: "plain", message: "x", user_name: "Ann", occurred_at: "2026-11-20T18:30:00Z", details: { any: ["thing"] } }));
await service.put(`/users/${id}`, { platform_id: "1", name: "Ann", created_at: "2026-11-20T18:30:00Z" });
await service.put("/stamps", [{ document_id: 1, stamp_type: "star", pos_x: 1, pos_y: 1, rotation: 0 }]);
await service.post("/alerts", { control: "clear" });
await service.post("/alerts", { test: { purchase: { name: "Hat", price: 400, user_name: "Ann" } } });
exactly<Product>()(await service.post("/products", { name: "Hat", price: 400, stock: 10 }));
exactly<Purchase>()(await service.post(`/users/${id}/purchases`, { product_id: id, price: 400 }));
exactly<Purchase>()(await service.patch(`/purchases/${id}`, { status: "refunded" }));
exactly<Purchase[]>()(await service.get("/purchases", { query: { status: "pending" } }));
exactly<Transfer>()(await service.post(`/users/${id}/transfers`, { to_user_id: id, amount: 5, description: "x" }));
exactly<Transfer>()(await service.post("/transfers", { from_user_id: id, to_user_id: id, amount: 5, description: "x" }));
exactly<User>()(await service.post(`/users/${id}/anonymize`, {}));
exactly<OptOut>()(await service.post("/opt-outs", { platform_id: "73450021" }));
// @ts-expect-error: unknown status of a purchase.
await service.patch(`/purchases/${id}`, { status: "lost" });
await service.patch(`/overlays/${id}`, { settings: { alerts: { volume: 0.5 } } });
// @ts-expect-error: a name is a text.
await service.patch(`/users/${id}`, { name: 5 });
// @ts-expect-error: a user has no amount.
await service.post("/users", { amount: 1 });
// @ts-expect-error: a transaction cannot be changed.
await service.patch(`/transactions/${id}`, { amount: 1 });
// @ts-expect-error: a cheer has an amount.
await service.post("/events", { event_type: "cheer", user_name: "Ann", user_id: 5, occurred_at: "2026-11-20T18:30:00Z" });
// @ts-expect-error: the response to a write has no wallet.
(await service.post("/users", body)).wallet;

// Filters.
for await (const event of service.list("/events", { query: { event_type: "cheer", created_after: new Date(), order: "asc" } })) exactly<Event>()(event);
// @ts-expect-error: unknown filter of events.
service.list("/events", { query: { platform_id: "1" } });
// @ts-expect-error: unknown filter of events.
await service.get("/events", { query: { platform_id: "1" } });
// @ts-expect-error: unknown filter of events.
await service.page("/events", { query: { platform_id: "1" } });
// @ts-expect-error: unknown type of event.
service.list("/events", { query: { event_type: "bit" } });
// @ts-expect-error: unknown type of event.
await service.get("/events", { query: { event_type: ["raid", "bit"] } });
// @ts-expect-error: an identifier is a number.
await service.page("/events", { query: { user_id: "5" } });
// @ts-expect-error: the filter takes one value.
await service.page("/users", { query: { platform_id: ["1", "2"] } });
// @ts-expect-error: a list by user has no filter by user.
await service.get("/leaderboards/bits", { query: { user_id: 5 } });
const first = await service.page("/events", { query: { user_id: [1, 2], event_type: ["cheer", "raid"], amount_min: 100 } });
exactly<Event[]>()(first.records);
if (first.next) exactly<Event[]>()((await service.page(first.next)).records);

// An entry's type determines its data.
for await (const entry of service.entries()) {
  exactly<Entry>()(entry);
  if (entry.type === "event.created" && entry.data?.event_type === "cheer") exactly<CheerEvent>()(entry.data);
  if (entry.type === "event.deleted") exactly<undefined>()(entry.data);
  // @ts-expect-error: no such type.
  if (entry.type === "event.created.twice") break;
}
