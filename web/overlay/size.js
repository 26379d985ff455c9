// The size of an alert, and the colour of bits, follow the amount.

import { amountIn } from "./queue.js";
import { COLORS } from "./rules.js";

/** The amounts from which an alert is a card, a card with confetti, and as wide as the screen. */
const SIZES = {
  cheer: [100, 1_000, 10_000],
  gift: [1, 5, 50],
  raid: [1, 50, 1_000],
  subscriber: [0, 12, 60],
  purchase: [0, 5_000, 50_000],
};
const NAMES = ["toast", "card", "party", "grand"];
/** The last of these sizes for each maximum size in the settings. @type {Record<string, number>} */
const LAST = { toast: 0, card: 1, screen: 3 };

/** The colours of bits, each from an amount. @type {[number, string][]} */
const BIT_COLORS = [
  [10_000, "#ff5a6a"],
  [5_000, "#5aacff"],
  [1_000, "#3fe0c5"],
  [100, "#c08bff"],
];

/**
 * Returns the size of an alert: `toast`, `card`, `party` or `grand`.
 *
 * @param {import("./queue.js").Alert} alert
 * @param {{largestSize: string}} rule
 */
export function sizeOf(alert, { largestSize }) {
  const amount = amountIn(alert);
  const { document, tier } = /** @type {any} */ (alert.event);
  const limits = /** @type {Record<string, number[]>} */ (SIZES)[alert.kind] ?? [Infinity, Infinity, Infinity];
  const size = limits.filter((limit) => amount >= limit).length;
  const least = alert.kind === "subscriber" && tier === 3 ? 2 : document ? 1 : 0;
  return NAMES[Math.min(LAST[largestSize], Math.max(size, least))];
}

/** Returns the colour for a number of bits. @param {number} amount */
export const bitColor = (amount) => BIT_COLORS.find(([minimum]) => amount >= minimum)?.[1] ?? COLORS.cheer;

/**
 * Returns the colour of a kind's alert: the rule's or, for bits without a choice, the one for the amount.
 *
 * @param {string} kind
 * @param {number} amount
 * @param {string} color
 */
export const colorAt = (kind, amount, color) =>
  kind === "cheer" && color === COLORS.cheer ? bitColor(amount) : color;

/**
 * Returns an alert's colour.
 *
 * @param {import("./queue.js").Alert} alert
 * @param {{color: string}} rule
 */
export const tintOf = ({ kind, event }, { color }) => colorAt(kind, /** @type {any} */ (event).amount, color);
