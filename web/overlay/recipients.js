// The recipients of a replayed gift. Their events arrive only once, so a replay reads them again.

// A test's recipients.
const SAMPLE = ["Ann", "Bruno", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hana", "Ivo", "Juno"];
const MAX_RECIPIENTS = 100;

/**
 * Adds the recipients' names to a gift's replay or test. Never fails: a gift without names is better than none.
 *
 * @param {import("../shared/client/index.js").Client} client
 * @param {import("./queue.js").Alert} alert
 */
export async function addRecipients(client, { kind, event, isManual, recipients }) {
  const { reference, details } = /** @type {any} */ (event);
  if (kind !== "gift" || !isManual || !reference || recipients.size > 0) return;
  if (reference === "test") {
    const count = Math.min(MAX_RECIPIENTS, details.total);
    for (let number = 0; number < count; number += 1) {
      const round = Math.floor(number / SAMPLE.length);
      recipients.set(String(number), `${SAMPLE[number % SAMPLE.length]}${round || ""}`);
    }
    return;
  }
  try {
    const { records } = await client.page("/events", {
      query: { reference, event_type: "subscriber", limit: MAX_RECIPIENTS, order: "asc" },
    });
    for (const { event_id: id, user_name: name } of /** @type {any[]} */ (records)) {
      recipients.set(`events/${id}`, name);
    }
  } catch {
    // The service is away.
  }
}
