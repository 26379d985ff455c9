// The pets of the viewers who write in chat walk along the lower edge of the screen. Each viewer's pet is read once.

import { pet } from "../shared/pet.js";
import { shortened } from "./alerts.js";
import { element } from "./elements.js";
import { Rows } from "./rows.js";
import { client, dress, openSource, retryForever, showState } from "./source.js";

// The number of requests at the same time. The first messages of many viewers may come at once.
const MAX_REQUESTS = 2;
// The width of the smallest slot, in those of a pet: see pets.css.
const SLOT = 200 / 140;
// The part of the screen's width that a pet walks in a second, and the time that it rests, in milliseconds.
const SPEED = 0.035;
// The same of the row that a pet comes to, for the longest way.
const HURRY = 0.1;
const MAX_REST = 4_000;
// A page that is loaded during a stream begins with those who have written in this time, in milliseconds.
const RECENT = 30 * 60_000;

const STREAM_START = "twitch/stream.online";

const main = /** @type {HTMLElement} */ (document.querySelector("main"));

/**
 * A pet on the screen.
 *
 * @typedef {{box: HTMLElement, speed: number, walk: Animation | null, timer: number}} Walker
 */

/** @type {Map<string, Walker>} The pets by the identifiers of their owners, the one that was seen last at the end. */
const walkers = new Map();
// The largest number of pets, which the settings decide.
let limit = 0;
/** @type {Rows<Walker>} */
const rows = new Rows();
/** @type {Set<string>} The viewers whose pet was read in this stream. */
const asked = new Set();
/** @type {{id: string, name: string}[]} */
const waiting = [];
let requests = 0;

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
/** @param {Walker} walker */
const figureOf = ({ box }) => /** @type {HTMLElement} */ (box.firstElementChild);
/** Returns where a pet is, as a part of the screen's width. @param {Walker} walker */
const placeOf = ({ box }) => box.getBoundingClientRect().left / innerWidth;
const at = (/** @type {number} */ part) => `translateX(${part * 100}vw)`;

/** Returns another place in the slot of a pet. @param {Walker} walker */
function nextPlace(walker) {
  const { begin, width } = rows.slot(walker);
  const room = Math.max(0, width - walker.box.offsetWidth / innerWidth);
  return begin + room * (isStill() ? 0.5 : Math.random());
}

/**
 * Lets a pet walk to a place, rest, and walk on, until it leaves.
 *
 * @param {Walker} walker
 * @param {number} next
 * @param {number} duration In milliseconds.
 */
function walk(walker, next, duration) {
  const { box } = walker;
  clearTimeout(walker.timer);
  const place = placeOf(walker);
  walker.walk?.cancel();
  if (isStill()) {
    box.style.transform = at(next);
    return;
  }
  box.classList.toggle("back", next < place);
  box.classList.add("walking");
  walker.walk = box.animate([{ transform: at(place) }, { transform: at(next) }], { duration, fill: "both" });
  const rest = () => {
    box.classList.remove("walking");
    walker.timer = setTimeout(() => stroll(walker), Math.random() * MAX_REST);
  };
  walker.walk.finished.then(rest, () => {});
}

/** Lets a pet walk inside its slot. @param {Walker} walker */
function stroll(walker) {
  const next = nextPlace(walker);
  walk(walker, next, (Math.abs(next - placeOf(walker)) / walker.speed) * 1_000);
}

/**
 * Lets the pets of a row walk into their slots. All take the same time, so none walks into another one on its way.
 *
 * @param {Walker[]} row
 */
function makeRoom(row) {
  const places = row.map(nextPlace);
  const distances = row.map((walker, index) => Math.abs(places[index] - placeOf(walker)));
  const duration = (Math.max(...distances) / HURRY) * 1_000;
  row.forEach((walker, index) => walk(walker, places[index], duration));
}

