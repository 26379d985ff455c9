// A viewer's pet with its age, and its predecessors.

import { ageOf as lifeOf, daysOf } from "../../shared/pet.js";
import { Confirmed } from "../forms.js";
import { usePages } from "../../shared/loading.js";
import { More, Problem, html, useConsole, useState } from "../../shared/parts.js";
import { PetDrawing } from "../../shared/pet-drawing.js";
import { Write } from "../write.js";

/**
 * Returns a pet's age in words, until now or until it was forgotten.
 *
 * @param {any} pet
 * @param {any} say
 */
export function ageOf(pet, say) {
  const days = daysOf(pet);
  return days === 0 ? say("pet.new") : say("pet.age", { days });
}

/** @param {{user: any, reload: () => void}} props */
export function Pet({ user, reload }) {
  const { client, say } = useConsole();
  const [error, setError] = useState(null);
  const before = usePages(`/users/${user.user_id}/specimens?forgotten=true&limit=20`);
  const done = () => {
    setError(null);
    reload();
    before.reload();
  };
  const act = (/** @type {any} */ send) => send.then(done, setError);
  const path = `/users/${user.user_id}/specimen`;
  const pet = user.specimen;
  const remove = () => act(client.patch(path, { forgotten_at: new Date().toISOString() }));
  const bringBack = (/** @type {string} */ id) => act(client.patch(`/specimens/${id}`, { forgotten_at: null }));
  const life = (/** @type {any} */ one) =>
    say("pet.from_to", { from: say.date(one.born_at), to: say.date(one.forgotten_at) });
  const hasNone = before.records.length === 0 && !before.busy && !before.error;
  return html`<div class="two">
    <section class="card own-pet">
      <h2>${say("viewer.pet")}</h2>
      ${pet
        ? html`<div class="meadow"><${PetDrawing} pet=${pet} label=${say("viewer.pet")} /></div>
            <p class="big">${ageOf(pet, say)}</p>
            <p class="quiet">${say(`pet.life.${lifeOf(daysOf(pet)).name}`)} ·${" "}
              ${say("pet.born", { date: say.time(pet.born_at) })}</p>
            <${Confirmed} className="bad" label=${say("pet.remove")} description=${`${say("pet.remove")}: ${user.name}`}
              question=${say("pet.remove_sure")} note=${say("pet.remove_note")} act=${remove} />`
        : html`<p>${say("pet.none")}</p>
            <${Write} class="main" onClick=${() => act(client.post(path, {}))}>${say("pet.give")}<//>`}
      <${Problem} error=${error} />
    </section>
    <section class="card">
      <h2>${say("pet.before")}</h2>
      ${hasNone && html`<p class="quiet">${say("pet.no_before")}</p>`}
      <ul class="things pets">
        ${before.records.map((one) => html`<li key=${one.specimen_id}>
          <${PetDrawing} pet=${one} label=${say("viewer.pet")} />
          <div>${say("pet.lived", { days: daysOf(one) })}<p class="quiet">${life(one)}</p></div>
          ${!pet && html`<${Write} class="quiet" onClick=${() => bringBack(one.specimen_id)}>${say("pet.back")}<//>`}
        </li>`)}
      </ul>
      <${More} list=${before} />
    </section>
  </div>`;
}
