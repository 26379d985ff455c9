// The items of a viewer: those at hand, those that were used, and a form that gives one.

import { Thing } from "../../shared/thing.js";
import { focusPanel } from "../focus.js";
import { Form, NOT_BLANK } from "../forms.js";
import { usePages } from "../loading.js";
import { More, Problem, html, useConsole, useState } from "../parts.js";
import { Write } from "../write.js";

/** Returns the number of each item, the most frequent first. @returns {[string, number][]} @param {any} items */
export function countsOf(items) {
  const counts = new Map();
  for (const { name, quantity } of items) counts.set(name, (counts.get(name) ?? 0) + quantity);
  return [...counts].sort(([, one], [, other]) => other - one);
}

/** @param {{user: any, reload: () => void}} props */
export function Items({ user, reload }) {
  const { client, say } = useConsole();
  const [error, setError] = useState(null);
  const used = usePages(`/users/${user.user_id}/inventory?active=false&limit=20`);
  const done = () => {
    setError(null);
    reload();
    used.reload();
  };
  const give = async (/** @type {any} */ { name, quantity }) => {
    await client.post(`/users/${user.user_id}/inventory`, { name, quantity: Number(quantity) });
    reload();
  };
  const change = (/** @type {any} */ { item_id: id }, /** @type {string | null} */ time) =>
    client.patch(`/inventory/${id}`, { used_at: time }).then(() => (focusPanel(), done()), setError);
  const count = user.inventory.reduce((/** @type {any} */ sum, /** @type {any} */ { quantity }) => sum + quantity, 0);
  const fields = [
    { name: "name", label: say("items.item"), required: true, pattern: NOT_BLANK, maxlength: 200 },
    { name: "quantity", label: say("items.quantity"), type: "number", min: "1", step: "1", value: "1",
      max: Number.MAX_SAFE_INTEGER, required: true },
  ];
  return html`<div class="two">
    <section class="card">
      <h2>${say("items.title")} ${count > 0 && html`<span class="quiet">${say.number(count)}</span>`}</h2>
      ${count === 0 && html`<p class="quiet">${say("items.empty")}</p>`}
      <ul class="things">
        ${user.inventory.map((/** @type {any} */ item) => html`<li key=${item.item_id}>
          <${Thing} name=${item.name} />
          <span dir="auto">${item.quantity > 1 && `${say.number(item.quantity)} × `}${item.name}</span>
          <${Write} class="quiet" onClick=${() => change(item, new Date().toISOString())}
            aria-label=${say("items.use_of", { many: item.quantity, name: item.name })}>
            ${say("items.use", { many: item.quantity })}<//>
        </li>`)}
      </ul>
      ${used.records.length > 0 && html`<h3>${say("items.used")}</h3>
        <ul class="things used">
          ${used.records.map((item) => html`<li key=${item.item_id}>
            <${Thing} name=${item.name} />
            <span dir="auto">${item.name}${item.quantity > 1 && ` ×${say.number(item.quantity)}`}</span>
            <time datetime=${item.used_at} title=${say.time(item.used_at)}>${say.ago(item.used_at)}</time>
            <${Write} class="quiet" onClick=${() => change(item, null)}
              aria-label=${say("items.return_of", { name: item.name })}>${say("items.return")}<//>
          </li>`)}
        </ul>`}
      <${More} list=${used} />
      <${Problem} error=${error} />
    </section>
    <section class="card">
      <h2>${say("items.give")}</h2>
      <${Form} submit=${say("items.give")} send=${give} fields=${fields} />
    </section>
  </div>`;
}
