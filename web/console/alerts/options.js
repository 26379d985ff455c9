// The options of the selects in the editor.

import { SOUNDS } from "../../overlay/rules.js";

/** @typedef {(key: string, values?: object) => string} Say */

/** @param {Say} say @param {string} prefix @param {string[]} names */
export const optionsOf = (say, prefix, names) => names.map((value) => ({ value, label: say(`${prefix}.${value}`) }));

/**
 * Options with a first one for the value of the alert or of the overlay.
 *
 * @param {Say} say
 * @param {string} prefix
 * @param {string[]} names
 * @param {string} label
 */
export const inheritedOptions = (say, prefix, names, label) =>
  [{ value: "", label: say(label) }, ...optionsOf(say, prefix, names)];

/** @typedef {import("../../overlay/settings.js").Settings} Settings */

/** The names of the sounds. The own one is among them if there is one. @param {Settings} settings */
export const soundsOf = (settings) => SOUNDS.filter((name) => name !== "custom" || settings.customSound);
/** @param {Say} say @param {Settings} settings */
export const soundOptions = (say, settings) => optionsOf(say, "sound", soundsOf(settings));
