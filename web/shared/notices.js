// The stream's notices in the reader's language, generated from their events' fields. The service writes their messages
// in English.

/** @typedef {import("./texts.js").Say} Say */

/**
 * A notice in words: the name of its text, and the values of its placeholders. `message` is the text that the viewer
 * wrote.
 *
 * @typedef {{key: string, values?: Record<string, any>, message?: string | null}} Notice
 */

/** The notices about the channel. All others are about their viewer and start with the name. */
const OF_CHANNEL = /^twitch\/(stream|channel\.(hype_train|goal|poll|prediction|update|ad_break))\b/;

/** @param {string} text */
const words = (text) => text.replaceAll("_", " ");

/** Returns the part of a text after a mark. @param {string | null | undefined} text @param {string} mark */
const after = (text, mark) => (text?.includes(mark) ? text.slice(text.indexOf(mark) + mark.length) : null);

/** @param {string | undefined} type @param {Say} say */
const goalOf = (type, say) => (say.has(`notice.goal.${type}`) ? say(`notice.goal.${type}`) : words(type ?? ""));

/** Returns an amount of money. @param {{amount: string, currency: string}} details @param {Say} say */
function money({ amount, currency }, say) {
  try {
    return new Intl.NumberFormat(say.lang, { style: "currency", currency }).format(Number(amount));
  } catch {
    return `${amount} ${currency}`;
  }
}

/** @param {any} details @param {Say} say @param {string} key @returns {Notice} */
const goal = (details, say, key) => {
  const { type, description, current_amount: now, target_amount: target } = details;
  const end = description ? `: ${description}` : ".";
  return { key, values: { now: say.number(now), target: say.number(target), what: goalOf(type, say), end } };
};

/** Several choices may have won. Without votes, none has. @param {any} details @returns {Notice} */
function poll({ title, choices = [] }) {
  const votes = Math.max(0, ...choices.map((/** @type {any} */ choice) => choice.votes ?? 0));
  const winners = choices.filter((/** @type {any} */ choice) => votes > 0 && choice.votes === votes);
  if (winners.length === 0) return { key: "poll.end_without_votes", values: { title } };
  const winner = winners.map((/** @type {any} */ choice) => choice.title).join(", ");
  return { key: "poll.end", values: { many: votes, title, winner } };
}

/** @param {any} details @returns {Notice} */
function prediction({ title, outcomes = [], winning_outcome_id: id }) {
  const winner = id && outcomes.find((/** @type {any} */ outcome) => outcome.id === id)?.title;
  if (!winner) return { key: "prediction.canceled", values: { title } };
  return { key: "prediction.end", values: { title, winner } };
}

/** @param {any} details @param {Say} say @returns {Notice} */
const donation = (details, say) =>
  ({ key: "donation", values: { sum: money(details, say), charity: details.charity_name } });

/** @param {any} details @param {string} key @returns {Notice} */
const gift = ({ giver }, key) => 
  giver ? { key, values: { name: giver.user_name } } : { key: `${key}_anonymous` };

/**
 * The notices, by the last part of their source.
 *
 * @type {Record<string, (details: any, say: Say, message: string | null | undefined) => Notice>}
 */
const NOTICES = {
  "stream.online": () => ({ key: "stream.online" }),
  "stream.offline": () => ({ key: "stream.offline" }),
  "channel.hype_train.begin": ({ type }) =>
    type && type !== "regular"
      ? { key: "hype_train.begin_special", values: { type: words(type) } }
      : { key: "hype_train.begin" },
  "channel.hype_train.end": ({ level, total }, say) =>
    ({ key: "hype_train.end", values: { level: say.number(level), total } }),
  "channel.goal.begin": (details, say) => goal(details, say, "goal.begin"),
  "channel.goal.end": (details, say) => goal(details, say, details.is_achieved ? "goal.achieved" : "goal.end"),
  "channel.poll.end": poll,
  "channel.prediction.end": prediction,
  "channel.charity_campaign.donate": donation,
  "channel.update": ({ title, category_name: category }) =>
    ({ key: category ? "update" : "update_title", values: category ? { title, category } : { title } }),
  "channel.shoutout.receive": () => ({ key: "shoutout" }),
  "channel.ad_break.begin": ({ duration_seconds: seconds }) => ({ key: "ad_break", values: { seconds } }),
  "channel.raid": ({ viewer_count: many, to }) => ({ key: "raid", values: { many, name: to?.user_name } }),
  "channel.channel_points_custom_reward_redemption.update": ({ title }) => ({ key: "refund", values: { title } }),
  gift_paid_upgrade: (details) => gift(details, "gift_upgrade"),
  pay_it_forward: (details) => gift(details, "forward"),
  prime_paid_upgrade: ({ tier }) => ({ key: "prime_upgrade", values: { tier: String(tier) } }),
  charity_donation: donation,
  announcement: (_details, _say, message) => ({ key: "announcement", message: after(message, " announced: ") }),
  watch_streak: ({ streak_count: many }, _say, message) =>
    ({ key: "watch_streak", values: { many }, message: after(message, " streams in a row: ") }),
  bits_badge_tier: ({ tier: many }, _say, message) =>
    ({ key: "bits_badge", values: { many }, message: after(message, " bits: ") }),
};

const isMissing = (/** @type {any} */ value) => value === undefined || value === null || String(value) === "NaN";

/**
 * Returns a notice in words. One of an unknown type, or without its fields, only has a name.
 *
 * @param {{source?: string | null, details?: any, message?: string | null}} event
 * @param {Say} say
 * @returns {Notice}
 */
function read({ source, details, message }, say) {
  const name = (source ?? "").split("/").at(-1) ?? "";
  const notice = Object.hasOwn(NOTICES, name) && NOTICES[name](details ?? {}, say, message);
  if (notice && !Object.values(notice.values ?? {}).some(isMissing)) return notice;
  return { key: "other", values: { type: words(name.replaceAll(".", " ")) } };
}

/** Returns true if a notice is about the channel, not a viewer. @param {{source?: string | null}} event */
export const isOfChannel = ({ source }) => OF_CHANNEL.test(source ?? "");

/**
 * Returns a notice's text without its viewer's name, and the text that the viewer wrote.
 *
 * @param {any} event
 * @param {Say} say
 */
export function noticePartsOf(event, say) {
  const { key, values = {}, message = null } = read(event, say);
  // The service's sentence is in English.
  const isKnown = key !== "other" || say.lang !== "en" || !event.message;
  const text = isKnown ? say(`notice.${key}`, values) : event.message.replace(`${event.user_name} `, "");
  return { text, message };
}

/** Returns a notice's text with the viewer's words. @param {any} event @param {Say} say @returns {string} */
export function noticeOf(event, say) {
  const { text, message } = noticePartsOf(event, say);
  return message ? `${text.replace(/\.$/, "")}: ${message}` : text;
}
