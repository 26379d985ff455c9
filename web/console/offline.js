// The notice that the service is away, with the times of its last response and of the next attempt.

import { Icon, attempts, html, useConsole, useEffect, useState } from "../shared/parts.js";
import { Countdown } from "./problem.js";

// Connection losses shorter than this are not shown, in milliseconds.
const DELAY = 1_000;

export function Offline() {
  const { connected, say, outage, retry } = useConsole();
  const [since, setSince] = useState(/** @type {number | null} */ (null));
  useEffect(() => {
    if (connected) return setSince(null);
    const now = Date.now();
    const timer = setTimeout(() => setSince(now), DELAY);
    return () => clearTimeout(timer);
  }, [connected]);
  // Figures that may be outdated then do not look current.
  useEffect(() => void document.body.classList.toggle("is-offline", since !== null), [since]);
  const time = since && new Intl.DateTimeFormat(say.lang, { timeStyle: "short" }).format(since);
  return html`<div role="status">
    ${time && html`<div class="notice-bar offline">
      <${Icon} name="warning" /><span>${say("offline", { time })}</span>
      ${attempts.has(outage) && html`<${Countdown} error=${outage} />`}
      <button onClick=${retry}>${say("retry")}</button>
    </div>`}
  </div>`;
}
