// The URLs of the overlay's pages: a tile for each, to drag into OBS or to copy.

import { base } from "../../shared/page.js";
import { Problem, html, useConsole, useEffect, useState } from "../../shared/parts.js";
import { Tile } from "./tile.js";
import { useWrite } from "../write.js";

/** A page of the overlay, and the size of its source in OBS. @typedef {{page: string, size: [number, number]}} Page */

/** @type {Page[]} */
const PAGES = [
  { page: "", size: [1_920, 1_080] },
  { page: "emotes", size: [1_920, 1_080] },
  { page: "goal", size: [700, 200] },
  { page: "goal2", size: [700, 200] },
  { page: "leaderboard", size: [400, 560] },
  { page: "recent", size: [700, 420] },
  { page: "ticker", size: [1_920, 80] },
  { page: "pets", size: [1_920, 320] },
];

/** Returns the size of a page's source in OBS. @param {string} name */
export const sizeOf = (name) => PAGES.find(({ page }) => page === name)?.size ?? [1_920, 1_080];

/**
 * Returns the URL of a page. The second goal has the page of the first.
 *
 * @param {string} name
 * @param {string} fragment
 * @returns {string}
 */
export const addressOf = (name, fragment) =>
  name === "goal2" ? `${addressOf("goal", fragment)}&second` : `${base}/overlay/${name && `${name}/`}#${fragment}`;
// Preact calls it once, since it stays the same function.
const focus = (/** @type {HTMLElement | null} */ button) => button?.focus();

/**
 * If the service requires tokens, the overlay gets one when a URL is first copied.
 *
 * @param {{overlay: {overlay_id: number, name: string}}} properties
 */
export function Addresses({ overlay }) {
  const { client, say, key } = useConsole();
  const [token, setToken] = useState(null);
  const [page, setPage] = useState("");
  const [isAsking, setAsking] = useState(false);
  const [error, setError] = useState(null);
  const [note, setNote] = useState("");
  const write = useWrite();
  const needsToken = key !== "";
  const addressWith = (/** @type {string} */ name, /** @type {string | null} */ secret) =>
    addressOf(name, `overlay=${overlay.overlay_id}${secret ? `&token=${secret}` : ""}`);
  useEffect(() => setNote(""), [page]);
  const nameOf = (/** @type {string} */ name) =>
    say(name === "" ? "nav.alerts" : name === "emotes" ? "alerts.emotes" : `widget.${name}`);
  const copy = async (/** @type {string} */ name, /** @type {string | null} */ secret, isNew = false) => {
    try {
      await navigator.clipboard.writeText(addressWith(name, secret));
      setNote(say(isNew ? "alerts.token_copied" : "copied", { name: overlay.name }));
    } catch {
      setNote(say(isNew ? "alerts.token_created" : "alerts.copy_failed", { name: overlay.name }));
    }
  };
  const create = async () => {
    setAsking(false);
    setError(null);
    try {
      const { token: created } = await client.post("/tokens", { name: overlay.name.slice(0, 100) });
      setToken(created);
      await copy(page, created, true);
    } catch (error) {
      setError(error);
    }
  };
  const isReady = !needsToken || token !== null;
  const start = (/** @type {string} */ name) => {
    setPage(name);
    return isReady ? copy(name, token) : setAsking(true);
  };
  return html`<section class="card addresses" aria-label=${say("alerts.address")}>
    <p>${say(isReady ? "alerts.address_how" : "alerts.address_token")}</p>
    <ul class="tiles">
      ${PAGES.map(({ page: one, size }) => html`<${Tile} key=${one} page=${one} name=${nameOf(one)} size=${size}
        address=${addressWith(one, token)} isReady=${isReady} onCopy=${() => start(one)} />`)}
    </ul>
    <p class="chosen-page"><strong>${nameOf(page)}</strong>
      <code class="address">${addressWith(page, token ?? (needsToken ? "…" : null))}</code></p>
    ${isAsking &&
    html`<div class="question" role="group" aria-label=${say("alerts.token_ask")}>
      <p>${say("alerts.token_ask")}</p>
      <p class="bar">
        <button class="main" ref=${focus} onClick=${create} ...${write}>${say("alerts.token_yes")}</button>
        <button onClick=${() => setAsking(false)}>${say("cancel")}</button>
      </p>
    </div>`}
    <p class="good" role="status">${note}</p>
    <${Problem} error=${error} />
  </section>`;
}
