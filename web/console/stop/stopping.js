// Stops all overlays, and lets them go on. An overlay that was paused on its own stays paused: while all are stopped,
// its settings have a mark, so that any browser can let the others go on.

const MARK = "stays_paused";

/** Returns all overlays, the oldest first. @param {any} client */
export const overlaysOf = async (client) =>
  (await client.page("/overlays", { query: { limit: 100, order: "asc" } })).records;

/**
 * Returns the name of the text about a test or a replay that was sent: overlays may wait, not exist, or not be open.
 *
 * @param {any} client
 */
export async function outcomeOf(client) {
  const paths = ["/connections/overlays", "/health"];
  const [overlays, open, health] = await Promise.all([overlaysOf(client), ...paths.map((path) => client.get(path))]);
  if (overlays.length === 0) return "alerts.sent_nowhere";
  if (areStopped(overlays)) return "alerts.sent_stopped";
  // Without a socket, nobody knows what is open.
  return open.length === 0 && health.socket ? "alerts.sent_unseen" : "alerts.sent";
}

/** True if no overlay shows alerts. @param {any[]} overlays */
export const areStopped = (overlays) => overlays.length > 0 && overlays.every(({ paused }) => paused);

/** @param {{settings: any}} record */
const isMarked = ({ settings }) => Boolean(settings?.[MARK]);

/**
 * Pauses or resumes an overlay, and sets or removes its mark.
 *
 * @param {any} client
 * @param {any} overlay
 * @param {any} paused
 * @param {any} marked
 */
async function change(client, overlay, paused, marked) {
  const path = `/overlays/${overlay.overlay_id}`;
  if (isMarked(overlay) === marked) {
    if (overlay.paused !== paused) await client.patch(path, { paused });
    return;
  }
  // Settings are replaced as a whole, so another change in between must not be lost.
  const { data, etag } = await client.request("GET", path);
  const { [MARK]: _, ...settings } = data.settings ?? {};
  await client.patch(path, { paused, settings: marked ? { ...settings, [MARK]: true } : settings }, { ifMatch: etag });
}

/**
 * Stops all overlays, or lets those go on that were not paused before. Without an overlay, creates one of a name.
 *
 * @param {any} client
 * @param {any} isStopped
 * @param {string} name
 */
export async function setStopped(client, isStopped, name) {
  const found = await overlaysOf(client);
  // Without a record, a page on a stream would not hear of it.
  const overlays = found.length > 0 ? found : [await client.post("/overlays", { name, settings: {} })];
  const stays = (/** @type {any} */ overlay) => isMarked(overlay) && !overlays.every(isMarked);
  const changes = overlays.map((/** @type {any} */ overlay) =>
    isStopped ? change(client, overlay, true, overlay.paused) : change(client, overlay, stays(overlay), false));
  const failed = (await Promise.allSettled(changes)).find(({ status }) => status === "rejected");
  if (failed) throw /** @type {PromiseRejectedResult} */ (failed).reason;
}
