// Modal dialogs.

import { AtEnd } from "../shared/at-end.js";
import { Icon, html, useConsole, useEffect, useRef } from "../shared/parts.js";

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
  // A click outside the dialog does not discard what was typed into a form.
  const isTyped = useRef(false);
  const onInput = (/** @type {any} */ { target }) => (isTyped.current ||= Boolean(target.form));
  const onClick = (/** @type {any} */ { target }) => target === dialog.current && !isTyped.current && onClose();
  useEffect(() => {
    dialog.current.showModal();
    // The browser selects the first element, which closes the dialog.
    if (className !== "drawer") dialog.current.querySelector("form :is(input, select, textarea)")?.focus();
  }, []);
  return html`<dialog ref=${dialog} class=${className} aria-label=${title} onClose=${onClose} onInput=${onInput}
    onClick=${onClick}>
    <header class="bar spread">
      <h2 dir="auto">${title}</h2>
      <button class="quiet" aria-label=${say("close")} onClick=${onClose}><${Icon} name="cross" /></button>
    </header>
    ${children}
  </dialog>`;
}
