// Keeps the keyboard focus near the focused element when that is removed, by its own effect or by a change of the view. The
// browser would move it to the page. On the way back to a view, the link that was followed from it gets the focus.

import { useLayoutEffect, useRef } from "../shared/parts.js";

const FOCUSABLE = "a, button, input, select, textarea, summary, [tabindex]";

/** The last focused element and its ancestors, and each one's place. @type {{node: Element, parent: Element, index: number}[]} */
let trail = [];
/** The element that has the focus in place of a removed one. @type {Element | null} */
let replacement = null;

/** The link that was last followed from each view, by the view's path. @type {Map<string, string>} */
const followed = new Map();
/** The link that gets the focus as soon as it is there. @type {string | undefined} */
let wanted;

/** @param {EventTarget | null} focused */
function remember(focused) {
  trail = [];
  for (let node = /** @type {Element} */ (focused), parent; (parent = node.parentElement); node = parent) {
    trail.push({ node, parent, index: [...parent.children].indexOf(node) });
  }
}

/** Focuses what replaced the removed element, what follows or precedes it, or else what is closest around it. */
function restore() {
  const main = document.getElementById("main");
  for (const { parent, index } of trail.filter(({ parent }) => parent.isConnected)) {
    const isOutside = parent !== main && parent.contains(main);
    for (const place of isOutside ? [main] : [parent.children[index], parent.children[index - 1], parent]) {
      for (const one of place ? [place, ...place.querySelectorAll(FOCUSABLE)] : []) {
        /** @type {HTMLElement} */ (one).focus({ preventScroll: true });
        if (document.activeElement !== one) continue;
        replacement = one;
        return;
      }
    }
  }
}

/** Focuses the followed link, unless something else has the focus by now. */
function returnToLink() {
  const main = document.getElementById("main");
  const link = wanted && [...(main?.querySelectorAll("a") ?? [])].find((one) => one.getAttribute("href") === wanted);
  if (!link) return;
  wanted = undefined;
  if ([document.body, main, replacement].includes(/** @type {any} */ (document.activeElement))) link.focus({ preventScroll: true });
}

const pathOf = (/** @type {string} */ hash) => hash.split("?")[0];
addEventListener("click", ({ target }) => {
  const link = /** @type {Element} */ (target).closest("a");
  if (link?.closest("#main")) followed.set(pathOf(location.hash), link.getAttribute("href") ?? "");
  // The navigation leads to the start of a view.
  else if (link) followed.delete(pathOf(link.hash));
}, { capture: true });
addEventListener("hashchange", () => {
  wanted = followed.get(pathOf(location.hash));
  followed.delete(pathOf(location.hash));
});
addEventListener("focusin", ({ target }) => remember(target));
new MutationObserver(() => {
  if (trail[0]?.node.isConnected) remember(trail[0].node);
  else if (document.activeElement === document.body) restore();
  returnToLink();
}).observe(document.body, { childList: true, subtree: true });

/** Returns a reference for an element that gets the focus if it replaces the focused one. */
export function useFocus() {
  const target = useRef(/** @type {any} */ (null));
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    // The observer is called after this.
    const isLost = trail.length > 0 && activeElement === body;
    if (isLost || (replacement && activeElement === replacement)) target.current?.focus();
  }, []);
  return target;
}
