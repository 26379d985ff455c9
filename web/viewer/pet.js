// The drawing of a pet.

import { html, useEffect, useRef } from "../console/parts.js";
import { daysOf, pet as draw } from "../shared/pet.js";

/** @param {{pet: any, label: string}} props */
export function PetDrawing({ pet, label }) {
  const frame = useRef(/** @type {HTMLElement | null} */ (null));
  const [id, days] = [pet.specimen_id, daysOf(pet)];
  useEffect(() => frame.current?.replaceChildren(draw(id, days)), [id, days]);
  return html`<span class="drawing" role="img" aria-label=${label} ref=${frame}></span>`;
}
