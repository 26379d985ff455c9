// The overlay in the console's frame. It is the overlay itself, but its feed is the console: each message `{settings,
// muted, data, isMove}` has the settings, and the data of an alert that replaces the visible one. A move keeps the
// visible alert.

import { client } from "../source.js";

const subject = `overlays/${new URLSearchParams(location.hash.slice(1)).get("overlay")}`;
/** @type {((entry: object) => void) | null} */
let onEntry = null;
// Higher than the numbers of an earlier page, which the overlay has stored.
let number = Date.now();

// The time when the last alert was sent, and how long it takes to appear, in milliseconds.
let sent = 0;
const LOADING = 1_000;

const addEntry = (/** @type {string} */ type, /** @type {object} */ data, about = subject) => {
  number += 1;
  onEntry?.({ id: String(number), type, subject: about, time: new Date().toISOString(), data });
};

/** @param {{settings: object, muted: boolean, data: object, isMove?: boolean}} message */
function apply({ settings, muted, data, isMove }) {
  addEntry("overlay.updated", { settings, paused: false, muted });
  if (isMove && (document.querySelector(".alert") || Date.now() - sent < LOADING)) return;
  sent = Date.now();
  addEntry("alert.cleared", { control: "clear" });
  if (data) addEntry("alert.tested", data, `alerts/${number}`);
}

/** Adds the style sheets of the overlay's page, so the preview always looks the same. */
async function addStyles() {
  const page = new URL("..", location.href.split("#")[0]);
  const text = await (await fetch(page)).text();
  const links = [...text.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, href]) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: new URL(href, page).href });
    document.head.append(link);
    return new Promise((resolve) => (link.onload = link.onerror = resolve));
  });
  await Promise.all(links);
}

const isFromConsole = (/** @type {MessageEvent} */ { source, origin }) =>
  source === parent && origin === location.origin;
/** @type {any} */
let latest = null;
await new Promise((resolve) => {
  addEventListener("message", (event) => {
    if (!isFromConsole(event)) return;
    latest = event.data;
    resolve(null);
    if (onEntry) apply(latest);
  });
  parent.postMessage("ready", location.origin);
});
/** @type {any} */ (client).get = async () => ({ settings: latest.settings, paused: false, muted: latest.muted });
/** @type {any} */ (client).follow = (/** @type {any} */ options) => {
  options.onStart?.(number);
  options.onState?.({ live: true, status: 200, missed: false });
  onEntry = options.onEntry;
  apply(latest);
  return { stop: () => (onEntry = null) };
};
await addStyles();
await import("../overlay.js");
