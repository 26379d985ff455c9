// The client of the feed: one loop with a cursor. What it hands on is in order, each once, whatever gets lost on the way: the numbers of
// the feed are the truth, and a push only says sooner that there is something new.

const LONGEST_WAIT = 30_000;

/**
 * Follows the feed.
 *
 * @param {object} options
 * @param {(after: number | null) => Promise<{events: object[], head: number}>} options.ask Asks for what comes after a number; for the
 *   head alone, with null. Throws `{status}` where the service refuses.
 * @param {number | null} options.after The last number that is known; null begins with what comes from now on.
 * @param {(event: object) => void} options.tell Is handed each event, in order.
 * @param {(state: {live: boolean, status?: number, missed?: boolean}) => void} [options.state] Is told when asking succeeds or fails, and
 *   when events were missed, for they are kept no more.
 * @param {(head: number) => void} [options.begin] Is told where it begins, when `after` was null.
 * @param {number} [options.every] How often to ask, in milliseconds, where no push comes.
 * @param {(run: () => void, wait: number) => unknown} [options.later] setTimeout, unless a test has another clock.
 * @returns {{push: (head: number) => void, pace: (every: number) => void, stop: () => void}}
 */
export function follow({ ask, after, tell, state = () => {}, begin = () => {}, every = 1_000, later = setTimeout }) {
  let cursor = after;
  let failures = 0;
  let asking = false;
  let again = false;
  let stopped = false;
  let turn = 0;

  async function round() {
    if (stopped) return;
    if (asking) {
      again = true;
      return;
    }
    asking = true;
    const mine = ++turn;
    try {
      let more = true;
      while (more && !stopped) {
        again = false;
        const { events, head } = await ask(cursor);
        if (stopped) return;
        if (cursor === null) {
          cursor = head;
          begin(head);
        }
        for (const event of events) {
          const number = Number(event.id);
          // What was handed on already is not handed on again.
          if (number > cursor) {
            cursor = number;
            tell(event);
          }
        }
        more = again || (events.length > 0 && head > cursor);
      }
      failures = 0;
      state({ live: true });
    } catch (error) {
      failures += 1;
      if (cursor !== null && (error?.status === 410 || error?.status === 400)) {
        // It is kept no more, or there is not as much: the service was set back. Go on from now, and say so.
        cursor = null;
        state({ live: true, missed: true });
      } else {
        state({ live: false, status: error?.status });
      }
    } finally {
      asking = false;
    }
    const wait = failures === 0 ? every : Math.min(LONGEST_WAIT, 1_000 * 2 ** Math.min(failures - 1, 5)) * (0.5 + Math.random() / 2);
    later(() => mine === turn && round(), wait);
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
