// Loads styles when their components are needed, and the typeface with the first of them: after the first look.

import "../shared/typeface.js";

const loading = new Map();

/**
 * Loads a file of styles once. Resolves when the styles apply, and if they cannot be loaded: a plain view is better
 * than none.
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

/** Resolves when all styles apply that are being loaded. A component that is shown before them would move. */
export const styled = () => Promise.all(loading.values());
