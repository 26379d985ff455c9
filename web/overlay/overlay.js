// The overlay: shows the channel's alerts one after another, on top of the stream.
//
// Its parameters follow the `#` of the URL, so no server receives them:
// - token: an access token with the scope `overlay`
// - overlay: the identifier of an overlay record, whose settings replace the parameters types, duration, max_age and lang
// - types: the alerts to show: plain, subscriber, cheer, raid, stamp, and document for every event that has one
// - duration: the seconds that each alert is visible
// - max_age: the age in seconds after which an event is skipped
// - lang: the language, en or de
// - debug: 1 shows the state of the connection

import { alert, typeOf } from "./alerts.js";
import { Api } from "./shared/api.js";
import { openCursor } from "./shared/cursor.js";
import { follow } from "./shared/feed.js";
import { listen } from "./shared/socket.js";
import { language, words } from "./shared/words.js";

// The maximum number of waiting alerts. Beyond it, the oldest are skipped.
const LONGEST_QUEUE = 30;
// The polling interval without and with a socket, in milliseconds.
const POLL_INTERVAL = 1_000;
const POLL_INTERVAL_WITH_SOCKET = 30_000;
// The duration of the leaving animation, as in overlay.css, and the longest time between two stamps, in milliseconds.
const LEAVE_DURATION = 350;
const STAMP_INTERVAL = 220;

const parameters = new URLSearchParams(location.hash.slice(1));
const overlayId = parameters.get("overlay");
const api = new Api(parameters.get("token"));
let settings = settingsFrom(Object.fromEntries(parameters));
let isPaused = false;

const stage = document.querySelector("#stage");
const debug = document.querySelector("#debug");
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Shows the state of the connection if `debug=1` is set. Viewers of the stream must not see it. */
function showStatus(text) {
  debug.hidden = parameters.get("debug") !== "1";
  debug.textContent = text;
}

/** Returns the settings of the page, from parameters or from the settings of a record. */
function settingsFrom({ types, duration, max_age: maxAge, lang }) {
  // By default, the overlay shows only chat messages that have a document. A chat box usually shows the others.
  const names = Array.isArray(types) ? types : String(types ?? "subscriber,cheer,raid,document").split(",");
  return {
    types: new Set(names.filter(Boolean)),
    duration: Math.max(1, Number(duration) || 6) * 1_000,
    maxAge: Math.max(1, Number(maxAge) || 600) * 1_000,
    lang,
  };
}

/** Applies an overlay record. */
function apply(overlay) {
  settings = settingsFrom(overlay.settings ?? {});
  isPaused = overlay.paused;
}

function hasEnabledType(entry) {
  const { types } = settings;
  return types.has(typeOf(entry)) || (types.has("document") && Boolean(entry.data.document));
}

/** Returns true if an entry of the feed is to be shown as an alert. */
function shouldShow(entry) {
  // Test alerts and replays are shown whatever their age and type.
  const isManual = ["alert.replayed", "alert.tested"].includes(entry.type);
  const isShowable = isManual || entry.type === "event.created" || entry.type === "stamp.created";
  return isShowable && entry.data && (isManual || (hasEnabledType(entry) && Date.now() - Date.parse(entry.time) < settings.maxAge));
}

async function main() {
  if (overlayId) apply(await api.get(`/overlays/${overlayId}`));
  const say = await words(language(settings.lang));
  document.documentElement.lang = say.lang;
  // Each combination of parameters has its own cursor: an overlay with a longer duration is further behind.
  const name = [...parameters].filter(([key]) => key !== "token").map((pair) => pair.join("=")).sort();
  const cursor = await openCursor(`overlay ${name.join("&")}`);
  const queue = [];
  let wake = () => {};
  let shown = null;
  /** Drops the alerts that a test selects by their numbers, whether they wait or are visible. */
  const drop = (isDropped) => {
    for (const waiting of queue) if (isDropped(Number(waiting.id))) waiting.data = undefined;
    if (shown && isDropped(shown.number)) shown.end();
  };
  const feed = follow({
    read: (after) => api.feed(after),
    after: await cursor.get(),
    every: POLL_INTERVAL,
    onStart: (head) => cursor.set(head),
    onEntry: (entry) => {
      // A waiting alert follows the changes of its event. `shouldShow` rejects an alert whose event was deleted.
      const waiting = queue.find((one) => one.subject === entry.subject && one.data);
      if (waiting && entry.type === "event.updated" && entry.data) waiting.data = entry.data;
      if (waiting && entry.type === "event.deleted") waiting.data = undefined;
      if (entry.type === "overlay.updated" && entry.subject === `overlays/${overlayId}` && entry.data) apply(entry.data);
      if (entry.type === "alert.skipped") drop((number) => number === entry.data?.entry);
      if (entry.type === "alert.cleared") drop((number) => number < Number(entry.id));
      queue.push(entry);
      wake();
    },
    onState: ({ live, status, missed }) => {
      if (live) showStatus(missed ? "Connected. Some alerts were missed." : "Connected");
      else showStatus(`Can't reach the service (${status ?? "no response"}). Retrying…`);
    },
  });
  api
    .get("/health")
    .then(({ socket }) => {
      if (!socket) return;
      listen({ url: socket, token: api.token, onPush: feed.push, onState: (open) => feed.pace(open ? POLL_INTERVAL_WITH_SOCKET : POLL_INTERVAL) });
    })
    .catch(() => {});
  for (;;) {
    const entry = isPaused ? undefined : queue.shift();
    if (!entry) {
      await new Promise((resolve) => (wake = resolve));
      continue;
    }
    // Stored before the alert is shown: an alert that a crash interrupts is not repeated, and can be replayed.
    await cursor.set(Number(entry.id));
    if (!shouldShow(entry) || queue.filter(shouldShow).length >= LONGEST_QUEUE) continue;
    const dropped = new Promise((resolve) => (shown = { number: Number(entry.id), end: resolve }));
    await show(entry, say, dropped);
    shown = null;
  }
}

/** Shows an alert for its duration or until it is dropped, with its stamps one after another, and removes it. */
async function show(entry, say, dropped) {
  const { duration } = settings;
  const article = await alert(entry, say);
  stage.append(article);
  const until = Date.now() + duration;
  for (const stamp of article.querySelectorAll(".stamp")) {
    await sleep(Math.min(STAMP_INTERVAL, duration / 40));
    stamp.classList.add("on");
  }
  await Promise.race([sleep(Math.max(0, until - Date.now())), dropped]);
  article.classList.add("leaving");
  await sleep(LEAVE_DURATION);
  article.remove();
}

main().catch((error) => showStatus(String(error)));
