// Hooks that load a value, or a list page by page.

import { delayAfter } from "./client/retry.js";
import { countDown, isRetryable, useConsole, useEffect, useRef, useState } from "./parts.js";

// The maximum delay before a failed request is retried, in milliseconds.
const MAX_DELAY = 30_000;

const LOADING = { value: null, error: null, busy: true };

/**
 * Loads a value. Reloads it after `interval` milliseconds, when `key` changes, and if it failed or may be old when the
 * connection is back. Retries temporary failures. The value stays during a reload. A hidden page waits until it is visible.
 *
 * @param {() => Promise<any>} load
 * @param {any} key
 * @param {number | null | ((value: any) => number)} interval
 * @returns {{value: any, error: Error | null, busy: boolean, reload: () => void}}
 */
export function useLoaded(load, key, interval = null) {
  const { connected, outage, onFilled } = useConsole();
  const [last, setState] = useState(/** @type {{key: any, value: any, error: any, busy: boolean}} */ ({ ...LOADING, key }));
  // The state of another key is never shown.
  const state = last.key === key ? last : { ...LOADING, key };
  const [version, setVersion] = useState(0);
  const failures = useRef(0);
  const isDue = useRef(false);
  const isOld = useRef(false);
  const reload = () => setVersion((before) => before + 1);
  useEffect(() => {
    let isStale = false;
    /** @type {number | undefined} */
    let timer;
    // An error stays until the next attempt has ended, so its card does not flicker.
    setState((before) => ({ ...(before.key === key ? before : LOADING), key, busy: true }));
    load().then(
      (value) => {
        onFilled?.();
        failures.current = 0;
        if (isStale) return;
        isOld.current = Boolean(outage);
        setState({ key, value, error: null, busy: false });
        const wait = typeof interval === "function" ? interval(value) : interval;
        if (wait) timer = setTimeout(() => (document.hidden ? (isDue.current = true) : reload()), wait);
      },
      (error) => {
        onFilled?.();
        failures.current += 1;
        if (isStale) return;
        const wait = countDown(error, delayAfter(failures.current));
        setState((before) => ({ ...before, error, busy: false }));
        if (isRetryable(error)) timer = setTimeout(reload, wait);
      },
    );
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [key, version]);
  useEffect(() => {
    if (connected && (isOld.current || (state.error && isRetryable(state.error)))) reload();
  }, [connected]);
  useEffect(() => {
    const onVisible = () => {
      if (document.hidden || !isDue.current) return;
      isDue.current = false;
      reload();
    };
    document.addEventListener("visibilitychange", onVisible);
    return () => document.removeEventListener("visibilitychange", onVisible);
  }, []);
  return { ...state, reload };
}

/**
 * Calls `reload` after entries of the feed that match, at most once per `pause` milliseconds.
 *
 * @param {(type: string, entry: any) => any} matches
 * @param {() => void} reload
 * @param {number} pause
 */
export function useReload(matches, reload, pause) {
  const { subscribe } = useConsole();
  useEffect(() => {
    /** @type {number | undefined} */
    let timer;
    const run = () => {
      timer = undefined;
      reload();
    };
    const unsubscribe = subscribe((/** @type {any} */ entry) => {
      if (matches(entry.type, entry)) timer ??= setTimeout(run, pause);
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, []);
}

/**
 * Loads a list page by page. `path` is the first page's path. Ignores responses that arrive after `path` has changed.
 * Retries temporary failures.
 *
 * @param {string} path
 */
export function usePages(path) {
  const { client, connected, outage, onFilled } = useConsole();
  const [pages, setPages] = useState({ records: /** @type {any[]} */ ([]), next: path, error: null, busy: true });
  const current = useRef(path);
  const failures = useRef(0);
  const isOld = useRef(false);
  const delay = () => (connected ? delayAfter(failures.current) : MAX_DELAY);
  current.current = path;
  const load = async (/** @type {string} */ from, /** @type {any[]} */ before, /** @type {any} */ error = null) => {
    const show = (/** @type {object} */ changes) => {
      if (current.current === path) setPages((shown) => ({ ...shown, ...changes }));
    };
    setPages({ records: before, next: from, error, busy: true });
    try {
      const page = await client.page(from);
      failures.current = 0;
      isOld.current = Boolean(outage);
      show({ records: [...before, ...page.records], next: page.next, error: null, busy: false });
    } catch (error) {
      failures.current += 1;
      countDown(error, delay());
      show({ error, busy: false });
    }
    onFilled?.();
  };
  useEffect(() => {
    if (path) load(path, []);
  }, [path]);
  useEffect(() => {
    if (connected && isOld.current) load(path, []);
  }, [connected]);
  const more = () => load(pages.next, pages.records, pages.error);
  useEffect(() => {
    if (!pages.error || pages.busy || !isRetryable(pages.error)) return undefined;
    const timer = setTimeout(more, countDown(pages.error, delay()));
    return () => clearTimeout(timer);
  }, [pages.error, pages.busy, connected]);
  return { ...pages, more, reload: () => load(path, []) };
}
