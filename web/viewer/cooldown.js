// The time until a product can be bought again.

import { useEffect, useState } from "../shared/parts.js";
import { duration } from "../shared/units.js";

/** Returns the minimum seconds between two purchases by one viewer. 0 means none. @param {any} product */
export const cooldownOf = (product) => Math.max(product.cooldown ?? 0, product.user_cooldown ?? 0);

/**
 * Returns a time in everyday words: after an hour, seconds do not matter.
 *
 * @param {number} seconds
 * @param {any} say
 */
export function waitOf(seconds, say) {
  const unit = seconds > 7_200 ? 3_600 : seconds > 120 ? 60 : 1;
  return duration(Math.max(1, Math.ceil(seconds / unit) * unit), say);
}

/** Counts the seconds down to a time in milliseconds. Returns at least 0. @param {number} until */
export function useCountdown(until) {
  const [, setTicks] = useState(0);
  const left = Math.max(0, Math.ceil((until - Date.now()) / 1_000));
  useEffect(() => {
    if (left === 0) return undefined;
    const timer = setTimeout(() => setTicks((ticks) => ticks + 1), 1_000);
    return () => clearTimeout(timer);
  });
  return left;
}
