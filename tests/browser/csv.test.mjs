// Tests of the files that the console saves for spreadsheets.

import assert from "node:assert/strict";
import test from "node:test";

import { toCsv } from "../../web/console/data/csv.js";

/** Splits lines the way a spreadsheet does: a quote starts a quoted cell only at the start of a cell. */
function opened(text, separator) {
  const rows = [[]];
  const rest = { text };
  const take = (pattern) => {
    const [found] = pattern.exec(rest.text) ?? [""];
    rest.text = rest.text.slice(found.length);
    return found;
  };
  while (rest.text) {
    const quoted = take(/^"(?:[^"]|"")*"?/).replace(/^"|"$/g, "").replaceAll('""', '"');
    rows.at(-1).push(quoted + take(new RegExp(`^[^${separator}\\r\\n]*`)));
    if (!take(new RegExp(`^${separator}`)) && take(/^(\r\n|\r|\n)/)) rows.push([]);
  }
  return rows.filter((row) => row.length > 0);
}

const TEXTS = ["=1+1", "@x", "-1", "+1", "\t=1", "x;=1+1", 'x;"=1+1"', ";=1", "a;b;@c", "a\n=1", "a\r\n-1", 'a"\n=1', '"=1"', "a;\"\"=1", ";;-1", "a,=1"];

test("no text becomes a formula, whichever separator the spreadsheet expects", () => {
  for (const separator of [",", ";"]) {
    for (const text of TEXTS) {
      for (const row of [[text, 7], [7, text], [7, { text }], ["a;b", text, "c"]]) {
        const cells = opened(toCsv([row]).join(""), separator).flat();
        for (const cell of cells) assert.doesNotMatch(cell, /^[=+\-@\t\r]/, `${JSON.stringify(row)} by ${separator}`);
      }
    }
  }
});

test("other cells are unchanged", () => {
  const lines = toCsv([["a", -5, null, undefined, true, { a: [1] }], ["x;y", 'say "hi"', "a,b", "1-1", "a\nb"]]);
  assert.deepEqual(lines, ['a,-5,,,true,"{""a"":[1]}"\r\n', '"x;y","say ""hi""","a,b",1-1,"a\nb"\r\n']);
  assert.deepEqual(opened(lines.join(""), ","), [["a", "-5", "", "", "true", '{"a":[1]}'], ["x;y", 'say "hi"', "a,b", "1-1", "a\nb"]]);
});
