// The test of an alert, which all overlays on the stream show.

import { useConsole, useState } from "../parts.js";
import { hasAmount, ruleOf, testOf } from "./kinds.js";

/** Returns the body of a test. That of a letter names the newest letter. Null if there is none. */
async function bodyOf(client, kind, amount) {
  if (kind !== "document") return testOf(kind, amount);
  const { records } = await client.page("/documents", { query: { limit: 50 } });
  // Pictures of alerts are documents, too.
  const letter = records.find(({ metadata }) => metadata !== "alert");
  return letter ? { ...testOf(kind, amount), document_id: letter.document_id } : null;
}

/** `send(kind, amount)` sends a test. `note` says what happened. `off` is the kind that has to be turned on first. */
export function useTest({ settings, flags }, play) {
  const { client, say } = useConsole();
  const [result, setResult] = useState({ note: "", off: /** @type {string | null} */ (null) });
  const tell = (note, off = null) => setResult({ note, off });
  const send = async (kind, amount) => {
    const { enabled, minimum } = ruleOf(settings, kind);
    play();
    if (!enabled) return tell(say("alerts.is_off", { kind: say(`kind.${kind}`) }), kind);
    if (hasAmount(kind) && amount < minimum) return tell(say("alerts.below", { minimum }));
    tell("…");
    try {
      const test = await bodyOf(client, kind, amount);
      if (!test) return tell(say("alerts.no_letter"));
      await client.post("/alerts", { test });
      return tell(say(flags.paused ? "alerts.sent_paused" : "alerts.sent"));
    } catch (error) {
      return tell(error.isRetryable ? say("unreachable") : (error.detail ?? error.message));
    }
  };
  return { ...result, send, clear: () => tell("") };
}
