// The balance after each transaction, as a step curve. A slider below it shows each step's cause.

import { html, useConsole, useState } from "../shared/parts.js";
import { signed } from "./signed.js";

const WIDTH = 320;
const HEIGHT = 110;
const MARGIN = 8;

/**
 * Returns the balance after each transaction, oldest first. The last one is the current balance.
 *
 * @param {any[]} transactions
 * @param {any} balance
 */
function balancesOf(transactions, balance) {
  let after = balance;
  const points = transactions.map((transaction) => {
    const point = { transaction, balance: after };
    after -= transaction.amount;
    return point;
  });
  return points.reverse();
}

/** Returns why the balance changed: one of the texts below `cause`. @param {{cause: any, amount: number}} record */
export function causeOf({ cause, amount }) {
  const kind = (cause ?? "").split("/")[0];
  if (kind === "purchases") return amount > 0 ? "refund" : "purchase";
  if (kind === "transfers") return amount > 0 ? "received" : "sent";
  return kind === "rules" ? "earned" : "streamer";
}

/** @param {{transactions: any, balance: any}} props */
export function Curve({ transactions, balance }) {
  const { say } = useConsole();
  const points = balancesOf(transactions, balance);
  const last = points.length - 1;
  const [chosen, setChosen] = useState(/** @type {number | null} */ (null));
  const index = Math.min(chosen ?? last, last);
  const before = points[0].balance - points[0].transaction.amount;
  const values = [before, ...points.map((point) => point.balance)];
  const [low, high] = [Math.min(0, ...values), Math.max(1, ...values)];
  const x = (/** @type {any} */ at) => MARGIN + (at / (last + 1)) * (WIDTH - 2 * MARGIN);
  const y = (/** @type {any} */ value) => HEIGHT - MARGIN - ((value - low) / (high - low)) * (HEIGHT - 2 * MARGIN);
  const line = `M${x(0)} ${y(before)}${values.map((value, at) => `H${x(at)}V${y(value)}`).join("")}`;
  const { transaction, balance: then } = points[index];
  const text = say("wallet.at", {
    date: say.date(transaction.created_at),
    balance: then,
    change: signed(transaction.amount, say),
    reason: `${say(`cause.${causeOf(transaction)}`)}: ${transaction.description}`,
  });
  return html`<figure class="curve">
    <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <path class="area" d=${`${line}V${y(low)}H${x(0)}Z`} />
      <path class="line" d=${line} />
      <path class="here" d=${`M${x(index + 1)} ${y(low)}V${MARGIN}`} />
      <circle cx=${x(index + 1)} cy=${y(then)} r="5" />
    </svg>
    <input type="range" min="0" max=${last} step="1" value=${index}
      aria-label=${say("wallet.curve")} aria-valuetext=${text}
      onInput=${(event) => setChosen(Number(event.currentTarget.value))} />
    <figcaption dir="auto">${text}</figcaption>
  </figure>`;
}
