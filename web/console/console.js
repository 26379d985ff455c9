// The frame of all views. URLs end up in histories and logs, so the token is only in the browser's storage.

import { fetchOrTake } from "../shared/early.js";
import { local, session } from "../shared/page.js";
import { Service } from "../shared/service.js";
import { loadTexts } from "../shared/texts.js";
import { BAR_VIEWS, EARLY_VIEWS, NAV_VIEWS, VIEWS, changeParameters, loadView, parseHash, savedPosition, textsOf } from "./address.js";
import { watchFailures } from "./failures.js";
import "./focus.js";
import { Console, Icon, Problem, Skeleton, countDown, html, render, useConsole, useEffect, useMemo, useRef, useState } from "../shared/parts.js";
import { firstTexts, requestRows } from "./start.js";
import { withStyles } from "./styles.js";

// The polling interval without a socket, in milliseconds.
const POLL_INTERVAL = 2_000;
// The polling interval while requests fail.
const POLL_FAILING = 4_000;
// The number of responses that are kept for the time when the service is away.
const MAX_KEPT = 300;
// The time after which the notices no longer wait for rows, in milliseconds.
const MAX_WAIT = 4_000;

const loadCard = () => withStyles(import("./problem.js"));
let positionModule = null;
/** Keeps the scroll position in the URL. Called at the first scroll, or if the URL has a position to restore. */
const keepPosition = () => {
  const savePosition = (/** @type {number} */ y) => changeParameters({ y }, true);
  positionModule ??= import("./position.js").then((module) => module.keepPosition(savedPosition, savePosition));
};

/**
 * Returns a client and the feed's subscription for a token. `onUnauthorized` receives errors with status 401, `onResponse`
 * is called for each response to a request other than the feed's, `isAway` returns true during an outage, `onOutage` receives
 * the feed's error or null, and `onFailing` whether other requests fail.
 *
 * @param {any} token
 * @param {{onUnauthorized: any, onResponse: any, isAway: () => boolean, onOutage: any, onFailing: any}} listeners
 */
function connect(token, { onUnauthorized, onResponse, isAway, onOutage, onFailing }) {
  const { fetch, forget } = watchFailures(fetchOrTake, onFailing);
  const client = new Service(token, fetch);
  const request = client.request.bind(client);
  /** The last responses to reads. While the service is away, a view shows what it showed last. @type {Map<string, any>} */
  const kept = new Map();
  client.request = async (method, path, options) => {
    // A query that ends now differs each time.
    const { keptAs = options?.query } = /** @type {any} */ (options ?? {});
    const key = method === "GET" && path !== "/feed" ? JSON.stringify([path, keptAs]) : "";
    const last = isAway() ? kept.get(key) : undefined;
    try {
      const response = await request(method, path, last ? { ...options, retries: 0 } : options);
      if (path !== "/feed") onResponse();
      if (key) {
        kept.delete(key);
        kept.set(key, response);
        if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value ?? "");
      }
      return response;
    } catch (error) {
      if (error.status === 401) onUnauthorized(error);
      if (last && error.name === "ConnectionError") return last;
      throw error;
    }
  };
  const listeners = new Set();
  const subscribe = (/** @type {any} */ listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const start = () =>
    client.follow({
      interval: POLL_INTERVAL,
      onEntry: (entry) => listeners.forEach((listener) => listener(entry)),
      onState: ({ live, error, retryIn }) => {
        if (!live) countDown(error, retryIn);
        onOutage(live ? null : error);
      },
    });
  return { client, subscribe, start, forget };
}

/** Applies a theme. Without one, the page uses the system's. @param {string | null} theme */
function applyTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

/**
 * The client, and the feed's subscription. `state.retry` polls the feed immediately.
 *
 * @param {string | null} token
 * @param {{setAuthError: any, setOutage: any, setFailing: any}} listeners
 */
function useService(token, { setAuthError, setOutage, setFailing }) {
  const service = useMemo(() => {
    const state = { isCurrent: true, isAway: false, retry: () => {} };
    const connection = connect(token, {
      onUnauthorized: (/** @type {any} */ error) => state.isCurrent && setAuthError((/** @type {any} */ before) => before ?? error),
      // The service is back before the feed's next attempt.
      onResponse: () => state.isAway && state.retry(),
      isAway: () => state.isAway,
      onOutage: (/** @type {any} */ error) => {
        state.isAway = Boolean(error);
        if (state.isCurrent) setOutage(error);
      },
      onFailing: (/** @type {boolean} */ isFailing) => state.isCurrent && setFailing(isFailing),
    });
    return { ...connection, state, key: token ?? "" };
  }, [token]);
  useEffect(() => {
    const subscription = service.start();
    service.state.retry = subscription.poll;
    return () => {
      service.state.isCurrent = false;
      subscription.stop();
    };
  }, [service]);
  return service;
}

/**
 * The URL's fragment. A new view gets the focus, and starts at its top or at the position in the URL.
 *
 * @param {{current: HTMLElement | null}} main
 * @param {() => void} onChange
 * @returns {[string, (hash: string) => void]}
 */
