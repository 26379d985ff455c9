// Actions on a letter: replay it on stream, save it as one picture, replace its picture, or delete it.

import { Confirmed } from "../forms.js";
import { html, useConsole, useRef, useState } from "../../shared/parts.js";
import { kindOf } from "../../shared/kinds.js";
import { letterBlob } from "./drawing.js";
import { addressOf } from "./filters.js";
import { outcomeOf } from "../stop/stopping.js";
import { Write } from "../write.js";

const ACCEPTED = "image/png,image/jpeg,image/gif,image/webp";
const MAX_BYTES = 4 * 1024 * 1024;

/** @param {{letter: any, title: string, apply: any, act: any, path: string, event: any, image: any}} props */
export function Actions({ letter, title, apply, act, path, event, image }) {
  const { client, say, parameters } = useConsole();
  const [done, setDone] = useState("");
  const input = useRef(null);
  // The file that replaces the picture after a confirmation, with its size in pixels.
  const [chosen, setChosen] = useState(/** @type {{file: File, width: number, height: number} | null} */ (null));
  const replay = async () => {
    setDone("");
    const sent = await act(client.request("POST", "/alerts", { body: { event_id: event.event_id } }));
    if (sent) setDone(await outcomeOf(client, say, { kind: kindOf(event), event }).catch(() => say("alerts.sent")));
  };
  const download = async () => {
    const unreadable = () => Promise.reject(new Error(say("letters.unreadable")));
    const blob = await act(letterBlob(letter).catch(unreadable));
    if (!blob) return;
    const url = URL.createObjectURL(blob);
    Object.assign(document.createElement("a"), { href: url, download: `letter-${letter.document_id}.png` }).click();
    URL.revokeObjectURL(url);
  };
  const choose = async () => {
    const [file] = input.current.files;
    input.current.value = "";
    if (!file) return;
    const refused = (/** @type {string} */ name) => Promise.reject(new Error(say(name)));
    const opened = file.size > MAX_BYTES
      ? refused("letters.too_large")
      : createImageBitmap(file).catch(() => refused("letters.no_picture"));
    const size = await act(opened);
    setChosen(size && { file, width: size.width, height: size.height });
  };
  const replace = async () => {
    const { file, width, height } = /** @type {{file: File, width: number, height: number}} */ (chosen);
    setChosen(null);
    const body = new FormData();
    body.set("document_data", file);
    const response = await act(client.request("PATCH", path, { body }));
    if (!response) return;
    // Stamps are positioned by pixels of the picture. On a picture of another size, they keep their relative place.
    const scaled = (/** @type {any} */ { stamp_id: id, pos_x: x, pos_y: y }) => client.patch(`/stamps/${id}`, {
      pos_x: Math.round((x * width) / image.width), pos_y: Math.round((y * height) / image.height),
    });
    const isSame = !image || (width === image.width && height === image.height);
    const stamps = isSame ? null : await act(Promise.all(letter.stamps.map(scaled)));
    apply({ ...response.data, stamps: stamps ?? response.data.stamps });
  };
  const remove = () =>
    act(client.delete(path)).then((/** @type {any} */ deleted) =>
      deleted && (location.hash = addressOf(null, parameters)));
  return html`<section class="card letter-actions" aria-label=${say("letters.actions")}>
    ${event && html`<${Write} class="main" onClick=${replay}>${say("letters.replay")}<//>`}
    <button onClick=${download}>${say("letters.download")}</button>
    ${chosen
      ? html`<span class="asking">
          <${Write} class="danger" onClick=${replace}>${say("letters.replace_sure")}<//>
          <button onClick=${() => setChosen(null)}>${say("cancel")}</button>
        </span>`
      : html`<${Write} onClick=${() => input.current.click()}>${say("letters.replace")}<//>`}
    <input type="file" class="unseen" tabindex="-1" aria-label=${say("letters.replace")} accept=${ACCEPTED} ref=${input}
      onChange=${choose} />
    <${Confirmed} className="bad" label=${say("delete")} description=${say("delete_of", { name: title })}
      question=${say("letters.delete_sure")}
      note=${say("letters.delete_note")} act=${remove} />
    <span class="good" role="status">${done}</span>
  </section>`;
}
