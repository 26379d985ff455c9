// The texts of a page, in the reader's language.

const SUPPORTED = ["en", "de"];

/** Returns the first supported language: the requested one, then the browser's, then English. */
export function language(requested) {
  const preferred = [requested, ...navigator.languages].filter(Boolean).map((tag) => tag.slice(0, 2).toLowerCase());
  return preferred.find((tag) => SUPPORTED.includes(tag)) ?? "en";
}

/**
 * Loads the texts of a language. Returns a function that looks up a text and fills in its placeholders:
 * `say("overlay.cheer", {name, amount})`. The first number among the values selects the plural form.
 */
export async function words(lang) {
  const texts = await (await fetch(`i18n/${lang}.json`)).json();
  const plural = new Intl.PluralRules(lang);
  const number = new Intl.NumberFormat(lang);
  const clock = new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "short" });
  const say = (key, values = {}) => {
    const entry = texts[key] ?? key;
    const count = Object.values(values).find((value) => typeof value === "number") ?? 0;
    const text = typeof entry === "string" ? entry : (entry[plural.select(count)] ?? entry.other);
    return text.replace(/\{(\w+)\}/g, (_, name) => {
      const value = values[name];
      return typeof value === "number" ? number.format(value) : String(value ?? "");
    });
  };
  say.lang = lang;
  say.number = (value) => number.format(value);
  say.time = (time) => clock.format(new Date(time));
  return say;
}
