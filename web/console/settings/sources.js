// The names of the sources of events. The API uses their names at Twitch.

/**
 * The prefixes of the sources below `twitch/`, and their names. The first match counts.
 *
 * @type {[string, string][]}
 */
const NAMES = [
  ["channel.chat.message", "chat"],
  ["channel.chat.notification/community_sub_gift", "gift"],
  ["channel.chat.notification/sub_gift", "gift"],
  ["channel.chat.notification/sub", "subscription"],
  ["channel.chat.notification/resub", "subscription"],
  ["channel.chat.notification/raid", "raid"],
  ["channel.chat.notification/announcement", "announcement"],
  ["channel.chat.notification/charity_donation", "charity"],
  ["channel.chat.notification/bits_badge_tier", "milestone"],
  ["channel.chat.notification/watch_streak", "milestone"],
  ["channel.chat.notification/", "subscription"],
  ["channel.subscription.gift", "gift"],
  ["channel.subscri", "subscription"],
  ["channel.cheer", "bits"],
  ["channel.bits.use", "bits"],
  ["channel.custom_power_up", "bits"],
  ["channel.raid", "raid"],
  ["channel.follow", "follow"],
  ["channel.channel_points", "redemption"],
  ["channel.charity", "charity"],
  ["channel.hype_train", "hype_train"],
  ["channel.goal", "goal"],
  ["channel.poll", "poll"],
  ["channel.prediction", "prediction"],
  ["channel.update", "update"],
  ["channel.shoutout", "shoutout"],
  ["channel.ad_break", "ad_break"],
  ["stream.", "stream"],
];

/**
 * Returns a source's everyday name. Other programs' sources keep the names that they have chosen.
 *
 * @param {any} source
 * @param {any} say
 */
function sourceName(source, say) {
  if (!source.startsWith("twitch/")) return source;
  const type = source.slice("twitch/".length);
  return say(`source.${NAMES.find(([beginning]) => type.startsWith(beginning))?.[1] ?? "other"}`);
}

/**
 * Returns the total counts by the name of their source, largest first. @returns {[string, number][]}
 *
 * @param {any} counts
 * @param {any} say
 */
export function countsByName(counts, say) {
  const sums = new Map();
  for (const [source, count] of counts) {
    const name = sourceName(source, say);
    sums.set(name, (sums.get(name) ?? 0) + count);
  }
  return [...sums].sort(([, one], [, other]) => other - one);
}
