/**
 * Follows the feed until `stop` is called. Failed requests are retried with exponential backoff.
 *
 * @param {FollowOptions & {
 *   read: (after: number | null) => Promise<{entries: Entry[], head: number}>,
 *   schedule?: (run: () => void, delay: number) => unknown,
 * }} options `read` requests the entries after a sequence number, or only the head if it is null, and throws `{status}`
 *   for an error response. `schedule` replaces `setTimeout` in tests.
 * @returns {{push: (head: number) => void, setInterval: (interval: number) => void, stop: () => void}}
 *   `push` requests the entries up to a new head immediately. `setInterval` changes the polling interval.
 */
export function follow({ read, after, onEntry, onState, onStart, interval, schedule }: FollowOptions & {
    read: (after: number | null) => Promise<{
        entries: Entry[];
        head: number;
    }>;
    schedule?: (run: () => void, delay: number) => unknown;
}): {
    push: (head: number) => void;
    setInterval: (interval: number) => void;
    stop: () => void;
};
import type { FollowOptions } from "./types.js";
import type { Entry } from "./types.js";
