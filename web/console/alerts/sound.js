// An overlay's custom sound.

import { html, useConsole, useState } from "../../shared/parts.js";
import { FileButton } from "./file.js";
import { Write, useWrite } from "../write.js";

const MAX_BYTES = 32 * 1_024;

/**
 * Reads a short file and passes it on as a data URL.
 *
 * @param {{isSet: boolean, onChange: (data: any) => void}} properties
 */
export function CustomSound({ isSet, onChange }) {
  const { say } = useConsole();
  const [error, setError] = useState("");
  const read = (/** @type {File} */ file) => {
    if (file.size > MAX_BYTES || !file.type.startsWith("audio/")) {
      setError(say("alerts.sound_too_long"));
      return;
    }
    setError("");
    const reader = new FileReader();
    reader.addEventListener("load", () => onChange(reader.result));
    reader.readAsDataURL(file);
  };
  return html`<div class="bar">
    <${FileButton} label=${say("alerts.own_sound")} accept="audio/*" onFile=${read} ...${useWrite()} />
    ${isSet && html`<${Write} onClick=${() => onChange(undefined)}>${say("alerts.remove_sound")}<//>`}
    ${error && html`<p class="error" role="alert">${error}</p>`}
  </div>`;
}
