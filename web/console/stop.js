// Stops all alerts, and lets them go on: each overlay record is paused, and pages without one obey, too. A key does the
// same as the button, so a streamer needs no mouse.

import { local } from "../shared/page.js";
import { useLoaded } from "./loading.js";
import { Problem, html, useConsole, useEffect, useRef, useState } from "./parts.js";

const DEFAULT_KEY = "Pause";
const STORED_KEY = "stop_key";
// The keys that browsers and pages use themselves.
const TAKEN =
  /^(F([13567]|1[012])|Tab|Enter|Escape| |Backspace|Delete|Home|End|Page.*|Arrow.*|Dead|Unidentified)$/;
const MODIFIER = /^(Shift|Control|Alt|AltGraph|Meta|CapsLock|OS|Fn)$/;

/** True if a key may stop the alerts. @param {KeyboardEvent} event */
const isFree = ({ key, ctrlKey, altKey, metaKey }) => !ctrlKey && !altKey && !metaKey && !TAKEN.test(key);

/** True if a key is a part of a text that is being written. @param {KeyboardEvent} event */
const isTyped = ({ key, target }) =>
  key.length === 1 && target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;

/** Pauses or resumes all overlay records. Without one, a page on a stream would not hear of it, so one is created. */
async function setAllPaused(client, overlays, paused, name) {
  const all = overlays.length > 0 ? overlays : [await client.post("/overlays", { name, settings: {} })];
  const change = ({ overlay_id: id }) => client.patch(`/overlays/${id}`, { paused });
  const results = await Promise.allSettled(all.map(change));
  const failed = results.find(({ status }) => status === "rejected");
  if (failed) throw /** @type {PromiseRejectedResult} */ (failed).reason;
}

/** Whether all alerts are stopped, and a function that stops them or lets them go on. */
export function useStop() {
  const { client, say, subscribe } = useConsole();
  const load = async () => (await client.page("/overlays", { query: { limit: 100, order: "asc" } })).records;
  const { value: overlays, reload } = useLoaded(load, "overlays to stop");
  const [error, setError] = useState(null);
  const isStopped = overlays !== null && overlays.length > 0 && overlays.every(({ paused }) => paused);
  const toggle = async () => {
    try {
      // The list is read again, because another page may have created an overlay.
      await setAllPaused(client, await load(), !isStopped, say("alerts.first_name"));
      setError(null);
    } catch (error) {
      setError(error);
    }
    reload();
  };
  useEffect(() => subscribe(({ type }) => type === "overlay.updated" && reload()), []);
  return { isStopped, toggle, error };
}

/** The button, and the choice of its key. */
export function StopAlerts() {
  const { say } = useConsole();
  const { isStopped, toggle, error } = useStop();
  const [key, setKey] = useState(local.get(STORED_KEY) ?? DEFAULT_KEY);
  const [isChoosing, setChoosing] = useState(false);
  const latest = useRef(/** @type {(event: KeyboardEvent) => void} */ (() => {}));
  latest.current = (event) => {
    if (event.repeat || MODIFIER.test(event.key)) return;
    if (isChoosing) {
      if (isFree(event)) {
        event.preventDefault();
        setKey(event.key);
        local.set(STORED_KEY, event.key);
      }
      setChoosing(false);
    } else if (event.key === key && isFree(event) && !isTyped(event)) {
      event.preventDefault();
      toggle();
    }
  };
  useEffect(() => {
    const listener = (/** @type {KeyboardEvent} */ event) => latest.current(event);
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, []);
  return html`<div class="bar spread stop">
      <button class="main" onClick=${toggle}>${say(isStopped ? "queue.resume_all" : "queue.stop_all")}</button>
      <button class="quiet" aria-live="polite" onClick=${() => setChoosing(!isChoosing)}>
        ${isChoosing ? say("queue.press") : say("queue.key", { key: key.length === 1 ? key.toUpperCase() : key })}
      </button>
    </div>
    <${Problem} error=${error} />`;
}
