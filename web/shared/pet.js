// Draws a pet. Its identifier decides its species, colours, pattern and face, so a pet looks the same on every page.

const SVG = "http://www.w3.org/2000/svg";
const INK = "#2b2438";

/** The parts of each species, behind (`tail`, `back`) and in front of the head (`ears`), facing right. */
const SPECIES = [
  // A cat.
  {
    tail: "M22 66C4 62 2 40 12 32",
    ears: ["M68 28 70 6 86 20Z", "M90 20 104 6 107 28Z"],
    ear: "m73 22 1-10 7 7Z",
  },
  // A bear.
  {
    tail: "M22 62q-6 0-7-5",
    ears: ["M62 22a10 10 0 1 1 18-8Z", "M96 14a10 10 0 1 1 14 10Z"],
    ear: "M67 18a5 5 0 1 1 8-4Z",
  },
  // A rabbit.
  {
    tail: "M20 62q-8 2-9-5 2-7 10-3",
    ears: ["M70 24C60-4 72-14 80 18Z", "M90 18C94-14 108-6 102 24Z"],
    ear: "M73 17C68 0 73-4 77 15Z",
  },
  // A dragon.
  {
    tail: "M24 72C6 76 0 62 8 52l-7 2 7-13 7 11-5 1",
    ears: ["M70 22 60 4 80 16Z", "M96 16 112 4 106 24Z"],
    back: "m28 46 6-14 8 10 6-14 9 12 5-12 6 16Z",
  },
  // A fox.
  {
    tail: "M24 68C0 76-6 44 14 36c-2 10 8 14 16 20Z",
    ears: ["M66 28 64 2 84 18Z", "M92 18 110 2 108 28Z"],
    ear: "m69 21-1-11 9 8Z",
    isBushy: true,
  },
  // A bird.
  {
    tail: "M24 60 2 50 8 64 4 72 26 72Z",
    ears: ["M80 16C76 2 84-2 86 14 90 0 96 4 90 17Z"],
    isBushy: true,
    hasBeak: true,
  },
];
const PATTERNS = ["none", "spots", "stripes", "socks"];
const EYES = ["round", "happy", "sleepy"];

/**
 * Returns a function that returns the next number of a sequence, from 0 to below 1, which a text decides.
 *
 * @param {string} text
 */
function sequence(text) {
  let state = 2_166_136_261;
  for (const letter of text) state = Math.imul(state ^ letter.charCodeAt(0), 16_777_619);
  // Neighbours have similar identifiers, and must not look alike.
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  state ^= state >>> 16;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {...SVGElement} children
 * @returns {SVGElement}
 */
function element(name, attributes, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) node.setAttribute(attribute, String(value));
  node.append(...children);
  return node;
}

/** @param {string} d @param {Record<string, string | number>} more */
const path = (d, more = {}) => element("path", { d, ...more });

/** Draws the pattern of the body. @param {string} pattern @param {string} color */
function patternOf(pattern, color) {
  const spots = "M34 52a5 5 0 1 0 .1 0ZM50 46a6 5 0 1 0 .1 0ZM44 62a4 4 0 1 0 .1 0ZM60 60a4 4 0 1 0 .1 0Z";
  const stripes = "M34 46q6 10 2 22M46 43q6 12 2 26M58 44q5 11 2 23";
  if (pattern === "spots") return path(spots, { fill: color });
  if (pattern === "stripes") return path(stripes, { stroke: color, "stroke-width": 4.5, fill: "none" });
  return element("g", {});
}

/** Draws both eyes. @param {string} kind */
function eyesOf(kind) {
  const line = { stroke: INK, "stroke-width": 3, fill: "none" };
  if (kind === "happy") return [path("M78 36q4-6 8 0M94 36q4-6 8 0", line)];
  if (kind === "sleepy") return [path("M78 35q4 4 8 0M94 35q4 4 8 0", line)];
  const eye = path("M82 29a4 5.500 0 1 0 .1 0ZM98 29a4 5.500 0 1 0 .1 0Z", { fill: INK });
  return [eye, path("M83.500 31a1.500 1.500 0 1 0 .1 0ZM99.500 31a1.500 1.500 0 1 0 .1 0Z", { fill: "#fff" })];
}

