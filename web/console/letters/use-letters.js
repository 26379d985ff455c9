// Hooks that load letters and apply the feed's entries about them. A letter is a document, and its event has the
// sender.

import { useLoaded, usePages } from "../../shared/loading.js";
import { useConsole, useEffect, useRef, useState } from "../../shared/parts.js";

/** The `metadata` of an alert's picture, which is not a letter. */
const PICTURE_OF_ALERT = "alert";
// Another page may delete the letter, or change its seal or picture, which are not in the feed. In milliseconds.
const REFRESH = 10_000;

/** Returns true if a document is a letter. @param {{metadata: any}} record */
export const isLetter = ({ metadata }) => metadata !== PICTURE_OF_ALERT;

/**
 * Returns the name of a stamp type. A text is its own name.
 *
 * @param {string} type
 * @param {any} say
 */
export const stampName = (type, say) => (say.has(`stamp.${type}`) ? say(`stamp.${type}`) : type);

/**
 * Applies a stamp's entry to a letter. Returns the same letter if the entry is about a different one.
 *
 * @param {any} letter
 * @param {{type: string, subject: any, data: any}} record
 */
function withStamp(letter, { type, subject, data }) {
  const id = Number(subject.split("/")[1]);
  const known = letter.stamps.some((/** @type {any} */ { stamp_id: other }) => other === id);
  if (type === "stamp.deleted") {
    const isOther = (/** @type {any} */ { stamp_id: other }) => other !== id;
    return known ? { ...letter, stamps: letter.stamps.filter(isOther) } : letter;
  }
  if (!data || data.document_id !== letter.document_id) return letter;
  const replaced = letter.stamps.map((/** @type {any} */ other) => (other.stamp_id === id ? data : other));
  return { ...letter, stamps: known ? replaced : [...letter.stamps, data] };
}

/**
 * Loads a letter's event, or null for a document without one.
 *
 * @param {any} client
 * @param {string} id
 */
export const senderOf = async (client, id) =>
  (await client.page("/events", { query: { document_id: id, limit: 1 } })).records[0] ?? null;

/**
 * Loads letters page by page, newest first, and follows the feed.
 *
 * @param {string} path
 * @param {(letter: any) => boolean} matches Returns true if a new letter belongs to the list.
 */
export function useLetters(path, matches) {
  const { subscribe } = useConsole();
  const pages = usePages(path);
  const [added, setAdded] = useState(/** @type {any[]} */ ([]));
  const [changed, setChanged] = useState(/** @type {any[]} */ ([]));
  useEffect(() => {
    setAdded([]);
    setChanged([]);
    return subscribe((/** @type {any} */ entry) => {
      if (entry.type.startsWith("stamp.")) setChanged((before) => [...before, entry]);
      const letter = entry.type === "event.created" && entry.data?.document;
      // The list of events may not include its event yet.
      if (letter && matches(letter)) setAdded((before) => [{ ...letter, event: entry.data }, ...before]);
    });
  }, [path]);
  const known = new Set(pages.records.map(({ document_id: id }) => id));
  const all = [...added.filter(({ document_id: id }) => !known.has(id)), ...pages.records];
  const records = all.filter(isLetter).map((letter) => changed.reduce(withStamp, letter));
  return { ...pages, records };
}

/** Loads a letter with its event, and follows the feed. `apply` shows a change immediately. @param {string} id */
export function useLetter(id) {
  const { client, subscribe } = useConsole();
  const load = async () => {
    const startedAt = performance.now();
    const requests = [client.get(`/documents/${id}`), senderOf(client, id)];
    return { startedAt, found: await Promise.all(requests) };
  };
  const { value, error, reload } = useLoaded(load, id, REFRESH);
  const [letter, setLetter] = useState(/** @type {any} */ (undefined));
  // The stamps that are being moved. They are not where the feed says.
  const moving = useRef(/** @type {Set<number>} */ (new Set()));
  const changedAt = useRef(0);
  const apply = (/** @type {any} */ next) => {
    changedAt.current = performance.now();
    setLetter(next);
  };
  useEffect(() => {
    // A response from before a change must not undo it.
    if (moving.current.size === 0 && !(value?.startedAt < changedAt.current)) setLetter(value?.found[0]);
  }, [value]);
  useEffect(() => subscribe((/** @type {any} */ entry) => {
    const subject = Number(entry.subject.split("/")[1]);
    if (entry.type.startsWith("stamp.") && !moving.current.has(subject)) {
      setLetter((/** @type {any} */ before) => before && withStamp(before, entry));
    }
    const document = entry.type === "event.updated" ? entry.data?.document : null;
    if (document?.document_id === Number(id)) setLetter(document);
  }), [id]);
  return { letter, event: value?.found[1] ?? null, error, reload, apply, moving: moving.current };
}
