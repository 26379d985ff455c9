// The store: the products for sale, and the viewer's purchases.

import { useLoaded } from "../shared/loading.js";
import { html, useConsole, useState } from "../shared/parts.js";
import { Buy } from "./buy.js";
import { Failure, Nothing, Waiting } from "./notice.js";
import { Product } from "./product.js";
import { Purchases } from "./purchases.js";
import { useBought } from "./use-bought.js";

// Other viewers buy as well, and the streamer changes products. In milliseconds.
const REFRESH = 20_000;
const MAX_PRODUCTS = 1_000;

/** @param {{user: any, onBought: any}} props */
export function Store({ user, onBought }) {
  const { client, say } = useConsole();
  const load = () => client.get("/products", { query: { enabled: true, limit: MAX_PRODUCTS } });
  const { value: products, error, reload } = useLoaded(load, "products", REFRESH);
  const [opened, setOpened] = useState(/** @type {any} */ (null));
  const [purchases, setPurchases] = useState(0);
  // A product that was removed stays in the dialog, which says so.
  const chosen = opened
    && (products?.find((/** @type {any} */ { product_id: id }) => id === opened.product_id) ?? opened);
  const bought = useBought(products, user.user_id, purchases);
  // When products can be bought again after a purchase or a rejection, by product identifier.
  const [ends, setEnds] = useState(/** @type {Record<number, number>} */ ({}));
  const onChange = (/** @type {number} */ rest) => {
    setEnds({ ...ends, [opened.product_id]: Date.now() + rest * 1_000 });
    reload();
    onBought();
    setPurchases((before) => before + 1);
  };
  const countOf = (/** @type {any} */ { product_id: id }) => bought[id]?.count ?? 0;
  const isSoldOut = (/** @type {any} */ { stock }) => Number(stock === 0);
  const order = (/** @type {any} */ one, /** @type {any} */ other) =>
    isSoldOut(one) - isSoldOut(other) || one.price - other.price;
  const sorted = [...(products ?? [])].sort(order);
  return html`<section class="card store">
    <h2>${say("store")}</h2>
    <${Failure} error=${error} />
    ${!products && !error && html`<${Waiting} />`}
    ${products?.length === 0 && html`<${Nothing}>${say("store.empty")}<//>`}
    <ul class="products">
      ${sorted.map((product) => html`<${Product} key=${product.product_id} product=${product} balance=${user.wallet}
        until=${Math.max(ends[product.product_id] ?? 0, bought[product.product_id]?.end ?? 0)}
        count=${countOf(product)} onBuy=${() => setOpened(product)} />`)}
    </ul>
    <${Purchases} id=${user.user_id} version=${purchases} />
    ${chosen && html`<${Buy} product=${chosen} user=${user} count=${countOf(chosen)} onChange=${onChange}
      onClose=${() => setOpened(null)} />`}
  </section>`;
}
