// The common parts of all pages on a stream: the parameters of their URL, the client, and the record with their
// settings.
//
// The parameters follow the `#` of the URL, so no server receives them:
// - token: an access token with the scope `overlay`
// - overlay: the identifier of an overlay record, whose settings replace all other parameters
// - debug: 1 shows the state of the connection

import { Client } from "../shared/client/index.js";
import { base } from "../shared/page.js";
import { session } from "../shared/storage.js";
import { language, loadTexts } from "../shared/texts.js";
import { settingsFrom } from "./settings.js";

// The maximum delay before a failed request of the start is sent again, in milliseconds.
const MAX_DELAY = 15_000;

export const parameters = new URLSearchParams(location.hash.slice(1));
// The console's preview is a frame, which shares the console's token.
const isPreview = parent !== window;
export const client = new Client(base, { token: parameters.get("token") ?? (isPreview ? session.get("token") : null), retries: 0 });
export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Shows the state of the connection if `debug=1` is set. Viewers of the stream must not see it. */
export function showStatus(text) {
  const debug = /** @type {HTMLElement} */ (document.querySelector("#debug"));
  debug.hidden = parameters.get("debug") !== "1";
  debug.textContent = text;
}

/**
 * Shows the result of a round of requests to the feed.
 *
 * @param {import("../shared/client/types.js").FollowState} state
 */
export function showState({ live, status, missed }) {
  if (live) showStatus(missed ? "Connected. Some alerts were missed." : "Connected");
  else showStatus(`Can't reach the service (${status ?? "no response"}). Retrying…`);
}

/** Repeats a request until it succeeds. A stream may start before the network does. */
export async function retryForever(request) {
  for (let failures = 0; ; failures += 1) {
    try {
      return await request();
    } catch (error) {
      showStatus(`Can't start (${error.status ?? "no response"}). Retrying…`);
      await sleep(Math.min(MAX_DELAY, 500 * 2 ** failures) * (0.5 + Math.random() / 2));
    }
  }
}

/**
 * Loads the settings and the texts of their language. `update` applies an entry of the feed, and returns true if it has
 * changed the settings.
 */
export async function openSource() {
  const id = parameters.get("overlay");
  const urlSettings = Object.fromEntries(parameters);
  const source = { settings: settingsFrom(urlSettings), paused: false, muted: false, say: /** @type {any} */ (null) };
  const apply = ({ settings, paused, muted }) => Object.assign(source, { settings: settingsFrom(settings ?? {}), paused, muted });
  if (id) apply(await retryForever(() => client.get(`/overlays/${id}`)));
  source.say = await retryForever(() => loadTexts(language(source.settings.lang), "stream"));
  document.documentElement.lang = source.say.lang;
  source.update = ({ type, subject, data }) => {
    const isThisOverlay = type === "overlay.updated" && subject === `overlays/${id}` && Boolean(data);
    if (isThisOverlay) apply(data);
    return isThisOverlay;
  };
  return source;
}
