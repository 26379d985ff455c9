// The viewers sorted by a column: by an all-time leaderboard, by name, or newest first.

import { useLoaded, usePages } from "../../shared/loading.js";
import { useConsole, useState } from "../../shared/parts.js";

/** Each column's leaderboard. @type {Record<string, any>} */
const BOARDS = { __proto__: null, bits: "bits", messages: "messages", balance: "wallet" };
/**
 * The sortable columns, with the direction of the first click.
 *
 * @type {Record<string, string>}
 */
export const SORTS = {
  name: "ascending",
  bits: "descending",
  messages: "descending",
  balance: "descending",
  since: "descending",
};
/** The limit of a leaderboard, and of the viewers that are sorted by name. */
export const MAX_SORTED = 1_000;
const PAGE_SIZE = 50;
// Leaderboards are up to two minutes behind.
const REFRESH = 60_000;

/** Returns true if a leaderboard sorts the column. It omits viewers without a value. @param {string} column */
export const isBoard = (column) => Boolean(BOARDS[column]);

/**
 * Returns the sort order in a view's address, such as `bits` or `-name` for the names from Z to A. Without one, the
 * viewers who write most are first: the newest are often recipients of gifts, who have never been here.
 *
 * @param {URLSearchParams} parameters
 * @param {string} prefix
 */
export function sortOf(parameters, prefix) {
  const [, sign, column] = /^(-?)(\w+)$/.exec(parameters.get("sort") ?? "") ?? [];
  if (Object.hasOwn(SORTS, column ?? "")) return { column, isReversed: sign === "-" && column === "name" };
  // Names with a prefix are sorted by name.
  return { column: prefix ? "name" : "messages", isReversed: false, isDefault: true };
}

/**
 * Loads all records of a sorted list, and shows them page by page.
 *
 * @param {any} load
 * @param {any} key
 */
function useSorted(load, key) {
  const { value, error, reload } = useLoaded(load, key, REFRESH);
  const [shown, setShown] = useState({ key, count: PAGE_SIZE });
  const count = shown.key === key ? shown.count : PAGE_SIZE;
  const records = value ?? [];
  return {
    records: records.slice(0, count),
    next: count < records.length ? key : null,
    error: value ? null : error,
    busy: !value && !error,
    more: value ? () => setShown({ key, count: count + PAGE_SIZE }) : reload,
    isFull: records.length >= MAX_SORTED,
    total: records.length,
    isComplete: true,
  };
}

/**
 * Loads the viewers with names that start with a prefix, sorted by a column. If the default order's leaderboard is
 * empty, the newest viewers are first.
 *
 * @returns a list for `More`, with its order. Its records are users. A leaderboard's users have their column's value.
 * @param {{column: string, isReversed: boolean, isDefault?: boolean}} sort
 * @param {string} prefix
 */
export function useViewers(sort, prefix) {
  const { column, isReversed, isDefault } = sort;
  const { client, say } = useConsole();
  const board = BOARDS[column];
  const compare = (/** @type {any} */ one, /** @type {any} */ other) =>
    one.name.localeCompare(other.name, say.lang) * (isReversed ? -1 : 1);
  const load = async () => {
    if (board) {
      const ranks = await client.get(`/leaderboards/${board}`, { query: { limit: MAX_SORTED } });
      if (!prefix) return ranks.map((/** @type {any} */ { value, user }) => ({ ...user, [column]: value }));
      // A leaderboard omits viewers without a value, but a search must find them.
      const values = new Map(ranks.map((/** @type {any} */ { value, user }) => [user.user_id, value]));
      const { records } = await client.page("/users", { query: { name_prefix: prefix, limit: MAX_SORTED } });
      const valued = records.map((/** @type {any} */ user) => ({ ...user, [column]: values.get(user.user_id) ?? 0 }));
      return valued.sort((/** @type {any} */ one, /** @type {any} */ other) => other[column] - one[column]);
    }
    return (await client.page("/users", { query: { limit: MAX_SORTED } })).records.sort(compare);
  };
  const isLoaded = Boolean(board) || (column === "name" && !prefix);
  const sorted = useSorted(isLoaded ? load : async () => [], isLoaded ? `${column} ${isReversed} ${prefix}` : "none");
  const isEmpty = isDefault && board && sorted.total === 0 && !sorted.busy && !sorted.error;
  const isSorted = isLoaded && !isEmpty;
  const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
  if (prefix) query.set("name_prefix", prefix);
  if (prefix && isReversed) query.set("order", "desc");
  const pages = usePages(isSorted ? "" : `/users?${query}`);
  if (isSorted) return { ...sorted, sort };
  const total = pages.records.length;
  const shown = isEmpty ? { ...sort, column: "since" } : sort;
  return { ...pages, isFull: false, total, isComplete: !pages.next, sort: shown };
}
