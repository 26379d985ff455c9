// The login at Twitch with a code: the form that starts it, the code, and the steps up to the first event.

import { base } from "../../shared/page.js";
import { Copy } from "../copy.js";
import { EventRow } from "../activity/events.js";
import { useFocus } from "../focus.js";
import { Field } from "../forms.js";
import { Problem, html, useConsole, useEffect, useState } from "../../shared/parts.js";
import { QrCode } from "./qr.js";
import { Register } from "./register.js";
import { loginError } from "./twitch-cause.js";
import { Write } from "../write.js";

const GUIDE = `${base}/docs/guides/?guide=twitch`;
// Twitch's client IDs have 30 letters and digits, some old ones 31. A pasted URL or a name does not match.
const CLIENT_ID = "\\s*[A-Za-z0-9]{30,31}\\s*";
const STEPS = ["pending", "connecting", "connected"];

/** A link to a section of the guide, in a separate tab. @param {{section: string}} props */
export function Guide({ section }) {
  const { say } = useConsole();
  return html`<a href=${`${GUIDE}#${section}`} target="_blank" rel="noopener">${say("twitch.guide")} ↗</a>`;
}

/** Returns Twitch's first event that arrives while `isWaiting`, or null until then. @param {any} isWaiting */
export function useFirstEvent(isWaiting) {
  const { subscribe } = useConsole();
  const [event, setEvent] = useState(null);
  useEffect(() => {
    if (!isWaiting || event) return undefined;
    return subscribe((/** @type {any} */ { type, data }) =>
      type === "event.created" && data?.source?.startsWith("twitch/") && setEvent(data));
  }, [isWaiting, event]);
  return event;
}

/**
 * The button that starts a login. The field for the client identifier is open if the service has none.
 *
 * @param {{connection: any, reload: () => void}} props
 */
export function Login({ connection, reload }) {
  const { client, say } = useConsole();
  const { client_id: clientId, state } = connection;
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  // Why the page rejects the identifier.
  const [reason, setReason] = useState("");
  const form = useFocus();
  const onInvalid = (/** @type {any} */ event) => {
    event.preventDefault();
    event.currentTarget.focus();
    setError(null);
    setReason(say(event.currentTarget.value.trim() ? "twitch.client_id_form" : "twitch.client_id_missing"));
  };
  const connect = async (/** @type {any} */ event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = String(new FormData(form).get("client_id") ?? "").trim();
    setBusy(true);
    try {
      await client.post("/connections/twitch", typed ? { client_id: typed } : {});
      setError(null);
    } catch (failure) {
      setError(loginError(failure, say));
      form.elements.client_id.focus();
    }
    setBusy(false);
    reload();
  };
  const field = html`<${Field} label=${say("twitch.client_id")} name="client_id" maxlength="1024" autocomplete="off"
    pattern=${CLIENT_ID} title=${say("twitch.client_id_form")}
    spellcheck=${false} required=${!clientId} placeholder=${clientId ?? ""}
    reason=${reason} onInvalid=${onInvalid} onInput=${() => setReason("")}
    aria-invalid=${reason || error?.how ? "true" : undefined} aria-describedby="login-error" />`;
  const how = html`<p class="quiet">${say("twitch.client_id_how")} <${Guide} section="connect-on-your-machine" /></p>`;
  return html`<form onSubmit=${connect} ref=${form} tabindex="-1">
    ${clientId
      ? html`<details><summary>${say("twitch.other_client_id")}</summary>${field}${how}</details>`
      : html`${how}<${Register}>${field}<//>`}
    <p><${Write} class="main" busy=${busy}>
      ${say(state === "reauthorize" ? "twitch.again" : "twitch.connect")}<//></p>
    <div id="login-error"><${Problem} error=${error} /></div>
  </form>`;
}

/**
 * The code that the streamer confirms at Twitch. Only tokens with the scope `import` see it. The children are below it.
 *
 * @param {{connection: any, children?: any}} props
 */
export function Consent({ connection, children }) {
  const { say, replaceToken } = useConsole();
  const link = useFocus();
  const { user_code: code, verification_uri: address, expires_at: end } = connection;
  if (!code) {
    const error = Object.assign(new Error(say("twitch.no_code")), { status: 403 });
    return html`<p>${say("twitch.no_code")}</p>
      <p><button onClick=${() => replaceToken(error)}>${say("token.other")}</button></p>${children}`;
  }
  const minutes = Math.max(1, Math.ceil((Date.parse(end) - Date.now()) / 60_000));
  return html`<div class="consent">
    <div>
      <p>${say("twitch.code_how")}</p>
      <p>
        <a class="button main" ref=${link} href=${address} target="_blank" rel="noopener noreferrer">
          ${say("twitch.open")} ↗</a>
      </p>
      <p class="bar"><code class="code" aria-label=${say("twitch.code")}>${code}</code> <${Copy} text=${code} /></p>
      <p class="quiet">${end && say("twitch.code_for", { many: minutes })} ${children}</p>
    </div>
    <figure>
      <${QrCode} text=${address} label=${say("twitch.qr")} />
      <figcaption class="quiet">${say("twitch.scan")}</figcaption>
    </figure>
  </div>`;
}

/** A login's steps, up to the first event. @param {{state: any, firstEvent: any}} props */
export function Steps({ state, firstEvent }) {
  const { say } = useConsole();
  const current = firstEvent ? STEPS.length : STEPS.indexOf(state);
  if (current < 0) return null;
  return html`<ol class="login-steps">
      ${STEPS.map((step, index) => html`<li key=${step} class=${index < current ? "done" : ""}
        aria-current=${index === current ? "step" : undefined}>
        ${say(`twitch.step.${step}`)}${index < current &&
            html`<span class="unseen"> ${say("twitch.step.done")}</span>`}</li>`)}
    </ol>
    <div role="status">
      ${state === "connected" && !firstEvent && html`<p class="quiet">${say("twitch.waiting")}</p>`}
      ${firstEvent && html`<h3>${say("twitch.first_event")}</h3>
        <div role="list"><${EventRow} event=${firstEvent} isNew=${true} /></div>`}
    </div>`;
}
