// An overlay record's state in the editor. Changes are saved immediately, so the overlay on the stream has them within
// a second.

import { settingsFrom } from "../../overlay/settings.js";
import { useConsole, useEffect, useRef, useState } from "../../shared/parts.js";

// The time after the last change until the record is saved, in milliseconds.
const SAVE_PAUSE = 300;
// The same for a text that is being typed, which the stream should not show half.
const TYPING_PAUSE = 1_500;

/**
 * Returns an object with a value set at a path of names. Undefined removes the value.
 *
 * @param {any} object
 * @param {string[]} path
 * @param {any} value
 * @returns {any}
 */
function withValue(object, [name, ...rest], value) {
  if (Array.isArray(object)) {
    return object.map((one, index) => (String(index) === name ? withValue(one, rest, value) : one));
  }
  const { [name]: before, ...others } = object ?? {};
  const next = rest.length > 0 ? withValue(before && typeof before === "object" ? before : {}, rest, value) : value;
  return next === undefined ? others : { ...others, [name]: next };
}

/**
 * The settings that could not be saved, by their record's path. They are sent when the editor
 * shows it again, or when the connection is back.
 *
 * @type {Map<string, any>}
 */
const failed = new Map();

/** @typedef {ReturnType<typeof useRecord>} OverlayRecord */
/** @typedef {"paused" | "muted"} Flag */

/**
 * A record's settings and flags. `change(path, value)` and `toggle(flag)` save them, and `type(path, text)` after
 * a longer pause.
 *
 * @param {{overlay_id: number, settings: Record<string, any> | null, paused: boolean, muted: boolean}} overlay
 */
export function useRecord(overlay) {
  const { client, subscribe, connected } = useConsole();
  const path = `/overlays/${overlay.overlay_id}`;
  const [values, setValues] = useState(failed.get(path) ?? overlay.settings ?? {});
  const [flags, setFlags] = useState({ paused: overlay.paused, muted: overlay.muted });
  const [state, setState] = useState("");
  const [error, setError] = useState(null);
  // Several changes may happen before the next rendering, so they cannot start from `values`.
  const latest = useRef(values);
  const unsaved = useRef(/** @type {Record<string, any> | null} */ (null));
  const timer = useRef(null);
  // The settings that this page has sent. The feed reports them later, when the user may have changed them again.
  const sent = useRef(/** @type {Set<string>} */ (new Set()));
  const saves = useRef(0);
  /** The last save. */
  const saving = useRef(Promise.resolve(true));
  const send = async (/** @type {{settings?: object, paused?: boolean, muted?: boolean}} */ changes) => {
    saves.current += 1;
    const number = saves.current;
    setState("alerts.saving");
    if (changes.settings) sent.current.add(JSON.stringify(changes.settings));
    try {
      await client.patch(path, changes);
      if (changes.settings) failed.delete(path);
      setError(null);
      // A later change may still be on its way.
      if (number === saves.current && !unsaved.current) setState("alerts.saved");
      return true;
    } catch (error) {
      if (changes.settings) failed.set(path, changes.settings);
      setState("");
      setError(error);
      return false;
    }
  };
  const save = (/** @type {{settings?: object, paused?: boolean, muted?: boolean}} */ changes) => {
    saving.current = send(changes);
    return saving.current;
  };
  /** Saves the last input immediately. Resolves to false if that fails. */
  const flush = () => {
    clearTimeout(timer.current);
    unsaved.current = null;
    return save({ settings: latest.current });
  };
  /** Resolves when all input is saved, or to false if that fails. A failed save is tried again. */
  const settle = () => (unsaved.current ? flush() : saving.current.then((isSaved) => isSaved || flush()));
  const change = (/** @type {string[]} */ names, /** @type {any} */ value, pause = SAVE_PAUSE) => {
    const next = withValue(latest.current, names, value);
    latest.current = next;
    setValues(next);
    unsaved.current = next;
    setState("alerts.saving");
    clearTimeout(timer.current);
    timer.current = setTimeout(flush, pause);
  };
  /** Removes the message about the last save, which does not apply to what the user is typing. */
  const clearState = () => setState("");
  const type = (/** @type {string[]} */ names, /** @type {string} */ text) => change(names, text || undefined, TYPING_PAUSE);
  useEffect(() => {
    if (connected && failed.has(path)) flush();
  }, [connected]);
  // The last input is saved when the user leaves the view or the page.
  useEffect(() => {
    const leave = () => void (unsaved.current && flush());
    addEventListener("pagehide", leave);
    return () => {
      removeEventListener("pagehide", leave);
      leave();
    };
  }, []);
  // Another page may also change the record.
  useEffect(() => subscribe((/** @type {any} */ { type, subject, data }) => {
    if (type !== "overlay.updated" || `/${subject}` !== path || !data) return;
    setFlags({ paused: data.paused, muted: data.muted });
    if (unsaved.current || sent.current.has(JSON.stringify(data.settings))) return;
    latest.current = data.settings ?? {};
    setValues(latest.current);
  }), []);
  const toggle = (/** @type {Flag} */ name) => {
    setFlags({ ...flags, [name]: !flags[name] });
    save({ [name]: !flags[name] });
  };
  return { path, values, settings: settingsFrom(values), flags, state, error, setError, change, type, clearState, flush, settle, toggle };
}
