// A button that changes something in the service.

import { html, useConsole, useState } from "../shared/parts.js";

/** Returns the attributes of a control that changes something. It is disabled while the service is away. */
export function useWrite() {
  const { say, status } = useConsole();
  return status === "reconnecting" ? { disabled: true, title: say("offline.write") } : {};
}

/**
 * A button. While it is `busy`, it is disabled and shows this after a moment. While the service is away, it is disabled and
 * says why. A dialog covers the bar that says so on the page, so the reason is next to the dialog's main button.
 *
 * @param {{children?: any, disabled?: boolean, busy?: boolean, onClick?: (event: any) => void, [name: string]: any}} props
 */
export function Write({ children, disabled = false, busy = false, onClick, ...rest }) {
  const { title, ...away } = useWrite();
  const isDisabled = disabled || busy || Boolean(away.disabled);
  // With the attribute `disabled`, it would lose the focus.
  return html`<button ...${rest} aria-disabled=${isDisabled || undefined} aria-busy=${busy || undefined} title=${title ?? rest.title}
      onClick=${(/** @type {Event} */ event) => (isDisabled ? event.preventDefault() : onClick?.(event))}>${children}</button>
    ${title && rest.class === "main" && html`<span class="bad away" role="status">${title}</span>`}`;
}

/**
 * Returns a function that sends a change of a record in a list, and one that returns why the last change failed, if it was
 * of this record.
 *
 * @param {() => void} reload Loads the list again, which the change may have made different even if it failed.
 */
export function useChanges(reload) {
  const [failed, setFailed] = useState(/** @type {{id: any, error: any}} */ ({ id: null, error: null }));
  const change = (/** @type {any} */ id, /** @type {Promise<any>} */ request) =>
    request.then(() => setFailed({ id: null, error: null }), (error) => setFailed({ id, error })).then(reload);
  return { change, errorOf: (/** @type {any} */ id) => (id === failed.id ? failed.error : null) };
}
