// What the views have in common.

import { Component, createContext, html, useContext, useEffect, useRef, useState } from "./vendor/htm-preact.js";
import { picture } from "./shared/picture.js";

export * from "./vendor/htm-preact.js";

// So far below what is seen, the next page is read.
const NEAR = "600px";

/** What every view knows: `api`, `say`, `wall` and so on. */
export const Console = createContext(null);
export const useConsole = () => useContext(Console);

/** A document's picture; nothing, while or where its image is not there. */
export function Picture({ of, label }) {
  const place = useRef(null);
  useEffect(() => {
    let gone = false;
    picture(of, label)
      .then((drawn) => gone || place.current?.replaceChildren(drawn))
      .catch(() => {});
    return () => {
      gone = true;
    };
  }, [of.document_id, JSON.stringify(of.stamps)]);
  return html`<div ref=${place}></div>`;
}

/** What went wrong, with all that the service says of it. */
export function Problem({ of }) {
  if (!of) return null;
  const wrong = of.problem?.errors ?? [];
  return html`<div class="error" role="alert">
    <p>${of.message}</p>
    ${wrong.length > 0 && html`<ul>${wrong.map((one) => html`<li><code>${one.pointer ?? one.parameter}</code> ${one.detail}</li>`)}</ul>`}
  </div>`;
}

/** What an event says in its first line. */
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

/** A component that is drawn anew only when it is given something else: a long list changes at its ends. */
function onChange(Shown) {
  return class extends Component {
    shouldComponentUpdate(given) {
      return Object.keys(given).some((name) => given[name] !== this.props[name]);
    }

    render(given) {
      return html`<${Shown} ...${given} />`;
    }
  };
}

/** An event as a row of the wall. */
export const EventRow = onChange(({ event, isNew }) => {
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

/** A list that is read page by page. `path` is its first page. */
export function usePages(path) {
  const { api } = useConsole();
  const [pages, setPages] = useState({ path: null, records: [], next: path, error: null, busy: false });
  const current = useRef(path);
  current.current = path;
  const more = async (from, before) => {
    setPages({ path, records: before, next: from, error: null, busy: true });
    try {
      const { records, next } = await api.page(from);
      if (current.current === path) setPages({ path, records: [...before, ...records], next, error: null, busy: false });
    } catch (error) {
      if (current.current === path) setPages({ path, records: before, next: from, error, busy: false });
    }
  };
  useEffect(() => {
    if (path) more(path, []);
  }, [path]);
  return { ...pages, more: () => more(pages.next, pages.records), again: () => more(path, []) };
}

/** The end of a list: its next page is read when the reader asks for it, or, where it `scrolls`, when the end comes near. */
export function More({ of, scrolls }) {
  const { say } = useConsole();
  const end = useRef(null);
  useEffect(() => {
    if (!scrolls || !end.current) return undefined;
    const near = new IntersectionObserver(([seen]) => seen.isIntersecting && of.more(), { rootMargin: NEAR });
    near.observe(end.current);
    return () => near.disconnect();
  }, [scrolls, of.next, of.busy]);
  if (of.error) return html`<${Problem} of=${of.error} />`;
  if (of.busy) return html`<p class="quiet" role="status">${say("loading")}</p>`;
  return of.next && html`<p ref=${end}><button onClick=${of.more}>${say("more")}</button></p>`;
}

/** A form: fields `{name, label, type, …}`; `send` is given their values, and its promise's problem is shown. */
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
      const said = await send(values);
      setDone(said ?? say("done"));
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

/** A key for a request that is to take effect once. */
export const once = () => ({ "Idempotency-Key": crypto.randomUUID() });
