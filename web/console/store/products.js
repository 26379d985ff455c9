// The products of the store, and a form for each.

import { Thing } from "../../shared/thing.js";
import { Confirmed, Setting } from "../forms.js";
import { useLoaded, useReload } from "../../shared/loading.js";
import { Empty, Problem, Skeleton, html, useConsole, useState } from "../../shared/parts.js";
import { ProductForm } from "./product.js";
import { productFacts } from "../activity/sentences.js";
import { points } from "../../shared/units.js";
import { useChanges } from "../changes.js";
import { useWrite } from "../write.js";

const MAX_PRODUCTS = 1_000;
// Products are not in the feed, but purchases, which change their stock, are.
const REFRESH = 10_000;
const SETTLE_PAUSE = 500;

export function Products() {
  const { client, say, parameters, setParameters } = useConsole();
  const load = async () => (await client.page("/products", { query: { limit: MAX_PRODUCTS } })).records;
  const { value, error, reload } = useLoaded(load, "products", REFRESH);
  useReload((type) => type.startsWith("purchase."), reload, SETTLE_PAUSE);
  const changes = useChanges(value, reload);
  const open = parameters.get("open");
  const close = () => setParameters({ open: null });
  const create = () => setParameters({ open: "new" });
  if (!value) return error ? html`<${Problem} error=${error} onRetry=${reload} />` : html`<${Skeleton} rows=${4} />`;
  const edited = value.find((/** @type {any} */ { product_id: id }) => String(id) === open);
  const button = html`<button class="main" onClick=${create}>${say("store.new")}</button>`;
  const isEmpty = value.length === 0;
  return html`<${Problem} error=${error} onRetry=${reload} />
    ${isEmpty ? html`<${Empty}>${say("store.products_empty")} ${button}<//>` : html`<p class="bar end">${button}</p>`}
    <ul class="products">
      ${value.map((/** @type {any} */ product) => html`<${Product} key=${product.product_id} product=${product}
        changes=${changes} />`)}
    </ul>
    ${open && !edited && open !== "new" && html`<p class="error" role="alert">${say("store.gone", { id: open })}</p>`}
    ${(open === "new" || edited) &&
    html`<${ProductForm} key=${open} product=${edited ?? null} onClose=${close}
      onSaved=${() => (close(), reload())} />`}`;
}

/** @param {{product: any, changes: any}} props */
function Product({ product, changes }) {
  const { client, say, setParameters } = useConsole();
  const { product_id: id, name, description, price, stock, enabled } = product;
  const path = `/products/${id}`;
  const act = (/** @type {Promise<any>} */ request) => changes.change(id, request);
  const [saved, setSaved] = useState("");
  const setStock = (/** @type {string} */ text) =>
    act(client.patch(path, { stock: text === "" ? null : Number(text) }).then(() => setSaved(say("store.saved"))));
  const facts = productFacts(product, say);
  const isSoldOut = stock === 0;
  return html`<li class=${`card product ${enabled ? "" : "off"}`}>
    <div class="head">
      <${Thing} name=${name} />
      <h2 dir="auto">${name}</h2>
      <span class="price">${points(price, say)}</span>
    </div>
    ${description && html`<p dir="auto">${description}</p>`}
    <p class="quiet" dir="auto">
      ${isSoldOut && html`<strong class="bad">${say("product.sold_out")}</strong>`}
      ${isSoldOut && facts.length > 0 && " · "}${facts.join(" · ")}
    </p>
    <div class="bar spread">
      <div class="bar" onInput=${() => setSaved("")}>
        <${Setting} label=${say("product.stock")} type="number" min="0"
          max=${Number.MAX_SAFE_INTEGER} step="1" value=${stock ?? ""}
          placeholder=${say("product.unlimited")} onCommit=${setStock} ...${useWrite()} />
        <span class="good" role="status">${saved}</span>
      </div>
      <span class="bar">
        <button aria-label=${say("store.edit_of", { name })}
          onClick=${() => setParameters({ open: String(id) })}>${say("edit")}</button>
        <${Confirmed} className="bad" label=${say("delete")} description=${say("delete_of", { name })}
          question=${say("store.delete_sure")}
          note=${say("store.delete_note")} act=${() => act(client.delete(path))} />
      </span>
    </div>
    <${Problem} error=${changes.errorOf(id)} />
  </li>`;
}
