// The list of viewers, and the page of a viewer: wallet, pet, inventory and events, with forms to change them.

import { EventRow, Form, More, Problem, html, idempotencyHeaders, useConsole, useEffect, usePages, useState } from "./parts.js";

export function Viewers() {
  const { say } = useConsole();
  const [name, setName] = useState("");
  const pages = usePages(`/users?limit=50${name && `&name=${encodeURIComponent(name)}`}`);
  return html`<h1>${say("viewers.title")}</h1>
    <${Form} submit=${say("search.go")} fields=${[{ name: "name", label: say("viewers.name"), type: "search" }]}
      send=${async (values) => (setName(values.name), "")} />
    <div class="scroll card">
      <table>
        <thead><tr><th scope="col">${say("viewers.name")}</th><th scope="col">${say("viewers.wallet")}</th><th scope="col">${say("viewers.since")}</th></tr></thead>
        <tbody>
          ${pages.records.map(
            (user) => html`<tr key=${user.user_id}>
              <td><a href=${`#/viewers/${user.user_id}`}>${user.name}</a></td>
              <td>${say.number(user.wallet)}</td>
              <td>${say.time(user.created_at)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <${More} of=${pages} scrolls />`;
}

export function Viewer({ id }) {
  const { api, say } = useConsole();
  const [user, setUser] = useState(null);
  const [error, setError] = useState(null);
  const [version, setVersion] = useState(0);
  const transactions = usePages(`/users/${id}/transactions?limit=20`);
  const events = usePages(`/users/${id}/events?limit=20`);
  useEffect(() => {
    setError(null);
    api.get(`/users/${id}`).then(setUser, setError);
  }, [id, version]);
  const reload = () => setVersion(version + 1);
  if (error) return html`<${Problem} of=${error} />`;
  if (!user) return html`<p class="quiet" role="status">${say("loading")}</p>`;

  const adjust = async ({ amount, description }) => {
    await api.send("POST", `/users/${id}/transactions`, { body: { amount: Number(amount), description }, headers: idempotencyHeaders() });
    reload();
    transactions.reload();
  };
  const give = async ({ name, quantity }) => {
    await api.send("POST", `/users/${id}/inventory`, { body: { name, quantity: Number(quantity) }, headers: idempotencyHeaders() });
    reload();
  };
  const use = async (item) => {
    await api.send("PATCH", `/inventory/${item.item_id}`, { body: { used_at: new Date().toISOString() } });
    reload();
  };
  return html`<p><a href="#/viewers">${say("viewers.title")}</a></p>
    <h1>${user.name}</h1>
    <p class="quiet"><code>${user.platform_id}</code> · ${say("viewers.since")} ${say.time(user.created_at)}</p>
    <div class="grid">
      <section class="card">
        <h2>${say("viewers.wallet")}</h2>
        <p class="big">${say.number(user.wallet)}</p>
        <${Form} submit=${say("viewers.pay")} send=${adjust}
          fields=${[
            { name: "amount", label: say("viewers.amount"), type: "number", step: "1", required: true },
            { name: "description", label: say("viewers.description"), required: true, maxlength: 200 },
          ]} />
      </section>
      <${Pet} user=${user} reload=${reload} />
      <section class="card">
        <h2>${say("viewers.inventory")}</h2>
        <ul>
          ${user.inventory.map(
            (item) => html`<li key=${item.item_id}>
              ${item.quantity > 1 && html`${say.number(item.quantity)} × `}${item.name}${" "}
              <button class="quiet" onClick=${() => use(item)} aria-label=${say("viewers.use_of", { name: item.name })}>${say("viewers.use")}</button>
            </li>`,
          )}
        </ul>
        <${Form} submit=${say("viewers.give")} send=${give}
          fields=${[
            { name: "name", label: say("viewers.item"), required: true, maxlength: 200 },
            { name: "quantity", label: say("viewers.quantity"), type: "number", min: "1", step: "1", value: "1", required: true },
          ]} />
      </section>
    </div>
    <section class="card">
      <h2>${say("viewers.ledger")}</h2>
      <div class="scroll">
        <table>
          <thead><tr><th scope="col">${say("when")}</th><th scope="col">${say("viewers.amount")}</th><th scope="col">${say("viewers.description")}</th></tr></thead>
          <tbody>
            ${transactions.records.map(
              (one) => html`<tr key=${one.transaction_id}><td>${say.time(one.created_at)}</td><td>${say.number(one.amount)}</td><td>${one.description}</td></tr>`,
            )}
          </tbody>
        </table>
      </div>
      <${More} of=${transactions} />
    </section>
    <h2>${say("viewers.events")}</h2>
    <ol class="wall">${events.records.map((event) => html`<${EventRow} key=${event.event_id} event=${event} />`)}</ol>
    <${More} of=${events} scrolls />`;
}

function Pet({ user, reload }) {
  const { api, say } = useConsole();
  const [confirming, setConfirming] = useState(false);
  const [error, setError] = useState(null);
  const act = (send) => send.then(reload, setError).then(() => setConfirming(false));
  const forget = () => act(api.send("PATCH", `/users/${user.user_id}/specimen`, { body: { forgotten_at: new Date().toISOString() } }));
  const hatch = () => act(api.send("POST", `/users/${user.user_id}/specimen`, { body: {}, headers: idempotencyHeaders() }));
  const pet = user.specimen;
  return html`<section class="card">
    <h2>${say("viewers.pet")}</h2>
    ${pet
      ? html`<p>${say("viewers.born")} ${say.time(pet.born_at)}</p>
          ${confirming
            ? html`<p>${say("viewers.forget_sure")}</p>
                <button class="main" onClick=${forget}>${say("viewers.forget")}</button>${" "}
                <button onClick=${() => setConfirming(false)}>${say("cancel")}</button>`
            : html`<button onClick=${() => setConfirming(true)}>${say("viewers.forget")}</button>`}`
      : html`<p>${say("viewers.no_pet")}</p>
          <button onClick=${hatch}>${say("viewers.hatch")}</button>`}
    <${Problem} of=${error} />
  </section>`;
}
