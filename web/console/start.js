// Starts the console. While its modules load, it requests what the first view shows: the texts, and the first events.

/** @typedef {ReturnType<typeof parseHash>} Address */

import { requestEarly } from "../shared/early.js";
import { MAIN_KINDS, pathsOf } from "../shared/kinds.js";
import { local, session } from "../shared/page.js";
import { language, loadTexts } from "../shared/texts.js";
import { EARLY_VIEWS, loadView, parseHash, textsOf } from "./address.js";

/** The number of rows that a list initially shows. */
export const FIRST_ROWS = 20;

/** The first lists of views. Their rows do not wait for the code. @type {Record<string, string[]>} */
const LISTS = {
  letters: ["/documents?limit=18"],
  viewers: ["/leaderboards/messages?limit=1000"],
  store: ["/purchases?status=pending&order=asc&limit=50"],
  rules: ["/rules?limit=100&order=asc"],
  commands: ["/commands?limit=100&order=asc"],
  alerts: ["/overlays?order=asc&limit=100"],
  streams: ["online", "offline"].map((state) => `/events?source=twitch%2Fstream.${state}&limit=1000`),
  data: ["/events?limit=50"],
};
/** The lists that the feed updates. An event between the response and the view's first rendering would be missing. */
const FOLLOWING = ["letters", "store"];

const token = () => session.get("token") ?? local.get("token");
// With a record or filters, a view starts with other requests.
const isPlain = (/** @type {Address} */ { id, parameters }) => !id && [...parameters.keys()].every((name) => name === "y");

const requestLists = (/** @type {string} */ view) => LISTS[view]?.forEach((path) => requestEarly(path, token()));

/** Requests the rows of a view that is opened for the first time, while its code loads. @param {Address} address */
export function requestRows(address) {
  const { view = "" } = address;
  if (isPlain(address) && !FOLLOWING.includes(view)) requestLists(view);
}

/** Requests the feed's head, and then the first view's rows, so no event is missing between them. */
function requestFirstRows() {
  const head = requestEarly("/feed", token());
  requestLists(view);
  if (!isEarly) return;
  for (const path of pathsOf(MAIN_KINDS)) requestEarly(`${path}&limit=${FIRST_ROWS}`, token(), head);
}

const first = parseHash(location.hash);
const { view = "" } = first;
const isEarly = EARLY_VIEWS.includes(view);
/** The texts for the first view. */
export const firstTexts = loadTexts(language(local.get("lang")), "", isEarly ? [] : ["common", ...textsOf(view, first.id)]);
if (isPlain(first)) requestFirstRows();
// The console loads the same view again, and handles failures.
loadView(view).catch(() => {});
import("./console.js").catch(showFailure);

/** Replaces the skeleton by a message. The component for problems may be among what was not loaded. */
async function showFailure() {
  const texts = await firstTexts.catch(() => null);
  const [message, retry] = texts
    ? [texts("start.failed"), texts("retry")]
    : ["The console could not be loaded.", "Retry"];
  const button = Object.assign(document.createElement("button"), { textContent: retry, onclick: () => location.reload() });
  const card = Object.assign(document.createElement("p"), { className: "card problem", role: "alert" });
  card.append(message, " ", button);
  document.querySelector("#root main")?.replaceChildren(card);
}
