// The sentences about rules and products.

import { duration, points } from "../../shared/units.js";

/** The causes that the usual rules pay for: their filters, and whether they count units. @type {Record<string, any>} */
export const CAUSES = {
  chat: { source: "twitch/channel.chat.message", hasUnits: false },
  cheer: { event_type: "cheer", hasUnits: true },
  subscriber: { event_type: "subscriber", hasUnits: false },
  gift: { source: "twitch/channel.chat.notification/community_sub_gift", hasUnits: false },
  raid: { event_type: "raid", hasUnits: true },
  follow: { source: "twitch/channel.follow", hasUnits: false },
  redemption: { source: "twitch/channel.channel_points_custom_reward_redemption.add", hasUnits: false },
};

/**
 * Returns a rule's cause: a name from `CAUSES`, or `other` for filters without a name.
 *
 * @param {{event_type: any, source: any, reference: string}} record
 */
export function causeOf({ event_type: type, source, reference }) {
  if (reference) return "other";
  const matches = (/** @type {any} */ [, cause]) =>
    (cause.source ?? null) === (source || null) && (cause.event_type ?? null) === (type || null);
  return Object.entries(CAUSES).find(matches)?.[0] ?? "other";
}

/**
 * Returns a rule as sentences: “Cheerers earn 2 points per bit.”
 *
 * @param {any} rule
 * @param {any} say
 */
export function ruleSentence(rule, say) {
  const { amount, per_unit: perUnit, every, event_type: type, source, reference } = rule;
  const cause = causeOf(rule);
  if (!(amount > 0) && !(perUnit > 0)) return say("rule.nothing");
  const form = perUnit > 0 ? (amount > 0 ? "both" : "unit") : "amount";
  const values = { points: points(amount > 0 ? amount : perUnit, say), more: points(perUnit, say) };
  // Only cheers and raids have units. Any other event counts as one.
  const hasUnits = CAUSES[cause]?.hasUnits || cause === "other";
  const key = `rule.${hasUnits ? form : "amount"}.${cause}`;
  const sentences = [say(key, hasUnits ? values : { points: points(amount + perUnit, say) })];
  if (cause === "other") {
    if (type) sentences.push(say("rule.only_type", { type: say(`rule.type.${type}`) }));
    if (source) sentences.push(say("rule.only_source", { source }));
    if (reference) sentences.push(say("rule.only_reference", { reference }));
  }
  if (every) sentences.push(say("rule.every", { time: duration(every, say) }));
  return sentences.join(" ");
}

/**
 * Returns a product's conditions for its buyers, in short phrases.
 *
 * @param {any} product
 * @param {any} say
 */
export function productFacts(product, say) {
  const { max_per_user: limit, cooldown, user_cooldown: userCooldown, question, item_name: item, automatic,
    enabled } = product;
  return [
    !enabled && say("product.disabled"),
    limit && say("product.limit", { many: limit }),
    cooldown && say("product.cooldown", { time: duration(cooldown, say) }),
    userCooldown && say("product.user_cooldown", { time: duration(userCooldown, say) }),
    item && say("product.item", { name: item }),
    question && say("product.question", { question }),
    automatic && say("product.automatic"),
  ].filter(Boolean);
}
