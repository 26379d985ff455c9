// A button that changes something in the service.

import { html, useConsole } from "../shared/parts.js";

/** Returns the attributes of a control that changes something. It is disabled while the service is away. */
export function useWrite() {
  const { say, status } = useConsole();
  return status === "reconnecting" ? { disabled: true, title: say("offline.write") } : {};
}

/**
 * A button. While the service is away, it is disabled and says why.
 *
 * @param {{children?: any, [name: string]: any}} props
 */
export const Write = ({ children, ...rest }) => html`<button ...${rest} ...${useWrite()}>${children}</button>`;
