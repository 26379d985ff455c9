// A first look at a viewer: the pet, the items, and the balance. Each leads to its tab.

import { Thing } from "../../shared/thing.js";
import { html, useConsole } from "../parts.js";
import { Sparkline } from "./balance.js";
import { countsOf } from "./items.js";
import { PetDrawing } from "./pet-drawing.js";
import { ageOf } from "./pet.js";

const MAX_ITEMS = 6;

/** @param {{user: any, changes: any}} props */
export function Showcase({ user, changes }) {
  const { say, setParameters } = useConsole();
  const counts = countsOf(user.inventory);
  const last = changes?.[changes.length - 1]?.transaction;
  const card = (/** @type {string} */ tab, /** @type {string} */ title, /** @type {any} */ content) =>
    html`<section class="card shown">
    <h2>${title} <button class="quiet" aria-label=${say("viewer.more_of", { what: title })}
      onClick=${() => setParameters({ tab })}>→</button></h2>
    ${content}
  </section>`;
  const pet = user.specimen;
  const rest = counts.length - MAX_ITEMS;
  const sign = last?.amount > 0 ? "+" : "";
  return html`<div class="showcase">
    ${card("pet", say("viewer.pet"), pet
      ? html`<${PetDrawing} id=${pet.specimen_id} label=${say("viewer.pet")} /><p>${ageOf(pet, say)}</p>`
      : html`<p class="quiet">${say("pet.none")}</p>`)}
    ${card("items", say("viewer.items"), html`<ul class="chips">
        ${counts.slice(0, MAX_ITEMS).map(([name, count]) => html`<li key=${name} title=${name}>
          <${Thing} name=${name} /><span dir="auto">${name}</span> <b>×${say.number(count)}</b>
        </li>`)}
        ${rest > 0 && html`<li class="quiet">${say("gaps.more", { many: rest })}</li>`}
      </ul>
      ${counts.length === 0 && html`<p class="quiet">${say("items.empty")}</p>`}`)}
    ${card("wallet", say("viewer.wallet"), html`<p class="big">${say.number(user.wallet)}</p>
      ${changes?.length > 1 && html`<${Sparkline} changes=${changes} />`}
      ${last && html`<p class="quiet last">
        <b>${sign}${say.number(last.amount)}</b> <span dir="auto">${last.description}</span> ${say.ago(last.created_at)}
      </p>`}`)}
  </div>`;
}
