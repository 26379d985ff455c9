// The view for an unknown address.

import { Problem, html, useConsole } from "../shared/parts.js";

export function View() {
  const { say } = useConsole();
  return html`<h1>${say("not_found")}</h1><${Problem} error=${{ status: 404 }} />`;
}
