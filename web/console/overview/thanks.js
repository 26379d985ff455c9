// The stream's viewers to thank: for a sub, a gift, or many bits. The browser remembers which ones are ticked off.

import { kindOf } from "../../shared/kinds.js";
import { local } from "../../shared/page.js";
import { Icon, html, useConsole, useState } from "../../shared/parts.js";

/** The number of bits from which a cheer is listed. */
const BIG_CHEER = 100;
const FIRST_ROWS = 8;
const STORED = "thanked";

/**
 * Returns whom to thank for an event, and for what, or null.
 *
 * @param {any} event
 * @param {any} say
 */
function thanksFor(event, say) {
  const { event_id: id, user_name: name, details, tier } = event;
  const kind = kindOf(event);
  if (kind === "gift") return { id, kind, name, what: `×${say.number(details.total)}` };
  const { amount } = event;
  if (kind === "cheer" && amount >= BIG_CHEER) return { id, kind, name, what: say("thanks.bits", { amount }) };
  if (kind !== "subscriber") return null;
  // For a single gift, the viewer received it from someone else.
  if (details?.is_gift || details?.recipient) {
    return details.giver?.user_name ? { id, kind: "gift", name: details.giver.user_name, what: "×1" } : null;
  }
  return { id, kind, name, what: say("mark.tier", { tier: String(tier) }) };
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
 * The list. `events` are those of the stream that started at `from`, newest first.
 *
 * @param {{events: any[], from: any}} props
 */
export function Thanks({ events, from }) {
  const { say } = useConsole();
  // `last` was ticked last, and `before` has those that were ticked before all were.
  const none = { last: /** @type {number | null} */ (null), before: /** @type {number[] | null} */ (null) };
  const [state, setState] = useState({ from, ids: storedIds(from), ...none });
  const { ids, last, before } = state.from === from ? state : { ids: storedIds(from), ...none };
  const store = (/** @type {any} */ changed, /** @type {any} */ lastId, /** @type {any} */ undone = null) => {
    local.set(STORED, JSON.stringify({ from, ids: changed }));
    setState({ from, ids: changed, last: lastId, before: undone });
  };
  const tick = (/** @type {string} */ id) =>
    (ids.includes(id) ? store(ids.filter((/** @type {any} */ other) => other !== id), null) : store([...ids, id], id));
  const all = /** @type {any[]} */ (events.map((event) => thanksFor(event, say)).filter(Boolean));
  const waiting = all.filter(({ id }) => !ids.includes(id));
  const [isLong, setLong] = useState(false);
  const hidden = waiting.length - FIRST_ROWS;
  const tickAll = () => store(all.map(({ id }) => id), null, ids);
  // The last one stays until the next, so a mistaken tick can be undone.
  const listed = all.filter(({ id }) => !ids.includes(id) || id === last);
  const rows = isLong ? listed : listed.slice(0, FIRST_ROWS);
  return html`<section class="card thanks">
    <div class="bar spread">
      <h2>${say("thanks.title")}</h2>
      ${waiting.length > 1 && html`<button class="quiet" onClick=${tickAll}>${say("thanks.all")}</button>`}
      ${before && html`<button class="quiet" onClick=${() => store(before, null)}>${say("thanks.undo")}</button>`}
    </div>
    ${rows.length === 0 && html`<p class="quiet">${say("thanks.none")}</p>`}
    <ul>
      ${rows.map(({ id, kind, name, what }) => html`<li key=${id} class=${kind}>
        <label>
          <input type="checkbox" checked=${ids.includes(id)} onChange=${() => tick(id)}
            aria-label=${say("thanks.done", { name, what })} />
          <${Icon} name=${kind} /> <span class="name" dir="auto">${name}</span> <strong class="sum">${what}</strong>
        </label>
      </li>`)}
    </ul>
    ${hidden > 0 && html`<button class="quiet" aria-expanded=${isLong} onClick=${() => setLong(!isLong)}>
      ${isLong ? say("less") : say("thanks.more", { many: hidden })}</button>`}
  </section>`;
}
