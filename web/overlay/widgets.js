// The widgets: small pages next to the alerts, for the goal, a leaderboard, the recent events, and a ticker. The element
// `body` names the widget of the page. Each follows the feed and reads its figures again when they may have changed.

import { kindOf, pathsOf, textOf } from "../shared/kinds.js";
import { headline, icon, shortened } from "./alerts.js";
import { element } from "./elements.js";
import { changesFigures, loadBoard, loadGoal, streamStart } from "./figures.js";
import { sentenceOf } from "./message.js";
import { amountIn } from "./queue.js";
import { client, dress, openSource, parameters, showState, sleep, retryForever } from "./source.js";

// All is read again after this time, in milliseconds: statistics are at most two minutes behind.
const REFRESH = 60_000;
// After an event, all is read again sooner: a deployed service may count an event a moment after the feed has it.
const REFRESH_AFTER_EVENT = 10_000;
const PIXELS_PER_SECOND = 90;
// The number of lights, as in goal.css.
const SPARKS = 6;

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const main = /** @type {HTMLElement} */ (document.querySelector("main"));

/** @typedef {import("./source.js").Source} Source */
/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {import("../shared/client/types.js").Entry} Entry */
/**
 * `isChangedBy` returns true if the value must be loaded again.
 *
 * @typedef {object} Widget
 * @property {(source: Source) => Promise<any>} load
 * @property {(entry: Entry) => boolean} isChangedBy
 * @property {(value: any, source: Source) => Node[]} render
 */

/** Returns the begin of a period until now. Undefined for all time. @param {string} period */
async function startOf(period) {
  if (period === "stream") return streamStart(client);
  if (period === "day") return Date.now() - 86_400_000;
  // Whole days, as in the console's analytics.
  const days = { month: 30, year: 365 }[period];
  const today = new Date();
  return days && new Date(today.getFullYear(), today.getMonth(), today.getDate() - days + 1).getTime();
}

/** The lights of a goal that is reached. */
const sparks = () => Array.from({ length: SPARKS }, () => element("i", { className: "spark", ariaHidden: "true" }));

/** The goal that the page shows. An overlay has two. */
const goalOf = (/** @type {Settings} */ settings) => (parameters.has("second") ? settings.goal2 : settings.goal);

/** A goal: a sum since a time, and its target. @type {Widget} */
const goal = {
  load: ({ settings }) => loadGoal(client, goalOf(settings)),
  isChangedBy: changesFigures,
  render(current, { settings, say }) {
    const goals = goalOf(settings);
    const share = Math.min(1, current / goals.target);
    const isReached = share === 1;
    const percent = say.percent(Math.floor(share * 100) / 100).replace("+", "");
    document.body.classList.toggle("reached", isReached);
    const bar = element("div", { className: "bar" });
    bar.style.transform = `scaleX(${share})`;
    const state = { ariaValueNow: String(Math.round(share * 100)), ariaLabel: say("goal.progress") };
    const track = element("div", { className: "track", role: "progressbar", ...state }, bar);
    return [
      element("h1", { textContent: goals.title || say("goal.title", { what: say(`goal.${goals.of}`) }), dir: "auto" }),
      track,
      element(
        "p",
        { className: "figures" },
        element("span", { textContent: `${say.number(current)} / ${say.number(goals.target)}` }),
        element("span", { className: "value", textContent: isReached ? say("goal.reached") : percent }),
      ),
      ...(isReached ? sparks() : []),
    ];
  },
};

/** The leaderboard: the highest viewers of a period. @type {Widget} */
const leaderboard = {
  async load({ settings: { leaderboard: board } }) {
    return loadBoard(client, { ...board, from: await startOf(board.period) });
  },
  isChangedBy: changesFigures,
  render(ranks, { settings: { leaderboard: board }, say }) {
    const row = (/** @type {any} */ { value, user }, /** @type {number} */ index) =>
      element(
        "li",
        {},
        element("span", { className: "rank", textContent: say.number(index + 1) }),
        element("span", { className: "text", dir: "auto", textContent: shortened(user.name) }),
        element("span", { className: "value", textContent: say.number(value) }),
      );
    const period = element("small", { textContent: say(`period.${board.period}`) });
    return [element("h1", {}, `${say(`board.title.${board.board}`)} `, period), element("ol", {}, ...ranks.map(row))];
  },
};

