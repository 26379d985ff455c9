// The other declarations in this folder refer to these types.

export type * from "../src/types.js";
