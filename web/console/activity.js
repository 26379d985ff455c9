// The activity: the channel's events, newest first, with new events as they happen.

import { KINDS, amountOf, kindOf } from "../shared/kinds.js";
import { Kinds, Rows, sentence } from "./events.js";
import { pathsOf, useTimeline } from "./follow.js";
import { Empty, More, Problem, html, useConsole, useEffect, useMemo, useRef, useState } from "./parts.js";

// The kinds that are shown at first. The chat has a window of its own on most desks.
const FIRST_KINDS = ["subscriber", "gift", "cheer", "raid", "redemption", "follow"];
// The time after which the ages of the rows are written again, in milliseconds.
const MINUTE = 60_000;

/** Counts the events that have arrived since the reader scrolled away from the top. */
function useUnseen(size) {
  const atTop = useRef(size);
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    const onScroll = () => setAway(scrollY > 200);
    addEventListener("scroll", onScroll, { passive: true });
    return () => removeEventListener("scroll", onScroll);
  }, []);
  if (!isAway) atTop.current = size;
  return isAway ? size - atTop.current : 0;
}

export function View() {
  const { client, say, parameters, setParameters } = useConsole();
  const chosen = parameters.get("kinds");
  const kinds = useMemo(() => new Set(chosen === null ? FIRST_KINDS : KINDS.filter((kind) => chosen.split(" ").includes(kind))), [chosen]);
  const least = Math.max(0, Number(parameters.get("bits")) || 0);
  const text = (parameters.get("search") ?? "").toLowerCase();
  const [typed, setTyped] = useState(text);
  const [isPaused, setPaused] = useState(false);
  const [exporting, setExporting] = useState(null);
  const [, setNow] = useState(0);
  const matches = useMemo(() => {
    const isWanted = (event) =>
      kinds.has(kindOf(event)) &&
      (event.event_type !== "cheer" || amountOf(event) >= least) &&
      (!text || `${event.user_name}\n${event.message ?? ""}`.toLowerCase().includes(text));
    return Object.assign(isWanted, { key: [...kinds, least, text].join("\n") });
  }, [chosen, least, text]);
  const list = useTimeline({ paths: pathsOf(kinds), matches, isPaused });
  const live = list.chunks.reduce((count, { events }) => count + events.filter(({ event_id: id }) => list.newIds.has(id)).length, 0);
  const unseen = useUnseen(live);
  useEffect(() => {
    const timer = setTimeout(() => setParameters({ search: typed.trim() }), 250);
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE);
    return () => clearInterval(timer);
  }, []);
  const toggle = () => {
    if (isPaused) list.resume();
    setPaused(!isPaused);
  };
  const save = () =>
    import("./export.js")
      .then(({ saveEvents }) => saveEvents({ client, paths: pathsOf(kinds), matches, onProgress: (rows) => setExporting({ rows }) }))
      .then(() => setExporting(null), (error) => setExporting({ error }));
  const first = list.chunks[0]?.events[0];
  const announcement = first && list.newIds.has(first.event_id) ? `${first.user_name} ${sentence(first, say)}` : "";
  return html`<h1>${say("nav.activity")}</h1>
    <div class="bar">
      <${Kinds} selected=${kinds} onChange=${(changed) => setParameters({ kinds: [...changed].join(" ") || "none" })} />
      <label class="field narrow"><span>${say("activity.bits")}</span>
        <input type="number" min="0" step="1" value=${least || ""} onChange=${(event) => setParameters({ bits: event.currentTarget.value })} />
      </label>
      <label class="field"><span>${say("activity.search")}</span>
        <input type="search" value=${typed} onInput=${(event) => setTyped(event.currentTarget.value)} />
      </label>
      <button aria-pressed=${isPaused} onClick=${toggle}>${isPaused ? say("activity.resume", { waiting: list.waiting.length }) : say("activity.pause")}</button>
      <button onClick=${save} disabled=${exporting?.rows}>${exporting?.rows ? say("exporting", { rows: exporting.rows }) : say("export")}</button>
    </div>
    <${Problem} of=${exporting?.error} />
    <p class="unseen" aria-live=${isPaused ? "off" : "polite"}>${announcement}</p>
    ${unseen > 0 && html`<button class="main to-top" onClick=${() => scrollTo({ top: 0 })}>↑ ${say("activity.unseen", { many: unseen })}</button>`}
    <${Rows} chunks=${list.chunks} newIds=${list.newIds} label=${say("nav.activity")} />
    ${list.size === 0 && !list.busy && !list.error && list.next === null && html`<${Empty}>${say(text || least || chosen !== null ? "activity.none" : "activity.empty")}<//>`}
    <${More} of=${list} scrolls />`;
}
