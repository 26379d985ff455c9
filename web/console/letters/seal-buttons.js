// Buttons for the ten drawings of seals.

import { html, useConsole } from "../../shared/parts.js";
import { SEAL_NAMES } from "../../shared/seal-names.js";
import { later } from "../later.js";

/** A seal's drawing. Adjacent text, or its button's label, conveys its meaning. */
export const Seal = later(() => import("../../shared/seal.js").then(({ Seal }) => Seal, () => () => null),
  html`<svg class="seal" />`);

/**
 * `selected` is the number of the pressed button, and `onChoose` receives the number of another. All buttons get the
 * other attributes.
 *
 * @param {{selected: any, onChoose: any, [name: string]: any}} props
 */
export function SealButtons({ selected, onChoose, ...rest }) {
  const { say } = useConsole();
  return html`<div class="seals" role="group" aria-label=${say("letters.seal")}>
    ${SEAL_NAMES.map((drawing, seal) => {
      const name = say(`seal.${drawing}`);
      const label = say("letters.seal_of", { name, number: String(seal) });
      return html`<button aria-pressed=${seal === selected} aria-label=${label} title=${name}
        onClick=${() => onChoose(seal)} ...${rest}><${Seal} seal=${seal} /> <span>${name}</span></button>`;
    })}
  </div>`;
}
