// A problem in plain words, with its fix and the next step. Loaded when needed, and before the service can be away.

import { parseHash } from "./address.js";
import { Icon, attempts, html, isRetryable, useConsole, useEffect, useState, violationText } from "../shared/parts.js";

/**
 * Returns the name of an error's texts, or null if its message is already one of the page's texts.
 *
 * @param {any} error
 * @param {any} say
 */
function keyOf(error, say) {
  if (say.has(`error.${error.code}`)) return error.code;
  if (!error.status) return isRetryable(error) ? "unreachable" : null;
  if (error.status >= 500 || error.status === 429) return error.status === 500 ? "internal_error" : "unavailable";
  return error.status === 404 ? "record_not_found" : "refused";
}

/**
 * Returns what happened and how to fix it, in the reader's language. The service writes its details in English.
 *
 * @param {any} error
 * @param {any} say
 * @returns {{what: string, how: string}}
 */
export function explain(error, say) {
  const key = keyOf(error, say);
  // A text of the page.
  if (!key) return { what: error.message, how: error.how ?? "" };
  const values = { scope: /`(\w+)`/.exec(error.detail)?.[1] ?? "" };
  const what = say(key === "unreachable" ? key : `error.${key}`, values);
  return { what, how: say.has(`fix.${key}`) ? say(`fix.${key}`, values) : "" };
}

/** Returns what happened. @param {any} error @param {any} say */
export const errorText = (error, say) => explain(error, say).what;

/** The seconds until the next attempt. Screen readers announce the error once. @param {{error: any}} props */
export function Countdown({ error }) {
  const { say } = useConsole();
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  // The next attempt may be rescheduled when the connection changes.
  const seconds = Math.max(0, Math.ceil(((attempts.get(error) ?? now) - now) / 1_000));
  const text = seconds > 0 ? say("attempt", { seconds }) : say("attempt.now");
  return html`<p class="quiet countdown" aria-hidden="true">${text}</p>`;
}

/** Returns true if the view or the record that the address names does not exist. @param {any} error */
const isMissing = (error) => {
  const { view, id, parameters } = parseHash(location.hash);
  return error.status === 404 && Boolean(!view || id || parameters.get("open"));
};

/**
 * The next step after an error: another token, the list without the missing record, or another attempt.
 *
 * @param {{error: any, onRetry: any}} props
 */
const Way = ({ error, onRetry }) => {
  const { say, replaceToken } = useConsole();
  const { view = "overview", parameters } = parseHash(location.hash);
  const resource = parameters.get("resource");
  if (error.status === 403 && error.code !== "origin_not_allowed") {
    return html`<button onClick=${() => replaceToken(error)}>${say("token.other")}</button>`;
  }
  if (isMissing(error)) {
    const list = `#/${view}${resource ? `?${new URLSearchParams({ resource })}` : ""}`;
    return html`<a class="button" href=${list}>${say("error.back", { view: say(`nav.${view}`) })}</a>`;
  }
  return onRetry ? html`<button class="again" onClick=${onRetry}>${say("retry")}</button>` : null;
};

/**
 * A card for an error, with all of the request's violations.
 *
 * @param {{error: any, onRetry: any, isLarge: boolean}} props
 */
export function Card({ error, onRetry, isLarge }) {
  const { say } = useConsole();
  const { what, how } = explain(error, say);
  const violations = (error.errors ?? []).map((/** @type {any} */ violation) => {
    const name = violation.pointer?.slice(1) ?? violation.parameter;
    return html`<li>
      ${say.has(`field.${name}`) ? html`<strong>${say(`field.${name}`)}</strong>` : html`<code>${name}</code>`}${" "}
      ${violationText(violation, say)}
    </li>`;
  });
  return html`<div class=${`error problem ${isLarge || isMissing(error) ? "large" : ""}`} role="alert">
    <${Icon} name="warning" />
    <div>
      <p><strong>${what}</strong></p>
      ${violations.length > 0 && html`<ul>${violations}</ul>`}
      ${how && html`<p class="quiet">${how}</p>`}
      ${attempts.has(error) && html`<${Countdown} error=${error} />`}
    </div>
    <${Way} error=${error} onRetry=${onRetry} />
  </div>`;
}
