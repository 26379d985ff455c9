// Components and hooks that the views share.

import { Component, createContext, html, render, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../shared/vendor/htm-preact.js";
import { ICONS } from "../shared/icons.js";

export { Component, createContext, html, render, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState };

// The distance of a list's end from the viewport at which the next page is loaded.
const SCROLL_MARGIN = "600px";

/** The context of all views: `client`, `subscribe`, `say`, `connected`, `parameters` and `setParameters`. */
export const Console = createContext(null);
export const useConsole = () => useContext(Console);

/** An icon of `shared/icons.js`. A text beside it has its meaning. */
export const Icon = ({ name }) => html`<svg class=${`icon ${name}`} viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS[name] ?? ICONS.plain} fill="currentColor" /></svg>`;

/** True if a request may succeed later: the service was unreachable or busy, or had a fault. A module that cannot be loaded is a TypeError. */
export const isRetryable = (error) => error.isRetryable ?? ["ConnectionError", "TypeError"].includes(error.name);

/** An error message, with all violations of the request, and a remedy. */
export function Problem({ error, onRetry }) {
  const { say, replaceToken } = useConsole();
  if (!error) return null;
  const violations = error.errors ?? [];
  return html`<div class="error" role="alert">
    <p>${isRetryable(error) ? say("unreachable") : (error.detail ?? error.message)}</p>
    ${error.status === 403 && html`<button onClick=${() => replaceToken(error)}>${say("token.other")}</button>`}
    ${onRetry && html`<button onClick=${onRetry}>${say("retry")}</button>`}
    ${violations.length > 0 && html`<ul>${violations.map(({ pointer, parameter, detail }) => html`<li><code>${pointer ?? parameter}</code> ${detail}</li>`)}</ul>`}
  </div>`;
}

/** A placeholder for content that is being loaded. */
export const Skeleton = ({ rows = 3 }) => {
  const { say } = useConsole();
  return html`<div class="skeleton" role="status" aria-label=${say("loading")}>${Array.from({ length: rows }, () => html`<div></div>`)}</div>`;
};

/** The message of an empty view. */
export const Empty = ({ children }) => html`<p class="card quiet empty" role="status">${children}</p>`;

/** The end of a list, with a button for the next page. With `scrolls`, scrolling to the end also loads it. */
export function More({ list, scrolls }) {
  const { say } = useConsole();
  const end = useRef(null);
  useEffect(() => {
    if (!scrolls || !end.current) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry.isIntersecting && list.more(), { rootMargin: SCROLL_MARGIN });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [scrolls, list.next, list.busy]);
  if (list.error) return html`<${Problem} error=${list.error} onRetry=${list.more} />`;
  if (list.busy) return html`<${Skeleton} />`;
  return list.next && html`<p ref=${end}><button onClick=${list.more}>${say("more")}</button></p>`;
}

/** Wraps a component so that it renders only if a prop has changed. In a long list, only new rows render. */
export function memoized(Inner) {
  return class extends Component {
    shouldComponentUpdate(props) {
      return Object.keys(props).some((name) => props[name] !== this.props[name]);
    }

    render(props) {
      return html`<${Inner} ...${props} />`;
    }
  };
}
