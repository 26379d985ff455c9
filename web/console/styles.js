// Loads styles when their components are needed.

const loading = new Map();

/** Loads a file of styles once. Resolves when the styles apply, and if they cannot be loaded: a plain view is better than none. */
export function loadStyles(name) {
  if (!loading.has(name)) {
    const href = new URL(name, import.meta.url).href;
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    loading.set(name, new Promise((resolve) => (link.onload = link.onerror = resolve)));
    document.head.append(link);
  }
  return loading.get(name);
}
