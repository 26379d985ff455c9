// The list of viewers, and the page of a viewer.

import { figuresOf } from "./figures.js";
import { usePages } from "./loading.js";
import { Empty, More, html, useConsole, useEffect, useRef, useState } from "./parts.js";
import { Viewer } from "./viewer.js";

// The time after the last typed letter at which the search begins, in milliseconds.
const TYPING_PAUSE = 250;
// The number of rows whose figures are requested at once.
const CONCURRENCY = 4;

export const View = ({ id }) => (id ? html`<${Viewer} id=${id} />` : html`<${Viewers} />`);

/** Requests the figures of rows that come into view, a few at a time. */
function useFigures() {
  const { client } = useConsole();
  const [figures, setFigures] = useState(new Map());
  const queue = useRef({ ids: /** @type {any[]} */ ([]), requested: new Set(), running: 0 });
  useEffect(() => () => (queue.current.ids = []), []);
  const run = async () => {
    const work = queue.current;
    while (work.running < CONCURRENCY && work.ids.length > 0) {
      const id = work.ids.shift();
      work.running += 1;
      figuresOf(client, id)
        .then((loaded) => setFigures((before) => new Map(before).set(id, loaded)))
        // The row shows no figures. The list reports that the service is not reachable.
        .catch(() => work.requested.delete(id))
        .then(() => {
          work.running -= 1;
          run();
        });
    }
  };
  const request = (id) => {
    if (queue.current.requested.has(id)) return;
    queue.current.requested.add(id);
    queue.current.ids.push(id);
    run();
  };
  return { figures, request };
}

function Row({ user, figures, request }) {
  const { say } = useConsole();
  const row = useRef(null);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry.isIntersecting && request(user.user_id));
    observer.observe(row.current);
    return () => observer.disconnect();
  }, [user.user_id]);
  const { bits, messages, sub } = figures ?? {};
  const formatted = (value) => (figures ? say.number(value) : "…");
  return html`<tr ref=${row}>
    <td><a class="name" dir="auto" title=${user.name} href=${`#/viewers/${user.user_id}`}>${user.name}</a></td>
    <td>${sub ? say("viewer.sub", { tier: String(sub.tier), months: sub.subscribed_length }) : figures ? "–" : "…"}</td>
    <td class="amount">${formatted(bits)}</td>
    <td class="amount">${formatted(messages)}</td>
    <td class="amount">${say.number(user.wallet)}</td>
    <td>${say.date(user.created_at)}</td>
  </tr>`;
}

function Viewers() {
  const { say, parameters, setParameters } = useConsole();
  const prefix = parameters.get("name") ?? "";
  const [typed, setTyped] = useState(prefix);
  useEffect(() => {
    const timer = setTimeout(() => setParameters({ name: typed.trim() }), TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  const pages = usePages(`/users?limit=50${prefix && `&name_prefix=${encodeURIComponent(prefix)}`}`);
  const { figures, request } = useFigures();
  const isEmpty = pages.records.length === 0 && !pages.busy && !pages.error;
  const amount = (label) => ({ label, className: "amount" });
  return html`<h1>${say("nav.viewers")}</h1>
    <div class="bar">
      <label class="field"><span>${say("viewers.prefix")}</span>
        <input type="search" maxlength="100" value=${typed} onInput=${(event) => setTyped(event.currentTarget.value)} />
      </label>
    </div>
    ${isEmpty && html`<${Empty}>${say(prefix ? "viewers.none" : "viewers.empty", { name: prefix })}<//>`}
    ${pages.records.length > 0 &&
    html`<div class="scroll card" tabindex="0" role="region" aria-label=${say("nav.viewers")}>
      <table class="viewers">
        <thead><tr>${[say("viewers.name"), say("viewers.sub"), amount(say("viewers.bits")), amount(say("viewers.messages")), amount(say("viewers.balance")), say("viewers.since")].map(
          (column) => html`<th scope="col" class=${column.className ?? ""}>${column.label ?? column}</th>`,
        )}</tr></thead>
        <tbody>${pages.records.map((user) => html`<${Row} key=${user.user_id} user=${user} figures=${figures.get(user.user_id)} request=${request} />`)}</tbody>
      </table>
    </div>`}
    <${More} list=${pages} scrolls />`;
}
