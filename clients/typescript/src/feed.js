// A client of the feed: a polling loop with a cursor. It delivers each entry once and in order, even if pushes or
// responses are lost. A push only makes the next request earlier. The sequence numbers decide which entries are new.

/** @import { Entry, FollowState } from "./types.js" */

const LONGEST_WAIT = 30_000;

/**
 * Follows the feed until `stop` is called. Failed requests are retried with exponential backoff.
 *
 * @param {object} options
 * @param {(after: number | null) => Promise<{entries: Entry[], head: number}>} options.read Requests the entries after
 *   a sequence number, or only the head for null. Throws `{status}` for an error response.
 * @param {number | null} options.after The sequence number of the last delivered entry. Null starts at the head.
 * @param {(entry: Entry) => void} options.onEntry Receives each entry, in order.
 * @param {(state: FollowState) => void} [options.onState] Receives the result of each round of
 *   requests. `missed` is true if entries expired before they were delivered.
 * @param {(head: number) => void} [options.onStart] Receives the head at which delivery starts, if `after` is null.
 * @param {number} [options.every] The polling interval in milliseconds.
 * @param {(run: () => void, wait: number) => unknown} [options.later] A replacement of `setTimeout` for tests.
 * @returns {{push: (head: number) => void, pace: (every: number) => void, stop: () => void}}
 *   `push` requests the entries up to a new head immediately. `pace` changes the polling interval.
 */
export function follow({ read, after, onEntry, onState = () => {}, onStart = () => {}, every = 1_000, later = setTimeout }) {
  let cursor = after;
  let failures = 0;
  let isReading = false;
  let readAgain = false;
  let stopped = false;
  let latestRound = 0;

  async function round() {
    if (stopped) return;
    if (isReading) {
      readAgain = true;
      return;
    }
    isReading = true;
    const thisRound = ++latestRound;
    try {
      let more = true;
      while (more && !stopped) {
        readAgain = false;
        const { entries, head } = await read(cursor);
        if (stopped) return;
        if (cursor === null) {
          cursor = head;
          onStart(head);
        }
        for (const entry of entries) {
          const number = Number(entry.id);
          // Skips entries that were already delivered.
          if (number > cursor) {
            cursor = number;
            onEntry(entry);
          }
        }
        more = readAgain || (entries.length > 0 && head > cursor);
      }
      failures = 0;
      onState({ live: true });
    } catch (failure) {
      const error = /** @type {{status?: number}} */ (failure);
      failures += 1;
      if (cursor !== null && (error?.status === 410 || error?.status === 400)) {
        // 410: the entries expired. 400: the cursor is beyond the head, because the service was restored from a backup.
        // Both continue at the head and report the gap.
        cursor = null;
        onState({ live: true, missed: true });
      } else {
        onState({ live: false, status: error?.status });
      }
    } finally {
      isReading = false;
    }
    const wait = failures === 0 ? every : Math.min(LONGEST_WAIT, 1_000 * 2 ** Math.min(failures - 1, 5)) * (0.5 + Math.random() / 2);
    later(() => thisRound === latestRound && round(), wait);
  }

  round();
  return {
    push(head) {
      if (cursor === null || head > cursor) round();
    },
    pace(milliseconds) {
      every = milliseconds;
      round();
    },
    stop() {
      stopped = true;
    },
  };
}
