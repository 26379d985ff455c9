// An overlay's name, and the settings that all its alerts share: the size, the times, the language and a sound.

import { LARGEST_SIZES } from "../../overlay/settings.js";
import { Field, NOT_BLANK, Setting } from "../forms.js";
import { html, useConsole } from "../../shared/parts.js";
import { CustomSound } from "./sound.js";

const LANGUAGES = [{ value: "en", label: "English" }, { value: "de", label: "Deutsch" }];

/** @typedef {import("../../overlay/settings.js").Settings} Settings */

/**
 * @param {object} properties
 * @param {string} properties.name The overlay's.
 * @param {(name: string) => void} properties.rename
 * @param {Settings} properties.settings
 * @param {(names: string[], value: any) => void} properties.change
 */
export function Look({ name: overlayName, rename, settings, change }) {
  const { say } = useConsole();
  /** @param {string} label @param {string} name @param {number} value @param {Record<string, number>} attributes */
  const number = (label, name, value, attributes) => {
    const commit = (/** @type {string} */ text) => change([name], text === "" ? undefined : Number(text));
    return html`<${Setting} label=${say(label)} type="number" value=${value} ...${attributes} onCommit=${commit} />`;
  };
  /** @param {string} label @param {string} name @param {string} value @param {object[]} options */
  const choice = (label, name, value, options) => {
    const onChange = (/** @type {any} */ event) => change([name], event.currentTarget.value);
    return html`<${Field} label=${say(label)} value=${value} options=${options} onChange=${onChange} />`;
  };
  const sizes = LARGEST_SIZES.map((name) => ({ value: name, label: say(`size.${name}`) }));
  return html`<section class="card alert-look" aria-label=${say("alerts.look")}>
    <div class="fields">
      <${Setting} label=${say("alerts.name")} value=${overlayName} required pattern=${NOT_BLANK} maxlength="1024"
        onCommit=${rename} />
      <${Setting} label=${say("alerts.scale")} type="number" value=${Math.round(settings.scale * 100)} min="25" max="400"
        step="5" onCommit=${(/** @type {string} */ text) => change(["scale"], text === "" ? undefined : Number(text) / 100)} />
      ${choice("alerts.largest_size", "largest_size", settings.largestSize, sizes)}
      ${number("alerts.margin", "margin", settings.margin, { min: 0, max: 20, step: 1 })}
      ${number("alerts.duration", "duration", settings.duration / 1_000, { min: 1, max: 60, step: 0.5 })}
      ${number("alerts.delay", "delay", settings.delay / 1_000, { min: 0, max: 600, step: 1 })}
      ${number("alerts.max_age", "max_age", settings.maxAge / 1_000, { min: 1, max: 86_400, step: 1 })}
      ${choice("settings.language", "lang", settings.lang, [{ value: "", label: say("alerts.browser") }, ...LANGUAGES])}
    </div>
    <${CustomSound} isSet=${settings.customSound !== null}
      onChange=${(/** @type {string} */ data) => change(["custom_sound"], data)} />
  </section>`;
}
