// Modal dialogs.

import { AtEnd } from "../shared/at-end.js";
import { html, useConsole, useEffect, useRef } from "../shared/parts.js";

/**
 * A modal dialog. `onClose` is called when the user closes it.
 *
 * @param {any} props
 */
export const Dialog = (props) => html`<${AtEnd}><${Modal} ...${props} /><//>`;

/** @param {{title: string, onClose: () => void, children?: any, className?: string}} props */
function Modal({ title, onClose, children, className = "" }) {
  const { say } = useConsole();
  const dialog = useRef(null);
  useEffect(() => {
    dialog.current.showModal();
    // The browser selects the first element, which closes the dialog.
    if (className !== "drawer") dialog.current.querySelector("form :is(input, select, textarea)")?.focus();
  }, []);
  return html`<dialog ref=${dialog} class=${className} aria-label=${title} onClose=${onClose}
    onClick=${(event) => event.target === dialog.current && onClose()}>
    <header class="bar spread">
      <h2 dir="auto">${title}</h2>
      <button class="quiet" onClick=${onClose}>${say("close")}</button>
    </header>
    ${children}
  </dialog>`;
}
