// A hook that shows a timeline's events and follows the feed.

/** @import { Event } from "./timeline.js" */

import { delayAfter } from "../../shared/client/retry.js";
import { countDown, isRetryable, useConsole, useEffect, useMemo, useRef, useState } from "../../shared/parts.js";
import { FIRST_ROWS } from "../start.js";
import { Timeline } from "./timeline.js";

// The maximum delay before a failed request is retried, in milliseconds.
const MAX_DELAY = 30_000;
// The state before the first load.
const EMPTY = { chunks: [], busy: true, error: null, waiting: [] };

/**
 * Shows a timeline's events and follows the feed.
 *
 * @param {object} options
 * @param {string[]} options.paths
 * @param {((event: Event) => boolean) & {key?: string}} options.matches
 * @param {boolean} [options.isPaused]
 * @returns a state with the timeline's chunks, for `Rows` and `More`.
 */
export function useTimeline({ paths, matches, isPaused = false }) {
  const { client, subscribe, connected, onFilled } = useConsole();
  const key = JSON.stringify([paths, String(matches.key ?? "")]);
  const page = (/** @type {string} */ path, /** @type {number} */ limit) =>
    client.page(path, { query: { limit } });
  const timeline = useMemo(() => new Timeline({ paths, matches, page, firstSize: FIRST_ROWS }), [key]);
  const [state, setState] = useState(/** @type {any} */ (EMPTY));
  const newIds = useRef(new Set());
  const failures = useRef(0);
  const current = useRef(timeline);
  const show = (/** @type {any} */ changes = {}) =>
    setState((/** @type {any} */ before) => ({ ...before, chunks: timeline.chunks, ...changes }));
  const wait = (/** @type {Event} */ event) =>
    setState((/** @type {any} */ before) => ({ ...before, waiting: [...before.waiting, event] }));
  const delay = () => (connected ? delayAfter(failures.current) : MAX_DELAY);
  const more = async () => {
    // An error stays until the next attempt has ended, so its card does not flicker.
    show({ busy: true });
    try {
      await timeline.more();
      failures.current = 0;
      if (current.current === timeline) show({ busy: false, error: null });
    } catch (error) {
      failures.current += 1;
      countDown(error, delay());
      if (current.current === timeline) show({ busy: false, error });
    }
    onFilled();
  };
  useEffect(() => {
    current.current = timeline;
    setState(EMPTY);
    more();
  }, [timeline]);
  useEffect(() => {
    if (!state.error || state.busy || !isRetryable(state.error)) return undefined;
    const timer = setTimeout(more, countDown(state.error, delay()));
    return () => clearTimeout(timer);
  }, [state.error, state.busy, connected]);
  const add = (/** @type {Event[]} */ events) => {
    for (const event of events) if (timeline.add(event)) newIds.current.add(event.event_id);
  };
  useEffect(() => {
    // Many entries may arrive at once. One rendering per frame shows them together.
    /** @type {number | null} */
    let frame = null;
    const showSoon = () => {
      frame ??= setTimeout(() => {
        frame = null;
        if (scrollY < innerHeight) timeline.trim();
        show();
      }, 16);
    };
    const unsubscribe = subscribe((/** @type {any} */ { type, subject, data }) => {
      if (type === "event.deleted") timeline.change(subject, () => null);
      else if (type === "event.updated" && data) timeline.change(subject, () => data);
      else if (type === "stamp.created" && data) timeline.addStamp(data);
      else if (type === "event.created" && data) {
        if (!isPaused) add([data]);
        else if (matches(data)) wait(data);
      } else return;
      showSoon();
    });
    return () => {
      clearTimeout(frame ?? undefined);
      unsubscribe();
    };
  }, [timeline, isPaused]);
  const resume = () => {
    add(state.waiting);
    show({ waiting: [] });
  };
  const next = timeline.isComplete ? null : `after ${timeline.size}`;
  return { ...state, next, more, resume, newIds: newIds.current, size: timeline.size };
}
