// The tokens: who may read or change what, since when, and a button to revoke each.

import { Copy } from "../copy.js";
import { Confirmed, Form, Table } from "../forms.js";
import { useLoaded } from "../../shared/loading.js";
import { Problem, html, useConsole, useState } from "../../shared/parts.js";

export function Tokens() {
  const { client, say, signOut: hasToken } = useConsole();
  const { value: tokens, error, reload } = useLoaded(() => client.get("/tokens"), "tokens");
  const [created, setCreated] = useState(null);
  const [failure, setFailure] = useState(null);
  const create = async (/** @type {any} */ { name }) => {
    const { token } = await client.post("/tokens", { name });
    setCreated(token);
    reload();
  };
  const revoke = (/** @type {string} */ id) => client.delete(`/tokens/${id}`).then(reload, setFailure);
  const columns = ["name", "scope", "created", "expires", "used"].map((name) => say(`tokens.${name}`));
  const unseen = { label: html`<span class="unseen">${say("tokens.revoke")}</span>` };
  const cell = (/** @type {number} */ index, /** @type {any} */ value) =>
    html`<td data-label=${columns[index]}>${value}</td>`;
  const row = (/** @type {any} */ { token_id: id, name, scope, created_at: created, expires_at: end, used_at: used }) =>
    html`<tr key=${id}>
    <td dir="auto"><strong>${name}</strong></td>
    ${cell(1, say(`scope.${scope}`))}${cell(2, say.time(created))}${cell(3, end ? say.date(end) : say("tokens.never"))}
    ${cell(4, used ? say.ago(used) : hasToken ? say("tokens.never") : "–")}
    <td class="amount"><${Confirmed} className="quiet bad" label=${say("tokens.revoke")} question=${say("tokens.sure")}
      note=${say("tokens.note")}
      description=${say("tokens.revoke_of", { name })} act=${() => revoke(id)} /></td>
  </tr>`;
  return html`<section class="card tokens">
    ${!hasToken && html`<p class="quiet">${say("tokens.unchecked")}</p>`}
    ${tokens?.length > 0 &&
    html`<${Table} label=${say("tokens.title")} columns=${[...columns, unseen]}>${tokens.map(row)}<//>`}
    ${tokens?.length === 0 && html`<p class="quiet">${say("tokens.empty")}</p>`}
    <${Form} submit=${say("tokens.make")} isMain=${false} send=${create}
      fields=${[{ name: "name", label: say("tokens.label"), required: true, maxlength: 100 }]} />
    ${created && html`<p role="status">${say("tokens.made")} <code>${created}</code> <${Copy} text=${created} /></p>`}
    <${Problem} error=${failure ?? error} onRetry=${error && reload} />
  </section>`;
}
