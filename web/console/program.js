// The program as a command: that of a release, or the one that a clone builds.

/** A release serves its modules below a folder with their version. */
export const IS_RELEASE = /\/[0-9a-f]{16}\//.test(import.meta.url);
export const PROGRAM = IS_RELEASE ? "event-capture" : "cargo run --";
