// The selected alert's properties.

import { COLORS, colorAt } from "../../overlay/colors.js";
import { ANIMATIONS, THEMES } from "../../overlay/rules.js";
import { play } from "../../overlay/sounds.js";
import { Setting } from "../forms.js";
import { Icon, html, useConsole } from "../../shared/parts.js";
import { Color } from "./color.js";
import { defaultText, hasAmount } from "./kinds.js";
import { Picture } from "./picture.js";
import { inheritedOptions, optionsOf, soundOptions } from "./options.js";
import { Template } from "./template.js";

/**
 * @param {object} properties
 * @param {string} properties.kind
 * @param {import("../../overlay/rules.js").Rule} properties.rule
 * @param {Record<string, any>} properties.values
 * @param {import("../../overlay/settings.js").Settings} properties.settings
 * @param {number} properties.amount The amount in the preview.
 * @param {(names: string[], value: any) => void} properties.change
 * @param {(names: string[], text: string) => void} properties.type Changes a text that is being typed.
 * @param {() => Promise<boolean>} properties.flush
 */
export function Properties({ kind, rule, values, settings, amount, change, type, flush }) {
  const { say } = useConsole();
  const own = values.alerts?.[kind] ?? {};
  /**
   * @param {string} label
   * @param {string} name
   * @param {any} value
   * @param {Record<string, any>} [attributes]
   */
  const input = (label, name, value, attributes = {}) => {
    const isNumber = ["number", "range"].includes(attributes.type);
    const commit = (/** @type {string} */ text) =>
      change([name], text === "" ? undefined : isNumber ? Number(text) : text);
    return html`<${Setting} label=${say(label)} value=${value} ...${attributes} onCommit=${commit} />`;
  };
  const placeholder = say.template(`overlay.${defaultText(kind)}`, { amount: kind === "purchase" ? 1 : 2 });
  const seconds = { type: "number", min: 1, max: 60, step: 0.5, placeholder: String(settings.duration / 1_000) };
  const minimum = { type: "number", min: 0, step: 1 };
  const themes = inheritedOptions(say, "theme", THEMES, "alerts.theme.overlay");
  return html`<section class="card alert-properties" aria-label=${say(`kind.${kind}`)}>
    <h2><${Icon} name=${kind} /> ${say(`kind.${kind}`)}</h2>
    ${kind === "document" && !settings.hasLetterRule && html`<p class="quiet">${say("alerts.letters_how")}</p>`}
    <${Template} kind=${kind} value=${rule.text} placeholder=${placeholder} hasChips
      onType=${(/** @type {string} */ text) => type(["text"], text)}
      onCommit=${(/** @type {string} */ text) => change(["text"], text || undefined)} />
    <div class="fields">
      ${hasAmount(kind) && input(`alerts.minimum.${kind}`, "minimum", rule.minimum || "", minimum)}
      ${input("alerts.theme", "theme", own.theme ?? "", { options: themes })}
      <${Color} own=${own.color} automatic=${colorAt(kind, amount, COLORS[kind])}
        onCommit=${(/** @type {string | undefined} */ color) => change(["color"], color)} />
      ${input("alerts.animation", "animation", rule.animation, { options: optionsOf(say, "animation", ANIMATIONS) })}
      ${input("alerts.duration", "duration", rule.duration === null ? "" : rule.duration / 1_000, seconds)}
      ${input("alerts.sound", "sound", rule.sound, { options: soundOptions(say, settings) })}
      ${input("alerts.volume", "volume", rule.volume, { type: "range", min: 0, max: 1, step: 0.05 })}
      <button onClick=${() => play(rule, settings.customSound)} disabled=${rule.sound === "none"}>
        ♪ ${say("alerts.listen")}</button>
    </div>
    <p><label class="check"><input type="checkbox" checked=${rule.speak}
      onChange=${(/** @type {any} */ event) => change(["speak"], event.currentTarget.checked)} />${say("alerts.speak")}</label></p>
    <${Picture} picture=${own.picture} change=${change} flush=${flush}
      hint=${`${say("alerts.picture_how")}${kind === "document" ? `. ${say("alerts.picture_letter")}` : ""}`} />
  </section>`;
}
