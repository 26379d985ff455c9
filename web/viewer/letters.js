// The viewer's letters, a few at a time.

import { html, useConsole, useLayoutEffect, useRef, useState } from "../shared/parts.js";
import { Letter, OpenLetter } from "./letter.js";
import { Failure, Nothing, Waiting } from "./notice.js";

const SCREEN = 12;

/** @param {{found: ReturnType<typeof import("./use-letters.js").useLetters>}} props */
export function Letters({ found }) {
  const { say } = useConsole();
  const { letters, busy, error, search, hasSearched, hasFoundNone } = found;
  const [open, setOpen] = useState(null);
  const [count, setCount] = useState(SCREEN);
  const index = letters.indexOf(open);
  const isEmpty = letters.length === 0;
  // At the end of the letters, the button that has the focus is removed.
  const section = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    if (hasSearched && document.activeElement === document.body) section.current?.focus({ preventScroll: true });
  }, [busy]);
  return html`<section class="card" tabindex="-1" ref=${section}>
    <h2>${say("letters")}</h2>
    ${isEmpty && busy && html`<${Waiting} />`}
    ${isEmpty && !busy && !error && html`<${Nothing}>${say("letters.empty")}<//>`}
    <ul class="letters">
      ${letters.slice(0, count).map((event) => html`<li key=${event.event_id}>
        <${Letter} event=${event} onOpen=${() => setOpen(event)} />
      </li>`)}
    </ul>
    <${Failure} error=${error} />
    ${letters.length > count &&
    html`<button class="next" onClick=${() => setCount(count + SCREEN)}>${say("more")}</button>`}
    ${hasFoundNone && !busy && !error && html`<p class="quiet found" role="status">${say("letters.found_none")}</p>`}
    ${letters.length <= count && search && !(isEmpty && busy) &&
    html`<button class="next" aria-disabled=${busy} onClick=${() => busy || search()}>
      ${say(hasSearched ? "letters.further" : "letters.more")}</button>`}
    ${open && html`<${OpenLetter} event=${open} newer=${letters[index - 1]} older=${letters[index + 1]}
      onOpen=${setOpen} onClose=${() => setOpen(null)} />`}
  </section>`;
}
