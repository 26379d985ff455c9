// The parts that all pages on a stream share: the parameters of their URL, the client, and the record with their
// settings.
//
// The parameters follow the `#` of the URL, so no server receives them:
// - token: an access token with the scope `overlay`
// - overlay: the identifier of an overlay record with settings that replace all other parameters
// - debug: 1 shows the state of the connection
//
// A page without permission or without its record says so on screen. All other errors are hidden, since they resolve
// themselves.

import { Client } from "../shared/client/index.js";
import { delayAfter, spread } from "../shared/client/retry.js";
import { base, session } from "../shared/page.js";
import { language, loadTexts } from "../shared/texts.js";
import { settingsFrom } from "./settings.js";

// The maximum delay before a failed request during the start is retried, and how long the page explains itself, in
// milliseconds.
const MAX_DELAY = 15_000;
const EXPLANATION_DURATION = 4_000;

export const parameters = new URLSearchParams(location.hash.slice(1));
// The console's preview is a frame that shares the console's token.
export const isPreview = parent !== window;
const token = parameters.get("token") ?? (isPreview ? session.get("token") : null);
export const client = new Client(base, { token, retries: 0 });
export const sleep = (/** @type {number} */ milliseconds) =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Shows the state of the connection if `debug=1` is set. The stream's viewers must not see it.
 *
 * @param {string} text
 */
export function showStatus(text) {
  const debug = /** @type {HTMLElement} */ (document.querySelector("#debug"));
  debug.hidden = parameters.get("debug") !== "1";
  debug.textContent = text;
}

/**
 * Reports a problem that only the streamer can fix, in the page's language.
 *
 * @param {"overlay.no_access" | "overlay.missing"} name The text's name.
 */
async function showFault(name) {
  const say = await retryForever(() => loadTexts(language(parameters.get("lang")), "stream"));
  const debug = /** @type {HTMLElement} */ (document.querySelector("#debug"));
  debug.textContent = say(name);
  debug.hidden = false;
}

/**
 * Explains an empty page while the pointer moves over it in a browser. OBS sets a variable, and other streaming
 * programs lack a pointer.
 *
 * @param {any} say
 */
function explain(say) {
  if (isPreview || "obsstudio" in window) return;
  const debug = /** @type {HTMLElement} */ (document.querySelector("#debug"));
  const text = say("overlay.in_browser");
  let timer = 0;
  addEventListener("pointermove", () => {
    // It may already show something more important.
    if (!debug.hidden && debug.textContent !== text) return;
    Object.assign(debug, { hidden: false, textContent: text });
    clearTimeout(timer);
    timer = setTimeout(() => (debug.hidden ||= debug.textContent === text), EXPLANATION_DURATION);
  });
}

/** @param {number | undefined} status */
const isRefusal = (status) => status === 401 || status === 403;

/**
 * Shows the result of a round of feed requests.
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
 * @param {boolean} [isOfOverlay] Whether the request is for the overlay's record.
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
 * The content and appearance of a page on a stream.
 *
 * @typedef {object} Source
 * @property {ReturnType<typeof settingsFrom>} settings
 * @property {boolean} paused Whether alerts wait.
 * @property {boolean} muted
 * @property {any} say The texts.
 * @property {(entry: import("../shared/client/types.js").Entry) => Promise<boolean>} update Applies a feed entry.
 *   Returns true if it has changed the settings.
 */

/**
 * Loads the settings and the texts in their language. A page without a record stops along with all others: it follows
 * each change of `paused` in any record. `paused` is the state that such a page has stored.
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

/** Applies the theme and size to a widget's page. @param {{theme: string, scale: number}} settings */
export function dress({ theme, scale }) {
  document.body.dataset.theme = theme;
  document.body.style.setProperty("--scale", String(scale));
}
