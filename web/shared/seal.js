// The component of a wax seal.

import { sealOf } from "./seals.js";
import { html } from "./vendor/htm-preact.js";

export { SEALS, sealOf } from "./seals.js";

/** A seal. A text beside it, or the label of its button, has its meaning. @param {{seal: number}} properties */
export function Seal({ seal }) {
  const { wax, emblem, edge: outline, number } = sealOf(seal);
  return html`<svg class="seal" viewBox="-52 -52 104 104" aria-hidden="true">
    <path d=${outline} fill=${wax} />
    <path d=${outline} fill="none" stroke="#000" stroke-opacity="0.25" stroke-width="3" />
    <circle r="36" fill="#000" fill-opacity="0.12" stroke="#fff" stroke-opacity="0.35" stroke-width="1.5" />
    <path d=${emblem} fill="#fff" fill-opacity="0.88" fill-rule="evenodd" />
    ${number && html`<text y="45" text-anchor="middle" font-size="15" font-weight="700" fill="#fff">${number}</text>`}
  </svg>`;
}
