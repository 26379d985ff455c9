// The dialog that asks for an access token.

import { Client } from "../shared/client/index.js";
import { base } from "../shared/page.js";
import { PROGRAM } from "../shared/program.js";
import { typeface } from "../shared/typeface.js";
import { Copy } from "./copy.js";
import { Icon, html, isRetryable, useConsole, useEffect, useRef, useState } from "../shared/parts.js";
import { explain } from "./problem.js";

await typeface();

// The dialog may be the only thing that the page shows.
const COMMAND = `${PROGRAM} token create --scope import --name console`;

/**
 * A modal dialog. It stays open until the service accepts a token. A token with an insufficient scope can still read,
 * so in that case the dialog can be closed.
 *
 * @param {{authError: any, hasToken: any, isFirst: boolean, onToken: any, onCancel: any}} props `isFirst` hides the
 *   page.
 */
export function SignIn({ authError, hasToken, isFirst, onToken, onCancel }) {
  const { say } = useConsole();
  const dialog = useRef(null);
  const [error, setError] = useState(hasToken ? authError : null);
  const [busy, setBusy] = useState(false);
  const canClose = authError.status === 403;
  useEffect(() => dialog.current.showModal(), []);
  const send = async (/** @type {any} */ event) => {
    event.preventDefault();
    const filled = new FormData(event.currentTarget);
    const token = String(filled.get("token")).trim();
    setBusy(true);
    try {
      // Headers, like tokens, contain only visible ASCII characters.
      if (!/^[!-~]+$/.test(token)) throw new Error(say("token.invalid"));
      await new Client(base, { token, retries: 1 }).feed(null);
      onToken(token, filled.has("stays"));
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  const cancel = (/** @type {any} */ event) => {
    event.preventDefault();
    if (canClose) onCancel();
  };
  // Browsers close a dialog at the second Escape, even if the page prevents it.
  const reopen = () => (canClose ? onCancel() : dialog.current?.showModal());
  const reason = error && (isRetryable(error) ? say("unsent") : Object.values(explain(error, say)).join(" "));
  return html`<dialog ref=${dialog} class=${`sign-in ${isFirst ? "first" : ""}`} aria-labelledby="ask"
    onCancel=${cancel} onClose=${reopen}>
    <${Icon} name="cheer" />
    <h2 id="ask">${say("token.title")}</h2>
    <p class="quiet">${say("token.how")}</p>
    <p class="quiet">${say("token.make")}</p>
    <p class="bar"><code>${COMMAND}</code> <${Copy} text=${COMMAND} /></p>
    <form onSubmit=${send}>
      <label class="field">${say("token.label")}
        <input name="token" type="password" autocomplete="off" required autofocus
          aria-invalid=${error ? "true" : undefined} />
      </label>
      ${reason && html`<p class="error" role="alert">${reason}</p>`}
      <label class="check"><input name="stays" type="checkbox" />${say("token.stays")}</label>
      <div class="bar">
        <button class="main" disabled=${busy}>${say("token.go")}</button>
        ${canClose && html`<button type="button" onClick=${onCancel}>${say("cancel")}</button>`}
      </div>
    </form>
  </dialog>`;
}
