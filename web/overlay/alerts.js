// The templates of alerts, one for each event type.

import { picture } from "./shared/picture.js";

const SVG = "http://www.w3.org/2000/svg";

const ICONS = {
  plain: "M4 4h16a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H9l-5 5v-5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2Z",
  subscriber: "m12 2 3 6.6 7 .8-5.2 4.8 1.4 7L12 17.7 5.8 21.2l1.4-7L2 9.4l7-.8Z",
  cheer: "m12 2 9 12-9 8-9-8Z",
  raid: "M8 3a4 4 0 1 1 0 8 4 4 0 0 1 0-8Zm8.5 1.5a3 3 0 1 1 0 6.5 3 3 0 0 1 0-6.5ZM1 20c0-4 3-7 7-7s7 3 7 7Zm16 0c0-2.5-.7-4.6-2-6.2 4-1.5 8 1.5 8 6.2Z",
  stamp: "M9 2h6v3l-1 5h5a2 2 0 0 1 2 2v5H3v-5a2 2 0 0 1 2-2h5L9 5Zm-6 17h18v3H3Z",
};

/** The headline of each event type: the key of its text, and the values for the text's placeholders. */
const HEADLINES = {
  plain: (event) => ["overlay.plain", { name: event.user_name }],
  subscriber: (event) =>
    event.subscribed_length > 1
      ? ["overlay.resubscribed", { name: event.user_name, tier: String(event.tier), months: event.subscribed_length }]
      : ["overlay.subscribed", { name: event.user_name, tier: String(event.tier) }],
  cheer: (event) => ["overlay.cheer", { name: event.user_name, amount: event.amount }],
  raid: (event) => ["overlay.raid", { name: event.user_name, viewers: event.viewer_count }],
};

function element(name, properties, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}

function icon(type) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[type] ?? ICONS.plain);
  path.setAttribute("fill", "currentColor");
  svg.append(path);
  return svg;
}

/** Returns the alert type of a feed entry: its event's type, or `stamp`. Null if the entry has no event. */
export function typeOf(entry) {
  if (entry.type === "stamp.created") return "stamp";
  return entry.data?.event_type ?? null;
}

/** Builds the element of an alert, after its picture has loaded. Texts are never parsed as HTML. */
export async function alert(entry, say) {
  const type = typeOf(entry);
  const event = entry.data;
  const [key, values] = type === "stamp" ? ["overlay.stamp", { type: event.stamp_type }] : (HEADLINES[type] ?? HEADLINES.plain)(event);
  const article = element("article", { className: `alert ${type}` }, icon(type));
  article.append(element("p", { className: "headline", textContent: say(key, values) }));
  article.append(element("p", { className: "words", textContent: event.message ?? "" }));
  article.dataset.id = entry.id;
  if (event.document) {
    try {
      article.append(await picture(event.document, say("overlay.document")));
    } catch {
      // The alert is shown without a picture whose image fails to load.
    }
  }
  return article;
}
