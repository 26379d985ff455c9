// The kinds of events as streamers know them. An event's type, source and details determine its kind.

/** An event, stamp or purchase, as the service returns it. @typedef {any} Data */

/**
 * The sources of events that form separate kinds. All other plain events are chat messages or notices.
 *
 * @type {Record<string, string[]>}
 */
export const SOURCES = {
  gift: ["twitch/channel.chat.notification/community_sub_gift", "twitch/channel.subscription.gift"],
  follow: ["twitch/channel.follow"],
  redemption: [
    "twitch/channel.channel_points_custom_reward_redemption.add",
    "twitch/channel.channel_points_automatic_reward_redemption.add",
  ],
};
/** Twitch's built-in rewards, which have separate texts. */
const REWARDS = [
  "single_message_bypass_sub_mode", "send_highlighted_message", "random_sub_emote_unlock", "chosen_sub_emote_unlock",
  "chosen_modified_sub_emote_unlock",
];
const CHAT = "twitch/channel.chat.message";

/** The types of events, in display order. */
export const TYPES = ["plain", "subscriber", "cheer", "raid"];

/** The kinds, in display order. */
export const KINDS = ["subscriber", "gift", "cheer", "raid", "redemption", "follow", "notice", "plain"];

/**
 * Returns the kind of an event, stamp or purchase: one of `KINDS`, `stamp`, `purchase`, or `recipient` for the event of
 * a viewer who received a subscription from a community gift.
 *
 * @param {Data} data
 * @returns {string}
 */
export function kindOf(data) {
  if (data.stamp_type !== undefined) return "stamp";
  if (data.price !== undefined) return "purchase";
  const { event_type: type, source } = data;
  if (type === "subscriber" && groupOf(data)) return "recipient";
  if (type !== "plain") return type;
  if (isGift(data)) return "gift";
  const named = ["follow", "redemption"].find((kind) => SOURCES[kind].includes(source));
  if (named) return named;
  return source?.startsWith("twitch/") && source !== CHAT ? "notice" : "plain";
}

/**
 * Returns true for the event of a viewer who gave subscriptions away. Anonymous givers are not in the details.
 *
 * @param {Data} data
 */
function isGift({ event_type: type, source, details }) {
  if (type !== "plain" || !(details?.total > 0)) return false;
  return Boolean(details.giver || details.is_anonymous || SOURCES.gift.includes(source));
}

/**
 * Returns the community gift that a giver's or recipient's event belongs to, or null.
 *
 * @param {Data} data
 * @returns {string | null}
 */
export function groupOf(data) {
  const isRecipient = data.event_type === "subscriber" && Boolean(data.details?.recipient);
  return isRecipient || isGift(data) ? (data.reference ?? null) : null;
}

/**
 * Returns the number that determines an event's size: bits, viewers, gifts, months, or points.
 *
 * @param {Data} data
 * @returns {number}
 */
export function amountOf({ price, amount, viewer_count: viewers, subscribed_length: months, details }) {
  return price ?? amount ?? viewers ?? months ?? details?.total ?? details?.cost ?? 0;
}

/** The kinds that lists show by default. Most streamers have the chat in a separate window. */
export const MAIN_KINDS = new Set(KINDS.filter((kind) => kind !== "plain" && kind !== "notice"));

/** @typedef {import("./client/types.js").NextPage<import("./client/types.js").Event>} ListOfEvents */

/**
 * Returns the paths of the lists that together contain all events of these kinds, with only the cheers that have enough
 * bits.
 *
 * @param {Set<string>} kinds
 * @param {number} [minBits]
 */
export const pathsOf = (kinds, minBits = 0) =>
  filtersOf(kinds, minBits).map((filter) => /** @type {ListOfEvents} */ (`/events?${new URLSearchParams(filter)}`));

/** Returns the filters of these lists. @param {Set<string>} kinds @param {number} minBits @returns {Record<string, string>[]} */
function filtersOf(kinds, minBits) {
  if (minBits === 0 && KINDS.every((kind) => kinds.has(kind))) return [{}];
  // Chat messages and notices do not share a source. Their list also includes all other plain events.
  const hasPlain = kinds.has("plain") || kinds.has("notice");
  const types = ["subscriber", "raid"].filter((kind) => kinds.has(kind));
  if (hasPlain) types.push("plain");
  const cheers = kinds.has("cheer") && minBits > 0 ? [{ event_type: "cheer", amount_min: String(minBits) }] : [];
  if (kinds.has("cheer") && minBits === 0) types.push("cheer");
  const typed = [...(types.length > 0 ? [{ event_type: types.join(",") }] : []), ...cheers];
  if (hasPlain) return typed;
  const sources = Object.keys(SOURCES).filter((kind) => kinds.has(kind)).flatMap((kind) => SOURCES[kind]);
  return [...typed, ...sources.map((source) => ({ source }))];
}

