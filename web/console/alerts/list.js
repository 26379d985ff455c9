// The list of alerts, with the look, sound and length of each.

import { Icon, html, useConsole } from "../../shared/parts.js";
import { KINDS, ruleOf } from "./kinds.js";
import { useWrite } from "../write.js";

/** @typedef {import("../../overlay/settings.js").Settings} Settings */

/**
 * @param {object} properties
 * @param {Settings} properties.settings
 * @param {string} properties.selected
 * @param {(kind: string) => void} properties.onSelect
 * @param {(kind: string, isEnabled: boolean) => void} properties.onEnable
 */
export function List({ settings, selected, onSelect, onEnable }) {
  const { say } = useConsole();
  return html`<section class="card alert-list" aria-label=${say("alerts.list")}>
    <ul>
      ${KINDS.map((kind) => html`<${Entry} key=${kind} kind=${kind} rule=${ruleOf(settings, kind)} settings=${settings}
        isSelected=${kind === selected} onSelect=${onSelect} onEnable=${onEnable} />`)}
    </ul>
  </section>`;
}

/**
 * @param {object} properties
 * @param {string} properties.kind
 * @param {import("../../overlay/rules.js").Rule} properties.rule
 * @param {Settings} properties.settings
 * @param {boolean} properties.isSelected
 * @param {(kind: string) => void} properties.onSelect
 * @param {(kind: string, isEnabled: boolean) => void} properties.onEnable
 */
function Entry({ kind, rule, settings, isSelected, onSelect, onEnable }) {
  const { say } = useConsole();
  const name = say(`kind.${kind}`);
  const seconds = say("alerts.seconds", { many: (rule.duration ?? settings.duration) / 1_000 });
  const sound = rule.sound === "none" ? "" : ` · ♪ ${say(`sound.${rule.sound}`)}`;
  const minimums = rule.variations.map(({ minimum }) => `≥\u00a0${say.number(minimum)}`).reverse();
  return html`<li class=${rule.enabled ? "" : "off"}>
    <label><input type="checkbox" checked=${rule.enabled} aria-label=${say("alerts.enabled_of", { kind: name })}
      onChange=${(/** @type {any} */ event) => onEnable(kind, event.currentTarget.checked)} ...${useWrite()} /></label>
    <button aria-current=${isSelected ? "true" : undefined} onClick=${() => onSelect(kind)}>
      <${Icon} name=${kind} />
      <span class="alert-name">${name}</span>
      <span class="swatch" style=${{ background: rule.color }}></span>
      <small>${rule.enabled ? `${seconds}${sound}` : say("alerts.off")}</small>
      ${minimums.length > 0 && html`<small>${minimums.join(" · ")}</small>`}
    </button>
  </li>`;
}
