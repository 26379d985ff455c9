// The theme selection: how alerts look.

import { THEMES } from "../../overlay/rules.js";
import { html, useConsole } from "../../shared/parts.js";

/** @param {{theme: string, onChange: (theme: string) => void}} properties */
export function Themes({ theme, onChange }) {
  const { say } = useConsole();
  return html`<fieldset class="themes">
    <legend>${say("alerts.theme")}</legend>
    ${THEMES.map(
      (name) => html`<label key=${name} class=${`theme ${name} ${name === theme ? "chosen" : ""}`}>
        <input type="radio" name="theme" checked=${name === theme} onChange=${() => onChange(name)} />
        <span class="sample">${say(`theme.${name}`)}</span>
      </label>`,
    )}
  </fieldset>`;
}
