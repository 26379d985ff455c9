// A stream's figure with its comparison, and its time.

import { html, useConsole } from "../shared/parts.js";

const twoDigits = (/** @type {number} */ value) => String(value).padStart(2, "0");

/** Returns a duration as hours, minutes and seconds. @param {number} milliseconds */
export function clock(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  return `${Math.floor(seconds / 3_600)}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`;
}

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
