// Elements at the end of the page. A browser forgets that a dialog is modal if its element moves, and lists next to an
// open dialog may grow.

import { Console, html, render, useConsole, useLayoutEffect, useRef } from "./parts.js";

/**
 * Renders its children at the end of the page. The focus returns to the previously focused element.
 *
 * @param {{children?: any}} props
 */
export function AtEnd({ children }) {
  const context = useConsole();
  const host = useRef(/** @type {any} */ (null));
  useLayoutEffect(() => {
    const opener = /** @type {HTMLElement | null} */ (document.activeElement);
    host.current = document.body.appendChild(document.createElement("div"));
    return () => {
      render(null, host.current);
      host.current.remove();
      if (opener?.isConnected && document.activeElement === document.body) opener.focus({ preventScroll: true });
    };
  }, []);
  useLayoutEffect(() => render(html`<${Console.Provider} value=${context}>${children}<//>`, host.current));
  return null;
}
