// Loads the module of a page on a stream. A file that failed to load stays failed until the page is reloaded. No module
// can stop this script, so it reloads the page when the service answers. OBS would show an error page if the service
// were away.

(() => {
  const FIRST_DELAY = 500;
  const MAX_DELAY = 15_000;
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  // The page includes this script twice, in case one request for it fails.
  if (document.documentElement.dataset.boot) return;
  document.documentElement.dataset.boot = "begun";

  // The number of reloads is kept in the window's name, which survives them.
  const [, reloads] = /^boot (\d+)$/.exec(window.name) ?? [null, "0"];
  let failures = Number(reloads);
  let isRetrying = false;

  const sleep = (/** @type {number} */ milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  async function retry() {
    if (isRetrying) return;
    isRetrying = true;
    for (;;) {
      await sleep(Math.min(MAX_DELAY, FIRST_DELAY * 2 ** failures) * (0.5 + Math.random() / 2));
      failures = Math.min(failures + 1, 10);
      try {
        const { ok } = await fetch(location.href, { cache: "reload", credentials: "omit" });
        if (!ok) continue;
        window.name = `boot ${failures}`;
        location.reload();
        return;
      } catch {
        // The service is away.
      }
    }
  }

  // Style sheets have no other event. Fonts and pictures may fail.
  const onError = (/** @type {Event} */ { target }) =>
    target instanceof HTMLLinkElement && target.rel === "stylesheet" && retry();
  addEventListener("error", onError, true);
  const module = new URL(script.dataset.module ?? "", script.src).href;
  const onLoad = () => {
    if (!isRetrying) window.name = "";
  };
  addEventListener("DOMContentLoaded", () => import(module).then(onLoad, retry));
})();
