// Exports the activity as a file.

import { saveCsv } from "../forms.js";

const COLUMNS = ["event_id", "occurred_at", "event_type", "user_id", "user_name", "message", "amount", "tier",
  "subscribed_length", "viewer_count", "source"];

/**
 * Saves all matching events from several lists. The lists may overlap.
 *
 * @param {{client: any, paths: any, matches: any, onProgress: any}} record
 */
export async function saveEvents({ client, paths, matches, onProgress }) {
  const events = new Map();
  for (const path of paths) {
    for await (const event of client.list(path, { retries: 3, query: { limit: 1_000 } })) {
      if (matches(event)) events.set(event.event_id, event);
      if (events.size % 1_000 === 0) onProgress(events.size);
    }
  }
  saveCsv("events.csv", [COLUMNS, ...[...events.values()].map((event) => COLUMNS.map((name) => event[name]))]);
}
