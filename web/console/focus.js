// The focus of the keyboard, where what the user pressed is replaced.

import { useLayoutEffect, useRef } from "./parts.js";

/** Returns a reference to what gets the focus if it appears in place of a button that the user has just pressed. */
export function useFocus() {
  const target = useRef(/** @type {any} */ (null));
  useLayoutEffect(() => {
    if (document.activeElement === document.body && navigator.userActivation?.isActive) target.current?.focus();
  }, []);
  return target;
}
