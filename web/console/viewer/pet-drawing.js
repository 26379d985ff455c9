// The drawing of a pet, which derives from its identifier.

import { html, useLayoutEffect, useRef } from "../parts.js";
import { pet } from "../../shared/pet.js";

/** A pet. Without a label, a text beside it has its meaning. @param {{id: string, label?: string}} props */
export function PetDrawing({ id, label }) {
  const box = useRef(null);
  useLayoutEffect(() => box.current.replaceChildren(pet(id)), [id]);
  return html`<span class="pet-drawing" role=${label && "img"} aria-label=${label}
    aria-hidden=${!label} ref=${box}></span>`;
}
