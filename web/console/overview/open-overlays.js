// Where the alerts are open: the pages that name their overlay when they subscribe to the socket.

import { useLoaded } from "../../shared/loading.js";
import { html, useConsole } from "../../shared/parts.js";

/** @typedef {{places: number, inObs: number, isKnown: boolean}} Open Unknown without a socket: all pages poll. */

/**
 * Counts the open pages of all overlays repeatedly.
 *
 * @param {number} interval In milliseconds.
 * @returns {{value: Open | null, error: any}}
 */
export function useOpenOverlays(interval) {
  const { client } = useConsole();
  return useLoaded(async () => {
    const overlays = await client.get("/connections/overlays");
    const sum = (/** @type {string} */ name) =>
      overlays.reduce((/** @type {number} */ total, /** @type {any} */ overlay) => total + (overlay[name] ?? 0), 0);
    const isKnown = overlays.length > 0 || Boolean((await client.get("/health")).socket);
    return { places: sum("connections"), inObs: sum("in_obs"), isKnown };
  }, "open overlays", interval);
}

/** Returns how many pages are open, as a text. @param {any} say @param {Open} open */
export function openText(say, { places, inObs, isKnown }) {
  if (places === 0) return say(isKnown ? "open.none" : "open.unknown");
  return inObs > 0 ? `${say("open.places", { places })} · ${say("open.in_obs")}` : say("open.places", { places });
}

/** The number of open pages, and what to do if none are open. @param {{open: Open | null, children?: any}} props */
export function OpenOverlays({ open, children }) {
  const { say } = useConsole();
  if (!open) return null;
  const isMissing = open.places === 0 && open.isKnown;
  return html`<div class=${`obs ${open.places > 0 ? "on" : ""}`}>
    <span role="status">${openText(say, open)}</span> ${isMissing && children}
  </div>`;
}
