// The rows where pets walk, the nearest first. Each pet has a slot in its row, so pets do not run into each other, and
// names do not overlap. Pets do not overtake: one that enters from the left gets the leftmost slot.

// A fourth row would be too far above the edge.
const MAX_ROWS = 3;
// The sizes of pets. Large crowds have smaller pets, which makes room for more.
const SIZES = [1, 0.8];
// In the units of pets.css: the smallest slot, the distance of two rows without their names, and the heights of a name,
// of the pets in the last row, and of the space below. The pets' size does not affect names.
const SLOT = 200;
const [PITCH, NAME, HEIGHT, BELOW] = [84, 30, 102, 8];

/** @typedef {{size: number, room: number, rows: number}} Layout `room` is the number of pets in a row. */

/**
 * Returns the layout with the largest pets that has room for this many.
 *
 * @param {number} many
 * @param {number} width Of the screen, in units.
 * @param {number} height
 * @returns {Layout}
 */
export function layoutFor(many, width, height) {
  const layouts = SIZES.map((size) => {
    // The second row is offset by half a slot.
    const room = Math.max(1, Math.floor(width / (SLOT * size) - 0.5));
    const more = Math.max(0, Math.floor((height - BELOW - NAME - HEIGHT * size) / (PITCH * size + NAME)));
    return { size, room, rows: Math.min(MAX_ROWS, 1 + more) };
  });
  const layout = layouts.find(({ room, rows }) => many <= room * rows) ?? layouts[layouts.length - 1];
  return { ...layout, rows: Math.min(layout.rows, Math.ceil(many / layout.room)) };
}

/** @template T The pet. */
export class Rows {
  /** @type {T[][]} */
  #rows = [];
  /** @type {Layout} */
  layout = { size: 1, room: 1, rows: 1 };

  get all() {
    return this.#rows;
  }

  /** Returns the number of pets that fit. */
  get space() {
    return this.layout.room * this.layout.rows;
  }

  clear() {
    this.#rows = [];
  }

  /**
   * Adds a pet at one end of the first row with room, and returns the row's number.
   *
   * @param {T} pet
   * @param {boolean} isFromLeft
   */
  add(pet, isFromLeft) {
    const { room, rows } = this.layout;
    const free = this.#rows.findIndex((row) => row.length < room);
    const number = free === -1 ? Math.min(this.#rows.length, rows - 1) : free;
    const row = (this.#rows[number] ??= []);
    if (isFromLeft) row.unshift(pet);
    else row.push(pet);
    return number;
  }

  /** @param {T} pet */
  remove(pet) {
    for (const row of this.#rows) {
      if (row.includes(pet)) row.splice(row.indexOf(pet), 1);
    }
  }

  /** Returns the pets in a pet's row. @param {T} pet */
  neighbours = (pet) => this.#rows.find((row) => row.includes(pet)) ?? [];

  /**
   * Returns a pet's slot, in fractions of the screen's width. Slots of the second row lie between those of the first,
   * so pets do not stand exactly behind each other.
   *
   * @param {T} pet
   */
  slot(pet) {
    const row = this.neighbours(pet);
    const isStaggered = this.layout.rows > 1;
    const unit = 1 / (this.layout.room + 0.5);
    const width = (isStaggered ? this.layout.room * unit : 1) / Math.max(1, row.length);
    const shift = isStaggered && this.#rows.indexOf(row) % 2 === 1 ? unit / 2 : 0;
    return { begin: shift + row.indexOf(pet) * width, width };
  }
}
