// A letter's seal: one of the ten drawings, or any other number.

import { Setting } from "../forms.js";
import { html, useConsole } from "../../shared/parts.js";
import { SEAL_NAMES } from "../../shared/seal-names.js";
import { useWrite } from "../write.js";
import { Seal, SealButtons } from "./seal-buttons.js";

/** @param {{letter: any, apply: any, act: any, path: string}} props */
export function SealChoice({ letter, apply, act, path }) {
  const { client, say } = useConsole();
  const choose = async (/** @type {number} */ seal) => {
    if (seal === letter.seal) return;
    const changed = await act(client.patch(path, { seal }));
    if (changed) apply((/** @type {any} */ before) => ({ ...before, seal: changed.seal }));
  };
  return html`<section class="card seal-choice">
    <h2>${say("letters.seal")}</h2>
    <p class="current"><${Seal} seal=${letter.seal} /></p>
    <${SealButtons} selected=${letter.seal} onChoose=${choose} ...${useWrite()} />
    <details open=${!SEAL_NAMES[letter.seal]}>
      <summary>${say("letters.seal_other")}</summary>
      <${Setting} label=${say("letters.seal_number")} type="number" step="1" required
        min=${Number.MIN_SAFE_INTEGER} max=${Number.MAX_SAFE_INTEGER} value=${String(letter.seal)}
        onCommit=${(typed) => choose(Number(typed))} ...${useWrite()} />
      <p class="quiet">${say("letters.seal_how")}</p>
    </details>
  </section>`;
}
