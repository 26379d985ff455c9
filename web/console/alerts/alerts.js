// The alerts: the overlay records, and an editor for one of them.

import { Field } from "../forms.js";
import { useLoaded } from "../../shared/loading.js";
import { Empty, Problem, Skeleton, html, useConsole, useState } from "../../shared/parts.js";
import { Editor } from "./editor.js";
import { Write } from "../write.js";

const optionOf = (/** @type {any} */ { overlay_id: id, name }) => ({ value: String(id), label: name });

export function View() {
  const { client, say, connected, parameters, setParameters } = useConsole();
  const load = async () => (await client.page("/overlays", { query: { order: "asc", limit: 100 } })).records;
  const { value: overlays, error, reload } = useLoaded(load, "overlays");
  const [failure, setFailure] = useState(null);
  const create = () => {
    const number = (overlays?.length ?? 0) + 1;
    const name = `${say("alerts.first_name")}${number > 1 ? ` ${number}` : ""}`;
    client.post("/overlays", { name, settings: {} }).then((/** @type {any} */ overlay) => {
      setFailure(null);
      setParameters({ overlay: String(overlay.overlay_id) });
      reload();
    }, setFailure);
  };
  // Without a connection, it is unknown whether there are still none.
  if (!overlays || (overlays.length === 0 && !connected)) {
    const isAway = error ?? failure;
    return html`<h1>${say("nav.alerts")}</h1>
      ${isAway ? html`<${Problem} error=${isAway} onRetry=${reload} />` : html`<${Skeleton} rows=${6} />`}`;
  }
  const isChosen = (/** @type {any} */ { overlay_id: id }) => String(id) === parameters.get("overlay");
  const overlay = overlays.find(isChosen) ?? overlays[0];
  const title = html`<h1>${say("nav.alerts")}</h1>
    ${overlays.length > 1 &&
    html`<${Field} label=${say("alerts.overlay")} value=${String(overlay.overlay_id)}
      onChange=${(/** @type {any} */ event) => setParameters({ overlay: event.currentTarget.value })}
      options=${overlays.map(optionOf)} />`}`;
  return html`<${Problem} error=${failure} />
    ${overlays.length === 0
      ? html`${title}<${Empty}>${say("alerts.empty")}
          <${Write} class="main" onClick=${create}>${say("alerts.create")}<//><//>`
      : html`<${Editor} key=${overlay.overlay_id} overlay=${overlay} title=${title} create=${create}
          reload=${reload} />`}`;
}
