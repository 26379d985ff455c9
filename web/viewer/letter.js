// A letter: its picture with the stamps, its wax seal, and its text.

import { html, useConsole, useEffect, useLayoutEffect, useRef } from "../shared/parts.js";
import { messageOf } from "../shared/kinds.js";
import { picture } from "../shared/picture.js";
import { Dialog } from "./dialog.js";
import { Seal } from "../shared/seal.js";

/** A document's picture with its stamps. @param {{source: any, label: string}} props */
function Picture({ source, label }) {
  const frame = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    let isStale = false;
    // A deleted picture leaves its paper empty.
    picture(source, label).then((drawing) => !isStale && frame.current?.replaceChildren(drawing), () => {});
    return () => (isStale = true);
  }, [source.document_data, source.stamps.length]);
  return html`<span class="frame" ref=${frame}></span>`;
}

/** A closed letter in the gallery. @param {{event: any, onOpen: any}} props */
export function Letter({ event, onOpen }) {
  const { say } = useConsole();
  const { document, occurred_at: time } = event;
  const label = say("letter.of", { date: say.date(time) });
  return html`<button class="letter" onClick=${onOpen}>
    <${Picture} source=${document} label=${label} />
    <${Seal} seal=${document.seal} />
    <time datetime=${time}>${say.date(time)}</time>
  </button>`;
}

/**
 * A letter in full size. Buttons and arrow keys lead to the adjacent letters.
 *
 * @param {{event: any, newer: any, older: any, onOpen: (event: any) => void, onClose: () => void}} props
 */
export function OpenLetter({ event, newer, older, onOpen, onClose }) {
  const { say } = useConsole();
  const { document, occurred_at: time } = event;
  const message = messageOf(event);
  const title = say("letter.of", { date: say.date(time) });
  // A key press may follow as soon as the letter is visible.
  useLayoutEffect(() => {
    const onKeyDown = (/** @type {KeyboardEvent} */ { key }) => {
      const next = key === "ArrowLeft" ? newer : key === "ArrowRight" ? older : null;
      if (next) onOpen(next);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [newer, older]);
  const step = (/** @type {any} */ to, /** @type {string} */ name, /** @type {string} */ sign) =>
    html`<button aria-label=${say(`letter.${name}`)} disabled=${!to} onClick=${() => onOpen(to)}>${sign}</button>`;
  return html`<${Dialog} title=${title} className="open-letter" onClose=${onClose}>
    <div class="paper">
      <${Picture} source=${document} label=${title} />
      <${Seal} seal=${document.seal} />
    </div>
    ${message && html`<p class="words" dir="auto">${message}</p>`}
    <div class="steps">
      <p class="quiet">
        ${say("letter.stamps", { many: document.stamps.length })}
      </p>
      ${(newer || older) && html`<div>${step(newer, "newer", "‹")} ${step(older, "older", "›")}</div>`}
    </div>
  <//>`;
}
