// The elements of alerts.

import { ICONS } from "../shared/icons.js";
import { messageOf, textOf } from "../shared/kinds.js";
import { picture } from "../shared/picture.js";
import { amountIn } from "./queue.js";

const SVG = "http://www.w3.org/2000/svg";
// The number of characters after which a name is cut.
const MAX_NAME_LENGTH = 25;
/**
 * The amounts of bits from which a cheer has another colour and more particles, as in Twitch's chat.
 *
 * @type {[number, string | null, number][]}
 */
const TIERS = [
  [10_000, "#ff5a6a", 40],
  [5_000, "#4aa3ff", 30],
  [1_000, "#3fe0c5", 20],
  [100, "#c08bff", 12],
  [0, null, 6],
];
// The path of the page whose policy allows the emotes of Twitch, and their address.
const EMOTES = /\/overlay\/emotes\//;
const EMOTE_URL = "https://static-cdn.jtvnw.net/emoticons/v2";

/** Returns the tier of a cheer. */
const tierOf = (amount) => TIERS.find(([minAmount]) => amount >= minAmount) ?? TIERS[TIERS.length - 1];

function element(name, properties, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}

/** Draws the icon of a kind. */
export function icon(kind) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[kind] ?? ICONS.plain);
  path.setAttribute("fill", "currentColor");
  svg.append(path);
  return svg;
}

/** Cuts a long name. Characters of several code points stay whole. */
export function shortened(name) {
  const letters = [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(name)];
  return letters.length > MAX_NAME_LENGTH ? `${letters.slice(0, MAX_NAME_LENGTH).map(({ segment }) => segment).join("")}…` : name;
}

/** Returns the nodes of a template: its texts, and the value of each placeholder in an element of its own. */
function fill(template, values, say) {
  return template.split(/(\{\w+\})/).filter(Boolean).map((part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (!name) return part;
    // A template of a streamer may name properties that every object has.
    const value = Object.hasOwn(values, name) ? values[name] : null;
    const text = typeof value === "number" ? say.number(value) : String(value ?? "");
    return element("strong", { textContent: text, className: name, dir: "auto" });
  });
}

/** Returns the headline of an event: the template of the settings or of the language, with its values. */
export function headline(event, kind, rule, say, amount) {
  const [key, values] = textOf(event);
  /** @type {Record<string, any>} */
  const placeholders = { amount, months: event.subscribed_length ?? 0, tier: String(event.tier ?? event.details?.tier ?? 1), message: messageOf(event) ?? "", ...values };
  const gifts = kind === "gift" ? { amount } : {};
  const named = { ...placeholders, name: shortened(placeholders.name ?? ""), ...gifts };
  // The number that a sentence is about has its plural. A purchase has a price, too.
  return fill(rule.text || say.template(`overlay.${key}`, { ...values, ...gifts }), named, say);
}

/** Returns the nodes of a message, with Twitch's emotes as images on the page that may load them. */
function messageNodes(event) {
  const text = messageOf(event) ?? "";
  const emotes = event.details?.emotes;
  if (!Array.isArray(emotes) || !EMOTES.test(location.pathname)) return [text];
  const characters = [...text];
  const nodes = [];
  let end = 0;
  for (const { id, begin, end: last } of [...emotes].sort((one, other) => one.begin - other.begin)) {
    if (begin < end || last >= characters.length || !/^[\w-]+$/.test(id)) continue;
    nodes.push(characters.slice(end, begin).join(""));
    const alt = characters.slice(begin, last + 1).join("");
    nodes.push(element("img", { className: "emote", alt, src: `${EMOTE_URL}/${id}/default/dark/3.0` }));
    end = last + 1;
  }
  return [...nodes, characters.slice(end).join("")];
}

/** Lets particles fly from an alert, the more the larger a cheer is. */
function addParticles(article, amount) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const [, , count] = tierOf(amount);
  for (let number = 0; number < count; number += 1) {
    const particle = element("i", { className: "particle" });
    article.append(particle);
    const angle = (number / count) * 2 * Math.PI;
    const distance = 6 + Math.random() * 8;
    const to = `translate(${Math.cos(angle) * distance}em, ${Math.sin(angle) * distance * 0.6}em) rotate(${angle * 3}rad) scale(0.2)`;
    const timing = { duration: 1_400 + Math.random() * 900, delay: 250, easing: "cubic-bezier(0.1, 0.7, 0.3, 1)", fill: "both" };
    particle.animate([{ transform: "none", opacity: 1 }, { transform: to, opacity: 0 }], timing);
  }
}

/**
 * Creates the element of an alert, after its picture has loaded. Texts are never parsed as HTML, because viewers write
 * them. `update` shows the current values of the alert, which may change while it is visible.
 */
export async function createAlert(alert, rule, say) {
  const { kind, event } = alert;
  const article = element("article", { className: `alert ${kind} ${rule.animation}` });
  const line = element("p", { className: "headline", dir: "auto" });
  const text = element("span", {});
  const message = element("p", { className: "words", dir: "auto" }, text);
  const tint = kind === "cheer" ? tierOf(event.amount)[1] : null;
  article.style.setProperty("--tint", tint ?? rule.color);
  const update = () => {
    line.replaceChildren(...headline(alert.event, kind, rule, say, amountIn(alert)));
    // The names of the recipients run by.
    if (kind === "gift") text.textContent = [...alert.recipients.values()].map(shortened).join(", ");
    else text.replaceChildren(...(rule.text.includes("{message}") ? [] : messageNodes(alert.event)));
  };
  update();
  article.dataset.id = alert.ids[0];
  /** @type {SVGElement} */
  let top = icon(kind);
  if (event.document) {
    try {
      top = await picture(event.document, say("overlay.document"));
    } catch {
      // The alert is shown with its icon if the image fails to load.
    }
  }
  article.append(top, line, message);
  if (kind === "cheer") addParticles(article, event.amount);
  return { article, update };
}
