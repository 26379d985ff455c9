// Starts the console after its frame is painted, because on a slow network, the modules would delay the styles.

/** The modules of a first look. Preloads request them together. Imports would request them one after another. */
const MODULES = [
  "console.js",
  "address.js",
  "parts.js",
  "service.js",
  location.hash.startsWith("#/activity") ? "activity.js" : "overview.js",
  "events.js",
  "follow.js",
  "timeline.js",
  "../shared/client/index.js",
  "../shared/client/client.js",
  "../shared/client/feed.js",
  "../shared/icons.js",
  "../shared/kinds.js",
  "../shared/page.js",
  "../shared/storage.js",
  "../shared/texts.js",
  "../shared/vendor/htm-preact.js",
];

// Browsers do not paint a page in the background, so waiting would never end.
if (!document.hidden) await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
for (const name of MODULES) {
  const href = new URL(name, import.meta.url).href;
  document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
}
await import("./console.js");
