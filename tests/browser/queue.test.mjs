// Tests of the overlay's queue of alerts.

import assert from "node:assert/strict";
import test from "node:test";

import { Playback, playHistory } from "../../web/console/overview/playback.js";
import { Queue } from "../../web/overlay/queue.js";
import { ruleFor, settingsFrom } from "../../web/overlay/settings.js";
import { messageOf, textOf } from "../../web/shared/kinds.js";

const START = Date.parse("2026-11-22T20:00:00Z");
const PAID = ["subscriber", "cheer", "raid"];

/** Creates a queue with a clock, and a function that adds the entry with the next number. */
function queued({ types = PAID, saved = null, delay = 0, duration = 6, alerts } = {}) {
  const clock = { now: START };
  let last = 0;
  const settings = () => settingsFrom({ types, duration, delay, alerts });
  const queue = new Queue({ settings, saved, now: () => clock.now });
  const add = (data, { type = "event.created", id = ++last, subject = `events/${id}`, age = 0 } = {}) => {
    last = Math.max(last, id);
    const entry = { id: String(id).padStart(16, "0"), type, subject, time: new Date(clock.now - age).toISOString(), data };
    queue.add(entry);
    return entry;
  };
  const all = () => {
    const shown = [];
    for (let alert = queue.next(); alert; alert = queue.next()) shown.push(alert);
    return shown;
  };
  return { queue, add, all, clock };
}

const cheer = (amount) => ({ event_type: "cheer", user_name: "Ann", amount });
const chatMessage = (message) => ({ event_type: "plain", user_name: "Ann", message });
const giver = { user_id: "9", user_name: "Big_Gifter" };
const gifts = (total, reference = "g1") => ({ event_type: "plain", user_name: giver.user_name, reference, details: { giver, total, tier: 1 } });
const received = (name, reference = "g1") => ({
  event_type: "subscriber",
  user_name: name,
  tier: 1,
  subscribed_length: 1,
  reference,
  details: { giver, recipient: { user_id: name, user_name: name }, tier: 1 },
});
const names = (count) => Array.from({ length: count }, (_, number) => `viewer${number}`);

test("gift of many subscriptions is one alert with the giver and all recipients", () => {
  const entries = [gifts(50), ...names(50).map((name) => received(name))];
  for (const order of [entries, [...entries].reverse(), [...entries.slice(1), entries[0]]]) {
    const { add, all } = queued();
    add(cheer(5));
    order.forEach((entry) => add(entry));
    const [first, gift, ...rest] = all();
    assert.equal(first.event.amount, 5);
    assert.deepEqual([gift.kind, gift.event.details.total, gift.recipients.size, rest.length], ["gift", 50, 50, 0]);
  }
});

test("recipients that follow join the visible alert, and later ones make no alert", () => {
  const { queue, add, all } = queued();
  add(gifts(3));
  const visible = queue.next();
  let changes = 0;
  visible.onChange = () => (changes += 1);
  add(received("one"));
  add(received("two"));
  assert.deepEqual([changes, [...visible.recipients.values()]], [2, ["one", "two"]]);
  assert.equal(queue.next(), null);
  add(received("three"));
  assert.deepEqual(all(), []);
  add(received("four", "g2"));
  assert.equal(all().length, 1);
});

test("burst loses nothing that was paid for, and shortens alerts", () => {
  const { queue, add, all, clock } = queued({ types: [...PAID, "plain"] });
  for (let number = 1; number <= 200; number += 1) {
    add(cheer(number));
    add(chatMessage(`message ${number}`));
  }
  const first = queue.waiting[0];
  assert.equal(queue.duration(first), 3_000);
  clock.now += 20 * 60_000;
  const shown = all();
  assert.deepEqual(shown.filter((alert) => alert.kind === "cheer").map((alert) => alert.event.amount), Array.from({ length: 200 }, (_, number) => number + 1));
  // The messages are too old by then. Without the wait, the newest are shown.
  assert.equal(shown.length, 200);
  const fresh = queued({ types: ["plain"] });
  for (let number = 1; number <= 200; number += 1) fresh.add(chatMessage(`message ${number}`));
  const messages = fresh.all().map((alert) => alert.event.message);
  assert.deepEqual([messages.length, messages[0], messages.at(-1)], [30, "message 171", "message 200"]);
  assert.equal(queue.duration(first), 6_000);
});

