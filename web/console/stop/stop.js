// Stops and resumes all alerts.

import { useLoaded, useReload } from "../../shared/loading.js";
import { Icon, html, useConsole, useState } from "../../shared/parts.js";
import { areStopped, overlaysOf, setStopped } from "./stopping.js";
import { Write } from "../write.js";

/** Returns whether all alerts are stopped, and a function that stops or resumes them. */
export function useStop() {
  const { client, say } = useConsole();
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
  useReload((type) => type === "overlay.updated", reload, 0);
  return { isStopped, toggle, error };
}

/** The button. It looks the same everywhere. @param {{isStopped: boolean, toggle: () => void, label?: string}} props */
export function StopAll({ isStopped, toggle, label }) {
  const { say } = useConsole();
  return html`<${Write} class=${`stop-all ${isStopped ? "stopped" : ""}`} onClick=${toggle}>
    <${Icon} name=${isStopped ? "play" : "halt"} />
    <span>${label ?? say(isStopped ? "queue.resume_all" : "queue.stop_all")}</span>
  <//>`;
}
