// The view for an unknown address.

import { Empty, html, useConsole } from "../shared/parts.js";

export function View() {
  const { say } = useConsole();
  return html`<h1>${say("not_found")}</h1>
    <${Empty}>${say("not_found.view")} <a href="#/">${say("nav.overview")}</a><//>`;
}
