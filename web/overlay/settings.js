// The settings of an overlay: read from a record of the service or from the parameters of the page's URL. A setting that is
// missing or invalid has its default, so that a mistake never stops an overlay.

/** The kinds of alerts, and those that are enabled at first. */
export const ALERT_KINDS = ["subscriber", "gift", "cheer", "raid", "follow", "redemption", "plain", "stamp"];
const FIRST_KINDS = ["subscriber", "gift", "cheer", "raid"];
export const POSITIONS = ["top-left", "top", "top-right", "left", "center", "right", "bottom-left", "bottom", "bottom-right"];
export const SOUNDS = ["none", "chime", "coin", "fanfare", "drop", "custom"];
export const ANIMATIONS = ["spring", "slide", "fade", "none"];
export const GOALS = ["subs", "bits", "follows"];
export const BOARDS = ["bits", "subscriptions", "messages", "raid_viewers", "events"];
export const PERIODS = ["stream", "day", "month", "year", "all"];

/** The colour of each kind's name and amount. */
const COLORS = { subscriber: "#c89bff", gift: "#ff8fce", cheer: "#ffc94d", raid: "#ff7a8a", follow: "#ff7a8a", redemption: "#4fd9d0", plain: "#7cc0ff", stamp: "#e8a06a" };
const FIRST_SOUNDS = { subscriber: "chime", gift: "fanfare", cheer: "coin", raid: "fanfare" };
/** The longest custom sound, as a data URL: 32 KB in base64. */
const LONGEST_SOUND = 44_000;
const LONGEST_TEXT = 300;

const number = (value, least, most, otherwise) => {
  const read = value === null || value === "" || typeof value === "boolean" ? NaN : Number(value);
  return Number.isFinite(read) ? Math.min(most, Math.max(least, read)) : otherwise;
};
const choice = (value, choices, otherwise) => (choices.includes(value) ? value : otherwise);
const text = (value, otherwise = "") => (typeof value === "string" ? value.slice(0, LONGEST_TEXT) : otherwise);
const color = (value, otherwise) => (/^#[0-9a-f]{6}$/i.test(value) ? value : otherwise);
const object = (value) => (value && typeof value === "object" && !Array.isArray(value) ? value : {});
const time = (value) => (typeof value === "string" && !Number.isNaN(Date.parse(value)) ? value : null);
const sound = (value) => (typeof value === "string" && value.length <= LONGEST_SOUND && /^data:audio\/[\w.+-]+;base64,/.test(value) ? value : null);

/**
 * How alerts of a kind look and sound.
 *
 * @typedef {object} Rule
 * @property {boolean} enabled
 * @property {number} minimum The smallest amount: bits, viewers, gifts or months.
 * @property {string} text A template with `{name}`, `{amount}`, `{months}`, `{tier}` and `{message}`. Empty for the language's.
 * @property {string} sound The name of a sound, one of `SOUNDS`.
 * @property {number} volume From 0 to 1.
 * @property {number | null} duration The time that an alert is visible, in milliseconds. Null for the overlay's.
 * @property {string} color The colour of the name and the amount.
 * @property {string} animation How an alert appears, one of `ANIMATIONS`.
 * @property {boolean} speak True if the message is read aloud.
 * @property {Partial<Rule>[]} variations Rules for larger amounts: those of the largest `minimum` that is reached apply.
 */

/** Reads the rule of a kind. */
function ruleFrom(kind, given, isEnabled) {
  const { enabled, minimum, text: template, sound: name, volume, duration, color: tint, animation, speak, variations } = object(given);
  const rule = {
    enabled: typeof enabled === "boolean" ? enabled : isEnabled,
    minimum: number(minimum, 0, Number.MAX_SAFE_INTEGER, 0),
    text: text(template),
    sound: choice(name, SOUNDS, FIRST_SOUNDS[kind] ?? "none"),
    volume: number(volume, 0, 1, 0.5),
    duration: duration === undefined || duration === null ? null : number(duration, 1, 60, 6) * 1_000,
    color: color(tint, COLORS[kind]),
    animation: choice(animation, ANIMATIONS, "spring"),
    speak: speak === true,
  };
  const varied = (Array.isArray(variations) ? variations : []).slice(0, 20).map(object);
  const own = (one) => ({
    minimum: number(one.minimum, 0, Number.MAX_SAFE_INTEGER, 0),
    text: text(one.text, rule.text) || rule.text,
    sound: choice(one.sound, SOUNDS, rule.sound),
    color: color(one.color, rule.color),
    animation: choice(one.animation, ANIMATIONS, rule.animation),
  });
  return { ...rule, variations: varied.map(own).sort((one, other) => other.minimum - one.minimum) };
}

/** Returns the settings of an overlay, from a record or from the parameters of a URL. */
export function settingsFrom(given) {
  const { types, alerts, duration, max_age: maxAge, delay, lang, position, scale, margin, custom_sound: custom, goal, leaderboard, recent, ticker } = object(given);
  // By default, the overlay shows only chat messages that have a document. A chat box usually shows the others.
  const names = Array.isArray(types) ? types : typeof types === "string" ? types.split(",").filter(Boolean) : [...FIRST_KINDS, "document"];
  const isNamed = (kind) => names.includes(kind) || (kind === "gift" && names.includes("subscriber")) || (["follow", "redemption"].includes(kind) && names.includes("plain"));
  const [goals, board] = [object(goal), object(leaderboard)];
  const list = (value) => (Array.isArray(value) ? value.filter((kind) => ALERT_KINDS.includes(kind)) : FIRST_KINDS);
  return {
    alerts: Object.fromEntries(ALERT_KINDS.map((kind) => [kind, ruleFrom(kind, object(alerts)[kind], isNamed(kind))])),
    documents: names.includes("document"),
    duration: number(duration, 1, 60, 6) * 1_000,
    maxAge: number(maxAge, 1, 86_400, 600) * 1_000,
    delay: number(delay, 0, 600, 0) * 1_000,
    lang: text(lang),
    position: choice(position, POSITIONS, "top"),
    scale: number(scale, 0.25, 4, 1),
    margin: number(margin, 0, 20, 4),
    customSound: sound(custom),
    goal: {
      of: choice(goals.of, GOALS, "subs"),
      target: number(goals.target, 1, 1_000_000_000, 50),
      start: number(goals.start, 0, 1_000_000_000, 0),
      since: time(goals.since),
      title: text(goals.title),
    },
    leaderboard: { board: choice(board.board, BOARDS, "bits"), period: choice(board.period, PERIODS, "month"), limit: number(board.limit, 3, 10, 5) },
    recent: { kinds: list(object(recent).kinds), limit: number(object(recent).limit, 1, 10, 5) },
    ticker: { kinds: list(object(ticker).kinds), limit: number(object(ticker).limit, 1, 30, 15) },
  };
}

/** Returns the rule for an alert of a kind with an amount. */
export function ruleFor(settings, kind, amount) {
  const { variations, ...rule } = settings.alerts[kind] ?? settings.alerts.plain;
  return { ...rule, ...variations.find(({ minimum }) => amount >= minimum) };
}
