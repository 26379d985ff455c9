// Hooks that load a value, or a list page by page.

import { isPassing, useConsole, useEffect, useRef, useState } from "./parts.js";

// The longest wait before a failed request is sent again, in milliseconds.
const LONGEST_WAIT = 30_000;

/**
 * Loads a value, and loads it again after `every` milliseconds, if `key` changes, or if the connection comes back. A passing
 * failure is retried. The value stays while it is loaded again.
 *
 * @param {() => Promise<any>} load
 * @param {any} key
 * @param {number | null} every
 * @returns {{value: any, error: Error | null, busy: boolean, reload: () => void}}
 */
export function useLoaded(load, key, every = null) {
  const { connected } = useConsole();
  const [state, setState] = useState({ value: null, error: null, busy: true });
  const [version, setVersion] = useState(0);
  const failures = useRef(0);
  const lastKey = useRef(key);
  const reload = () => setVersion((before) => before + 1);
  useEffect(() => {
    let isStale = false;
    let timer;
    const isOther = lastKey.current !== key;
    lastKey.current = key;
    setState((before) => ({ value: isOther ? null : before.value, error: null, busy: true }));
    load().then(
      (value) => {
        failures.current = 0;
        if (isStale) return;
        setState({ value, error: null, busy: false });
        if (every) timer = setTimeout(() => document.hidden || reload(), every);
      },
      (error) => {
        failures.current += 1;
        if (isStale) return;
        setState((before) => ({ ...before, error, busy: false }));
        const wait = Math.min(LONGEST_WAIT, 1_000 * 2 ** Math.min(failures.current - 1, 5));
        if (isPassing(error)) timer = setTimeout(reload, wait);
      },
    );
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [key, version]);
  useEffect(() => {
    if (connected && state.error && isPassing(state.error)) reload();
  }, [connected]);
  return { ...state, reload };
}

/**
 * Loads a list page by page. `path` is the path of the first page. A response that arrives after `path` has changed is
 * ignored. A request that fails for a passing reason is sent again.
 */
export function usePages(path) {
  const { client, connected } = useConsole();
  const [pages, setPages] = useState({ records: /** @type {any[]} */ ([]), next: path, error: null, busy: true });
  const current = useRef(path);
  const failures = useRef(0);
  current.current = path;
  const load = async (from, before) => {
    setPages({ records: before, next: from, error: null, busy: true });
    try {
      const page = await client.page(from, { retries: 0 });
      failures.current = 0;
      if (current.current === path) setPages({ records: [...before, ...page.records], next: page.next, error: null, busy: false });
    } catch (error) {
      failures.current += 1;
      if (current.current === path) setPages({ records: before, next: from, error, busy: false });
    }
  };
  useEffect(() => {
    if (path) load(path, []);
  }, [path]);
  const more = () => load(pages.next, pages.records);
  useEffect(() => {
    if (!pages.error || !isPassing(pages.error)) return undefined;
    const wait = connected ? 1_000 * 2 ** Math.min(failures.current - 1, 5) : LONGEST_WAIT;
    const timer = setTimeout(more, Math.min(wait, LONGEST_WAIT));
    return () => clearTimeout(timer);
  }, [pages.error, connected]);
  return { ...pages, more, reload: () => load(path, []) };
}
