// The frame of all views. The URL's fragment selects the view and its filters. The token is in sessionStorage, in no URL.

import { Client } from "../shared/client/index.js";
import { base } from "../shared/page.js";
import { local, session } from "../shared/storage.js";
import { language, words } from "../shared/words.js";
import { Console, Icon, Problem, html, render, useEffect, useMemo, useRef, useState } from "./parts.js";

/** The views. The module of each is loaded when it is shown. */
const VIEWS = {
  __proto__: null,
  overview: () => import("./overview.js"),
  activity: () => import("./activity.js"),
  viewers: () => import("./viewers.js"),
  analytics: () => import("./analytics.js"),
  alerts: () => import("./alerts.js"),
  data: () => import("./data.js"),
  settings: () => import("./settings.js"),
};
const FIRST = "overview";
// The views whose texts are loaded with the page.
const EARLY = ["overview", "activity"];
/** Names of views that bookmarks may have. */
const FORMER = { __proto__: null, wall: "activity", plots: "analytics", search: "data", tools: "settings" };
// The polling interval without a socket, in milliseconds.
const POLL_INTERVAL = 2_000;

/** Splits a fragment: `#/view/id?parameters`. */
function parse(hash) {
  const [route, query] = hash.replace(/^#\/?/, "").split("?");
  const [name = FIRST, id] = route.split("/").filter(Boolean);
  return { name, view: VIEWS[name] ? name : FORMER[name], id, parameters: new URLSearchParams(query) };
}

/** Changes parameters in the URL. An empty value removes one. */
function replaceParameters(changes) {
  const { name: given, view, id, parameters } = parse(location.hash);
  for (const [name, value] of Object.entries(changes)) {
    if (value) parameters.set(name, value);
    else parameters.delete(name);
  }
  const path = [view ?? given, id].filter(Boolean).join("/");
  history.replaceState(null, "", `#/${path}${parameters.size > 0 ? `?${parameters}` : ""}`);
}

const position = () => Number(parse(location.hash).parameters.get("y")) || 0;
let keeping = null;
/** Keeps the scroll position in the URL, from the first scroll on or if there is one to restore. */
const keepPosition = () => (keeping ??= import("./position.js").then((module) => module.keepPosition(position, (y) => replaceParameters({ y }))));

/** Returns a client and the feed's subscription for a token. `onRefused` receives each error with the status 401. */
function open(token, onRefused, onState) {
  const client = new Client(base, { token });
  const request = client.request.bind(client);
  client.request = async (...parameters) => {
    try {
      return await request(...parameters);
    } catch (error) {
      if (error.status === 401) onRefused(error);
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
      every: POLL_INTERVAL,
      onEntry: (entry) => listeners.forEach((listener) => listener(entry)),
      onState: ({ live }) => onState(live),
    });
  return { client, subscribe, start };
}

/** Shows a theme. Without one, the page has the system's. */
function show(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

function Page({ say, setLang }) {
  const [token, setToken] = useState(session.get("token"));
  // The error for which another token is needed, or null.
  const [refused, setRefused] = useState(null);
  const [connected, setConnected] = useState(false);
  const [theme, setTheme] = useState(local.get("theme") ?? "");
  const [hash, setHash] = useState(location.hash);
  // The loaded views, and the error of one.
  const [views, setViews] = useState({});
  const [failed, setFailed] = useState(null);
  // Loaded when they are needed.
  const [dialogs, setDialogs] = useState(/** @type {Record<string, any>} */ ({}));
  const [isFinding, setFinding] = useState(false);
  const main = useRef(null);
  const wasConnected = useRef(false);

  const service = useMemo(() => {
    const state = { isCurrent: true };
    const opened = open(
      token,
      (error) => state.isCurrent && setRefused((before) => before ?? error),
      (live) => state.isCurrent && setConnected(live),
    );
    return { ...opened, state, key: token ?? "" };
  }, [token]);
  useEffect(() => {
    const following = service.start();
    return () => {
      service.state.isCurrent = false;
      following.stop();
    };
  }, [service]);
  useEffect(() => {
    const onHashChange = () => {
      setHash(location.hash);
      setFinding(false);
      main.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
      if (position() > 0) keepPosition();
    };
    const onKeyDown = (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k") return;
      event.preventDefault();
      setFinding(true);
    };
    if (position() > 0) keepPosition();
    addEventListener("scroll", keepPosition, { once: true, passive: true });
    addEventListener("hashchange", onHashChange);
    addEventListener("keydown", onKeyDown);
    return () => {
      removeEventListener("hashchange", onHashChange);
      removeEventListener("keydown", onKeyDown);
    };
  }, []);
  const isRefused = refused !== null;
  useEffect(() => {
    const add = (loaded) => setDialogs((before) => ({ ...before, ...loaded }));
    if (isFinding) say.with(import("./palette.js")).then(add);
    if (isRefused) say.with(import("./sign-in.js")).then(add);
  }, [isFinding, isRefused]);

  const { view, id, parameters } = parse(hash);
  const setParameters = (changes) => {
    replaceParameters(changes);
    setHash(location.hash);
  };
  useEffect(() => {
    setFailed(null);
    const load = VIEWS[view] ?? (() => import("./not_found.js"));
    const loading = EARLY.includes(view) ? load() : say.with(load());
    loading.then((loaded) => setViews((before) => ({ ...before, [view]: loaded.View })), setFailed);
  }, [view, say]);
  useEffect(() => {
    // Browsers remember a module that failed to load. A new page loads it.
    if (connected && wasConnected.current && (failed || say.isIncomplete)) location.reload();
    wasConnected.current ||= connected;
  }, [connected]);
  useEffect(() => {
    document.title = `${say(view ? `nav.${view}` : "not_found")} · ${say("console")}`;
  }, [view, say]);

  const signIn = (newToken) => {
    session.set("token", newToken);
    setRefused(null);
    setToken(newToken);
  };
  const chooseTheme = (chosen) => {
    local.set("theme", chosen);
    show(chosen);
    setTheme(chosen);
  };
  const View = views[view];
  const { Palette, SignIn } = dialogs;
  const context = { ...service, say, connected, theme, chooseTheme, setLang, parameters, setParameters, replaceToken: setRefused };
  return html`<${Console.Provider} value=${context}>
    <a class="skip" href="#main" onClick=${(event) => (event.preventDefault(), main.current.focus())}>${say("skip")}</a>
    <nav class="side" aria-label=${say("nav")}>
      ${Object.keys(VIEWS).map(
        (name) => html`<a href=${`#/${name}`} aria-current=${name === view ? "page" : undefined}><${Icon} of=${name} /><span>${say(`nav.${name}`)}</span></a>`,
      )}
      <button class="find" onClick=${() => setFinding(true)}><span>${say("find")}</span> <kbd>Ctrl K</kbd></button>
      <span class=${`state ${connected ? "connected" : ""}`} role="status">${say(connected ? "connected" : "reconnecting")}</span>
    </nav>
    <main id="main" tabindex="-1" ref=${main}>
      ${View ? html`<${View} id=${id} key=${`${view} ${id} ${service.key}`} />` : html`<${Problem} of=${failed} onRetry=${() => location.reload()} />`}
    </main>
    ${isFinding && Palette && html`<${Palette} views=${Object.keys(VIEWS)} onClose=${() => setFinding(false)} />`}
    ${refused && SignIn && html`<${SignIn} refused=${refused} hasToken=${Boolean(token)} onToken=${signIn} onCancel=${() => setRefused(null)} />`}
  <//>`;
}

async function start(lang, isOther = false) {
  const say = await words(lang);
  // The view that is shown may need all texts.
  if (isOther) await say.with();
  document.documentElement.lang = lang;
  const root = /** @type {HTMLElement} */ (document.querySelector("#root"));
  if (root.querySelector(".skeleton.first")) root.replaceChildren();
  render(html`<${Page} say=${say} setLang=${(chosen) => (local.set("lang", chosen), start(chosen, true))} />`, root);
}

show(local.get("theme"));
start(language(local.get("lang")));
