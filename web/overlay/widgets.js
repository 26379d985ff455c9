// The widgets: small pages beside the alerts, for the goal, a leaderboard, the recent events, and a ticker. The element
// `body` names the widget of the page. Each follows the feed and reads its figures again when they may have changed.

import { kindOf, pathsOf, textOf } from "../shared/kinds.js";
import { icon, shortened } from "./alerts.js";
import { element } from "./elements.js";
import { goalValue, streamStart } from "./goal.js";
import { client, openSource, showState, sleep, retryForever } from "./source.js";

// The statistics are at most two minutes behind. They are read again after this time, in milliseconds.
const REFRESH = 60_000;
const PIXELS_PER_SECOND = 90;

const main = /** @type {HTMLElement} */ (document.querySelector("main"));

/** Returns the begin of a period until now. Undefined for all time. */
async function startOf(period) {
  const day = 86_400_000;
  const lengths = { day, month: 30 * day, year: 365 * day };
  if (period === "stream") return streamStart(client);
  return lengths[period] && new Date(Date.now() - lengths[period]).toISOString();
}

/** The goal: a sum since a time, and its target. */
const goal = {
  load: ({ settings }) => goalValue(client, settings.goal),
  render(current, { settings: { goal: goals }, say }) {
    const share = Math.min(1, current / goals.target);
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
        element("span", { textContent: say.percent(share).replace("+", "") }),
      ),
    ];
  },
};

/** The leaderboard: the highest viewers of a period. */
const leaderboard = {
  async load({ settings: { leaderboard: board } }) {
    return client.get(`/leaderboards/${board.board}`, { query: { limit: board.limit, from: await startOf(board.period) } });
  },
  render(ranks, { settings: { leaderboard: board }, say }) {
    const row = ({ rank, value, user }) =>
      element(
        "li",
        {},
        element("span", { textContent: `${rank}.` }),
        element("span", { className: "text", dir: "auto", textContent: shortened(user.name) }),
        element("span", { className: "value", textContent: say.number(value) }),
      );
    return [element("h1", { textContent: say(`board.title.${board.board}`) }), element("ol", {}, ...ranks.map(row))];
  },
};

/** Returns the newest events of some kinds. */
async function newest({ kinds, limit }) {
  const kindSet = new Set(kinds);
  /** @param {string} path @returns {Promise<{records: any[]}>} */
  const read = (path) => client.page(path, { query: { limit: 100 } });
  const pages = await Promise.all(pathsOf(kindSet).map(read));
  const events = pages.flatMap(({ records }) => records).filter((event) => kindSet.has(kindOf(event)));
  return events.sort((one, other) => Date.parse(other.occurred_at) - Date.parse(one.occurred_at)).slice(0, limit);
}

/** An event as a line: its icon and its text. */
function line(event, { settings, say }) {
  const kind = kindOf(event);
  const [key, values] = textOf(event);
  const text = say(`overlay.${key}`, { ...values, name: shortened(values.name ?? "") });
  const item = element("li", {}, icon(kind), element("span", { className: "text", dir: "auto", textContent: text }));
  item.style.setProperty("--tint", (settings.alerts[kind] ?? settings.alerts.plain).color);
  return item;
}

/** The recent events. */
const recent = {
  load: ({ settings }) => newest(settings.recent),
  render: (events, source) => [element("ol", {}, ...events.map((event) => line(event, source)))],
};

/** The recent events in one line that runs by. */
const ticker = {
  load: ({ settings }) => newest(settings.ticker),
  render(events, source) {
    const list = element("ol", {}, ...events.map((event) => line(event, source)));
    // A longer line takes more time, so that all run at the same speed.
    requestAnimationFrame(() => {
      const seconds = Math.max(10, (list.scrollWidth + innerWidth) / PIXELS_PER_SECOND);
      list.style.setProperty("--seconds", `${seconds}s`);
    });
    return [list];
  },
};

const WIDGETS = { goal, leaderboard, recent, ticker };

async function start() {
  const source = await openSource();
  const widget = WIDGETS[document.body.dataset.widget];
  /** @type {(value?: any) => void} */
  let wake = () => {};
  let isStale = false;
  let renderedKey = "";
  client.follow({
    onEntry: async (entry) => {
      if (!(await source.update(entry)) && !entry.type.startsWith("event.")) return;
      isStale = true;
      wake();
    },
    onState: showState,
  });
  for (;;) {
    isStale = false;
    const value = await retryForever(() => widget.load(source));
    document.body.style.setProperty("--scale", String(source.settings.scale));
    const next = JSON.stringify([value, source.settings, source.say.lang]);
    // A ticker that has not changed runs on.
    if (next !== renderedKey) main.replaceChildren(...widget.render(value, source));
    renderedKey = next;
    const woken = new Promise((resolve) => (wake = resolve));
    if (!isStale) await Promise.race([woken, sleep(REFRESH)]);
    // Several entries of a moment are one request.
    await sleep(500);
  }
}

start();
