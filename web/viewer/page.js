// The page of one viewer: the stage with the pet, and the sections below it. They share the viewer's record, which is
// read again while the page is open.

import { useLoaded } from "../shared/loading.js";
import { html, useConsole, useEffect, useState } from "../shared/parts.js";
import { Failure, Notice, Waiting, wordsOf } from "./notice.js";
import { Stage } from "./stage.js";

// A token of a viewer reads no feed, so the page asks again after this time, in milliseconds.
const REFRESH = 15_000;

/** @param {{id: string}} props */
export function Page({ id }) {
  const { client, say } = useConsole();
  const { value: user, error, reload } = useLoaded(() => client.get(`/users/${id}`, { retries: 0 }), id, REFRESH);
  const [Sections, setSections] = useState(/** @type {any} */ (null));
  const [failure, setFailure] = useState(null);
  // The stage does not wait for what is below it.
  useEffect(() => {
    import("./sections.js").then((loaded) => setSections(() => loaded.Sections), setFailure);
  }, []);
  if (!user) {
    if (error) return html`<${Notice} text=${wordsOf(error, say)} />`;
    return html`<div class="skeleton" role="status" aria-label=${say("loading")}>
      <div></div><div></div><div></div>
    </div>`;
  }
  return html`<${Failure} error=${error ?? failure} />
    <${Stage} user=${user} />
    ${Sections && html`<${Sections} user=${user} reload=${reload} />`}
    ${!Sections && !failure && html`<div class="sections"><${Waiting} /><${Waiting} /></div>`}`;
}
