// A button that changes something in the service.

import { html, useConsole } from "../shared/parts.js";

/** Returns the attributes of a control that changes something. It is disabled while the service is away. */
export function useWrite() {
  const { say, status } = useConsole();
  return status === "reconnecting" ? { disabled: true, title: say("offline.write") } : {};
}

/**
 * A button. While it is `busy`, it is disabled and shows this after a moment, and says if the response takes long. While
 * the service is away, it is disabled. A bar says why, but a dialog covers the bar, so the reason is also next to the
 * dialog's main button.
 *
 * @param {{children?: any, disabled?: boolean, busy?: boolean, onClick?: (event: any) => void, [name: string]: any}} props
 */
export function Write({ children, disabled = false, busy = false, onClick, ...rest }) {
  const { say, status } = useConsole();
  const { title, ...away } = useWrite();
  const isUnanswered = busy && status !== "connected";
  const reason = isUnanswered ? say("offline.waiting") : title;
  const isDisabled = disabled || busy || Boolean(away.disabled);
  // With the attribute `disabled`, it would lose the focus.
  return html`<button ...${rest} aria-disabled=${isDisabled || undefined} aria-busy=${busy || undefined} title=${reason ?? rest.title}
      onClick=${(/** @type {Event} */ event) => (isDisabled ? event.preventDefault() : onClick?.(event))}>${children}</button>
    ${(isUnanswered || (reason && rest.class === "main")) &&
    html`<span class=${`bad ${isUnanswered ? "unanswered" : "away"}`} role="status">${reason}</span>`}`;
}
