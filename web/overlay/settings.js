// The settings of an overlay, from a record of the service or from the parameters of the page's URL. A missing or
// invalid setting has its default, so that a mistake never stops an overlay.

/** The kinds of alerts, and those that are enabled by default. */
export const ALERT_KINDS = ["subscriber", "gift", "cheer", "raid", "follow", "redemption", "purchase", "plain", "stamp"];
const DEFAULT_KINDS = ["subscriber", "gift", "cheer", "raid"];
export const POSITIONS = ["top-left", "top", "top-right", "left", "center", "right", "bottom-left", "bottom", "bottom-right"];
export const SOUNDS = ["none", "chime", "coin", "fanfare", "drop", "custom"];
export const ANIMATIONS = ["spring", "slide", "fade", "none"];
/** The looks of alerts. */
export const THEMES = ["neon", "paper", "minimal"];
export const GOALS = ["subs", "bits", "follows"];
export const BOARDS = ["bits", "subscriptions", "messages", "raid_viewers", "events"];
export const PERIODS = ["stream", "day", "month", "year", "all"];

/** The colour of each kind's name and amount. `document` is a letter: an event with a document. */
export const COLORS = {
  subscriber: "#c89bff",
  gift: "#ff8fce",
  cheer: "#ffc94d",
  raid: "#ff7a8a",
  follow: "#ff7a8a",
  redemption: "#4fd9d0",
  purchase: "#8fe388",
  plain: "#7cc0ff",
  stamp: "#e8a06a",
  document: "#f0b48a",
};
const DEFAULT_SOUNDS = { subscriber: "chime", gift: "fanfare", cheer: "coin", raid: "fanfare", document: "chime" };
/** An own picture: a document of the service, or an image inside the settings. */
const PICTURE_URL = /^(https?:\/\/|\/(?!\/)|data:image\/(png|jpeg|gif|webp);base64,)/;
/** The maximum length of a custom sound, as a data URL: 32 KB in base64. */
const MAX_SOUND_LENGTH = 44_000;
const MAX_TEXT_LENGTH = 300;

