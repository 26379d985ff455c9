// Restores the keyboard focus after the focused button was replaced.

import { useLayoutEffect, useRef } from "../shared/parts.js";

// The longest time between a click and its result, in milliseconds.
const MAX_WAIT = 5_000;
let clickedAt = -Infinity;
// A key that presses a button also counts as a click.
addEventListener("click", () => (clickedAt = performance.now()), true);

/** Moves the focus to the tab's panel or the view, since the focused element disappears. */
export const focusPanel = () =>
  (document.getElementById("panel") ?? document.getElementById("main"))?.focus({ preventScroll: true });

/** Moves the focus from a list's entry that disappears to the next one, the one before, or the panel. */
export function focusNeighbour() {
  const entry = document.activeElement?.closest("li");
  const neighbour = entry?.nextElementSibling ?? entry?.previousElementSibling;
  const button = /** @type {HTMLElement | null | undefined} */ (neighbour?.querySelector("button"));
  if (button) button.focus();
  else focusPanel();
}

/** Returns a reference for an element that gets the focus if it replaces a button that the user has just pressed. */
export function useFocus() {
  const target = useRef(/** @type {any} */ (null));
  useLayoutEffect(() => {
    const isAfterClick = performance.now() - clickedAt < MAX_WAIT;
    if (isAfterClick && document.activeElement === document.body) target.current?.focus();
  }, []);
  return target;
}
