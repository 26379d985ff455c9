// WebSocket client. A push announces a new head of the feed without entries, so a lost push loses no data: polling
// finds the entries. The client therefore handles every fault by reconnecting, without a limit.

import { delayAfter, spread } from "./retry.js";

// API Gateway closes connections after two hours, or after ten idle minutes.
const MAX_CONNECTION_AGE = 110 * 60_000;
const KEEP_ALIVE_INTERVAL = 5 * 60_000;

/**
 * Subscribes to pushes and reconnects whenever the connection closes.
 *
 * @param {object} options
 * @param {string} options.url The URL of the socket: `wss://…`.
 * @param {string | null} options.token The access token, if the service requires one.
 * @param {{overlay?: number, in_obs?: boolean}} [options.subscription] The overlay that the page shows alerts of, and
 *   whether the page is a browser source in OBS.
 * @param {(head: number) => void} options.onPush Receives the head of the feed.
 * @param {(isOpen: boolean) => void} options.onState Receives true with each message, and false when the socket closes.
 * @returns {{stop: () => void}} `stop` closes the connection permanently.
 */
export function listen({ url, token, subscription, onPush, onState }) {
  let failures = 0;
  let isStopped = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let retry;
  /** @type {WebSocket | null} */
  let current = null;
  function open() {
    if (isStopped) return;
    const socket = (current = new WebSocket(url, token ? ["cloudevents.json", `bearer.${token}`] : ["cloudevents.json"]));
    const subscribe = () => socket.send(JSON.stringify({ action: "subscribe", ...subscription }));
    /** @type {ReturnType<typeof setTimeout>[]} */
    const timers = [];
    socket.addEventListener("open", () => {
      subscribe();
      // A ping causes no writes in the service.
      const ping = () => socket.send('{"action":"ping"}');
      timers.push(setInterval(ping, KEEP_ALIVE_INTERVAL), setTimeout(() => socket.close(), MAX_CONNECTION_AGE));
    });
    socket.addEventListener("message", ({ data }) => {
      failures = 0;
      onState(true);
      try {
        onPush(Number(JSON.parse(data)["feed-head"]));
      } catch {
        // Ignore messages that are not JSON.
      }
    });
    socket.addEventListener("close", () => {
      timers.forEach(clearTimeout);
      if (isStopped) return;
      onState(false);
      failures += 1;
      retry = setTimeout(open, spread(delayAfter(failures)));
    });
  }
  open();
  return {
    stop() {
      isStopped = true;
      clearTimeout(retry);
      current?.close();
    },
  };
}
