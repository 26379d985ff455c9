// The drawing of a pet. Its identifier decides its colours, ears, tail and pattern, so that it always looks the same.

import { html } from "../console/parts.js";

/** Coat, belly and dark parts. */
const COATS = [
  ["#f2a65a", "#ffe9cf", "#8a4b14"],
  ["#9b8cf0", "#ece8ff", "#4a3a9e"],
  ["#7ec4b0", "#e2f6ef", "#28695a"],
  ["#ef8fa8", "#ffe6ec", "#92344f"],
  ["#8fb7ea", "#e8f2ff", "#2f5a94"],
  ["#d9c08a", "#fbf3dd", "#7a5c1c"],
  ["#b5a7a0", "#f2ece8", "#574a44"],
  ["#a6cf6b", "#f0fadf", "#4b7018"],
];
const EARS = [
  // A cat's, a bear's, a rabbit's, a dog's and a dragon's.
  "M54 62 58 16 94 44ZM146 62 142 16 106 44Z",
  "M48 54a19 19 0 1 1 36-12ZM152 54a19 19 0 1 0-36-12Z",
  "M68 52C44-10 76-14 92 44ZM132 52C156-10 124-14 108 44Z",
  "M66 42C30 34 28 84 46 96 56 86 58 66 72 56ZM134 42C170 34 172 84 154 96 144 86 142 66 128 56Z",
  "M60 54 46 14 84 42ZM140 54 154 14 116 42ZM100 14 112 44H88Z",
];
const TAILS = [
  "M150 168C196 166 190 116 168 108 182 132 168 148 146 150Z",
  "M150 160a17 17 0 1 1 8 26Z",
  "M148 172C190 190 200 150 186 128 184 150 170 156 150 154Z",
];
const PATTERNS = [
  "",
  "M70 96a9 7 0 1 0 .1 0ZM134 104a7 6 0 1 0 .1 0ZM122 64a7 5 0 1 0 .1 0Z",
  "M92 38H108L100 58ZM76 42 86 40 84 54ZM124 42 114 40 116 54Z",
  "M126 66a24 22 0 1 0 .1 0Z",
];

const HEAD = "M100 34C146 34 162 62 160 88 158 122 130 134 100 134 70 134 42 122 40 88 38 62 54 34 100 34Z";
const SMILES = ["M88 113Q94 121 100 112 106 121 112 113", "M90 113Q100 124 110 113"];

/** Returns numbers below the given limits that derive from an identifier. */
function traits(id, limits) {
  let rest = id;
  return limits.map((limit) => {
    rest = (Math.imul(rest ^ (rest >>> 13), 0x5bd1e995) >>> 0) + Math.floor(id / 65_536);
    return (rest >>> 7) % limit;
  });
}

export function PetDrawing({ pet, label }) {
  const limits = [COATS.length, EARS.length, TAILS.length, PATTERNS.length, SMILES.length];
  const [coat, ears, tail, pattern, smile] = traits(pet.specimen_id, limits);
  const [main, light, dark] = COATS[coat];
  const eye = (x) => html`<ellipse cx=${x} cy="84" rx="9" ry="11" fill="#22192e" />
    <circle cx=${x + 3} cy="80" r="3.6" fill="#fff" /><circle cx=${x - 3} cy="88" r="1.8" fill="#fff" />`;
  return html`<svg viewBox="0 0 200 214" role="img" aria-label=${label}>
    <ellipse cx="100" cy="204" rx="62" ry="8" fill="#000" opacity=".16" />
    <path d=${TAILS[tail]} fill=${dark} />
    <path d=${EARS[ears]} fill=${main} stroke=${dark} stroke-width="4" stroke-linejoin="round" />
    <path d="M58 150C56 120 144 120 142 150L150 186C152 206 48 206 50 186Z" fill=${main} />
    <ellipse cx="100" cy="172" rx="29" ry="27" fill=${light} />
    <ellipse cx="70" cy="198" rx="18" ry="9" fill=${dark} />
    <ellipse cx="130" cy="198" rx="18" ry="9" fill=${dark} />
    <path d=${HEAD} fill=${main} />
    <path d=${PATTERNS[pattern]} fill=${dark} opacity=".38" />
    <ellipse cx="100" cy="108" rx="27" ry="19" fill=${light} />
    ${eye(74)}${eye(126)}
    <circle cx="58" cy="104" r="8" fill="#f0708c" opacity=".5" />
    <circle cx="142" cy="104" r="8" fill="#f0708c" opacity=".5" />
    <path d="M93 100Q100 96 107 100 105 108 100 109 95 108 93 100Z" fill=${dark} />
    <path d=${SMILES[smile]} fill="none" stroke=${dark} stroke-width="3.5" stroke-linecap="round" />
  </svg>`;
}