test("raids go first", () => {
  const { add, all } = queued();
  add(cheer(1));
  add(cheer(2));
  add({ event_type: "raid", user_name: "Levi", viewer_count: 42 });
  assert.deepEqual(all().map((alert) => alert.kind), ["raid", "cheer", "cheer"]);
});

test("deleted event leaves the queue or the screen, and a changed one is current", () => {
  const { queue, add, all } = queued();
  add(cheer(1));
  add(cheer(2));
  add(cheer(3));
  const visible = queue.next();
  let ended = false;
  visible.onEnd = () => (ended = true);
  add(undefined, { type: "event.deleted", subject: "events/2" });
  add({ ...cheer(3), message: "edited" }, { type: "event.updated", subject: "events/3" });
  assert.equal(ended, false);
  add(undefined, { type: "event.deleted", subject: "events/1" });
  assert.equal(ended, true);
  assert.deepEqual(all().map((alert) => alert.event.message), ["edited"]);
});

test("deleted recipient leaves the gift", () => {
  const { add, all } = queued();
  add(gifts(2));
  add(received("one"));
  add(received("two"));
  add(undefined, { type: "event.deleted", subject: "events/2" });
  assert.deepEqual([...all()[0].recipients.values()], ["two"]);
});

test("tests and replays respect the kinds, and expire after a minute", () => {
  const { add, all, clock } = queued({ types: ["raid"] });
  add(cheer(1), { type: "alert.tested" });
  add(cheer(2), { type: "alert.replayed" });
  assert.deepEqual(all(), []);
  const other = queued({ types: ["cheer"] });
  other.add(cheer(1), { type: "alert.tested", age: 61_000 });
  other.add(cheer(2), { type: "alert.tested" });
  other.clock.now += 61_000;
  other.add(cheer(3), { type: "alert.replayed" });
  assert.deepEqual(other.all().map((alert) => alert.event.amount), [3]);
  assert.equal(clock.now, START);
});

test("controls drop alerts by their numbers", () => {
  const { add, all } = queued();
  [1, 2, 3].forEach((amount) => add(cheer(amount)));
  add({ control: "skip", entry: 2 }, { type: "alert.skipped" });
  assert.deepEqual(all().map((alert) => alert.event.amount), [1, 3]);
  [4, 5].forEach((amount) => add(cheer(amount)));
  add({ control: "clear" }, { type: "alert.cleared" });
  add(cheer(6));
  assert.deepEqual(all().map((alert) => alert.event.amount), [6]);
});

test("delay holds alerts back, and tests not", () => {
  const { queue, add, all, clock } = queued({ delay: 30 });
  add(cheer(1));
  add(cheer(2), { type: "alert.tested" });
  assert.deepEqual(all().map((alert) => alert.event.amount), [2]);
  assert.equal(queue.wait, 30_000);
  clock.now += 30_000;
  assert.deepEqual(all().map((alert) => alert.event.amount), [1]);
});

test("page that continues after a crash repeats and loses no alert", () => {
  const entries = [cheer(1), gifts(2), cheer(2), received("one"), { event_type: "raid", user_name: "Levi", viewer_count: 4 }, received("two"), cheer(3)];
  for (let shownBefore = 0; shownBefore <= 4; shownBefore += 1) {
    const first = queued();
    entries.slice(0, 5).forEach((entry) => first.add(entry));
    const shown = [];
    for (let count = 0; count < shownBefore; count += 1) shown.push(first.queue.next());
    const saved = JSON.parse(JSON.stringify(first.queue.state));
    // A page that crashes before the feed has delivered anything changes nothing.
    const second = queued({ saved: queued({ saved }).queue.state });
    // The feed delivers everything after the number that the queue requests.
    entries.forEach((entry, index) => index + 1 > (second.queue.after ?? 0) && second.add(entry, { id: index + 1 }));
    shown.push(...second.all());
    const titles = shown.map((alert) => alert.event.amount ?? alert.kind).sort();
    assert.deepEqual(titles, [1, 2, 3, "gift", "raid"], `after ${shownBefore}`);
  }
});

