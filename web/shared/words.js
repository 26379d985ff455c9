// The words of a page, in the language that it is read in.

const KNOWN = ["en", "de"];

/** The language: the one that is asked for, or the browser's, or English. */
export function language(asked) {
  const wanted = [asked, ...navigator.languages].filter(Boolean).map((tag) => tag.slice(0, 2).toLowerCase());
  return wanted.find((tag) => KNOWN.includes(tag)) ?? "en";
}

/** What says things in a language: `say("cheer", {name, amount})`. */
export async function words(lang) {
  const texts = await (await fetch(`i18n/${lang}.json`)).json();
  const plural = new Intl.PluralRules(lang);
  const number = new Intl.NumberFormat(lang);
  const clock = new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "short" });
  const say = (key, values = {}) => {
    const found = texts[key] ?? key;
    const counted = Object.values(values).find((value) => typeof value === "number") ?? 0;
    const text = typeof found === "string" ? found : (found[plural.select(counted)] ?? found.other);
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
