// A page's texts, in the reader's language.

import { files } from "./files.js";

const SUPPORTED = ["en", "de"];
/** Returns a function that writes numbers with a minus sign, not a hyphen. @param {Intl.NumberFormat} format */
const withMinus = (format) => (/** @type {number} */ value) => format.format(value).replace("-", "\u2212");

/**
 * Returns the first supported language: the requested one, then the browser's, then English.
 *
 * @param {string | null} [requested]
 * @returns {string}
 */
export function language(requested) {
  const tags = [requested ?? "", ...navigator.languages];
  const preferred = tags.map((tag) => tag.slice(0, 2).toLowerCase());
  return preferred.find((tag) => SUPPORTED.includes(tag)) ?? "en";
}

/** @typedef {Awaited<ReturnType<typeof loadTexts>>} Say */

/**
 * Loads texts in a language: those for the console's first view (`page` is empty), for the pages on a stream
 * (`stream`), or for a viewer's page (`viewer`). `parts` of the console's texts load at the same time. Returns a function
 * that looks up a text and fills in its placeholders: `say("event.cheer", {name, amount})`. The first number among the
 * values selects the plural form.
 *
 * @param {string} lang
 * @param {string} [page]
 * @param {string[]} [parts]
 */
export async function loadTexts(lang, page = "", parts = []) {
  // Without cookies, browsers open separate connections from those that the modules occupy.
  const load = async (/** @type {string} */ file) => {
    const response = await fetch(`${files}/shared/i18n/${file}.json`, { credentials: "omit" });
    if (!response.ok) throw new TypeError(`${file} could not be loaded`);
    return response.json();
  };
  const texts = /** @type {Record<string, any>} */ ({});
  /** @type {Map<string, Promise<void>>} */
  const loading = new Map();
  const loadPart = (/** @type {string} */ part) => {
    const start = async () => void Object.assign(texts, await load(`${lang}.${part}`));
    const loaded = loading.get(part) ?? start();
    loading.set(part, loaded);
    // The next view tries again.
    loaded.catch(() => loading.delete(part));
    return loaded;
  };
  parts.forEach(loadPart);
  Object.assign(texts, await load(page ? `${lang}.${page}` : lang));
  const plural = new Intl.PluralRules(lang);
  const number = withMinus(new Intl.NumberFormat(lang));
  const compact = withMinus(new Intl.NumberFormat(lang, { notation: "compact", maximumSignificantDigits: 3 }));
  const signed = /** @type {const} */ ({ style: "percent", signDisplay: "exceptZero", maximumFractionDigits: 0 });
  const percent = withMinus(new Intl.NumberFormat(lang, signed));
  const moment = new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "short" });
  const clock = new Intl.DateTimeFormat(lang, { timeStyle: "short" });
  const date = new Intl.DateTimeFormat(lang, { dateStyle: "medium" });
  // German uses the same letter for minutes and metres.
  const ago = new Intl.RelativeTimeFormat(lang, { numeric: "auto", style: lang === "de" ? "short" : "narrow" });
  /** @param {string} text @param {Record<string, any>} values */
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    return typeof value === "number" ? number(value) : String(value ?? "");
  });
  /**
   * Returns a key's text in the plural form for its values, with its placeholders.
   *
   * @param {string} key
   * @param {Record<string, any>} values
   * @returns {string}
   */
  const template = (key, values) => {
    const entry = texts[key] ?? key;
    const count = Object.values(values).find((value) => typeof value === "number") ?? 0;
    return typeof entry === "string" ? entry : (entry[plural.select(count)] ?? entry.other);
  };
  const say = (/** @type {string} */ key, /** @type {Record<string, any>} */ values = {}) =>
    fill(template(key, values), values);
  say.template = template;
  /**
   * Loads what all views of the console but the first need, and other parts of its texts. Returns a module that shows
   * them. If this fails, `isIncomplete` is true.
   *
   * @param {Promise<any> | undefined} module
   * @param {string[]} needed
   */
  say.withTexts = async (module, ...needed) => {
    try {
      const [loaded] = await Promise.all([module, ...["common", ...needed].map(loadPart)]);
      return loaded;
    } catch (error) {
      say.isIncomplete = true;
      throw error;
    }
  };
  say.isIncomplete = false;
  /** The parts that were loaded. */
  say.parts = () => [...loading.keys()];
  say.lang = lang;
  say.has = (/** @type {string} */ key) => key in texts;
  say.number = number;
  /** Returns a number that is exact below a limit, of at least a million: German does not abbreviate thousands. @param {number} value */
  say.compact = (value, limit = 1_000_000) => (Math.abs(value) < limit ? number : compact)(value);
  say.percent = percent;
  say.time = (/** @type {string | number} */ time) => moment.format(new Date(time));
  say.clock = (/** @type {string | number} */ time) => clock.format(new Date(time));
  say.date = (/** @type {string | number} */ time) => date.format(new Date(time));
  /** Returns the time that has passed since another time: minutes, hours or days. */
  say.ago = (/** @type {string} */ time, now = Date.now()) => {
    const minutes = Math.round((Date.parse(time) - now) / 60_000);
    if (minutes > -1) return say("just_now");
    if (minutes > -60) return ago.format(minutes, "minute");
    const hours = Math.round(minutes / 60);
    return hours > -24 ? ago.format(hours, "hour") : ago.format(Math.round(minutes / 1_440), "day");
  };
  return say;
}
