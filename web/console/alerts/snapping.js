// The preview's geometry: where an alert of a size is at a place, and the lines that it snaps to.

/**
 * @typedef {import("../../overlay/places.js").Place} Place
 * @typedef {{width: number, height: number}} Size In pixels.
 * @typedef {{inset: number, x: number, y: number}} Space The safe margin, and the space that an alert leaves within the
 *   margins, in pixels.
 */

/** The lines on both axes, as percentages of the free space: the margin, the centre, and the opposite margin. */
const LINES = [0, 50, 100];
/** The distance at which an alert snaps to a line, in pixels. */
const DISTANCE = 8;

const clamped = (/** @type {number} */ value) => Math.min(100, Math.max(0, Math.round(value * 10) / 10));

/**
 * Returns a scene's free space.
 *
 * @param {Size} scene
 * @param {Size} alert
 * @param {number} margin In percent of the shorter side.
 * @returns {Space}
 */
export function spaceOf(scene, alert, margin) {
  const inset = (Math.min(scene.width, scene.height) * margin) / 100;
  const x = Math.max(0, scene.width - 2 * inset - alert.width);
  return { inset, x, y: Math.max(0, scene.height - 2 * inset - alert.height) };
}

/** @param {number} value @param {number} space */
function snapped(value, space) {
  const line = LINES.find((one) => Math.abs(((value - one) / 100) * space) <= DISTANCE);
  return line ?? clamped(value);
}

/**
 * Returns a place moved by pixels, snapped to a nearby line. An axis without free space stays unchanged.
 *
 * @param {Place} place
 * @param {Space} space
 * @param {{x: number, y: number}} by
 * @returns {Place}
 */
export function dragged(place, space, by) {
  const move = (/** @type {"x" | "y"} */ axis) =>
    space[axis] > 0 ? snapped(clamped(place[axis] + (by[axis] / space[axis]) * 100), space[axis]) : place[axis];
  return { x: move("x"), y: move("y") };
}

/**
 * Returns a place moved by percentages.
 *
 * @param {Place} place
 * @param {number} x
 * @param {number} y
 * @returns {Place}
 */
export const moved = (place, x, y) => ({ x: clamped(place.x + x), y: clamped(place.y + y) });

/** Returns an alert's corner in the scene, in pixels. @param {Place} place @param {Space} space */
export const cornerOf = (place, space) => ({
  left: space.inset + (space.x * place.x) / 100,
  top: space.inset + (space.y * place.y) / 100,
});

/** Returns the guides that a place is on: 0, 50 or 100 for each axis, or null. @param {Place} place */
export const guidesOf = ({ x, y }) => ({ x: LINES.includes(x) ? x : null, y: LINES.includes(y) ? y : null });