function useHash(main, onChange) {
  const [hash, setHash] = useState(location.hash);
  const lastPath = useRef(location.hash.split("?")[0]);
  useEffect(() => {
    const onHashChange = () => {
      setHash(location.hash);
      onChange();
      // For a filter, a tab or a record of the same view, the reader stays in place.
      const path = location.hash.split("?")[0];
      if (path === lastPath.current) return;
      lastPath.current = path;
      main.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
      if (savedPosition() > 0) keepPosition();
    };
    if (savedPosition() > 0) keepPosition();
    addEventListener("scroll", keepPosition, { once: true, passive: true });
    addEventListener("hashchange", onHashChange);
    return () => removeEventListener("hashchange", onHashChange);
  }, []);
  return [hash, setHash];
}

/**
 * The views, the search, and the state of the connection.
 *
 * @param {{view: string, status: string, isOpen: boolean, setOpen: (isOpen: boolean) => void, onFind: () => void, waiting: string}} props
 */
function Side({ view, status, isOpen, setOpen, onFind, waiting }) {
  const { say } = useConsole();
  const count = waiting && html`<b class="count" title=${say("store.waiting")}>${waiting}</b>`;
  const shown = view === "data" ? "settings" : view;
  return html`<nav class=${`side ${isOpen ? "open" : ""}`} aria-label=${say("nav")}
    onKeyDown=${(event) => event.key === "Escape" && setOpen(false)}>
    ${NAV_VIEWS.map(
      (name) => html`<a href=${`#/${name}`} class=${BAR_VIEWS.includes(name) ? "" : "extra"}
        aria-current=${name === shown ? "page" : undefined}>
        <${Icon} name=${name} /><span>${say(`nav.${name}`)}</span>
        ${name === "store" && count}
      </a>`,
    )}
    <button class=${`menu ${BAR_VIEWS.includes(shown) ? "" : "current"}`} aria-expanded=${isOpen}
      onClick=${() => setOpen(!isOpen)}>
      <${Icon} name="dots" /><span>${say("nav.menu")}</span>${!isOpen && count}
    </button>
    <div class="tools">
      <button class="find" onClick=${onFind}>
        <${Icon} name="search" /><span>${say("find")}</span> <kbd>${say("find.key")}</kbd>
      </button>
      <span class=${`state ${status}`} role="status">${say(status)}</span>
    </div>
  </nav>`;
}

