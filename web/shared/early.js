// Requests that start while the modules load, since each round trip counts on a slow network.

import { base } from "./page.js";

// The time in milliseconds after which a request fails, or its response is too old to be shown.
const TIMEOUT = 10_000;

/** The responses that were not taken yet, by URL. @type {Map<string, Promise<Response>>} */
const responses = new Map();
/** Their header. @type {string | null} */
let authorization = null;
// What is saved while the page is left outlives it.
let isLeft = false;
addEventListener("pagehide", () => void (isLeft = true));
addEventListener("pageshow", () => void (isLeft = false));

/**
 * Starts a GET request, after the response `before` if there is one.
 *
 * @param {string} path
 * @param {string | null} token
 * @param {Promise<Response>} [before]
 */
export function requestEarly(path, token, before) {
  authorization = token && `Bearer ${token}`;
  const headers = authorization ? { authorization } : undefined;
  const request = async () => {
    await before;
    // The service uses no cookies. Without them, browsers open separate connections from those that the modules occupy.
    return fetch(base + path, { headers, credentials: "omit", signal: AbortSignal.timeout(TIMEOUT) });
  };
  const response = request();
  // The code that takes the response handles its failure.
  response.catch(() => {});
  responses.set(base + path, response);
  // All end at once: rows that are older than the feed's position would lack the events in between.
  setTimeout(() => responses.clear(), TIMEOUT);
  return response;
}

/** Works like `fetch`, but takes the early response to the same request if there is one. @type {typeof fetch} */
export const fetchOrTake = (url, options) => {
  const response = responses.get(String(url));
  responses.delete(String(url));
  const isSame = new Headers(options?.headers).get("authorization") === authorization;
  return (isSame && response) || fetch(url, isLeft ? { ...options, keepalive: true } : options);
};
