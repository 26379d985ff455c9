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
export const Icon = ({ of }) => html`<svg class=${`icon ${of}`} viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS[of] ?? ICONS.plain} fill="currentColor" /></svg>`;

/** The picture of a document. Empty while its image loads, or if it cannot be loaded. */
export function Picture({ of, label }) {
  const container = useRef(null);
  useEffect(() => {
    let isStale = false;
    import("../shared/picture.js")
      .then(({ picture }) => picture(of, label))
      .then((svg) => isStale || container.current?.replaceChildren(svg))
      .catch(() => {});
    return () => {
      isStale = true;
    };
  }, [of.document_id, JSON.stringify(of.stamps)]);
  return html`<div ref=${container}></div>`;
}

/** True if a request may succeed later: the service was not reachable, busy, or had a fault. */
export const isPassing = (error) => error.isPassing ?? (error instanceof TypeError || error.name === "TimeoutError");

/** An error message, with all violations that the service reports, and what the user can do. */
export function Problem({ of, onRetry }) {
  const { say, replaceToken } = useConsole();
  if (!of) return null;
  const violations = of.errors ?? [];
  return html`<div class="error" role="alert">
    <p>${isPassing(of) ? say("unreachable") : of.message}</p>
    ${of.status === 403 && html`<button onClick=${() => replaceToken(of)}>${say("token.other")}</button>`}
    ${onRetry && html`<button onClick=${onRetry}>${say("retry")}</button>`}
    ${violations.length > 0 && html`<ul>${violations.map((one) => html`<li><code>${one.pointer ?? one.parameter}</code> ${one.detail}</li>`)}</ul>`}
  </div>`;
}

/** The place of content that is being loaded. */
export const Skeleton = ({ rows = 3 }) => {
  const { say } = useConsole();
  return html`<div class="skeleton" role="status" aria-label=${say("loading")}>${Array.from({ length: rows }, () => html`<div></div>`)}</div>`;
};

/** What an empty view says: what is missing, and what to do next. */
export const Empty = ({ children }) => html`<p class="card quiet empty" role="status">${children}</p>`;

/** The end of a list, with a button for the next page. With `scrolls`, the page also loads when the end comes near. */
export function More({ of, scrolls }) {
  const { say } = useConsole();
  const end = useRef(null);
  useEffect(() => {
    if (!scrolls || !end.current) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry.isIntersecting && of.more(), { rootMargin: SCROLL_MARGIN });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [scrolls, of.next, of.busy]);
  if (of.error) return html`<${Problem} of=${of.error} onRetry=${of.more} />`;
  if (of.busy) return html`<${Skeleton} />`;
  return of.next && html`<p ref=${end}><button onClick=${of.more}>${say("more")}</button></p>`;
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
