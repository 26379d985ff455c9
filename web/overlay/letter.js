// A letter on the stage: its sheet with its stamps, and its wax seal, which is pressed on last.

import { picture } from "../shared/picture.js";
import { sealOf } from "../shared/seals.js";
import { drawing, element } from "./elements.js";

/** @param {number} seal */
function wax(seal) {
  const { layers, number, digits } = sealOf(seal);
  const text = drawing("text", digits);
  text.textContent = number;
  return drawing("svg", { viewBox: "-52 -52 104 104", class: "wax pressed", "aria-hidden": "true" },
    ...layers.map(({ d, fill = "none", stroke = "none", width = 0, at = 0 }) =>
      drawing("path", { d, fill, stroke, "stroke-width": width, "stroke-linecap": "round", "fill-rule": "evenodd",
        transform: `translate(${at} ${at})` })),
    text);
}

/**
 * Draws a letter after its picture has loaded. Each part that is pressed on it has the class `pressed`, in order.
 *
 * @param {{document_data: string, seal: number, stamps: object[]}} document
 * @param {string} label
 */
export async function letter(document, label) {
  const sheet = await picture(document, label);
  sheet.querySelectorAll(".stamp").forEach((stamp) => stamp.classList.add("pressed"));
  return element("div", { className: "sheet" }, sheet, wax(document.seal));
}
