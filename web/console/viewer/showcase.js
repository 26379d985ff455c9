// The first view of a viewer: the pet, the figures, the balance, and the items and purchases if there are any. Each
// links to its tab.

import { Egg } from "../../shared/egg.js";
import { Thing } from "../../shared/thing.js";
import { areCounted } from "../../shared/history.js";
import { useLoaded } from "../../shared/loading.js";
import { Problem, html, useConsole } from "../../shared/parts.js";
import { causeOf } from "../cause.js";
import { Sparkline } from "./balance.js";
import { countsOf } from "./items.js";
import { PetDrawing } from "../../shared/pet-drawing.js";
import { ageOf } from "./pet.js";

const MAX_ITEMS = 4;
const MAX_PURCHASES = 3;

/** @param {{user: any, figures: any, changes: any}} props */
export function Showcase({ user, figures, changes }) {
  const { client, say, setParameters } = useConsole();
  const load = () => client.get(`/users/${user.user_id}/purchases`, { query: { limit: MAX_PURCHASES } });
  // A purchase changes the balance.
  const { value: purchases, error, reload } = useLoaded(load, `${user.user_id} ${user.wallet}`);
  const isCounted = figures && areCounted(figures.headers, user);
  const shownOf = (/** @type {number} */ value) => (value === 0 && !isCounted ? "–" : say.compact(value));
  const figure = (/** @type {string} */ label, /** @type {any} */ value) => html`<div>
    <span class="quiet">${label}</span><strong class="big">${value === undefined ? "…" : shownOf(value)}</strong>
  </div>`;
  const counts = countsOf(user.inventory);
  const last = changes?.[changes.length - 1]?.transaction;
  const card = (/** @type {string} */ tab, /** @type {string} */ title, /** @type {any} */ content) =>
    html`<section class=${`card shown shown-${tab}`}>
    <h2><button title=${say("viewer.more_of", { what: title })}
      onClick=${() => setParameters({ tab })}>${title} <span aria-hidden="true">→</span></button></h2>
    ${content}
  </section>`;
  const pet = user.specimen;
  // The last place says how many more there are.
  const shown = counts.length > MAX_ITEMS ? MAX_ITEMS - 1 : MAX_ITEMS;
  const rest = counts.length - shown;
  const size = counts.length > 2 ? "many" : counts.length > 0 ? "some" : "";
  const sign = last?.amount > 0 ? "+" : "";
  return html`<${Problem} error=${error} onRetry=${reload} /><div class="showcase">
    ${card("pet", say("viewer.pet"), pet
      ? html`<${PetDrawing} pet=${pet} label=${say("viewer.pet")} /><p>${ageOf(pet, say)}</p>`
      : html`<${Egg} /><p class="quiet">${say("pet.none")}</p>`)}
    <div class="card viewer-figures">
      ${figure(say("viewers.bits"), figures?.bits)}
      ${figure(say("viewers.messages"), figures?.messages)}
      ${figure(say("viewer.raiders"), figures?.raiders)}
      ${figure(say("viewers.months"), figures && (figures.sub?.subscribed_length ?? 0))}
    </div>
    <div class=${`shown-cards ${size}`}>
      ${card("wallet", say("viewer.wallet"), html`<p class="big" title=${say.number(user.wallet)}>${say.compact(user.wallet, 1_000_000_000)}</p>
        ${changes?.length > 1 && html`<${Sparkline} changes=${changes} />`}
        ${last && html`<p class="quiet last">
          <b>${sign}${say.number(last.amount)}</b> <span dir="auto">${causeOf(last, say)}</span>${" "}
          ${say.ago(last.created_at)}
        </p>`}`)}
      ${purchases && counts.length > 0 && card("items", say("viewer.items"), html`<ul class="chips">
          ${counts.slice(0, shown).map(([name, count]) => html`<li key=${name} title=${name}>
            <${Thing} name=${name} /><span dir="auto">${name}</span> <b>×${say.compact(count)}</b>
          </li>`)}
          ${rest > 0 && html`<li class="quiet">${say("count_more", { many: rest })}</li>`}
        </ul>`)}
      ${purchases?.length > 0 && card("purchases", say("viewer.purchases"), html`<ul class="last-purchases">
          ${purchases.map((/** @type {any} */ { purchase_id, name, quantity, created_at: time }) => html`<li
            key=${purchase_id}>
            <${Thing} name=${name} />
            <span dir="auto" title=${name}>
              ${quantity > 1 ? say("purchase.many", { many: quantity, name }) : name}</span>
            <time datetime=${time} title=${say.time(time)}>${say.ago(time)}</time>
          </li>`)}
        </ul>`)}
    </div>
  </div>`;
}
