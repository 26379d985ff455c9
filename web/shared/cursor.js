// The number of the last event that was shown, kept where a killed browser finds it again: localStorage is written later, IndexedDB at
// once where it is asked to be strict.

const STORE = "cursors";

function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("event-capture", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** The cursor of a page, by its name; without a place to keep it, it is forgotten with the page. */
export async function cursorOf(name) {
  let database = null;
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
    set: (number) =>
      new Promise((resolve) => {
        const transaction = database.transaction(STORE, "readwrite", { durability: "strict" });
        transaction.objectStore(STORE).put(number, name);
        transaction.oncomplete = () => resolve();
        transaction.onerror = () => resolve();
        transaction.onabort = () => resolve();
      }),
  };
}