/**
 * Returns the drawing of the pet with an identifier: an SVG element of the class `pet`, which looks to the right. Its
 * legs have the classes `leg` and `near` or `far`, its tail `tail`. It has no name for screen readers.
 *
 * @param {string | number} id The `specimen_id`.
 * @returns {SVGElement}
 */
export function pet(id) {
  const next = sequence(`pet ${id}`);
  /** @template T @param {T[]} all @returns {T} */
  const pick = (all) => all[Math.floor(next() * all.length)];
  const species = pick(SPECIES);
  const hue = Math.round(next() * 360);
  const accentHue = (hue + pick([30, 150, 180, 210, 330])) % 360;
  const lightness = pick([52, 62, 72]);
  const coat = `hsl(${hue} 62% ${lightness}%)`;
  const shade = `hsl(${hue} 55% ${lightness - 16}%)`;
  const accent = `hsl(${accentHue} 72% 62%)`;
  const pale = `hsl(${hue} 60% 92%)`;
  const pattern = pick(PATTERNS);
  const outline = { stroke: INK, "stroke-width": 3 };
  const leg = (/** @type {number} */ x, /** @type {string} */ side) =>
    element("g", { class: `leg ${side}` },
      path(`M${x} 64v22q0 6 6 6t6-6V64Z`, { fill: side === "far" ? shade : coat, ...outline }),
      path(`M${x + 1.5} 84v2q0 4.500 4.500 4.500t4.500-4.500v-2Z`, { fill: pattern === "socks" ? pale : "none" }));
  const stroke = (/** @type {string} */ color, /** @type {number} */ width) =>
    path(species.tail, { stroke: color, "stroke-width": width });
  const tail = species.isBushy
    ? path(species.tail, { class: "tail", fill: accent, ...outline })
    : element("g", { class: "tail", fill: "none" }, stroke(INK, 11), stroke(coat, 6));
  const face = species.hasBeak
    ? [path("M84 41 98 41 91 52Z", { fill: "#ffb347", ...outline })]
    : [path("M78 44a12 9 0 1 0 26-2 12 9 0 0 0-26 2Z", { fill: pale }), path("M87.500 40h7l-3.500 4Z", { fill: INK }),
      path("M91 44v2q-3 4-6 2m6-2q3 4 6 2", { stroke: INK, "stroke-width": 2.2, fill: "none" })];
  const round = { "stroke-linejoin": "round", "stroke-linecap": "round" };
  return element("svg", { viewBox: "-4 -8 124 104", class: "pet", "aria-hidden": "true", ...round },
    tail,
    leg(28, "far"), leg(60, "far"),
    ...(species.back ? [path(species.back, { fill: accent, ...outline })] : []),
    path("M20 60C20 36 74 34 78 56 80 78 22 80 20 60Z", { fill: coat, ...outline }),
    path("M32 70q16 6 34 0-16 9-34 0Z", { fill: pale }),
    patternOf(pattern, shade),
    leg(36, "near"), leg(68, "near"),
    ...species.ears.map((ear) => path(ear, { fill: species.hasBeak ? accent : coat, ...outline })),
    ...(species.ear ? [path(species.ear, { fill: accent })] : []),
    path("M62 34C62 8 112 8 112 34 112 58 62 58 62 34Z", { fill: coat, ...outline }),
    ...eyesOf(pick(EYES)), ...face,
    path("M72 42a3.500 2.500 0 1 0 .1 0ZM108 42a3.500 2.500 0 1 0 .1 0Z", { fill: accent, opacity: 0.7 }),
    ...(next() < 0.35 ? [path("M64 50q14 10 26 8l-1 6q-16 1-28-8Z", { fill: accent, ...outline })] : []));
}
