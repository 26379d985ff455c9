// Holds the pages to their oldest browsers: every member, property, selector and function that they use exists there, by
// MDN's browser-compat-data. BCD names its file. The vendored reference and improvements that old browsers ignore are
// exempt.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

const FLOOR = { chrome: 103, safari: 16.4, firefox: 115 };
const EXEMPT = [
  // Without these, a page looks plainer, and works.
  "field-sizing", "scrollbar-width", "text-wrap",
  // Used only if it exists.
  "Segmenter", "segment",
  // Incomplete in a browser, in parts that the pages do not use.
  "accent-color", "exponentialRampToValueAtTime", "linearRampToValueAtTime", "marker", "paint-order",
  // Methods of the pages that are named like newer ones of browsers.
  "destroy", "lines", "number", "percent", "retry",
];
const web = new URL("../../web/", import.meta.url);
const isOwn = (name) => !/vendor\/|^joined|node_modules|^shared\/client/.test(name);
const files = (extension) => readdirSync(web, { recursive: true }).filter((name) => name.endsWith(extension) && isOwn(name));

/** Returns true if every browser of the floor has a feature without a prefix or a flag. */
function isSupported({ support }) {
  return Object.entries(FLOOR).every(([browser, version]) => {
    const statements = [support[browser] ?? []].flat();
    return statements.some((one) => !one.flags && !one.prefix && !one.partial_implementation && !one.version_removed &&
      (one.version_added === true || parseFloat(String(one.version_added).replace("≤", "")) <= version));
  });
}

/** Collects the features below an object by their last name: true if any of that name is supported. */
function collect(group, into = new Map()) {
  for (const [name, feature] of Object.entries(group)) {
    if (name === "__compat") continue;
    const plain = name.replace("_static", "");
    if (feature.__compat) into.set(plain, into.get(plain) || isSupported(feature.__compat));
    collect(feature, into);
  }
  return into;
}

/** Returns true if a rule is inside a style rule. */
function hasNesting(styles) {
  const open = [];
  for (const [, prelude, brace] of styles.matchAll(/([^{};]*)([{};])/g)) {
    if (brace === "}") open.pop();
    if (brace === "{" && open.some((outer) => !outer.startsWith("@"))) return true;
    if (brace === "{") open.push(prelude.trim());
  }
  return false;
}

test("the pages use only what their oldest browsers have", { skip: !process.env.BCD }, () => {
  const data = JSON.parse(readFileSync(process.env.BCD, "utf8"));
  const members = collect({ ...data.api, ...data.javascript.builtins });
  const properties = new Map(Object.entries(data.css.properties).map(([name, { __compat }]) => [name, isSupported(__compat)]));
  const selectors = new Map(Object.entries(data.css.selectors).map(([name, { __compat }]) => [name, isSupported(__compat)]));
  const types = collect(data.css.types);
  const missing = new Set();
  const check = (known, name, place) => {
    if (known.get(name) === false && !EXEMPT.includes(name)) missing.add(`${name} (${place})`);
  };
  for (const file of files(".js")) {
    const code = readFileSync(new URL(file, web), "utf8").replace(/^\s*(\/\/|\*|\/\*).*$/gm, "");
    for (const [, name] of code.matchAll(/\??\.(\w+)\(/g)) check(members, name, file);
  }
  for (const file of files(".css")) {
    const styles = readFileSync(new URL(file, web), "utf8").replace(/\/\*[^]*?\*\//g, "");
    for (const [, name] of styles.matchAll(/^\s*([a-z-]+):\s/gm)) if (!styles.includes(`-webkit-${name}:`)) check(properties, name, file);
    for (const [, name] of styles.matchAll(/:{1,2}([a-z][a-z-]+)/g)) check(selectors, name, file);
    for (const [, name] of styles.matchAll(/([a-z-]+)\(/g)) check(types, name, file);
    if (/@media[^{]*\((width|height)\s*[<>]/.test(styles)) missing.add(`a range in @media (${file})`);
    if (hasNesting(styles)) missing.add(`nesting (${file})`);
  }
  assert.deepEqual([...missing], []);
});
