// The drawing of a pet.

import { html, useEffect, useRef } from "../console/parts.js";
import { pet as draw } from "../shared/pet.js";

/** @param {{pet: any, label: string}} props */
export function PetDrawing({ pet: { specimen_id: id }, label }) {
  const frame = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => frame.current?.replaceChildren(draw(id)), [id]);
  return html`<span class="drawing" role="img" aria-label=${label} ref=${frame}></span>`;
}
