// The time since something happened. Its title is the exact time.

import { html, useConsole } from "../shared/parts.js";

/** @param {{time: string}} props */
export function When({ time }) {
  const { say } = useConsole();
  return html`<time datetime=${time} title=${say.time(time)}>${say.ago(time)}</time>`;
}
