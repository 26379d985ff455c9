// The viewers of a leaderboard, with their values.

import { html, useConsole } from "../shared/parts.js";

/** @param {{ranks: {value: number, user: any}[]}} props */
export function Ranks({ ranks }) {
  const { say } = useConsole();
  return html`<ol class="top">${ranks.map(({ value, user: { user_id: id, name } }) => html`<li key=${id}><div>
    <a class="name" dir="auto" title=${name} href=${`#/viewers/${id}`}>${name}</a>${" "}
    <span class="amount">${say.number(value)}</span>
  </div></li>`)}</ol>`;
}
