// Loads a viewer's letters: the events with a document.

import { useConsole, useEffect, useState } from "../shared/parts.js";
import { SEAL_NAMES } from "../shared/seal-names.js";

const PAGE = 100;
// The number of pages of events that a search reads.
const MAX_PAGES = 5;

/** Returns letters without duplicates, newest first. @param {any[]} events */
function sorted(events) {
  const byId = new Map(events.map((event) => [event.event_id, event]));
  return [...byId.values()].sort((one, other) => Date.parse(other.occurred_at) - Date.parse(one.occurred_at));
}

/**
 * Loads the letters with one of the ten seals, each through a filter. No filter finds all events with a document, so
 * `search` reads the events for letters with other numbers, a few pages at a time. It is null at the end of the events.
 *
 * @param {string} id
 */
export function useLetters(id) {
  const { client } = useConsole();
  const path = `/users/${id}/events`;
  const [state, setState] = useState({
    letters: /** @type {any[]} */ ([]),
    next: /** @type {string | null} */ (`${path}?limit=${PAGE}`),
    busy: true,
    isLoaded: false,
    error: /** @type {any} */ (null),
    hasSearched: false,
    hasFoundNone: false,
  });
  const run = async (/** @type {() => Promise<object>} */ load) => {
    setState((before) => ({ ...before, busy: true, error: null }));
    try {
      const loaded = /** @type {any} */ (await load());
      setState((before) => ({
        ...before, ...loaded, letters: sorted([...before.letters, ...loaded.letters]), busy: false,
      }));
    } catch (error) {
      setState((before) => ({ ...before, busy: false, error }));
    }
  };
  const sealed = async (/** @type {number} */ seal) => {
    const letters = [];
    for await (const event of client.list(path, { query: { document_seal: seal, limit: PAGE } })) letters.push(event);
    return letters;
  };
  const load = async () => ({ letters: (await Promise.all(SEAL_NAMES.map((_, seal) => sealed(seal)))).flat(), isLoaded: true });
  const search = async () => {
    const letters = [];
    let { next } = state;
    for (let pages = 0; next && pages < MAX_PAGES; pages += 1) {
      const page = await client.page(next);
      letters.push(...page.records.filter((/** @type {any} */ { document }) => document));
      next = page.next;
    }
    const isKnown = (/** @type {any} */ { event_id: id }) => state.letters.some((known) => known.event_id === id);
    return { letters, next, hasSearched: true, hasFoundNone: letters.every(isKnown) };
  };
  useEffect(() => {
    run(load);
  }, []);
  return { ...state, search: state.next ? () => run(search) : null };
}