const number = (value, min, max, fallback) => {
  const parsed = value === null || value === "" || typeof value === "boolean" ? NaN : Number(value);
  return Number.isFinite(parsed) ? Math.min(max, Math.max(min, parsed)) : fallback;
};
const choice = (value, choices, fallback) => (choices.includes(value) ? value : fallback);
const text = (value, fallback = "") => (typeof value === "string" ? value.slice(0, MAX_TEXT_LENGTH) : fallback);
const color = (value, fallback) => (/^#[0-9a-f]{6}$/i.test(value) ? value : fallback);
const object = (value) => (value && typeof value === "object" && !Array.isArray(value) ? value : {});
const time = (value) => (typeof value === "string" && !Number.isNaN(Date.parse(value)) ? value : null);
const sound = (value) => {
  const isShort = typeof value === "string" && value.length <= MAX_SOUND_LENGTH;
  return isShort && /^data:audio\/[\w.+-]+;base64,/.test(value) ? value : null;
};
const picture = (value) => {
  const { document_id: id = null, url } = object(value);
  return typeof url === "string" && PICTURE_URL.test(url) ? { document_id: id, url } : null;
};

/**
 * How alerts of a kind look and sound.
 *
 * @typedef {object} Rule
 * @property {boolean} enabled
 * @property {number} minimum The smallest amount: bits, viewers, gifts, months or points.
 * @property {string} text A template with `{name}`, `{amount}`, `{months}`, `{tier}`, `{title}` and `{message}`. Empty for
 *   the template of the language.
 * @property {string} sound The name of a sound, one of `SOUNDS`.
 * @property {number} volume From 0 to 1.
 * @property {number | null} duration The time that an alert is visible, in milliseconds. Null for the overlay's.
 * @property {string} color The colour of the name and the amount.
 * @property {string} animation How an alert appears, one of `ANIMATIONS`.
 * @property {string} theme How an alert looks, one of `THEMES`.
 * @property {{document_id: number | null, url: string} | null} picture The picture in place of the icon.
 * @property {boolean} speak True if the message is read aloud.
 * @property {Partial<Rule>[]} variations Rules for larger amounts. The one with the largest reached `minimum` applies.
 */

/** Reads the rule of a kind. */
function ruleFrom(kind, input, isEnabled, theme) {
  const { enabled, minimum, text: template, sound: name, volume, duration, color: tint, ...others } = object(input);
  const { animation, theme: look, picture: image, speak, variations } = others;
  const rule = {
    enabled: typeof enabled === "boolean" ? enabled : isEnabled,
    minimum: number(minimum, 0, Number.MAX_SAFE_INTEGER, 0),
    text: text(template),
    sound: choice(name, SOUNDS, DEFAULT_SOUNDS[kind] ?? "none"),
    volume: number(volume, 0, 1, 0.5),
    duration: duration === undefined || duration === null ? null : number(duration, 1, 60, 6) * 1_000,
    color: color(tint, COLORS[kind]),
    animation: choice(animation, ANIMATIONS, "spring"),
    theme: choice(look, THEMES, theme),
    picture: picture(image),
    speak: speak === true,
  };
  const variationInputs = (Array.isArray(variations) ? variations : []).slice(0, 20).map(object);
  const variationFrom = (variation) => ({
    minimum: number(variation.minimum, 0, Number.MAX_SAFE_INTEGER, 0),
    text: text(variation.text, rule.text) || rule.text,
    sound: choice(variation.sound, SOUNDS, rule.sound),
    color: color(variation.color, rule.color),
    animation: choice(variation.animation, ANIMATIONS, rule.animation),
    theme: choice(variation.theme, THEMES, rule.theme),
    picture: picture(variation.picture) ?? rule.picture,
  });
  return { ...rule, variations: variationInputs.map(variationFrom).sort((one, other) => other.minimum - one.minimum) };
}

/** Returns the settings of an overlay, from a record or from the parameters of a URL. */
export function settingsFrom(input) {
  const { types, alerts, duration, max_age: maxAge, delay, lang, position, scale, margin, ...others } = object(input);
  const { custom_sound: custom, goal, leaderboard, recent, ticker } = others;
  // By default, the overlay shows only chat messages that have a document. A chat box usually shows the others.
  const list = typeof types === "string" ? types.split(",").filter(Boolean) : types;
  const names = Array.isArray(list) ? list : [...DEFAULT_KINDS, "document"];
  // Older settings name the kinds that include others.
  const wider = { gift: "subscriber", follow: "plain", redemption: "plain" };
  const isNamed = (kind) => names.includes(kind) || names.includes(wider[kind]);
  const [goalInput, board] = [object(goal), object(leaderboard)];
  const theme = choice(others.theme, THEMES, THEMES[0]);
  const { enabled: hasLetters, ...letter } = object(object(alerts).document);
  const documents = typeof hasLetters === "boolean" ? hasLetters : names.includes("document");
  const rules = [...ALERT_KINDS, "document"].map((kind) => {
    const isEnabled = kind === "document" ? documents : isNamed(kind);
    return [kind, ruleFrom(kind, object(alerts)[kind], isEnabled, theme)];
  });
  const kindsFrom = (value) => (Array.isArray(value) ? value.filter((kind) => ALERT_KINDS.includes(kind)) : DEFAULT_KINDS);
  return {
    alerts: Object.fromEntries(rules),
    documents,
    hasLetterRule: Object.keys(letter).length > 0,
    theme,
    duration: number(duration, 1, 60, 6) * 1_000,
    maxAge: number(maxAge, 1, 86_400, 600) * 1_000,
    delay: number(delay, 0, 600, 0) * 1_000,
    lang: text(lang),
    position: choice(position, POSITIONS, "top"),
    scale: number(scale, 0.25, 4, 1),
    margin: number(margin, 0, 20, 4),
    customSound: sound(custom),
    goal: {
      of: choice(goalInput.of, GOALS, "subs"),
      target: number(goalInput.target, 1, 1_000_000_000, 50),
      start: number(goalInput.start, 0, 1_000_000_000, 0),
      since: time(goalInput.since),
      title: text(goalInput.title),
    },
    leaderboard: {
      board: choice(board.board, BOARDS, "bits"),
      period: choice(board.period, PERIODS, "month"),
      limit: number(board.limit, 3, 10, 5),
    },
    recent: { kinds: kindsFrom(object(recent).kinds), limit: number(object(recent).limit, 1, 10, 5) },
    ticker: { kinds: kindsFrom(object(ticker).kinds), limit: number(object(ticker).limit, 1, 30, 15) },
  };
}

/** Returns the kind whose rule an alert follows: a letter that has a rule of its own follows that. */
export function ruleKind({ documents, hasLetterRule }, { kind, event }) {
  return documents && hasLetterRule && event.document ? "document" : kind;
}

/** Returns the rule for an alert of a kind with an amount. */
export function ruleFor(settings, kind, amount) {
  const { variations, ...rule } = settings.alerts[kind] ?? settings.alerts.plain;
  return { ...rule, ...variations.find(({ minimum }) => amount >= minimum) };
}
