// The purchase dialog: the price, the product's question, and the result.

import { html, invalidField, isRetryable, useConsole, useRef, useState } from "../shared/parts.js";
import { points } from "../shared/units.js";
import { Thing } from "../shared/thing.js";
import { cooldownOf, waitOf } from "./cooldown.js";
import { Dialog } from "./dialog.js";
import { Failure, wordsOf } from "./notice.js";
import { Quantity, maxQuantity } from "./quantity.js";
import { Receipt, isTheirs } from "./receipt.js";

const MAX_ANSWER = 500;

/** Returns a random idempotency key. */
const randomKey = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

/** Returns the waiting time that a rejection requests, in seconds. @param {any} error */
const restOf = ({ code, retryAfter }) => (code === "on_cooldown" ? (retryAfter ?? 0) / 1_000 : 0);

/**
 * Returns the reason for a rejection, and the viewer's next step.
 *
 * @param {any} error
 * @param {any} say
 */
function refusalOf(error, say) {
  if (isRetryable(error)) return say("buy.unknown");
  if (error.code === "on_cooldown") return say("buy.on_cooldown", { time: waitOf(restOf(error), say) });
  const isProduct = (/** @type {any} */ { pointer }) => pointer === "/product_id";
  if (error.errors?.some(isProduct)) return say("buy.product_disabled");
  if (say.has(`buy.${error.code}`)) return say(`buy.${error.code}`);
  return error.status === 422 ? say("buy.invalid_body") : wordsOf(error, say);
}

const IDLE = { busy: false, error: /** @type {any} */ (null), purchase: /** @type {any} */ (null) };

/**
 * `onChange` receives the seconds until the product can be bought again.
 *
 * @param {{product: any, user: any, count: number, onChange: (rest: number) => void, onClose: () => void}} props
 */
export function Buy({ product, user, count, onChange, onClose }) {
  const { client, say, problem } = useConsole();
  const { product_id: productId, name, description, question } = product;
  const [wanted, setWanted] = useState(1);
  const max = maxQuantity(product, user.wallet, count);
  const quantity = Math.min(wanted, max);
  const price = product.price * quantity;
  const [state, setState] = useState(IDLE);
  const [reason, setReason] = useState("");
  // The browser's bubble may be in another language than the page.
  const onInvalid = (/** @type {any} */ event) => {
    event.preventDefault();
    setReason(say("buy.unanswered"));
    event.currentTarget.focus();
  };
  // A repeated attempt at the same purchase has the same key, so the viewer never pays twice.
  const attempt = useRef({ body: "", key: "" });
  const buy = async (/** @type {any} */ event) => {
    event.preventDefault();
    if (state.busy) return;
    const answer = String(new FormData(event.currentTarget).get("answer") ?? "").trim();
    const purchase = { product_id: productId, quantity, price, ...(answer && { answer }) };
    const body = JSON.stringify(purchase);
    if (attempt.current.body !== body) attempt.current = { body, key: randomKey() };
    setState({ ...IDLE, busy: true });
    let rest = cooldownOf(product);
    try {
      const bought = await client.post(`/users/${user.user_id}/purchases`, purchase, { key: attempt.current.key });
      setState({ ...IDLE, purchase: bought });
    } catch (error) {
      rest = restOf(error);
      setState({ ...IDLE, error });
    }
    onChange(rest);
  };
  const { busy, error, purchase } = state;
  if (purchase) {
    return html`<${Dialog} title=${say(isTheirs(purchase) ? "buy.done" : "buy.bought")} onClose=${onClose}>
      <${Receipt} purchase=${purchase} />
    <//>`;
  }
  return html`<${Dialog} title=${name} onClose=${onClose}>
    <div class="goods"><${Thing} name=${name} />${description && html`<p dir="auto">${description}</p>`}</div>
    <form onSubmit=${buy}>
      ${question && html`<label class="answer"><span dir="auto">${question}</span>
        <input name="answer" required pattern=".*\\S.*" maxlength=${MAX_ANSWER} dir="auto" autocomplete="off"
          autofocus ...${invalidField(question, reason)} onInvalid=${onInvalid}
          onInput=${() => setReason("")} />
        ${reason && html`<span class="failure" role="alert">${reason}</span>`}</label>`}
      ${max > 1 && html`<${Quantity} value=${quantity} max=${max} onChange=${setWanted} />`}
      <dl class="bill">
        <div><dt>${say("buy.balance")}</dt><dd>${say.number(user.wallet)}</dd></div>
        <div><dt>${say("buy.price")}</dt><dd>${say.number(price > 0 ? -price : 0)}</dd></div>
        <div class="total"><dt>${say("buy.after")}</dt><dd>${say.number(user.wallet - price)}</dd></div>
      </dl>
      ${error ? html`<p class="failure" role="alert">${refusalOf(error, say)}</p>` : html`<${Failure} error=${problem} />`}
      <button class="main" aria-disabled=${busy ? "true" : undefined} autofocus=${!question && max === 1}>
        ${say("buy.for", { points: points(price, say) })}</button>
    </form>
  <//>`;
}
