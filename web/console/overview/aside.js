// The overview's other parts: the queue of alerts, the best viewers, and the goal. They are loaded after the figures.

import { changesFigures, loadBoard, loadGoal } from "../../overlay/figures.js";
import { settingsFrom } from "../../overlay/settings.js";
import { textOf } from "../../shared/kinds.js";
import { useLoaded, useReload } from "../../shared/loading.js";
import { Icon, Problem, Skeleton, html, useConsole, useEffect, useState } from "../../shared/parts.js";
import { StopKey } from "../stop/stop-key.js";
import { StopAll, useStop } from "../stop/stop.js";
import { Ranks } from "../ranks.js";
import { Write } from "../write.js";
import { useQueue } from "./playback.js";

// Figures are at most two minutes old, so they are read once a minute.
const REFRESH = 60_000;
// The time from an event until its figures are read again, in milliseconds.
const AFTER_EVENT = 2_000;
const FIRST_ALERTS = 5;
const BOARDS = ["bits", "subscriptions", "messages"];
/** The events that boards count. Chat messages are not among the known ones. @type {Record<string, string>} */
const COUNTED = { bits: "cheer", subscriptions: "subscriber" };

/**
 * All parts, for the interval `{from, to}` of a stream. Both are null if there was none. The children are below the
 * queue. `onQueue` receives the visible alert and those that wait.
 *
 * @param {{stream: any, onQueue: (queue: any) => void, children?: any}} props
 */
export function Aside({ stream, onQueue, children }) {
  const { value: overlay, busy, error } = useOverlay();
  const isMissing = !overlay && !busy && !error;
  const queue = useQueue(overlay, Boolean(overlay) || isMissing);
  useEffect(() => onQueue(queue), [queue]);
  return html`<${AlertQueue} overlay=${overlay} isMissing=${isMissing} queue=${queue} />
    ${children}
    ${stream && html`<${Top} ...${stream} />`}
    ${stream && overlay && html`<${Goal} overlay=${overlay} from=${stream.from} />`}`;
}

/** The overlay record whose queue is shown: the first one. */
function useOverlay() {
  const { client } = useConsole();
  const query = { limit: 1, order: "asc" };
  const load = async () => (await client.page("/overlays", { query })).records[0] ?? null;
  const loaded = useLoaded(load, "overlay");
  useReload((type) => type === "overlay.updated", loaded.reload, 0);
  return loaded;
}

