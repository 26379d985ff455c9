// Iteration over the feed. The client imports this module on first use, since the pages use callbacks instead.

import { ServiceError } from "./client.js";

/** @import { Client } from "./client.js" */
/** @import { Entry } from "./types.js" */

/**
 * Implements `Client.entries`.
 *
 * @param {Client} client
 * @param {number | null} after
 * @param {(head: number) => void} [onStart]
 * @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<Entry, void, undefined>}
 */
export async function* entries(client, after, onStart, signal) {
  // The entry to deliver next. The feed waits until it is taken, so pages are requested only as needed.
  /** @type {{entry: Entry, take: () => void} | null} */
  let next = null;
  let wake = () => {};
  /** @type {unknown} */
  let failure = null;
  // `follow` retries forever and skips expired entries. This request fails at once if the URL, the token or `after` is
  // invalid.
  const { head } = await client.feed(after, { signal });
  if (after === null) onStart?.(head);
  const subscription = client.follow({
    after: after ?? head,
    onEntry: (entry) =>
      new Promise((resolve) => {
        next = { entry, take: () => resolve() };
        wake();
      }),
    onState: ({ status, missed, error }) => {
      if (missed || status === 401 || status === 403) failure = error ?? new ServiceError(status ?? 410, null, new Headers());
      if (failure) wake();
    },
  });
  signal?.addEventListener("abort", () => wake());
  try {
    while (!signal?.aborted) {
      const received = /** @type {{entry: Entry, take: () => void} | null} */ (next);
      next = null;
      if (received) {
        yield received.entry;
        received.take();
      } else if (failure) throw failure;
      else await new Promise((resolve) => (wake = () => resolve(undefined)));
    }
  } finally {
    subscription.stop();
  }
}
