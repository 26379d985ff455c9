// An alert's variations: separate cards, each for larger amounts and with a test.

import { ANIMATIONS, THEMES } from "../../overlay/rules.js";
import { colorAt } from "../../overlay/colors.js";
import { Confirmed, Setting } from "../forms.js";
import { html, useConsole } from "../../shared/parts.js";
import { Color } from "./color.js";
import { firstAmount } from "./kinds.js";
import { inheritedOptions, soundsOf } from "./options.js";
import { Picture, usePictures } from "./picture.js";
import { Template } from "./template.js";
import { Write } from "../write.js";

const MAX_VARIATIONS = 20;

/**
 * @typedef {object} Properties
 * @property {string} kind
 * @property {import("../../overlay/rules.js").Rule} rule
 * @property {import("../../overlay/settings.js").Settings} settings
 * @property {(names: string[], value: any) => void} change
 * @property {(names: string[], text: string) => void} type Changes a text that is being typed.
 * @property {() => Promise<boolean>} flush
 * @property {number | undefined} played The minimum of the variation playing in the preview.
 * @property {(minimum: number) => void} onTest
 */

/** @param {Properties & {raw: any}} properties `raw` is the list as stored. */
export function Variations({ kind, rule, settings, raw, played, change, type, flush, onTest }) {
  const { say } = useConsole();
  const { forget } = usePictures(flush);
  /** @type {Record<string, any>[]} */
  const list = Array.isArray(raw) ? raw : [];
  const largest = Math.max(rule.minimum, firstAmount(kind), ...list.map(({ minimum }) => Number(minimum) || 0));
  // The cards are sorted by amount, and change the list at their stored index.
  const cards = list.map((variation, index) => ({ variation, index }));
  cards.sort((one, other) => one.variation.minimum - other.variation.minimum);
  const add = () => {
    change(["variations"], [...list, { minimum: largest * 10 }]);
    // The largest amount is last.
    setTimeout(() => /** @type {HTMLElement | undefined} */ ([...document.querySelectorAll(".variation input[type=number]")].pop())?.focus());
  };
  const remove = (/** @type {number} */ index) => {
    change(["variations"], list.filter((_, other) => other !== index));
    forget([list[index].picture]);
  };
  return html`<h2>${say("alerts.variations")}</h2>
    ${cards.map(
      ({ variation, index }) => html`<${Variation} key=${index} kind=${kind} variation=${variation} rule=${rule}
        settings=${settings} flush=${flush} played=${played} onTest=${onTest} onRemove=${() => remove(index)}
        change=${(/** @type {string[]} */ names, /** @type {any} */ value) =>
          change(["variations", String(index), ...names], value)}
        type=${(/** @type {string[]} */ names, /** @type {string} */ text) =>
          type(["variations", String(index), ...names], text)} />`,
    )}
    ${list.length < MAX_VARIATIONS &&
    html`<${Write} class="add" onClick=${add}>+ ${say("alerts.add_variation")}<//>`}`;
}

/** @param {Properties & {variation: Record<string, any>, onRemove: () => void}} properties */
function Variation({ kind, variation, rule, settings, played, change, type, flush, onRemove, onTest }) {
  const { say } = useConsole();
  const title = say("alerts.variation_of", { kind: say(`kind.${kind}`), minimum: variation.minimum });
  const commit = (/** @type {string} */ name) => (/** @type {string} */ text) => change([name], text || undefined);
  const select = (/** @type {string} */ name, /** @type {string[]} */ names) => {
    const options = inheritedOptions(say, name, names, "alerts.as_alert");
    return html`<${Setting} label=${say(`alerts.${name}`)} value=${variation[name] ?? ""} options=${options}
      onCommit=${commit(name)} />`;
  };
  const setMinimum = (/** @type {string} */ text) => Number(text) > 0 && change(["minimum"], Number(text));
  const isPlayed = Number(variation.minimum) === played;
  return html`<section class=${`card variation ${isPlayed ? "played" : ""}`} aria-label=${title}>
    <div class="bar spread">
      <h3>${title} ${isPlayed && html`<small>${say("alerts.in_preview")}</small>`}</h3>
      <${Write} aria-label=${say("alerts.test_of", { kind: title })} onClick=${() => onTest(variation.minimum)}>
        ${say("alerts.test")}<//></div>
    <${Template} kind=${kind} value=${variation.text ?? ""} placeholder=${rule.text || say("alerts.as_alert")}
      onType=${(/** @type {string} */ text) => type(["text"], text)} onCommit=${commit("text")} />
    <div class="fields">
      <${Setting} label=${say(`alerts.minimum.${kind}`)} type="number" min="1" step="1" value=${variation.minimum}
        onCommit=${setMinimum} />
      <${Color} own=${variation.color} automatic=${colorAt(kind, variation.minimum, rule.color)}
        onCommit=${(/** @type {string | undefined} */ color) => change(["color"], color)} />
      ${select("theme", THEMES)} ${select("sound", soundsOf(settings))} ${select("animation", ANIMATIONS)}
    </div>
    <${Picture} picture=${variation.picture} hint=${say("alerts.picture_how")} change=${change} flush=${flush} />
    <p><${Confirmed} className="quiet bad" label=${say("alerts.remove_variation")} act=${onRemove}
      description=${`${say("alerts.remove_variation")}: ${title}`} question=${say("alerts.remove_variation_sure")} /></p>
  </section>`;
}