/** @param {string} owner @param {string} name @param {{specimen_id: number | string}} specimen */
function enter(owner, name, specimen) {
  const label = element("span", { className: "owner", textContent: shortened(name), dir: "auto" });
  const figure = element("div", { className: "figure" }, pet(specimen.specimen_id));
  const box = element("div", { className: "walker" }, figure, label);
  box.dataset.owner = owner;
  main.append(box);
  const walker = { box, speed: SPEED * (0.7 + Math.random() * 0.6), walk: null, timer: 0 };
  walkers.set(owner, walker);
  rows.room = Math.floor(innerWidth / (figure.offsetWidth * SLOT));
  leaveBeyond(Math.min(limit, rows.space));
  const isFromLeft = Math.random() < 0.5;
  box.dataset.row = String(rows.add(walker, isFromLeft));
  const row = rows.neighbours(walker);
  // Many may come at once, so each begins behind the one that came before it.
  const others = row.filter((one) => one !== walker).map(({ box }) => box.getBoundingClientRect());
  const outside = isFromLeft
    ? Math.min(0, ...others.map(({ left }) => left)) - box.offsetWidth
    : Math.max(innerWidth, ...others.map(({ right }) => right));
  box.style.transform = at(outside / innerWidth);
  makeRoom(row);
}

/** @param {string} owner */
function leave(owner) {
  const walker = walkers.get(owner);
  walkers.delete(owner);
  if (!walker) return;
  rows.remove(walker);
  clearTimeout(walker.timer);
  walker.walk?.cancel();
  walker.box.remove();
}

/** Lets the oldest pets leave until so many are left. @param {number} many */
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
}

/** Reads the pets of the waiting viewers. */
async function read() {
  if (requests >= MAX_REQUESTS) return;
  requests += 1;
  for (let viewer = waiting.shift(); viewer; viewer = waiting.shift()) {
    try {
      enter(viewer.id, viewer.name, await client.get(`/users/${viewer.id}/specimen`));
    } catch (error) {
      // Most viewers have no pet: 404. After any other fault, the viewer's next message asks again.
      if (/** @type {{status?: number}} */ (error).status !== 404) asked.delete(viewer.id);
    }
  }
  requests -= 1;
}

/** Shows the pet of a viewer who has written, or lets it jump. @param {any} event */
function greet(event) {
  const id = event.user?.user_id;
  if (id === undefined || event.source === STREAM_START) return;
  const owner = String(id);
  const walker = walkers.get(owner);
  if (walker) {
    // The pets of those who have written last stay.
    walkers.delete(owner);
    walkers.set(owner, walker);
    const jump = [{ transform: "none" }, { transform: "translateY(-45%)" }, { transform: "none" }];
    if (!isStill()) figureOf(walker).animate(jump, { duration: 500, easing: "ease-out" });
  }
  if (asked.has(owner)) return;
  asked.add(owner);
  waiting.push({ id: owner, name: event.user.name ?? event.user_name ?? "" });
  read();
}

/** Shows the pets of those who have written before the page was loaded. */
async function greetRecent() {
  const query = { event_type: "plain", limit: 100 };
  const { records } = await retryForever(() => client.page("/events", { query }));
  const events = /** @type {any[]} */ (records).filter((event) => Date.parse(event.occurred_at) > Date.now() - RECENT);
  const start = events.findIndex(({ source }) => source === STREAM_START);
  (start === -1 ? events : events.slice(0, start)).reverse().forEach(greet);
}

async function start() {
  const source = await openSource();
  apply(source.settings);
  client.follow({
    onEntry: async (entry) => {
      const { type, data } = entry;
      if (await source.update(entry)) apply(source.settings);
      const event = /** @type {any} */ (data);
      if (type !== "event.created" || !event) return;
      // A stream begins with no pets.
      if (event.source === STREAM_START) {
        asked.clear();
        [...walkers.keys()].forEach(leave);
      }
      greet(event);
    },
    onState: showState,
  });
  greetRecent();
}

start();
