// Starts the console. On a slow network each round trip counts, so the data for the first view is requested while the
// modules load: the texts, and the first events. The page itself names the modules.

import { base, local, session } from "../shared/page.js";

/** The number of rows that a list initially shows. */
export const FIRST_ROWS = 20;
// The time limit of an early request, in milliseconds, after which the client sends a separate one.
const TIMEOUT = 10_000;

/** The responses that were not taken yet, by URL. @type {Map<string, Promise<Response>>} */
const responses = new Map();
/** Their header. @type {string | null} */
let authorization = null;

/**
 * Requests the feed's head, and then the first page of each list, so no event is missing between them.
 *
 * @param {string | null} token
 */
async function requestEarly(token) {
  authorization = token && `Bearer ${token}`;
  const headers = authorization ? { authorization } : undefined;
  /** @param {string} url @param {Promise<any>} [before] A response to wait for. */
  const request = async (url, before) => {
    await before;
    // The service uses no cookies. Without them, browsers open separate connections from those that the modules occupy.
    return fetch(url, { headers, credentials: "omit", signal: AbortSignal.timeout(TIMEOUT) });
  };
  /** @param {string} url @param {Promise<any>} [before] */
  const add = (url, before) => {
    const response = request(url, before);
    // The code that takes the response handles its failure.
    response.catch(() => {});
    responses.set(url, response);
    return response;
  };
  const head = add(`${base}/feed`);
  const { MAIN_KINDS, pathsOf } = await import("../shared/kinds.js");
  for (const path of pathsOf(MAIN_KINDS)) add(`${base}${path}&limit=${FIRST_ROWS}`, head);
}

/** Works like `fetch`, but takes the early response to the same request if there is one. @type {typeof fetch} */
export const fetchOrTake = (url, options) => {
  const response = responses.get(String(url));
  responses.delete(String(url));
  const isSame = new Headers(options?.headers).get("authorization") === authorization;
  return (isSame && response) || fetch(url, options);
};

/** The texts for the first view. */
export const firstTexts = import("../shared/texts.js").then(({ language, loadTexts }) =>
  loadTexts(language(local.get("lang"))),
);

// These views start with the same lists, unless the reader has selected other kinds.
const hasMainKinds = /^(#\/?((overview|activity)\b(?!.*[?&]kinds=).*)?)?$/.test(location.hash);
if (hasMainKinds) requestEarly(session.get("token") ?? local.get("token"));
// The page names the overview's modules, and this module the activity's first one.
if (/^#\/?activity\b/.test(location.hash)) import("./activity/activity.js").catch(() => {});
// The console imports other views' modules again, and handles failures.
import("./address.js").then(({ EARLY_VIEWS, loadView, parseHash }) => {
  const { view } = parseHash(location.hash);
  if (!view || EARLY_VIEWS.includes(view)) return;
  loadView(view).catch(() => {});
  firstTexts.then((say) => say.withAllTexts()).catch(() => {});
}, () => {});
// Modules before the first frame would delay its styles. Browsers do not paint a page in the background.
const load = () => import("./console.js");
if (document.hidden) load();
else requestAnimationFrame(() => setTimeout(load));
