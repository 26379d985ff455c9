// The pets of viewers who write in chat walk along the lower edge of the screen. Each viewer's pet is read once.

import { element } from "./elements.js";
import { Rows, layoutFor } from "./rows.js";
import { client, dress, isPreview, openSource, retryForever, showState } from "./source.js";
import { Walker, isStill } from "./walker.js";

// The number of concurrent requests. Many viewers' first messages may arrive at once.
const MAX_REQUESTS = 2;
// The fraction of the screen's width that a pet walks per second on the longest way to its slot.
const HURRY = 0.1;
// A page that is loaded during a stream starts with the viewers who have written in this time, in milliseconds.
const RECENT = 30 * 60_000;

const STREAM_START = "twitch/stream.online";
/** The pets in the console's preview, and their ages in days. */
const SAMPLES = [["Ann", 1], ["Bob", 12], ["Cleo", 40], ["Dario", 100], ["Ines", 400]];

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
// A hundred units of pets.css wide.
const ruler = document.body.appendChild(element("i", { className: "ruler" }));

/** @type {Map<string, Walker>} The pets by their owners' identifiers, the most recently seen last. */
const walkers = new Map();
// The maximum number of pets, from the settings.
let limit = 0;
// The largest number of pets since there were none. Pets shrink as the crowd grows, and return to full size with the
// next crowd.
let crowd = 0;
/** @type {Rows<Walker>} */
const rows = new Rows();
/** @type {Set<string>} The viewers with a pet that was read in this stream. */
const asked = new Set();
/** @type {{id: string, name: string, isThere: boolean}[]} */
const waiting = [];
let requests = 0;

/** Returns another place in a pet's slot. @param {Walker} walker */
function nextPlace(walker) {
  const { begin, width } = rows.slot(walker);
  const room = Math.max(0, width - walker.width);
  return begin + room * (isStill() ? 0.5 : Math.random());
}

/**
 * Lets pets walk into their slots. All take the same time, so they do not run into each other on the way.
 *
 * @param {Walker[]} some
 */
function makeRoom(some) {
  if (some.length === 0) return;
  const places = some.map(nextPlace);
  const distances = some.map((walker, index) => Math.abs(places[index] - walker.place));
  const duration = (Math.max(...distances) / HURRY) * 1_000;
  some.forEach((walker, index) => walker.walk(places[index], duration));
}

/** Makes the pets as large as the crowd allows. Returns true if the size has changed. */
function resize() {
  const unit = ruler.offsetWidth / 100;
  const before = rows.layout;
  rows.layout = layoutFor(Math.min(crowd, limit), innerWidth / unit, innerHeight / unit);
  document.body.style.setProperty("--size", String(rows.layout.size));
  return JSON.stringify(rows.layout) !== JSON.stringify(before);
}

/**
 * Lets a pet enter from one side, or places it directly if its viewer has written before the page was loaded.
 *
 * @param {{id: string, name: string, isThere: boolean}} viewer
 * @param {any} specimen
 */
function enter({ id: owner, name, isThere }, specimen) {
  /** @type {Walker} */
  const walker = new Walker(owner, name, specimen, () => nextPlace(walker));
  crowd = walkers.size === 0 ? 1 : Math.max(crowd, walkers.size + 1);
  const hasChanged = resize();
  leaveBeyond(Math.min(limit, rows.space) - 1);
  walkers.set(owner, walker);
  main.append(walker.box);
  const isFromLeft = Math.random() < 0.5;
  walker.row = rows.add(walker, isFromLeft);
  const row = rows.neighbours(walker);
  // Many may enter at once, so each starts behind the previous one.
  const others = row.filter((one) => one !== walker);
  const outside = isFromLeft
    ? Math.min(0, ...others.map(({ place }) => place)) - walker.width
    : Math.max(1, ...others.map(({ place, width }) => place + width));
  walker.begin(outside);
  const moved = hasChanged ? rows.all : [row];
  if (isThere) moved.flat().forEach((one) => one.stand(nextPlace(one)));
  else moved.forEach(makeRoom);
}

