// A letter's picture, on which stamps are moved and rotated with the pointer or the keyboard.

import { html, useConsole, useRef, useState } from "../../shared/parts.js";
import { SHAPES, stampSize, textSize } from "../../shared/picture.js";
import { Seal } from "../../shared/seal.js";
import { sealPlace } from "./drawing.js";
import { stampName } from "./use-letters.js";

/** The steps of a key press, as a fraction of the picture's shorter side, and in radians. */
const MOVE = 0.02;
const TURN = Math.PI / 36;
/** The distance between a stamp's centre and its rotation handle, in stamps. */
const HANDLE = 0.85;
/** @type {Record<string, [number, number, number]>} The effect of each key: right, down, clockwise. */
const KEYS = {
  ArrowLeft: [-1, 0, 0],
  ArrowRight: [1, 0, 0],
  ArrowUp: [0, -1, 0],
  ArrowDown: [0, 1, 0],
  PageUp: [0, 0, -1],
  PageDown: [0, 0, 1],
};

/**
 * Returns a stamp moved by steps. It stays on the picture.
 *
 * @param {{pos_x: any, pos_y: any, rotation: any}} record1
 * @param {any} pair
 * @param {any} image
 */
export function stepped({ pos_x: x, pos_y: y, rotation }, [right, down, clockwise], image) {
  const step = Math.max(1, Math.round(Math.min(image.width, image.height) * MOVE));
  const place = { pos_x: x + right * step, pos_y: y + down * step, rotation: rotation + clockwise * TURN };
  return within(place, image);
}

/**
 * Returns integer coordinates on the picture.
 *
 * @param {{pos_x: any, pos_y: any, [name: string]: any}} record1
 * @param {{width: number, height: number}} record2
 */
const within = ({ pos_x: x, pos_y: y, ...rest }, { width, height }) => ({
  ...rest,
  pos_x: Math.round(Math.min(width, Math.max(0, x))),
  pos_y: Math.round(Math.min(height, Math.max(0, y))),
});

/** A stamp's drawing around the origin. @param {{type: string, size: number, maxWidth?: number}} props */
export function StampShape({ type, size, maxWidth = Infinity }) {
  const shape = Object.hasOwn(SHAPES, type) ? SHAPES[type] : null;
  if (!shape) {
    return html`<text class="stamp-text" text-anchor="middle" dominant-baseline="central"
      font-size=${textSize(type, size, maxWidth).height}>${type}</text>`;
  }
  return html`<g class="stamp-shape" transform=${`scale(${size / 100})`}>
    <path d=${shape.path} fill=${shape.fill} />
    <path class="shine" d=${shape.shine} />
  </g>`;
}

/**
 * Returns a pointer's position on the picture.
 *
 * @param {any} svg
 * @param {{clientX: any, clientY: any}} record
 */
export function pointOn(svg, { clientX, clientY }) {
  return new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
}

/**
 * The picture with its stamps. `onMove(stamp, place)` is called when a stamp has a new place, and `onSelect(id)` when
 * another is selected.
 *
 * @param {{
 *   letter: any, image: any, selected: any, onSelect: any, onMove: any, onRemove: any, label: string, stage: any
 * }} props
 */
export function Stage({ letter, image, selected, onSelect, onMove, onRemove, label, stage }) {
  const { say } = useConsole();
  // The stamp under the pointer, with its place.
  const [drag, setDrag] = useState(/** @type {any} */ (null));
  const start = useRef(/** @type {any} */ (null));
  const { width, height } = image;
  const size = stampSize(width, height);
  const seal = sealPlace(width, height);
  const widthOf = (/** @type {string} */ type) =>
    (Object.hasOwn(SHAPES, type) ? size : Math.max(size, textSize(type, size, width).width));
  const grab = (/** @type {any} */ event, /** @type {any} */ stamp, /** @type {any} */ isTurning) => {
    event.stopPropagation();
    onSelect(stamp.stamp_id);
    const { x, y } = pointOn(stage.current, event);
    start.current = { isTurning, x: x - stamp.pos_x, y: y - stamp.pos_y, stamp };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const move = (/** @type {any} */ event) => {
    const { isTurning, x, y, stamp } = start.current ?? {};
    if (!stamp) return;
    const point = pointOn(stage.current, event);
    const turned = Math.atan2(point.x - stamp.pos_x, stamp.pos_y - point.y);
    if (isTurning) setDrag({ ...stamp, rotation: turned });
    else setDrag(within({ ...stamp, pos_x: point.x - x, pos_y: point.y - y }, image));
  };
  const drop = () => {
    if (start.current && drag) onMove(start.current.stamp, drag);
    start.current = null;
    setDrag(null);
  };
  const press = (/** @type {any} */ event, /** @type {any} */ stamp) => {
    if (event.key === "Delete" || event.key === "Backspace") onRemove(stamp);
    else if (event.key === "Enter" || event.key === " ") onSelect(stamp.stamp_id);
    else if (KEYS[event.key]) onMove(stamp, stepped(stamp, KEYS[event.key], image));
    else return;
    event.preventDefault();
  };
  const drawn = letter.stamps.map((/** @type {any} */ stamp) => (drag?.stamp_id === stamp.stamp_id ? drag : stamp));
  const nameOf = (/** @type {any} */ { stamp_type: type }, /** @type {number} */ index) =>
    say("letters.stamp_of", { type: stampName(type, say), at: String(index + 1), all: String(drawn.length) });
  return html`<svg ref=${stage} class="stage" viewBox=${`0 0 ${width} ${height}`} role="group" aria-label=${label}
    tabindex="-1"
    onPointerMove=${move} onPointerUp=${drop} onPointerCancel=${drop} onPointerDown=${() => onSelect(null)}>
    <image href=${letter.document_data} width=${width} height=${height} />
    <svg class="sealed" x=${seal.x - seal.size / 2} y=${seal.y - seal.size / 2} width=${seal.size} height=${seal.size}>
      <${Seal} seal=${letter.seal} />
    </svg>
    ${drawn.map((/** @type {any} */ stamp, /** @type {number} */ index) => html`<g key=${stamp.stamp_id} tabindex="0"
      role="button" data-id=${stamp.stamp_id}
      class=${stamp.stamp_id === selected ? "stamp selected" : "stamp"} aria-pressed=${stamp.stamp_id === selected}
      aria-label=${nameOf(stamp, index)}
      transform=${`translate(${stamp.pos_x} ${stamp.pos_y}) rotate(${(stamp.rotation * 180) / Math.PI})`}
      onFocus=${() => onSelect(stamp.stamp_id)} onKeyDown=${(event) => press(event, stamp)}
      onPointerDown=${(event) => grab(event, stamp, false)}>
      <rect class="hit" x=${-widthOf(stamp.stamp_type) / 2} y=${-size / 2} width=${widthOf(stamp.stamp_type)}
        height=${size} />
      <${StampShape} type=${stamp.stamp_type} size=${size} maxWidth=${width} />
      ${stamp.stamp_id === selected && html`<line class="arm" y1=${-size / 2} y2=${-size * HANDLE} />
        <circle class="handle" cy=${-size * HANDLE} r=${size * 0.14}
          onPointerDown=${(event) => grab(event, stamp, true)} />`}
    </g>`)}
  </svg>`;
}
