// The program as a command: a release's, or the one that a clone builds.

/** A release serves its modules below a folder named after their version. */
export const IS_RELEASE = /\/[0-9a-f]{16}\//.test(import.meta.url);
export const PROGRAM = IS_RELEASE ? "event-capture" : "cargo run --";
