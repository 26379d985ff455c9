// The common parts of all pages on a stream: the parameters of their URL, the client, and the record with their
// settings.
//
// The parameters follow the `#` of the URL, so no server receives them:
// - token: an access token with the scope `overlay`
// - overlay: the identifier of an overlay record, whose settings replace all other parameters
// - debug: 1 shows the state of the connection
//
// A page without rights or without its record says so on screen. All other faults are hidden, because they end by
// themselves.

import { Client } from "../shared/client/index.js";
import { delayAfter, spread } from "../shared/client/retry.js";
import { base, session } from "../shared/page.js";
import { language, loadTexts } from "../shared/texts.js";
import { settingsFrom } from "./settings.js";

// The maximum delay before a failed request of the start is sent again, and how long the page explains itself, in
// milliseconds.
const MAX_DELAY = 15_000;
const EXPLANATION_DURATION = 4_000;

export const parameters = new URLSearchParams(location.hash.slice(1));
// The console's preview is a frame, which shares the console's token.
export const isPreview = parent !== window;
const token = parameters.get("token") ?? (isPreview ? session.get("token") : null);
export const client = new Client(base, { token, retries: 0 });
export const sleep = (/** @type {number} */ milliseconds) =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Shows the state of the connection if `debug=1` is set. Viewers of the stream must not see it.
 *
 * @param {string} text
 */
export function showStatus(text) {
  const debug = /** @type {HTMLElement} */ (document.querySelector("#debug"));
  debug.hidden = parameters.get("debug") !== "1";
  debug.textContent = text;
}

/**
 * Says what nobody but the streamer can change, in the language of the page.
 *
 * @param {"overlay.no_access" | "overlay.missing"} name The name of the text.
 */
async function showFault(name) {
  const say = await retryForever(() => loadTexts(language(parameters.get("lang")), "stream"));
  const debug = /** @type {HTMLElement} */ (document.querySelector("#debug"));
  debug.textContent = say(name);
  debug.hidden = false;
}

/**
 * Explains an empty page while somebody moves the pointer over it in a browser. OBS sets a variable, and other programs
 * for streams have no pointer.
 *
 * @param {any} say
 */
function explain(say) {
  if (isPreview || "obsstudio" in window) return;
  const debug = /** @type {HTMLElement} */ (document.querySelector("#debug"));
  const text = say("overlay.in_browser");
  let timer = 0;
  addEventListener("pointermove", () => {
    // It may say something more important.
    if (!debug.hidden && debug.textContent !== text) return;
    Object.assign(debug, { hidden: false, textContent: text });
    clearTimeout(timer);
    timer = setTimeout(() => (debug.hidden ||= debug.textContent === text), EXPLANATION_DURATION);
  });
}

/** @param {number | undefined} status */
const isRefusal = (status) => status === 401 || status === 403;

/**
 * Shows the result of a round of requests to the feed.
 *
 * @param {import("../shared/client/types.js").FollowState} state
 */
export function showState({ live, status, missed }) {
  if (isRefusal(status)) showFault("overlay.no_access");
  else if (live) showStatus(missed ? "Connected. Some alerts were missed." : "Connected");
  else showStatus(`Can't reach the service (${status ?? "no response"}). Retrying…`);
}

/**
 * Repeats a request until it succeeds. A stream may start before the network does.
 *
 * @template T
 * @param {() => Promise<T>} request
 * @param {boolean} [isOfOverlay] True if the request is for the record of the overlay.
 * @returns {Promise<T>}
 */
export async function retryForever(request, isOfOverlay = false) {
  for (let failures = 0; ; failures += 1) {
    try {
      return await request();
    } catch (problem) {
      const error = /** @type {any} */ (problem);
      if (isRefusal(error.status)) showFault("overlay.no_access");
      else if (isOfOverlay && [400, 404].includes(error.status)) showFault("overlay.missing");
      else showStatus(`Can't start (${error.status ?? "no response"}). Retrying…`);
      await sleep(spread(delayAfter(failures + 1, 500, MAX_DELAY)));
    }
  }
}

/**
 * What a page on a stream shows, and how.
 *
 * @typedef {object} Source
 * @property {ReturnType<typeof settingsFrom>} settings
 * @property {boolean} paused True if alerts wait.
 * @property {boolean} muted
 * @property {any} say The texts.
 * @property {(entry: import("../shared/client/types.js").Entry) => Promise<boolean>} update Applies an entry of the
 *   feed. Returns true if it has changed the settings.
 */

/**
 * Loads the settings and the texts of their language. A page without a record stops with all others: it obeys each
 * change of `paused` of any record. `paused` is the state that such a page has stored.
 *
 * @returns {Promise<Source>}
 */
export async function openSource(paused = false) {
  const id = parameters.get("overlay");
  const settings = settingsFrom(Object.fromEntries(parameters));
  /** @type {Source} */
  const source = { settings, paused, muted: false, say: null, update: async () => false };
  const apply = async (/** @type {any} */ { settings, paused, muted }) => {
    Object.assign(source, { settings: settingsFrom(settings ?? {}), paused, muted });
    await loadLanguage();
  };
  const loadLanguage = async () => {
    const lang = language(source.settings.lang);
    if (source.say?.lang === lang) return;
    source.say = await retryForever(() => loadTexts(lang, "stream"));
    document.documentElement.lang = lang;
  };
  if (id) await apply(await retryForever(() => client.get(`/overlays/${id}`), true));
  else await loadLanguage();
  explain(source.say);
  source.update = async (/** @type {any} */ { type, subject, data }) => {
    if (type !== "overlay.updated" || !data) return false;
    if (!id) source.paused = data.paused;
    else if (subject === `overlays/${id}`) await apply(data);
    else return false;
    return true;
  };
  return source;
}

/** Gives the page of a widget its theme and its size. @param {{theme: string, scale: number}} settings */
export function dress({ theme, scale }) {
  document.body.dataset.theme = theme;
  document.body.style.setProperty("--scale", String(scale));
}