test("a stamp type may be the name of a property of every object", async () => {
  // The part of the DOM that a picture needs.
  class Element {
    children = [];
    style = { setProperty() {} };
    setAttribute() {}
    append(...children) {
      this.children.push(...children);
    }
    texts() {
      return [this.textContent, ...this.children.flatMap((child) => child.texts())].filter(Boolean);
    }
  }
  globalThis.document = { createElementNS: () => new Element() };
  globalThis.Image = class {
    naturalWidth = 10;
    naturalHeight = 10;
    async decode() {}
  };
  const { picture } = await import("../../web/shared/picture.js");
  const stamps = ["constructor", "toString", "heart"].map((stamp_type) => ({ stamp_type, pos_x: 1, pos_y: 1, rotation: 0 }));
  const drawn = await picture({ document_data: "x", stamps }, "label");
  assert.deepEqual(drawn.texts(), ["label", "constructor", "toString"]);
});

test("a stamp with a text is not wider than its picture", async () => {
  const { textSize } = await import("../../web/shared/picture.js");
  assert.equal(textSize("short", 100, 1_000).height, 40);
  for (const text of ["long ".repeat(30), "長".repeat(60)]) assert.ok(textSize(text, 100, 300).width <= 300.001);
});

test("a template may name a property of every object", async () => {
  globalThis.document = { createElement: () => ({ append() {} }) };
  const { headline } = await import("../../web/overlay/alerts.js");
  const event = { event_type: "cheer", amount: 5, user_name: "Ann", message: null };
  const nodes = headline(event, "cheer", { text: "{name}{constructor}{toString}{amount}" }, { number: String }, 5);
  assert.deepEqual(nodes.map(({ textContent }) => textContent), ["Ann", "", "", "5"]);
});

test("recipients of a gift without a reference join their giver", () => {
  const { add, all, clock } = queued();
  const gift = { event_type: "plain", user_name: "Big_Gifter", source: "twitch/channel.subscription.gift", details: { giver, total: 2, tier: 1 } };
  const one = (name) => ({ event_type: "subscriber", user_name: name, tier: 1, subscribed_length: 1, details: { is_gift: true } });
  [gift, one("Ann"), one("Bea"), one("Cleo")].forEach((data) => add(data));
  clock.now += 61_000;
  add(one("Dora"));
  const shown = all();
  assert.deepEqual(shown.map(({ kind }) => kind), ["gift", "subscriber", "subscriber"]);
  assert.deepEqual([...shown[0].recipients.values()], ["Ann", "Bea"]);
});

test("a place in percent takes the place of a named one, and mistakes do not", () => {
  const placeOf = (settings) => settingsFrom({ position: "bottom-left", ...settings }).place;
  assert.deepEqual(placeOf({}), { x: 0, y: 100 });
  assert.deepEqual(placeOf({ place: { x: 30.5, y: 7 } }), { x: 30.5, y: 7 });
  for (const place of [{ x: 101, y: 0 }, { x: "1", y: 1 }, { x: 1 }, null, 5]) assert.deepEqual(placeOf({ place }), { x: 0, y: 100 });
});

test("anonymous gift is a gift", () => {
  const { add, all } = queued();
  add({ event_type: "plain", user_name: "anonymous", reference: "g9", details: { is_anonymous: true, total: 3, tier: 1 } });
  add({ ...received("Ann", "g9"), details: { recipient: { user_id: "1", user_name: "Ann" }, tier: 1 } });
  assert.deepEqual(all().map(({ kind, recipients }) => [kind, recipients.size]), [["gift", 1]]);
});

