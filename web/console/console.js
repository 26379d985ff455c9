// The console: the channel's history and its live events. The fragment of the URL selects the view. The access token is
// stored in sessionStorage, and no URL contains it.

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
// The polling interval without and with a socket, in milliseconds.
const POLL_INTERVAL = 2_000;
const POLL_INTERVAL_WITH_SOCKET = 30_000;
// Web storage, which some browser settings disable.
const storage = {
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
      // Without storage, the console asks for the token again after a reload.
    }
  },
};

/** Creates an API client that calls `onUnauthorized` for each response with the status 401. */
function createApi(token, onUnauthorized) {
  const api = new Api(token);
  const send = api.send.bind(api);
  api.send = async (...request) => {
    try {
      return await send(...request);
    } catch (error) {
      if (error.status === 401) onUnauthorized();
      throw error;
    }
  };
  return api;
}

/** Follows the feed, and passes each entry to all subscribers. `onState` receives true while the feed can be read. */
function openFeed(api, onState) {
  const listeners = new Set();
  const feed = follow({
    read: (after) => api.feed(after),
    after: null,
    every: POLL_INTERVAL,
    onEntry: (entry) => listeners.forEach((listener) => listener(entry)),
    onState: ({ live }) => onState(live),
  });
  api
    .get("/health")
    .then(({ socket }) => {
      if (!socket) return;
      listen({ url: socket, token: api.token, onPush: feed.push, onState: (open) => feed.pace(open ? POLL_INTERVAL_WITH_SOCKET : POLL_INTERVAL) });
    })
    .catch(() => {});
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: feed.stop,
  };
}

function Page({ say, setLang }) {
  const [token, setToken] = useState(storage.get(sessionStorage, "token"));
  const [needsToken, setNeedsToken] = useState(false);
  const [live, setLive] = useState(false);
  const [theme, setTheme] = useState(storage.get(localStorage, "theme") ?? "");
  const [hash, setHash] = useState(location.hash);
  const [service, setService] = useState(null);
  const main = useRef(null);

  useEffect(() => {
    let isCurrent = true;
    const api = createApi(token, () => isCurrent && setNeedsToken(true));
    const { subscribe, stop } = openFeed(api, (live) => isCurrent && setLive(live));
    // The version is part of the view's key, so that the view loads its data again.
    setService((before) => ({ api, subscribe, version: (before?.version ?? 0) + 1 }));
    return () => {
      isCurrent = false;
      stop();
    };
  }, [token]);
  useEffect(() => {
    const onHashChange = () => {
      setHash(location.hash);
      main.current?.focus();
    };
    addEventListener("hashchange", onHashChange);
    return () => removeEventListener("hashchange", onHashChange);
  }, []);
  // A layout effect runs before the plots are drawn, which read the theme's colours.
  useLayoutEffect(() => {
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    storage.set(localStorage, "theme", theme);
  }, [theme]);

  const [view = "wall", id] = hash.replace(/^#\/?/, "").split("/").filter(Boolean);
  const View = view === "viewers" && id ? Viewer : (VIEWS[view] ?? Wall);
  useEffect(() => {
    document.title = `${say(`nav.${VIEWS[view] ? view : "wall"}`)} · Console`;
  }, [view, say]);

  const signIn = (newToken) => {
    storage.set(sessionStorage, "token", newToken);
    setNeedsToken(false);
    setToken(newToken);
  };
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
      ${service && html`<${View} id=${id} key=${`${view} ${id} ${service.version}`} />`}
    </main>
    ${needsToken && html`<${SignIn} say=${say} onToken=${signIn} />`}
  <//>`;
}

/** A modal dialog that asks for an access token. */
function SignIn({ say, onToken }) {
  const dialog = useRef(null);
  useEffect(() => dialog.current.showModal(), []);
  const send = (event) => {
    event.preventDefault();
    onToken(new FormData(event.currentTarget).get("token").trim());
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
  render(html`<${Page} say=${say} setLang=${(chosen) => (storage.set(localStorage, "lang", chosen), start(chosen))} />`, document.body);
}

start(language(storage.get(localStorage, "lang")));