/** @param {{overlay: any, isMissing: boolean, queue: {now: any, waiting: any[]}}} props */
function AlertQueue({ overlay, isMissing, queue: { now, waiting } }) {
  const { client, say } = useConsole();
  const [error, setError] = useState(null);
  const [isLong, setLong] = useState(false);
  const { isStopped, toggle, error: notStopped } = useStop();
  const isEmpty = !now && waiting.length === 0;
  const run = (/** @type {any} */ request) => request.then(() => setError(null), setError);
  const text = (/** @type {any} */ { event, kind }) => {
    const [key, values] = textOf(event);
    const line = key === "plain" ? "" : say(`event.${key}`, values);
    return [values.name ?? "", kind === "stamp" ? say("kind.stamp") : line];
  };
  const skip = (/** @type {any} */ alert) => run(client.post("/alerts", { control: "skip", entry: alert.ids[0] }));
  const clear = () => run(client.post("/alerts", { control: "clear" }));
  const item = (/** @type {any} */ alert, /** @type {boolean} */ isNow) => {
    const [name, line] = text(alert);
    return html`<li class=${alert.kind} key=${alert.ids[0]} aria-current=${isNow ? "true" : undefined}>
      <${Icon} name=${alert.kind} />${" "}
      <span><bdi>${name}</bdi> ${line}</span>
      <${Write} class="quiet" aria-label=${isNow ? undefined : `${say("queue.skip")}: ${name} ${line}`}
        onClick=${() => skip(alert)}>${say("queue.skip")}<//>
    </li>`;
  };
  return html`<section class="card">
    <div class="bar spread queue-head">
      <h2>${say("queue.title")}</h2>
      <div class="bar">
        ${!isEmpty && html`<${Write} onClick=${clear}>${say("queue.clear")}<//>`}
        <${StopAll} isStopped=${isStopped} toggle=${toggle} />
      </div>
    </div>
    <ol class="queue" aria-live="polite">
      ${now && item(now, !isStopped)}
      ${waiting.slice(0, isLong ? undefined : FIRST_ALERTS).map((alert) => item(alert, false))}
    </ol>
    ${waiting.length > FIRST_ALERTS && html`<button class="quiet" aria-expanded=${isLong}
      onClick=${() => setLong(!isLong)}>
      ${isLong ? say("less") : say("count_more", { many: waiting.length - FIRST_ALERTS })}</button>`}
    ${isEmpty && html`<p>${say("queue.empty")}</p>`}
    <div class="bar spread quiet queue-foot">
      <span>${overlay && say("queue.estimate")}
        ${isMissing && html`${say("queue.no_overlay")} <a href="#/alerts">${say("nav.alerts")}</a>`}</span>
      <${StopKey} />
    </div>
    <${Problem} error=${error ?? notStopped} />
  </section>`;
}

/**
 * Loads a figure once a minute, and after events that change it.
 *
 * @param {() => Promise<any>} load
 * @param {string} key
 */
function useFigure(load, key) {
  const loaded = useLoaded(load, key, REFRESH);
  useReload((_type, entry) => changesFigures(entry), loaded.reload, AFTER_EVENT);
  return loaded;
}

/** The best viewers of the stream. `events` are those that are known. @param {{from: any, to: any, events: any[]}} props */
function Top({ from, to, events }) {
  const { client, say, parameters, setParameters } = useConsole();
  const board = BOARDS.includes(parameters.get("board")) ? parameters.get("board") : BOARDS[0];
  const [begin, end] = [from, to].map((time) => (time ? Date.parse(time) : undefined));
  const load = () => loadBoard(client, { board, from: begin, to: end, limit: 5 });
  const { value, error, reload } = useFigure(load, `${board} ${from} ${to}`);
  const isCounted = !events.some(({ event_type: type }) => type === COUNTED[board]);
  return html`<section class="card">
    <h2>${say(to ? "top.last" : "top.title")}</h2>
    <div class="bar" role="group" aria-label=${say("top.title")}>
      ${BOARDS.map((name) => html`<button aria-pressed=${name === board}
        onClick=${() => setParameters({ board: name })}>${say(`board.${name}`)}</button>`)}
    </div>
    <${Problem} error=${error} onRetry=${reload} />
    ${value
      ? html`<${Ranks} ranks=${value} />
          ${value.length === 0 && html`<p class="quiet">${say(isCounted ? "top.empty" : "top.counting")}</p>`}`
      : !error && html`<${Skeleton} />`}
  </section>`;
}

/**
 * The goal of the overlay record. Unless it says otherwise, it counts from the stream's begin.
 *
 * @param {{overlay: any, from: any}} props
 */
function Goal({ overlay, from }) {
  const { client, say } = useConsole();
  const { goal } = settingsFrom(overlay.settings ?? {});
  const { value } = useFigure(() => loadGoal(client, goal), JSON.stringify(goal));
  const title = goal.title || say("goal.title", { what: say(`goal.${goal.of}`) });
  const since = goal.since ?? from;
  return html`<section class="card">
    <h2 dir="auto">${title}</h2>
    <progress max=${goal.target} value=${Math.min(value ?? 0, goal.target)} aria-label=${title}></progress>
    <p class="bar spread"><span class="quiet">${since && say("goal.from", { date: say.date(since) })}</span>
      <span class="amount">${value === null ? "–" : say.number(value)} / ${say.number(goal.target)}</span></p>
  </section>`;
}
