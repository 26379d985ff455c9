// The layer above the preview that places the alerts: by dragging, which snaps to nine places, by a click, and by the
// arrow keys.

import { POSITIONS } from "../../overlay/settings.js";
import { html, useConsole, useRef, useState } from "../parts.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const inThird = (value) => Math.min(2, Math.max(0, value));

export function Places({ position, onMove }) {
  const { say } = useConsole();
  const [dragged, setDragged] = useState(null);
  const group = useRef(null);
  const cell = (event) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    const third = (value, size) => inThird(Math.floor((value / size) * 3));
    return POSITIONS[third(event.clientY - top, height) * 3 + third(event.clientX - left, width)];
  };
  const startDrag = (event) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    setDragged(cell(event));
  };
  const drop = () => {
    if (dragged !== null && dragged !== position) onMove(dragged);
    setDragged(null);
  };
  const onKeyDown = (event) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const index = POSITIONS.indexOf(position);
    const next = inThird(Math.floor(index / 3) + step[1]) * 3 + inThird((index % 3) + step[0]);
    if (next === index) return;
    onMove(POSITIONS[next]);
    group.current.children[next].focus();
  };
  const current = dragged ?? position;
  const drag = (event) => dragged !== null && setDragged(cell(event));
  // Pointers are handled by the layer. This is a click by the keyboard.
  const onClick = (event, name) => event.detail === 0 && onMove(name);
  return html`<div class=${`places ${dragged ? "dragging" : ""}`} ref=${group} role="radiogroup"
    aria-label=${say("alerts.position")} onKeyDown=${onKeyDown} onPointerDown=${startDrag} onPointerMove=${drag}
    onPointerUp=${drop} onPointerCancel=${() => setDragged(null)}>
    ${POSITIONS.map(
      (name) => html`<button key=${name} role="radio" aria-checked=${name === current}
        tabindex=${name === position ? 0 : -1} aria-label=${say(`position.${name}`)} onClick=${(event) => onClick(event, name)}></button>`,
    )}
  </div>`;
}
