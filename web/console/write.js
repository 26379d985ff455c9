// A button that changes something in the service.

import { html, useConsole, useLayoutEffect, useRef } from "../shared/parts.js";

/** Returns the attributes of a control that changes something. It is disabled while the service is away. */
export function useWrite() {
  const { say, status } = useConsole();
  return status === "reconnecting" ? { disabled: true, title: say("offline.write") } : {};
}

/**
 * A button. While the service is away, it is disabled and says why. A dialog covers the bar that says so on the page, so
 * the reason is next to the dialog's main button. A button that was disabled while it had the focus gets it back.
 *
 * @param {{children?: any, [name: string]: any}} props
 */
export function Write({ children, ...rest }) {
  const { title, ...disabled } = useWrite();
  const button = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const wasFocused = useRef(false);
  const isDisabled = Boolean(disabled.disabled || rest.disabled);
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    if (isDisabled) wasFocused.current = activeElement === button.current;
    else if (wasFocused.current && activeElement === body) button.current?.focus();
  }, [isDisabled]);
  return html`<button ref=${button} ...${rest} ...${disabled} title=${title ?? rest.title}>${children}</button>
    ${title && rest.class === "main" && html`<span class="bad away" role="status">${title}</span>`}`;
}
