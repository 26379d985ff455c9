// Starts the page after its frame is painted, since the modules would delay the styles on a slow network. The texts are
// requested in parallel with the modules.

import { local } from "../shared/page.js";
import { language, loadTexts } from "../shared/texts.js";

/** All modules, in the order of need. Preloads request them together, imports one after another. */
const MODULES = [
  // The stage.
  "../shared/vendor/htm-preact.js",
  "../shared/parts.js",
  "../shared/icons.js",
  "viewer.js",
  "../shared/client/index.js",
  "../shared/client/client.js",
  "../shared/client/feed.js",
  "page.js",
  "notice.js",
  "../shared/egg.js",
  "footer.js",
  "../shared/loading.js",
  "stage.js",
  "../shared/history.js",
  "../shared/pet-drawing.js",
  "../shared/pet.js",
  "../shared/species.js",
  // The sections.
  "sections.js",
  "store.js",
  "buy.js",
  "../shared/units.js",
  "../shared/thing.js",
  "../shared/things.js",
  "cooldown.js",
  "dialog.js",
  "../shared/at-end.js",
  "quantity.js",
  "receipt.js",
  "product.js",
  "purchases.js",
  "steady.js",
  "use-bought.js",
  "when.js",
  "letters.js",
  "use-letters.js",
  "letter.js",
  "../shared/kinds.js",
  "../shared/picture.js",
  "../shared/seal.js",
  "items.js",
  "wallet.js",
  "curve.js",
  "signed.js",
];

// Browsers do not paint a page in the background, so waiting would never end.
if (!document.hidden) await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
for (const name of MODULES) {
  const href = new URL(name, import.meta.url).href;
  document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
}
const [{ show }, say] = await Promise.all([import("./viewer.js"), loadTexts(language(local.get("lang")), "viewer")]);
show(say);
// The typeface is loaded after the first view.
const observer = new MutationObserver(() => {
  if (!document.querySelector("main > *") || document.querySelector(".skeleton")) return;
  observer.disconnect();
  import("../shared/typeface.js");
});
observer.observe(document.body, { childList: true, subtree: true });