test("purchases are alerts if they are enabled, and a refund takes one back", () => {
  const purchase = (name, price = 400) => ({ purchase_id: 1, product_id: 2, user: { name }, name: "Hat", price, quantity: 1, answer: null });
  const created = (number) => ({ type: "purchase.created", subject: `purchases/${number}` });
  const off = queued();
  off.add(purchase("Ann"), created(1));
  assert.deepEqual(off.all(), []);
  const { add, all } = queued({ alerts: { purchase: { enabled: true, minimum: 100 } } });
  add(purchase("Ann"), created(1));
  add(purchase("Bea", 99), created(2));
  add(purchase("Cleo"), created(3));
  add({ ...purchase("Ann"), status: "fulfilled" }, { type: "purchase.updated", subject: "purchases/1" });
  add({ ...purchase("Cleo"), status: "refunded" }, { type: "purchase.updated", subject: "purchases/3" });
  const test = { name: "Cap", price: 400, quantity: 2, user_name: "Dan", answer: "red" };
  add({ purchase: test }, { type: "alert.tested", subject: "alerts/1" });
  add(test, { type: "alert.tested", subject: "alerts/2" });
  const shown = all();
  assert.deepEqual(shown.map(({ kind }) => kind), ["purchase", "purchase", "purchase"]);
  assert.deepEqual(shown.map(({ event }) => textOf(event)[1].name), ["Ann", "Dan", "Dan"]);
  assert.deepEqual(messageOf(shown[1].event), "red");
});

test("interrupted alert is the next one again", () => {
  const { queue, add, all } = queued();
  [1, 2].forEach((amount) => add(cheer(amount)));
  const visible = queue.next();
  let ended = false;
  visible.onEnd = () => (ended = true);
  queue.interrupt();
  assert.deepEqual([ended, queue.state.waiting], [true, [1, 2]]);
  assert.deepEqual(all().map(({ event }) => event.amount), [1, 2]);
});

/** Plays entries, given as [second, data, type, subject], for an overlay. Returns the playback, and its state at a second. */
function played(history, { paused = false, types = PAID, delay = 0 } = {}) {
  const playback = new Playback(() => settingsFrom({ types, duration: 6, delay }));
  const entry = ([second, data, type = "event.created", subject = "events/1"], index) =>
    ({ id: String(index + 1), type, subject, time: new Date(START + second * 1_000).toISOString(), data });
  const entries = history.map(entry);
  playHistory(playback, entries, { overlay_id: 7, paused });
  const at = (second) => {
    playback.advance(START + second * 1_000);
    return [playback.now, ...playback.waiting].map((alert) => alert?.event.amount ?? null);
  };
  return { playback, entries, at };
}

test("a page that opens later has the alerts that the overlay still has", () => {
  const { playback, entries, at } = played([1, 2, 3].map((amount) => [amount, cheer(amount)]));
  assert.deepEqual(at(3), [1, 2, 3]);
  // Each is visible for six seconds and leaves for 0.3.
  assert.deepEqual([at(7), at(8), at(14), at(20)], [[1, 2, 3], [2, 3], [3], [null]]);
  // An entry may arrive twice: in the history and live.
  entries.forEach((entry) => playback.add(entry));
  assert.deepEqual(at(21), [null]);
});

test("a delay holds back all but tests", () => {
  const { at } = played([[1, cheer(1)], [2, cheer(2), "alert.tested", "alerts/1"]], { delay: 10 });
  assert.deepEqual([at(2), at(8), at(10), at(11)], [[2, 1], [2, 1], [null, 1], [1]]);
});

