// Tests the programs from docs/cookbook.md, after `run` has written them to this folder and started the service.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

const { EVENT_CAPTURE_URL: service, WRITE_TOKEN, OVERLAY_TOKEN } = process.env;

async function send(method, path, body) {
  const headers = { authorization: `Bearer ${WRITE_TOKEN}`, ...(body && { "content-type": "application/json" }) };
  const response = await fetch(service + path, { method, headers, body: body && JSON.stringify(body) });
  assert.ok(response.ok, `${method} ${path}: ${response.status}`);
  return response.json();
}

const get = (path) => send("GET", path);
const createUser = (name) => send("POST", "/users", { platform_id: `id-${name}`, name });
const report = ({ user_id, name }, event) =>
  send("POST", "/events", { event_type: "plain", user_id, user_name: name, occurred_at: new Date(), ...event });

/** Repeats a check until it passes, and fails with its last error after 20 seconds. */
async function eventually(check) {
  for (const deadline = Date.now() + 20_000; ; await sleep(100)) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

/** Starts a program. Without a stored position, it follows the feed from the start. */
function start(name, token, variables = {}) {
  const environment = { ...process.env, EVENT_CAPTURE_TOKEN: token, ...variables };
  const program = spawn("node", [`${name}.mjs`], { env: environment, stdio: ["ignore", "pipe", "inherit"] });
  program.output = "";
  program.stdout.on("data", (data) => (program.output += data));
  program.stop = async () => {
    program.kill();
    if (program.exitCode === null && program.signalCode === null) await once(program, "exit");
  };
  return program;
}

const rewind = (name, position = "0") => writeFileSync(`${name}.position`, position);
const reads = (name, number) => eventually(() => assert.ok(Number(readFileSync(`${name}.position`, "utf8")) >= number));

/** Waits until the feed has reported an event, and returns the entry's number. */
const entryOf = (event) =>
  eventually(async () => {
    const entry = (await get("/feed?after=0")).find(({ subject }) => subject === `events/${event.event_id}`);
    assert.ok(entry);
    return Number(entry.id);
  });

test("the shop sells once, even if it receives the event again", async (context) => {
  const ann = await createUser("Ann");
  await send("POST", `/users/${ann.user_id}/transactions`, { amount: 70, description: "welcome" });
  await send("POST", "/products", { name: "hat", price: 50, stock: 5, item_name: "hat" });
  await send("POST", "/products", { name: "boat", price: 200 });
  rewind("shop");
  let shop = start("shop", WRITE_TOKEN);
  context.after(() => shop.stop());
  await report(ann, { message: "!buy HAT" });
  await eventually(() => assert.match(shop.output, /@Ann, enjoy your HAT!/));
  const state = async () => [await get(`/users/${ann.user_id}/wallet`), (await get(`/users/${ann.user_id}/inventory`)).map(({ name }) => name)];
  const sold = [{ wallet: 20 }, ["hat"]];
  assert.deepEqual(await state(), sold);

  await report(ann, { message: "!buy boat" });
  await eventually(() => assert.match(shop.output, /@Ann, the boat costs 200: you have too few coins\./));
  await report(ann, { message: "!buy constructor" });
  await eventually(() => assert.match(shop.output, /@Ann, there is no such product\./));
  const last = await entryOf(await report(ann, { message: "thanks" }));
  await reads("shop", last);
  await shop.stop();

  rewind("shop");
  shop = start("shop", WRITE_TOKEN);
  await reads("shop", last);
  assert.deepEqual(await state(), sold);
});

test("a program misses no event between its first start and its first event, nor at a kill", async (context) => {
  rmSync("shop.position", { force: true });
  const fay = await createUser("Fay");
  await send("POST", `/users/${fay.user_id}/transactions`, { amount: 100, description: "welcome" });
  await send("POST", "/products", { name: "pin", price: 1, item_name: "pin" });
  let shop = start("shop", WRITE_TOKEN);
  context.after(() => shop.stop());
  await reads("shop", 0);
  await shop.stop();
  for (let count = 0; count < 20; count += 1) {
    await report(fay, { message: "!buy pin" });
    if (count % 4 === 0) {
      shop.kill("SIGKILL");
      shop = start("shop", WRITE_TOKEN);
      await sleep(100 * count);
    }
  }
  const pins = async () => (await get(`/users/${fay.user_id}/inventory?limit=50`)).length;
  await eventually(async () => assert.equal(await pins(), 20));
  await shop.stop();
  rewind("shop", "");
  assert.notEqual(spawnSync("node", ["shop.mjs"], { env: { ...process.env, EVENT_CAPTURE_TOKEN: WRITE_TOKEN } }).status, 0);
});

test("the bonus is paid once a day", async (context) => {
  const bea = await createUser("Bea");
  rewind("bonus");
  let bonus = start("bonus", WRITE_TOKEN, { TZ: "Europe/Berlin" });
  context.after(() => bonus.stop());
  // The same day in Berlin, and then the next.
  for (const occurred_at of ["2026-11-19T23:30:00Z", "2026-11-20T22:30:00Z"]) await report(bea, { message: "hi", occurred_at });
  const last = await entryOf(await report(bea, { message: "hi", occurred_at: "2026-11-20T23:30:00Z" }));
  await reads("bonus", last);
  const paid = async () => (await get(`/users/${bea.user_id}/transactions?order=asc`)).map(({ amount, reference }) => [amount, reference]);
  const expected = [[50, "bonus-2026-11-20"], [50, "bonus-2026-11-21"]];
  assert.deepEqual(await paid(), expected);
  await bonus.stop();

  rewind("bonus");
  bonus = start("bonus", WRITE_TOKEN, { TZ: "Europe/Berlin" });
  await reads("bonus", last);
  assert.deepEqual(await paid(), expected);
});

test("Discord receives raids, subscriptions and large cheers", async (context) => {
  const received = [];
  let isBusy = true;
  const discord = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    if (isBusy) response.writeHead(429, { "retry-after": "0.2" }).end();
    else response.writeHead(204).end();
    if (!isBusy) received.push(JSON.parse(body));
    isBusy = false;
  });
  await once(discord.listen(0, "127.0.0.1"), "listening");
  const user = await createUser("Big_Raider");
  rewind("discord", String((await get("/feed?after=0")).length));
  const program = start("discord", OVERLAY_TOKEN, { DISCORD_WEBHOOK: `http://127.0.0.1:${discord.address().port}` });
  context.after(() => (discord.close(), program.stop()));
  await report(user, { event_type: "cheer", amount: 99 });
  await report(user, { event_type: "raid", viewer_count: 42 });
  await report(user, { event_type: "subscriber", tier: 3, subscribed_length: 1 });
  await report(user, { event_type: "cheer", amount: 100 });
  const name = "**Big\\_Raider**";
  await eventually(() =>
    assert.deepEqual(
      received,
      [`${name} is raiding with 42 viewers!`, `${name} subscribed at tier 3!`, `${name} cheered 100 bits!`].map((content) => ({ content, allowed_mentions: { parse: [] } })),
    ),
  );
});

