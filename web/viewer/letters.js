// The viewer's letters: the events with a document.

import { html, useConsole, useEffect, useState } from "../console/parts.js";
import { Letter, OpenLetter } from "./letter.js";
import { Failure, Nothing, Waiting } from "./notice.js";

// No filter finds events with a document, so the page reads so many events for one screen of letters.
const PAGE = 100;
const MAX_PAGES = 5;
const ENOUGH = 6;

/** Loads letters, the newest first, until there are some more or the history ends. */
function useLetters(id) {
  const { client } = useConsole();
  const [state, setState] = useState({
    letters: /** @type {any[]} */ ([]),
    next: /** @type {string | null} */ (`/users/${id}/events?limit=${PAGE}`),
    busy: true,
    error: /** @type {any} */ (null),
  });
  const more = async () => {
    setState((before) => ({ ...before, busy: true, error: null }));
    const found = [];
    let { next } = state;
    try {
      for (let pages = 0; next && pages < MAX_PAGES && found.length < ENOUGH; pages += 1) {
        const page = await client.page(next);
        found.push(...page.records.filter(({ document }) => document));
        next = page.next;
      }
      setState((before) => ({ letters: [...before.letters, ...found], next, busy: false, error: null }));
    } catch (error) {
      setState((before) => ({ ...before, busy: false, error }));
    }
  };
  useEffect(() => {
    more();
  }, []);
  return { ...state, more };
}

export function Letters({ id }) {
  const { say } = useConsole();
  const { letters, next, busy, error, more } = useLetters(id);
  const [open, setOpen] = useState(null);
  return html`<section class="card">
    <h2>${say("letters")}</h2>
    ${letters.length === 0 && busy && html`<${Waiting} />`}
    ${letters.length === 0 && !busy && !error &&
    html`<${Nothing}>${say(next ? "letters.none_yet" : "letters.empty")}<//>`}
    <ul class="letters">
      ${letters.map((event) => html`<li key=${event.event_id}>
        <${Letter} event=${event} onOpen=${() => setOpen(event)} />
      </li>`)}
    </ul>
    <${Failure} error=${error} />
    ${next && !busy && html`<button class="next" onClick=${more}>${say("letters.more")}</button>`}
    ${open && html`<${OpenLetter} event=${open} onClose=${() => setOpen(null)} />`}
  </section>`;
}
