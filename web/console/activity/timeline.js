// A view's events, newest first: pages of the past, merged from several lists, and new events as they happen. It has no
// DOM. The events are in chunks that keep their place, so a page renders only those on screen.

// The number of events to load together, and the maximum length of a chunk.
const CHUNK_SIZE = 50;
// The number of events above which the oldest are released while the reader is at the top.
const MAX_ENTRIES = 2_000;
// A rare match must not cause endless requests. Pages are larger after each list's second page, and loading pauses
// after this number.
const LARGE_PAGE = 500;
const MAX_REQUESTS = 12;

/**
 * @typedef {{event_id: number, occurred_at: string} & Record<string, any>} Event An event, as the service returns it.
 * @typedef {{id: number, events: Event[]}} Chunk Events that a page renders together, newest first.
 */

/** Compares events in list order: newest first. @param {Event} one @param {Event} other */
const newestFirst = (one, other) =>
  Date.parse(other.occurred_at) - Date.parse(one.occurred_at) || other.event_id - one.event_id;

/**
 * @typedef {object} Source A list that is being read.
 * @property {string | null} next The path of its next page, or null after the last one.
 * @property {Event[]} buffer The loaded records that are not in a chunk yet.
 */

export class Timeline {
  /** @type {Chunk[]} The loaded events in chunks, newest first. */
  chunks = [];
  /** @type {Source[]} */
  #sources;
  /** @type {Set<number>} The identifiers of the loaded events. */
  #ids = new Set();
  #paths;
  #page;
  #matches;
  #firstSize;
  #lastChunkId = 0;

  /**
   * @param {object} options
   * @param {string[]} options.paths The paths of the lists.
   * @param {(path: string, limit: number) => Promise<{records: Event[], next: string | null}>} options.page Requests a
   *   page.
   * @param {number} [options.firstSize] The first chunk's length.
   * @param {(event: Event) => boolean} options.matches Returns true if the view shows an event.
   */
  constructor({ paths, page, matches, firstSize = CHUNK_SIZE }) {
    this.#paths = paths;
    this.#page = page;
    this.#matches = matches;
    this.#firstSize = firstSize;
    this.#sources = paths.map((path) => ({ next: path, buffer: [] }));
  }

  /** The number of loaded events. */
  get size() {
    return this.#ids.size;
  }

  /** Whether all events are loaded. */
  get isComplete() {
    return this.#sources.every(({ next, buffer }) => next === null && buffer.length === 0);
  }

  /** Whether older events are being loaded. */
  #isLoading = false;

  /** Loads older events. Resolves to true if it added any. A failure changes nothing, so the call can be repeated. */
  async more() {
    this.#isLoading = true;
    try {
      return await this.#load();
    } finally {
      this.#isLoading = false;
    }
  }

