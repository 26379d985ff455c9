// The rows in which pets walk, the nearest first. Each pet has a slot of its row, so no pet walks into another one, and
// no name covers another. Nobody overtakes: a pet that comes from the left has the leftmost slot.

// A third row would hide the second one, or be higher than the proposed source.
const MAX_ROWS = 2;

/** @template T The pet. */
export class Rows {
  /** @type {T[][]} */
  #rows = [];
  /** The number of pets that a row has room for. */
  #room = 1;

  /** @param {number} room */
  set room(room) {
    this.#room = Math.max(1, room);
  }

  /** The number of pets for which there is room. */
  get space() {
    return MAX_ROWS * this.#room;
  }

  /**
   * Adds a pet at an end of the first row with room, and returns the number of the row.
   *
   * @param {T} pet
   * @param {boolean} isFromLeft
   */
  add(pet, isFromLeft) {
    const free = this.#rows.findIndex((row) => row.length < this.#room);
    const number = free === -1 ? Math.min(this.#rows.length, MAX_ROWS - 1) : free;
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

  /** Returns the pets in the row of a pet. @param {T} pet */
  neighbours = (pet) => this.#rows.find((row) => row.includes(pet)) ?? [];

  /**
   * Returns the slot of a pet, as parts of the width of the screen.
   *
   * @param {T} pet
   */
  slot(pet) {
    const row = this.neighbours(pet);
    const width = 1 / Math.max(1, row.length);
    return { begin: row.indexOf(pet) * width, width };
  }
}
