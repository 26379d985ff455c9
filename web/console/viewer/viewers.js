// The list of viewers, sorted by its columns.

import { Field, rowLink } from "../forms.js";
import { later } from "../later.js";
import { Empty, More, Problem, html, useConsole, useEffect, useRef, useState } from "../../shared/parts.js";
import { textsOf } from "../address.js";
import { isAnonymized } from "./privacy-words.js";
import { withStyles } from "../styles.js";
import { SORTS, isBoard, sortOf, useViewers } from "./boards.js";
import { useRowFigures } from "./row-figures.js";

// The time after the last typed letter until the search starts, in milliseconds.
const TYPING_PAUSE = 250;
// Larger numbers are abbreviated to fit on a phone.
const COMPACT_FROM = 1_000_000_000;
const COLUMNS = ["name", "bits", "messages", "balance", "months", "tier", "seen", "since"];
const AMOUNTS = ["months", "bits", "messages", "balance"];

/** @param {string} column */
const classOf = (column) => (AMOUNTS.includes(column) ? "amount" : "");

const Viewer = later((say) => {
  const module = withStyles(import("./viewer.js"), "store/store.css", "viewer/viewer.css");
  return say.withTexts(module, ...textsOf("viewers", "id")).then((/** @type {any} */ { Viewer }) => Viewer);
});

/** @param {{id: string}} props */
export const View = ({ id }) => (id ? html`<${Viewer} id=${id} />` : html`<${Viewers} />`);

