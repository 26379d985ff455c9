// A viewer's page, which the streamer shares as a link.

import { Console, html, render, useEffect, useMemo, useState } from "../shared/parts.js";
import { local } from "../shared/page.js";
import { Service } from "../shared/service.js";
import { loadTexts } from "../shared/texts.js";
import { Footer } from "./footer.js";
import { parseLink } from "./link.js";
import { Notice, Welcome } from "./notice.js";
import { Page } from "./page.js";

/** @param {string | null} theme */
function applyTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

/** @param {{say: any, setLang: any}} props */
function App({ say, setLang }) {
  const [link, setLink] = useState(parseLink);
  const [theme, setTheme] = useState(local.get("theme") ?? "");
  const [isRefused, setRefused] = useState(false);
  const client = useMemo(() => new Service(link.token), [link.token]);
  useEffect(() => {
    const onHashChange = () => setLink(parseLink());
    addEventListener("hashchange", onHashChange);
    return () => removeEventListener("hashchange", onHashChange);
  }, []);
  const chooseTheme = (/** @type {any} */ chosen) => {
    local.set("theme", chosen);
    applyTheme(chosen);
    setTheme(chosen);
  };
  const { id, token } = link;
  return html`<${Console.Provider} value=${{ client, say, connected: true }}>
    <main>
      ${id && html`<${Page} id=${id} onRefused=${setRefused} key=${`${id} ${token}`} />`}
      ${!id && (location.hash.length > 1 ? html`<${Notice} text=${say("link.missing")} />` : html`<${Welcome} />`)}
    </main>
    ${id && html`<${Footer} hasLink=${!isRefused} theme=${theme} chooseTheme=${chooseTheme} setLang=${setLang} />`}
  <//>`;
}

/** Shows the page with a language's texts. @param {any} say */
export function show(say) {
  document.documentElement.lang = say.lang;
  document.title = say("title");
  const root = /** @type {HTMLElement} */ (document.querySelector("#root"));
  if (root.querySelector(".skeleton.first")) root.replaceChildren();
  const setLang = (/** @type {string} */ lang) => {
    local.set("lang", lang);
    loadTexts(lang, "viewer").then(show);
  };
  render(html`<${App} say=${say} setLang=${setLang} />`, root);
}

applyTheme(local.get("theme"));
