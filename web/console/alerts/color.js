// An alert's color, and the way back to the one that it has without a choice.

import { Setting } from "../forms.js";
import { html, useConsole } from "../../shared/parts.js";

/** @param {{own: string | undefined, automatic: string, onCommit: (color: string | undefined) => void}} properties */
export function Color({ own, automatic, onCommit }) {
  const { say } = useConsole();
  const reset = (/** @type {any} */ { currentTarget }) => {
    // The button disappears.
    currentTarget.parentElement.querySelector("input").focus();
    onCommit(undefined);
  };
  return html`<div class="color">
    <${Setting} label=${say("alerts.color")} type="color" value=${own ?? automatic} onCommit=${onCommit} />
    ${own
      ? html`<button class="quiet" onClick=${reset}>${say("alerts.color_reset")}</button>`
      : html`<small class="quiet">${say("alerts.color_automatic")}</small>`}
  </div>`;
}
