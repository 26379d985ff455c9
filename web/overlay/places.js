// The alerts' place on the screen.

/** The named places, row by row. */
export const POSITIONS = [
  "top-left", "top", "top-right",
  "left", "center", "right",
  "bottom-left", "bottom", "bottom-right",
];

/**
 * A place, as a percentage of the space that an alert leaves within the margins: 0 is at the left or top margin, 100 at
 * the right or bottom one. Alerts of any size are therefore on the screen and touch the same margins.
 *
 * @typedef {{x: number, y: number}} Place
 */

/** Returns a named place. @param {string} position @returns {Place} */
export function placeOf(position) {
  const index = POSITIONS.indexOf(position);
  return { x: (index % 3) * 50, y: Math.floor(index / 3) * 50 };
}

/** Returns a place's name, or null. @param {Place} place */
export const positionOf = ({ x, y }) =>
  POSITIONS.find((name) => placeOf(name).x === x && placeOf(name).y === y) ?? null;

/** Returns the grid tracks that divide the free space. @param {number} share */
const tracks = (share) => `minmax(0, ${share}fr) auto minmax(0, ${100 - share}fr)`;

/**
 * Places the alerts on the screen.
 *
 * @param {HTMLElement} stage
 * @param {{place: Place, scale: number, margin: number}} settings
 */
export function arrange(stage, { place, scale, margin }) {
  stage.dataset.position = positionOf(place) ?? "free";
  stage.style.gridTemplate = `${tracks(place.y)} / ${tracks(place.x)}`;
  stage.style.setProperty("--scale", String(scale));
  stage.style.setProperty("--margin", `${margin}vmin`);
}
