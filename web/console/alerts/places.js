// The layer above the preview for placing alerts: by dragging, which snaps to guides, by clicking, or with the arrow
// keys.

import { html, useConsole, useRef, useState } from "../../shared/parts.js";
import { usePlaceName } from "./pad.js";
import { cornerOf, dragged, guidesOf, moved, spaceOf } from "./snapping.js";

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const LARGE_STEP = 10;
// The distance below which a press counts as a click, in pixels.
const CLICK = 3;
/** The size of an invisible alert, as fractions of the scene. */
const USUAL = { width: 0.4, height: 0.24 };

/** @typedef {import("./snapping.js").Size} Size */
/** @typedef {{place: import("./snapping.js").Place, x: number, y: number, hasMoved: boolean}} Drag */

/**
 * Returns the alert's size in a frame, including its margins.
 *
 * @param {HTMLIFrameElement | null} frame
 * @returns {Size | null}
 */
function sizeIn(frame) {
  const alert = /** @type {HTMLElement | null} */ (frame?.contentDocument?.querySelector(".alert:not(.leaving)"));
  if (!alert) return null;
  const style = getComputedStyle(alert);
  const sum = (/** @type {string[]} */ ...all) => all.reduce((total, one) => total + parseFloat(one), 0);
  const { offsetWidth, offsetHeight } = alert;
  return {
    width: sum(String(offsetWidth), style.marginLeft, style.marginRight),
    height: sum(String(offsetHeight), style.marginTop, style.marginBottom),
  };
}

/**
 * @param {object} properties
 * @param {{current: HTMLIFrameElement | null}} properties.frame
 * @param {{place: import("./snapping.js").Place, margin: number}} properties.settings
 * @param {(place: import("./snapping.js").Place) => void} properties.onDrag Called while the alert is dragged.
 * @param {(place: import("./snapping.js").Place) => void} properties.onMove
 */
export function Places({ frame, settings: { place, margin }, onDrag, onMove }) {
  const { say } = useConsole();
  const layer = useRef(null);
  const size = useRef(/** @type {Size | null} */ (null));
  const [drag, setDrag] = useState(/** @type {Drag | null} */ (null));
  const [, setMeasures] = useState(0);
  const measure = () => {
    size.current = sizeIn(frame.current) ?? size.current;
    setMeasures((before) => before + 1);
  };
  const { clientWidth: width = 0, clientHeight: height = 0 } = layer.current ?? {};
  const scene = { width, height };
  const alert = size.current ?? { width: width * USUAL.width, height: height * USUAL.height };
  const space = spaceOf(scene, alert, margin);
  const current = drag?.place ?? place;
  const begin = (/** @type {PointerEvent} */ event) => {
    if (event.button !== 0) return;
    measure();
    layer.current.setPointerCapture(event.pointerId);
    setDrag({ place, x: event.clientX, y: event.clientY, hasMoved: false });
  };
  const follow = (/** @type {PointerEvent} */ event) => {
    // Another text may have changed the size.
    if (!drag) return measure();
    const by = { x: event.clientX - drag.x, y: event.clientY - drag.y };
    const hasMoved = drag.hasMoved || Math.hypot(by.x, by.y) > CLICK;
    if (!hasMoved) return;
    const next = dragged(place, space, by);
    setDrag({ ...drag, place: next, hasMoved });
    onDrag(next);
  };
  const drop = (/** @type {PointerEvent} */ event) => {
    if (!drag) return;
    setDrag(null);
    if (drag.hasMoved) return onMove(drag.place);
    // Clicking next to the alert moves its centre there.
    const { left, top } = layer.current.getBoundingClientRect();
    const corner = cornerOf(place, space);
    const by = {
      x: event.clientX - left - corner.left - alert.width / 2,
      y: event.clientY - top - corner.top - alert.height / 2,
    };
    const isInside = Math.abs(by.x) < alert.width / 2 && Math.abs(by.y) < alert.height / 2;
    return isInside ? undefined : onMove(dragged(place, space, by));
  };
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const [x, y] = step.map((one) => one * (event.shiftKey ? LARGE_STEP : 1));
    onMove(moved(place, x, y));
  };
  const { left, top } = cornerOf(current, space);
  const box = { left: `${left}px`, top: `${top}px`, width: `${alert.width}px`, height: `${alert.height}px` };
  const name = usePlaceName(current);
  return html`<div class=${`places ${drag?.hasMoved ? "dragging" : ""}`} ref=${layer} onPointerEnter=${measure}
    onPointerDown=${begin} onPointerMove=${follow} onPointerUp=${drop} onPointerCancel=${() => setDrag(null)}>
    <div class="safe" style=${{ inset: `${space.inset}px` }}>
      <${Guides} on=${drag?.hasMoved ? guidesOf(current) : { x: null, y: null }} />
    </div>
    <button class=${`handle ${current.y > 50 ? "low" : ""}`} style=${box} onFocus=${measure} onKeyDown=${onKeyDown}
      aria-label=${`${say("alerts.move")}: ${name}`}><span>${name}</span></button>
  </div>`;
}

/** The lines that an alert snaps to. @param {{on: {x: number | null, y: number | null}}} properties */
function Guides({ on }) {
  const lines = (/** @type {"x" | "y"} */ axis) =>
    [0, 50, 100].map((at) => {
      const state = on[axis] === at ? "on" : "";
      return html`<i key=${`${axis}${at}`} class=${`guide ${axis} at-${at} ${state}`}></i>`;
    });
  return [...lines("x"), ...lines("y")];
}
