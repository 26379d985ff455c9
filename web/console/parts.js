// Components and hooks that the views share.

import { Component, createContext, html, render, useContext } from "../shared/vendor/htm-preact.js";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "../shared/vendor/htm-preact.js";
import { ICONS } from "../shared/icons.js";

export { Component, createContext, html, render, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState };

// The distance of a list's end from the viewport at which the next page is loaded.
const SCROLL_MARGIN = "600px";

/** The context of all views: `client`, `subscribe`, `say`, `connected`, `parameters` and `setParameters`. */
export const Console = createContext(null);
export const useConsole = () => useContext(Console);

/** An icon of `shared/icons.js`. A text beside it has its meaning. @param {{name: string}} props */
export const Icon = ({ name }) => html`<svg class=${`icon ${name}`} viewBox="0 0 24 24" aria-hidden="true">
  <path d=${ICONS[name] ?? ICONS.plain} fill="currentColor" />
</svg>`;

/**
 * True if a request may succeed later: the service was unreachable or busy, or had a fault. A module that cannot be
 * loaded is a TypeError.
 *
 * @param {any} error
 */
export const isRetryable = (error) => error.isRetryable ?? ["ConnectionError", "TypeError"].includes(error.name);

/** The time of the next attempt after an error, in milliseconds. @type {WeakMap<Error, number>} */
const attempts = new WeakMap();

/**
 * Lets the message of an error count down to the next attempt, which is after `wait` milliseconds. Returns `wait`.
 *
 * @param {any} error
 * @param {any} wait
 */
export function countDown(error, wait) {
  if (isRetryable(error)) attempts.set(error, Date.now() + wait);
  return wait;
}

/** The seconds until the next attempt. Screen readers hear of the error once. @param {{error: any}} props */
function Countdown({ error }) {
  const { say } = useConsole();
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  // The next attempt may be moved, because the connection has changed.
  const seconds = Math.max(0, Math.ceil(((attempts.get(error) ?? now) - now) / 1_000));
  return html`<span class="quiet" aria-hidden="true">${say("attempt", { seconds })}</span>`;
}

/**
 * Returns what happened, in the reader's language. The service writes its details in English.
 *
 * @param {any} error
 * @param {any} say
 */
export function errorText(error, say) {
  if (isRetryable(error)) return say("unreachable");
  const scope = /`(\w+)`/.exec(error.detail)?.[1] ?? "";
  return say.has(`error.${error.code}`) ? say(`error.${error.code}`, { scope }) : (error.detail ?? error.message);
}

/**
 * An error: what happened, when the next attempt is, all violations of the request, and a remedy.
 *
 * @param {{error: any, onRetry: any}} props
 */
export function Problem({ error, onRetry }) {
  const { say, replaceToken } = useConsole();
  if (!error) return null;
  // The service explains violations in English only, and better than a text for their code does.
  const violations = (error.errors ?? []).map(
    (/** @type {any} */ { pointer, parameter, code, detail }) => html`<li>
      <code>${pointer?.slice(1) ?? parameter}</code> ${say.has(`violation.${code}`) ? say(`violation.${code}`) : detail}
    </li>`,
  );
  return html`<div class="error problem" role="alert">
    <${Icon} name="warning" />
    <p>${errorText(error, say)}</p>
    ${attempts.has(error) && html`<${Countdown} error=${error} />`}
    ${error.status === 403 && html`<button onClick=${() => replaceToken(error)}>${say("token.other")}</button>`}
    ${onRetry && html`<button onClick=${onRetry}>${say("retry")}</button>`}
    ${violations.length > 0 && html`<ul>${violations}</ul>`}
  </div>`;
}

/** A placeholder for content in its shape: `rows`, `cards`, or one of boxes. `isLoading` is false after an error. */
export const Skeleton = ({ rows = 3, shape = "", isLoading = true }) => {
  const { say } = useConsole();
  const boxes = Array.from({ length: rows }, () => html`<div></div>`);
  if (!isLoading) return html`<div class=${`skeleton still ${shape}`} aria-hidden="true">${boxes}</div>`;
  return html`<div class=${`skeleton ${shape}`} role="status" aria-label=${say("loading")}>${boxes}</div>`;
};

/** The message of an empty view. @param {{children?: any}} props */
export const Empty = ({ children }) => html`<p class="card quiet empty" role="status">${children}</p>`;

/**
 * The end of a list, with a button for the next page. With `scrolls`, scrolling to the end also loads it.
 *
 * @param {{list: any, scrolls: any}} props
 */
export function More({ list, scrolls }) {
  const { say } = useConsole();
  const end = useRef(null);
  useEffect(() => {
    if (!scrolls || !end.current) return undefined;
    const options = { rootMargin: SCROLL_MARGIN };
    const observer = new IntersectionObserver(([entry]) => entry.isIntersecting && list.more(), options);
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [scrolls, list.next, list.busy]);
  const isEmpty = (list.size ?? list.records.length) === 0;
  if (list.error) return html`<${Problem} error=${list.error} onRetry=${list.more} />
    ${isEmpty && html`<${Skeleton} rows=${8} shape="rows" isLoading=${false} />`}`;
  if (list.busy) return html`<${Skeleton} rows=${list.size === 0 ? 8 : 3} shape="rows" />`;
  return list.next && html`<p ref=${end}><button onClick=${list.more}>${say("more")}</button></p>`;
}

/**
 * Wraps a component so that it renders only if a prop has changed. In a long list, only new rows render.
 *
 * @param {any} Inner
 */
export function memoized(Inner) {
  return class extends Component {
    shouldComponentUpdate(/** @type {any} */ props) {
      return Object.keys(props).some((name) => props[name] !== this.props[name]);
    }

    render(/** @type {any} */ props) {
      return html`<${Inner} ...${props} />`;
    }
  };
}
