// The test of an alert, which all overlays on the stream show.

import { useConsole, useState } from "../parts.js";
import { hasAmount, ruleOf, testOf } from "./kinds.js";

/**
 * `send(kind, amount)` sends a test. `note` says what happened. `off` is the kind that has to be turned on first.
 *
 * @param {Pick<import("./record.js").OverlayRecord, "settings" | "flags">} record
 * @param {() => void} play
 */
export function useTest({ settings, flags }, play) {
  const { client, say } = useConsole();
  const [result, setResult] = useState({ note: "", off: /** @type {string | null} */ (null) });
  const tell = (/** @type {string} */ note, /** @type {string | null} */ off = null) => setResult({ note, off });
  const send = async (/** @type {string} */ kind, /** @type {number} */ amount) => {
    const { enabled, minimum } = ruleOf(settings, kind);
    play();
    if (!enabled) return tell(say("alerts.is_off", { kind: say(`kind.${kind}`) }), kind);
    if (hasAmount(kind) && amount < minimum) return tell(say("alerts.below", { minimum }));
    tell("…");
    try {
      await client.post("/alerts", { test: testOf(kind, amount, say) });
      return tell(say(flags.paused ? "alerts.sent_paused" : "alerts.sent"));
    } catch (problem) {
      const error = /** @type {any} */ (problem);
      return tell(error.isRetryable ? say("unreachable") : (error.detail ?? error.message));
    }
  };
  return { ...result, send, clear: () => tell("") };
}
