// Plays the queue of alerts as the overlay does: first what the feed has from before the page was opened, then live.
// Overlays report nothing to the service, so the result is an estimate.

import { LEAVE_DURATION, Queue } from "../../overlay/queue.js";
import { settingsFrom } from "../../overlay/settings.js";
import { useLoaded } from "../../shared/loading.js";
import { useConsole, useEffect, useRef, useState } from "../../shared/parts.js";

// The number of past feed entries to play.
const HISTORY = 100;

export class Playback {
  /** Whether the overlay is stopped. */
  paused = false;
  /** @type {import("../../overlay/queue.js").Alert | null} The visible alert. */
  now = null;
  #clock = 0;
  #last = 0;
  #end = 0;
  #queue;

  /** @param {() => ReturnType<typeof import("../../overlay/settings.js").settingsFrom>} settings */
  constructor(settings) {
    this.#queue = new Queue({ settings, saved: null, now: () => this.#clock });
  }

  /** The waiting alerts. */
  get waiting() {
    return this.#queue.waiting;
  }

  /** Handles a feed entry, unless it was handled before. @param {any} entry */
  add(entry) {
    if (Number(entry.id) <= this.#last) return;
    this.#last = Number(entry.id);
    this.advance(Date.parse(entry.time));
    this.#queue.add(entry);
  }

  /** Stops the overlay, or continues. The visible alert will be shown again. @param {boolean} paused */
  pause(paused) {
    if (paused) this.#queue.interrupt();
    this.paused = paused;
  }

  /** Shows all alerts that are due until a time, in milliseconds since 1970. @param {number} time */
  advance(time) {
    for (let next = this.next; next !== null && next <= time; next = this.next) {
      this.#clock = Math.max(this.#clock, next);
      this.now = this.#queue.next();
      if (!this.now) continue;
      this.now.onEnd = () => (this.now = null);
      this.#end = this.#clock + this.#queue.duration(this.now) + LEAVE_DURATION;
    }
    this.#clock = Math.max(this.#clock, time);
  }

  /** The time of the next change, or null if only an entry can cause one. */
  get next() {
    if (this.paused) return null;
    if (this.now) return this.#end;
    return this.#queue.wait === null ? null : this.#clock + this.#queue.wait;
  }
}

/**
 * Returns the feed's last entries, or fewer if some have expired.
 *
 * @param {any} client
 */
async function lastEntries(client) {
  const head = await client.head();
  for (let count = HISTORY; count >= 1; count = Math.floor(count / 2)) {
    try {
      return (await client.feed(Math.max(0, head - count))).entries;
    } catch (error) {
      if (error.status !== 410) throw error;
    }
  }
  return [];
}

/**
 * Plays an overlay's queue. `isKnown` is false until its record was loaded.
 *
 * @param {any} overlay The record, or null if there is none.
 * @param {boolean} isKnown
 */
export function useQueue(overlay, isKnown) {
  const { client, subscribe } = useConsole();
  const { value: history } = useLoaded(() => lastEntries(client), "alerts");
  const settings = useRef(null);
  settings.current = settingsFrom(overlay?.settings ?? {});
  const paused = overlay?.paused ?? false;
  const [state, setState] = useState(/** @type {{now: any, waiting: any[]}} */ ({ now: null, waiting: [] }));
  // The live entries that have not been played.
  const entries = useRef(/** @type {any[]} */ ([]));
  const run = useRef(() => {});
  const [playback] = useState(() => new Playback(() => settings.current));
  const isReady = isKnown && history !== null;
  useEffect(() => subscribe((/** @type {any} */ entry) => {
    entries.current.push(entry);
    run.current();
  }), []);
  useEffect(() => {
    if (!isReady) return undefined;
    playHistory(playback, history, overlay);
    let timer = /** @type {any} */ (null);
    run.current = () => {
      clearTimeout(timer);
      entries.current.splice(0).forEach((entry) => playback.add(entry));
      const time = Date.now();
      playback.advance(time);
      setState({ now: playback.now, waiting: playback.waiting });
      if (playback.next !== null) timer = setTimeout(run.current, playback.next - time);
    };
    run.current();
    return () => clearTimeout(timer);
  }, [isReady]);
  useEffect(() => {
    if (!isReady) return;
    playback.pause(paused);
    run.current();
  }, [isReady, paused]);
  return state;
}

/**
 * Plays past entries. They do not say when an overlay was stopped, so one that is stopped now counts as stopped since
 * its record last changed.
 *
 * @param {Playback} playback
 * @param {any[]} entries
 * @param {any} overlay
 */
export function playHistory(playback, entries, overlay) {
  const isChange = (/** @type {any} */ { type, subject }) =>
    type === "overlay.updated" && subject === `overlays/${overlay?.overlay_id}`;
  const stop = overlay?.paused ? [...entries].reverse().find(isChange) : undefined;
  playback.pause(Boolean(overlay?.paused) && !stop);
  for (const entry of entries) {
    playback.add(entry);
    if (entry === stop) playback.pause(true);
  }
}
