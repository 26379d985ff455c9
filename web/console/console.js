// The frame of all views. The URL's fragment selects the view and its filters, so that links and reloads restore them.
// The token is only in sessionStorage, because URLs are stored in histories and logs.

import { Client } from "../shared/client/index.js";
import { base } from "../shared/page.js";
import { local, session } from "../shared/storage.js";
import { language, loadTexts } from "../shared/texts.js";
import { Console, Icon, Problem, html, render, useEffect, useMemo, useRef, useState } from "./parts.js";

/** The views. Their modules are loaded on first use. */
const VIEWS = {
  __proto__: null,
  overview: () => import("./overview.js"),
  activity: () => import("./activity.js"),
  letters: () => import("./letters/letters.js"),
  viewers: () => import("./viewers.js"),
  store: () => import("./store.js"),
  rules: () => import("./rules.js"),
  analytics: () => import("./analytics.js"),
  alerts: () => import("./alerts.js"),
  data: () => import("./data.js"),
  settings: () => import("./settings.js"),
};
const DEFAULT_VIEW = "overview";
// These views do not wait for the texts of the others.
const EARLY_VIEWS = ["overview", "activity"];
/** Former names of views, which bookmarks may have. */
const FORMER_NAMES = { __proto__: null, wall: "activity", plots: "analytics", search: "data", tools: "settings" };
// The polling interval without a socket, in milliseconds.
const POLL_INTERVAL = 2_000;

