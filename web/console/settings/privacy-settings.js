// The viewers who have opted out: the list, a form to add one, and a button to end an opt-out.

import { Confirmed, Form, NOT_BLANK } from "../forms.js";
import { usePages } from "../../shared/loading.js";
import { More, Problem, html, useConsole, useState } from "../../shared/parts.js";
import { OptOut } from "../viewer/privacy.js";
import { GUIDE, plainly } from "../viewer/privacy-words.js";

export function PrivacySettings() {
  const { client, say } = useConsole();
  const list = usePages("/opt-outs?limit=50");
  const [asked, setAsked] = useState(/** @type {{platform_id: string, name?: string} | null} */ (null));
  const [error, setError] = useState(null);
  const done = () => {
    setError(null);
    list.reload();
  };
  const ask = async (/** @type {{viewer: string}} */ { viewer }) => {
    const text = viewer.trim();
    setAsked(/^[0-9]+$/.test(text) ? { platform_id: text } : await viewerOf(text));
    return "";
  };
  /** Finds the only viewer with a name. The list is in the order of the names, so it begins with exact matches. */
  const viewerOf = async (/** @type {string} */ name) => {
    const { records } = await client.page("/users", { query: { name_prefix: name, limit: 2 } });
    const found = records.filter((/** @type {any} */ user) => user.name.toLowerCase() === name.toLowerCase());
    if (found.length !== 1) throw new Error(say("privacy.error.unknown"));
    return found[0];
  };
  const remove = (/** @type {string} */ id) =>
    client.delete(`/opt-outs/${id}`).then(done, (/** @type {any} */ failure) => setError(plainly(failure, say)));
  const field = { name: "viewer", label: say("privacy.viewer"), required: true, pattern: NOT_BLANK,
    title: say("privacy.error.empty"), maxlength: 100 };
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
    <p class="quiet">${say("privacy.viewer_how")}</p>
    <${Problem} error=${error} />
    ${asked && html`<${OptOut} platformId=${asked.platform_id} name=${asked.name} onClose=${() => setAsked(null)}
      onDone=${done} />`}
  </section>`;
}
