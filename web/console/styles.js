// Loads styles beside the modules that need them, and the typeface with the first of them, after the first view.

import { files } from "../shared/files.js";
import { typeface } from "../shared/typeface.js";

/** @type {Map<string, Promise<any>>} */
const loading = new Map();

/** Loads a style sheet once. Resolves also if that fails: a plain view is better than none. @param {string} name */
function load(name) {
  if (!loading.has(name)) {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: `${files}/console/${name}` });
    loading.set(name, new Promise((resolve) => (link.onload = link.onerror = resolve)));
    document.head.append(link);
  }
  return loading.get(name);
}

/**
 * Loads a module with the styles of all views and its own. Resolves when they apply, since a component that is shown
 * before them would move.
 *
 * @template T
 * @param {Promise<T>} module
 * @param {string[]} names
 * @returns {Promise<T>}
 */
export async function withStyles(module, ...names) {
  const [loaded] = await Promise.all([module, ...["views.css", ...names].map(load)]);
  typeface();
  return loaded;
}
