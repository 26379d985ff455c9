// A stream's figure with its comparison, and a stream's duration.

import { html, useConsole } from "../shared/parts.js";

const [MINUTE, HOUR] = [60_000, 3_600_000];
const twoDigits = (/** @type {number} */ value) => String(value).padStart(2, "0");

/** Returns a duration as hours and minutes. @param {number} milliseconds */
const hoursOf = (milliseconds) => `${Math.floor(milliseconds / HOUR)}:${twoDigits(Math.floor(milliseconds / MINUTE) % 60)}`;

/** Returns a duration as hours, minutes and seconds. @param {number} milliseconds */
export const clock = (milliseconds) => `${hoursOf(milliseconds)}:${twoDigits(Math.floor(milliseconds / 1_000) % 60)}`;

/** Returns a past stream's duration with its unit. @param {{from: number, to: number}} stream @param {any} say */
export const lengthOf = ({ from, to }, say) =>
  to - from < HOUR ? say("summary.minutes", { minutes: Math.max(1, Math.round((to - from) / MINUTE)) }) : say("summary.hours", { hours: hoursOf(to - from) });

/**
 * A figure, and how it compares with the usual one if that is known: at the same time, or of whole streams.
 *
 * @param {{name: string, value: number, usual: number | undefined, isPast: boolean}} properties
 */
export function Figure({ name, value, usual, isPast }) {
  const { say } = useConsole();
  const mean = Math.round(usual ?? 0);
  const change = value - mean;
  const key = change === 0 ? "same" : change > 0 ? "more" : "less";
  return html`<div class="card figure">
    <span class="quiet">${say(`figure.${name}`)}</span>
    <strong class="big">${say.compact(value)}</strong>
    ${usual !== undefined && html`<span class=${`change ${change > 0 ? "good" : "quiet"}`}>
      ${mean === 0 && change > 0
        ? say("compare.usual", { value: "0" })
        : say(`compare.${isPast ? "past_" : ""}${key}`, { value: say.compact(Math.abs(change)) })}
    </span>`}
  </div>`;
}
