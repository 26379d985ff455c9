// How to write the entire channel to an archive, and how to store an archive in a service: commands to copy.

import { base } from "../../shared/page.js";
import { IS_RELEASE, PROGRAM } from "../../shared/program.js";
import { Copy } from "../copy.js";
import { html, useConsole } from "../../shared/parts.js";

const GUIDE = `${base}/docs/guides/?guide=transfer`;

/** A command with a copy button. @param {{text: string}} props */
function Command({ text }) {
  const { say } = useConsole();
  return html`<div class="command">
    <code class="address">${text.split(" ").map((word) => html`<span>${word}</span> `)}</code>
    <${Copy} text=${text} description=${`${say("copy")}: ${text}`} />
  </div>`;
}

export function Archive() {
  const { say, signOut: hasToken } = useConsole();
  const service = `--url ${base || location.origin}${hasToken ? " --token TOKEN" : ""}`;
  const token = (/** @type {string} */ scope) => `${PROGRAM} token create --scope ${scope} --name archive`;
  // A complete archive is not overwritten, so each day's backup has another name.
  const folder = `channel-${new Date().toLocaleDateString("sv")}`;
  const card = (/** @type {"export" | "import"} */ name) => html`<section
    class="card archive">
    <h2>${say(`archive.${name}`)}</h2>
    <p>${say(`archive.${name}_what`, { folder })}</p>
    <ol>
      <li>${say(IS_RELEASE ? `archive.${name}_first` : "archive.in_clone")}</li>
      <li>${say("archive.run")}<${Command} text=${`${PROGRAM} ${name} ${service} --${name === "export" ? "to" : "from"} ${folder}`} />
        ${hasToken && html`<p>${say("token.for_command")}</p>
          <${Command} text=${token(name === "export" ? "read" : "import")} />`}</li>
      <li>${say(`archive.${name}_result`, { folder })}</li>
    </ol>
  </section>`;
  return html`<div class="grid">
      ${card("export")}
      ${card("import")}
    </div>
    <p><a href=${GUIDE}>${say("archive.guide")}</a></p>`;
}
