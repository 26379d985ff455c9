// The quantity of a product that the viewer buys.

import { html, useConsole } from "../shared/parts.js";
import { cooldownOf } from "./cooldown.js";

const MAX_QUANTITY = 1_000;

/**
 * Returns how many of a product a viewer may buy at once, limited by the stock, the limit per viewer and the points.
 * Returns at least one, so the service can explain why even that is too many. Returns one if each needs an answer or a
 * wait.
 *
 * @param {any} product
 * @param {number} balance
 * @param {number} count How many the viewer has bought.
 */
export function maxQuantity(product, balance, count) {
  const { stock, max_per_user: limit, price, question } = product;
  if (question || cooldownOf(product) > 0) return 1;
  const payable = price > 0 ? Math.floor(balance / price) : MAX_QUANTITY;
  return Math.max(1, Math.min(stock ?? MAX_QUANTITY, limit ? limit - count : MAX_QUANTITY, payable, MAX_QUANTITY));
}

/** @param {{value: number, max: number, onChange: (value: number) => void}} props */
export function Quantity({ value, max, onChange }) {
  const { say } = useConsole();
  // A number that is too large stays visible, and the browser says so before the purchase.
  const onInput = (/** @type {any} */ { currentTarget: { validity, valueAsNumber: typed } }) =>
    validity.valid && onChange(typed);
  return html`<div class="quantity">
    <label for="quantity">${say("buy.quantity")}</label>
    <div>
      <button type="button" aria-label=${say("buy.fewer")} disabled=${value <= 1}
        onClick=${() => onChange(value - 1)}>−</button>
      <input id="quantity" type="number" min="1" max=${max} step="1" required value=${String(value)}
        onInput=${onInput} autofocus />
      <button type="button" aria-label=${say("buy.another")} disabled=${value >= max}
        onClick=${() => onChange(value + 1)}>+</button>
    </div>
  </div>`;
}
