// A viewer's wallet: the balance over time, its transactions, and a form to adjust it.

import { Cause } from "../cause.js";
import { Form, NOT_BLANK, Table } from "../forms.js";
import { usePages } from "../../shared/loading.js";
import { More, Problem, html, useConsole, useEffect, useState } from "../../shared/parts.js";
import { Curve } from "./balance.js";
import { Write } from "../write.js";

/** @param {{user: any, changes: any, reload: () => void}} props */
export function Wallet({ user, changes, reload }) {
  const { client, say } = useConsole();
  const path = `/users/${user.user_id}/transactions`;
  const transactions = usePages(`${path}?limit=20`);
  // An adjustment that makes the balance negative. It is probably a mistake, so the user has to confirm it.
  const [overdraft, setOverdraft] = useState(null);
  const [error, setError] = useState(null);
  // The form is cleared when its adjustment is stored.
  const [version, setVersion] = useState(0);
  const [balance, setBalance] = useState(user.wallet);
  // Other programs also change the balance.
  useEffect(() => {
    if (balance !== user.wallet) transactions.reload();
    setBalance(user.wallet);
  }, [user.wallet]);
  const adjust = async (/** @type {any} */ { amount, description }, isSure = false) => {
    const change = Number(amount);
    setOverdraft(null);
    if (change < 0 && user.wallet + change < 0 && !isSure) {
      setOverdraft({ amount, description });
      return null;
    }
    await client.post(path, { amount: change, description });
    if (isSure) setVersion(version + 1);
    reload();
    return undefined;
  };
  const refuseZero = (/** @type {any} */ { currentTarget: field }) =>
    field.setCustomValidity(Number(field.value) === 0 ? say("wallet.zero") : "");
  const after = (/** @type {any} */ { amount }) => user.wallet + Number(amount);
  const fields = [
    // With a minimum as low as the service's, browsers accept 1.5 as a whole number.
    { name: "amount", label: say("wallet.amount"), type: "number", step: "1", required: true,
      max: Number.MAX_SAFE_INTEGER, onInput: refuseZero },
    { name: "description", label: say("wallet.reason"), required: true, pattern: NOT_BLANK, maxlength: 200 },
  ];
  const amount = { label: say("wallet.amount"), className: "amount" };
  const columns = [say("when"), say("wallet.reason"), amount];
  return html`<div class="two wallet">
      <section class="card" aria-label=${say("wallet.curve")}>
        <h2>${say("wallet.curve")}</h2>
        ${changes?.length > 0
          ? html`<${Curve} changes=${changes} />`
          : changes && html`<p class="quiet">${say("wallet.none")}</p>`}
      </section>
      <section class="card">
        <h2>${say("wallet.adjust")}</h2>
        <p class="big balance">${say.number(user.wallet)}</p>
        <div onInput=${() => setOverdraft(null)}>
          <${Form} key=${version} submit=${say("wallet.adjust")} send=${adjust} fields=${fields} />
        </div>
        ${overdraft && html`<p role="alert">${say("wallet.overdraft", { balance: after(overdraft) })}</p>
          <${Write} class="danger" onClick=${() => adjust(overdraft, true).then(() => setError(null), setError)}>
            ${say("wallet.overdraft_sure")}<//>${" "}
          <button onClick=${() => setOverdraft(null)}>${say("cancel")}</button>`}
        <${Problem} error=${error} />
      </section>
    </div>
    ${(transactions.records.length > 0 || transactions.error) && html`<section class="card">
      <h2>${say("wallet.transactions")}</h2>
      <div class="transactions"><${Table} label=${say("wallet.transactions")} columns=${columns}>
        ${transactions.records.map((one) => html`<tr key=${one.transaction_id}>
          <td class="when">${say.time(one.created_at)}</td>
          <td><${Cause} transaction=${one} /></td>
          <td class=${one.amount > 0 ? "amount plus" : "amount"}>
            ${one.amount > 0 && "+"}${say.number(one.amount)}</td>
        </tr>`)}
      <//></div>
      <${More} list=${transactions} />
    </section>`}`;
}