test("skipped, cleared and outdated alerts do not come back with the history", () => {
  const skip = [4, { entry: 1 }, "alert.skipped", "alerts"];
  const clear = [5, {}, "alert.cleared", "alerts"];
  const cheers = [1, 2, 3].map((amount) => [amount, cheer(amount)]);
  assert.deepEqual(played([...cheers, skip]).at(4), [2, 3]);
  assert.deepEqual(played([...cheers, clear, [6, cheer(4)]]).at(6), [4]);
  assert.deepEqual(played([[0, chatMessage("hi")], [500, cheer(1)]], { types: [...PAID, "plain"] }).at(501), [1]);
});

test("a stopped overlay keeps its alerts, and its visible alert waits again", () => {
  const stop = [3, {}, "overlay.updated", "overlays/7"];
  const other = [9, {}, "overlay.updated", "overlays/8"];
  const history = [[1, cheer(1)], [2, cheer(2)], stop, other];
  const { playback, at } = played(history, { paused: true });
  assert.deepEqual(at(60), [null, 1, 2]);
  playback.pause(false);
  assert.deepEqual(at(61), [1, 2]);
  // If the feed no longer has the change, it was stopped before.
  assert.deepEqual(played([[1, cheer(1)]], { paused: true }).at(60), [null, 1]);
});

test("cheermotes are not text", () => {
  const message = (text, amount) => messageOf({ ...cheer(amount), message: text });
  assert.equal(message("cheer10000", 10_000), null);
  assert.equal(message("Cheer100 so good  uni50 4Head5!", 150), "so good 4Head5!");
  // A channel's custom names are recognized by their sum.
  assert.equal(message("MyChannel75 hi MyChannel25", 100), "hi");
  assert.equal(message("covid19 is  bad", 100), "covid19 is  bad");
});

test("letters have rules and every kind a theme and a picture", () => {
  const picture = { document_id: 7, url: "https://service.test/images/a.png" };
  const cheers = { theme: "paper", picture, variations: [{ minimum: 100, theme: "minimal" }] };
  const settings = settingsFrom({ theme: "neon", alerts: { cheer: cheers, document: { duration: 9 }, raid: { picture: { url: "javascript:x" } } } });
  assert.deepEqual([ruleFor(settings, "cheer", 1).theme, ruleFor(settings, "cheer", 100).theme, ruleFor(settings, "raid", 1).theme], ["paper", "minimal", "neon"]);
  assert.deepEqual([ruleFor(settings, "cheer", 100).picture, settings.alerts.raid.picture], [picture, null]);
  const { queue, add } = queued({ types: [...PAID, "document"], alerts: { document: { duration: 9 } } });
  add({ ...cheer(1), document: {} });
  add(cheer(1));
  assert.deepEqual(queue.waiting.map((alert) => queue.duration(alert)), [9_000, 6_000]);
});

test("minimums, variations and invalid settings", () => {
  const alerts = { cheer: { minimum: 100, duration: 4, variations: [{ minimum: 1_000, sound: "fanfare" }, { minimum: 5_000, color: "#ff0000" }] } };
  const settings = settingsFrom({ alerts });
  assert.deepEqual([500, 1_500, 6_000].map((bits) => ruleFor(settings, "cheer", bits).sound), ["coin", "fanfare", "coin"]);
  assert.equal(ruleFor(settings, "cheer", 6_000).color, "#ff0000");
  const { queue, add, all } = queued({ alerts });
  [99, 100].forEach((amount) => add(cheer(amount)));
  const shown = all();
  assert.deepEqual(shown.map(({ event }) => event.amount), [100]);
  assert.equal(queue.duration(shown[0]), 4_000);
  const broken = { alerts: [1], types: 5, duration: "x", scale: -1, position: {}, custom_sound: "https://elsewhere.test/a.mp3", goal: null, ticker: { kinds: ["x", "raid"] } };
  assert.deepEqual({ ...settingsFrom(broken), scale: 1, ticker: null }, { ...settingsFrom({}), ticker: null });
  assert.deepEqual(settingsFrom(broken).ticker.kinds, ["raid"]);
});