/** @param {{user: any, figures: any, request: any, hasFailed: boolean}} props */
function Row({ user, figures, request, hasFailed }) {
  const { say } = useConsole();
  const row = useRef(null);
  useEffect(() => {
    const see = (/** @type {any[]} */ entries) =>
      entries.some((/** @type {any} */ { isIntersecting }) => isIntersecting) && request(user);
    const observer = new IntersectionObserver(see, { rootMargin: "1000px" });
    observer.observe(row.current);
    return () => observer.disconnect();
  }, [user.user_id]);
  const { sub, seen, pet, PetDrawing } = figures ?? {};
  const bone = hasFailed ? "–" : html`<span class="bone"></span>`;
  const missing = figures ? "–" : bone;
  // A leaderboard has its own column's value.
  const number = (/** @type {string} */ column) => (Object.hasOwn(user, column) ? user[column] : figures?.[column]);
  const initial = html`<span class="initial" aria-hidden="true">${figures && [...user.name][0]}</span>`;
  const avatar = pet ? html`<${PetDrawing} pet=${pet} />` : initial;
  /** @type {Record<string, any>} */
  const cells = {
    name: html`<span class="avatar">${avatar}</span>
      <a class="name" dir="auto" title=${user.name} href=${`#/viewers/${user.user_id}`}>${user.name}</a>
      ${isAnonymized(user) && html`<span class="mark-anonymized">${say("privacy.is_anonymized")}</span>`}`,
    tier: sub ? say("viewers.tier_of", { tier: String(sub.tier) }) : missing,
    months: sub ? say.number(sub.subscribed_length) : missing,
    seen: seen ? html`<time datetime=${seen} title=${say.time(seen)}>${say.ago(seen)}</time>` : missing,
    since: say.date(user.created_at),
  };
  const cell = (/** @type {string} */ column) => {
    const value = cells[column] ? undefined : number(column);
    return html`<td class=${`${column} ${classOf(column)}`} data-label=${say(`viewers.${column}`)}
      title=${value >= COMPACT_FROM ? say.number(value) : undefined}>
      ${cells[column] ?? (value === undefined ? bone : value === null ? "–" : say.compact(value, COMPACT_FROM))}
    </td>`;
  };
  return html`<tr ref=${row} ...${rowLink(`#/viewers/${user.user_id}`)}>${COLUMNS.map(cell)}</tr>`;
}

/** A column's heading: a button if the column can be sorted. @param {{column: string, sort: any, onSort: any}} props */
function Heading({ column, sort, onSort }) {
  const { say } = useConsole();
  const label = say(`viewers.${column}`);
  const first = SORTS[column];
  if (!first) return html`<th scope="col" class=${classOf(column)}>${label}</th>`;
  const isSorted = sort.column === column;
  const direction = sort.isReversed ? "descending" : first;
  return html`<th scope="col" class=${`sorts ${classOf(column)}`} aria-sort=${isSorted ? direction : undefined}>
    <button onClick=${() => onSort(column)}>
      <span>${label}</span><i aria-hidden="true">${isSorted ? (direction === "ascending" ? "▲" : "▼") : "↕"}</i>
    </button>
  </th>`;
}

function Viewers() {
  const { say, parameters, setParameters } = useConsole();
  const prefix = parameters.get("name") ?? "";
  const [typed, setTyped] = useState(prefix);
  useEffect(() => {
    if (typed.trim() === prefix) return undefined;
    const timer = setTimeout(() => setParameters({ name: typed.trim() }), TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  const list = useViewers(sortOf(parameters, prefix), prefix);
  const { sort, total } = list;
  const { figures, request, error, retry } = useRowFigures();
  const onSort = (/** @type {string} */ column) => {
    const isTurned = column === "name" && sort.column === "name" && !sort.isReversed;
    setParameters({ sort: `${isTurned ? "-" : ""}${column}` });
  };
  // Phones do not show headings.
  const options = Object.keys(SORTS).map((value) => ({ value, label: say(`viewers.${value}`) }));
  const heading = (/** @type {string} */ column) => html`<${Heading} column=${column} sort=${sort} onSort=${onSort} />`;
  // While another order is loaded, the headings stay, with the focus.
  const hadRows = useRef(false);
  const hasTable = list.records.length > 0 || (hadRows.current && list.busy);
  hadRows.current = hasTable;
  const isEmpty = list.records.length === 0 && !list.busy && !list.error;
  const empty = isBoard(sort.column) ? "viewers.no_board" : "viewers.empty";
  const count = !list.isComplete ? "first" : isBoard(sort.column) && !prefix ? sort.column : "all";
  return html`<div class="bar spread viewers-filters">
      <div>
        <h1>${say("nav.viewers")}</h1>
        <p class="quiet" role="status">${total > 0 && say(`viewers.count.${count}`, { many: total })}</p>
      </div>
      <label class="field"><span>${say("viewers.prefix")}</span>
        <input type="search" maxlength="100" value=${typed} onInput=${(event) => setTyped(event.currentTarget.value)} />
      </label>
      <div class="sort-choice">
        <${Field} label=${say("viewers.sort")} value=${sort.column} options=${options}
          onChange=${(event) => setParameters({ sort: event.currentTarget.value })} />
      </div>
    </div>
    ${isEmpty && html`<${Empty}>${say(prefix ? "viewers.none" : empty, { name: prefix })}${" "}
      ${prefix
        ? html`<button onClick=${() => setTyped("")}>${say("activity.reset")}</button>`
        : html`<a class="button" href="#/overview">${say("activity.setup")}</a>`}<//>`}
    <${Problem} error=${error} onRetry=${retry} />
    ${hasTable &&
    html`<div class="scroll card viewers-card" tabindex="0" role="region" aria-label=${say("nav.viewers")}>
      <table class="viewers">
        <thead><tr>${COLUMNS.map(heading)}</tr></thead>
        <tbody>${list.records.map((/** @type {any} */ user) => html`<${Row} key=${user.user_id} user=${user}
          figures=${figures.get(user.user_id)} request=${request} hasFailed=${error !== null} />`)}</tbody>
      </table>
    </div>`}
    <${More} list=${list} scrolls />
    <div>
      ${isBoard(sort.column) && !prefix && total > 0 && !list.next && html`<p class="quiet">${say("viewers.rest")}${" "}
        <button class="quiet" onClick=${() => onSort("name")}>${say("viewers.by_name")}</button></p>`}
      ${list.isFull && !list.next && html`<p class="quiet">${say("viewers.full")}</p>`}
    </div>`;
}
