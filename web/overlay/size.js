// The size of an alert follows the amount.

import { amountIn } from "./queue.js";

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
