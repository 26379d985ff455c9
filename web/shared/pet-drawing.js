// The drawing of a pet, derived from its identifier.

import { html, useLayoutEffect, useRef } from "./parts.js";
import { daysOf, pet as draw } from "./pet.js";

/** A pet. Without a label, adjacent text conveys its meaning. @param {{pet: any, label?: string}} props */
export function PetDrawing({ pet, label }) {
  const box = useRef(null);
  const [id, days] = [pet.specimen_id, daysOf(pet)];
  useLayoutEffect(() => box.current.replaceChildren(draw(id, days)), [id, days]);
  return html`<span class="pet-drawing" role=${label && "img"} aria-label=${label}
    aria-hidden=${!label} ref=${box}></span>`;
}
