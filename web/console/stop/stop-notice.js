// Listens for the key that stops all alerts in every view, and shows a notice while they are stopped.

import { Icon, Problem, html, useConsole, useEffect, useRef } from "../../shared/parts.js";
import { StopAll, useStop } from "./stop.js";
import { isStopKey } from "./stop-key.js";

/**
 * Calls `onStop` when the key is pressed: in the page, or in a page within it, such as an alert's preview.
 *
 * @param {any} onStop
 */
function useStopKey(onStop) {
  const latest = useRef(onStop);
  latest.current = onStop;
  useEffect(() => {
    const listener = (/** @type {KeyboardEvent} */ event) => {
      if (!isStopKey(event)) return;
      event.preventDefault();
      latest.current();
    };
    // The page loses the focus to a page within it.
    const onBlur = () => {
      const { activeElement: element } = document;
      if (element instanceof HTMLIFrameElement) element.contentWindow?.addEventListener("keydown", listener);
    };
    addEventListener("keydown", listener);
    addEventListener("blur", onBlur);
    return () => {
      removeEventListener("keydown", listener);
      removeEventListener("blur", onBlur);
    };
  }, []);
}

export function StopNotice() {
  const { say } = useConsole();
  const { isStopped, toggle, error } = useStop();
  useStopKey(toggle);
  return html`<div class="stop-notice" role="status">
    ${isStopped && html`<div class="notice-bar stopped">
      <${Icon} name="halt" /><span>${say("stop.stopped")}</span>
      <${StopAll} isStopped toggle=${toggle} label=${say("stop.resume")} />
    </div>`}
    <${Problem} error=${error} />
  </div>`;
}
