// Feed client: a polling loop with a cursor. Sequence numbers determine which entries are new, so each entry is
// delivered exactly once and in order, even if pushes or responses are lost. A push only triggers an earlier request.

/** @import { Entry, FollowOptions } from "./types.js" */

import { delayAfter, spread } from "./retry.js";

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
export function follow({ read, after = null, onEntry, onState, onStart, interval = 1_000, schedule = setTimeout }) {
  let cursor = after;
  let failures = 0;
  let backoff = 0;
  let isReading = false;
  let readAgain = false;
  let isStopped = false;
  let latestRound = 0;
  /** @type {any} */
  let timer;

  async function round() {
    if (isStopped) return;
    if (isReading) {
      readAgain = true;
      return;
    }
    isReading = true;
    const thisRound = ++latestRound;
    try {
      let hasMore = true;
      while (hasMore && !isStopped) {
        readAgain = false;
        const { entries, head } = await read(cursor);
        if (isStopped) return;
        if (cursor === null) {
          cursor = head;
          onStart?.(head);
        }
        for (const entry of entries) {
          const number = Number(entry.id);
          // Skip entries that were already delivered.
          if (number > cursor) {
            cursor = number;
            await onEntry(entry);
            if (isStopped) return;
          }
        }
        hasMore = readAgain || (entries.length > 0 && head > cursor);
      }
      failures = 0;
      onState?.({ live: true });
    } catch (failure) {
      const error = /** @type {{status?: number}} */ (failure);
      failures += 1;
      backoff = spread(delayAfter(failures));
      if (cursor !== null && (error?.status === 410 || error?.status === 400)) {
        // 410: the entries have expired. 400: the cursor is beyond the head, after the service was restored from a
        // backup. In both cases, continue at the head and report the gap.
        cursor = null;
        onState?.({ live: true, missed: true, error: failure });
      } else {
        onState?.({ live: false, status: error?.status, error: failure, retryIn: backoff });
      }
    } finally {
      isReading = false;
    }
    // A push may have started another round, which schedules the next one.
    if (!isStopped) timer = schedule(() => thisRound === latestRound && round(), failures === 0 ? interval : backoff);
  }

  round();
  return {
    push(head) {
      if (cursor === null || head > cursor) round();
    },
    setInterval(milliseconds) {
      interval = milliseconds;
      round();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
