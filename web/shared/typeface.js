// Loads the typeface. On the first visit, it comes after the first look, which it would delay on a slow network.

import { local } from "./storage.js";

const KEY = "typeface";

/** Loads the typeface: at once if the browser has it already, and else when the page has content and no skeleton. */
export function loadTypeface() {
  const load = () => {
    const isShown = document.querySelector("main > *") && !document.querySelector(".skeleton");
    if (!local.get(KEY) && !isShown) return;
    observer.disconnect();
    const href = new URL("typeface.css", import.meta.url).href;
    document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
    local.set(KEY, "loaded");
  };
  const observer = new MutationObserver(load);
  observer.observe(document.body, { childList: true, subtree: true });
  load();
}
