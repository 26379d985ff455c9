// The parts of each species, for a pet that looks to the right: its tail and back behind the body, its ears behind the
// head or, with `flaps`, in front of it. `inner` is the inside of the ears.

/**
 * @typedef {{
 *   tail: string,
 *   isBushy?: boolean,
 *   back?: string,
 *   ears?: string,
 *   earColor?: "coat" | "accent" | "pale",
 *   inner?: string,
 *   flaps?: string,
 *   hasWhiskers?: boolean,
 *   isBird?: boolean,
 * }} Species
 */

/** @type {Species[]} */
export const SPECIES = [
  // A cat.
  {
    tail: "M20 74C2 72-4 50 6 36",
    ears: "M60 32 61 5Q62 1 66 4L82 17ZM91 15 106 3Q110 1 110 5L111 32Z",
    inner: "M65 22 66 11 74 17ZM98 15 105 10 106 21Z",
    hasWhiskers: true,
  },
  // A bear.
  {
    tail: "M18 66q-5-1-7-5",
    ears: "M55 18a10 10 0 1 0 21 0 10 10 0 1 0-21 0ZM95 17a10 10 0 1 0 21 0 10 10 0 1 0-21 0Z",
    inner: "M61 17a5 5 0 1 0 10 0 5 5 0 1 0-10 0ZM100 16a5 5 0 1 0 10 0 5 5 0 1 0-10 0Z",
  },
  // A rabbit.
  {
    tail: "M17 70q-7-1-7-6",
    ears: "M66 22C55-2 60-7 66-6 74-4 79 6 80 18ZM91 17C91-3 97-8 104-6 110-4 109 9 105 22Z",
    inner: "M68 11C63-1 66-2 68-1 72 1 74 8 75 15ZM95 14C96 1 100-2 103-1 106 0 104 8 101 15Z",
  },
  // A mouse.
  {
    tail: "M20 78C4 84-2 76 2 68",
    ears: "M49 15a14 14 0 1 0 28 0 14 14 0 1 0-28 0ZM92 14a13 13 0 1 0 26 0 13 13 0 1 0-26 0Z",
    inner: "M55 15a8.500 8.500 0 1 0 17 0 8.500 8.500 0 1 0-17 0ZM97 14a8 8 0 1 0 16 0 8 8 0 1 0-16 0Z",
    hasWhiskers: true,
  },
  // A dragon.
  {
    tail: "M22 78C4 84-4 68 4 58",
    ears: "M62 25 56 4Q68 3 79 16ZM94 15Q102 3 114 4L108 25Z",
    earColor: "pale",
    back: "M8 61-3 62 5 46 12 61ZM17 56 15 42 28 48 30 33 42 44 49 29 60 46Z",
  },
  // A fox.
  {
    tail: "M24 80C-4 86-8 52 8 36 8 46 24 54 30 68Z",
    isBushy: true,
    ears: "M58 34 57 2Q57-2 61 1L82 17ZM91 15 110 0Q114-2 114 2L113 34Z",
    inner: "M62 22 62 8 73 17ZM99 15 109 8 109 22Z",
    hasWhiskers: true,
  },
  // A dog.
  {
    tail: "M18 66C8 62 6 54 9 46",
    flaps: "M68 17C54 12 46 30 52 45 57 53 66 44 70 27ZM102 18C113 16 120 30 117 42 113 49 106 42 101 28Z",
  },
  // An axolotl.
  {
    tail: "M28 82C2 88-6 62 6 44 10 54 22 54 30 62Z",
    isBushy: true,
    ears: "M66 21Q50 6 46 12 45 20 56 32 38 27 38 35 40 43 57 44 44 50 48 57 56 61 72 55ZM102 20" +
      "Q112 6 116 11 118 18 112 30 120 30 119 37 118 44 112 45 119 50 115 56 108 59 98 55Z",
    earColor: "accent",
  },
  // A hedgehog.
  {
    tail: "M20 74q-5 0-6-3",
    back: "M18 78 6 74 13 66 3 58 13 53 6 43 18 42 16 31 27 34 30 23 40 30 48 20 55 30 66 24 68 62Z",
    ears: "M59 25a8 8 0 1 1 13-7ZM98 17a8 8 0 1 1 13 9Z",
  },
  // A bird.
  {
    tail: "M24 60 0 54 8 66-1 75 26 78Z",
    isBushy: true,
    ears: "M84 16C72 10 70-2 80 1 82-8 92-8 91 2 100-2 100 10 90 16Z",
    earColor: "accent",
    isBird: true,
  },
];

/** A pet's possible colours: for its coat, its patterns, pale parts, and ears, tails and accessories. */
export const PALETTES = [
  ["#f2a65a", "#d9803a", "#fff1dc", "#5bb8b0"],
  ["#f3dfc1", "#d9b98c", "#fffaf0", "#e07a5f"],
  ["#a9795a", "#83583d", "#f6e3cf", "#f4b860"],
  ["#a9b2c3", "#7f8aa0", "#f2f5fa", "#f28ca0"],
  ["#eef1f7", "#c3cbdb", "#ffffff", "#7aa6f0"],
  ["#6a6e85", "#50546b", "#dfe3ef", "#f6c453"],
  ["#f5a9bd", "#de7f9b", "#fff0f4", "#8c7ae6"],
  ["#b9a5ec", "#957dd4", "#f4efff", "#ffd166"],
  ["#8ec5f0", "#5f9fd6", "#eff8ff", "#ff9f7a"],
  ["#98dbc0", "#66b898", "#effcf5", "#ff8fa8"],
  ["#b5c99a", "#8fa872", "#f6faec", "#e58f65"],
  ["#f7dd7e", "#ddb94a", "#fffbe6", "#6fb1e0"],
  ["#ffc3a0", "#ec9a72", "#fff4ec", "#7fb685"],
  ["#f28b82", "#d3635b", "#ffeeec", "#5fb3b3"],
  ["#7390dd", "#526dbb", "#ebf0ff", "#ffc857"],
  ["#62b6b7", "#3f9192", "#e8fafa", "#ffb5a7"],
  ["#a06cb5", "#7d4c92", "#f7ecfb", "#8fd6c4"],
  ["#c98a8a", "#a86666", "#fbeaea", "#f2cc8f"],
];
