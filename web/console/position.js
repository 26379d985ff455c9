// Keeps the scroll position in the URL, where reloads, going back and copied links restore it from.

// The time without scrolling until the position is written, in milliseconds. Browsers limit changes of the URL.
const WRITE_DELAY = 250;
// How long a growing page is scrolled to its former position. Lists load page by page, pictures after rows.
const RESTORE_TIMEOUT = 10_000;

const pathOf = (/** @type {string} */ hash) => hash.split("?")[0];

/**
 * Scrolls to the position that `read` returns, now and in each view. `write` receives each new position, in pixels.
 *
 * @param {any} read
 * @param {any} write
 */
export function keepPosition(read, write) {
  let target = 0;
  let deadline = 0;
  let timer = /** @type {any} */ (null);
  let save = () => {};
  const isRestoring = () => target > 0 && Date.now() < deadline;
  const approach = () => isRestoring() && scrollTo(0, target);
  const restore = () => {
    clearTimeout(timer);
    save = () => {};
    target = read();
    // What appears above must not move the page away from the position.
    document.documentElement.style.overflowAnchor = target > 0 ? "none" : "";
    deadline = Date.now() + RESTORE_TIMEOUT;
    approach();
  };
  const giveUp = () => {
    target = 0;
    document.documentElement.style.overflowAnchor = "";
  };
  const writeSoon = () => {
    clearTimeout(timer);
    const path = pathOf(location.hash);
    save = () => {
      clearTimeout(timer);
      save = () => {};
      // A click changes the address before the browser reports it.
      if (!isRestoring() && pathOf(location.hash) === path) write(Math.round(scrollY));
    };
    timer = setTimeout(save, WRITE_DELAY);
  };
  history.scrollRestoration = "manual";
  new ResizeObserver(approach).observe(document.body);
  // Restoring must not work against the user.
  for (const type of ["wheel", "touchstart", "pointerdown", "keydown"]) {
    addEventListener(type, giveUp, { passive: true });
  }
  // The click may lead to another view.
  addEventListener("click", () => save(), { capture: true });
  addEventListener("hashchange", restore);
  addEventListener("scroll", writeSoon, { passive: true });
  restore();
  writeSoon();
}
