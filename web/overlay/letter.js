// A letter on the stage: its sheet with its stamps, and its wax seal, which is pressed on after them.

import { picture } from "../shared/picture.js";
import { sealOf } from "../shared/seals.js";
import { drawing, element } from "./elements.js";

/** @param {number} seal */
function wax(seal) {
  const { wax: fill, emblem, edge, number } = sealOf(seal);
  const text = { y: 45, "text-anchor": "middle", "font-size": 15, fill: "#fff" };
  const digits = drawing("text", text);
  digits.textContent = number;
  return drawing("svg", { viewBox: "-52 -52 104 104", class: "wax pressed", "aria-hidden": "true" },
    drawing("path", { d: edge, fill }),
    drawing("path", { d: edge, fill: "none", stroke: "#000", "stroke-opacity": 0.25, "stroke-width": 3 }),
    drawing("circle", { r: 36, fill: "#000", "fill-opacity": 0.12, stroke: "#fff", "stroke-opacity": 0.35 }),
    drawing("path", { d: emblem, fill: "#fff", "fill-opacity": 0.88, "fill-rule": "evenodd" }),
    digits);
}

/**
 * Draws a letter after its picture has loaded. What is pressed on it has the class `pressed`, in its order.
 *
 * @param {{document_data: string, seal: number, stamps: object[]}} document
 * @param {string} label
 */
export async function letter(document, label) {
  const sheet = await picture(document, label);
  sheet.querySelectorAll(".stamp").forEach((stamp) => stamp.classList.add("pressed"));
  return element("div", { className: "sheet" }, sheet, wax(document.seal));
}
