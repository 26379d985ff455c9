// A modal dialog. Esc, the button and a click outside close it.

import { AtEnd } from "../shared/at-end.js";
import { html, useConsole, useLayoutEffect, useRef } from "../shared/parts.js";

/** @param {any} props */
export const Dialog = (props) => html`<${AtEnd}><${Modal} ...${props} /><//>`;

/** @param {{title: string, className?: string, onClose: () => void, children?: any}} props */
function Modal({ title, className = "", onClose, children }) {
  const { say } = useConsole();
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useLayoutEffect(() => dialog.current?.showModal(), []);
  // A closing dialog restores the focus.
  const close = () => dialog.current?.close();
  const onClick = (/** @type {any} */ event) => event.target === dialog.current && close();
  return html`<dialog ref=${dialog} class=${className} aria-labelledby="dialog-title"
    onClose=${onClose} onClick=${onClick}>
    <div class="inside">
      <div class="top">
        <h2 id="dialog-title" dir="auto">${title}</h2>
        <button class="close" aria-label=${say("close")} onClick=${close}>✕</button>
      </div>
      ${children}
    </div>
  </dialog>`;
}
