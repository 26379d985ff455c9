// Why a wallet has changed: the name of the rule, purchase or transfer as a link to it, and a link to the event.

import { html, useConsole } from "../shared/parts.js";

/** @param {Record<string, string>} parameters */
const data = (parameters) => `#/data?${new URLSearchParams(parameters)}`;

/** The address for each kind of cause, by identifier. @type {Record<string, any>} */
const ADDRESSES = {
  __proto__: null,
  rules: (/** @type {string} */ id) => `#/rules?open=${id}`,
  purchases: (/** @type {string} */ id) => data({ resource: "purchases", open: id }),
  // A transfer is not a record. Its two transactions name it.
  transfers: (/** @type {string} */ id) =>
    data({ resource: "transactions", query: String(new URLSearchParams({ cause: `transfers/${id}` })) }),
};

/** Returns the cause of a transaction as a text. @param {any} transaction @param {any} say */
export function causeOf({ amount, cause, description }, say) {
  const [kind, id] = (cause ?? "").split("/");
  if (!ADDRESSES[kind] || !id) return description;
  return say(kind === "purchases" && amount > 0 ? "cause.refund" : `cause.${kind}`, { name: description });
}

/**
 * The cause of a transaction, which its description names. A transaction by a person or a bot has only its description.
 *
 * @param {{transaction: any}} props
 */
export function Cause({ transaction }) {
  const { cause, reference, description } = transaction;
  const { say } = useConsole();
  const [kind, id] = (cause ?? "").split("/");
  const address = ADDRESSES[kind];
  const event = /^events\/(\d{1,16})$/.exec(reference ?? "")?.[1];
  // An import may have any cause.
  if (!address || !id) return html`<span dir="auto">${description}</span>${cause && html` <code>${cause}</code>`}`;
  return html`<a href=${address(id)} dir="auto">${causeOf(transaction, say)}</a>
    ${event && html` · <a href=${data({ resource: "events", open: event })}>${say("cause.event")}</a>`}`;
}
