// The gallery of letters, with filters for seal, stamp and time.

import { Field } from "../forms.js";
import { later } from "../later.js";
import { Empty, More, html, useConsole, useEffect, useRef, useState } from "../../shared/parts.js";
import { SHAPES, picture } from "../../shared/picture.js";
import { Seal, SealButtons } from "./seal-buttons.js";
import { addressOf, queryOf } from "./filters.js";
import { isLetter, senderOf, stampName, useLetters } from "./use-letters.js";

const PAGE_SIZE = 18;

// The first rows appear before their senders are loaded.
const Sentence = later(() => import("../activity/events.js").then(({ sentence }) => (/** @type {any} */ { event }) => {
  const { say } = useConsole();
  return sentence(event, say) || say("kind.plain");
}), " ");

export function Gallery() {
  const { say, parameters } = useConsole();
  const query = queryOf(parameters);
  query.set("limit", String(PAGE_SIZE));
  const [seal, stamp] = [query.get("seal"), query.get("stamp_type")];
  const hasFilters = [...query].length > 1;
  const hasStamp = (/** @type {any} */ { stamps }) =>
    stamp === null || stamps.some((/** @type {any} */ { stamp_type: type }) => type === stamp);
  const hasSeal = (/** @type {any} */ letter) => seal === null || String(letter.seal) === seal;
  // A new letter is outside an interval that has an end.
  const matches = (/** @type {any} */ letter) =>
    isLetter(letter) && hasSeal(letter) && hasStamp(letter) && !query.has("created_before");
  const list = useLetters(`/documents?${query}`, matches);
  const isEmpty = list.records.length === 0 && !list.busy && !list.error && !list.next;
  return html`<h1>${say("nav.letters")}</h1>
    ${(hasFilters || !isEmpty) && html`<${Filters} seal=${seal} stamp=${stamp} />`}
    ${isEmpty && html`<${Empty}>${say(hasFilters ? "letters.none" : "letters.empty")}${" "}
      ${hasFilters
        ? html`<a class="button" href="#/letters">${say("activity.reset")}</a>`
        : html`<a class="button" href="#/overview">${say("activity.setup")}</a>`}<//>`}
    ${list.records.length > 0 && html`<ul class="letters" aria-label=${say("nav.letters")}>
      ${list.records.map((letter) => html`<${Card} key=${letter.document_id} letter=${letter} />`)}
    </ul>`}
    <${More} list=${list} scrolls />`;
}

/** @param {{seal: string | null, stamp: string | null}} props */
function Filters({ seal, stamp }) {
  const { say, parameters, setParameters } = useConsole();
  const types = new Set([...Object.keys(SHAPES), ...(stamp ? [stamp] : [])]);
  const named = [...types].map((value) => ({ value, label: stampName(value, say) }));
  const stamps = [{ value: "", label: say("letters.any_stamp") }, ...named];
  const onChange = (/** @type {any} */ { currentTarget: { name, value } }) => setParameters({ [name]: value });
  const choose = (/** @type {any} */ number) =>
    setParameters({ seal: String(number) === seal ? null : String(number) });
  const field = (/** @type {string} */ name, /** @type {string} */ label, /** @type {any} */ more) =>
    html`<${Field} label=${say(label)} name=${name} onChange=${onChange} ...${more}
    value=${parameters.get(name) ?? ""} />`;
  // On a phone, they do not fit above the letters.
  const isOpen = matchMedia("(min-width: 30.01rem)").matches || ["seal", "stamp", "from", "to"].some((name) => parameters.get(name));
  return html`<details class="card letter-filters" open=${isOpen}>
    <summary>${say("letters.filters")}</summary>
    <div class="seal-filter">
      <span aria-hidden="true">${say("letters.seal")}</span>
      <${SealButtons} selected=${seal === null ? null : Number(seal)} onChoose=${choose} />
    </div>
    <div class="fields">
      ${field("stamp", "letters.stamp", { options: stamps })}
      ${field("from", "analytics.from", { type: "date" })}
      ${field("to", "analytics.to", { type: "date" })}
    </div>
  </details>`;
}

/**
 * A letter in the gallery. Its picture and sender are requested when it scrolls into view.
 *
 * @param {{letter: any}} props
 */
function Card({ letter }) {
  const { client, say, parameters } = useConsole();
  const sheet = useRef(null);
  const [isSeen, setSeen] = useState(false);
  // Null for a document without an event.
  const [event, setEvent] = useState(letter.event);
  const label = say("overlay.document");
  useEffect(() => {
    const see = (/** @type {any[]} */ entries) =>
      entries.some((/** @type {any} */ { isIntersecting }) => isIntersecting) && setSeen(true);
    const observer = new IntersectionObserver(see, { rootMargin: "300px" });
    observer.observe(sheet.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    // The list already reports that the service is unreachable. A card without a sender need not repeat it.
    if (isSeen && !event) senderOf(client, letter.document_id).then(setEvent, () => setEvent(null));
  }, [isSeen]);
  useEffect(() => {
    let isStale = false;
    if (isSeen) picture(letter, label).then((svg) => isStale || sheet.current?.replaceChildren(svg)).catch(() => {});
    return () => {
      isStale = true;
    };
  }, [isSeen, letter.document_data, JSON.stringify(letter.stamps)]);
  const id = String(letter.document_id);
  const name = event === undefined ? html`<span class="bone"></span>` : event?.user_name ?? say("letters.document", { id });
  // The gallery is sorted by this time, which its filters also use.
  const time = letter.created_at;
  return html`<li>
    <a class="letter-card" href=${addressOf(letter.document_id, parameters)}>
      <span class="sheet" ref=${sheet}></span>
      <${Seal} seal=${letter.seal} />
      <span class="from"><strong class="name" dir="auto">${name}</strong>
        <time datetime=${time} title=${say.time(time)}>${say.ago(time)}</time></span>
      <span class="quiet line">${event && html`<${Sentence} event=${event} />`}</span>
    </a>
  </li>`;
}
