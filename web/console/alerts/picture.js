// An alert's custom picture. It is a document of the service with the metadata `alert`.

import { Problem, html, useConsole, useState } from "../../shared/parts.js";
import { FileButton } from "./file.js";
import { Write, useWrite } from "../write.js";

const MAX_BYTES = 2 * 1_024 * 1_024;
const TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** @typedef {{document_id: number | null, url: string}} OwnPicture */

/** Reads a file as a data URL. @param {File} file @returns {Promise<string>} */
const read = (file) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(/** @type {string} */ (reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

/**
 * `upload(file)` creates a picture's document. `forget(pictures)` saves the settings and then deletes the documents of
 * pictures that they no longer contain.
 *
 * @param {() => Promise<boolean>} flush
 */
export function usePictures(flush) {
  const { client } = useConsole();
  /** @param {File} file @returns {Promise<OwnPicture>} */
  const upload = async (file) => {
    const body = { document_data: await read(file), seal: 0, metadata: "alert" };
    const { document_id: id, document_data: url } = await client.post("/documents", body);
    return { document_id: id, url };
  };
  const forget = async (/** @type {(OwnPicture | null | undefined)[]} */ pictures) => {
    const ids = pictures.flatMap((picture) => picture?.document_id ?? []);
    if (await flush()) await Promise.all(ids.map((id) => client.delete(`/documents/${id}`).catch(() => {})));
  };
  return { upload, forget };
}

/**
 * @param {object} properties
 * @param {OwnPicture | undefined} properties.picture
 * @param {string} properties.hint
 * @param {(names: string[], value: any) => void} properties.change
 * @param {() => Promise<boolean>} properties.flush
 */
export function Picture({ picture, hint, change, flush }) {
  const { say } = useConsole();
  const { upload, forget } = usePictures(flush);
  const [error, setError] = useState(null);
  const [note, setNote] = useState("");
  const [isOver, setOver] = useState(false);
  const set = (/** @type {OwnPicture | undefined} */ next) => {
    change(["picture"], next);
    return forget([picture]);
  };
  const accept = async (/** @type {File} */ file) => {
    setError(null);
    if (!TYPES.includes(file.type) || file.size > MAX_BYTES) return setNote(say("alerts.picture_wrong"));
    setNote(say("alerts.picture_loading"));
    try {
      await set(await upload(file));
    } catch (error) {
      setError(error);
    }
    return setNote("");
  };
  const onDrag = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    setOver(event.type === "dragover");
  };
  const onDrop = (/** @type {DragEvent} */ event) => {
    onDrag(event);
    const file = event.dataTransfer?.files[0];
    if (file) accept(file);
  };
  return html`<div class=${`own-picture ${isOver ? "over" : ""}`} onDragOver=${onDrag} onDragLeave=${onDrag}
    onDrop=${onDrop}>
    ${picture && html`<img src=${picture.url} alt=${say("alerts.picture")} />`}
    <div class="bar">
      <${FileButton} label=${say("alerts.picture")} accept=${TYPES.join(",")} onFile=${accept}
        ...${useWrite()} />
      ${picture && html`<${Write} onClick=${() => set(undefined)}>${say("alerts.picture_remove")}<//>`}
    </div>
    <span class="quiet">${hint}</span>
    <span role="status">${note}</span>
    <${Problem} error=${error} />
  </div>`;
}
