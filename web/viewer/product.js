// A product in the store.

import { html, useConsole } from "../shared/parts.js";
import { duration, points } from "../shared/units.js";
import { Thing } from "../shared/thing.js";
import { cooldownOf, useCountdown, waitOf } from "./cooldown.js";

// Stocks below this number are shown.
const FEW = 10;

/**
 * `until` is the time in milliseconds when the viewer can buy it again, and `count` how many the viewer has bought, as
 * far as the page knows.
 *
 * @param {{product: any, balance: any, until: number, count: number, onBuy: any}} props
 */
export function Product({ product, balance, until, count, onBuy }) {
  const { say } = useConsole();
  const { name, description, price, stock, max_per_user: limit, item_name: item } = product;
  const cooldown = cooldownOf(product);
  const left = useCountdown(cooldown > 0 ? until : 0);
  const missing = Math.max(0, price - balance);
  const isSoldOut = stock === 0;
  // A button that stays enabled keeps the focus after a purchase.
  const allowed = limit ? limit - count : Infinity;
  const canBuy = missing === 0 && left === 0 && allowed > 0;
  const cooldownText = product.cooldown > (product.user_cooldown ?? 0) ? "product.cooldown_all" : "product.cooldown";
  const facts = [
    stock > 0 && stock < FEW && say("product.left", { many: stock }),
    limit && (count > 0
      ? say(allowed > 0 ? "product.limit_left" : "product.limit_reached", { many: Math.max(0, allowed) })
      : say("product.limit", { many: limit })),
    left > 0 && allowed > 0 && say("product.again", { time: waitOf(left, say) }),
    left === 0 && allowed > 0 && cooldown > 0 && say(cooldownText, { time: duration(cooldown, say) }),
    item && item !== name && say("product.item", { name: item }),
  ].filter(Boolean);
  return html`<li class=${isSoldOut ? "product sold-out" : "product"}>
    <${Thing} name=${name} />
    <div class="what">
      <h3 dir="auto">${name}</h3>
      ${description && html`<p dir="auto">${description}</p>`}
      ${facts.length > 0 && html`<p class="quiet">${facts.join(" · ")}</p>`}
      ${missing > 0 && !isSoldOut && html`<div class="saving">
        <progress max=${price} value=${price - missing} aria-label=${say("product.saved", { name })}></progress>
        <span class="quiet">${say("product.missing", { points: points(missing, say) })}</span>
      </div>`}
    </div>
    <div class="deal">
      <p class="price"><strong>${say.number(price)}</strong> ${say("points.name", { many: price })}</p>
      ${isSoldOut
        ? html`<span class="quiet">${say("product.sold_out")}</span>`
        : html`<button class="main" aria-label=${say("product.buy_of", { name })}
            aria-disabled=${canBuy ? undefined : "true"}
            onClick=${canBuy ? onBuy : undefined}>
            ${say("product.buy")}
          </button>`}
    </div>
  </li>`;
}
