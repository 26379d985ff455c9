// A viewer's balance over time: a hook that calculates it from the last transactions, and its curve.

import { Cause, causeOf } from "../cause.js";
import { useLoaded } from "../../shared/loading.js";
import { html, useConsole, useEffect, useState } from "../../shared/parts.js";

/** The number of transactions in the curve. */
const LIMIT = 100;
const KINDS = ["rules", "purchases", "transfers"];
/** The drawing's height, and the room above and below the line. Its width is 100. */
const HEIGHT = 40;
const PADDING = 4;

/** Returns the kind of a transaction's cause. `other` is a person or another program. @param {{cause: any}} record */
const kindOf = ({ cause }) => KINDS.find((kind) => cause?.startsWith(`${kind}/`)) ?? "other";

/**
 * Loads the last transactions, oldest first, each with the balance after it: `{transaction, balance, kind}`. Reloads them
 * when the balance changes.
 *
 * @param {any} user
 */
export function useBalance(user) {
  const { client } = useConsole();
  const path = `/users/${user.user_id}/transactions`;
  const load = async () => {
    const { records } = await client.page(path, { query: { limit: LIMIT } });
    let balance = user.wallet;
    return records.map((/** @type {any} */ transaction) => {
      const change = { transaction, balance, kind: kindOf(transaction) };
      balance -= transaction.amount;
      return change;
    }).reverse();
  };
  return useLoaded(load, `${path} ${user.wallet}`);
}

/** Returns the positions of the changes in the drawing, and the line through them. @param {any[]} changes */
function drawn(changes) {
  const [first] = changes;
  const before = first.balance - first.transaction.amount;
  const balances = [before, ...changes.map(({ balance }) => balance)];
  const low = Math.min(0, ...balances);
  const range = Math.max(...balances) - low || 1;
  const y = (/** @type {any} */ balance) => HEIGHT - PADDING - ((balance - low) / range) * (HEIGHT - 2 * PADDING);
  const times = changes.map(({ transaction }) => Date.parse(transaction.created_at));
  const span = times[times.length - 1] - times[0];
  // The first change is not at the edge, so its step is visible.
  const x = (/** @type {number} */ index) =>
    4 + 92 * (span > 0 ? (times[index] - times[0]) / span : index / Math.max(1, changes.length - 1));
  const points = changes.map(({ balance }, index) => ({ x: x(index), y: y(balance) }));
  const line = `M0 ${y(before)}${points.map((point) => `H${point.x}V${point.y}`).join("")}H100`;
  return { points, line, area: `${line}V${y(low)}H0Z`, zero: y(0) };
}

/** @param {{line: any, area: any, zero: any}} props */
function Line({ line, area, zero }) {
  return html`<svg viewBox=${`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
    <path class="area" d=${area} />
    <path class="zero" d=${`M0 ${zero}H100`} />
    <path class="line" d=${line} />
  </svg>`;
}

/** The curve as a small picture. Adjacent text conveys its meaning. @param {{changes: any}} props */
export const Sparkline = ({ changes }) => html`<div class="balance-curve small"><${Line} ...${drawn(changes)} /></div>`;

/**
 * The curve. The pointer or the arrow keys select a change and show its cause.
 *
 * @param {{changes: any[]}} props
 */
export function Curve({ changes }) {
  const { say } = useConsole();
  const [selected, setSelected] = useState(changes.length - 1);
  useEffect(() => setSelected(changes.length - 1), [changes]);
  const { points, ...line } = drawn(changes);
  const balances = [changes[0].balance - changes[0].transaction.amount, ...changes.map((change) => change.balance)];
  const times = [changes[0], changes[changes.length - 1]].map((change) => change.transaction.created_at);
  const [from, to] = new Set(times.map(say.date)).size > 1 ? times.map(say.date) : times.map(say.clock);
  const index = Math.min(selected, changes.length - 1);
  const { transaction, balance, kind } = changes[index];
  const amount = `${transaction.amount > 0 ? "+" : ""}${say.number(transaction.amount)}`;
  const text = `${amount} · ${causeOf(transaction, say)}`;
  const after = say("wallet.after", { balance, time: say.time(transaction.created_at) });
  const select = (/** @type {any} */ to) => setSelected(Math.max(0, Math.min(changes.length - 1, to)));
  const onKeyDown = (/** @type {any} */ event) => {
    /** @type {Record<string, number>} */
    const places = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: changes.length - 1 };
    const to = places[event.key];
    if (to === undefined) return;
    event.preventDefault();
    select(to);
  };
  const onPointerMove = (/** @type {any} */ { currentTarget, clientX }) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const at = ((clientX - left) / width) * 100;
    const distances = points.map(({ x }) => Math.abs(x - at));
    setSelected(distances.lastIndexOf(Math.min(...distances)));
  };
  const kinds = [...KINDS, "other"].filter((name) => changes.some((change) => change.kind === name));
  const key = (/** @type {string} */ name) => html`<span><i class=${name}></i>${say(`wallet.kind.${name}`)}</span>`;
  return html`<div class="balance-curve" role="slider" tabindex="0" aria-label=${say("wallet.curve")} aria-valuemin="1"
      aria-valuemax=${changes.length} aria-valuenow=${index + 1} aria-valuetext=${`${text}. ${after}`}
      onKeyDown=${onKeyDown} onPointerMove=${onPointerMove}>
      <${Line} ...${line} />
      ${points.map(({ x, y }, at) => html`<i class=${`${changes[at].kind}${at === index ? " selected" : ""}`}
        style=${{ left: `${x}%`, top: `${(y / HEIGHT) * 100}%` }}></i>`)}
    </div>
    ${changes.length > 1 && html`<p class="balance-axis quiet"><span>${from}</span>
      <span>${say("wallet.range", { from: say.number(Math.min(...balances)), to: say.number(Math.max(...balances)) })}</span>
      <span>${to}</span></p>`}
    <p class="balance-change"><strong class=${kind}>${amount}</strong>${" "}
      <${Cause} transaction=${transaction} /> <span class="quiet">${after}</span></p>
    <p class="legend">${kinds.map(key)}</p>`;
}
