// Watches the client's requests, which determine the displayed state of the connection.

// How long a failure counts without another attempt, in milliseconds. Lists retry earlier.
const MAX_AGE = 40_000;
// How long a request may take before it counts as failing, in milliseconds.
const MAX_WAIT = 6_000;
// A longer body, such as an image's, may take longer.
const SHORT_BODY = 10_000;
// The kind of failure of a missing response.
const NETWORK = "";
// An error from this path is Twitch's, which the service reports.
const TWITCH = "/connections/twitch";

/**
 * Wraps `fetch`. `onChange` receives true when requests begin to fail (they get no response, or an error from the service),
 * and false when they no longer do. Reads of a resource, and its changes, count as failing until one of them succeeds, or
 * until `forget` is called. A missing response counts until there is one to any request.
 *
 * @param {typeof fetch} request
 * @param {(isFailing: boolean) => void} onChange
 * @returns {{fetch: typeof fetch, forget: () => void}}
 */
export function watchFailures(request, onChange) {
  /** @type {Map<string, ReturnType<typeof setTimeout>>} */
  const timers = new Map();
  const settle = (/** @type {string} */ kind, /** @type {boolean} */ hasFailed) => {
    const wasFailing = timers.size > 0;
    clearTimeout(timers.get(kind));
    timers.delete(kind);
    if (hasFailed) timers.set(kind, setTimeout(settle, MAX_AGE, kind, false));
    const isFailing = timers.size > 0;
    if (isFailing !== wasFailing) onChange(isFailing);
  };
  const forget = () => [...timers.keys()].forEach((kind) => settle(kind, false));
  /** @type {typeof fetch} */
  const watched = async (url, options) => {
    const { pathname } = new URL(String(url));
    const isRead = (options?.method ?? "GET") === "GET";
    const kind = `${isRead} ${pathname.replace(/\/\d+/g, "")}`;
    const isShort = String(options?.body ?? "").length < SHORT_BODY;
    const timer = isShort ? setTimeout(settle, MAX_WAIT, NETWORK, true) : undefined;
    try {
      const response = await request(url, options);
      settle(kind, response.status >= 500 && pathname !== TWITCH);
      settle(NETWORK, false);
      return response;
    } catch (error) {
      // A request cancelled by the page says nothing about the connection.
      const signal = options?.signal;
      if (!signal?.aborted || signal.reason?.name === "TimeoutError") settle(NETWORK, true);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
  return { fetch: watched, forget };
}
