// The declarations beside this file refer to these types.

export type * from "../src/types.js";
