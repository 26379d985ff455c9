// Starts the page after its frame is painted, because on a slow network, the modules would delay the styles.

/** All modules. Preloads request them together. Imports would request them one after another. */
const MODULES = [
  "../console/figures.js",
  "../console/loading.js",
  "../console/parts.js",
  "../console/units.js",
  "../shared/client/client.js",
  "../shared/client/feed.js",
  "../shared/client/index.js",
  "../shared/egg.js",
  "../shared/icons.js",
  "../shared/kinds.js",
  "../shared/page.js",
  "../shared/pet.js",
  "../shared/picture.js",
  "../shared/seal.js",
  "../shared/species.js",
  "../shared/texts.js",
  "../shared/thing.js",
  "../shared/things.js",
  "../shared/vendor/htm-preact.js",
  "buy.js",
  "cooldown.js",
  "curve.js",
  "dialog.js",
  "footer.js",
  "items.js",
  "letter.js",
  "letters.js",
  "notice.js",
  "page.js",
  "pet.js",
  "product.js",
  "purchases.js",
  "quantity.js",
  "receipt.js",
  "signed.js",
  "stage.js",
  "steady.js",
  "store.js",
  "use-letters.js",
  "viewer.js",
  "wallet.js",
  "when.js",
];

// Browsers do not paint a page in the background, so waiting would never end.
if (!document.hidden) await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
for (const name of MODULES) {
  const href = new URL(name, import.meta.url).href;
  document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
}
await import("./viewer.js");
// The typeface comes after the first look.
const observer = new MutationObserver(() => {
  if (!document.querySelector("main > *") || document.querySelector(".skeleton")) return;
  observer.disconnect();
  import("../shared/typeface.js");
});
observer.observe(document.body, { childList: true, subtree: true });
