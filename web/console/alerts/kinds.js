// The kinds of alerts in the editor, and their test events.

import { ALERT_KINDS } from "../../overlay/settings.js";

/** The kinds, in list order. `document` is a letter: an event with a document. */
export const KINDS = ["subscriber", "gift", "cheer", "raid", "document", ...ALERT_KINDS.slice(4)];
/**
 * The amounts of the preview's slider, for the kinds that have one: one per alert size. The second is used for the
 * first test.
 *
 * @type {Record<string, number[]>}
 */
const AMOUNTS = {
  subscriber: [1, 3, 12, 60],
  gift: [1, 5, 20, 50],
  cheer: [1, 100, 1_000, 10_000],
  raid: [1, 42, 100, 1_000],
  purchase: [1, 400, 5_000, 50_000],
};
export const hasAmount = (/** @type {string} */ kind) => kind in AMOUNTS;
export const firstAmount = (/** @type {string} */ kind) => AMOUNTS[kind]?.[1] ?? 1;

/**
 * Returns the slider's steps: the kind's amounts, and those at which the rule changes.
 *
 * @param {string} kind
 * @param {import("../../overlay/rules.js").Rule} rule
 */
export function stepsOf(kind, rule) {
  const minimums = [rule, ...rule.variations].map(({ minimum }) => minimum).filter((minimum) => minimum > 0);
  return [...new Set([...AMOUNTS[kind], ...minimums])].sort((one, other) => one - other);
}

/** The placeholders that have a value in each kind of alert. @type {Record<string, string[]>} */
export const PLACEHOLDERS = {
  subscriber: ["name", "months", "tier", "message"],
  gift: ["name", "amount", "tier"],
  cheer: ["name", "amount", "message"],
  raid: ["name", "amount"],
  follow: ["name"],
  redemption: ["name", "title", "message"],
  purchase: ["name", "title", "price", "message"],
  notice: ["message"],
  document: ["name", "message"],
  plain: ["name", "message"],
  stamp: ["type"],
};

const FOLLOW = "twitch/channel.follow";
const REDEMPTION = "twitch/channel.channel_points_custom_reward_redemption.add";
const HYPE_TRAIN = "twitch/channel.hype_train.end";
const GIFT = { giver: { user_id: "1", user_name: "Ann" }, tier: 1 };

/** @type {Record<string, string>} */
const DEFAULT_TEXTS = { subscriber: "resubscribed", gift: "gifts", document: "letter" };
/** Returns the name of a kind's default text in the overlay. @param {string} kind */
export const defaultText = (kind) => DEFAULT_TEXTS[kind] ?? kind;

/**
 * Returns a kind's rule.
 *
 * @param {import("../../overlay/settings.js").Settings} settings
 * @param {string} kind
 */
export const ruleOf = (settings, kind) => settings.alerts[kind];

/**
 * Returns the body of a test alert: an event with an amount. The overlay draws a test's letter.
 *
 * @param {string} kind
 * @param {number} amount
 * @param {(key: string) => string} say
 * @returns {Record<string, any>}
 */
export function testOf(kind, amount, say) {
  const ann = { user_name: "Ann" };
  const message = say(`sample.${kind}`);
  switch (kind) {
    case "subscriber":
      return { ...ann, event_type: "subscriber", tier: 1, subscribed_length: amount, message };
    case "gift":
      return { ...ann, event_type: "plain", message: "-", reference: "test", details: { ...GIFT, total: amount } };
    case "cheer":
      return { ...ann, event_type: "cheer", amount, message };
    case "raid":
      return { ...ann, event_type: "raid", viewer_count: amount };
    case "follow":
      return { ...ann, event_type: "plain", message: "Ann followed the channel.", source: FOLLOW };
    case "redemption": {
      const title = say("sample.reward");
      const details = { title, cost: 100 };
      return { ...ann, event_type: "plain", message: `${title} (100 points): ${message}`, source: REDEMPTION, details };
    }
    case "purchase":
      return { purchase: { ...ann, name: say("sample.product"), price: amount, quantity: 1, answer: null } };
    case "notice": {
      const details = { level: 4, total: 12_300 };
      return { ...ann, event_type: "plain", message: "A hype train ended.", source: HYPE_TRAIN, details };
    }
    case "document":
      return { ...ann, event_type: "plain", message, details: { sample: "letter" } };
    default:
      return { ...ann, event_type: "plain", message };
  }
}

/**
 * Returns the data for an alert in the preview. A stamp's test needs a record.
 *
 * @param {string} kind
 * @param {number} amount
 * @param {(key: string) => string} say
 */
export const previewOf = (kind, amount, say) =>
  kind === "stamp"
    ? { stamp_id: 1, document_id: 1, stamp_type: "heart", pos_x: 0, pos_y: 0, rotation: 0 }
    : testOf(kind, amount, say);
