// Loads modules together with their styles, and the typeface after the first of them.

import { files } from "../shared/files.js";
import { typeface } from "../shared/typeface.js";

/** @type {Map<string, Promise<any>>} */
const loading = new Map();

/**
 * Loads a style sheet once. Resolves also if that fails, since a plain view is better than none. The next view tries
 * again.
 *
 * @param {string} name
 */
function load(name) {
  const start = (/** @type {(value?: any) => void} */ resolve) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: `${files}/console/${name}` });
    link.onload = resolve;
    link.onerror = () => {
      loading.delete(name);
      link.remove();
      resolve();
    };
    document.head.append(link);
  };
  if (!loading.has(name)) loading.set(name, new Promise(start));
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
