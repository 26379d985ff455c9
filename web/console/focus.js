// The focus of the keyboard, after the button with the focus was replaced.

import { useLayoutEffect, useRef } from "../shared/parts.js";

// The longest time from a click to its result, in milliseconds.
const MAX_WAIT = 5_000;
let clickedAt = -Infinity;
// A key that presses a button is a click, too.
addEventListener("click", () => (clickedAt = performance.now()), true);

/** Moves the focus to the panel of a tab: what had it goes. */
export const focusPanel = () => document.getElementById("panel")?.focus({ preventScroll: true });

/** Returns a reference to what gets the focus if it appears in place of a button that the user has just pressed. */
export function useFocus() {
  const target = useRef(/** @type {any} */ (null));
  useLayoutEffect(() => {
    const isAfterClick = performance.now() - clickedAt < MAX_WAIT;
    if (isAfterClick && document.activeElement === document.body) target.current?.focus();
  }, []);
  return target;
}
