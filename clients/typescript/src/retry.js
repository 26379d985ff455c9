// Delays before retrying failed requests.

/**
 * Returns the delay after a number of failures, in milliseconds. It doubles with each failure, up to a maximum.
 *
 * @param {number} failures At least 1.
 */
export const delayAfter = (failures, first = 1_000, most = 30_000) => Math.min(most, first * 2 ** Math.min(failures - 1, 20));

/** Shortens a delay by up to half at random, to keep clients from retrying all at once. @param {number} delay */
export const spread = (delay) => delay * (0.5 + Math.random() / 2);
