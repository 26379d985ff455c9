// Draws a pet. Its identifier determines its species, colours, pattern and face, so it looks the same on every page.

import { PALETTES, SPECIES } from "./species.js";

const SVG = "http://www.w3.org/2000/svg";
const INK = "#2b2438";

const GOLD = "#ffc53d";
const LINE = { stroke: INK, "stroke-width": 2.5, fill: "none" };
const PATTERNS = ["none", "spots", "stripes", "socks", "bib", "patch"];
const EYES = ["round", "wide", "sparkle", "round", "wink", "happy", "sleepy"];
const MOUTHS = ["calm", "smile", "open", "tongue"];
const EXTRAS = ["none", "none", "none", "scarf", "bell", "bow", "flower", "leaf", "crown"];
// The sizes of a pet and its head from each age, in days.
const AGES = [
  { from: 30, name: "adult", size: 1, head: 1.04 },
  { from: 7, name: "young", size: 0.9, head: 1.1 },
  { from: -Infinity, name: "baby", size: 0.78, head: 1.2 },
];

/**
 * Returns a function that returns the next number in [0, 1) of a pseudorandom sequence, seeded by a text.
 *
 * @param {string} text
 */
function sequence(text) {
  let state = 2_166_136_261;
  for (const letter of text) state = Math.imul(state ^ letter.charCodeAt(0), 16_777_619);
  // Consecutive identifiers are similar but must not look alike.
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

/** @param {number} x @param {number} y @param {number} rx @param {number} ry @param {string} fill */
const oval = (x, y, rx, ry, fill) => element("ellipse", { cx: x, cy: y, rx, ry, fill });

/**
 * Draws a leg. It is open at the top, so it merges with the body.
 *
 * @param {number} x
 * @param {string} side
 * @param {string} color
 * @param {string} foot
 */
const leg = (x, side, color, foot) =>
  element("g", { class: `leg ${side}` },
    path(`M${x} 76v11q0 6 6 6h6q5 0 4-5-1-3-4-3v-6`, { ...LINE, "stroke-width": 3, fill: color }),
    path(`M${x + 1.5} 81v6q0 4.500 4.500 4.500h6q3.500 0 2.700-3.300-.7-2-3.200-2.200v-5Z`, { fill: foot }),
    path(`M${x + 6} 89.500v2.500m4-2.500v2.500`, { ...LINE, "stroke-width": 1.6 }));

/** Returns the side that takes the other step: a front leg steps with the opposite hind leg. @param {string} side */
const oppositeOf = (side) => (side.endsWith("lead") ? side.replace(" lead", "") : `${side} lead`);

/** Draws a bird's leg. @param {number} x @param {string} side */
const birdLeg = (x, side) =>
  element("g", { class: `leg ${side}` },
    path(`M${x} 80v12h-5m5 0h7`, { ...LINE, "stroke-width": 7 }),
    path(`M${x} 80v12h-5m5 0h7`, { ...LINE, "stroke-width": 3, stroke: "#ff9f45" }));

/** Draws the body's pattern, above the legs. @param {string} pattern @param {string} shade @param {string} pale */
function patternOf(pattern, shade, pale) {
  const stroke = { stroke: shade, "stroke-width": 5, fill: "none" };
  if (pattern === "spots") {
    return [oval(28, 60, 5, 4.5, shade), oval(42, 54, 6, 4.5, shade), oval(45, 66, 4, 3.5, shade),
      oval(57, 60, 4.5, 4, shade)];
  }
  if (pattern === "stripes") return [path("M25 53q5 6 3 14M37 49q6 7 4 17M50 48q6 7 4 17", stroke)];
  if (pattern === "bib") return [path("M60 52C78 52 80 66 77 74 66 74 58 64 60 52Z", { fill: pale })];
  const patch = "M19 62C21 51 36 47 46 47.500 52 58 40 68 30 68 24 69 19 68 19 62Z";
  if (pattern === "patch") return [path(patch, { fill: shade })];
  return [];
}

/** Draws the head's pattern. @param {string} pattern @param {string} shade */
function markOf(pattern, shade) {
  if (pattern === "stripes") return [path("M78 16v7M86 15v9M94 16v7", { ...LINE, stroke: shade, "stroke-width": 4 })];
  const patch = "M89 15C104 15 112 25 111 38 108 48 93 48 90 37 88 30 87 22 89 15Z";
  if (pattern === "patch") return [path(patch, { fill: shade })];
  if (pattern === "spots") return [oval(86, 20, 4, 3, shade), oval(95, 22, 3, 2.2, shade), oval(89, 26, 2, 1.6, shade)];
  return [];
}

/** Draws an eye. @param {string} kind @param {number} x @param {string} iris */
function eyeOf(kind, x, iris) {
  const y = 37;
  const light = [oval(x - 1.8, y - 2.6, 2.1, 2.4, "#fff"), oval(x + 1.8, y + 2.8, 1.1, 1.2, "#fff")];
  if (kind === "happy") return [path(`M${x - 5.5} 39q5.500-9 11 0`, { ...LINE, "stroke-width": 3.2 })];
  if (kind === "sleepy") {
    return [path(`M${x - 6} 36q6 8 12 0m-11.500 2.500-2 2m13-2 2 2`, { ...LINE, "stroke-width": 3 })];
  }
  if (kind === "sparkle") {
    const star = `M${x - 1} 30.500q.6 4 4.200 4.600-3.600.6-4.200 4.600-.6-4-4.200-4.600 3.600-.6 4.200-4.600Z`;
    return [oval(x, y, 5.8, 7.2, INK), path(star, { fill: "#fff" }), oval(x + 2, y + 3.6, 1.2, 1.3, "#fff")];
  }
  if (kind === "wide") {
    const white = element("ellipse", { cx: x, cy: y, rx: 6.6, ry: 7.4, ...LINE, fill: "#fff" });
    return [white, oval(x + 0.8, y + 0.6, 4.6, 5.4, iris), oval(x + 0.8, y + 0.6, 2.8, 3.4, INK), light[0]];
  }
  return [oval(x, y, 5.2, 6.8, INK), ...light];
}

/** Draws the muzzle with the mouth. @param {string} mouth @param {string} pale */
function muzzleOf(mouth, pale) {
  const lips = { ...LINE, "stroke-width": 2.2 };
  const parts = [oval(89, 49.5, 12, 8.5, pale)];
  if (mouth === "tongue") parts.push(path("M86.500 52v2.500q0 4 3.500 4t3.500-4V52Z", { ...lips, fill: "#f0788c" }));
  if (mouth === "open") parts.push(path("M83.500 50.500h11q-1 7-5.500 7t-5.500-7Z", { ...lips, fill: "#e8627a" }));
  else if (mouth === "smile") parts.push(path("M82.500 50q6.500 6 13 0", lips));
  else parts.push(path("M89 47v3q-3 4-6.500 1.500M89 50q3 4 6.500 1.500", lips));
  const nose = "M86 43h6q2 0 1 2l-2.500 2.700q-1.500 1.300-3 0L85 45q-1-2 1-2Z";
  return [...parts, path(nose, { fill: INK })];
}

/** Draws what the pet wears around its neck, behind the head. @param {string} kind @param {string} color */
function collarOf(kind, color) {
  const more = { ...LINE, fill: color };
  if (kind === "scarf") {
    return [path("M65 64 56 82l9 3 8-17Z", more), path("M57 52Q68 66 96 60q6 5 2 9-28 5-43-9Z", more)];
  }
  if (kind !== "bell") return [];
  const bell = element("circle", { cx: 87, cy: 67, r: 5, ...LINE, fill: GOLD });
  return [path("M57 53Q70 66 96 60l2 6Q70 72 55 58Z", more), bell, path("M87 67.500v2.500", LINE)];
}

/** Draws what the pet wears on its head. @param {string} kind @param {string} color */
function hatOf(kind, color) {
  const more = { ...LINE, fill: color };
  if (kind === "bow") return [path("M66 18q-13-11-13 0t13 2q13 9 13-2t-13 0Z", more), oval(66, 19, 3.2, 3.2, INK)];
  if (kind === "flower") {
    const petals = [0, 72, 144, 216, 288].map((turn) =>
      element("ellipse", { cx: 102, cy: 12.5, rx: 3.8, ry: 4.6, ...more, "stroke-width": 2,
        transform: `rotate(${turn} 102 18)` }));
    return [...petals, oval(102, 18, 3, 3, GOLD)];
  }
  if (kind === "leaf") {
    const green = { ...LINE, fill: "#57b36a" };
    return [path("M86 14q-1-6 1-10", LINE), path("M87 5Q76-4 72 3 78 11 87 5Z", green),
      path("M87 4Q94-6 101 0 98 9 87 4Z", green)];
  }
  if (kind === "crown") return [path("M76 16 73 2l7 5 6-9 6 9 7-5-2 14q-11-3-21 0Z", { ...LINE, fill: GOLD })];
  return [];
}

/**
 * Returns a pet's age in whole days, until now or until it was forgotten.
 *
 * @param {{born_at?: any, forgotten_at?: any}} specimen
 */
export const daysOf = ({ born_at: born, forgotten_at: end }) =>
  Math.max(0, Math.floor(((end ? Date.parse(end) : Date.now()) - Date.parse(born)) / 86_400_000));

/** Returns the stage of life with its sizes. @param {number} days */
export const ageOf = (days) => /** @type {typeof AGES[0]} */ (AGES.find(({ from }) => days >= from));

/**
 * Returns the drawing for a pet's identifier: an SVG element of the class `pet` that looks to the right. Its parts have
 * the classes `tail`, `leg` (with `near` or `far`, and `lead` for those that step first), `trunk`, `head`, and within
 * the head `face` and `eye`. A young pet is smaller, with a larger head. Screen readers get no name for it.
 *
 * @param {string | number} id The `specimen_id`.
 * @param {number} days The age.
 * @returns {SVGElement}
 */
export function pet(id, days = Infinity) {
  const next = sequence(`pet ${id}`);
  /** @template T @param {T[]} all @returns {T} */
  const pick = (all) => all[Math.floor(next() * all.length)];
  const species = pick(SPECIES);
  const [coat, shade, pale, accent] = pick(PALETTES);
  const [pattern, eyes, mouth, extra] = [pick(PATTERNS), pick(EYES), pick(MOUTHS), pick(EXTRAS)];
  const { tail, isBushy, back, ears, earColor = "coat", inner, flaps, hasWhiskers, isBird } = species;
  const outline = { stroke: INK, "stroke-width": 3 };
  const filled = { fill: coat, ...outline };
  const foot = pattern === "socks" ? pale : "none";
  const eye = (/** @type {string} */ kind, /** @type {number} */ x) =>
    element("g", { class: kind === "happy" ? "" : "eye" }, ...eyeOf(kind, x, accent));
  const stroke = (/** @type {string} */ color, /** @type {number} */ width) =>
    path(tail, { stroke: color, "stroke-width": width, fill: "none" });
  const legs = (/** @type {string} */ side, /** @type {number[]} */ at, /** @type {string} */ color) =>
    isBird ? [birdLeg(at[2], side)] : [leg(at[0], side, color, foot), leg(at[1], oppositeOf(side), color, foot)];
  const face = element("g", { class: "face" },
    ...(hasWhiskers ? [path("M71 49l-11-2m11 6-10 2M106 48l11-2m-11 6 10 2", { ...LINE, "stroke-width": 1.5 })] : []),
    ...[eye(eyes, 77), eye(eyes === "wink" ? "happy" : eyes, 100)],
    ...[67, 107.5].map((x) => element("ellipse", { cx: x, cy: 47, rx: 4, ry: 2.8, fill: "#ff6f91", opacity: 0.55 })),
    ...(isBird ? [path("M81 45q8-6 17 0-2 10-8 12-7-3-9-12Z", { ...LINE, fill: GOLD }), path("M82 48q8 3 15 0", LINE)]
      : muzzleOf(mouth, pale)));
  const head = element("g", { class: "head" },
    ...(ears ? [path(ears, { fill: { coat, accent, pale }[earColor], ...outline })] : []),
    ...(inner ? [path(inner, { fill: accent })] : []),
    path("M57 38C57 21 70 13 85 13 101 13 113 22 113 38 113 54 101 61 85 61 69 61 57 54 57 38Z", filled),
    ...markOf(pattern, shade),
    path("M63 32q2-9 10-13", { stroke: "#fff", "stroke-width": 3.5, fill: "none", opacity: 0.45 }),
    ...(flaps ? [path(flaps, { fill: shade, ...outline })] : []),
    face,
    ...hatOf(extra, accent));
  const trunk = element("g", { class: "trunk" },
    ...(back ? [path(back, { fill: accent, ...outline })] : []),
    path("M17 68C17 51 32 46 48 46 66 46 80 53 80 69 80 82 68 86 48 86 28 86 17 82 17 68Z", filled),
    ...(isBird ? [path("M28 60Q50 48 60 60 54 78 32 74q5-4 1-6-5-2-5-8Z", { fill: accent, ...outline })]
      : patternOf(pattern, shade, pale)));
  const { size, head: headSize } = ageOf(days);
  return element("svg", { viewBox: "-6 -9 128 106", class: "pet", "aria-hidden": "true", "stroke-linejoin": "round",
    "stroke-linecap": "round" },
    element("g", { transform: `translate(58 94) scale(${size}) translate(-58 -94)` },
      element("g", { class: "tail" },
        ...(isBushy ? [path(tail, { fill: accent, ...outline })] : [stroke(INK, 11.5), stroke(coat, 6)])),
      ...legs("far lead", [33, 53, 56], shade),
      trunk,
      ...legs("near", [22, 63, 44], coat),
      element("g", { class: "collar" }, ...collarOf(extra, accent)),
      element("g", { transform: `translate(80 60) scale(${headSize}) translate(-80 -60)` }, head)));
}
