// Watches the client's requests, which determine the displayed state of the connection.

// How long a failure counts without another attempt, in milliseconds. Lists retry earlier.
const MAX_AGE = 40_000;
// An error from this path is Twitch's, which the service reports.
const TWITCH = "/connections/twitch";

/**
 * Wraps `fetch`. `onChange` receives true while requests fail: they get no response, or an error from the service.
 * Requests to a path count as failing until one of them succeeds, or until `forget` is called.
 *
 * @param {typeof fetch} request
 * @param {(isFailing: boolean) => void} onChange
 * @returns {{fetch: typeof fetch, forget: () => void}}
 */
export function watchFailures(request, onChange) {
  /** @type {Map<string, ReturnType<typeof setTimeout>>} */
  const timers = new Map();
  const settle = (/** @type {string} */ path, /** @type {boolean} */ hasFailed) => {
    clearTimeout(timers.get(path));
    timers.delete(path);
    if (hasFailed) timers.set(path, setTimeout(settle, MAX_AGE, path, false));
    onChange(timers.size > 0);
  };
  const forget = () => [...timers.keys()].forEach((path) => settle(path, false));
  /** @type {typeof fetch} */
  const watched = async (url, options) => {
    const path = `${options?.method ?? "GET"} ${new URL(String(url)).pathname}`;
    try {
      const response = await request(url, options);
      settle(path, response.status >= 500 && !path.endsWith(TWITCH));
      return response;
    } catch (error) {
      // A request cancelled by the page says nothing about the connection.
      const signal = options?.signal;
      if (!signal?.aborted || signal.reason?.name === "TimeoutError") settle(path, true);
      throw error;
    }
  };
  return { fetch: watched, forget };
}
