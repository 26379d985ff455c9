// The variations of an alert: cards of their own, each for larger amounts and with a test.

import { ANIMATIONS, THEMES } from "../../overlay/rules.js";
import { Setting } from "../forms.js";
import { html, useConsole } from "../parts.js";
import { firstAmount, hasAmount } from "./kinds.js";
import { inheritedOptions, soundsOf } from "./options.js";

const MAX_VARIATIONS = 20;

export function Variations({ kind, rule, settings, raw, change, onTest }) {
  const { say } = useConsole();
  if (!hasAmount(kind)) return null;
  const list = Array.isArray(raw) ? raw : [];
  const set = (next) => change(["variations"], next);
  const largest = Math.max(rule.minimum, firstAmount(kind), ...list.map(({ minimum }) => Number(minimum) || 0));
  // The cards are in the order of their amounts, and change the list at their own index.
  const cards = list.map((variation, index) => ({ variation, index }));
  cards.sort((one, other) => one.variation.minimum - other.variation.minimum);
  const add = () => set([...list, { minimum: largest * 10 }]);
  return html`${cards.map(
      ({ variation, index }) => html`<${Variation} key=${index} kind=${kind} variation=${variation} rule=${rule}
        settings=${settings} onTest=${onTest} onChange=${(next) => set(list.with(index, next))}
        onRemove=${() => set(list.toSpliced(index, 1))} />`,
    )}
    ${list.length < MAX_VARIATIONS && html`<button onClick=${add}>+ ${say("alerts.add_variation")}</button>`}`;
}

function Variation({ kind, variation, rule, settings, onChange, onRemove, onTest }) {
  const { say } = useConsole();
  const title = say("alerts.variation_of", { kind: say(`kind.${kind}`), minimum: variation.minimum });
  const commit = (name) => (text) => {
    const { [name]: _, ...rest } = variation;
    onChange(text === "" ? rest : { ...rest, [name]: text });
  };
  const select = (label, name, options) =>
    html`<${Setting} label=${say(label)} value=${variation[name] ?? ""} options=${options} onCommit=${commit(name)} />`;
  const inherited = (prefix, names) => inheritedOptions(say, prefix, names, "alerts.as_alert");
  const setMinimum = (text) => Number(text) > 0 && onChange({ ...variation, minimum: Number(text) });
  return html`<section class="card variation" aria-label=${title}>
    <div class="bar spread"><h3>${title}</h3>
      <button aria-label=${say("alerts.test_of", { kind: title })} onClick=${() => onTest(variation.minimum)}>
        ${say("alerts.test")}</button></div>
    <div class="fields">
      <${Setting} label=${say(`alerts.minimum.${kind}`)} type="number" min="1" step="1" value=${variation.minimum}
        onCommit=${setMinimum} />
      <${Setting} label=${say("alerts.color")} type="color" value=${variation.color ?? rule.color}
        onCommit=${commit("color")} />
      <${Setting} label=${say("alerts.text")} value=${variation.text ?? ""} maxlength="300"
        placeholder=${rule.text || say("alerts.as_alert")} onCommit=${commit("text")} />
      ${select("alerts.theme", "theme", inherited("theme", THEMES))}
      ${select("alerts.sound", "sound", inherited("sound", soundsOf(settings)))}
      ${select("alerts.animation", "animation", inherited("animation", ANIMATIONS))}
    </div>
    <button class="quiet" aria-label=${`${say("alerts.remove_variation")}: ${title}`} onClick=${onRemove}>
      ${say("alerts.remove_variation")}</button>
  </section>`;
}
