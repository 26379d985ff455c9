// Joins the files of the pages, lowered to their oldest browsers (ADR 17): `npm install && npm run join`. The service
// serves the result, the folder `joined`. The sources work without it: `event-capture --web-sources web`.

import { build } from "esbuild";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";

const WEB = import.meta.dirname;
const JOINED = join(WEB, "joined");
const TARGET = ["chrome103", "firefox115", "safari16.4"];
/** The modules of each page that its HTML names, and the chunks that they share. The other modules form a chunk each. */
const PAGES = {
  console: {
    entries: ["start", "console"],
    groups: [
      // What requests the first rows.
      { name: "first", test: /shared\/(early|files|kinds|page|texts|typeface)\.js$|console\/(address|start|styles)\.js$/, priority: 2 },
      // What all views need, and what several do. A group takes the modules that it imports along, so the order counts.
      { name: "common", test: /htm-preact\.js$|shared\/(at-end|icons|loading|parts)\.js$|console\/(problem|write)\.js$/, priority: 1 },
      { name: "forms", test: /console\/(copy|focus|forms|later|title)\.js$|activity\/gaps\.js$/ },
      { name: "rows", test: /activity\/events\.js$/ },
      { name: "overlay", test: /overlay\/settings\.js$|alerts\/(amount|file|kinds|options|themes)\.js$|stop\/stopping\.js$/ },
      { name: "stop", test: /stop\/(stop|stop-key)\.js$/ },
      { name: "sentences", test: /activity\/sentences\.js$/ },
      { name: "viewers", test: /viewer\/(boards|privacy-words|row-figures|viewers)\.js$/ },
    ],
  },
  viewer: { entries: ["start", "viewer"], groups: [{ name: "first", test: /shared\/(early|files|page|texts|typeface)\.js$/ }] },
  overlay: { entries: ["overlay", "widgets", "pets", "preview/preview"], groups: [{ name: "common", minShareCount: 2 }] },
  docs: { entries: ["docs", "guides/guides"], groups: [] },
};

/** Returns the files that a chunk needs, in the order of need. */
function closure(chunks, names, found = new Set()) {
  for (const name of names.filter((name) => chunks.has(name) && !found.has(name))) {
    found.add(name);
    closure(chunks, chunks.get(name).imports, found);
  }
  return found;
}

/** Names the licences of a chunk's vendored modules. */
const licences = ({ moduleIds }) => moduleIds.map((id) => /\w+\/vendor\/([\w-]+)\.js$/.exec(id)).filter(Boolean)
  .map(([path, name]) => `/*! ${name}: ${path.replace(".js", ".LICENSE")} */`).join("\n");

/** Makes a page request all modules of its entries at once: none needs the text of another one first. */
function withPreloads(html, chunks) {
  const named = [...html.matchAll(/(?:module" async src|module" src|data-module|modulepreload" href)="([^"]+)"/g)];
  const links = [...closure(chunks, named.map(([, name]) => name))].map((name) => {
    const href = html.includes('src="../boot.js"') ? `../${name}` : name;
    return `    <link rel="modulepreload" href="${href}">\n`;
  });
  return html.replace(/ *<link rel="modulepreload".*\n/g, "").replace("  </head>", `${links.join("")}  </head>`);
}

/** Makes an import request all files that the module needs at once, except those of the page's entries. */
const withImports = (code, chunks, loaded) =>
  code.replace(/import\(`\.\/([^`]+)`\)/g, (call, name) => {
    const others = [...closure(chunks, [name])].filter((file) => file !== name && !loaded.has(file));
    const calls = [call, ...others.map((file) => `import(\`./${file}\`)`)];
    return others.length ? `Promise.all([${calls}]).then(([module])=>module)` : call;
  });

const write = (name, text) => {
  mkdirSync(dirname(join(JOINED, name)), { recursive: true });
  writeFileSync(join(JOINED, name), text);
};

rmSync(JOINED, { recursive: true, force: true });
for (const [page, { entries, groups }] of Object.entries(PAGES)) {
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((name) => [name, join(WEB, page, `${name}.js`)])),
    preserveEntrySignatures: "allow-extension",
    resolve: { symlinks: false },
    transform: { target: TARGET },
  });
  const { output } = await bundle.generate({
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
    codeSplitting: { groups },
    minify: true,
    postBanner: licences,
  });
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const loaded = closure(chunks, entries.map((name) => `${name}.js`));
  for (const [name, { code }] of chunks) write(`${page}/${name}`, withImports(code, chunks, loaded));
  for (const file of readdirSync(join(WEB, page), { recursive: true }).filter((name) => name.endsWith("index.html"))) {
    write(`${page}/${file}`, withPreloads(readFileSync(join(WEB, page, file), "utf8"), chunks));
  }
}

// Style sheets that no other one imports, and the script that is not a module.
const sheets = readdirSync(WEB, { recursive: true }).filter((name) => /^(console|docs|overlay|shared|viewer).*\.css$/.test(name));
const imported = sheets.flatMap((sheet) => {
  const text = readFileSync(join(WEB, sheet), "utf8");
  return [...text.matchAll(/@import "([^"]+)"/g)].map(([, name]) => join(dirname(sheet), name));
});
await build({
  absWorkingDir: WEB,
  entryPoints: [...sheets.filter((name) => !imported.includes(name)), "overlay/boot.js"],
  outbase: ".",
  outdir: "joined",
  bundle: true,
  minify: true,
  external: ["*.woff2"],
  target: TARGET,
  logLevel: "warning",
});
for (const name of ["client.js", "client.global.js"]) write(`shared/${name}`, readFileSync(join(WEB, "shared", name)));
