// The wax seals of letters: ten drawings, selected by the seal's last digit. Seals above nine also show their number. A
// drawing is a set of paths in a square from -50 to 50, so pages and canvases draw the same.

/** The drawings, in the order of their names: the wax's colour, and the emblem in it. */
const DRAWINGS = [
  { wax: "#9c2230", emblem: "M0-26a26 26 0 1 0 .1 0ZM0-15a15 15 0 1 1-.1 0ZM0-6a6 6 0 1 0 .1 0Z" },
  { wax: "#b3203f", emblem: "M0 26C-36-2-32-27-14-27-6-27 0-20 0-15 0-20 6-27 14-27 32-27 36-2 0 26Z" },
  { wax: "#8a5a12", emblem: "M0-30 8.500-10 30-9 13 5 19 26 0 14-19 26-13 5-30-9-8.500-10Z" },
  {
    wax: "#6b4a33",
    emblem:
      "M0 0C11 0 20 11 20 19 20 28 8 26 0 26S-20 28-20 19C-20 11-11 0 0 0Z" +
      "M-23-9a7 9 0 1 0 .1 0ZM23-9a7 9 0 1 0 .1 0ZM-9-27a7 10 0 1 0 .1 0ZM9-27a7 10 0 1 0 .1 0Z",
  },
  { wax: "#7a2f8f", emblem: "M-28 20-30-14-14 0 0-24 14 0 30-14 28 20ZM-28 24H28V29H-28Z" },
  { wax: "#2f4f9c", emblem: "M8-31-20 5H-3L-9 31 21-8H3Z" },
  {
    wax: "#2a6b45",
    emblem: "M-25 27C-27-8-4-27 27-27 29 6 11 25-13 20L-20 28ZM-15 13C-6-2 3-10 16-17 4-6-4 3-10 16Z",
  },
  {
    wax: "#3d3f75",
    emblem: "M8-29A29 29 0 1 0 27 14 24 24 0 0 1 8-29ZM20-22l3 7 7 1-5.500 5 1.500 7-6-4-6 4 1.500-7-5.500-5 7-1Z",
  },
  {
    wax: "#27666b",
    emblem: "M-14-22a14 14 0 1 1-.1 0ZM-14-14a6 6 0 1 0 .1 0ZM0-12H30V0H24V9H17V0H11V6H5V0H0Z",
  },
  { wax: "#a03a6d", emblem: petals(6) },
];
const COUNT = DRAWINGS.length;

// The number stands on a rim of wax, which separates it from the emblem and the background.
const DIGITS = {
  y: 46, "text-anchor": "middle", "font-weight": 700, fill: "#fff",
  "stroke-width": 9, "stroke-linejoin": "round", "paint-order": "stroke",
};

/** Returns a flower's path. @param {number} count */
function petals(count) {
  const petal = (/** @type {number} */ angle) => {
    const [x, y] = [Math.cos(angle) * 18, Math.sin(angle) * 18];
    return `M${(x - 9.5).toFixed(1)} ${y.toFixed(1)}a9.500 9.500 0 1 0 19 0 9.500 9.500 0 1 0-19 0Z`;
  };
  const all = Array.from({ length: count }, (_, index) => petal((index / count) * 2 * Math.PI));
  return `${all.join("")}M-7 0a7 7 0 1 0 14 0 7 7 0 1 0-14 0Z`;
}

/** Returns the edge of pressed wax, which varies slightly between seals. @param {number} number */
function edge(number) {
  const points = 14;
  const radius = (/** @type {number} */ index) =>
    46 + 2.6 * Math.sin(index * 2.4 + number * 1.7) + 1.6 * Math.sin(index * 4.1 + number);
  /** @param {number} index @returns {[number, number]} */
  const at = (index) => {
    const angle = (index / points) * 2 * Math.PI;
    const length = radius(index % points);
    return [Math.cos(angle) * length, Math.sin(angle) * length];
  };
  const text = (/** @type {number[]} */ point) => point.map((value) => value.toFixed(1)).join(" ");
  /** @param {[number, number]} point @param {[number, number]} next */
  const middle = ([x, y], [nextX, nextY]) => text([(x + nextX) / 2, (y + nextY) / 2]);
  const curve = (/** @type {number} */ index) => `Q${text(at(index))} ${middle(at(index), at(index + 1))}`;
  return `M${middle(at(points - 1), at(0))}${Array.from({ length: points }, (_, index) => curve(index)).join("")}Z`;
}

/**
 * A path in a seal, drawn over the preceding ones. `at` moves it to the right and down.
 *
 * @typedef {{d: string, fill?: string, stroke?: string, width?: number, at?: number}} Layer
 * @typedef {typeof DIGITS & {stroke: string, "font-size": number}} Digits
 */

/**
 * Returns a seal's drawing: wax lit from the upper left, and an emblem raised from its pressed middle. Its number is
 * empty for the first ten. `digits` has that text's attributes.
 *
 * @param {number} seal
 * @returns {{layers: Layer[], number: string, digits: Digits}}
 */
export function sealOf(seal) {
  const { wax, emblem } = DRAWINGS[((seal % COUNT) + COUNT) % COUNT];
  const outline = edge(seal % 1_000);
  const layers = [
    { d: outline, fill: wax, stroke: "rgb(0 0 0 / 30%)", width: 2.5 },
    { d: "M-41-6A42 42 0 0 1 4-41", stroke: "rgb(255 255 255 / 45%)", width: 4 },
    { d: "M41 8A42 42 0 0 1-2 42", stroke: "rgb(0 0 0 / 22%)", width: 5 },
    { d: "M-35 0a35 35 0 1 0 70 0 35 35 0 1 0-70 0Z", fill: "rgb(0 0 0 / 16%)" },
    { d: "M-33 10A34.500 34.500 0 0 1 24-25", stroke: "rgb(0 0 0 / 32%)", width: 2.5 },
    { d: "M33-10A34.500 34.500 0 0 1-24 25", stroke: "rgb(255 255 255 / 38%)", width: 2 },
    { d: emblem, fill: "rgb(0 0 0 / 40%)", at: 2 },
    { d: emblem, fill: wax, at: 0.7 },
    { d: emblem, fill: "rgb(255 255 255 / 86%)" },
  ];
  const number = seal >= 0 && seal < COUNT ? "" : String(seal);
  const size = Math.min(22, 150 / number.length);
  return { layers, number, digits: { ...DIGITS, stroke: wax, "font-size": size } };
}
