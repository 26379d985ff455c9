// A viewer's possible privacy requests: to be anonymized, to opt out, and to be deleted. Each confirmation first says
// what is lost.

import { Dialog } from "../forms.js";
import { Problem, html, useConsole, useState } from "../../shared/parts.js";
import { GUIDE, plainly } from "./privacy-words.js";
import { Write } from "../write.js";

const LOST = ["name", "texts", "letters", "notes"];
const KEPT = ["events", "wallet", "things", "statistics"];

/**
 * The privacy tab. An anonymized viewer has nothing more to remove.
 *
 * @param {{user: any, isAnonymized: any, reload: () => void}} props
 */
export function Privacy({ user, isAnonymized, reload }) {
  const { say } = useConsole();
  const [asked, setAsked] = useState("");
  const close = () => setAsked("");
  const action = (/** @type {string} */ name, /** @type {string} */ label, className = "") => html`<section class="card">
    <h2>${label}</h2>
    <p>${say(`privacy.${name}_how`)}</p>
    <button class=${className} onClick=${() => setAsked(name)}>${label}…</button>
  </section>`;
  return html`<div class="privacy">
    ${isAnonymized
      ? html`<section class="card">
          <h2>${say("privacy.is_anonymized")}</h2>
          <p>${say("privacy.is_anonymized_how")}</p>
        </section>`
      : html`${action("anonymize", say("privacy.anonymize"))}${action("opt_out", say("privacy.opt_out"))}`}
    ${action("delete", say("delete"), "bad")}
    <p class="quiet"><a href=${GUIDE}>${say("privacy.guide")}</a></p>
    ${asked === "anonymize" && html`<${Anonymize} user=${user} onClose=${close} onDone=${reload} />`}
    ${asked === "opt_out" && html`<${OptOut} platformId=${user.platform_id} name=${user.name} onClose=${close}
      onDone=${reload} />`}
    ${asked === "delete" && html`<${Delete} user=${user} onClose=${close}
      onDone=${() => (location.hash = "#/viewers")} />`}
  </div>`;
}

/** @param {{user: any, onClose: () => void, onDone: () => void}} props */
function Anonymize({ user, onClose, onDone }) {
  const { client, say } = useConsole();
  const title = say("privacy.anonymize_of", { name: user.name });
  return html`<${Question} title=${title} sure=${say("privacy.anonymize_sure")}
    send=${() => client.post(`/users/${user.user_id}/anonymize`, {})} onClose=${onClose} onDone=${onDone}>
    <${Losses} />
  <//>`;
}

/**
 * The confirmation before a viewer opts out. `name` is unknown if only the identifier is given.
 *
 * @param {{platformId: any, name?: any, onClose: () => void, onDone: () => void}} props
 */
export function OptOut({ platformId, name = platformId, onClose, onDone }) {
  const { client, say } = useConsole();
  return html`<${Question} title=${say("privacy.opt_out_of", { name })} sure=${say("privacy.opt_out_sure")}
    send=${() => client.post("/opt-outs", { platform_id: platformId })} onClose=${onClose} onDone=${onDone}>
    <p>${say("privacy.opt_out_means")}</p>
    <p>${say("privacy.opt_out_gifts")}</p>
    <${Losses} />
  <//>`;
}

/**
 * The confirmation before a viewer is deleted. Nothing is kept.
 *
 * @param {{user: any, onClose: () => void, onDone: () => void}} props
 */
function Delete({ user, onClose, onDone }) {
  const { client, say } = useConsole();
  return html`<${Question} title=${say("privacy.delete_of", { name: user.name })} sure=${say("viewer.delete_sure")}
    send=${() => client.delete(`/users/${user.user_id}`)} onClose=${onClose} onDone=${onDone}>
    <p>${say("privacy.delete_means")}</p>
    <div class="losses"><${Part} title="lost" keys=${[...LOST, ...KEPT]} /></div>
    <p><strong>${say("privacy.final")}</strong></p>
  <//>`;
}

/** A list of what is lost or kept. @param {{title: string, keys: string[]}} props */
function Part({ title, keys }) {
  const { say } = useConsole();
  return html`<div class=${title}>
    <h3>${say(`privacy.${title}`)}</h3>
    <ul>${keys.map((key) => html`<li>${say(`privacy.${LOST.includes(key) ? "lost" : "kept"}.${key}`)}</li>`)}</ul>
  </div>`;
}

/** What an anonymized viewer loses and keeps. */
function Losses() {
  const { say } = useConsole();
  return html`<div class="losses"><${Part} title="lost" keys=${LOST} /><${Part} title="kept" keys=${KEPT} /></div>
    <p><strong>${say("privacy.lost_final")}</strong> ${say("privacy.new_viewer")}</p>`;
}

/**
 * A dialog with an action that cannot be undone. It stays open if the service rejects it.
 *
 * @param {{title: string, sure: any, send: any, onClose: () => void, onDone: () => void, children?: any}} props
 */
function Question({ title, sure, send, onClose, onDone, children }) {
  const { say } = useConsole();
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const act = async () => {
    setBusy(true);
    setError(null);
    try {
      await send();
      onClose();
      onDone();
    } catch (failure) {
      setError(plainly(failure, say));
      setBusy(false);
    }
  };
  return html`<${Dialog} title=${title} onClose=${onClose} className="privacy-question">
    ${children}
    <${Problem} error=${error} />
    <div class="bar">
      <${Write} class="danger" busy=${busy} onClick=${act}>${sure}<//>
      <button onClick=${onClose}>${say("cancel")}</button>
    </div>
  <//>`;
}
