// The guides from the folder docs/, in the order of use: file name and title.

/** @type {[name: string, title: string][]} */
export const GUIDES = [
  ["api", "API"],
  ["errors", "Errors"],
  ["cookbook", "Cookbook"],
  ["python", "Python"],
  ["go", "Go"],
  ["twitch", "Twitch"],
  ["console", "Console"],
  ["overlay", "Overlay"],
  ["local", "One machine"],
  ["deploy", "Deployment"],
  ["operations", "Operations"],
  ["upgrades", "Upgrades"],
  ["transfer", "Export and import"],
  ["privacy", "Privacy"],
  ["promises", "Promises"],
];
