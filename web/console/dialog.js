// Modal dialogs. They are at the end of the page, because a browser forgets that a dialog is modal if its element
// moves, and lists beside a dialog grow while it is open.

import { Console, html, render, useConsole, useEffect, useLayoutEffect, useRef } from "./parts.js";

/**
 * A modal dialog. `onClose` is called when the user closes it. The focus returns to the element that had it.
 *
 * @param {any} props
 */
export function Dialog(props) {
  const context = useConsole();
  const host = useRef(null);
  useLayoutEffect(() => {
    const opener = /** @type {HTMLElement | null} */ (document.activeElement);
    host.current = document.body.appendChild(document.createElement("div"));
    return () => {
      render(null, host.current);
      host.current.remove();
      if (opener?.isConnected && document.activeElement === document.body) opener.focus({ preventScroll: true });
    };
  }, []);
  useLayoutEffect(() => render(html`<${Console.Provider} value=${context}><${Modal} ...${props} /><//>`, host.current));
  return null;
}

/** @param {{title: string, onClose: () => void, children?: any, className?: string}} props */
function Modal({ title, onClose, children, className = "" }) {
  const { say } = useConsole();
  const dialog = useRef(null);
  useEffect(() => dialog.current.showModal(), []);
  return html`<dialog ref=${dialog} class=${className} aria-label=${title} onClose=${onClose}
    onClick=${(event) => event.target === dialog.current && onClose()}>
    <header class="bar spread">
      <h2 dir="auto">${title}</h2>
      <button class="quiet" onClick=${onClose}>${say("close")}</button>
    </header>
    ${children}
  </dialog>`;
}
