// The viewer's purchases, newest first.

import { usePages } from "../shared/loading.js";
import { html, useConsole, useEffect } from "../shared/parts.js";
import { points } from "../shared/units.js";
import { Next } from "./notice.js";
import { useSteady } from "./steady.js";
import { When } from "./when.js";

// The streamer may fulfil purchases at any time. In milliseconds.
const REFRESH = 30_000;

/** @param {{id: string, version: any}} props */
export function Purchases({ id, version }) {
  const { say } = useConsole();
  const list = usePages(`/users/${id}/purchases?limit=5`);
  const records = useSteady(list);
  useEffect(() => {
    if (version > 0) list.reload();
  }, [version]);
  useEffect(() => {
    if (!records.some((/** @type {any} */ { status }) => status === "pending")) return undefined;
    const timer = setInterval(() => !document.hidden && list.reload(), REFRESH);
    return () => clearInterval(timer);
  }, [records]);
  return html`${records.length > 0 && html`<h3>${say("purchases")}</h3>
    <ul class="purchases">
      ${records.map((/** @type {any} */ one) => html`<li key=${one.purchase_id} class=${one.status}>
        <span class="what" dir="auto">${one.quantity > 1 && `${say.number(one.quantity)} × `}${one.name}</span>
        ${one.answer && html`<q class="what" dir="auto">${one.answer}</q>`}
        <span class="quiet">${points(one.price, say)} · <${When} time=${one.created_at} /></span>
        <span class="status">${say(`purchase.${one.status}`)}</span>
      </li>`)}
    </ul>`}
    <${Next} list=${list} label=${say("more")} />`;
}
