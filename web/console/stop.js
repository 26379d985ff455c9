// Stops all alerts, and lets them go on.

import { useLoaded } from "./loading.js";
import { Problem, html, useConsole, useEffect, useState } from "./parts.js";
import { StopKey } from "./stop-key.js";
import { areStopped, overlaysOf, setStopped } from "./stopping.js";
import { Write } from "./write.js";

/** Whether all alerts are stopped, and a function that stops them or lets them go on. */
export function useStop() {
  const { client, say, subscribe } = useConsole();
  const { value: overlays, reload } = useLoaded(() => overlaysOf(client), "overlays to stop");
  const [error, setError] = useState(null);
  const isStopped = areStopped(overlays ?? []);
  const toggle = async () => {
    try {
      await setStopped(client, !isStopped, say("alerts.first_name"));
      setError(null);
    } catch (error) {
      setError(error);
    }
    reload();
  };
  useEffect(() => subscribe((/** @type {any} */ { type }) => type === "overlay.updated" && reload()), []);
  return { isStopped, toggle, error };
}

/** The button, and the choice of its key. */
export function StopAlerts() {
  const { say } = useConsole();
  const { isStopped, toggle, error } = useStop();
  return html`<div class="bar spread stop">
      <${Write} class="main" onClick=${toggle}>${say(isStopped ? "queue.resume_all" : "queue.stop_all")}<//>
      <${StopKey} />
    </div>
    <${Problem} error=${error} />`;
}
