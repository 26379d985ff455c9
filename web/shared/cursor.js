// Stores which entries were shown, so an overlay does not repeat them after a browser crash. IndexedDB with strict
// durability writes to disk before a transaction completes. localStorage writes later and may lose the last value.

const STORE = "cursors";

/** @returns {Promise<IDBDatabase>} */
function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("event-capture", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * Opens a named, stored cursor. If the browser provides no storage, `get` returns null and `set` does nothing.
 *
 * @param {string} name
 * @returns {Promise<{get: () => Promise<any>, set: (value: object) => Promise<void>}>}
 */
export async function openCursor(name) {
  /** @type {IDBDatabase} */
  let database;
  try {
    database = await open();
  } catch {
    return { get: async () => null, set: async () => {} };
  }
  return {
    get: () =>
      new Promise((resolve) => {
        const request = database.transaction(STORE).objectStore(STORE).get(name);
        request.onsuccess = () => resolve(request.result ?? null);
        request.onerror = () => resolve(null);
      }),
    set: (value) =>
      new Promise((resolve) => {
        const transaction = database.transaction(STORE, "readwrite", { durability: "strict" });
        transaction.objectStore(STORE).put(value, name);
        transaction.oncomplete = () => resolve();
        transaction.onerror = () => resolve();
        transaction.onabort = () => resolve();
      }),
  };
}
