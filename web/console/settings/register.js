// How to register an application at Twitch to get a client identifier.

import { Copy } from "../copy.js";
import { html, useConsole } from "../../shared/parts.js";

const CONSOLE = "https://dev.twitch.tv/console/apps/create";
const REDIRECT = "http://localhost";

/** @param {{children?: any}} props The children follow the last step: the field for the client identifier. */
export function Register({ children }) {
  const { say } = useConsole();
  const row = (/** @type {string} */ name, /** @type {any} */ value) =>
    html`<div><dt>${say(`register.${name}`)}</dt><dd>${value}</dd></div>`;
  return html`<ol class="register">
    <li>
      <p>
        <a href=${CONSOLE} target="_blank" rel="noopener noreferrer">${say("register.open")} ↗</a>
        ${" "}${say("register.with")}
      </p>
      <dl>
        ${row("name", html`<span class="quiet">${say("register.any_name")}</span>`)}
        ${row("redirect", html`<code>${REDIRECT}</code>
          <${Copy} text=${REDIRECT} description=${say("register.copy", { what: REDIRECT })} />`)}
        ${row("category", html`<strong>Application Integration</strong>`)}
        ${row("type", html`<strong>${say("register.public")}</strong>`)}
      </dl>
    </li>
    <li><p>${say("register.find")}</p>${children}</li>
  </ol>`;
}
