// An alert's test, which all overlays on the stream show.

import { useConsole, useRef, useState } from "../../shared/parts.js";
import { outcomeOf } from "../stop/stopping.js";
import { hasAmount, ruleOf, testOf } from "./kinds.js";

/**
 * `send(kind, amount)` sends a test. `busy` is true until the response. `note` is the result as a text. `off` is a kind that
 * has to be turned on first.
 *
 * @param {Pick<import("./record.js").OverlayRecord, "settings" | "flags" | "settle">} record
 * @param {() => void} play
 */
export function useTest({ settings, flags, settle }, play) {
  const { client, say } = useConsole();
  const [result, setResult] = useState({ note: "", off: /** @type {string | null} */ (null), busy: false });
  // The result of a test is not shown at another alert.
  const tests = useRef(0);
  const clear = () => {
    tests.current += 1;
    setResult({ note: "", off: null, busy: false });
  };
  const send = async (/** @type {string} */ kind, /** @type {number} */ amount) => {
    const { enabled, minimum } = ruleOf(settings, kind);
    clear();
    const number = tests.current;
    const show = (/** @type {string} */ note, /** @type {string | null} */ off = null) =>
      number === tests.current && setResult({ note, off, busy: false });
    play();
    if (!enabled) return show(say("alerts.is_off", { kind: say(`kind.${kind}`) }), kind);
    if (hasAmount(kind) && amount < minimum) return show(say("alerts.below", { minimum }));
    setResult({ note: "", off: null, busy: true });
    // The overlay shows the test with the last input. The editor reports that it could not be saved.
    if (!(await settle())) return show("");
    try {
      await client.post("/alerts", { test: testOf(kind, amount, say) });
      return show(flags.paused ? say("alerts.sent_paused") : await outcomeOf(client, say, { kind, event: {} }));
    } catch (problem) {
      const error = /** @type {any} */ (problem);
      return show(error.isRetryable ? say("unreachable") : (error.detail ?? error.message));
    }
  };
  return { ...result, send, clear };
}