/**
 * Returns an event's text: a key below a prefix, such as `event` or `overlay`, and the values of its placeholders.
 *
 * @param {Data} event
 * @returns {[string, Record<string, any>]}
 */
export function textOf(event) {
  const { details } = event;
  const name = event.user_name;
  switch (kindOf(event)) {
    case "cheer":
      return ["cheer", { name, amount: event.amount }];
    case "raid":
      return ["raid", { name, amount: event.viewer_count }];
    case "recipient":
    case "subscriber": {
      const values = { name, months: event.subscribed_length, tier: String(event.tier) };
      const giver = details?.recipient && details.giver?.user_name;
      if (giver) return ["gifted", { ...values, giver }];
      return [event.subscribed_length > 1 ? "resubscribed" : "subscribed", values];
    }
    case "gift":
      return [
        details.is_anonymous || !details.giver ? "gifts_anonymous" : "gifts",
        { name, amount: details.total, tier: String(details.tier ?? 1) },
      ];
    case "follow":
      return ["follow", { name }];
    case "redemption":
      return REWARDS.includes(details?.type)
        ? [`redemption.${details.type}`, { name }]
        : ["redemption", { name, title: details?.title ?? event.message ?? "" }];
    case "purchase":
      return [
        "purchase",
        { many: event.quantity ?? 1, name: name ?? event.user?.name ?? "", title: event.name, price: event.price },
      ];
    case "stamp":
      return ["stamp", { type: event.stamp_type }];
    default:
      return ["plain", { name }];
  }
}

// A word in a cheer that stands for bits, such as `Cheer100`, and the names of Twitch's own cheermotes. Channels'
// custom cheermotes are only recognized by their sum.
const CHEERMOTE = /^(4head|[a-z][a-z0-9]*?)(\d{1,7})$/i;
const CHEERMOTES = new Set(
  `cheer doodlecheer holidaycheer ripcheer cheerwhal anon bday biblethump bitboss charity corgo
   dansgame elegiggle 4head failfish frankerz goal heyguys kappa kreygasm mrdestructoid muxy
   notlikethis party pjsalt pride scoops seemsgood shamrock showlove streamlabs swiftrage trihard uni
   vohiyo`.split(/\s+/),
);

/**
 * Returns a cheer's message in parts: texts, and the numbers of bits of its cheermotes.
 *
 * @param {{message?: string | null, amount?: number}} event
 * @returns {(string | number)[]}
 */
export function cheerParts({ message, amount = 0 }) {
  const words = (message ?? "").split(/(\s+)/);
  const matches = words.map((word) => CHEERMOTE.exec(word));
  const sum = matches.reduce((total, match) => total + Number(match?.[2] ?? 0), 0);
  return words.map((word, index) => {
    const match = matches[index];
    const isBits = match && Number(match[2]) > 0 && (sum === amount || CHEERMOTES.has(match[1].toLowerCase()));
    return isBits ? Number(match[2]) : word;
  });
}

/**
 * Returns a cheer's text without its cheermotes.
 *
 * @param {{message?: string | null, amount?: number}} event
 */
function withoutBits(event) {
  const texts = cheerParts(event).filter((part) => typeof part === "string");
  // Only the spaces around a cheermote were not written by the viewer.
  const text = texts.length < cheerParts(event).length ? texts.join("").replace(/\s+/g, " ").trim() : event.message;
  return text || null;
}

/**
 * Returns the text that the viewer wrote, or null. Other events' messages are sentences of the service.
 *
 * @param {Data} event
 * @returns {string | null}
 */
export function messageOf(event) {
  const kind = kindOf(event);
  if (kind === "cheer") return withoutBits(event);
  if (kind === "purchase") return event.answer ?? null;
  if (kind === "gift" || kind === "follow" || event.details?.is_gift || event.details?.recipient) return null;
  if (kind === "redemption") {
    return event.message?.includes(": ") ? event.message.slice(event.message.indexOf(": ") + 2) : null;
  }
  return event.message ?? null;
}
