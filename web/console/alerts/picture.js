// The own picture of an alert. It is a document of the service with the metadata `alert`.

import { Problem, html, useConsole, useState } from "../parts.js";
import { FileButton } from "./file.js";

const MAX_BYTES = 2 * 1_024 * 1_024;
const TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** Reads a file as a data URL. */
const read = (file) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

/** `picture` is `{document_id, url}`. The document of a former picture is deleted after the settings are saved. */
export function Picture({ picture, change, flush }) {
  const { client, say } = useConsole();
  const [error, setError] = useState(null);
  const [note, setNote] = useState("");
  const [isOver, setOver] = useState(false);
  const set = async (next) => {
    change(["picture"], next);
    const isSaved = await flush();
    if (isSaved && picture?.document_id) await client.delete(`/documents/${picture.document_id}`).catch(() => {});
  };
  const upload = async (file) => {
    setError(null);
    if (!TYPES.includes(file.type) || file.size > MAX_BYTES) return setNote(say("alerts.picture_wrong"));
    setNote(say("alerts.picture_loading"));
    try {
      const body = { document_data: await read(file), seal: 0, metadata: "alert" };
      const { document_id: id, document_data: url } = await client.post("/documents", body);
      await set({ document_id: id, url });
    } catch (error) {
      setError(error);
    }
    return setNote("");
  };
  const onDrag = (event, isInside) => {
    event.preventDefault();
    setOver(isInside);
  };
  const onDrop = (event) => {
    onDrag(event, false);
    const [file] = event.dataTransfer.files;
    if (file) upload(file);
  };
  return html`<div class=${`own-picture ${isOver ? "over" : ""}`} onDragOver=${(event) => onDrag(event, true)}
    onDragLeave=${(event) => onDrag(event, false)} onDrop=${onDrop}>
    ${picture && html`<img src=${picture.url} alt=${say("alerts.picture")} />`}
    <div class="bar">
      <${FileButton} label=${say("alerts.picture")} accept=${TYPES.join(",")} onFile=${upload} />
      ${picture && html`<button onClick=${() => set(undefined)}>${say("alerts.picture_remove")}</button>`}
    </div>
    <span class="quiet">${say("alerts.picture_how")}</span>
    <span role="status">${note}</span>
    <${Problem} error=${error} />
  </div>`;
}
