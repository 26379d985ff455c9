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

/** @param {{views: any, onClose: () => void}} props */
export function Palette({ views, onClose }) {
  const { client, say } = useConsole();
  const [typed, setTyped] = useState("");
  const [viewers, setViewers] = useState(/** @type {any[]} */ ([]));
  const [hasFailed, setFailed] = useState(false);
  const [selected, setSelected] = useState(0);
  const text = typed.trim();
  useEffect(() => {
    let isStale = false;
    const timer = setTimeout(() => {
      if (!text) return setViewers([]);
      const query = { name_prefix: text.slice(0, 100), limit: MAX_VIEWERS };
      const show = (/** @type {any} */ records, /** @type {any} */ isFailure) => {
        if (isStale) return;
        setViewers(records);
        setFailed(isFailure);
      };
      return client.page("/users", { query }).then((/** @type {any} */ { records }) => show(records, false),
        () => show([], true));
    }, TYPING_PAUSE);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [text]);
  const id = /^\d{1,16}$/.test(text) ? text : null;
  // As in “backup” for “Back up”.
  const joined = (/** @type {string} */ words) => words.toLowerCase().replace(/[\s-]/g, "");
  const isNamed = (/** @type {any} */ { label }) => joined(label).includes(joined(text));
  const tabs = Object.entries(TABS).map(([name, path]) =>
    ({ label: say(name), kind: say(`nav.${path.split("?")[0]}`), href: `#/${path}` }));
  const matches = [
    ...views.map((/** @type {string} */ name) => ({ label: say(`nav.${name}`), href: `#/${name}` })).filter(isNamed),
    ...(text ? tabs.filter(isNamed) : []),
    ...viewers.map(({ user_id: user, name, platform_id: account }) => {
      const isShared = viewers.filter((other) => other.name === name).length > 1;
      return { label: name, kind: `${say("find.viewer")} ${isShared ? account ?? "" : ""}`, href: `#/viewers/${user}` };
    }),
    ...(id ? ["event", "document"] : []).map((kind) => {
      const href = `#/data?resource=${kind}s&open=${id}`;
      return { label: say(`find.${kind}`, { id }), href };
    }),
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
