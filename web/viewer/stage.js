// The first view: the pet on its meadow, and the viewer's name and balance.

import { historyOf, sinceOf } from "../shared/history.js";
import { useLoaded } from "../shared/loading.js";
import { html, useConsole, useState } from "../shared/parts.js";
import { Egg } from "../shared/egg.js";
import { daysOf } from "../shared/pet.js";
import { PetDrawing } from "../shared/pet-drawing.js";

const HEARTS = [1, 2, 3, 4, 5];

/**
 * Returns a pet's age in words.
 *
 * @param {any} pet
 * @param {any} say
 */
function ageOf(pet, say) {
  const days = daysOf(pet);
  return days === 0 ? say("pet.new") : say("pet.age", { days });
}

/** @param {{user: any}} props */
export function Stage({ user }) {
  const { client, say } = useConsole();
  const id = user.user_id;
  const { value: figures } = useLoaded(() => historyOf(client, id), id);
  const facts = [
    figures?.sub && say("me.sub", { tier: String(figures.sub.tier), months: figures.sub.subscribed_length }),
    figures?.bits > 0 && say("me.bits", { bits: figures.bits }),
    figures?.messages > 0 && say("me.messages", { many: figures.messages }),
    say("me.since", { date: say.date(sinceOf(user, figures)) }),
  ].filter(Boolean);
  return html`<section class="stage" aria-label=${say("pet")}>
    <div class="sky" aria-hidden="true"></div>
    <header>
      <div>
        <h1 dir="auto">${user.name}</h1>
        <ul class="facts">${facts.map((fact) => html`<li key=${fact}>${fact}</li>`)}</ul>
      </div>
      <p class="balance"><strong>${say.number(user.wallet)}</strong> ${say("points.name", { many: user.wallet })}</p>
    </header>
    ${user.specimen
      ? html`<${Pet} pet=${user.specimen} key=${user.specimen.specimen_id} />`
      : html`<div class="habitat"><${Egg} /><p class="no-pet">${say("pet.none")}</p></div>`}
  </section>
  <${Predecessors} user=${user} />`;
}

/** The living pet. Patting it makes it hop. @param {{pet: any}} props */
function Pet({ pet }) {
  const { say } = useConsole();
  const [pats, setPats] = useState(0);
  return html`<div class="habitat">
    <button aria-label=${say("pet.pat")} onClick=${() => setPats(pats + 1)}>
      <span class=${pats > 0 ? "hop" : ""} key=${pats}>
        <${PetDrawing} pet=${pet} label=${say("pet")} />
        ${pats > 0 &&
        HEARTS.map((heart) => html`<i class=${`heart heart-${heart}`} key=${heart} aria-hidden="true">♥</i>`)}
      </span>
    </button>
    <p>${ageOf(pet, say)}</p>
  </div>`;
}

/** The forgotten pets. @param {{user: any}} props */
function Predecessors({ user }) {
  const { client, say } = useConsole();
  const path = `/users/${user.user_id}/specimens`;
  const load = () => client.get(path, { query: { forgotten: true, limit: 12 } });
  const { value: pets } = useLoaded(load, user.specimen?.specimen_id ?? 0);
  if (!pets?.length) return null;
  return html`<details class="predecessors card">
    <summary>${say("pet.before", { many: pets.length })}</summary>
    <ul>
      ${pets.map((/** @type {any} */ pet) => html`<li key=${pet.specimen_id}>
        <${PetDrawing} pet=${pet} label=${say("pet")} />
        <span>${say.date(pet.born_at)} – ${say.date(pet.forgotten_at)}</span>
      </li>`)}
    </ul>
  </details>`;
}
