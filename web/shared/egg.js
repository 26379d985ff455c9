// The drawing of an egg, for viewers without a pet.

import { html } from "./vendor/htm-preact.js";

/** Decorative: adjacent text conveys its meaning. */
export const Egg = () => html`<svg class="egg" viewBox="0 0 100 100" aria-hidden="true">
  <path d="M50 12C70 12 82 42 82 60 82 80 68 90 50 90S18 80 18 60C18 42 30 12 50 12Z" />
  <path d="M20 52l10 8 10-8 10 8 10-8 10 8 10-8M34 30h.1M62 34h.1M40 76h.1M64 74h.1" />
</svg>`;
