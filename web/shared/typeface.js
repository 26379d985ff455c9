// Loads the typeface. Pages call this after their first view, which it would delay on a slow network.

import { files } from "./files.js";

/** @type {Promise<any> | null} */
let loading = null;

/** Resolves when texts have the typeface, or if it cannot be loaded. */
export function typeface() {
  const load = () => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: `${files}/shared/typeface.css` });
    document.head.append(link);
    return new Promise((resolve) => (link.onload = link.onerror = resolve));
  };
  loading ??= load().then(() => document.fonts.load("1rem Figtree")).catch(() => {});
  return loading;
}
