// The component for a wax seal.

import { sealOf } from "./seals.js";
import { html } from "./vendor/htm-preact.js";

/** A seal. Adjacent text, or its button's label, conveys its meaning. @param {{seal: number}} properties */
export function Seal({ seal }) {
  const { layers, number, digits } = sealOf(seal);
  return html`<svg class="seal" viewBox="-52 -52 104 104" aria-hidden="true">
    ${layers.map(({ d, fill = "none", stroke, width, at = 0 }) => html`<path d=${d} fill=${fill} fill-rule="evenodd"
      stroke=${stroke} stroke-width=${width} stroke-linecap="round" transform=${`translate(${at} ${at})`} />`)}
    ${number && html`<text ...${digits}>${number}</text>`}
  </svg>`;
}
