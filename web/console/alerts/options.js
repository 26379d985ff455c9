// The options of the selects in the editor.

import { SOUNDS } from "../../overlay/rules.js";

export const optionsOf = (say, prefix, names) => names.map((value) => ({ value, label: say(`${prefix}.${value}`) }));

/** Options with a first one for the value of the alert or of the overlay. */
export const inheritedOptions = (say, prefix, names, label) =>
  [{ value: "", label: say(label) }, ...optionsOf(say, prefix, names)];

/** The names of the sounds. The own one is among them if there is one. */
export const soundsOf = (settings) => SOUNDS.filter((name) => name !== "custom" || settings.customSound);
export const soundOptions = (say, settings) => optionsOf(say, "sound", soundsOf(settings));
