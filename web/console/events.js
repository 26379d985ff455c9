// A row for an event, and lists of such rows.

import { KINDS, groupOf, kindOf, messageOf, textOf } from "../shared/kinds.js";
import { Icon, Picture, html, memoized, useConsole, useEffect, useRef, useState } from "./parts.js";

// The number of characters and lines above which a text is clipped.
const LONG_TEXT = 400;
const LONG_LINES = 5;
// The height of a row before it is measured, and the distance from the viewport at which a chunk is rendered, in pixels.
const ROW_HEIGHT = 56;
const RENDER_MARGIN = 1_500;

/** Returns the line of an event, without the viewer's name. */
export function sentence(event, say) {
  const [key, values] = textOf(event);
  return key === "plain" ? "" : say(`event.${key}`, values);
}

/** A text of a viewer. A long one is clipped, and can be expanded. */
function Text({ of }) {
  const { say } = useConsole();
  const [isOpen, setOpen] = useState(false);
  const isLong = of.length > LONG_TEXT || of.split("\n").length > LONG_LINES;
  return html`<div class=${`words ${isLong && !isOpen ? "clipped" : ""}`} dir="auto">${of}</div>
    ${isLong && html`<button class="quiet" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>${say(isOpen ? "less" : "expand")}</button>`}`;
}

/** A row of a list of events. `Later` has the components of actions.js, when they are loaded. */
export const EventRow = memoized(({ event, isNew, Later }) => {
  const { say } = useConsole();
  const kind = kindOf(event);
  const line = sentence(event, say);
  const message = messageOf(event);
  return html`<div role="listitem" class=${`row ${kind} ${isNew ? "new" : ""}`}>
    <${Icon} of=${kind} />
    <div class="what">
      <a class="name" dir="auto" title=${event.user_name} href=${`#/viewers/${event.user_id}`}>${event.user_name}</a>${" "}
      <span class="kind">${line}</span>
      ${message && html`<${Text} of=${message} />`}
      ${Later && kind === "gift" && groupOf(event) && html`<${Later.Recipients} reference=${event.reference} />`}
      ${event.document && html`<${Picture} of=${event.document} label=${say("overlay.document")} />`}
    </div>
    <time datetime=${event.occurred_at} title=${say.time(event.occurred_at)}>${say.ago(event.occurred_at)}</time>
    ${Later && html`<${Later.Actions} event=${event} line=${line} />`}
  </div>`;
});

/** A chunk of rows. Far from the viewport, it is an empty box of the same height. */
const Chunk = memoized(({ chunk, newIds, Later }) => {
  const { say } = useConsole();
  const box = useRef(null);
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
  const day = (event) => say.date(event.occurred_at);
  const style = isNear ? {} : { height: `${height.current || chunk.events.length * ROW_HEIGHT}px` };
  return html`<div ref=${box} class="chunk" style=${style}>
    ${isNear &&
    chunk.events.map((event, at) => {
      const isNewDay = day(event) !== (at > 0 ? day(chunk.events[at - 1]) : chunk.dayBefore);
      return html`${isNewDay && html`<div class="day" role="presentation" key=${`day ${event.event_id}`}>${day(event) === say.date(Date.now()) ? say("today") : day(event)}</div>`}
        <${EventRow} key=${event.event_id} event=${event} isNew=${newIds.has(event.event_id)} Later=${Later} />`;
    })}
  </div>`;
});

/** The rows of a timeline's chunks, with a heading for each day. */
export function Rows({ chunks, newIds, label }) {
  const { say } = useConsole();
  const [Later, setLater] = useState(null);
  const hasRows = chunks.length > 0;
  // The rows are there before their buttons.
  useEffect(() => {
    if (!hasRows) return;
    say.with(import("./actions.js")).then(setLater);
  }, [hasRows]);
  // The day above each chunk. A chunk whose day above has not changed stays the same object, so it is not rendered again.
  const known = useRef(new Map());
  const next = new Map();
  const above = chunks.map((chunk, at) => {
    const last = at > 0 ? say.date(chunks[at - 1].events.at(-1).occurred_at) : null;
    const before = known.current.get(chunk.id);
    const same = before && before.events === chunk.events && before.dayBefore === last ? before : { ...chunk, dayBefore: last };
    next.set(chunk.id, same);
    return same;
  });
  known.current = next;
  return html`<div role="list" class="rows" aria-label=${label}>
    ${above.map((chunk) => html`<${Chunk} key=${chunk.id} chunk=${chunk} newIds=${newIds} Later=${Later} />`)}
  </div>`;
}

/** Buttons that select kinds of events. */
export function Kinds({ selected, onChange }) {
  const { say } = useConsole();
  const toggle = (kind) => onChange(new Set(KINDS.filter((one) => selected.has(one) !== (one === kind))));
  return html`<div class="kinds" role="group" aria-label=${say("activity.kinds")}>
    ${KINDS.map(
      (kind) => html`<button aria-pressed=${selected.has(kind)} class=${kind} onClick=${() => toggle(kind)}><${Icon} of=${kind} />${say(`kind.${kind}`)}</button>`,
    )}
  </div>`;
}
