// Tests that the files which modules name exist, also in a release, which serves each page from a folder of its own. A
// path that leaves `web` works in a debug build only.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";

const WEB = new URL("../../web", import.meta.url).pathname;
const modules = readdirSync(WEB, { recursive: true }).filter((file) => file.endsWith(".js") && !/vendor|joined|node_modules/.test(file));

function check(file, from, name) {
  const path = join(from, name);
  assert.ok(!relative(WEB, path).startsWith(".."), `${file}: ${name} leaves the folder of the pages`);
  assert.ok(existsSync(path), `${file}: no file ${name}`);
}

test("every style sheet is joined", () => {
  let count = 0;
  for (const file of modules) {
    const text = readFileSync(join(WEB, file), "utf8");
    for (const [call] of text.matchAll(/withStyles\(import\([^)]*\)[^)]*\)|add\(import\([^)]*\)[^)]*\)/g)) {
      for (const [, name] of call.matchAll(/"([^"]+\.css)"/g)) {
        check(file, join(WEB, "joined/console"), name);
        count += 1;
      }
    }
  }
  assert.ok(count > 10, `${count} style sheets`);
});

test("every imported module exists", () => {
  for (const file of modules) {
    // Types in comments name files of the client's package.
    const text = readFileSync(join(WEB, file), "utf8").replace(/\/\*\*.*?\*\//gs, "");
    for (const [, name] of text.matchAll(/(?:from|import\(?)\s*"(\.[^"]+)"/g)) {
      check(file, dirname(join(WEB, file)), name);
    }
  }
});