  async #load() {
    /** @type {Event[]} */
    const events = [];
    const size = this.chunks.length === 0 ? this.#firstSize : CHUNK_SIZE;
    for (let requests = 0; events.length < size && !this.isComplete; requests += 1) {
      const drained = this.#sources.filter(({ next, buffer }) => next !== null && buffer.length === 0);
      if (drained.length > 0) {
        if (requests >= MAX_REQUESTS) break;
        const limit = requests < 2 ? size : LARGE_PAGE;
        const pages = await Promise.all(drained.map(({ next }) => this.#page(/** @type {string} */ (next), limit)));
        drained.forEach((source, index) => {
          const { records, next } = pages[index];
          Object.assign(source, { buffer: records, next });
        });
      }
      // The newest event of all lists is next, as long as each list either has one or has ended.
      while (events.length < size && this.#sources.every(({ next, buffer }) => buffer.length > 0 || next === null)) {
        const waiting = this.#sources.filter(({ buffer }) => buffer.length > 0);
        const [source] = waiting.sort((one, other) => newestFirst(one.buffer[0], other.buffer[0]));
        const event = source?.buffer.shift();
        if (!event) break;
        if (!this.#ids.has(event.event_id) && this.#matches(event)) {
          this.#ids.add(event.event_id);
          events.push(event);
        }
      }
    }
    if (events.length > 0) this.chunks = [...this.chunks, this.#chunk(events)];
    return events.length > 0;
  }

  /** Inserts a new event in list order. Returns true if the view shows it. @param {Event} event */
  add(event) {
    if (this.#ids.has(event.event_id) || !this.#matches(event)) return false;
    // An event that is older than the last loaded one arrives with its page.
    const last = this.#lastEvent;
    if (!this.isComplete && (!last || newestFirst(event, last) > 0)) return false;
    this.#ids.add(event.event_id);
    const isBehind = (/** @type {Chunk} */ { events }) => newestFirst(event, events[events.length - 1]) < 0;
    const index = Math.max(0, this.chunks.findIndex(isBehind));
    const [first] = this.chunks;
    if (!first || (index === 0 && first.events.length >= CHUNK_SIZE && newestFirst(event, first.events[0]) < 0)) {
      this.chunks = [this.#chunk([event]), ...this.chunks];
      return true;
    }
    const isOlder = last !== undefined && newestFirst(event, last) > 0;
    this.#replace(isOlder ? this.chunks.length - 1 : index, (events) => [...events, event].sort(newestFirst));
    return true;
  }

  /**
   * Replaces the event of a subject such as `events/77` with the result of `update`. Null removes it.
   *
   * @param {string} subject @param {(event: Event) => Event | null} update
   */
  change(subject, update) {
    const id = Number(subject.split("/")[1]);
    if (!this.#ids.has(id)) return;
    const index = this.chunks.findIndex(({ events }) => events.some((event) => event.event_id === id));
    this.#replace(index, (events) => {
      const updated = events.map((event) => (event.event_id === id ? update(event) : event));
      const changed = updated.filter((event) => event !== null);
      if (changed.length < events.length) this.#ids.delete(id);
      return changed.sort(newestFirst);
    });
    this.chunks = this.chunks.filter(({ events }) => events.length > 0);
  }

  /** Adds a stamp to the documents that it belongs to. @param {Record<string, any>} stamp */
  addStamp(stamp) {
    for (const event of this.chunks.flatMap(({ events }) => events)) {
      const stamps = event.document?.document_id === stamp.document_id ? event.document.stamps : null;
      if (!stamps || stamps.some((/** @type {any} */ { stamp_id: id }) => id === stamp.stamp_id)) continue;
      const document = { ...event.document, stamps: [...stamps, stamp] };
      this.change(`events/${event.event_id}`, (before) => ({ ...before, document }));
    }
  }

  /** Releases a long list's oldest events. */
  trim() {
    if (this.size <= MAX_ENTRIES || this.#isLoading) return;
    while (this.size > MAX_ENTRIES / 2 && this.chunks.length > 1) {
      for (const { event_id: id } of this.chunks[this.chunks.length - 1].events) this.#ids.delete(id);
      this.chunks = this.chunks.slice(0, -1);
    }
    // The lists continue after the last event. The filter has whole seconds, so loaded events are skipped.
    const last = this.#lastEvent;
    if (!last) return;
    const before = encodeURIComponent(new Date(Date.parse(last.occurred_at) + 1_000).toISOString());
    this.#sources = this.#paths.map((path) => ({ next: `${path}&occurred_before=${before}`, buffer: [] }));
  }

  /** The oldest loaded event. */
  get #lastEvent() {
    return this.chunks.at(-1)?.events.at(-1);
  }

  /** @param {Event[]} events */
  #chunk(events) {
    return { id: ++this.#lastChunkId, events };
  }

  /** @param {number} index @param {(events: Event[]) => Event[]} update */
  #replace(index, update) {
    this.chunks = this.chunks.map((chunk, at) => (at === index ? { ...chunk, events: update(chunk.events) } : chunk));
  }
}