test("the viewer page shows balances and cheers", async (context) => {
  const eve = await createUser("<Eve>");
  await send("POST", `/users/${eve.user_id}/transactions`, { amount: 9_000, description: "welcome" });
  await report(eve, { event_type: "cheer", amount: 555 });
  const program = start("viewers", OVERLAY_TOKEN, { PORT: "0" });
  context.after(() => program.stop());
  await eventually(() => assert.match(program.output, /http/));
  const response = await fetch(program.output.trim());
  const page = await response.text();
  assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8");
  assert.match(page, /<li>&#60;Eve&#62;: 9000 coins<\/li>/);
  assert.match(page, /<li>&#60;Eve&#62;: 555 bits<\/li>/);
});

test("Streamer.bot reports a cheer", async () => {
  const { status, stderr } = spawnSync("mono", ["cheer.exe"], { env: { ...process.env, EVENT_CAPTURE_TOKEN: WRITE_TOKEN }, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  const [{ amount, message, user, reference }] = await get("/events?source=streamer.bot/cheer");
  assert.deepEqual([amount, message, user.platform_id, user.name, reference], [300, 'A "quoted" Cheer300', "streamer-bot-1", "Cleo", "message-1"]);
});

test("Mix It Up gives an item and reads a balance", async () => {
  const identifiers = { $usertwitchid: "mix-1", $userdisplayname: "Finn", "<token>": WRITE_TOKEN, "http://127.0.0.1:3000": service };
  const fill = (text) => text?.replace(/\$\w+|<token>|http:\/\/127\.0\.0\.1:3000/g, (name) => identifiers[name]);
  const request = async ({ method, url, headers, body }) => {
    const filled = Object.fromEntries(headers.map(([name, value]) => [name, fill(value)]));
    if (body) filled["content-type"] = "application/json; charset=utf-8";
    const response = await fetch(fill(url), { method, headers: filled, body: fill(body) });
    assert.ok(response.ok, `${method} ${url}: ${response.status}`);
    return response.json();
  };
  const requests = JSON.parse(readFileSync("requests.json", "utf8"));
  const balance = requests.find(({ method }) => method === "GET");
  const reward = requests.find(({ method }) => method === "POST");
  const { owner_id } = await request(reward);
  assert.deepEqual((await get(`/users/${owner_id}/inventory`)).map(({ name }) => name), ["mystery box"]);
  await send("POST", `/users/${owner_id}/transactions`, { amount: 30, description: "welcome" });
  // The JSON parameter `0/wallet`.
  assert.equal((await request(balance))[0].wallet, 30);
});
