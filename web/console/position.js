// Keeps the scroll position in the URL, so that a reload, the way back and a copied link restore it.

// The time without scrolling after which the position is written, and the time for which a page that grows is scrolled to
// its former position, in milliseconds. Lists load page by page, and pictures after their rows.
const PAUSE = 250;
const PATIENCE = 10_000;

/** Scrolls to the position that `read` returns, now and in each view, and reports each new one to `write`, in pixels. */
export function keepPosition(read, write) {
  let target = 0;
  let deadline = 0;
  let timer = null;
  const isRestoring = () => target > 0 && Date.now() < deadline;
  const approach = () => isRestoring() && scrollTo(0, target);
  const restore = () => {
    clearTimeout(timer);
    target = read();
    deadline = Date.now() + PATIENCE;
    approach();
  };
  const writeSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => isRestoring() || write(Math.round(scrollY)), PAUSE);
  };
  history.scrollRestoration = "manual";
  new ResizeObserver(approach).observe(document.body);
  // From here on, the reader decides.
  for (const type of ["wheel", "touchstart", "pointerdown", "keydown"]) addEventListener(type, () => (target = 0), { passive: true });
  addEventListener("hashchange", restore);
  addEventListener("scroll", writeSoon, { passive: true });
  restore();
  writeSoon();
}
