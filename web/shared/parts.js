// Components and hooks that the views share.

import { Component, createContext, html, render, useContext } from "./vendor/htm-preact.js";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "./vendor/htm-preact.js";
import { ICONS } from "./icons.js";

export { Component, createContext, html, render, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState };

// The distance between a list's end and the viewport at which the next page is loaded.
const SCROLL_MARGIN = "600px";

/**
 * The context of all views: `client`, `subscribe`, `say`, `connected`, `parameters` and `setParameters`, and
 * `loadCard`, which loads the card for a problem.
 */
export const Console = createContext(null);
export const useConsole = () => useContext(Console);

/** An icon from `shared/icons.js`. Adjacent text conveys its meaning. @param {{name: string}} props */
export const Icon = ({ name }) => html`<svg class=${`icon ${name}`} viewBox="0 0 24 24" aria-hidden="true">
  <path d=${ICONS[name] ?? ICONS.plain} fill="currentColor" />
</svg>`;

/**
 * Returns true if a request may succeed later: the service was unreachable, busy or failing. A module that cannot be
 * loaded is a TypeError.
 *
 * @param {any} error
 */
export const isRetryable = (error) => error.isRetryable ?? ["ConnectionError", "TypeError"].includes(error.name);

/** The time of the next attempt after an error, in milliseconds. @type {WeakMap<Error, number>} */
export const attempts = new WeakMap();

/**
 * Makes an error's message count down to the next attempt, in `wait` milliseconds. Returns `wait`.
 *
 * @param {any} error
 * @param {any} wait
 */
export function countDown(error, wait) {
  if (isRetryable(error)) attempts.set(error, Date.now() + wait);
  return wait;
}

/** The card for a problem, after it is loaded. */
let card = /** @type {any} */ (null);

/**
 * A problem's cause, its fix, and the next step. It is large in place of content. If the service requires another
 * token, a dialog says so.
 *
 * @param {{error: any, onRetry?: any, isLarge?: boolean}} props
 */
export function Problem({ error, ...rest }) {
  const { say, loadCard } = useConsole();
  const [Card, setCard] = useState(() => card);
  useEffect(() => {
    if (!error || Card) return;
    const show = (/** @type {any} */ loaded) => setCard(() => (card = loaded.Card));
    say.withTexts(loadCard(), "errors").then(show, () => {});
  }, [error]);
  if (!error || error.status === 401) return null;
  if (Card) return html`<${Card} error=${error} ...${rest} />`;
  return isRetryable(error) && html`<p class="error" role="alert">${say("unreachable")}</p>`;
}

/**
 * The attributes of an invalid field. Its name stays its label, which also contains the reason.
 *
 * @param {string} label
 * @param {string} reason Empty if the value is valid.
 */
export const invalidField = (label, reason) =>
  reason ? { "aria-invalid": "true", "aria-label": label, "aria-description": reason } : {};

/**
 * Returns why a value is invalid: a text for common reasons, otherwise the service's detail in English.
 *
 * @param {{code: string, detail: string}} violation
 * @param {any} say
 */
export const violationText = ({ code, detail }, say) => (say.has(`violation.${code}`) ? say(`violation.${code}`) : detail);

/** A placeholder in the shape of content: `rows`, `cards`, or boxes. */
export const Skeleton = ({ rows = 3, shape = "" }) => {
  const { say } = useConsole();
  const boxes = Array.from({ length: rows }, () => html`<div></div>`);
  return html`<div class=${`skeleton ${shape}`} role="status" aria-label=${say("loading")}>${boxes}</div>`;
};

/** An empty view's message. @param {{children?: any}} props */
export const Empty = ({ children }) => html`<p class="card quiet empty" role="status">${children}</p>`;

/**
 * A list's end, with a button for the next page. With `scrolls`, scrolling to the end also loads it.
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
  if (list.error) return html`<${Problem} error=${list.error} onRetry=${list.more} isLarge=${isEmpty} />`;
  if (list.busy) return html`<${Skeleton} rows=${list.size === 0 ? 8 : 3} shape="rows" />`;
  return list.next && html`<p ref=${end}><button onClick=${list.more}>${say("more")}</button></p>`;
}

/**
 * Wraps a component to render only when a prop has changed. In a long list, only new rows render.
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
