// The drawing of a pet, which derives from its identifier.

import { html, useLayoutEffect, useRef } from "../parts.js";
import { pet } from "../../shared/pet.js";

/** @param {{id: string, label: string}} props */
export function PetDrawing({ id, label }) {
  const box = useRef(null);
  useLayoutEffect(() => box.current.replaceChildren(pet(id)), [id]);
  return html`<span class="pet-drawing" role="img" aria-label=${label} ref=${box}></span>`;
}
