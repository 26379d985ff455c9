// The wax seal of a letter: ten drawings, and for higher numbers the number below the drawing.

import { html, useConsole } from "../console/parts.js";

/** The drawings, in a square from -10 to 10. */
const SHAPES = [
  "M0 8C-13-1-10-9-5-9-2-9 0-6 0-5 0-6 2-9 5-9 10-9 13-1 0 8Z",
  "M0-9 2.6-3.2 9-2.8 4 1.2 5.8 8 0 4.3-5.8 8-4 1.2-9-2.8-2.6-3.2Z",
  "M3-9A9 9 0 1 0 9 4 7 7 0 0 1 3-9Z",
  "M-9 6-8-6-3-1 0-8 3-1 8-6 9 6Z",
  "M0-9C6-3 8 0 8 3A8 6 0 0 1-8 3C-8 0-6-3 0-9Z",
  "M-8 8C-9-4-2-9 9-9 9 2 4 9-5 7L-8 9Z",
  "M0-9 8 0 0 9-8 0Z",
  "M-3-9 8-7V4A3.5 3 0 1 1 5 1V-3L0-4V7A3.5 3 0 1 1-3 4Z",
  "M1-9C8-3 8 9 0 9-8 9-8 1-4-3-4 0-2 1-1 1 0-2-1-5 1-9Z",
  "M-9-2A9 9 0 0 1 9-2C6-4 3-4 0-2-3-4-6-4-9-2ZM-1-1H1V6A2.5 2.5 0 0 1-4 6H-2.2A.7.7 0 0 0-1 6Z",
];

/** A drop of wax has an uneven edge. */
const WAX =
  "M0-20C7-22 11-17 15-14 21-11 19-5 20 0 22 6 17 10 14 14 11 20 5 18 0 20-6 22-10 17-14 14" +
  "-20 11-18 5-20 0-21-6-17-10-14-15-11-20-5-18 0-20Z";

export function Seal({ seal }) {
  const { say } = useConsole();
  const number = Math.abs(seal);
  const kind = number % SHAPES.length;
  const label = say("letter.seal", { number: String(seal) });
  return html`<svg class=${`seal wax-${kind % 5}`} viewBox="-22 -22 44 44" role="img" aria-label=${label}>
    <path class="wax" d=${WAX} />
    <circle class="rim" r="14.5" />
    <path class="mark" d=${SHAPES[kind]} transform=${number < SHAPES.length ? "" : "translate(0 -3) scale(.75)"} />
    ${number >= SHAPES.length && html`<text y="11" text-anchor="middle">${seal}</text>`}
  </svg>`;
}