/** @param {{say: any, setLang: any}} props */
function Page({ say, setLang }) {
  const [token, setToken] = useState(session.get("token"));
  // The error that requires another token, or null.
  const [authError, setAuthError] = useState(null);
  // The feed's error: null after it was read, and undefined before.
  const [outage, setOutage] = useState(/** @type {any} */ (undefined));
  const connected = outage === null;
  const [isFailing, setFailing] = useState(false);
  const [theme, setTheme] = useState(local.get("theme") ?? "");
  // True after the first attempt to load a view's rows.
  const [isFilled, setFilled] = useState(false);
  // The loaded views, and an error from loading one.
  const [views, setViews] = useState(/** @type {Record<string, any>} */ ({}));
  const [loadError, setLoadError] = useState(null);
  // Loaded when needed.
  const [dialogs, setDialogs] = useState(/** @type {Record<string, any>} */ ({}));
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [waiting, setWaiting] = useState("");
  const main = useRef(null);
  const wasConnected = useRef(false);
  const service = useService(token, { setAuthError, setOutage, setFailing });
  const [hash, setHash] = useHash(main, () => {
    setPaletteOpen(false);
    setMenuOpen(false);
  });
  useEffect(() => {
    const onKeyDown = (/** @type {any} */ event) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k") return;
      event.preventDefault();
      setPaletteOpen(true);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
  // Not every view loads rows.
  useEffect(() => {
    const timer = setTimeout(() => setFilled(true), MAX_WAIT);
    return () => clearTimeout(timer);
  }, []);
  // The next response shows that the service is back.
  useEffect(() => {
    const timer = isFailing ? setInterval(() => service.state.retry(), POLL_FAILING) : undefined;
    return () => clearInterval(timer);
  }, [service, isFailing]);
  // A socket does not notice at once that the network is gone.
  useEffect(() => {
    const poll = () => service.state.retry();
    addEventListener("offline", poll);
    return () => removeEventListener("offline", poll);
  }, [service]);
  const needsToken = authError !== null;
  // Before the first sign-in, the page is empty.
  const isLocked = authError?.status === 401 && !wasConnected.current;
  const add = (/** @type {any} */ loaded) => setDialogs((before) => ({ ...before, ...loaded }));
  useEffect(() => {
    if (isPaletteOpen) say.withTexts(withStyles(import("./palette.js")), "settings", "alerts", "data", "economy").then(add);
    if (needsToken) say.withTexts(withStyles(import("./sign-in.js")), "errors").then(add);
  }, [isPaletteOpen, needsToken]);

  const { view, id, parameters } = parseHash(hash);
  // The first rows do not share the network with the notices.
  const isReady = connected && (isFilled || Boolean(loadError));
  useEffect(() => {
    if (!isReady || dialogs.Notices) return;
    say.withTexts(withStyles(import("./notice-bars.js")), "errors").then(add, () => {});
    // Views show the card while the service is away, so it is loaded beforehand.
    say.withTexts(loadCard(), "errors").catch(() => {});
  }, [isReady, say]);

  // The previous view may have had failures.
  useEffect(service.forget, [view]);

  const setParameters = (/** @type {any} */ changes, isSameEntry = false) => {
    changeParameters(changes, isSameEntry);
    setHash(location.hash);
  };
  useEffect(() => {
    setLoadError(null);
    // The start requests the rows of the first view itself.
    if (Object.keys(views).length > 0 && !views[view]) requestRows(parseHash(hash));
    const loading = EARLY_VIEWS.includes(view) ? loadView(view) : say.withTexts(loadView(view), ...textsOf(view, id));
    loading.then((/** @type {any} */ loaded) => setViews((before) => ({ ...before, [view]: loaded.View })),
      setLoadError);
  }, [view, say]);
  useEffect(() => {
    // Browsers cache a failed import. Only a new page imports the module again.
    if (connected && wasConnected.current && (loadError || say.isIncomplete)) location.reload();
    wasConnected.current ||= connected;
  }, [connected]);
  useEffect(() => {
    if (!loadError) return undefined;
    const reload = () => location.reload();
    addEventListener("online", reload);
    return () => removeEventListener("online", reload);
  }, [loadError]);
  useEffect(() => {
    document.title = `${say(view ? `nav.${view}` : "not_found")} · ${say("console")}`;
  }, [view, say]);

  const signIn = (/** @type {any} */ newToken, /** @type {any} */ stays) => {
    session.set("token", newToken);
    local.set("token", stays ? newToken : "");
    // A late response to the former token must not ask again.
    service.state.isCurrent = newToken === token;
    setAuthError(null);
    setToken(newToken);
  };
  const signOut = () => {
    session.set("token", "");
    local.set("token", "");
    location.reload();
  };
  const chooseTheme = (/** @type {any} */ chosen) => {
    local.set("theme", chosen);
    applyTheme(chosen);
    setTheme(chosen);
  };
  const View = views[view];
  const { Palette, SignIn, Notices, Waiting } = dialogs;
  const away = wasConnected.current ? "reconnecting" : "connecting";
  const status = !connected ? away : isFailing || loadError ? "failing" : "connected";
  const settings = { loadCard, theme, chooseTheme, setLang, signOut: token ? signOut : null, replaceToken: setAuthError };
  const onFilled = () => setFilled(true);
  const connection = { connected, outage, status, retry: () => service.state.retry() };
  const context = { ...service, ...settings, ...connection, say, parameters, setParameters, onFilled };
  return html`<${Console.Provider} value=${context}>
    <a class="skip" href="#main" onClick=${(event) => (event.preventDefault(), main.current.focus())}>${say("skip")}</a>
    <${Side} view=${view} status=${status} isOpen=${isMenuOpen} setOpen=${setMenuOpen}
      onFind=${() => setPaletteOpen(true)} waiting=${waiting} />
    ${Waiting && html`<${Waiting} key=${`waiting ${service.key}`} onCount=${setWaiting} />`}
    <main id="main" tabindex="-1" ref=${main}>
      ${Notices && html`<${Notices} key=${`notices ${service.key}`} />`}
      ${isLocked ? null : View
        ? html`<${View} id=${id} key=${`${view} ${id} ${service.key}`} />`
        : html`${(loadError || !id) && html`<h1>${say(view ? `nav.${view}` : "not_found")}</h1>`}
          ${!loadError && html`<${Skeleton} rows=${6} />`}
          <${Problem} error=${loadError} onRetry=${connected && (() => location.reload())} isLarge />`}
    </main>
    ${isPaletteOpen && Palette &&
    html`<${Palette} views=${Object.keys(VIEWS)} onClose=${() => setPaletteOpen(false)} />`}
    ${authError && SignIn &&
    html`<${SignIn} authError=${authError} hasToken=${Boolean(token)} isFirst=${isLocked} onToken=${signIn}
      onCancel=${() => setAuthError(null)} />`}
  <//>`;
}

/** Renders the page with texts. @param {any} loading */
async function start(loading) {
  const say = await loading;
  document.documentElement.lang = say.lang;
  const root = /** @type {HTMLElement} */ (document.querySelector("#root"));
  if (root.querySelector(".skeleton.first")) root.replaceChildren();
  const setLang = async (/** @type {string} */ chosen) => {
    local.set("lang", chosen);
    const texts = await loadTexts(chosen);
    // All that is visible changes its language at once.
    await texts.withTexts(undefined, ...say.parts());
    start(texts);
  };
  render(html`<${Page} say=${say} setLang=${setLang} />`, root);
}

applyTheme(local.get("theme"));
// A token saved on this computer is used in each new tab.
if (!session.get("token") && local.get("token")) session.set("token", local.get("token"));
await start(firstTexts);
