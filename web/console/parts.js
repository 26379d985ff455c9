// Components and hooks that the views share.

import { Component, createContext, html, useContext, useEffect, useRef, useState } from "./vendor/htm-preact.js";
import { picture } from "./shared/picture.js";

export * from "./vendor/htm-preact.js";

// The distance of a list's end from the viewport at which the next page is loaded.
const SCROLL_MARGIN = "600px";

/** The context of all views: `api`, `subscribe`, `say`, `live` and `theme`. */
export const Console = createContext(null);
export const useConsole = () => useContext(Console);

/** The picture of a document. Empty while its image loads, or if it cannot be loaded. */
export function Picture({ of, label }) {
  const container = useRef(null);
  useEffect(() => {
    let isStale = false;
    picture(of, label)
      .then((svg) => isStale || container.current?.replaceChildren(svg))
      .catch(() => {});
    return () => {
      isStale = true;
    };
  }, [of.document_id, JSON.stringify(of.stamps)]);
  return html`<div ref=${container}></div>`;
}

/** An error message, with all violations that the service reports. */
export function Problem({ of }) {
  if (!of) return null;
  const violations = of.problem?.errors ?? [];
  return html`<div class="error" role="alert">
    <p>${of.message}</p>
    ${violations.length > 0 && html`<ul>${violations.map((one) => html`<li><code>${one.pointer ?? one.parameter}</code> ${one.detail}</li>`)}</ul>`}
  </div>`;
}

/** Returns the text of an event's first line, without the viewer's name. */
export function sentence(event, say) {
  switch (event.event_type) {
    case "cheer":
      return say("event.cheer", { amount: event.amount });
    case "raid":
      return say("event.raid", { viewers: event.viewer_count });
    case "subscriber":
      return say("event.subscriber", { months: event.subscribed_length, tier: String(event.tier) });
    default:
      return say("type.plain");
  }
}

/** Wraps a component so that it renders only if a prop has changed. In a long list, only new rows render. */
function memoized(Inner) {
  return class extends Component {
    shouldComponentUpdate(props) {
      return Object.keys(props).some((name) => props[name] !== this.props[name]);
    }

    render(props) {
      return html`<${Inner} ...${props} />`;
    }
  };
}

/** A row of a list of events. */
export const EventRow = memoized(({ event, isNew }) => {
  const { api, say } = useConsole();
  const [state, setState] = useState("");
  const replay = async () => {
    setState("…");
    try {
      await api.send("POST", "/alerts", { body: { event_id: event.event_id } });
      setState("✓");
    } catch (error) {
      setState(error.message);
    }
  };
  return html`<li class=${`row ${event.event_type} ${isNew ? "new" : ""}`}>
    <div class="when"><time datetime=${event.occurred_at}>${say.time(event.occurred_at)}</time></div>
    <div>
      <a href=${`#/viewers/${event.user_id}`}>${event.user_name}</a> <span class="kind">${sentence(event, say)}</span>
      ${event.message && html`<div class="words">${event.message}</div>`}
      ${event.document && html`<${Picture} of=${event.document} label=${say("overlay.document")} />`}
    </div>
    <button class="quiet" onClick=${replay} aria-label=${say("wall.replay_of", { name: event.user_name, what: sentence(event, say) })}>
      ${state || say("wall.replay")}
    </button>
  </li>`;
});

/**
 * Loads a list page by page. `path` is the path of the first page. `loadMore` appends the next page, and `reload`
 * starts again with the first one. A response that arrives after `path` has changed is ignored.
 */
export function usePages(path) {
  const { api } = useConsole();
  const [pages, setPages] = useState({ path: null, records: [], next: path, error: null, busy: false });
  const current = useRef(path);
  current.current = path;
  const load = async (from, before) => {
    setPages({ path, records: before, next: from, error: null, busy: true });
    try {
      const { records, next } = await api.page(from);
      if (current.current === path) setPages({ path, records: [...before, ...records], next, error: null, busy: false });
    } catch (error) {
      if (current.current === path) setPages({ path, records: before, next: from, error, busy: false });
    }
  };
  useEffect(() => {
    if (path) load(path, []);
  }, [path]);
  return { ...pages, loadMore: () => load(pages.next, pages.records), reload: () => load(path, []) };
}

/** The end of a list, with a button for the next page. With `scrolls`, the page also loads when the end comes near. */
export function More({ of, scrolls }) {
  const { say } = useConsole();
  const end = useRef(null);
  useEffect(() => {
    if (!scrolls || !end.current) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry.isIntersecting && of.loadMore(), { rootMargin: SCROLL_MARGIN });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [scrolls, of.next, of.busy]);
  if (of.error) return html`<${Problem} of=${of.error} />`;
  if (of.busy) return html`<p class="quiet" role="status">${say("loading")}</p>`;
  return of.next && html`<p ref=${end}><button onClick=${of.loadMore}>${say("more")}</button></p>`;
}

/**
 * A form of the fields `{name, label, type, …}`. `send` receives their values by name. The form shows the message that
 * its promise resolves to, or the error that it rejects with.
 */
export function Form({ fields, submit, send, children }) {
  const [error, setError] = useState(null);
  const [done, setDone] = useState("");
  const { say } = useConsole();
  const onSubmit = async (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    setError(null);
    setDone("");
    try {
      const values = Object.fromEntries(new FormData(form));
      const message = await send(values);
      setDone(message ?? say("done"));
      form.reset();
    } catch (error) {
      setError(error);
    }
  };
  return html`<form onSubmit=${onSubmit}>
    <div class="fields">
      ${fields.map(
        ({ name, label, options, ...rest }) => html`<label class="field">
          ${label}
          ${options
            ? html`<select name=${name} ...${rest}>${options.map((one) => html`<option value=${one.value ?? one}>${one.label ?? one}</option>`)}</select>`
            : html`<input name=${name} ...${rest} />`}
        </label>`,
      )}
    </div>
    ${children}
    <button class="main">${submit}</button> <span class="good" role="status">${done}</span>
    <${Problem} of=${error} />
  </form>`;
}

/** Returns headers with a new idempotency key. The service applies a request with them once, even if it is retried. */
export const idempotencyHeaders = () => ({ "Idempotency-Key": crypto.randomUUID() });
