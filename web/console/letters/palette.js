// The stamps that can be put on a letter: clicking adds one in the middle, dragging where it is dropped.

import { Form, NOT_BLANK } from "../forms.js";
import { html, useConsole, useRef, useState } from "../../shared/parts.js";
import { SHAPES } from "../../shared/picture.js";
import { StampShape, pointOn } from "./stage.js";
import { Write } from "../write.js";

const MAX_TYPE = 40;
/** The distance from which a press counts as a drag, in pixels. */
const DRAG_DISTANCE = 6;

/**
 * `onPlace(type, point)` puts a stamp on the letter. Without a point, it goes in the middle.
 *
 * @param {{stage: any, onPlace: any}} props
 */
export function Palette({ stage, onPlace }) {
  const { say } = useConsole();
  const start = useRef(/** @type {any} */ (null));
  const hasDropped = useRef(false);
  const [ghost, setGhost] = useState(/** @type {any} */ (null));
  const down = (/** @type {any} */ event, /** @type {string} */ type) => {
    hasDropped.current = false;
    start.current = { type, x: event.clientX, y: event.clientY };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const move = (/** @type {any} */ { clientX: x, clientY: y }) => {
    const from = start.current;
    if (from && Math.hypot(x - from.x, y - from.y) > DRAG_DISTANCE) setGhost({ type: from.type, x, y });
  };
  const up = (/** @type {any} */ event) => {
    const { left, right, top, bottom } = stage.current.getBoundingClientRect();
    const isOver = event.clientX > left && event.clientX < right && event.clientY > top && event.clientY < bottom;
    hasDropped.current = Boolean(ghost);
    if (ghost && isOver) onPlace(ghost.type, pointOn(stage.current, event));
    start.current = null;
    setGhost(null);
  };
  const cancel = () => {
    start.current = null;
    setGhost(null);
  };
  const addText = async (/** @type {any} */ { type }) => {
    await onPlace(type, null);
    return "";
  };
  // A drag also ends with a click.
  const click = (/** @type {string} */ type) =>
    (hasDropped.current ? (hasDropped.current = false) : onPlace(type, null));
  return html`<div class="stamp-palette" role="group" aria-label=${say("letters.add_stamp")}>
      ${Object.keys(SHAPES).map((type) => html`<${Write} title=${say(`stamp.${type}`)}
        aria-label=${say("letters.add_of", { type: say(`stamp.${type}`) })} onClick=${() => click(type)}
        onPointerDown=${(event) => down(event, type)} onPointerMove=${move} onPointerUp=${up} onPointerCancel=${cancel}>
        <svg viewBox="-50 -50 100 100" aria-hidden="true"><${StampShape} type=${type} size=${90} /></svg>
      <//>`)}
    </div>
    <details><summary>${say("letters.other_stamp")}</summary>
      <${Form} submit=${say("letters.add_stamp")} isMain=${false} send=${addText}
        fields=${[{ name: "type", label: say("letters.stamp_text"), required: true, pattern: NOT_BLANK,
          maxlength: MAX_TYPE }]} />
    </details>
    ${ghost && html`<svg class="ghost" viewBox="-50 -50 100 100" aria-hidden="true"
      style=${{ left: `${ghost.x}px`, top: `${ghost.y}px` }}><${StampShape} type=${ghost.type} size=${90} /></svg>`}`;
}
