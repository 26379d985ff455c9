// The activity: the channel's events, newest first, with new events as they happen.

import { MAIN_KINDS, amountOf, kindOf, pathsOf } from "../../shared/kinds.js";
import { Kinds, Rows, sentence } from "./events.js";
import { useTimeline } from "./follow.js";
import { Empty, More, Problem, html, invalidField, useConsole, useEffect, useMemo, useRef, useState } from "../../shared/parts.js";

// The interval at which the rows' ages are rendered again, in milliseconds.
const MINUTE = 60_000;

/** Counts the events that have arrived since the reader scrolled away from the top. @param {number} size */
function useUnseen(size) {
  const sizeAtTop = useRef(size);
  const [isScrolled, setScrolled] = useState(false);
  useEffect(() => {
    const onScroll = () => setScrolled(scrollY > 200);
    addEventListener("scroll", onScroll, { passive: true });
    return () => removeEventListener("scroll", onScroll);
  }, []);
  if (!isScrolled) sizeAtTop.current = size;
  return isScrolled ? size - sizeAtTop.current : 0;
}

export function View() {
  const { client, say, parameters, setParameters } = useConsole();
  const kindNames = parameters.get("kinds");
  const kinds = useMemo(() => (kindNames === null ? MAIN_KINDS : new Set(kindNames.split(" "))), [kindNames]);
  const minBits = Math.min(Number.MAX_SAFE_INTEGER, Math.ceil(Math.max(0, Number(parameters.get("bits")) || 0)));
  const searchText = (parameters.get("search") ?? "").toLowerCase();
  const bits = parameters.get("bits") ?? "";
  const [typed, setTyped] = useState({ search: searchText, bits });
  const sent = useRef(typed);
  const [isPaused, setPaused] = useState(false);
  const [exporting, setExporting] = useState(null);
  const [, setNow] = useState(0);
  const matches = useMemo(() => {
    const isVisible = (/** @type {any} */ event) =>
      kinds.has(kindOf(event)) &&
      (event.event_type !== "cheer" || amountOf(event) >= minBits) &&
      (!searchText || `${event.user_name}\n${event.message ?? ""}`.toLowerCase().includes(searchText));
    return Object.assign(isVisible, { key: [...kinds, minBits, searchText].join("\n") });
  }, [kindNames, minBits, searchText]);
  const list = useTimeline({ paths: pathsOf(kinds, minBits), matches, isPaused });
  /** @type {import("./timeline.js").Chunk[]} */
  const chunks = list.chunks;
  const newCount = chunks.flatMap(({ events }) => events).filter(({ event_id: id }) => list.newIds.has(id)).length;
  const unseen = useUnseen(newCount);
  useEffect(() => {
    // Going back in the history changes the URL, and the field follows.
    const { search, bits: sentBits } = sent.current;
    if (searchText === search.toLowerCase() && bits === sentBits) return;
    setTyped({ search: parameters.get("search") ?? "", bits });
  }, [searchText, bits]);
  const reason = /^\d*$/.test(typed.bits) ? "" : say("field.whole");
  useEffect(() => {
    if (reason) return undefined;
    const timer = setTimeout(() => {
      sent.current = { search: typed.search.trim(), bits: typed.bits };
      setParameters(sent.current);
    }, 250);
    return () => clearTimeout(timer);
  }, [typed]);
  const type = (/** @type {"search" | "bits"} */ name) => (/** @type {any} */ event) =>
    setTyped({ ...typed, [name]: event.currentTarget.value });
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE);
    return () => clearInterval(timer);
  }, []);
  const toggle = () => {
    if (isPaused) list.resume();
    setPaused(!isPaused);
  };
  const exportEvents = () =>
    import("./export.js")
      .then(({ saveEvents }) => {
        const onProgress = (/** @type {number} */ rows) => setExporting({ rows });
        return saveEvents({ client, paths: pathsOf(kinds, minBits), matches, onProgress });
      })
      .then(() => setExporting(null), (error) => setExporting({ error }));
  const select = (/** @type {Set<string>} */ changed) => setParameters({ kinds: [...changed].join(" ") || "none" });
  const hasFilter = Boolean(searchText || minBits) || kindNames !== null;
  const reset = () => {
    setTyped({ search: "", bits: "" });
    setParameters({ kinds: null, bits: null, search: null });
  };
  const first = list.chunks[0]?.events[0];
  const announcement = first && list.newIds.has(first.event_id) ? `${first.user_name} ${sentence(first, say)}` : "";
  return html`<div class="bar spread">
      <h1>${say("nav.activity")}</h1>
      <div class="bar">
        <button aria-pressed=${isPaused} onClick=${toggle}>
          ${isPaused ? say("activity.resume", { waiting: list.waiting.length }) : say("activity.pause")}
        </button>
        <button onClick=${exportEvents} disabled=${exporting?.rows}>
          ${exporting?.rows ? say("exporting", { rows: exporting.rows }) : say("activity.export")}
        </button>
      </div>
    </div>
    <div class="bar">
      <${Kinds} selected=${kinds} onChange=${select} />
      <label class="field"><span>${say("activity.search")}</span>
        <input type="search" value=${typed.search} onInput=${type("search")} />
      </label>
      <label class="field narrow"><span>${say("activity.bits")}</span>
        <input type="number" min="0" step="1" value=${typed.bits} onInput=${type("bits")}
          ...${invalidField(say("activity.bits"), reason)} />
        ${reason && html`<span class="bad" role="alert">${reason}</span>`}
      </label>
    </div>
    <${Problem} error=${exporting?.error} />
    <p class="unseen" aria-live=${isPaused ? "off" : "polite"}>${announcement}</p>
    ${unseen > 0 &&
    html`<button class="main to-top" onClick=${() => scrollTo({ top: 0 })}>
      ${`↑ ${say("activity.unseen", { many: unseen })}`}
    </button>`}
    <${Rows} chunks=${list.chunks} newIds=${list.newIds} label=${say("nav.activity")} />
    ${list.size === 0 && !list.busy && !list.error && list.next === null &&
    (hasFilter
      ? html`<${Empty}>${say("activity.none")} <button onClick=${reset}>${say("activity.reset")}</button><//>`
      : html`<${Empty}>${say("activity.empty")} <a class="button" href="#/overview">${say("activity.setup")}</a><//>`)}
    <${More} list=${list} scrolls />`;
}
