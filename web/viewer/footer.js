// The end of the page: a warning, the language and the theme.

import { html, useConsole } from "../shared/parts.js";

const LANGUAGES = { en: "English", de: "Deutsch" };
const THEMES = ["", "light", "dark"];

/** @param {{hasLink: boolean, theme: string, chooseTheme: any, setLang: any}} props */
export function Footer({ hasLink, theme, chooseTheme, setLang }) {
  const { say } = useConsole();
  const option = (/** @type {any} */ value, /** @type {string} */ label, /** @type {any} */ chosen) =>
    html`<option value=${value} selected=${value === chosen}>${label}</option>`;
  return html`<footer>
    <p>${hasLink && say("link.secret")}</p>
    <label>${say("language")}
      <select onChange=${(event) => setLang(event.currentTarget.value)}>
        ${Object.entries(LANGUAGES).map(([value, label]) => option(value, label, say.lang))}
      </select>
    </label>
    <label>${say("theme")}
      <select onChange=${(event) => chooseTheme(event.currentTarget.value)}>
        ${THEMES.map((value) => option(value, say(`theme.${value || "auto"}`), theme))}
      </select>
    </label>
  </footer>`;
}
