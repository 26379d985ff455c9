// Draws bits as a gem that gains sides and changes colour with the number of bits.

import { drawing } from "./elements.js";
import { bitColor } from "./colors.js";

/** The number of sides from each amount of bits. @type {[number, number][]} */
const SIDES = [
  [10_000, 10],
  [5_000, 8],
  [1_000, 6],
  [100, 5],
  [0, 4],
];
const RADIUS = 11;
const TABLE = 5.5;

/** @param {number} side @param {number} sides @param {number} radius */
function corner(side, sides, radius) {
  const angle = ((side + 0.5) / sides) * 2 * Math.PI - Math.PI / 2;
  return `${(12 + Math.cos(angle) * radius).toFixed(2)} ${(12 + Math.sin(angle) * radius).toFixed(2)}`;
}

/** Draws the gem for a number of bits. @param {number} amount */
export function gem(amount, color = bitColor(amount)) {
  const [, sides] = SIDES.find(([minimum]) => amount >= minimum) ?? SIDES[SIDES.length - 1];
  const isStar = sides === 10;
  const radius = (/** @type {number} */ side) => (isStar && side % 2 === 1 ? RADIUS * 0.66 : RADIUS);
  const all = Array.from({ length: sides }, (_, side) => side);
  const outline = (/** @type {(side: number) => number} */ size) =>
    `M${all.map((side) => corner(side, sides, size(side))).join("L")}Z`;
  const facets = all.map((side) => {
    const next = (side + 1) % sides;
    const outer = `M${corner(side, sides, radius(side))}L${corner(next, sides, radius(next))}`;
    const d = `${outer}L${corner(next, sides, TABLE)}L${corner(side, sides, TABLE)}Z`;
    // Lit from the top left.
    const light = Math.cos(((side + 1) / sides) * 2 * Math.PI + Math.PI / 4);
    return drawing("path", { d, fill: light > 0 ? "#fff" : "#000", opacity: (Math.abs(light) * 0.38).toFixed(2) });
  });
  const edge = { stroke: "#0006", "stroke-width": 0.6, "stroke-linejoin": "round" };
  const path = drawing("path", { d: outline(radius), fill: color, ...edge });
  const table = drawing("path", { d: outline(() => TABLE), fill: "#fff", opacity: 0.24 });
  const shine = drawing("path", { d: "M8.500 8.500 11 7l-3 5Z", fill: "#fff", opacity: 0.85 });
  return drawing("svg", { viewBox: "0 0 24 24", class: "gem", "aria-hidden": "true" }, path, ...facets, table, shine);
}