/** Loads the newest events of some kinds. @param {{kinds: string[], limit: number}} settings @returns {Promise<any[]>} */
async function newest({ kinds, limit }) {
  const kindSet = new Set(kinds);
  const read = (/** @type {import("../shared/kinds.js").ListOfEvents} */ path) => client.page(path, { query: { limit: 100 } });
  const pages = await Promise.all(pathsOf(kindSet).map(read));
  /** @type {any[]} */
  const records = pages.flatMap((page) => page.records);
  const events = records.filter((event) => kindSet.has(kindOf(event)));
  return events.sort((one, other) => Date.parse(other.occurred_at) - Date.parse(one.occurred_at)).slice(0, limit);
}

/** An event as a line: its icon and its text. @param {any} event @param {Source} source */
function line(event, { settings, say }) {
  const kind = kindOf(event);
  const [, { name = "" }] = textOf(event);
  const alert = { kind, event, recipients: new Map() };
  const nodes = kind === "notice"
    ? [sentenceOf(event, shortened(name), say)]
    : headline(event, kind, { text: "" }, say, amountIn(alert));
  const item = element("li", {}, icon(kind), element("span", { className: "text", dir: "auto" }, ...nodes));
  item.style.setProperty("--tint", (settings.alerts[kind] ?? settings.alerts.plain).color);
  return item;
}

/** A list of events. Without events, a widget shows nothing. @param {any[]} events @param {Source} source */
const listOf = (events, source) => element("ol", {}, ...events.map((event) => line(event, source)));

/** The recent events. @type {Widget} */
const recent = {
  load: ({ settings }) => newest(settings.recent),
  isChangedBy: ({ type }) => type.startsWith("event."),
  render: (events, source) => (events.length > 0 ? [listOf(events, source)] : []),
};

/** The recent events in one line that runs by. @type {Widget} */
const ticker = {
  load: ({ settings }) => newest(settings.ticker),
  isChangedBy: recent.isChangedBy,
  render(events, source) {
    if (events.length === 0) return [];
    const list = listOf(events, source);
    requestAnimationFrame(() => {
      // A longer line takes more time, so all run at the same speed.
      list.style.setProperty("--seconds", `${Math.max(10, list.offsetWidth / PIXELS_PER_SECOND)}s`);
      const copies = isStill() || list.offsetWidth === 0 ? 0 : Math.ceil(innerWidth / list.offsetWidth);
      for (let number = 0; number < copies; number += 1) {
        const copy = /** @type {HTMLElement} */ (list.cloneNode(true));
        copy.ariaHidden = "true";
        list.after(copy);
      }
    });
    return [list];
  },
};

/** @type {Record<string, Widget>} */
const WIDGETS = { goal, leaderboard, recent, ticker };

async function start() {
  const source = await openSource();
  const widget = WIDGETS[document.body.dataset.widget ?? ""];
  /** @type {(value?: any) => void} */
  let wake = () => {};
  /** @type {any} */
  let value;
  let [dueAt, lastChange] = [0, 0];
  let renderedKey = "";
  client.follow({
    onEntry: async (entry) => {
      const isChanged = widget.isChangedBy(entry);
      if (!(await source.update(entry)) && !isChanged) return;
      if (isChanged) lastChange = Date.now();
      dueAt = 0;
      wake();
    },
    onState: showState,
  });
  for (;;) {
    if (Date.now() >= dueAt) {
      const now = Date.now();
      dueAt = now + (now - lastChange < REFRESH_AFTER_EVENT ? REFRESH_AFTER_EVENT : REFRESH);
      value = await retryForever(() => widget.load(source));
    }
    dress(source.settings);
    const next = JSON.stringify([value, source.settings, source.say.lang]);
    // A ticker that has not changed runs on.
    if (next !== renderedKey) main.replaceChildren(...widget.render(value, source));
    renderedKey = next;
    await Promise.race([new Promise((resolve) => (wake = resolve)), sleep(dueAt - Date.now())]);
    // Several entries of a moment are one rendering.
    await sleep(500);
  }
}

start();
