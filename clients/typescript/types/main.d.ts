// The package's types: its functions, and the records and options by name.

export * from "./index.js";
export type * from "./types.js";
