// Fails if the official AsyncAPI parser reports an error in the feed's document.

import { readFileSync } from "node:fs";
import { Parser } from "@asyncapi/parser";

const { diagnostics } = await new Parser().parse(readFileSync("asyncapi.json", "utf8"));
const wrong = diagnostics.filter(({ severity }) => severity === 0);
for (const { message, path } of wrong) console.error(path.join("/"), message);
process.exit(wrong.length === 0 ? 0 : 1);
