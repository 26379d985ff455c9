// The key that stops all alerts, chosen by the user.

import { local } from "../../shared/page.js";
import { html, useConsole, useLayoutEffect, useState } from "../../shared/parts.js";

const DEFAULT_KEY = "Pause";
const STORED_KEY = "stop_key";
// The keys that browsers and pages use themselves.
const TAKEN =
  /^(F([13567]|1[012])|Tab|Enter|Escape| |Backspace|Delete|Home|End|Page.*|Arrow.*|Dead|Unidentified)$/;
const MODIFIER = /^(Shift|Control|Alt|AltGraph|Meta|CapsLock|OS|Fn)$/;

/** Returns the chosen key. */
const stopKey = () => local.get(STORED_KEY) ?? DEFAULT_KEY;

/** Returns true if a key may stop the alerts. @param {KeyboardEvent} event */
const isFree = ({ key, ctrlKey, altKey, metaKey }) => !ctrlKey && !altKey && !metaKey && !TAKEN.test(key);

/** Returns true if a key is part of a text being typed. @param {KeyboardEvent} event */
const isTyped = ({ key, target }) =>
  key.length === 1 && Boolean(/** @type {Element} */ (target).closest?.("input, textarea, select, [contenteditable]"));

/** Returns true if an event is a press of the chosen key. @param {KeyboardEvent} event */
export const isStopKey = (event) => event.key === stopKey() && !event.repeat && isFree(event) && !isTyped(event);

/** A button that shows the key and lets the user press another. */
export function StopKey({ className = "quiet" }) {
  const { say } = useConsole();
  const [key, setKey] = useState(stopKey());
  const [isChoosing, setChoosing] = useState(false);
  // The next key may follow the click before the next frame.
  useLayoutEffect(() => {
    if (!isChoosing) return undefined;
    const choose = (/** @type {KeyboardEvent} */ event) => {
      if (event.repeat || MODIFIER.test(event.key)) return;
      if (isFree(event)) {
        // The new key must not stop the alerts yet.
        event.stopImmediatePropagation();
        event.preventDefault();
        local.set(STORED_KEY, event.key);
        setKey(event.key);
      }
      setChoosing(false);
    };
    addEventListener("keydown", choose, { capture: true });
    return () => removeEventListener("keydown", choose, { capture: true });
  }, [isChoosing]);
  return html`<button class=${className} aria-live="polite" onClick=${() => setChoosing(!isChoosing)}>
    ${isChoosing ? say("queue.press") : html`${say("queue.key")} <kbd>${key.length === 1 ? key.toUpperCase() : key}</kbd>`}
  </button>`;
}
