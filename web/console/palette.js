// Ctrl-K: finds views, their tabs, viewers and records.

import { Dialog } from "./forms.js";
import { html, useConsole, useEffect, useState } from "../shared/parts.js";

// The time after the last typed letter until the search starts, in milliseconds.
const TYPING_PAUSE = 150;
const MAX_VIEWERS = 8;
/** The tabs of the settings and alerts by the names of their texts. Only a search shows them. */
const TABS = {
  "settings.language": "settings",
  "settings.theme": "settings",
  "begin.twitch": "settings?tab=twitch",
  "tokens.title": "settings?tab=tokens",
  "settings.privacy": "settings?tab=privacy",
  "settings.open_data": "data",
  "data.archive": "data?tab=archive",
  "alerts.widgets": "alerts?tab=widgets",
  "alerts.address": "alerts?tab=urls",
  "begin.overlay": "alerts?tab=urls",
  "alerts.look": "alerts?tab=overlay",
  "store.products": "store?tab=products",
  "store.new": "store?tab=products&open=new",
  "store.history": "store?tab=history",
  "rules.new": "rules?open=new",
};

/** @typedef {{viewers: any[], events: any[], documents: any[]}} Found @type {Found} */
const NOTHING = { viewers: [], events: [], documents: [] };

/** Finds viewers by name, and records by identifier. @param {any} client @param {string} text @returns {Promise<Found>} */
async function find(client, text) {
  const list = async (/** @type {string} */ path, /** @type {any} */ query) => (await client.page(path, { query })).records;
  const isId = /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text));
  const [named, users = [], events = [], documents = []] = await Promise.all([
    list("/users", { name_prefix: text.slice(0, 100), limit: MAX_VIEWERS }),
    ...(isId ? [list("/users", { user_id: text }), list("/events", { event_id: text }), list("/documents", { document_id: text })] : []),
  ]);
  return { viewers: [...users, ...named], events, documents };
}

/** @param {{views: any, onClose: () => void}} props */
export function Palette({ views, onClose }) {
  const { client, say } = useConsole();
  const [typed, setTyped] = useState("");
  const [found, setFound] = useState(NOTHING);
  const [hasFailed, setFailed] = useState(false);
  const [selected, setSelected] = useState(0);
  const text = typed.trim();
  useEffect(() => {
    let isStale = false;
    const timer = setTimeout(() => {
      const show = (/** @type {Found} */ records, /** @type {boolean} */ isFailure) => {
        if (isStale) return;
        setFound(records);
        setFailed(isFailure);
      };
      if (!text) return show(NOTHING, false);
      return find(client, text).then((records) => show(records, false), () => show(NOTHING, true));
    }, TYPING_PAUSE);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [text]);
  // As in “backup” for “Back up”.
  const joined = (/** @type {string} */ words) => words.toLowerCase().replace(/[\s-]/g, "");
  const isNamed = (/** @type {any} */ { label }) => joined(label).includes(joined(text));
  const tabs = Object.entries(TABS).map(([name, path]) =>
    ({ label: say(name), kind: say(`nav.${path.split("?")[0]}`), href: `#/${path}` }));
  const matches = [
    ...views.map((/** @type {string} */ name) => ({ label: say(`nav.${name}`), href: `#/${name}` })).filter(isNamed),
    ...(text ? tabs.filter(isNamed) : []),
    ...found.viewers.map(({ user_id: user, name, platform_id: account }) => {
      const isShared = found.viewers.filter((other) => other.name === name).length > 1;
      return { label: name, kind: `${say("find.viewer")} ${isShared ? account ?? "" : ""}`, href: `#/viewers/${user}` };
    }),
    ...found.events.map(({ event_id: id }) => ({ label: say("find.event", { id: String(id) }), href: `#/data?resource=events&open=${id}` })),
    ...found.documents.map(({ document_id: id }) => ({ label: say("find.document", { id: String(id) }), href: `#/letters/${id}` })),
  ];
  const selectedIndex = Math.min(selected, matches.length - 1);
  const onKeyDown = (/** @type {any} */ event) => {
    const step = Number(event.key === "ArrowDown") - Number(event.key === "ArrowUp");
    if (step !== 0 && matches.length > 0) {
      event.preventDefault();
      setSelected((selectedIndex + step + matches.length) % matches.length);
    }
    // A search field would only clear its text.
    if (event.key === "Escape") {
      event.preventDefault();
      onClose();
    }
    if (event.key === "Enter" && matches[selectedIndex]) {
      event.preventDefault();
      location.hash = matches[selectedIndex].href;
      onClose();
    }
  };
  return html`<${Dialog} title=${say("find")} onClose=${onClose} className="palette">
    <input type="search" autofocus role="combobox" aria-label=${say("find")} aria-expanded="true" aria-controls="found"
      aria-activedescendant=${matches[selectedIndex] ? `found-${selectedIndex}` : undefined}
      placeholder=${say("find.how")} value=${typed} onKeyDown=${onKeyDown}
      onInput=${(event) => (setTyped(event.currentTarget.value), setSelected(0))} />
    <ul id="found" role="listbox" aria-label=${say("find")}>
      ${matches.map(
        (match, index) => html`<li id=${`found-${index}`} role="option" aria-selected=${index === selectedIndex}
          key=${match.label + match.href} dir="auto" onClick=${() => ((location.hash = match.href), onClose())}>
          ${match.label} ${match.kind && html`<span class="quiet">${match.kind}</span>`}
        </li>`,
      )}
    </ul>
    ${hasFailed && html`<p class="error" role="alert">${say("find.failed")}</p>`}
    ${matches.length === 0 && !hasFailed && html`<p class="quiet" role="status">${say("find.none")}</p>`}
  <//>`;
}
