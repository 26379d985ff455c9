// Links from an open letter to its neighbours in the gallery: buttons and arrow keys.

import { useLoaded } from "../../shared/loading.js";
import { Icon, html, useConsole, useLayoutEffect, useRef } from "../../shared/parts.js";
import { addressOf, queryOf } from "./filters.js";
import { isLetter } from "./use-letters.js";

// Alerts' pictures are also documents, and are skipped.
const LIMIT = 10;
/** The elements that handle the arrow keys themselves. */
const OWN_KEYS = ".stamp, input, select, textarea, dialog";

/** Loads the letters on both sides of a letter, or null at either end. @param {any} letter */
function useNeighbours(letter) {
  const { client, parameters } = useConsole();
  const query = queryOf(parameters);
  const load = async (/** @type {string} */ limit, /** @type {string} */ order) => {
    const near = new URLSearchParams(query);
    near.set(limit, letter.created_at);
    near.set("order", order);
    near.set("limit", String(LIMIT));
    const { records } = await client.page(`/documents?${near}`);
    return records.find(isLetter) ?? null;
  };
  const loadBoth = () => Promise.all([load("created_after", "asc"), load("created_before", "desc")]);
  return useLoaded(loadBoth, `${letter.document_id} ${query}`).value ?? [null, null];
}

/** @param {{letter: any}} props */
export function Neighbours({ letter }) {
  const { say, parameters } = useConsole();
  const [newer, older] = useNeighbours(letter);
  const addresses = [newer, older].map((one) => one && addressOf(one.document_id, parameters));
  const latest = useRef(addresses);
  latest.current = addresses;
  // A key press may follow as soon as the letter is visible.
  useLayoutEffect(() => {
    const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
      const index = ["ArrowLeft", "ArrowRight"].indexOf(event.key);
      const isUsed = event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey;
      const { target } = event;
      if (index < 0 || isUsed || (target instanceof Element && target.closest(OWN_KEYS))) return;
      const address = latest.current[index];
      if (address) location.hash = address;
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
  const link = (/** @type {number} */ index, /** @type {string} */ name, /** @type {string} */ icon) => {
    const label = say(`letters.${name}`);
    const content = html`<${Icon} name=${icon} />`;
    return addresses[index]
      ? html`<a class="button" href=${addresses[index]} title=${label} aria-label=${label}>${content}</a>`
      : html`<span class="button none" aria-hidden="true">${content}</span>`;
  };
  return html`<nav class="neighbours" aria-label=${say("letters.others")}>
    ${link(0, "newer", "left")} ${link(1, "older", "right")}
  </nav>`;
}
