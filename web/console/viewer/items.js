// A viewer's items: available ones, which can be used or taken back, used ones, and a form to give one.

import { Thing } from "../../shared/thing.js";
import { Confirmed, Field, Form, NOT_BLANK } from "../forms.js";
import { useLoaded, usePages } from "../../shared/loading.js";
import { More, Problem, html, useConsole, useState } from "../../shared/parts.js";
import { Write } from "../write.js";

/** Returns the number of each item, most frequent first. @returns {[string, number][]} @param {any} items */
export function countsOf(items) {
  const counts = new Map();
  for (const { name, quantity } of items) counts.set(name, (counts.get(name) ?? 0) + quantity);
  return [...counts].sort(([, one], [, other]) => other - one);
}

/**
 * The button that takes an item back, or some of several.
 *
 * @param {{item: any, act: (request: Promise<any>) => void}} props
 */
function TakeBack({ item: { item_id: id, name, quantity }, act }) {
  const { client, say } = useConsole();
  const [text, setText] = useState("");
  const many = Number(text);
  const take = async () => {
    const path = `/inventory/${id}`;
    const { data, etag } = await client.request("GET", path);
    const left = data.quantity - many;
    return left > 0 ? client.patch(path, { quantity: left }, { ifMatch: etag }) : client.delete(path, { ifMatch: etag });
  };
  return html`<${Confirmed} label=${say("items.take")} description=${say("items.take_of", { name })}
    onOpen=${() => setText(String(quantity))}
    note=${quantity > 1 && html`<${Field} label=${say("items.quantity")} type="number" min="1" max=${quantity} step="1" required
      value=${text} onInput=${(/** @type {any} */ event) => setText(event.currentTarget.value)} />`}
    question=${say("items.take_sure", { many })} act=${() => act(take())} />`;
}

/** @param {{user: any, reload: () => void}} props */
export function Items({ user, reload }) {
  const { client, say } = useConsole();
  const [error, setError] = useState(null);
  const list = `/users/${user.user_id}/inventory`;
  const used = usePages(`${list}?active=false&limit=20`);
  const { value: products } = useLoaded(() => client.page("/products", { query: { limit: 100 } }), "items");
  const names = [...(products?.records ?? []).map((/** @type {any} */ product) => product.item_name),
    ...user.inventory.map((/** @type {any} */ item) => item.name)];
  const done = () => {
    setError(null);
    reload();
    used.reload();
  };
  const give = async (/** @type {any} */ { name, quantity }) => {
    await client.post(list, { name, quantity: Number(quantity) });
    reload();
  };
  const act = (/** @type {Promise<any>} */ request) => request.then(done, setError);
  const change = (/** @type {any} */ { item_id: id }, /** @type {string | null} */ time) =>
    act(client.patch(`/inventory/${id}`, { used_at: time }));
  /** Uses one of several: a separate item gets the time. @param {any} item */
  const useOne = async ({ item_id: id }) => {
    const path = `/inventory/${id}`;
    const { data, etag } = await client.request("GET", path);
    const { name, metadata, quantity } = data;
    const one = await client.post(list, { name, metadata, quantity: 1, used_at: new Date().toISOString() });
    try {
      await client.patch(path, { quantity: quantity - 1 }, { ifMatch: etag });
    } catch (failure) {
      // Without a response, the change may have been made.
      if (/** @type {any} */ (failure).status < 500) await client.delete(`/inventory/${one.item_id}`);
      throw failure;
    }
  };
  const count = user.inventory.reduce((/** @type {any} */ sum, /** @type {any} */ { quantity }) => sum + quantity, 0);
  const fields = [
    { name: "name", label: say("items.item"), required: true, pattern: NOT_BLANK, maxlength: 200, list: "known-items" },
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
          <div class="buttons">
            ${item.quantity > 1 && html`<${Write} class="quiet" onClick=${() => act(useOne(item))}
              aria-label=${say("items.use_one_of", { name: item.name })}>${say("items.use_one")}<//>`}
            <${Write} class="quiet" onClick=${() => change(item, new Date().toISOString())}
              aria-label=${say("items.use_of", { many: item.quantity, name: item.name })}>
              ${say("items.use", { many: item.quantity })}<//>
            <${TakeBack} item=${item} act=${act} />
          </div>
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
      <datalist id="known-items">${[...new Set(names)].filter(Boolean).map((name) => html`<option value=${name} />`)}</datalist>
    </section>
  </div>`;
}
