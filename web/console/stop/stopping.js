// Stops and resumes all overlays. An overlay that was paused separately stays paused: while all are stopped, its
// settings contain a mark, so any browser can resume the others.

import { ruleFor, ruleKind, settingsFrom } from "../../overlay/settings.js";

const MARK = "stays_paused";

/** Returns all overlays, oldest first. @param {any} client */
export const overlaysOf = async (client) =>
  (await client.page("/overlays", { query: { limit: 100, order: "asc" } })).records;

/**
 * Returns the text for a sent test or replay of an alert: overlays may be missing, waiting, or not open, and all of them
 * may have turned off its kind.
 *
 * @param {any} client
 * @param {any} say
 * @param {{kind: string, event: any}} alert
 */
export async function outcomeOf(client, say, alert) {
  const paths = ["/connections/overlays", "/health"];
  const [overlays, open, health] = await Promise.all([overlaysOf(client), ...paths.map((path) => client.get(path))]);
  if (overlays.length === 0) return say("alerts.sent_nowhere");
  const kinds = overlays.map((/** @type {any} */ overlay) => {
    const settings = settingsFrom(overlay.settings ?? {});
    const kind = ruleKind(settings, alert);
    return { kind, isOn: ruleFor(settings, kind, 0).enabled };
  });
  if (!kinds.some((/** @type {{isOn: boolean}} */ { isOn }) => isOn)) return say("alerts.is_off", { kind: say(`kind.${kinds[0].kind}`) });
  if (areStopped(overlays)) return say("alerts.sent_stopped");
  // Without a socket, it is unknown which overlays are open.
  return say(open.length === 0 && health.socket ? "alerts.sent_unseen" : "alerts.sent");
}

/** Returns true if no overlay shows alerts. @param {any[]} overlays */
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
  // A write replaces all settings, so it must not lose a change made in between.
  const { data, etag } = await client.request("GET", path);
  const { [MARK]: _, ...settings } = data.settings ?? {};
  await client.patch(path, { paused, settings: marked ? { ...settings, [MARK]: true } : settings }, { ifMatch: etag });
}

/**
 * Stops all overlays, or resumes those that were not paused before. Without an overlay, creates one with this name.
 *
 * @param {any} client
 * @param {any} isStopped
 * @param {string} name
 */
export async function setStopped(client, isStopped, name) {
  const found = await overlaysOf(client);
  // Without a record, pages on a stream would not be notified.
  const overlays = found.length > 0 ? found : [await client.post("/overlays", { name, settings: {} })];
  const stays = (/** @type {any} */ overlay) => isMarked(overlay) && !overlays.every(isMarked);
  const changes = overlays.map((/** @type {any} */ overlay) =>
    isStopped ? change(client, overlay, true, overlay.paused) : change(client, overlay, stays(overlay), false));
  const failed = (await Promise.allSettled(changes)).find(({ status }) => status === "rejected");
  if (failed) throw /** @type {PromiseRejectedResult} */ (failed).reason;
}
