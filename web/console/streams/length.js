// A past stream's duration.

const MINUTE = 60_000;

/** Returns a stream's duration in hours and minutes, or in minutes. @param {{from: number, to: number}} stream @param {any} say */
export function lengthOf({ from, to }, say) {
  const minutes = Math.max(1, Math.round((to - from) / MINUTE));
  const hours = `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
  return minutes < 60 ? say("summary.minutes", { minutes }) : say("summary.hours", { hours });
}
