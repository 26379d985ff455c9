// The viewers to thank since the stream began: for a sub, a gift, or many bits. The browser remembers which ones are
// ticked off.

import { kindOf } from "../../shared/kinds.js";
import { local } from "../../shared/page.js";
import { Icon, html, useConsole, useState } from "../../shared/parts.js";

/** The number of bits from which a cheer is listed. */
const BIG_CHEER = 100;
const FIRST_ROWS = 8;
const STORED = "thanked";

/**
 * Returns whom to thank for an event, and for what, or null. Bits are a number, to be summed up.
 *
 * @param {any} event
 * @param {any} say
 * @returns {{id: number, kind: string, name: string, what?: string, bits?: number} | null}
 */
function thanksFor(event, say) {
  const { event_id: id, user_name: name, details, tier } = event;
  const kind = kindOf(event);
  if (kind === "gift") return { id, kind, name, what: `×${say.number(details.total)}` };
  if (kind === "cheer" && event.amount >= BIG_CHEER) return { id, kind, name, bits: event.amount };
  if (kind !== "subscriber") return null;
  // For a single gift, the viewer received it from someone else.
  if (details?.is_gift || details?.recipient) {
    return details.giver?.user_name ? { id, kind: "gift", name: details.giver.user_name, what: "×1" } : null;
  }
  return { id, kind, name, what: say("mark.tier", { tier: String(tier) }) };
}

/**
 * Puts together what a viewer is thanked for. What was ticked stays apart from what came later.
 *
 * @param {NonNullable<ReturnType<typeof thanksFor>>[]} rows
 * @param {number[]} ids Those that are ticked.
 */
function byViewer(rows, ids) {
  /** @type {Map<string, {ids: number[], kind: string, name: string, bits: number, what: Set<string>, isDone: boolean}>} */
  const groups = new Map();
  for (const { id, kind, name, what, bits = 0 } of rows) {
    const isDone = ids.includes(id);
    const key = `${isDone} ${name}`;
    const group = groups.get(key) ?? { ids: [], kind, name, bits: 0, what: new Set(), isDone };
    group.ids.push(id);
    group.bits += bits;
    if (what) group.what.add(what);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Returns the identifiers of a stream's events that are ticked off. @param {any} from */
function storedIds(from) {
  try {
    const stored = JSON.parse(local.get(STORED) ?? "");
    return stored.from === from ? stored.ids : [];
  } catch {
    return [];
  }
}

/**
 * The list. `events` are those since the stream from `from` to `to` began, newest first.
 *
 * @param {{events: any[], from: string | null, to: string | null}} props
 */
export function Thanks({ events, from, to }) {
  const { say } = useConsole();
  // `last` were ticked last, and `before` has those that were ticked before all were.
  const none = { last: /** @type {number[]} */ ([]), before: /** @type {number[] | null} */ (null) };
  const [state, setState] = useState({ from, ids: storedIds(from), ...none });
  const { ids, last, before } = state.from === from ? state : { ids: storedIds(from), ...none };
  const store = (/** @type {number[]} */ changed, /** @type {number[]} */ ticked = [], /** @type {any} */ undone = null) => {
    local.set(STORED, JSON.stringify({ from, ids: changed }));
    setState({ from, ids: changed, last: ticked, before: undone });
  };
  const tick = (/** @type {{ids: number[], isDone: boolean}} */ row) =>
    (row.isDone ? store(ids.filter((/** @type {number} */ id) => !row.ids.includes(id))) : store([...ids, ...row.ids], row.ids));
  const all = /** @type {any[]} */ (events.map((event) => thanksFor(event, say)).filter(Boolean));
  const waiting = byViewer(all.filter(({ id }) => !ids.includes(id)), ids);
  const [isLong, setLong] = useState(false);
  const hidden = waiting.length - FIRST_ROWS;
  const tickAll = () => store(all.map(({ id }) => id), [], ids);
  // The last one stays until the next, so a mistaken tick can be undone.
  const listed = byViewer(all.filter(({ id }) => !ids.includes(id) || last.includes(id)), ids);
  const rows = isLong ? listed : listed.slice(0, FIRST_ROWS);
  const reasons = (/** @type {{bits: number, what: Set<string>}} */ { bits, what }) =>
    [...(bits > 0 ? [say("thanks.bits", { amount: bits })] : []), ...what];
  return html`<section class="card thanks">
    <div class="bar spread">
      <h2>${say("thanks.title")}</h2>
      ${waiting.length > 1 && html`<button class="quiet" onClick=${tickAll}>${say("thanks.all")}</button>`}
      ${before && html`<button class="quiet" onClick=${() => store(before)}>${say("thanks.undo")}</button>`}
    </div>
    ${to && html`<p class="quiet">${say("thanks.since", { date: say.date(from) })}</p>`}
    ${rows.length === 0 && html`<p class="quiet">${say("thanks.none")}</p>`}
    <ul>
      ${rows.map((row) => html`<li key=${row.ids[0]} class=${row.kind}>
        <label>
          <input type="checkbox" checked=${row.isDone} onChange=${() => tick(row)}
            aria-label=${say("thanks.done", { name: row.name, what: reasons(row).join(", ") })} />
          <${Icon} name=${row.kind} /> <span class="name" dir="auto">${row.name}</span>
          <strong class="sum">${reasons(row).join(" · ")}</strong>
        </label>
      </li>`)}
    </ul>
    ${hidden > 0 && html`<button class="quiet" aria-expanded=${isLong} onClick=${() => setLong(!isLong)}>
      ${isLong ? say("less") : say("count_more", { many: hidden })}</button>`}
  </section>`;
}
