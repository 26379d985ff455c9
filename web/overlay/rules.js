// The rules of alerts: how each kind looks and sounds.

import { COLORS } from "./colors.js";
import { choice, color, number, object, picture, text } from "./values.js";

export const SOUNDS = ["none", "chime", "coin", "fanfare", "drop", "custom"];
export const ANIMATIONS = ["spring", "slide", "fade", "none"];
/** The themes of alerts. */
export const THEMES = ["neon", "paper", "minimal"];
const MAX_VARIATIONS = 20;

/** @type {Record<string, string>} */
const DEFAULT_SOUNDS = { subscriber: "chime", gift: "fanfare", cheer: "coin", raid: "fanfare", document: "chime" };

/**
 * The changes for larger amounts.
 *
 * @typedef {object} Variation
 * @property {number} minimum The smallest amount: bits, viewers, gifts, months or points.
 * @property {string} text A template with `{name}`, `{amount}`, `{months}`, `{tier}`, `{title}` and `{message}`. Empty
 *   for the language's template.
 * @property {string} sound One of `SOUNDS`.
 * @property {string} color The colour of the name and the amount.
 * @property {string} animation How an alert appears, one of `ANIMATIONS`.
 * @property {string} theme How an alert looks, one of `THEMES`.
 * @property {{document_id: number | null, url: string} | null} picture The picture that replaces the icon or a
 *   letter's picture.
 */

/**
 * How a kind's alerts look and sound.
 *
 * @typedef {Variation & {
 *   kind: string,
 *   enabled: boolean,
 *   volume: number,
 *   duration: number | null,
 *   speak: boolean,
 *   variations: Variation[],
 * }} Rule `volume` is from 0 to 1. `duration` is how long an alert is visible in milliseconds, or null for the
 *   overlay's duration. If `speak` is true, the message is read aloud. Of the `variations`, the one with the largest
 *   reached `minimum` applies.
 */

/**
 * Reads the fields that a rule and a variation share.
 *
 * @param {Record<string, any>} input
 * @param {Omit<Variation, "minimum">} fallback
 * @returns {Variation}
 */
const variationFrom = (input, fallback) => ({
  minimum: number(input.minimum, 0, Number.MAX_SAFE_INTEGER, 0),
  text: text(input.text, fallback.text) || fallback.text,
  sound: choice(input.sound, SOUNDS, fallback.sound),
  color: color(input.color, fallback.color),
  animation: choice(input.animation, ANIMATIONS, fallback.animation),
  theme: choice(input.theme, THEMES, fallback.theme),
  picture: picture(input.picture) ?? fallback.picture,
});

/**
 * Reads a kind's rule.
 *
 * @param {string} kind
 * @param {any} value
 * @param {boolean} isEnabled The default of `enabled`.
 * @param {string} theme The default of `theme`.
 * @returns {Rule}
 */
export function ruleFrom(kind, value, isEnabled, theme) {
  const input = object(value);
  const { enabled, volume, duration, speak, variations } = input;
  const defaults = { text: "", sound: DEFAULT_SOUNDS[kind] ?? "none", color: COLORS[kind], picture: null };
  const common = variationFrom(input, { ...defaults, animation: "spring", theme });
  const inputs = (Array.isArray(variations) ? variations : []).slice(0, MAX_VARIATIONS).map(object);
  return {
    ...common,
    kind,
    enabled: typeof enabled === "boolean" ? enabled : isEnabled,
    volume: number(volume, 0, 1, 0.5),
    duration: duration === undefined || duration === null ? null : number(duration, 1, 60, 6) * 1_000,
    speak: speak === true,
    variations: inputs.map((one) => variationFrom(one, common)).sort((one, other) => other.minimum - one.minimum),
  };
}
