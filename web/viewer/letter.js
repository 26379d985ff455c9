// A letter: its picture with the stamps, its wax seal, and its words.

import { html, useConsole, useEffect, useRef } from "../console/parts.js";
import { messageOf } from "../shared/kinds.js";
import { picture } from "../shared/picture.js";
import { Dialog } from "./dialog.js";
import { Seal } from "../shared/seal.js";

/** The picture of a document with its stamps. @param {{source: any, label: string}} props */
function Picture({ source, label }) {
  const frame = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    let isStale = false;
    // A picture that was deleted leaves its paper empty.
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

/** A letter in full size. @param {{event: any, onClose: () => void}} props */
export function OpenLetter({ event, onClose }) {
  const { say } = useConsole();
  const { document, occurred_at: time } = event;
  const message = messageOf(event);
  return html`<${Dialog} title=${say("letter.of", { date: say.date(time) })} className="open-letter" onClose=${onClose}>
    <div class="paper">
      <${Picture} source=${document} label=${say("letter.of", { date: say.date(time) })} />
      <${Seal} seal=${document.seal} />
    </div>
    ${message && html`<p class="words" dir="auto">${message}</p>`}
    <p class="quiet">
      ${say("letter.seal", { number: String(document.seal) })}.${" "}
      ${say("letter.stamps", { many: document.stamps.length })}
    </p>
  <//>`;
}
