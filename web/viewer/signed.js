// Changes in the balance, with their sign.

/**
 * Returns a change in the reader's language: “+75”, “−30”.
 *
 * @param {any} change
 * @param {any} say
 */
export const signed = (change, say) => `${change > 0 ? "+" : ""}${say.number(change)}`;
