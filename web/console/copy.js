// A button that copies a text.

import { html, useConsole, useEffect, useState } from "../shared/parts.js";

/** A button that copies a text and confirms it. @param {{text: string, label?: string, description?: string}} props */
export function Copy({ text, label, description }) {
  const { say } = useConsole();
  const [done, setDone] = useState("");
  useEffect(() => setDone(""), [text]);
  const copy = async () => {
    try {
      // Pages loaded without TLS from another machine cannot use the clipboard.
      await navigator.clipboard.writeText(text);
      setDone("copied");
    } catch {
      setDone("twitch.copy_failed");
    }
  };
  return html`<button type="button" aria-label=${description} onClick=${copy}>${label ?? say("copy")}</button>${" "}
    <span class="good" role="status">${done && say(done)}</span>`;
}
