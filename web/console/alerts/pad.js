// The nine named places for alerts, as buttons.

import { POSITIONS, placeOf, positionOf } from "../../overlay/places.js";
import { html, useConsole, useRef } from "../../shared/parts.js";

/** @typedef {import("../../overlay/places.js").Place} Place */

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const inThird = (/** @type {number} */ value) => Math.min(2, Math.max(0, value));

/** Returns a place's name, or its percentages. @param {Place} place @returns {string} */
export function usePlaceName(place) {
  const { say } = useConsole();
  const position = positionOf(place);
  return position ? say(`position.${position}`) : say("alerts.place_at", { x: place.x, y: place.y });
}

/** @param {{place: Place, onMove: (place: Place) => void}} properties */
export function Pad({ place, onMove }) {
  const { say } = useConsole();
  const group = useRef(null);
  const current = positionOf(place);
  const reached = current ?? POSITIONS[0];
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const index = POSITIONS.indexOf(reached);
    const next = inThird(Math.floor(index / 3) + step[1]) * 3 + inThird((index % 3) + step[0]);
    onMove(placeOf(POSITIONS[next]));
    group.current.children[next].focus();
  };
  const button = (/** @type {string} */ name) => html`<button key=${name} role="radio" aria-checked=${name === current}
    tabindex=${name === reached ? 0 : -1} aria-label=${say(`position.${name}`)}
    onClick=${() => onMove(placeOf(name))}></button>`;
  return html`<div class="place-choice">
    <div class="pad" ref=${group} role="radiogroup" aria-label=${say("alerts.position")} onKeyDown=${onKeyDown}>
      ${POSITIONS.map(button)}
    </div>
    <p><strong>${say("alerts.position")}: ${usePlaceName(place)}</strong><br />
      <span class="quiet">${say("alerts.place")} <span class="keys">${say("alerts.place_keys")}</span> ${say("alerts.only_here")}</span></p>
  </div>`;
}
