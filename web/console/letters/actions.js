// What can be done with a letter: replay it on stream, save it as one picture, replace its picture, delete it.

import { Confirmed } from "../forms.js";
import { html, useConsole, useRef, useState } from "../parts.js";
import { letterBlob } from "./drawing.js";
import { addressOf } from "./filters.js";
import { Write } from "../write.js";

const ACCEPTED = "image/png,image/jpeg,image/gif,image/webp";
const MAX_BYTES = 4 * 1024 * 1024;

/** @param {{letter: any, apply: any, act: any, path: string, event: any}} props */
export function Actions({ letter, apply, act, path, event }) {
  const { client, say, parameters } = useConsole();
  const [done, setDone] = useState("");
  const input = useRef(null);
  const replay = async () => {
    setDone("");
    const sent = await act(client.request("POST", "/alerts", { body: { event_id: event.event_id } }));
    if (sent) setDone(say("letters.replayed"));
  };
  const download = async () => {
    const unreadable = () => Promise.reject(new Error(say("letters.unreadable")));
    const blob = await act(letterBlob(letter).catch(unreadable));
    if (!blob) return;
    const url = URL.createObjectURL(blob);
    Object.assign(document.createElement("a"), { href: url, download: `letter-${letter.document_id}.png` }).click();
    URL.revokeObjectURL(url);
  };
  const replace = async () => {
    const [file] = input.current.files;
    input.current.value = "";
    if (!file) return;
    if (file.size > MAX_BYTES) {
      await act(Promise.reject(new Error(say("letters.too_large"))));
      return;
    }
    const body = new FormData();
    body.set("document_data", file);
    const response = await act(client.request("PATCH", path, { body }));
    if (response) apply(response.data);
  };
  const remove = () =>
    act(client.delete(path)).then((/** @type {any} */ deleted) =>
      deleted && (location.hash = addressOf(null, parameters)));
  return html`<section class="card letter-actions" aria-label=${say("letters.actions")}>
    ${event && html`<${Write} class="main" onClick=${replay}>${say("letters.replay")}<//>`}
    <button onClick=${download}>${say("letters.download")}</button>
    <${Write} onClick=${() => input.current.click()}>${say("letters.replace")}<//>
    <input type="file" class="unseen" tabindex="-1" aria-label=${say("letters.replace")} accept=${ACCEPTED} ref=${input}
      onChange=${replace} />
    <${Confirmed} label=${say("delete")} question=${say("letters.delete_sure")} act=${remove} />
    <span class="good" role="status">${done}</span>
  </section>`;
}
