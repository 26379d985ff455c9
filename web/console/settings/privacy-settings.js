// The viewers who have opted out: the list, a form to add one, and a button to end an opt-out.

import { Confirmed, Form } from "../forms.js";
import { usePages } from "../../shared/loading.js";
import { More, Problem, html, useConsole, useState } from "../../shared/parts.js";
import { OptOut } from "../viewer/privacy.js";
import { GUIDE, plainly } from "../viewer/privacy-words.js";

// The identifier shared by all anonymous givers.
const ANONYMOUS = "anonymous";

export function PrivacySettings() {
  const { client, say } = useConsole();
  const list = usePages("/opt-outs?limit=50");
  const [asked, setAsked] = useState("");
  const [error, setError] = useState(null);
  const done = () => {
    setError(null);
    list.reload();
  };
  const ask = async (/** @type {any} */ { platform_id: platformId }) => {
    const id = platformId.trim();
    if (!id) throw new Error(say("privacy.error.empty"));
    if (id.toLowerCase() === ANONYMOUS) throw new Error(say("privacy.error.reserved"));
    setAsked(id);
    return "";
  };
  const remove = (/** @type {string} */ id) =>
    client.delete(`/opt-outs/${id}`).then(done, (/** @type {any} */ failure) => setError(plainly(failure, say)));
  const field = { name: "platform_id", label: say("privacy.platform_id"), required: true, inputmode: "numeric",
    pattern: "\\s*[0-9]+\\s*", title: say("privacy.error.empty"), maxlength: 1_024 };
  const isEmpty = list.records.length === 0 && !list.busy && !list.error;
  const since = (/** @type {any} */ one) =>
    say("privacy.since", { id: String(one.opt_out_id), date: say.date(one.created_at) });
  return html`<section class="card">
    <p>${say("privacy.list_how")} <a href=${GUIDE}>${say("privacy.guide")}</a></p>
    ${isEmpty && html`<p class="quiet">${say("privacy.list_empty")}</p>`}
    ${list.records.length > 0 && html`<ul class="opt-outs" aria-label=${say("privacy.list")}>
      ${list.records.map((one) => html`<li key=${one.opt_out_id}>
        <span><strong dir="auto">${one.platform_id}</strong> <span class="quiet">${since(one)}</span></span>
        <${Confirmed} label=${say("privacy.remove")} description=${say("privacy.remove_of", { id: one.platform_id })}
          question=${say("privacy.remove_sure")} act=${() => remove(one.opt_out_id)} />
      </li>`)}
    </ul>
    <p class="quiet">${say("privacy.remove_how")}</p>`}
    <${More} list=${list} />
    <${Form} submit=${say("privacy.add")} isMain=${false} send=${ask} fields=${[field]} />
    <p class="quiet">${say("privacy.platform_id_how")}</p>
    <${Problem} error=${error} />
    ${asked && html`<${OptOut} platformId=${asked} onClose=${() => setAsked("")} onDone=${done} />`}
  </section>`;
}
