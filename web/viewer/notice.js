// Replacements for content: a message about the link or the connection, and the text for an empty list.

import { html, isRetryable, useConsole } from "../shared/parts.js";
import { Egg } from "../shared/egg.js";

/** A message in place of the page. @param {{text: string}} props */
export const Notice = ({ text }) => html`<section class="notice" role="alert">
  <svg viewBox="0 0 64 48" aria-hidden="true">
    <rect x="4" y="6" width="56" height="38" rx="5" fill="var(--card)" stroke="currentColor" stroke-width="3" />
    <path d="m5 9 27 21L59 9" fill="none" stroke="currentColor" stroke-width="3" stroke-linejoin="round" />
    <circle cx="32" cy="30" r="8" fill="var(--raid)" />
  </svg>
  <p>${text}</p>
</section>`;

/** The page without a link. */
export function Welcome() {
  const { say } = useConsole();
  return html`<section class="notice">
    <${Egg} />
    <h1>${say("link.none")}</h1>
    <p>${say("link.none_how")}</p>
  </section>`;
}

/**
 * Returns an error in plain words.
 *
 * @param {any} error
 * @param {any} say
 */
export function wordsOf(error, say) {
  if (isRetryable(error)) return say("unreachable");
  if (error.status === 401) return say("link.ended");
  if (error.status === 403 || error.code === "record_not_found") return say("link.other");
  return say("failed");
}

/** A message above a list that could not be loaded. @param {{error: any}} props */
export function Failure({ error }) {
  const { say } = useConsole();
  return error && html`<p class="failure" role="alert">${wordsOf(error, say)}</p>`;
}

/** A placeholder for a list that is being loaded. */
export const Waiting = () => html`<div class="skeleton waiting" aria-hidden="true"><div></div></div>`;

/** The text for an empty list. @param {{children?: any}} props */
export const Nothing = ({ children }) => html`<p class="nothing">${children}</p>`;

/** The button for a list's next page, and the last page's error. @param {{list: any, label: string}} props */
export function Next({ list, label }) {
  return html`<${Failure} error=${list.error} />
    ${list.next && !list.busy && !list.error && html`<button class="next" onClick=${list.more}>${label}</button>`}`;
}
