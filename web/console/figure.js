// A stream's figure with its comparison, and its time.

import { html, useConsole } from "../shared/parts.js";

const twoDigits = (/** @type {number} */ value) => String(value).padStart(2, "0");

/** Returns a duration as hours, minutes and seconds. @param {number} milliseconds */
export function clock(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  return `${Math.floor(seconds / 3_600)}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`;
}

/** Returns by how much a figure differs from the usual one, or 0 if it is less than a tenth. @param {number} value @param {number} usual */
export function changeFrom(value, usual) {
  const change = value - usual;
  return Math.abs(change) < Math.max(1, 0.1 * usual) ? 0 : change;
}

/**
 * A figure, and how it compares with the usual one if that is known: at the same time, or of whole streams.
 *
 * @param {{name: string, value: number, usual: number | undefined, isPast: boolean}} properties
 */
export function Figure({ name, value, usual, isPast }) {
  const { say } = useConsole();
  const mean = Math.round(usual ?? 0);
  const change = changeFrom(value, mean);
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
