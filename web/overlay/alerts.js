// The elements of alerts.

import { ICONS } from "../shared/icons.js";
import { textOf } from "../shared/kinds.js";
import { drawing, element } from "./elements.js";
import { gem } from "./gems.js";
import { letter } from "./letter.js";
import { messageNodes, sentenceOf, wordsOf } from "./message.js";
import { amountIn } from "./queue.js";
import { tintOf } from "./colors.js";
import { sizeOf } from "./size.js";

// The lengths after which a name, or a message in the headline, is cut, in characters.
const MAX_NAME_LENGTH = 25;
const MAX_MESSAGE_LENGTH = 100;
// The time after which an alert is shown without its picture, in milliseconds.
const PICTURE_TIMEOUT = 4_000;

/** @typedef {import("./queue.js").Alert} Alert */
/** @typedef {import("./rules.js").Variation & {kind: string, largestSize: string}} Rule */
/** @typedef {import("../shared/texts.js").Say} Say */

/** Draws a kind's icon. @param {string} kind */
export function icon(kind) {
  const path = drawing("path", { d: ICONS[kind] ?? ICONS.plain, fill: "currentColor" });
  return drawing("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, path);
}

/** Cuts a long name or text. Never splits characters of several code points, except in Firefox before 125. @param {string} text */
export function shortened(text, length = MAX_NAME_LENGTH) {
  const letters = "Segmenter" in Intl
    ? Array.from(new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text), ({ segment }) => segment)
    : [...text];
  return letters.length <= length ? text : `${letters.slice(0, length).join("")}…`;
}

/** Returns true for a test without a name, which has the service's placeholder. @param {any} event */
const isNameless = ({ user_name: name, user }) => name === "Somebody" && user?.platform_id === "somebody";

/** Keeps numbers and their units on one line. @param {string} template */
const bound = (template) =>
  template.replace(/(\{(?:amount|months|price|many)\}) /g, "$1\u00a0").replace(/ (\{tier\})/g, "\u00a0$1");

/**
 * Returns a template's nodes: its texts, and the value of each placeholder in a separate element.
 *
 * @param {string} template
 * @param {Record<string, any>} values
 * @param {Say} say
 */
function fill(template, values, say) {
  return bound(template).split(/(\{\w+\})/).filter(Boolean).map((/** @type {string} */ part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (!name) return part;
    // A streamer's template may name properties that every object has.
    const value = Object.hasOwn(values, name) ? values[name] : null;
    const text = typeof value === "number" ? say.number(value) : String(value ?? "");
    return element("strong", { textContent: text, className: name, dir: "auto" });
  });
}

/** @param {string} name @param {{document?: object | null}} event @param {string} kind */
const templateOf = (name, event, kind) => (name !== "plain" ? name : event.document ? "letter" : kind);

/**
 * Returns an event's headline: the template from the settings or the language, filled with its values.
 *
 * @param {import("../shared/kinds.js").Data} event
 * @param {string} kind
 * @param {{text: string}} rule
 * @param {Say} say
 * @param {number} amount
 */
export function headline(event, kind, rule, say, amount) {
  const [key, values] = textOf(event);
  const name = shortened(isNameless(event) ? say("overlay.somebody") : (values.name ?? ""));
  /** @type {Record<string, any>} */
  const placeholders = {
    amount,
    months: event.subscribed_length ?? "",
    tier: String(event.tier ?? event.details?.tier ?? 1),
    message: shortened(kind === "notice" ? sentenceOf(event, name, say) : wordsOf(event, say), MAX_MESSAGE_LENGTH),
    ...values,
    name,
  };
  const gifts = kind === "gift" ? { amount } : {};
  // The number that a sentence is about selects the plural form. A purchase also has a price.
  const text = () => say.template(`overlay.${templateOf(key, event, kind)}`, { ...values, ...gifts });
  return fill(rule.text || text(), { ...placeholders, ...gifts }, say);
}

/** Loads a rule's custom picture. @param {{url: string}} picture */
async function ownPicture({ url }) {
  const image = element("img", { className: "own", alt: "", src: url });
  await image.decode();
  return image;
}

/**
 * Returns an alert's picture: its letter's, the streamer's custom one, a gem for bits, or an icon. The rule for letters
 * may have a custom picture that replaces theirs.
 *
 * @param {Alert} alert
 * @param {Rule} rule
 * @param {Say} say
 * @returns {Promise<Element>}
 */
async function emblem(alert, rule, say) {
  const { kind, event } = alert;
  const isOwn = rule.picture && (rule.kind === "document" || !event.document);
  const own = isOwn && (() => ownPicture(/** @type {{url: string}} */ (rule.picture)));
  const load = own || (event.document && (() => letter(event.document, say("overlay.document"))));
  if (load) {
    try {
      const timeout = new Promise((_, reject) => setTimeout(reject, PICTURE_TIMEOUT));
      return await Promise.race([load(), timeout]);
    } catch {
      // If the image fails to load, the alert is shown with its icon.
    }
  }
  const drawn = kind === "cheer" ? gem(/** @type {any} */ (event).amount, tintOf(alert, rule)) : icon(kind);
  return element("span", { className: "emblem" }, drawn);
}

/**
 * Creates an alert's element, after its picture has loaded. `update` shows the alert's current values, which may change
 * while it is visible.
 *
 * @param {Alert} alert
 * @param {Rule} rule
 * @param {Say} say
 */
export async function createAlert(alert, rule, say) {
  const { kind } = alert;
  const article = element("article", { className: `alert ${kind} ${rule.animation}` });
  const line = element("p", { className: "headline", dir: "auto" });
  const text = element("span", {});
  const message = element("p", { className: "words", dir: "auto" }, text);
  const update = () => {
    Object.assign(article.dataset, { theme: rule.theme, size: sizeOf(alert, rule), id: alert.ids[0] });
    article.style.setProperty("--tint", tintOf(alert, rule));
    line.replaceChildren(...headline(alert.event, kind, rule, say, amountIn(alert)));
    // The recipients' names fly out of the alert: see effects.js.
    const isInHeadline = rule.text.includes("{message}");
    if (kind !== "gift") text.replaceChildren(...(isInHeadline ? [] : messageNodes(alert.event, say)));
    message.hidden = kind !== "gift" && text.textContent === "";
  };
  update();
  const top = await emblem(alert, rule, say);
  article.classList.toggle("letter", top.classList.contains("sheet"));
  article.classList.toggle("pictured", top.classList.contains("own"));
  article.append(top, element("div", { className: "text" }, line, message));
  return { article, update };
}
