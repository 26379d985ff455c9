// The overview before the first event: what to do, in this order.

import { html, useConsole, useState } from "./parts.js";
import { Twitch } from "./twitch.js";

const DEMO = "cargo run -- demo --live";

export function Begin() {
  const { say } = useConsole();
  const [copied, setCopied] = useState("");
  const copy = () => navigator.clipboard.writeText(DEMO).then(() => setCopied("copied"), () => setCopied("twitch.copy_failed"));
  return html`<div class="card">
    <p class="quiet" role="status">${say("activity.empty")}</p>
    <ol class="begin">
      <li class="done"><h3>${say("begin.service")}</h3></li>
      <li><div><h3>${say("begin.twitch")}</h3><${Twitch} isShort /></div></li>
      <li><div><h3>${say("begin.overlay")}</h3><a href="#/alerts">${say("begin.overlay_how")}</a></div></li>
    </ol>
    <p>${say("begin.demo")}</p>
    <p class="bar"><code class="address">${DEMO}</code> <button onClick=${copy}>${say("copy")}</button> <span class="good" role="status">${copied && say(copied)}</span></p>
  </div>`;
}
