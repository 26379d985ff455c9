// The texts of the console are in parts. A view waits only for the parts that `address.js` names for it.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";

const WEB = join(import.meta.dirname, "../../web");
const CONSOLE = join(WEB, "console");
const FIRST_VIEWS = ["overview", "activity"];
const textsIn = (name) => JSON.parse(readFileSync(join(WEB, "shared/i18n", `${name}.json`), "utf8"));
const parts = readdirSync(join(WEB, "shared/i18n")).map((name) => /^en\.(\w+)\.json$/.exec(name)?.[1])
  .filter((part) => part && part !== "viewer");
const keysOf = new Map(parts.map((part) => [part, Object.keys(textsIn(`en.${part}`))]));
const source = (name) => readFileSync(join(CONSOLE, name), "utf8");

/** Returns the modules that a module imports, and their modules, without those that it loads later. */
function closure(file, found = new Set()) {
  if (found.has(file) || !existsSync(file)) return found;
  found.add(file);
  for (const [, name] of readFileSync(file, "utf8").matchAll(/^(?:import|export)\b[^;"=(]*"(\.[^"]+)"/gm)) {
    closure(join(dirname(file), name), found);
  }
  return found;
}

/** Returns the keys that modules name, literally or by the part before their last point. */
function keysNamed(files) {
  const text = [...files].map((file) => readFileSync(file, "utf8")).join("\n");
  const literal = new Set([...text.matchAll(/["`]([a-z_][\w.]*)["`]/g)].map(([, name]) => name));
  const prefixes = new Set([...text.matchAll(/say\(`([a-z_][\w.]*\.)\$\{[^}]*\}`/g)].map(([, name]) => name));
  return (key) => literal.has(key) || prefixes.has(key.slice(0, key.lastIndexOf(".") + 1));
}

/** Fails if modules name a text that is not in the first view's texts, in the common ones, or in these parts. */
function assertNamed(what, modules, available) {
  const keys = new Set([...Object.keys(textsIn("en")), ...["common", ...available].flatMap((part) => keysOf.get(part))]);
  const isNamed = keysNamed(modules);
  const missing = [...keysOf].flatMap(([part, all]) =>
    all.filter((key) => isNamed(key) && !keys.has(key)).map((key) => `${part}: ${key}`));
  assert.deepEqual(missing, [], `${what} needs texts of other parts`);
}

const address = source("address.js");
/** The parts of each view, by its name. */
const named = Object.fromEntries([...address.matchAll(/^ {2}(\w+): \[(".*")\],$/gm)].map(([, view, list]) => [view, JSON.parse(`[${list}]`)]));

test("each view waits for the texts that its modules name", () => {
  const files = Object.fromEntries([...address.matchAll(/(\w+): \(\) => .*import\("([^"]+)"\)/g)].map(([, view, file]) => [view, file]));
  const views = { ...files, viewer: "viewer/viewer.js" };
  assert.equal(Object.keys(views).length, 13);
  for (const [view, file] of Object.entries(views).filter(([name]) => !FIRST_VIEWS.includes(name))) {
    assertNamed(view, closure(join(CONSOLE, file)), named[view]);
  }
});

test("what a view loads later waits for its texts, too", () => {
  // A module, the one that loads it, and the view if its own texts are there.
  const later = [
    ["activity/actions.js", "activity/events.js"], ["palette.js", "console.js"], ["sign-in.js", "console.js"],
    ["notice-bars.js", "console.js"], ["problem.js", "console.js"], ["overview/stream.js", "overview/overview.js"],
    ["overview/aside.js", "overview/overview.js"], ["overview/remote.js", "overview/overview.js"],
    ["overview/setup.js", "overview/overview.js"], ["streams/summary.js", "streams/list.js"],
    ["letters/letter.js", "letters/letters.js", "letters"], ["activity/events.js", "letters/gallery.js", "letters"], ["analytics/charts.js", "analytics/analytics.js", "analytics"], ["alerts/properties.js", "alerts/editor.js", "alerts"], ["alerts/variations.js", "alerts/editor.js", "alerts"], ["alerts/addresses.js", "alerts/editor.js", "alerts"], ["alerts/look.js", "alerts/editor.js", "alerts"],
    ["alerts/widgets.js", "alerts/editor.js", "alerts"], ["settings/twitch-settings.js", "settings/settings.js", "settings"],
    ["settings/tokens.js", "settings/settings.js", "settings"], ["settings/privacy-settings.js", "settings/settings.js", "settings"],
  ];
  for (const [file, by, view] of later) {
    // The statement that loads the module, or the function that it passes it to.
    const lines = source(by).split("\n").filter((line) => line.includes("withTexts("));
    const line = lines.find((one) => one.includes(file === "problem.js" ? "loadCard" : file.split("/").pop())) ?? (view ? "" : lines[0]);
    assertNamed(file, closure(join(CONSOLE, file)), [...(named[view] ?? []), ...parts.filter((part) => line.includes(`"${part}"`))]);
  }
});

test("every text is in one part of the console, in both languages", () => {
  const seen = new Map();
  for (const part of parts) {
    // German also has what the service writes in English.
    const german = textsIn(`de.${part}`);
    assert.deepEqual(keysOf.get(part).filter((key) => !(key in german)), [], part);
    // The overlay loads its texts alone.
    if (part === "stream") continue;
    for (const key of keysOf.get(part)) {
      assert.ok(!seen.has(key), `${key} is in ${seen.get(key)} and ${part}`);
      seen.set(key, part);
    }
  }
});
