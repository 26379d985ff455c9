// Uses types generated from /openapi.json. It compiles only if they match the service's requests and responses.

import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { paths } from "./api.js";

const client = createClient<paths>({ baseUrl: process.argv[2]! });
const platform_id = `typescript-${Date.now()}`;

const created = await client.POST("/users", { body: { platform_id, name: "Ann" } });
assert.equal(created.response.status, 201);
const user_id = created.data!.user_id;

const event = await client.POST("/events", {
  body: { event_type: "cheer", amount: 100, user_id, user_name: "Ann", occurred_at: "2026-11-20T16:53:02Z" },
});
assert.equal(event.error, undefined);
if (event.data?.event_type !== "cheer") throw new Error("a cheer stays a cheer");
const amount: number = event.data.amount;
assert.equal(amount, 100);

const path = { user_id };
await client.POST("/users/{user_id}/specimen", { params: { path }, body: {} });
await client.POST("/users/{user_id}/transactions", { params: { path }, body: { amount: 250, description: "welcome" } });
const wallet = await client.GET("/users/{user_id}/wallet", { params: { path } });
assert.equal(wallet.data?.wallet, 250);

const list = await client.GET("/events", { params: { query: { user_id: [user_id], event_type: ["cheer"], limit: 10 } } });
assert.deepEqual(list.data?.map((one) => one.user.name), ["Ann"]);

const refused = await client.PATCH("/users/{user_id}", { params: { path }, body: { name: "" } });
assert.equal(refused.error?.errors?.[0]?.pointer, "/name");

const base64 = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const picture = Buffer.from(base64, "base64");
const stamp = { stamp_type: "heart", pos_x: 1, pos_y: 2, rotation: 0.5 };
const document = await client.POST("/documents", {
  body: { document_data: "", seal: 7, stamps: [stamp, stamp] },
  bodySerializer: () => {
    const form = new FormData();
    form.set("document_data", new Blob([picture], { type: "image/png" }));
    form.set("seal", "7");
    for (const each of [stamp, stamp]) form.append("stamps", JSON.stringify(each));
    return form;
  },
});
assert.equal(document.data?.stamps.length, 2);
const image = await fetch(document.data!.document_data);
assert.deepEqual(Buffer.from(await image.arrayBuffer()), picture);

// Links are complete URLs.
for (let further = 0; further < 4; further += 1) {
  await client.POST("/users/{user_id}/transactions", { params: { path }, body: { amount: 1, description: "a" } });
}
const amounts: number[] = [];
for (let cursor: string | undefined; ; ) {
  const { data, response } = await client.GET("/transactions", { params: { query: { user_id: [user_id], limit: 2, cursor } } });
  amounts.push(...data!.map((one) => one.amount));
  const next = /<([^>]+)>; *rel="next"/.exec(response.headers.get("link") ?? "");
  if (!next) break;
  cursor = new URL(next[1]!).searchParams.get("cursor")!;
}
assert.deepEqual(amounts, [1, 1, 1, 1, 250]);

// @ts-expect-error: a raid has no amount.
const wrong = await client.POST("/events", { body: { event_type: "raid", viewer_count: 1, amount: 5, user_id, user_name: "Ann", occurred_at: "2026-11-20T16:53:02Z" } });
assert.equal(wrong.response.status, 422);
console.log("the TypeScript client works");
