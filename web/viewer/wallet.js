// The wallet: the balance as a curve, and the transactions with their causes.

import { usePages } from "../shared/loading.js";
import { html, useConsole, useEffect, useState } from "../shared/parts.js";
import { Curve, causeOf } from "./curve.js";
import { Next, Nothing, Waiting } from "./notice.js";
import { signed } from "./signed.js";
import { useSteady } from "./steady.js";
import { When } from "./when.js";

// The rows shown before the first click on More.
const FEW = 6;
const PAGE = 60;

/** @param {{user: any}} props */
export function Wallet({ user }) {
  const { say } = useConsole();
  const list = usePages(`/users/${user.user_id}/transactions?limit=${PAGE}`);
  const records = useSteady(list);
  const [isOpen, setOpen] = useState(false);
  const [balance, setBalance] = useState(user.wallet);
  useEffect(() => {
    if (balance !== user.wallet) list.reload();
    setBalance(user.wallet);
  }, [user.wallet]);
  const rows = isOpen ? records : records.slice(0, FEW);
  const isEmpty = records.length === 0 && !list.error;
  return html`<section class="card">
    <h2>${say("wallet")}</h2>
    ${isEmpty && (list.busy ? html`<${Waiting} />` : html`<${Nothing}>${say("wallet.empty")}<//>`)}
    ${records.length > 1 && html`<${Curve} transactions=${records} balance=${user.wallet} />`}
    <ul class="transactions">
      ${rows.map((/** @type {any} */ one) => html`<li key=${one.transaction_id}>
        <span class="what" dir="auto">${one.description}</span>
        <span class="quiet">${say(`cause.${causeOf(one)}`)} · <${When} time=${one.created_at} /></span>
        <strong class=${one.amount > 0 ? "plus" : ""}>${signed(one.amount, say)}</strong>
      </li>`)}
    </ul>
    ${isOpen || records.length <= FEW
      ? html`<${Next} list=${list} label=${say("more")} />`
      : html`<button class="next" onClick=${() => setOpen(true)}>${say("more")}</button>`}
  </section>`;
}
