// The badge of a product or an item: its first letter on a colour that derives from its name.

import { html } from "../console/parts.js";

const COLORS = 6;

/** Returns a number from a text, the same for the same text. */
const hash = (text) => [...text].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521, 7);

export function Badge({ name }) {
  const [letter = "?"] = name.trim().toUpperCase();
  return html`<span class=${`badge color-${hash(name.toLowerCase()) % COLORS}`} aria-hidden="true">${letter}</span>`;
}
