// A view's address. The URL's fragment selects the view and its filters, so links and reloads restore them.

import { withStyles } from "./styles.js";

/** The views. Their modules and styles are loaded on first use. @type {Record<string, any>} */
export const VIEWS = {
  __proto__: null,
  overview: () => import("./overview/overview.js"),
  activity: () => import("./activity/activity.js"),
  letters: () => withStyles(import("./letters/letters.js"), "letters/letters.css"),
  viewers: () => withStyles(import("./viewer/viewers.js"), "viewer/viewers.css"),
  store: () => withStyles(import("./store/store.js"), "store/store.css"),
  rules: () => withStyles(import("./rules/rules.js"), "store/store.css"),
  commands: () => withStyles(import("./commands/commands.js"), "store/store.css"),
  analytics: () => withStyles(import("./analytics/analytics.js"), "analytics/analytics.css"),
  alerts: () => withStyles(import("./alerts/alerts.js"), "alerts/alerts.css"),
  streams: () => withStyles(import("./streams/list.js"), "overview/overview.css"),
  settings: () => withStyles(import("./settings/settings.js"), "settings/settings.css"),
  data: () => withStyles(import("./data/data.js"), "data/data.css"),
};
/** The sidebar's views. The others are reached from these. */
export const NAV_VIEWS = Object.keys(VIEWS).filter((name) => name !== "data");
const DEFAULT_VIEW = "overview";
/** The views in a phone's bar. Its menu has the others. */
export const BAR_VIEWS = ["overview", "activity", "viewers", "alerts"];
/** These views show their rows with the first texts. */
export const EARLY_VIEWS = ["overview", "activity"];
/** The parts of the texts that each other view needs. @type {Record<string, any>} */
const TEXTS = {
  __proto__: null,
  letters: ["letters"],
  viewers: ["viewers"],
  viewer: ["viewers", "economy", "privacy"],
  store: ["economy"],
  rules: ["economy"],
  commands: ["economy"],
  analytics: ["analytics"],
  alerts: ["alerts"],
  streams: ["streams"],
  settings: ["settings"],
  data: ["data"],
};
/** Returns the parts of the texts for a view. @param {string} view @param {string} [id] @returns {string[]} */
export const textsOf = (view, id) => TEXTS[id && view === "viewers" ? "viewer" : view] ?? [];
/** Loads a view. @param {string} [name] @returns {Promise<any>} */
export const loadView = (name = "") => (VIEWS[name] ?? (() => withStyles(import("./not_found.js"))))();

/** Splits a fragment: `#/view/id?parameters`. Without a view, it is undefined. @param {string} hash */
export function parseHash(hash) {
  const [route, query] = hash.replace(/^#\/?/, "").split("?");
  const [name = DEFAULT_VIEW, id] = route.split("/").filter(Boolean);
  const view = VIEWS[name] && name;
  const isValid = !id || /^\d+$/.test(id);
  return { name, view: isValid ? view : undefined, id, parameters: new URLSearchParams(query) };
}

/** Typed parameters. Their letters share a history entry. */
const TYPED = ["search", "name", "bits"];

/**
 * Changes parameters in the URL, as a new history entry. An empty value removes a parameter.
 *
 * @param {any} changes
 * @param {boolean} [isSameEntry]
 */
export function changeParameters(changes, isSameEntry = false) {
  const { name: viewName, view, id, parameters } = parseHash(location.hash);
  const isTyped = (/** @type {any} */ [name, value]) => TYPED.includes(name) && value && parameters.get(name);
  const isChanged = (/** @type {any} */ [name, value]) => (parameters.get(name) ?? "") !== String(value ?? "");
  const isTyping = Object.entries(changes).filter(isChanged).every(isTyped);
  for (const [name, value] of Object.entries(changes)) {
    if (value) parameters.set(name, value);
    else parameters.delete(name);
  }
  const path = [view ?? viewName, id].filter(Boolean).join("/");
  const hash = `#/${path}${String(parameters) && `?${parameters}`}`;
  if (hash === location.hash || (location.hash === "" && hash === `#/${DEFAULT_VIEW}`)) return;
  history[isSameEntry || isTyping ? "replaceState" : "pushState"](null, "", hash);
}

/** Returns the scroll position from the URL. */
export const savedPosition = () => Number(parseHash(location.hash).parameters.get("y")) || 0;
