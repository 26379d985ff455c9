// The service's address, and the browser's storage.

/** The service's address: the part of the page's URL before `/console/`, `/overlay/`, `/viewer/` or `/docs/`. */
export const base = location.origin + location.pathname.replace(/\/(overlay|console|viewer|docs)(\/.*)?$/, "");

/**
 * Opens a storage, which some browser settings disable. Without it, values last until the page is closed.
 *
 * @param {"localStorage" | "sessionStorage"} name
 * @returns {Storage | null}
 */
const open = (name) => {
  try {
    return globalThis[name];
  } catch {
    return null;
  }
};

/** Wraps a storage. @param {"localStorage" | "sessionStorage"} name */
const wrap = (name) => ({
  get: (/** @type {string} */ key) => open(name)?.getItem(key) ?? null,
  set: (/** @type {string} */ key, /** @type {any} */ value) => {
    try {
      open(name)?.setItem(key, value);
    } catch {
      // The storage is full or disabled.
    }
  },
});

/** Values that the browser keeps: theme and language. */
export const local = wrap("localStorage");
/** Values that the tab shares with its frames: the access token. */
export const session = wrap("sessionStorage");
