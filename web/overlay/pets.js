// The pets of the viewers who write in chat walk along the lower edge of the screen. Each viewer's pet is read once.

import { pet } from "../shared/pet.js";
import { shortened } from "./alerts.js";
import { element } from "./elements.js";
import { client, dress, openSource, retryForever, showState } from "./source.js";

const MAX_PETS = 30;
// The number of requests at the same time. The first messages of many viewers may come at once.
const MAX_REQUESTS = 2;
// The part of the screen's width that a pet walks in a second, and the time that it rests, in milliseconds.
const SPEED = 0.035;
const MAX_REST = 4_000;
// A page that is loaded during a stream begins with those who have written in this time, in milliseconds.
const RECENT = 30 * 60_000;

const STREAM_START = "twitch/stream.online";

const main = /** @type {HTMLElement} */ (document.querySelector("main"));

/**
 * A pet on the screen.
 *
 * @typedef {{box: HTMLElement, place: number, speed: number, walk: Animation | null}} Walker
 */

/** @type {Map<string, Walker>} The pets by the identifiers of their owners, the one that was seen last at the end. */
const walkers = new Map();
/** @type {Set<string>} The viewers whose pet was read in this stream. */
const asked = new Set();
/** @type {{id: string, name: string}[]} */
const waiting = [];
let requests = 0;

/** @param {Walker} walker */
const figureOf = ({ box }) => /** @type {HTMLElement} */ (box.firstElementChild);

/** Lets a pet walk to another place, rest, and walk on, until it leaves. @param {Walker} walker */
function walk(walker) {
  const { box, place } = walker;
  if (!box.isConnected) return;
  const next = 0.02 + Math.random() * 0.9;
  box.classList.toggle("back", next < place);
  box.classList.add("walking");
  const at = (/** @type {number} */ part) => ({ transform: `translateX(${part * 100}vw)` });
  const duration = (Math.abs(next - place) / walker.speed) * 1_000;
  walker.walk = box.animate([at(place), at(next)], { duration, fill: "both" });
  const rest = () => {
    walker.place = next;
    box.classList.remove("walking");
    setTimeout(() => walk(walker), Math.random() * MAX_REST);
  };
  walker.walk.finished.then(rest, () => {});
}

/** @param {string} owner @param {string} name @param {{specimen_id: number | string}} specimen */
function enter(owner, name, specimen) {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  // Many may come at once, so they begin at different distances from the screen.
  const outside = 0.1 + Math.random() * 0.4;
  const place = isStill ? 0.02 + Math.random() * 0.9 : Math.random() < 0.5 ? -outside : 0.9 + outside;
  const label = element("span", { className: "owner", textContent: shortened(name), dir: "auto" });
  const figure = element("div", { className: "figure" }, pet(specimen.specimen_id));
  const box = element("div", { className: "walker" }, figure, label);
  box.dataset.owner = owner;
  box.style.transform = `translateX(${place * 100}vw)`;
  main.append(box);
  const walker = { box, place, speed: SPEED * (0.7 + Math.random() * 0.6), walk: null };
  walkers.set(owner, walker);
  if (!isStill) walk(walker);
  const [oldest] = walkers.keys();
  if (walkers.size > MAX_PETS) leave(oldest);
}

/** @param {string} owner */
function leave(owner) {
  const walker = walkers.get(owner);
  walkers.delete(owner);
  walker?.walk?.cancel();
  walker?.box.remove();
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
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const jump = [{ transform: "none" }, { transform: "translateY(-45%)" }, { transform: "none" }];
    if (!isStill) figureOf(walker).animate(jump, { duration: 500, easing: "ease-out" });
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
  dress(source.settings);
  client.follow({
    onEntry: async (entry) => {
      const { type, data } = entry;
      if (await source.update(entry)) dress(source.settings);
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
