// The time that has passed since something happened. Its title is the time itself.

import { html, useConsole } from "../shared/parts.js";

/** @param {{time: string}} props */
export function When({ time }) {
  const { say } = useConsole();
  return html`<time datetime=${time} title=${say.time(time)}>${say.ago(time)}</time>`;
}
