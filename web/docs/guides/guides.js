// A guide from the folder docs/, named by the query: `?guide=api`. Its Markdown is converted to HTML here, so it stays
// readable everywhere else.

import { marked } from "../vendor/marked.js";
import { local } from "../../shared/page.js";
import { IS_RELEASE } from "../../shared/program.js";
import { language } from "../../shared/texts.js";
import { GERMAN, GUIDES } from "./list.js";

// The address of a service on one machine in the guides.
const LOCAL = "http://127.0.0.1:3000";

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const nav = /** @type {HTMLElement} */ (document.querySelector("nav"));

/** Returns the anchor that code hosts give a heading. @param {string} heading */
const anchor = (heading) => heading.toLowerCase().replace(/[^\p{L}\p{N}_\- ]/gu, "").replaceAll(" ", "-");

/** Points links to guides here. Links to the repository's files become text. @param {DocumentFragment} text */
function adapt(text) {
  for (const heading of text.querySelectorAll("h1, h2, h3, h4")) heading.id = anchor(heading.textContent ?? "");
  for (const block of /** @type {NodeListOf<HTMLElement>} */ (text.querySelectorAll("pre, table"))) block.tabIndex = 0;
  for (const link of text.querySelectorAll("a")) {
    const target = link.getAttribute("href") ?? "";
    const [, name, german, fragment] = target.match(/^([a-z]+)(-de)?\.md(#.*)?$/) ?? [];
    const inEnglish = isGerman && !german && GERMAN.includes(name) ? "&lang=en" : "";
    const known = GUIDES.find(([guide]) => guide === name);
    if (known) link.href = `?guide=${name}${inEnglish}${fragment ?? ""}`;
    // Elsewhere, a guide is known by its file.
    if (known && link.textContent?.endsWith(".md")) link.textContent = isGerman ? known[2] : known[1];
    else if (known) continue;
    else if (!/^(https?:|#)/.test(target)) link.replaceWith(...link.childNodes);
  }
  for (const picture of text.querySelectorAll("img")) picture.remove();
}

/** Writes commands for the program that serves the guide: an installed one, or that of a clone. @param {string} text */
const withProgram = (text) =>
  (IS_RELEASE ? text.replace(/cargo run(?: --features \w+)?( -- |(?=`|$))/gm, (_, end) => `event-capture${end && " "}`) : text);

/** Writes this service's own address, except as a default in a table. @param {string} text */
const withAddress = (text) =>
  location.protocol === "http:"
    ? text.replace(/^[^|].*/gm, (line) => line.replaceAll(LOCAL, new URL("../..", location.href).href.slice(0, -1)))
    : text;

const parameters = new URLSearchParams(location.search);
const wanted = parameters.get("guide") ?? GUIDES[0][0];
const [name, title, german] = GUIDES.find(([guide]) => guide === wanted) ?? ["", "This guide doesn't exist", "Diese Anleitung gibt es nicht"];
const readsGerman = language(parameters.get("lang") ?? local.get("lang")) === "de";
const isGerman = readsGerman && (name === "" || GERMAN.includes(name));
document.title = isGerman ? german : title;
document.documentElement.lang = isGerman ? "de" : "en";
nav.lang = readsGerman ? "de" : "en";
nav.append(Object.assign(document.createElement("a"), { href: "../../console/", textContent: readsGerman ? "← Zur Konsole" : "← To the console" }));
/** Adds the heading of a group of guides. @param {string} english @param {string} german */
const addHeading = (english, german) =>
  nav.append(Object.assign(document.createElement("strong"), { textContent: readsGerman ? german : english }));
for (const [guide, label, germanLabel] of GUIDES) {
  if (guide === GUIDES[0][0]) addHeading("For streamers", "Für Streamer");
  if (guide === GUIDES[GERMAN.length][0]) addHeading("For programs and operators", "Für Programme und Betrieb");
  const textContent = !readsGerman ? label : GERMAN.includes(guide) ? germanLabel : `${germanLabel} (englisch)`;
  const link = Object.assign(document.createElement("a"), { href: `?guide=${guide}`, textContent });
  if (guide === name) link.setAttribute("aria-current", "page");
  nav.append(link);
}
nav.append(Object.assign(document.createElement("a"), { href: "../", textContent: readsGerman ? "Referenz (englisch)" : "Reference" }));
// On a phone, the list is a strip.
nav.scrollLeft = (/** @type {HTMLElement | null} */ (nav.querySelector("[aria-current]"))?.offsetLeft ?? 0) - 40;

/** Returns the guide as HTML. */
async function load() {
  if (!name) {
    const [first, label, german] = GUIDES[0];
    const why = isGerman ? "Der Link ist vielleicht alt oder hat einen Tippfehler." : "The link may be old or mistyped.";
    return `<h1>${document.title}</h1><p>${why} <a href="${first}${isGerman ? "-de" : ""}.md">${isGerman ? german : label}</a></p>`;
  }
  const file = `${name}${isGerman ? "-de" : ""}.md`;
  const response = await fetch(file).catch(() => null);
  if (response?.ok) return marked.parse(withAddress(withProgram(await response.text())));
  const [failed, retry] = isGerman
    ? ["Die Anleitung konnte nicht geladen werden.", "Erneut versuchen"]
    : ["The guide could not be loaded.", "Retry"];
  return `<p role=alert>${failed} <a href="${file}">${retry}</a></p>`;
}

// Pictures within a template are not requested.
const guide = document.createElement("template");
guide.innerHTML = await load();
adapt(guide.content);
main.replaceChildren(guide.content);
if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
