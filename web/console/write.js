// A button that changes something in the service.

import { html, useConsole } from "./parts.js";

/**
 * A button. While the service is away, it is disabled, and says why.
 *
 * @param {{children?: any, disabled?: any, [name: string]: any}} props
 */
export function Write({ children, disabled, ...rest }) {
  const { say, status } = useConsole();
  const isAway = status === "reconnecting";
  const why = isAway ? { title: say("offline.write") } : {};
  return html`<button ...${rest} ...${why} disabled=${disabled || isAway}>${children}</button>`;
}
