// The guides from the folder docs/, the streamer's first: file name and title.

/** The guides that are also in German, as `<name>-de.md`. */
export const GERMAN = ["twitch", "console", "overlay"];
/** @type {[name: string, title: string][]} */
export const GUIDES = [
  ["twitch", "Twitch"],
  ["console", "Console"],
  ["overlay", "Overlay"],
  ["api", "API"],
  ["errors", "Errors"],
  ["cookbook", "Cookbook"],
  ["python", "Python"],
  ["go", "Go"],
  ["local", "One machine"],
  ["deploy", "Deployment"],
  ["operations", "Operations"],
  ["upgrades", "Upgrades"],
  ["transfer", "Export and import"],
  ["privacy", "Privacy"],
  ["promises", "Promises"],
];
