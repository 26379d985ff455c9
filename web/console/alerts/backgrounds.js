// The preview's background: dark, bright, or the user's picture, which stays in this browser.

import { local } from "../../shared/page.js";
import { html, useConsole, useState } from "../../shared/parts.js";
import { FileButton } from "./file.js";

const NAMES = ["dark", "bright", "own"];
const KEY = "preview";
// The size of a custom background, which has to fit into the storage.
const [WIDTH, HEIGHT] = [800, 450];

/** Returns a picture that fills 16:9, as a data URL. @param {File} file */
async function reduced(file) {
  const image = await createImageBitmap(file);
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH, height: HEIGHT });
  const scale = Math.max(WIDTH / image.width, HEIGHT / image.height);
  const [width, height] = [image.width * scale, image.height * scale];
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.drawImage(image, (WIDTH - width) / 2, (HEIGHT - height) / 2, width, height);
  return canvas.toDataURL("image/jpeg", 0.8);
}

/** The selected background: its name, and a custom background's picture. */
export function useBackground() {
  const [name, setName] = useState("dark");
  const [picture, setPicture] = useState(local.get(KEY));
  const read = async (/** @type {File} */ file) => {
    const url = await reduced(file);
    local.set(KEY, url);
    setPicture(url);
    setName("own");
  };
  return { name, setName, picture, read };
}

/** @param {{background: ReturnType<typeof useBackground>}} properties */
export function Backgrounds({ background: { name, setName, picture, read } }) {
  const { say } = useConsole();
  const [hasFailed, setFailed] = useState(false);
  const onFile = (/** @type {File} */ file) => {
    setFailed(false);
    read(file).catch(() => setFailed(true));
  };
  return html`<fieldset class="backgrounds">
    <legend>${say("alerts.background")}</legend>
    ${NAMES.filter((one) => one !== "own" || picture).map(
      (one) => html`<label key=${one}>
        <input type="radio" name="background" checked=${one === name} onChange=${() => setName(one)} />
        ${say(`alerts.background.${one}`)}</label>`,
    )}
    <${FileButton} label=${say(picture ? "alerts.background.other" : "alerts.background.choose")}
      accept="image/*" onFile=${onFile} />
    ${hasFailed && html`<span class="bad" role="alert">${say("alerts.picture_wrong")}</span>`}
  </fieldset>`;
}
