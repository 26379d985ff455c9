// The figures of a stream, counted from its own events. All but the chat are few, so they are listed once, and the feed
// adds the new ones. It does not use the DOM.

/** @import { Event } from "../console/activity/timeline.js" */

import { kindOf, pathsOf } from "./kinds.js";

/** The kinds of events that count. */
const COUNTED = new Set(["subscriber", "gift", "cheer", "raid", "follow"]);
const PAGE_SIZE = 1_000;
// A list may show an event a moment after the feed, so listings overlap by this time, in milliseconds.
const OVERLAP = 600_000;

/** The increment of each figure by an event. @type {Record<string, (event: any) => number>} */
const INCREMENTS = {
  subs: ({ event_type: type }) => Number(type === "subscriber"),
  gifts: (event) => (kindOf(event) === "gift" ? event.details.total : 0),
  bits: ({ amount }) => amount ?? 0,
  follows: (event) => Number(kindOf(event) === "follow"),
  raids: ({ event_type: type }) => Number(type === "raid"),
};

/** The names of the figures, in their order. */
export const FIGURES = Object.keys(INCREMENTS);

/** @param {Event} event */
const timeOf = ({ occurred_at: at }) => Date.parse(at);

/** Returns the sums of some events. @param {Event[]} events @returns {Record<string, number>} */
function sumsOf(events) {
  const sum = (/** @type {string} */ name) => events.reduce((total, event) => total + INCREMENTS[name](event), 0);
  return Object.fromEntries(FIGURES.map((name) => [name, sum(name)]));
}

/** The events of an interval, by their identifiers. Each counts once, however often it is listed or reported. */
export class Counter {
  /** @type {Map<number, Event>} */
  #events = new Map();
  #from;
  #to;
  #listedTo;
  /** True after the first complete listing. */
  isComplete = false;

  /** @param {number} from The begin, in milliseconds since 1970. @param {number | null} to The end. Null for none. */
  constructor(from, to) {
    this.#from = from;
    this.#to = to;
    this.#listedTo = from;
  }

  /**
   * Lists the events. The next call lists only newer ones.
   *
   * @param {Pick<import("./client/client.js").Client, "list">} client
   */
  async list(client) {
    const begin = Date.now();
    // The limits are exclusive, in whole seconds.
    const first = Math.max(this.#from, this.#listedTo - OVERLAP);
    const query = { occurred_after: new Date(first - 1_000).toISOString(), limit: PAGE_SIZE };
    if (this.#to !== null) Object.assign(query, { occurred_before: new Date(this.#to + 1_000).toISOString() });
    const read = async (/** @type {import("./kinds.js").ListOfEvents} */ path) => {
      for await (const event of client.list(path, { query })) this.add(/** @type {Event} */ (event));
    };
    await Promise.all(pathsOf(COUNTED).map(read));
    this.#listedTo = begin;
    this.isComplete = true;
  }

  /** Adds an event, or changes it. Returns true if it counts. @param {Event} event */
  add(event) {
    const isCounted = COUNTED.has(kindOf(event)) || kindOf(event) === "recipient";
    if (isCounted) this.#events.set(event.event_id, event);
    return isCounted;
  }

  /** Applies an entry of the feed. Returns true if it counts. @param {any} entry */
  apply({ type, subject, data }) {
    if (type === "event.deleted") return this.#events.delete(Number(subject.split("/")[1]));
    return Boolean(type.startsWith("event.") && data && this.add(data));
  }

  /** The events, the newest first. */
  get events() {
    return this.#eventsTo(Infinity).sort((one, other) => timeOf(other) - timeOf(one));
  }

  /** The figures up to a time, in milliseconds since 1970. @param {number} time */
  figuresTo(time) {
    return sumsOf(this.#eventsTo(time));
  }

  /** The figures of an interval within this one, in milliseconds since 1970. @param {number} from @param {number} to */
  figuresIn(from, to) {
    return sumsOf(this.#eventsTo(to).filter((event) => timeOf(event) >= from));
  }

  /** @param {number} time */
  #eventsTo(time) {
    const last = Math.min(time, this.#to ?? Infinity);
    return [...this.#events.values()].filter((event) => timeOf(event) >= this.#from && timeOf(event) <= last);
  }
}
