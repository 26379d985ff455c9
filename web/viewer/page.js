// A viewer's page: the stage with the pet, and the sections below it. They share the viewer's record, which is reloaded
// while the page is open.

import { useLoaded } from "../shared/loading.js";
import { Console, html, useConsole, useEffect } from "../shared/parts.js";
import { Failure, Notice, wordsOf } from "./notice.js";
import { Sections } from "./sections.js";
import { Stage } from "./stage.js";

// A viewer's token cannot read the feed, so the page polls at this interval, in milliseconds.
const REFRESH = 15_000;

/** `onRefused` receives whether the link shows nothing. @param {{id: string, onRefused: (isRefused: boolean) => void}} props */
export function Page({ id, onRefused }) {
  const context = useConsole();
  const { client, say } = context;
  const { value: user, error, reload } = useLoaded(() => client.get(`/users/${id}`), id, REFRESH);
  // The next reload may be seconds away.
  useEffect(() => {
    addEventListener("offline", reload);
    return () => removeEventListener("offline", reload);
  }, []);
  // Nothing can be bought with a revoked link. Other errors may end, so the content stays.
  const { status } = /** @type {any} */ (error ?? {});
  const isRefused = Boolean(error && (!user || [401, 403, 404].includes(status)));
  useEffect(() => onRefused(isRefused), [isRefused]);
  if (isRefused) return html`<${Notice} text=${wordsOf(error, say)} />`;
  if (!user) {
    return html`<div class="skeleton" role="status" aria-label=${say("loading")}>
      <div></div><div></div><div></div>
    </div>`;
  }
  return html`<${Console.Provider} value=${{ ...context, problem: error }}>
    <${Failure} error=${error} />
    <${Stage} user=${user} />
    <${Sections} user=${user} reload=${reload} />
  <//>`;
}
