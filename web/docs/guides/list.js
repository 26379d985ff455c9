// The guides from the folder docs/, the streamer's first: file name, and title in English and German.

/** The guides that are also in German, as `<name>-de.md`. */
export const GERMAN = ["console", "twitch", "overlay"];
/** @type {[name: string, title: string, german: string][]} */
export const GUIDES = [
  ["console", "Console", "Konsole"],
  ["twitch", "Twitch", "Twitch"],
  ["overlay", "Overlay", "Overlay"],
  ["api", "API", "API"],
  ["errors", "Errors", "Fehler"],
  ["cookbook", "Cookbook", "Rezepte"],
  ["python", "Python", "Python"],
  ["go", "Go", "Go"],
  ["local", "One machine", "Auf einem Rechner"],
  ["deploy", "Deployment", "Auf AWS"],
  ["operations", "Operations", "Betrieb"],
  ["upgrades", "Upgrades", "Upgrades"],
  ["transfer", "Export and import", "Export und Import"],
  ["privacy", "Privacy", "Datenschutz"],
  ["promises", "Promises", "Zusagen"],
];
