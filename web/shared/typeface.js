// Loads the typeface. Pages import this module after their first view, which it would delay on a slow network.

const href = new URL("typeface.css", import.meta.url).href;
const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
const styled = new Promise((resolve) => (link.onload = link.onerror = resolve));
document.head.append(link);

/** Resolves when texts have the typeface, or if it cannot be loaded. */
export const typeface = () => styled.then(() => document.fonts.load("1rem Figtree")).catch(() => {});
