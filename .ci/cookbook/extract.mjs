// Writes a document's code to files: node extract.mjs DOCUMENT FOLDER. A block that starts with `// NAME` becomes the
// file NAME, and each request in an HTTP block becomes an entry in requests.json.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [document, folder] = process.argv.slice(2);
const requests = [];
for (const [, language, code] of readFileSync(document, "utf8").matchAll(/^```(\w+)\n(.*?)^```$/gms)) {
  const name = /^\/\/ (\S+\.\w+)\n/.exec(code)?.[1];
  if (name) writeFileSync(join(folder, name), code);
  if (language === "http") {
    const [head, body] = code.split("\n\n");
    const [line, ...headers] = head.trim().split("\n");
    const [method, url] = line.split(" ");
    requests.push({ method, url, headers: headers.map((header) => header.split(": ")), body: body?.trim() });
  }
}
writeFileSync(join(folder, "requests.json"), JSON.stringify(requests));
