// Amounts and times in everyday words.

const DAY = 86_400;
/** The time zone of the reader. */
export const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** The units of a duration, longest first: their names and seconds. @type {[string, number][]} */
const UNITS = [["day", DAY], ["hour", 3_600], ["minute", 60], ["second", 1]];

/**
 * Returns a number of seconds in the longest unit that divides it: “5 minutes”.
 *
 * @param {any} seconds
 * @param {any} say
 */
export function duration(seconds, say) {
  const [unit, length] = UNITS.find(([, size]) => seconds % size === 0) ?? UNITS[UNITS.length - 1];
  return new Intl.NumberFormat(say.lang, { style: "unit", unit, unitDisplay: "long" }).format(seconds / length);
}

/**
 * Returns an amount of points: “1 point”, “250 points”.
 *
 * @param {number} amount
 * @param {any} say
 */
export const points = (amount, say) => say("points", { many: amount });
