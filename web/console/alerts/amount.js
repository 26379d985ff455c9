// The preview's amount slider, and what plays at the amount: the alert, or one of its variations.

import { colorAt } from "../../overlay/colors.js";
import { html, useConsole } from "../../shared/parts.js";
import { stepsOf } from "./kinds.js";

/**
 * Returns the variation that plays at an amount, if any. A rule's variations start with the largest minimum.
 *
 * @param {import("../../overlay/rules.js").Rule} rule
 * @param {number} amount
 */
export const variationAt = (rule, amount) => rule.variations.find(({ minimum }) => amount >= minimum);

/**
 * The steps are the usual amounts and the variations' minimums. A test may have an amount between two steps.
 *
 * @param {object} properties
 * @param {string} properties.kind
 * @param {import("../../overlay/rules.js").Rule} properties.rule
 * @param {number} properties.amount
 * @param {(amount: number) => void} properties.setAmount
 */
export function Amount({ kind, rule, amount, setAmount }) {
  const { say } = useConsole();
  const steps = stepsOf(kind, rule);
  const step = Math.max(0, steps.filter((one) => one <= amount).length - 1);
  const variation = variationAt(rule, amount);
  const name = say(`kind.${kind}`);
  const played = variation ? say("alerts.variation_of", { kind: name, minimum: variation.minimum }) : name;
  const isMinimum = (/** @type {number} */ one) => rule.variations.some(({ minimum }) => minimum === one);
  return html`<div class="amount-slider">
    <label>
      <span>${say("alerts.test_amount")} <strong>${say.number(amount)}</strong></span>
      <input type="range" min="0" max=${steps.length - 1} step="1" value=${step}
        aria-valuetext=${`${say.number(steps[step])}: ${played}`}
        onInput=${(/** @type {any} */ event) => setAmount(steps[Number(event.currentTarget.value)])} />
    </label>
    <div class="steps" aria-hidden="true">
      ${steps.map((one) => html`<span key=${one} class=${isMinimum(one) ? "minimum" : ""}>${say.compact(one)}</span>`)}
    </div>
    ${rule.variations.length > 0 && html`<p class="played">
      <span class="swatch" style=${{ background: colorAt(kind, amount, (variation ?? rule).color) }}></span>
      ${say("alerts.plays")} <strong>${played}</strong></p>`}
  </div>`;
}
