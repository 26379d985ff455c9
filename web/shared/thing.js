// Draws an item or a product. Its name determines the drawing and its colours, so it looks the same on every page.

import { DRAWINGS } from "./things.js";
import { html } from "./vendor/htm-preact.js";

const INK = "#2b2438";
/** The hues of colour words, and of things that have one. */
const HUES = [
  { words: /gold|yellow|gelb|straw|stroh|coin|münze|crown|krone|\bstar|stern|\blight|licht|lamp/, hue: 44 },
  { words: /\bred\b|\brote?\b|fire|feuer|cherry/, hue: 4 },
  { words: /blue|blau|\bice|\beis|winter|water/, hue: 212 },
  { words: /green|grün|forest|wald/, hue: 140 },
  { words: /pink|rosa/, hue: 330 },
  { words: /purple|lila|violet|magic/, hue: 272 },
  { words: /acorn|eichel|\bnut|nuss|cookie|keks|coffee|kaffee|chest|truhe|wood|holz/, hue: 28 },
  { words: /mushroom|pilz|apple|apfel|heart|herz|hug|love|liebe|rose/, hue: 350 },
];

const NEUTRAL = DRAWINGS.filter(({ isNeutral }) => isNeutral);

/** Returns a whole number derived from a text. @param {string} text */
function hash(text) {
  let state = 2_166_136_261;
  for (const letter of text) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 16_777_619);
  return (state ^ (state >>> 15)) >>> 0;
}

/**
 * The drawing of an item or a product, on a tile of its own colour. Adjacent text conveys its meaning.
 *
 * @param {{name: string}} props
 */
export function Thing({ name }) {
  const text = name.trim().toLowerCase();
  const number = hash(text);
  const drawing = DRAWINGS.find(({ words }) => words.test(text)) ?? NEUTRAL[number % NEUTRAL.length];
  const hue = HUES.find(({ words }) => words.test(text))?.hue ?? (number >>> 8) % 360;
  const colors = {
    main: `hsl(${hue} 68% 62%)`,
    shade: `hsl(${hue} 58% 47%)`,
    light: `hsl(${hue} 75% 92%)`,
    accent: `hsl(${(hue + 150) % 360} 72% 66%)`,
    green: "hsl(135 48% 48%)",
    line: "none",
  };
  return html`<svg class="thing" viewBox="-8 -8 80 80" aria-hidden="true"
    stroke-linejoin="round" stroke-linecap="round">
    <rect x="-8" y="-8" width="80" height="80" rx="16" fill=${`hsl(${hue} 60% 86%)`} />
    ${drawing.layers.map(([color, path]) => html`<path d=${path} fill=${colors[color]} fill-rule="evenodd"
      stroke=${INK} stroke-width=${color === "line" ? 3.5 : 2.5} />`)}
  </svg>`;
}
