// A row for an event, and lists of these rows.

/** @import { Chunk, Event } from "./timeline.js" */

import { KINDS, groupOf, kindOf, messageOf, textOf } from "../../shared/kinds.js";
import { Icon, html, memoized, useConsole, useEffect, useLayoutEffect, useRef, useState } from "../../shared/parts.js";
import { withStyles } from "../styles.js";

// The day's heading dates an older event. Its row has the time.
const DAY = 86_400_000;
// A text in one line with fewer characters is never clipped.
const MIN_LONG = 60;
// A row's height before it is measured, and the distance from the viewport at which a chunk is rendered, in pixels.
const ROW_HEIGHT = 56;
const RENDER_MARGIN = 1_500;

/** Returns an event's line, without the viewer's name. @param {Event} event @param {any} say */
export function sentence(event, say) {
  const [key, values] = textOf(event);
  return key === "plain" ? "" : say(`event.${key}`, values);
}

/** A viewer's text. A long one is clipped, and can be expanded. @param {{text: string}} properties */
function Text({ text }) {
  const { say } = useConsole();
  const [isOpen, setOpen] = useState(false);
  const [isLong, setLong] = useState(false);
  const words = useRef(null);
  const isClipped = !isOpen && (text.length >= MIN_LONG || text.includes("\n"));
  // How many lines a text takes depends on the width of its row. The observer ends before it sees the opened text.
  useLayoutEffect(() => {
    if (!isClipped) return undefined;
    const observer = new ResizeObserver(([{ target }]) => setLong(target.scrollHeight > target.clientHeight));
    observer.observe(words.current);
    return () => observer.disconnect();
  }, [text, isClipped]);
  return html`<div ref=${words} class=${`words ${isClipped ? "clipped" : ""}`} dir="auto">${text}</div>
    ${isLong &&
    html`<button class="quiet" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>
      ${say(isOpen ? "less" : "expand")}
    </button>`}`;
}

/** An event's amount: a number, and a smaller unit. @param {{name: string, values: object}} properties */
function Sum({ name, values }) {
  const { say } = useConsole();
  const key = name === "gifts_anonymous" ? "sum.gifts" : `sum.${name}`;
  const [amount, unit] = say.has(key) ? say(key, values).split(/[<>]/) : ["", ""];
  return html`<strong class="sum" aria-hidden="true">${amount}${unit && html`<small>${unit}</small>`}</strong>`;
}

/**
 * The marks next to an event's amount: its tier, and whether Prime or a gift paid for it.
 *
 * @param {{event: Event, values: Record<string, any>}} properties
 */
function Marks({ event: { tier, details }, values }) {
  const { say } = useConsole();
  const isGift = details?.is_gift || details?.recipient;
  const level = tier ?? values.tier;
  return [
    level && html` <span class="mark" aria-hidden="true">${say("mark.tier", { tier: String(level) })}</span>`,
    details?.is_prime && html` <span class="mark">${say("mark.prime")}</span>`,
    isGift && html` <span class="mark">${say("mark.gift")}</span>`,
  ];
}

/** @typedef {Record<string, any> | null} Lazy The components of actions.js after they are loaded. */

/**
 * A row of a list of events. `isLast` is true for the last row of a day.
 *
 * @type {(properties: {event: Event, isNew: boolean, isLast?: boolean, Lazy: Lazy}) => any}
 */
