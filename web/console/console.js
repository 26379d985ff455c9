// The console: the channel's history and its present. Where it is shows in the address behind the #; the token is kept in
// sessionStorage, and is in no address.

import { Console, html, render, useEffect, useLayoutEffect, useRef, useState } from "./parts.js";
import { Plots } from "./plots.js";
import { Search } from "./search.js";
import { Api } from "./shared/api.js";
import { follow } from "./shared/feed.js";
import { listen } from "./shared/socket.js";
import { language, words } from "./shared/words.js";
import { Tools } from "./tools.js";
import { Viewer, Viewers } from "./viewers.js";
import { Wall } from "./wall.js";

const VIEWS = { wall: Wall, viewers: Viewers, search: Search, plots: Plots, tools: Tools };
const POLLED = 2_000;
const PUSHED = 30_000;
const kept = {
  get: (store, name) => {
    try {
      return store.getItem(name);
    } catch {
      return null;
    }
  },
  set: (store, name, value) => {
    try {
      store.setItem(name, value);
    } catch {
      // A browser that keeps nothing asks again.
    }
  },
};

/** The service, which tells when it wants a (better) token. */
function apiThat(refuses, token) {
  const api = new Api(token);
  const send = api.send.bind(api);
  api.send = async (...asked) => {
    try {
      return await send(...asked);
    } catch (error) {
      if (error.status === 401) refuses();
      throw error;
    }
  };
  return api;
}

/** What happens, told to all who listen. */
function station(api, state) {
  const listeners = new Set();
  const feed = follow({
    ask: (after) => api.feed(after),
    after: null,
    every: POLLED,
    tell: (told) => listeners.forEach((listener) => listener(told)),
    state: ({ live }) => state(live),
  });
  api
    .get("/health")
    .then(({ socket }) => socket && listen({ url: socket, token: api.token, push: feed.push, state: (open) => feed.pace(open ? PUSHED : POLLED) }))
    .catch(() => {});
  return {
    heard: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: feed.stop,
  };
}

function Page({ say, setLang }) {
  const [token, setToken] = useState(kept.get(sessionStorage, "token"));
  const [wanted, setWanted] = useState(false);
  const [live, setLive] = useState(false);
  const [theme, setTheme] = useState(kept.get(localStorage, "theme") ?? "");
  const [place, setPlace] = useState(location.hash);
  const [service, setService] = useState(null);
  const main = useRef(null);

  useEffect(() => {
    let isCurrent = true;
    const api = apiThat(() => isCurrent && setWanted(true), token);
    const { heard, stop } = station(api, (live) => isCurrent && setLive(live));
    // What is shown is read anew.
    setService((before) => ({ api, heard, turn: (before?.turn ?? 0) + 1 }));
    return () => {
      isCurrent = false;
      stop();
    };
  }, [token]);
  useEffect(() => {
    const moved = () => {
      setPlace(location.hash);
      main.current?.focus();
    };
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  // Before the plots are drawn, which read the colours.
  useLayoutEffect(() => {
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    kept.set(localStorage, "theme", theme);
  }, [theme]);

  const [view = "wall", id] = place.replace(/^#\/?/, "").split("/").filter(Boolean);
  const Shown = view === "viewers" && id ? Viewer : (VIEWS[view] ?? Wall);
  useEffect(() => {
    document.title = `${say(`nav.${VIEWS[view] ? view : "wall"}`)} · Console`;
  }, [view, say]);

  return html`<${Console.Provider} value=${{ ...service, say, live, theme }}>
    <a class="skip" href="#main" onClick=${(event) => (event.preventDefault(), main.current.focus())}>${say("skip")}</a>
    <header class="top">
      <nav aria-label=${say("nav")}>
        ${Object.keys(VIEWS).map((name) => html`<a href=${`#/${name}`} aria-current=${name === view ? "page" : undefined}>${say(`nav.${name}`)}</a>`)}
      </nav>
      <span class=${`state ${live ? "live" : ""}`} role="status">${live ? say("live") : say("not_live")}</span>
      <label><span class="quiet">${say("theme")}</span>${" "}
        <select value=${theme} onChange=${(event) => setTheme(event.currentTarget.value)}>
          ${["", "light", "dark"].map((one) => html`<option value=${one}>${say(`theme.${one || "auto"}`)}</option>`)}
        </select>
      </label>
      <label><span class="quiet">${say("language")}</span>${" "}
        <select value=${say.lang} onChange=${(event) => setLang(event.currentTarget.value)}>
          <option value="en">English</option>
          <option value="de">Deutsch</option>
        </select>
      </label>
    </header>
    <main id="main" tabindex="-1" ref=${main}>
      ${service && html`<${Shown} id=${id} key=${`${view} ${id} ${service.turn}`} />`}
    </main>
    ${wanted && html`<${Ask} say=${say} give=${(given) => (kept.set(sessionStorage, "token", given), setWanted(false), setToken(given))} />`}
  <//>`;
}

/** Asks for a token. */
function Ask({ say, give }) {
  const dialog = useRef(null);
  useEffect(() => dialog.current.showModal(), []);
  const send = (event) => {
    event.preventDefault();
    give(new FormData(event.currentTarget).get("token").trim());
  };
  return html`<dialog ref=${dialog} aria-labelledby="ask">
    <h2 id="ask">${say("token.title")}</h2>
    <p>${say("token.how")}</p>
    <form onSubmit=${send}>
      <div class="fields">
        <label class="field">${say("token.label")}<input name="token" type="password" autocomplete="off" required /></label>
      </div>
      <button class="main">${say("token.go")}</button>
    </form>
  </dialog>`;
}

async function start(lang) {
  const say = await words(lang);
  document.documentElement.lang = lang;
  render(html`<${Page} say=${say} setLang=${(chosen) => (kept.set(localStorage, "lang", chosen), start(chosen))} />`, document.body);
}

start(language(kept.get(localStorage, "lang")));
