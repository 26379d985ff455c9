// How to write the entire channel to an archive, and how to store an archive in a service: commands to copy.

import { base } from "../../shared/page.js";
import { PROGRAM } from "../../shared/program.js";
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
  const card = (/** @type {"export" | "import"} */ name, /** @type {string} */ folder) => html`<section
    class="card archive">
    <h2>${say(`archive.${name}`)}</h2>
    <p>${say(`archive.${name}_what`)}</p>
    <ol>
      <li>${say(`archive.${name}_first`)}</li>
      <li>${say("archive.run")}<${Command} text=${`${PROGRAM} ${name} ${service} ${folder}`} />
        ${hasToken && html`<p>${say("token.for_command")}</p>
          <${Command} text=${token(name === "export" ? "read" : "import")} />`}</li>
      <li>${say(`archive.${name}_result`)}</li>
    </ol>
  </section>`;
  return html`<div class="grid">
      ${card("export", "--to channel")}
      ${card("import", "--from channel")}
    </div>
    <p><a href=${GUIDE}>${say("archive.guide")}</a></p>`;
}