const Row = ({ event, isNew, isLast, Lazy }) => {
  const { say } = useConsole();
  const kind = kindOf(event);
  const [name, values] = textOf(event);
  const line = sentence(event, say);
  // The service writes its notices in English.
  const message = (kind === "notice" && Lazy?.noticeOf(event, say)) || messageOf(event);
  // Sighted readers get a shorter sentence, and the amount in its column.
  const short = say.has(`short.${name}`) ? say(`short.${name}`) : line;
  const { occurred_at: at } = event;
  const isOld = Date.now() - Date.parse(at) > DAY;
  return html`<div role="listitem" tabindex="-1" class=${`row ${kind} ${isNew ? "new" : ""} ${isLast ? "last" : ""}`}>
    <${Icon} name=${kind} />
    <div class="what">
      <a class="name" dir="auto" title=${event.user_name} href=${`#/viewers/${event.user_id}`}>
        ${event.user_name}
      </a>${" "}
      <span class="kind unseen">${line}</span>
      <span class="short" aria-hidden="true">${short}</span>
      <${Marks} event=${event} values=${values} />
      ${message && html`<${Text} text=${message} />`}
      ${Lazy && kind === "gift" && groupOf(event) && html`<${Lazy.Recipients} reference=${event.reference} />`}
      ${Lazy && event.document && html`<${Lazy.Picture} source=${event.document} label=${say("overlay.document")} />`}
    </div>
    <${Sum} name=${name} values=${values} />
    <time datetime=${at} title=${say.time(at)}>${isOld ? say.clock(at) : say.ago(at)}</time>
    ${Lazy && html`<${Lazy.Actions} event=${event} line=${line} />`}
  </div>`;
};
export const EventRow = memoized(Row);

/**
 * A chunk of rows. Far from the viewport, it is an empty box of the same height.
 *
 * @param {{chunk: Chunk & {above?: Event}, newIds: Set<number>, Lazy: Lazy, gaps: any[]}} properties
 */
function ChunkOfRows({ chunk, newIds, Lazy, gaps }) {
  const { say } = useConsole();
  const box = useRef(/** @type {any} */ (null));
  const [isNear, setNear] = useState(true);
  const height = useRef(0);
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry.isIntersecting) height.current = box.current.offsetHeight;
        setNear(entry.isIntersecting);
      },
      { rootMargin: `${RENDER_MARGIN}px` },
    );
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const day = (/** @type {Event} */ event) => say.date(event.occurred_at);
  const today = say.date(Date.now());
  const style = isNear ? {} : { height: `${height.current || chunk.events.length * ROW_HEIGHT}px` };
  return html`<div ref=${box} class="chunk" style=${style}>
    ${isNear &&
    chunk.events.map((event, index) => {
      const above = index > 0 ? chunk.events[index - 1] : chunk.above;
      const isNewDay = !above || day(event) !== day(above);
      const below = chunk.events[index + 1];
      const isLast = Boolean(below) && day(below) !== day(event);
      return html`${gaps.length > 0 && html`<${Lazy?.Gaps} gaps=${gaps} above=${above} below=${event} />`}
        ${isNewDay &&
        html`<div class="day" role="presentation" key=${`day ${event.event_id}`}>
          ${day(event) === today ? say("today") : day(event)}
        </div>`}
        <${EventRow} key=${event.event_id} event=${event} isNew=${newIds.has(event.event_id)} isLast=${isLast}
          Lazy=${Lazy} />`;
    })}
  </div>`;
}
const MemoizedChunk = memoized(ChunkOfRows);

/**
 * The rows of a timeline's chunks, with a heading for each day.
 *
 * @param {{chunks: Chunk[], newIds: Set<number>, label: string}} properties
 */
export function Rows({ chunks, newIds, label }) {
  const { client, say } = useConsole();
  const [Lazy, setLazy] = useState(/** @type {Lazy} */ (null));
  const hasRows = chunks.length > 0;
  // The rows do not wait for their buttons.
  useEffect(() => {
    if (!hasRows) return;
    say.withTexts(withStyles(import("./actions.js")), "stream", "errors").then(setLazy);
  }, [hasRows]);
  const [gaps, setGaps] = useState(/** @type {any[]} */ ([]));
  useEffect(() => Lazy?.followGaps(client, setGaps), [Lazy]);
  // Chunks with the event above them. An unchanged chunk stays the same object, so it is not rendered again.
  const rendered = useRef(/** @type {Map<number, Chunk & {above?: Event}>} */ (new Map()));
  const datedChunks = chunks.map((chunk, index) => {
    const above = chunks[index - 1]?.events.at(-1);
    const previous = rendered.current.get(chunk.id);
    return previous?.events === chunk.events && previous.above === above ? previous : { ...chunk, above };
  });
  rendered.current = new Map(datedChunks.map((chunk) => [chunk.id, chunk]));
  return html`<div role="list" class="rows" aria-label=${label}>
    ${datedChunks.map(
      (chunk) => html`<${MemoizedChunk} key=${chunk.id} chunk=${chunk} newIds=${newIds} Lazy=${Lazy} gaps=${gaps} />`,
    )}
  </div>`;
}

/**
 * Buttons that select kinds of events.
 *
 * @param {{selected: Set<string>, onChange: (kinds: Set<string>) => void}} properties
 */
export function Kinds({ selected, onChange }) {
  const { say } = useConsole();
  const toggle = (/** @type {string} */ kind) =>
    onChange(new Set(KINDS.filter((other) => selected.has(other) !== (other === kind))));
  return html`<div class="kinds" role="group" aria-label=${say("activity.kinds")}>
    ${KINDS.map(
      (kind) => html`<button aria-pressed=${selected.has(kind)} class=${kind} onClick=${() => toggle(kind)}>
        <${Icon} name=${kind} />${say(`kind.${kind}`)}
      </button>`,
    )}
  </div>`;
}
