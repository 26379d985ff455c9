// Starts the console after its frame is painted. On a slow network, the modules would otherwise delay the styles.

/** The modules that each first look needs. They are requested together, not one after another. */
const MODULES = [
  "console.js",
  "parts.js",
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
  "../shared/words.js",
  "../shared/vendor/htm-preact.js",
];

// A page in the background is not painted.
if (!document.hidden) await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
for (const href of MODULES) document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
await import("./console.js");
