// The overlay: what happens in the channel, one after another, over the picture of the stream.
//
// All that it is told is in the address behind the #, which reaches no server:
// token, types (of plain, subscriber, cheer, raid, stamp, and document for whatever has one), duration (seconds of each), max_age (older ones are skipped), lang, debug=1.

import { alert, typeOf } from "./alerts.js";
import { Api } from "./shared/api.js";
import { cursorOf } from "./shared/cursor.js";
import { follow } from "./shared/feed.js";
import { listen } from "./shared/socket.js";
import { language, words } from "./shared/words.js";

// More than so many that wait are more than anybody wants to see: the oldest go.
const LONGEST_QUEUE = 30;
const POLLED = 1_000;
const PUSHED = 30_000;
const LEAVING = 350;
const STAMPING = 220;

const asked = new URLSearchParams(location.hash.slice(1));
const duration = Math.max(1, Number(asked.get("duration")) || 6) * 1_000;
const maxAge = Math.max(1, Number(asked.get("max_age")) || 600) * 1_000;
// Chat messages have a place of their own, but for those with a document.
const types = new Set((asked.get("types") ?? "subscriber,cheer,raid,document").split(",").filter(Boolean));
const api = new Api(asked.get("token"));

const stage = document.querySelector("#stage");
const debug = document.querySelector("#debug");
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Says what is wrong, where it is asked for: a stream shows no errors. */
function note(text) {
  debug.hidden = asked.get("debug") !== "1";
  debug.textContent = text;
}

function isOfType(told) {
  return types.has(typeOf(told)) || (types.has("document") && Boolean(told.data.document));
}

function isWanted(told) {
  const isAlert = told.type.startsWith("alert.");
  const isTold = isAlert || told.type === "event.created" || told.type === "stamp.created";
  // What is asked for by hand is shown whatever its age and type.
  return isTold && told.data && (isAlert || (isOfType(told) && Date.now() - Date.parse(told.time) < maxAge));
}

async function main() {
  const say = await words(language(asked.get("lang")));
  document.documentElement.lang = say.lang;
  // Each overlay its own: one that shows its alerts for longer is further behind.
  const name = [...asked].filter(([key]) => key !== "token").map((pair) => pair.join("=")).sort();
  const cursor = await cursorOf(`overlay ${name.join("&")}`);
  const queue = [];
  let wake = () => {};
  const feed = follow({
    ask: (after) => api.feed(after),
    after: await cursor.get(),
    every: POLLED,
    begin: (head) => cursor.set(head),
    tell: (told) => {
      // An alert that waits shows its event as it is by then.
      const waiting = queue.find((one) => one.subject === told.subject && one.data);
      if (waiting && told.type === "event.updated" && told.data) waiting.data = told.data;
      if (waiting && told.type === "event.deleted") waiting.data = undefined;
      queue.push(told);
      wake();
    },
    state: ({ live, status, missed }) => note(live ? (missed ? "some were missed" : "live") : `not reached (${status ?? "no answer"})`),
  });
  api
    .get("/health")
    .then(({ socket }) => {
      if (!socket) return;
      listen({ url: socket, token: api.token, push: feed.push, state: (open) => feed.pace(open ? PUSHED : POLLED) });
    })
    .catch(() => {});
  for (;;) {
    const told = queue.shift();
    if (!told) {
      await new Promise((resolve) => (wake = resolve));
      continue;
    }
    // Before it is shown: what a crash cuts off is not shown twice, and can be replayed.
    await cursor.set(Number(told.id));
    if (isWanted(told) && queue.filter(isWanted).length < LONGEST_QUEUE) await show(told, say);
  }
}

async function show(told, say) {
  const drawn = await alert(told, say);
  stage.append(drawn);
  const until = Date.now() + duration;
  for (const stamp of drawn.querySelectorAll(".stamp")) {
    await sleep(Math.min(STAMPING, duration / 40));
    stamp.classList.add("on");
  }
  await sleep(Math.max(0, until - Date.now()));
  drawn.classList.add("leaving");
  await sleep(LEAVING);
  drawn.remove();
}

main().catch((error) => note(String(error)));
