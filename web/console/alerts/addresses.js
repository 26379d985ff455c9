// The URLs of the overlay and of its widgets.

import { base } from "../../shared/page.js";
import { Field } from "../forms.js";
import { Problem, html, useConsole, useEffect, useState } from "../parts.js";

const WIDGETS = ["goal", "leaderboard", "recent", "ticker", "pets"];
// Preact calls it once, because it stays the same function.
const focus = (/** @type {HTMLElement | null} */ button) => button?.focus();

/**
 * A service that requires tokens gets one for this overlay, when its URL is copied for the first time.
 *
 * @param {{overlay: {overlay_id: number, name: string}}} properties
 */
export function Addresses({ overlay }) {
  const { client, say, key } = useConsole();
  const [token, setToken] = useState(null);
  const [page, setPage] = useState("");
  const [isAsking, setAsking] = useState(false);
  const [error, setError] = useState(null);
  const [note, setNote] = useState("");
  const needsToken = key !== "";
  const addressWith = (/** @type {string | null} */ secret) =>
    `${base}/overlay/${page && `${page}/`}#overlay=${overlay.overlay_id}${secret ? `&token=${secret}` : ""}`;
  useEffect(() => setNote(""), [page]);
  const copy = async (/** @type {string | null} */ secret, isNew = false) => {
    try {
      await navigator.clipboard.writeText(addressWith(secret));
      setNote(say(isNew ? "alerts.token_copied" : "copied", { name: overlay.name }));
    } catch {
      setNote(say(isNew ? "alerts.token_created" : "alerts.copy_failed", { name: overlay.name }));
    }
  };
  const create = async () => {
    setAsking(false);
    setError(null);
    try {
      const { token: created } = await client.post("/tokens", { name: overlay.name.slice(0, 100) });
      setToken(created);
      await copy(created, true);
    } catch (error) {
      setError(error);
    }
  };
  const start = () => (needsToken && !token ? setAsking(true) : copy(token));
  const pages = [
    { value: "", label: say("nav.alerts") },
    { value: "emotes", label: say("alerts.emotes") },
    ...WIDGETS.map((name) => ({ value: name, label: say(`widget.${name}`) })),
  ];
  return html`<section class="card" aria-label=${say("alerts.address")}>
    <h2>${say("alerts.address")}</h2>
    <p>${say("alerts.address_how")}</p>
    <${Field} label=${say("alerts.page")} value=${page} options=${pages}
      onChange=${(/** @type {any} */ event) => setPage(event.currentTarget.value)} />
    <p><code class="address">${addressWith(token ?? (needsToken ? "…" : null))}</code></p>
    ${isAsking
      ? html`<div class="question" role="group" aria-label=${say("alerts.token_ask")}>
          <p>${say("alerts.token_ask")}</p>
          <p class="bar">
            <button class="main" ref=${focus} onClick=${create}>${say("alerts.token_yes")}</button>
            <button onClick=${() => setAsking(false)}>${say("cancel")}</button>
          </p>
        </div>`
      : html`<p class="bar"><button onClick=${start}>${say("alerts.copy")}</button></p>`}
    <p class="good" role="status">${note}</p>
    <${Problem} error=${error} />
  </section>`;
}
