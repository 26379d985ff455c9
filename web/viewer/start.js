// Starts the page. While its modules load, it requests what the page shows first: the texts, the viewer,
// the store and the points.

import { requestEarly } from "../shared/early.js";
import { local } from "../shared/page.js";
import { language, loadTexts } from "../shared/texts.js";
import { typeface } from "../shared/typeface.js";
import { parseLink } from "./link.js";

const { id, token } = parseLink();
if (id) {
  const lists = ["purchases?limit=5", "transactions?limit=60"].map((list) => `/users/${id}/${list}`);
  for (const path of [`/users/${id}`, "/products?enabled=true&limit=1000", ...lists]) requestEarly(path, token);
}
const lang = language(local.get("lang"));
const texts = loadTexts(lang, "viewer");
try {
  const [{ show }, say] = await Promise.all([import("./viewer.js"), texts]);
  show(say);
} catch {
  const textContent = lang === "de" ? "Die Seite konnte nicht geladen werden. Lade sie neu." : "The page could not be loaded. Reload it.";
  const notice = Object.assign(document.createElement("p"), { className: "notice", role: "alert", textContent });
  document.querySelector("main")?.replaceChildren(notice);
}
// The typeface is loaded after the first view.
const loadTypeface = () => {
  if (!document.querySelector("main > *") || document.querySelector(".skeleton")) return;
  observer.disconnect();
  typeface();
};
const observer = new MutationObserver(loadTypeface);
observer.observe(document.body, { childList: true, subtree: true });
loadTypeface();
