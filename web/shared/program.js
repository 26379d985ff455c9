// The program as a command: a release's, or the one that a clone builds.

import { files } from "./files.js";

/** A release serves its files below a folder named after their version. */
export const IS_RELEASE = /\/[0-9a-f]{16}$/.test(files);
export const PROGRAM = IS_RELEASE ? "event-capture" : "cargo run --";
