// Lists of purchases that follow the feed, with buttons to fulfil and refund them.

import { Confirmed } from "../forms.js";
import { later } from "../later.js";
import { usePages } from "../../shared/loading.js";
import { More, Problem, html, useConsole, useEffect, useRef, useState } from "../../shared/parts.js";
import { points } from "../../shared/units.js";
import { Write } from "../write.js";

// A drawing adds nothing to the text, so a row does not report a missing one.
const Thing = later(() => import("../../shared/thing.js").then(({ Thing }) => Thing, () => () => null),
  html`<svg class="thing" viewBox="-8 -8 80 80" />`);

/**
 * Loads a list of purchases page by page, and applies the feed's changes.
 *
 * @param {string} path The first page. With `order=asc`, new purchases are last.
 * @param {(purchase: any) => boolean} matches Returns true if a purchase belongs to the list.
 */
function usePurchases(path, matches) {
  const { subscribe } = useConsole();
  const pages = usePages(path);
  // The current state of changed and new purchases. Null for one that is gone.
  const [changed, setChanged] = useState(/** @type {Map<number, any>} */ (new Map()));
  const created = useRef(/** @type {Set<number>} */ (new Set()));
  const apply = (/** @type {number} */ id, /** @type {any} */ purchase) =>
    setChanged((before) => new Map(before).set(id, purchase));
  useEffect(() => subscribe((/** @type {any} */ { type, subject, data }) => {
    if (type !== "purchase.created" && type !== "purchase.updated") return;
    const id = Number(subject.split("/")[1]);
    if (type === "purchase.created") created.current.add(id);
    apply(id, data ?? null);
  }), []);
  const current = (/** @type {any} */ purchase) => {
    const { purchase_id: id } = purchase;
    return changed.has(id) ? changed.get(id) : purchase;
  };
  const listed = pages.records.map(current);
  const ids = new Set(pages.records.map(({ purchase_id: id }) => id));
  const added = [...changed].filter(([id]) => created.current.has(id) && !ids.has(id)).map(([, purchase]) => purchase);
  const isAscending = path.includes("order=asc");
  // A new purchase at the end of an incomplete list arrives with its page.
  const all = isAscending ? [...listed, ...(pages.next ? [] : added)] : [...added.reverse(), ...listed];
  const records = all.filter((purchase) => purchase && matches(purchase));
  return { ...pages, records, apply };
}

/**
 * Purchases with their buttons. `children` is shown if there are none. All purchases of a queue are waiting.
 *
 * @param {{path: string, matches: any, label: string, isQueue?: boolean, children?: any}} props
 */
export function Purchases({ path, matches, label, isQueue, children }) {
  const { say } = useConsole();
  const list = usePurchases(path, matches);
  // What was closed last, since it leaves the queue.
  const [closed, setClosed] = useState("");
  const [, setNow] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  const isEmpty = list.records.length === 0 && !list.busy && !list.error && !list.next;
  const many = list.records.length;
  return html`<p class="unseen" role="status">${many > 0 && say("purchases.count", { many })}</p>
    ${isEmpty && children}
    ${many > 0 && html`<ul class=${`purchases card ${isQueue ? "queued" : ""}`} aria-label=${label}>
      ${list.records.map((one) => html`<${Row} key=${one.purchase_id} purchase=${one} apply=${list.apply} onClosed=${setClosed} />`)}
    </ul>`}
    ${isQueue && html`<p class="closed" role="status">
      ${closed && html`${closed} · <a href="#/store?tab=history">${say("store.history")}</a>`}</p>`}
    <${More} list=${list} scrolls />`;
}

/** @param {{purchase: any, apply: any, onClosed: (text: string) => void}} props */
function Row({ purchase, apply, onClosed }) {
  const { client, say } = useConsole();
  const { purchase_id: id, user_id: userId, user, name, quantity, price, answer, status, created_at: time } = purchase;
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const path = `/purchases/${id}`;
  const show = (/** @type {any} */ current) => apply(id, current);
  const close = async (/** @type {any} */ next) => {
    setBusy(true);
    setError(null);
    try {
      show(await client.patch(path, { status: next }));
      onClosed(`${say(`purchase.${next}`)}: ${buyer}, ${what}, ${points(price, say)}`);
    } catch (failure) {
      setError(failure);
      // Another client was faster.
      if (failure.code === "purchase_closed") client.get(path).then(show, () => {});
    }
    setBusy(false);
  };
  // After the first click of a double click, the next purchase is under the pointer.
  const fulfil = (/** @type {MouseEvent} */ { detail }) => detail < 2 && close("fulfilled");
  const buyer = user?.name ?? say("viewer.title");
  const what = quantity > 1 ? say("purchase.many", { many: quantity, name }) : name;
  const of = (/** @type {any} */ action) => `${say(action)}: ${buyer}, ${what}`;
  const question = say(purchase.item_id ? "purchase.refund_item_sure" : "purchase.refund_sure",
    { points: points(price, say) });
  return html`<li class=${status} tabindex="-1">
    <${Thing} name=${name} />
    <div class="what">
      <a class="name" dir="auto" title=${buyer} href=${`#/viewers/${userId}`}>${buyer}</a>${" "}
      <span dir="auto">${what}</span>
      ${answer && html`<p class="words" dir="auto">${answer}</p>`}
    </div>
    <span class="price">${points(price, say)}</span>
    <time datetime=${time} title=${say.time(time)}>${say.ago(time)}</time>
    <span class="badge">${say(`purchase.${status}`)}</span>
    <div class="buttons">
      ${status === "pending" &&
      html`<${Write} aria-label=${of("purchase.fulfil")} busy=${busy} onClick=${fulfil}>
        ${say("purchase.fulfil")}
      <//>`}
      ${status !== "refunded" &&
      html`<${Confirmed} label=${say("purchase.refund")} description=${of("purchase.refund")} question=${question}
        act=${() => close("refunded")} />`}
    </div>
    <${Problem} error=${error} />
  </li>`;
}
