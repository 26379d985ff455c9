// The colours of alerts. Those of bits follow the amount.

/**
 * The colour of each kind's name and amount. `document` is a letter: an event with a document.
 *
 * @type {Record<string, string>}
 */
export const COLORS = {
  subscriber: "#c89bff",
  gift: "#ff8fce",
  cheer: "#ffc94d",
  raid: "#ff7a8a",
  follow: "#ff7a8a",
  redemption: "#4fd9d0",
  purchase: "#8fe388",
  notice: "#9fd0ff",
  plain: "#7cc0ff",
  stamp: "#e8a06a",
  document: "#f0b48a",
};

/** The colours of bits, each from an amount. @type {[number, string][]} */
const BIT_COLORS = [
  [10_000, "#ff5a6a"],
  [5_000, "#5aacff"],
  [1_000, "#3fe0c5"],
  [100, "#c08bff"],
];

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
