// An alert's message: its text, with Twitch's emotes as images on the page that may load them, and a gem for each
// cheermote.

import { cheerParts, kindOf, messageOf } from "../shared/kinds.js";
import { isOfChannel, noticePartsOf } from "../shared/notices.js";
import { element } from "./elements.js";
import { gem } from "./gems.js";
import { bitColor } from "./colors.js";

// The path of the page with a policy that allows Twitch's emotes, and their address.
const EMOTES = /\/overlay\/emotes\//;
const EMOTE_URL = "https://static-cdn.jtvnw.net/emoticons/v2";

/**
 * A part of a message to draw, from one character to another.
 *
 * @typedef {{begin: number, end: number, draw: (text: string) => Node}} Drawn
 */

/** @typedef {import("../shared/kinds.js").Data} Data */
/** @typedef {import("../shared/texts.js").Say} Say */

/** @param {Data} event @returns {Drawn[]} */
function emotesOf(event) {
  const emotes = event.details?.emotes;
  if (!Array.isArray(emotes) || !EMOTES.test(location.pathname)) return [];
  const draw = (/** @type {string} */ id) => (/** @type {string} */ alt) =>
    element("img", { className: "emote", alt, src: `${EMOTE_URL}/${id}/default/dark/3.0` });
  const safe = emotes.filter(({ id }) => /^[\w-]+$/.test(id));
  return safe.map(({ id, begin, end }) => ({ begin, end: end + 1, draw: draw(id) }));
}

/** @param {Data} event @param {Say} say @returns {Drawn[]} */
function gemsOf(event, say) {
  const words = event.message.split(/(\s+)/);
  let end = 0;
  return cheerParts(event).flatMap((part, index) => {
    const begin = end;
    end += [...words[index]].length;
    if (typeof part === "string") return [];
    return [{ begin, end, draw: () => bits(part, say) }];
  });
}

/** Draws a cheermote: its gem and its number. @param {number} amount @param {Say} say */
function bits(amount, say) {
  const node = element("span", { className: "bits" }, gem(amount), say.number(amount));
  node.style.setProperty("--bits", bitColor(amount));
  return node;
}

/**
 * Returns the text that a viewer wrote.
 *
 * @param {Data} event
 * @param {Say} say
 * @returns {string}
 */
export const wordsOf = (event, say) =>
  (kindOf(event) === "notice" ? noticePartsOf(event, say).message : messageOf(event)) ?? "";

/** Returns a notice as a sentence. @param {Data} event @param {string} name The viewer's name. @param {Say} say */
export function sentenceOf(event, name, say) {
  const { text } = noticePartsOf(event, say);
  return isOfChannel(event) ? text : `${name} ${text}`;
}

/**
 * Returns the nodes of an event's message. Viewers write these texts, so they are never parsed as HTML.
 *
 * @param {Data} event
 * @param {Say} say
 */
export function messageNodes(event, say) {
  const isCheer = kindOf(event) === "cheer" && typeof event.message === "string";
  const text = isCheer ? event.message : wordsOf(event, say);
  const drawn = [...emotesOf(event), ...(isCheer ? gemsOf(event, say) : [])];
  drawn.sort((one, other) => one.begin - other.begin);
  const characters = [...text];
  const nodes = [];
  let last = 0;
  for (const { begin, end, draw } of drawn) {
    if (begin < last || end > characters.length) continue;
    nodes.push(characters.slice(last, begin).join(""), draw(characters.slice(begin, end).join("")));
    last = end;
  }
  return [...nodes, characters.slice(last).join("")];
}
