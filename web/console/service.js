// The client of the service, and the feed that all views share.

import { Client } from "../shared/client/client.js";
import { base } from "../shared/page.js";
import { fetchOrTake } from "./start.js";

// The polling interval without a socket, in milliseconds.
const POLL_INTERVAL = 2_000;

/**
 * Returns a client and the feed's subscription for a token. `onUnauthorized` receives errors with the status 401.
 *
 * @param {any} token
 * @param {any} onUnauthorized
 * @param {any} onState
 */
export function connect(token, onUnauthorized, onState) {
  const client = new Client(base, { token, fetch: fetchOrTake });
  const request = client.request.bind(client);
  client.request = async (...parameters) => {
    try {
      return await request(...parameters);
    } catch (error) {
      if (error.status === 401) onUnauthorized(error);
      throw error;
    }
  };
  const listeners = new Set();
  const subscribe = (/** @type {any} */ listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const start = () =>
    client.follow({
      interval: POLL_INTERVAL,
      onEntry: (entry) => listeners.forEach((listener) => listener(entry)),
      onState: ({ live }) => onState(live),
    });
  return { client, subscribe, start };
}
