// Loads styles when their components need them, and the typeface with the first of them, after the first view.

import "../shared/typeface.js";

const loading = new Map();

/**
 * Loads a style sheet once. Resolves when the styles apply, or if they cannot be loaded: a plain view is better than
 * none.
 *
 * @param {string} name
 */
export function loadStyles(name) {
  if (!loading.has(name)) {
    const href = new URL(name, import.meta.url).href;
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    loading.set(name, new Promise((resolve) => (link.onload = link.onerror = resolve)));
    document.head.append(link);
  }
  return loading.get(name);
}

/** Resolves when all loading styles apply. A component that is shown before them would move. */
export const styled = () => Promise.all(loading.values());