/** Splits a fragment: `#/view/id?parameters`. */
function parseHash(hash) {
  const [route, query] = hash.replace(/^#\/?/, "").split("?");
  const [name = DEFAULT_VIEW, id] = route.split("/").filter(Boolean);
  return { name, view: VIEWS[name] ? name : FORMER_NAMES[name], id, parameters: new URLSearchParams(query) };
}

/** Changes parameters in the URL. An empty value removes one. */
function replaceParameters(changes) {
  const { name: viewName, view, id, parameters } = parseHash(location.hash);
  for (const [name, value] of Object.entries(changes)) {
    if (value) parameters.set(name, value);
    else parameters.delete(name);
  }
  const path = [view ?? viewName, id].filter(Boolean).join("/");
  history.replaceState(null, "", `#/${path}${parameters.size > 0 ? `?${parameters}` : ""}`);
}

const savedPosition = () => Number(parseHash(location.hash).parameters.get("y")) || 0;
let positionModule = null;
/** Keeps the scroll position in the URL. Called at the first scroll, or if the URL has a position to restore. */
const keepPosition = () => (positionModule ??= import("./position.js").then((module) => module.keepPosition(savedPosition, (y) => replaceParameters({ y }))));

/** Returns a client and the feed's subscription for a token. `onUnauthorized` receives errors with the status 401. */
function connect(token, onUnauthorized, onState) {
  const client = new Client(base, { token });
  const request = client.request.bind(client);
  client.request = async (...parameters) => {
    try {
      return await request(...parameters);
    } catch (error) {
      if (error.status === 401) onUnauthorized(error);
      throw error;
    }
  };
  const listeners = new Set();
  const subscribe = (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const start = () =>
    client.follow({
      interval: POLL_INTERVAL,
      onEntry: (entry) => listeners.forEach((listener) => listener(entry)),
      onState: ({ live }) => onState(live),
    });
  return { client, subscribe, start };
}

/** Applies a theme. Without one, the page has the system's. */
function applyTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

function Page({ say, setLang }) {
  const [token, setToken] = useState(session.get("token"));
  // The error for which another token is needed, or null.
  const [authError, setAuthError] = useState(null);
  const [connected, setConnected] = useState(false);
  const [theme, setTheme] = useState(local.get("theme") ?? "");
  const [hash, setHash] = useState(location.hash);
  // The loaded views, and the error of one.
  const [views, setViews] = useState({});
  const [loadError, setLoadError] = useState(null);
  // Loaded when they are needed.
  const [dialogs, setDialogs] = useState(/** @type {Record<string, any>} */ ({}));
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const main = useRef(null);
  const wasConnected = useRef(false);

  const service = useMemo(() => {
    const state = { isCurrent: true };
    const connection = connect(
      token,
      (error) => state.isCurrent && setAuthError((before) => before ?? error),
      (live) => state.isCurrent && setConnected(live),
    );
    return { ...connection, state, key: token ?? "" };
  }, [token]);
  useEffect(() => {
    const subscription = service.start();
    return () => {
      service.state.isCurrent = false;
      subscription.stop();
    };
  }, [service]);
  useEffect(() => {
    const onHashChange = () => {
      setHash(location.hash);
      setPaletteOpen(false);
      main.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
      if (savedPosition() > 0) keepPosition();
    };
    const onKeyDown = (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k") return;
      event.preventDefault();
      setPaletteOpen(true);
    };
    if (savedPosition() > 0) keepPosition();
    addEventListener("scroll", keepPosition, { once: true, passive: true });
    addEventListener("hashchange", onHashChange);
    addEventListener("keydown", onKeyDown);
    return () => {
      removeEventListener("hashchange", onHashChange);
      removeEventListener("keydown", onKeyDown);
    };
  }, []);
  const needsToken = authError !== null;
  useEffect(() => {
    const add = (loaded) => setDialogs((before) => ({ ...before, ...loaded }));
    if (isPaletteOpen) say.withAllTexts(import("./palette.js")).then(add);
    if (needsToken) say.withAllTexts(import("./sign-in.js")).then(add);
  }, [isPaletteOpen, needsToken]);

  const { view, id, parameters } = parseHash(hash);
  const setParameters = (changes) => {
    replaceParameters(changes);
    setHash(location.hash);
  };
  useEffect(() => {
    setLoadError(null);
    const load = VIEWS[view] ?? (() => import("./not_found.js"));
    const loading = EARLY_VIEWS.includes(view) ? load() : say.withAllTexts(load());
    loading.then((loaded) => setViews((before) => ({ ...before, [view]: loaded.View })), setLoadError);
  }, [view, say]);
  useEffect(() => {
    // Browsers cache the failure of an import. Only a new page imports the module again.
    if (connected && wasConnected.current && (loadError || say.isIncomplete)) location.reload();
    wasConnected.current ||= connected;
  }, [connected]);
  useEffect(() => {
    // On a phone, the views are wider than the screen.
    document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    document.title = `${say(view ? `nav.${view}` : "not_found")} · ${say("console")}`;
  }, [view, say]);

  const signIn = (newToken) => {
    session.set("token", newToken);
    setAuthError(null);
    setToken(newToken);
  };
  const chooseTheme = (chosen) => {
    local.set("theme", chosen);
    applyTheme(chosen);
    setTheme(chosen);
  };
  const View = views[view];
  const { Palette, SignIn } = dialogs;
  const context = { ...service, say, connected, theme, chooseTheme, setLang, parameters, setParameters, replaceToken: setAuthError };
  return html`<${Console.Provider} value=${context}>
    <a class="skip" href="#main" onClick=${(event) => (event.preventDefault(), main.current.focus())}>${say("skip")}</a>
    <nav class="side" aria-label=${say("nav")}>
      ${Object.keys(VIEWS).map(
        (name) => html`<a href=${`#/${name}`} aria-current=${name === view ? "page" : undefined}><${Icon} name=${name} /><span>${say(`nav.${name}`)}</span></a>`,
      )}
      <button class="find" onClick=${() => setPaletteOpen(true)}><span>${say("find")}</span> <kbd>Ctrl K</kbd></button>
      <span class=${`state ${connected ? "connected" : ""}`} role="status">${say(connected ? "connected" : "reconnecting")}</span>
    </nav>
    <main id="main" tabindex="-1" ref=${main}>
      ${View ? html`<${View} id=${id} key=${`${view} ${id} ${service.key}`} />` : html`<${Problem} error=${loadError} onRetry=${() => location.reload()} />`}
    </main>
    ${isPaletteOpen && Palette && html`<${Palette} views=${Object.keys(VIEWS)} onClose=${() => setPaletteOpen(false)} />`}
    ${authError && SignIn && html`<${SignIn} authError=${authError} hasToken=${Boolean(token)} onToken=${signIn} onCancel=${() => setAuthError(null)} />`}
  <//>`;
}

async function start(lang, needsAllTexts = false) {
  const say = await loadTexts(lang);
  // After a change of the language, the visible view may need all texts.
  if (needsAllTexts) await say.withAllTexts();
  document.documentElement.lang = lang;
  const root = /** @type {HTMLElement} */ (document.querySelector("#root"));
  if (root.querySelector(".skeleton.first")) root.replaceChildren();
  render(html`<${Page} say=${say} setLang=${(chosen) => (local.set("lang", chosen), start(chosen, true))} />`, root);
}

applyTheme(local.get("theme"));
start(language(local.get("lang")));
