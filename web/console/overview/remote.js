// The remote control for the alerts: large buttons for a phone next to the keyboard.

import { Icon, Problem, html, useConsole, useState } from "../../shared/parts.js";
import { StopAll, useStop } from "../stop/stop.js";
import { Write } from "../write.js";

// Without its styles, wide screens would also show it.
/**
 * The buttons. `last` is the activity's newest event, which Replay shows again.
 *
 * @param {{last: any, queue: {now: any, waiting: any[]}}} props
 */
export function Remote({ last, queue: { now, waiting } }) {
  const { client, say } = useConsole();
  const [error, setError] = useState(null);
  const run = (/** @type {any} */ request) => request.then(() => setError(null), setError);
  const send = (/** @type {any} */ alert) => run(client.post("/alerts", alert));
  const { isStopped, toggle, error: notStopped } = useStop();
  const button = (/** @type {any} */ icon, /** @type {string} */ label, /** @type {any} */ act,
    /** @type {any} */ isPossible) =>
    html`<${Write} disabled=${!isPossible} onClick=${act}><${Icon} name=${icon} /><span>${label}</span><//>`;
  return html`<section class="remote" aria-label=${say("remote.title")}>
    <${StopAll} isStopped=${isStopped} toggle=${toggle} />
    ${button("next", say("remote.skip"), () => send({ control: "skip", entry: now.ids[0] }), now)}
    ${button("cross", say("remote.clear"), () => send({ control: "clear" }), now || waiting.length > 0)}
    ${button("again", say("remote.replay"), () => send({ event_id: last.event_id }), last)}
    <${Problem} error=${error ?? notStopped} />
  </section>`;
}
