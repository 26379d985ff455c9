// The page of a viewer: figures, and tabs for the timeline, the wallet, the purchases, the items and the pet, with forms to change
// them.

import { Cause } from "./cause.js";
import { Rows } from "./events.js";
import { figuresOf } from "./figures.js";
import { useTimeline } from "./follow.js";
import { Confirmed, Form, Table, Tabs } from "./forms.js";
import { useLoaded, usePages } from "./loading.js";
import { Empty, More, Problem, Skeleton, html, useConsole, useEffect, useMemo, useState } from "./parts.js";
import { Privacy } from "./privacy.js";
import { isAnonymized } from "./privacy-words.js";
import { Purchases } from "./purchases.js";

// The feed has no entries for transactions, items and pets, so they are read again after this time, in milliseconds.
const REFRESH = 15_000;
// The lists of a viewer that are exported with the record.
const LISTS = ["events", "transactions", "purchases", "specimens", "inventory"];

export function Viewer({ id }) {
  const { client, say, subscribe } = useConsole();
  const { value: user, error, reload } = useLoaded(() => client.get(`/users/${id}`, { retries: 0 }), id, REFRESH);
  const { value: figures } = useLoaded(() => figuresOf(client, id), id, REFRESH);
  useEffect(() => subscribe(({ data }) => data?.user_id === Number(id) && reload()), [id]);
  const [failure, setFailure] = useState(null);
  if (!user) return error ? html`<h1>${say("viewer.title")}</h1><${Problem} error=${error} onRetry=${reload} />` : html`<${Skeleton} rows=${6} />`;

  const save = async () => {
    try {
      const archive = { user };
      for (const list of LISTS) {
        archive[list] = [];
        for await (const record of client.list(`/users/${id}/${list}`, { limit: 1_000 })) archive[list].push(record);
      }
      const link = Object.assign(document.createElement("a"), { download: `viewer-${id}.json` });
      link.href = URL.createObjectURL(new Blob([JSON.stringify(archive, null, 2)], { type: "application/json" }));
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (error) {
      setFailure(error);
    }
  };
  const remove = () => client.delete(`/users/${id}`).then(() => (location.hash = "#/viewers"), setFailure);
  const figure = (label, value) => html`<div class="card figure"><span class="quiet">${label}</span><strong class="big">${value ?? "…"}</strong></div>`;
  return html`<div class="bar spread">
      <div>
        <h1 dir="auto">${user.name}${isAnonymized(user) && html` <span class="mark-anonymized">${say("privacy.is_anonymized")}</span>`}</h1>
        <p class="quiet">${figures?.sub && `${say("viewer.sub", { tier: String(figures.sub.tier), months: figures.sub.subscribed_length })} · `}${say("viewer.since", { date: say.date(user.created_at) })}</p>
      </div>
      <div class="bar"><button onClick=${save}>${say("export")}</button><${Confirmed} className="" label=${say("delete")} question=${say("viewer.delete_sure")} act=${remove} /></div>
    </div>
    <${Problem} error=${failure ?? error} onRetry=${failure ? null : reload} />
    <div class="figures">
      ${figure(say("viewers.bits"), figures && say.number(figures.bits))}
      ${figure(say("viewers.messages"), figures && say.number(figures.messages))}
      ${figure(say("viewer.raiders"), figures && say.number(figures.raiders))}
      ${figure(say("viewers.balance"), say.number(user.wallet))}
    </div>
    <${Tabs} label=${say("viewer.title")} names=${{ timeline: say("viewer.timeline"), wallet: say("viewer.wallet"), purchases: say("viewer.purchases"), items: say("viewer.items"), pet: say("viewer.pet"), privacy: say("privacy.title") }}>
      ${(tab) => html`${tab === "timeline" && html`<${Events} id=${id} />`}
        ${tab === "wallet" && html`<${Wallet} user=${user} reload=${reload} />`}
        ${tab === "purchases" && html`<${ViewerPurchases} id=${id} />`}
        ${tab === "items" && html`<${Items} user=${user} reload=${reload} />`}
        ${tab === "pet" && html`<${Pet} user=${user} reload=${reload} />`}
        ${tab === "privacy" && html`<${Privacy} user=${user} isAnonymized=${isAnonymized(user)} reload=${reload} />`}`}
    <//>`;
}

function Events({ id }) {
  const { say } = useConsole();
  const matches = useMemo(() => Object.assign((event) => event.user_id === Number(id), { key: id }), [id]);
  const list = useTimeline({ paths: useMemo(() => [`/users/${id}/events?limit=50`], [id]), matches });
  return html`<${Rows} chunks=${list.chunks} newIds=${list.newIds} label=${say("viewer.timeline")} />
    ${list.size === 0 && !list.busy && !list.error && html`<${Empty}>${say("viewer.no_events")}<//>`}
    <${More} list=${list} scrolls />`;
}

function ViewerPurchases({ id }) {
  const { say } = useConsole();
  const isOwn = ({ user_id: buyer }) => buyer === Number(id);
  return html`<${Purchases} path=${`/users/${id}/purchases?limit=20`} matches=${isOwn} label=${say("viewer.purchases")}><${Empty}>${say("viewer.no_purchases")}<//><//>`;
}

function Wallet({ user, reload }) {
  const { client, say } = useConsole();
  const path = `/users/${user.user_id}/transactions`;
  const transactions = usePages(`${path}?limit=20`);
  // An adjustment that makes the balance negative, which is probably a mistake, so the user has to confirm it.
  const [overdraft, setOverdraft] = useState(null);
  const [error, setError] = useState(null);
  const [balance, setBalance] = useState(user.wallet);
  // Other programs change the balance, too.
  useEffect(() => {
    if (balance !== user.wallet) transactions.reload();
    setBalance(user.wallet);
  }, [user.wallet]);
  const adjust = async ({ amount, description }, isSure = false) => {
    const change = Number(amount);
    if (change === 0) throw new Error(say("wallet.zero"));
    if (change < 0 && user.wallet + change < 0 && !isSure) {
      setOverdraft({ amount, description });
      return "";
    }
    await client.post(path, { amount: change, description });
    setOverdraft(null);
    reload();
    return undefined;
  };
  return html`<div class="two">
    <section class="card">
      <h2>${say("wallet.adjust")}</h2>
      <p class="big balance">${say.number(user.wallet)}</p>
      <${Form} submit=${say("wallet.adjust")} send=${adjust}
        fields=${[
          { name: "amount", label: say("wallet.amount"), type: "number", step: "1", required: true },
          { name: "description", label: say("wallet.reason"), required: true, maxlength: 200 },
        ]} />
      ${overdraft &&
      html`<p role="alert">${say("wallet.overdraft", { balance: user.wallet + Number(overdraft.amount) })}</p>
        <button class="danger" onClick=${() => adjust(overdraft, true).then(() => setError(null), setError)}>${say("wallet.overdraft_sure")}</button>${" "}
        <button onClick=${() => setOverdraft(null)}>${say("cancel")}</button>`}
      <${Problem} error=${error} />
    </section>
    <section class="card">
      <h2>${say("wallet.transactions")}</h2>
      <div class="transactions"><${Table} label=${say("wallet.transactions")} columns=${[say("when"), { label: say("wallet.amount"), className: "amount" }, say("wallet.reason"), say("cause.title")]}>
        ${transactions.records.map((one) => html`<tr key=${one.transaction_id}><td>${say.time(one.created_at)}</td><td class="amount">${say.number(one.amount)}</td><td dir="auto">${one.description}</td><td><${Cause} transaction=${one} /></td></tr>`)}
      <//></div>
      <${More} list=${transactions} />
    </section>
  </div>`;
}

function Items({ user, reload }) {
  const { client, say } = useConsole();
  const [error, setError] = useState(null);
  const give = async ({ name, quantity }) => {
    await client.post(`/users/${user.user_id}/inventory`, { name, quantity: Number(quantity) });
    reload();
  };
  const use = (item) => client.patch(`/inventory/${item.item_id}`, { used_at: new Date().toISOString() }).then(reload, setError);
  return html`<div class="two">
    <section class="card">
      <h2>${say("items.title")}</h2>
      ${user.inventory.length === 0 && html`<p class="quiet">${say("items.empty")}</p>`}
      <ul class="plain-list">
        ${user.inventory.map(
          (item) => html`<li key=${item.item_id}>
            <span dir="auto">${item.quantity > 1 && html`${say.number(item.quantity)} × `}${item.name}</span>${" "}
            <button class="quiet" onClick=${() => use(item)} aria-label=${say("items.use_of", { name: item.name })}>${say("items.use")}</button>
          </li>`,
        )}
      </ul>
      <${Problem} error=${error} />
    </section>
    <section class="card">
      <h2>${say("items.give")}</h2>
      <${Form} submit=${say("items.give")} send=${give}
        fields=${[
          { name: "name", label: say("items.item"), required: true, maxlength: 200 },
          { name: "quantity", label: say("items.quantity"), type: "number", min: "1", step: "1", value: "1", required: true },
        ]} />
    </section>
  </div>`;
}

function Pet({ user, reload }) {
  const { client, say } = useConsole();
  const [error, setError] = useState(null);
  const act = (send) => send.then(() => (setError(null), reload()), setError);
  const path = `/users/${user.user_id}/specimen`;
  const pet = user.specimen;
  return html`<section class="card">
    <h2>${say("viewer.pet")}</h2>
    ${pet
      ? html`<p>${say("pet.born", { date: say.time(pet.born_at) })}</p>
          <${Confirmed} className="" label=${say("pet.remove")} question=${say("pet.remove_sure")} act=${() => act(client.patch(path, { forgotten_at: new Date().toISOString() }))} />`
      : html`<p>${say("pet.none")}</p>
          <button class="main" onClick=${() => act(client.post(path, {}))}>${say("pet.give")}</button>`}
    <${Problem} error=${error} />
  </section>`;
}
