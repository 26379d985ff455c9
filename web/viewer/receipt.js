// The result of a purchase, in place of its form.

import { html, useConsole, useLayoutEffect, useRef } from "../shared/parts.js";
import { Thing } from "../shared/thing.js";

/** Returns true if a purchase is more than a promise. @param {any} purchase */
export const isTheirs = (purchase) => purchase.status === "fulfilled" || Boolean(purchase.item_id);

/** @param {{purchase: any}} props */
export function Receipt({ purchase }) {
  const { say } = useConsole();
  const { name, quantity, status } = purchase;
  const button = useRef(/** @type {HTMLButtonElement | null} */ (null));
  // The button that bought it had the focus.
  useLayoutEffect(() => button.current?.focus(), []);
  const what = quantity > 1 ? `${say.number(quantity)} × ${name}` : name;
  return html`<form class="receipt" method="dialog">
    <${Thing} name=${name} />
    <p dir="auto" role="status">${say(status === "pending" ? "buy.waits" : "buy.yours", { name: what })}</p>
    <button class="main" ref=${button}>${say("buy.close")}</button>
  </form>`;
}
