// An overlay's settings, from a record of the service or from the parameters of the page's URL. A missing or invalid
// setting gets its default, so a mistake never stops an overlay.

import { POSITIONS, placeOf } from "./places.js";
import { THEMES, ruleFrom } from "./rules.js";
import { choice, number, object, place, sound, text, time } from "./values.js";

/** The kinds of alerts, followed by those that are enabled by default. */
export const ALERT_KINDS =
  ["subscriber", "gift", "cheer", "raid", "follow", "redemption", "purchase", "notice", "plain", "stamp"];
const DEFAULT_KINDS = ["subscriber", "gift", "cheer", "raid", "follow"];
export const GOALS = ["subs", "bits", "follows"];
export const BOARDS = ["bits", "subscriptions", "messages", "raid_viewers", "events"];
export const PERIODS = ["stream", "day", "month", "year", "all"];
/** The maximum sizes of an alert: one line, a card, and the width of the screen. */
export const LARGEST_SIZES = ["toast", "card", "screen"];
export const MAX_PETS = 30;
/** The kind in older settings that includes each of these. @type {Record<string, string>} */
const WIDER = { gift: "subscriber", follow: "plain", redemption: "plain", notice: "plain" };

/** @param {any} value @returns {string[]} */
const kindsFrom = (value) =>
  Array.isArray(value) ? value.filter((kind) => ALERT_KINDS.includes(kind)) : DEFAULT_KINDS;

/**
 * Reads the rules of all kinds.
 *
 * @param {any} types
 * @param {Record<string, any>} alerts
 * @param {string} theme
 */
function rulesFrom(types, alerts, theme) {
  // By default, the overlay only shows chat messages that have a document. A chat box usually shows the others.
  const list = typeof types === "string" ? types.split(",").filter(Boolean) : types;
  const names = Array.isArray(list) ? list : [...DEFAULT_KINDS, "document"];
  const rules = [...ALERT_KINDS, "document"].map((kind) => {
    const isNamed = names.includes(kind) || names.includes(WIDER[kind]);
    return ruleFrom(kind, alerts[kind], isNamed, theme);
  });
  return Object.fromEntries(rules.map((rule) => [rule.kind, rule]));
}

/** Returns the settings of a goal. @param {any} input */
const goalFrom = ({ of, target, start, since, title }, usual = { of: "subs", target: 50 }) => ({
  of: choice(of, GOALS, usual.of),
  target: number(target, 1, 1_000_000_000, usual.target),
  start: number(start, 0, 1_000_000_000, 0),
  since: time(since),
  title: text(title),
});

/** Returns an overlay's settings, from a record or from a URL's parameters. @param {any} input */
export function settingsFrom(input) {
  const { duration, max_age: maxAge, delay, lang, position, scale, margin, ...others } = object(input);
  const [goal, goal2, board, recent, ticker, pets] =
    [others.goal, others.goal2, others.leaderboard, others.recent, others.ticker, others.pets].map(object);
  const theme = choice(others.theme, THEMES, THEMES[0]);
  const inputs = object(others.alerts);
  const alerts = rulesFrom(others.types, inputs, theme);
  const { enabled: _, ...letter } = object(inputs.document);
  return {
    alerts,
    documents: alerts.document.enabled,
    hasLetterRule: Object.keys(letter).length > 0,
    theme,
    duration: number(duration, 1, 60, 6) * 1_000,
    maxAge: number(maxAge, 1, 86_400, 600) * 1_000,
    delay: number(delay, 0, 600, 0) * 1_000,
    lang: text(lang),
    place: place(others.place, placeOf(choice(position, POSITIONS, "top"))),
    scale: number(scale, 0.25, 4, 1),
    largestSize: choice(others.largest_size, LARGEST_SIZES, "screen"),
    margin: number(margin, 0, 20, 4),
    customSound: sound(others.custom_sound),
    goal: goalFrom(goal),
    goal2: goalFrom(goal2, { of: "bits", target: 5_000 }),
    leaderboard: {
      board: choice(board.board, BOARDS, "bits"),
      period: choice(board.period, PERIODS, "month"),
      limit: number(board.limit, 3, 10, 5),
    },
    recent: { kinds: kindsFrom(recent.kinds), limit: number(recent.limit, 1, 10, 5) },
    ticker: { kinds: kindsFrom(ticker.kinds), limit: number(ticker.limit, 1, 30, 15) },
    pets: { limit: number(pets.limit, 1, MAX_PETS, MAX_PETS), names: pets.names !== false },
  };
}

/** @typedef {ReturnType<typeof settingsFrom>} Settings */

/**
 * Returns the kind with the rule that an alert follows: a letter follows the rule for letters, if there is one.
 *
 * @param {Pick<Settings, "documents" | "hasLetterRule">} settings
 * @param {{kind: string, event: any}} alert
 */
export function ruleKind({ documents, hasLetterRule }, { kind, event }) {
  return documents && hasLetterRule && event.document ? "document" : kind;
}

/**
 * Returns the rule for an alert of this kind and amount.
 *
 * @param {Settings} settings
 * @param {string} kind
 * @param {number} amount
 */
export function ruleFor(settings, kind, amount) {
  const { variations, ...rule } = settings.alerts[kind] ?? settings.alerts.plain;
  return { ...rule, largestSize: settings.largestSize, ...variations.find(({ minimum }) => amount >= minimum) };
}
