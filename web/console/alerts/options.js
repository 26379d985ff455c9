// The options for the editor's selects.

import { SOUNDS } from "../../overlay/rules.js";

/** @typedef {(key: string, values?: object) => string} Say */

/** @param {Say} say @param {string} prefix @param {string[]} names */
export const optionsOf = (say, prefix, names) => names.map((value) => ({ value, label: say(`${prefix}.${value}`) }));

/**
 * Returns options that start with one for the value of the alert or of the overlay.
 *
 * @param {Say} say
 * @param {string} prefix
 * @param {string[]} names
 * @param {string} label
 */
export const inheritedOptions = (say, prefix, names, label) =>
  [{ value: "", label: say(label) }, ...optionsOf(say, prefix, names)];

/** @typedef {import("../../overlay/settings.js").Settings} Settings */

/** Returns the names of the sounds, including a custom one if it exists. @param {Settings} settings */
export const soundsOf = (settings) => SOUNDS.filter((name) => name !== "custom" || settings.customSound);
/** @param {Say} say @param {Settings} settings */
export const soundOptions = (say, settings) => optionsOf(say, "sound", soundsOf(settings));
