// A viewer's page: the stage with the pet, and the sections below it. They share the viewer's record, which is reloaded
// while the page is open.

import { useLoaded } from "../shared/loading.js";
import { html, useConsole, useEffect, useState } from "../shared/parts.js";
import { Failure, Notice, Waiting, wordsOf } from "./notice.js";
import { Stage } from "./stage.js";

// A viewer's token cannot read the feed, so the page polls at this interval, in milliseconds.
const REFRESH = 15_000;

/** `onRefused` receives whether the link shows nothing. @param {{id: string, onRefused: (isRefused: boolean) => void}} props */
export function Page({ id, onRefused }) {
  const { client, say } = useConsole();
  const { value: user, error, reload } = useLoaded(() => client.get(`/users/${id}`, { retries: 0 }), id, REFRESH);
  const [Sections, setSections] = useState(/** @type {any} */ (null));
  const [failure, setFailure] = useState(null);
  // Nothing can be bought with a revoked link. Other errors may end, so the content stays.
  const { status } = /** @type {any} */ (error ?? {});
  const isRefused = Boolean(error && (!user || [401, 403, 404].includes(status)));
  useEffect(() => onRefused(isRefused), [isRefused]);
  // The stage does not wait for the content below it.
  useEffect(() => {
    import("./sections.js").then((loaded) => setSections(() => loaded.Sections), setFailure);
  }, []);
  if (isRefused) return html`<${Notice} text=${wordsOf(error, say)} />`;
  if (!user) {
    return html`<div class="skeleton" role="status" aria-label=${say("loading")}>
      <div></div><div></div><div></div>
    </div>`;
  }
  return html`<${Failure} error=${error ?? failure} />
    <${Stage} user=${user} />
    ${Sections && html`<${Sections} user=${user} reload=${reload} />`}
    ${!Sections && !failure && html`<div class="sections"><${Waiting} /><${Waiting} /></div>`}`;
}
