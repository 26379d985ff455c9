// The kinds of alerts in the editor, and the events of their tests.

import { ALERT_KINDS } from "../../overlay/settings.js";

/** The kinds, in the order of the list. `document` is a letter: an event with a document. */
export const KINDS = ["subscriber", "gift", "cheer", "raid", "document", ...ALERT_KINDS.slice(4)];
/** The amounts of the preview's slider. */
export const AMOUNTS = [1, 100, 1_000, 10_000];

/** The amount of a kind that has one: the field of its test, and the amount of the first test. */
const FIRST_AMOUNTS = { subscriber: 3, gift: 5, cheer: 100, raid: 42, purchase: 400 };
export const hasAmount = (kind) => kind in FIRST_AMOUNTS;
export const firstAmount = (kind) => FIRST_AMOUNTS[kind] ?? 1;

const FOLLOW = "twitch/channel.follow";
const REDEMPTION = "twitch/channel.channel_points_custom_reward_redemption.add";
const GIFT = { giver: { user_id: "1", user_name: "Ann" }, tier: 1 };

/** Returns the name of the text that the overlay shows by default for a kind. */
export const defaultText = (kind) => ({ subscriber: "resubscribed", gift: "gifts", document: "plain" })[kind] ?? kind;

/** Returns the rule of a kind. */
export const ruleOf = (settings, kind) => settings.alerts[kind];

/**
 * Returns the body of a test alert: an event with an amount.
 *
 * @returns {Record<string, any>}
 */
export function testOf(kind, amount) {
  const ann = { user_name: "Ann" };
  switch (kind) {
    case "subscriber":
      return { ...ann, event_type: "subscriber", tier: 1, subscribed_length: amount, message: "Already so long!" };
    case "gift":
      return { ...ann, event_type: "plain", message: "-", reference: "test", details: { ...GIFT, total: amount } };
    case "cheer":
      return { ...ann, event_type: "cheer", amount, message: "Have some bits!" };
    case "raid":
      return { ...ann, event_type: "raid", viewer_count: amount };
    case "follow":
      return { ...ann, event_type: "plain", message: "Ann followed the channel.", source: FOLLOW };
    case "redemption":
      return { ...ann, event_type: "plain", message: "Hydrate! (100 points): cheers", source: REDEMPTION };
    case "purchase":
      return { purchase: { ...ann, name: "Hat", price: amount, quantity: 1, answer: null } };
    default:
      return { ...ann, event_type: "plain", message: "Hello!" };
  }
}

/** A letter for the preview, drawn here. */
const LETTER =
  "data:image/svg+xml," +
  encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400" viewBox="0 0 640 400">
<rect width="640" height="400" fill="#f6ecd6"/>
<path d="M0 0 320 220 640 0" fill="#efe0c0" stroke="#d5c19a" stroke-width="4"/>
<path d="M90 270h300M90 310h240M90 350h180" stroke="#8d7a5c" stroke-width="7" stroke-linecap="round"/>
<circle cx="520" cy="300" r="58" fill="#b3303c"/>
<circle cx="520" cy="300" r="42" fill="none" stroke="#e58a90" stroke-width="5"/>
</svg>`);

/** Returns the data of an alert in the preview. Some need records that a test has not. */
export function previewOf(kind, amount) {
  const stamps = [{ stamp_type: "heart", pos_x: 470, pos_y: 110, rotation: 0.2 }];
  if (kind === "stamp") return { stamp_id: 1, document_id: 1, stamp_type: "heart", pos_x: 0, pos_y: 0, rotation: 0 };
  const data = testOf(kind, amount);
  return kind === "document" ? { ...data, document: { document_data: LETTER, seal: 4, metadata: null, stamps } } : data;
}
