// Input that survives its dialog.

import { useLayoutEffect, useState } from "../shared/parts.js";

/** The input in dialogs that were closed without Save or Cancel, by what they edit. @type {Map<string, any>} */
const drafts = new Map();

/**
 * The values of a form in a dialog, which Escape and the cross keep for the next time. Returns the stored values from
 * before, those at the start, and the current ones. `discard` forgets the input, and then calls its parameter.
 *
 * @param {string} key
 * @param {any} stored
 */
export function useDraft(key, stored) {
  // A list may reload what is being edited.
  const [{ before, start }] = useState(() => drafts.get(key) ?? { before: stored, start: stored });
  const [values, setValues] = useState(start);
  useLayoutEffect(() => {
    if (Object.keys(before).some((name) => values[name] !== before[name])) drafts.set(key, { before, start: values });
    else drafts.delete(key);
  }, [values]);
  const set = (/** @type {any} */ changes) => setValues((/** @type {any} */ current) => ({ ...current, ...changes }));
  const discard = (/** @type {() => void} */ leave) => {
    drafts.delete(key);
    leave();
  };
  return { before, start, values, set, discard };
}