/** @param {string} owner */
function leave(owner) {
  const walker = walkers.get(owner);
  walkers.delete(owner);
  if (!walker) return;
  rows.remove(walker);
  walker.leave();
}

/** Lets the oldest pets leave until this many remain. @param {number} many */
function leaveBeyond(many) {
  const owners = [...walkers.keys()];
  owners.slice(0, Math.max(0, owners.length - many)).forEach(leave);
}

/** Applies the settings. @param {import("./settings.js").Settings} settings */
function apply(settings) {
  dress(settings);
  document.body.classList.toggle("nameless", !settings.pets.names);
  limit = settings.pets.limit;
  leaveBeyond(limit);
  arrange();
}

/** Lets the pets walk into other rows if the screen or the settings have changed. */
function arrange() {
  if (walkers.size === 0 || !resize()) return;
  leaveBeyond(rows.space);
  rows.clear();
  const pets = [...walkers.values()].sort((one, other) => one.place - other.place);
  for (const walker of pets) walker.row = rows.add(walker, false);
  rows.all.forEach(makeRoom);
}

/** Reads the waiting viewers' pets. */
async function read() {
  if (requests >= MAX_REQUESTS) return;
  requests += 1;
  for (let viewer = waiting.shift(); viewer; viewer = waiting.shift()) {
    try {
      enter(viewer, await client.get(`/users/${viewer.id}/specimen`));
    } catch (error) {
      // Most viewers do not have a pet: 404. After any other error, the viewer's next message asks again.
      if (/** @type {{status?: number}} */ (error).status !== 404) asked.delete(viewer.id);
    }
  }
  requests -= 1;
}

/** Shows the pet of a viewer who has written, or makes it jump. @param {any} event @param {boolean} isThere */
function greet(event, isThere = false) {
  const id = event.user?.user_id;
  if (id === undefined || event.source === STREAM_START) return;
  const owner = String(id);
  const walker = walkers.get(owner);
  if (walker) {
    // The pets of the most recent writers stay.
    walkers.delete(owner);
    walkers.set(owner, walker);
    walker.rejoice();
  }
  if (asked.has(owner)) return;
  asked.add(owner);
  waiting.push({ id: owner, name: event.user.name ?? event.user_name ?? "", isThere });
  read();
}

/** Shows the pets of viewers who have written before the page was loaded. */
async function greetRecent() {
  const load = () => client.page("/events", { query: { event_type: "plain", limit: 100 } });
  const { records } = await retryForever(load);
  const events = /** @type {any[]} */ (records).filter((event) => Date.parse(event.occurred_at) > Date.now() - RECENT);
  const start = events.findIndex(({ source }) => source === STREAM_START);
  (start === -1 ? events : events.slice(0, start)).reverse().forEach((event) => greet(event, true));
}

/** Shows the pets of nobody. */
const enterSamples = () =>
  SAMPLES.forEach(([name, days], index) => {
    const born = new Date(Date.now() - Number(days) * 86_400_000).toISOString();
    enter({ id: `sample ${index}`, name: String(name), isThere: true }, { specimen_id: index + 1, born_at: born });
  });

async function start() {
  const source = await openSource();
  apply(source.settings);
  client.follow({
    onEntry: async (entry) => {
      const { type, data } = entry;
      if (await source.update(entry)) apply(source.settings);
      const event = /** @type {any} */ (data);
      if (type !== "event.created" || !event) return;
      // A stream starts without pets.
      if (event.source === STREAM_START) {
        asked.clear();
        [...walkers.keys()].forEach(leave);
      }
      greet(event);
    },
    onState: showState,
  });
  addEventListener("resize", arrange);
  if (isPreview) enterSamples();
  else greetRecent();
}

start();
