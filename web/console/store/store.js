// The store: the queue of waiting purchases, the products, and all purchases.

import { Field, Tabs } from "../forms.js";
import { later } from "../later.js";
import { Empty, html, useConsole } from "../../shared/parts.js";
import { Purchases } from "./purchases.js";

const STATUSES = ["pending", "fulfilled", "refunded"];

/** @param {{status: any}} record */
const isPending = ({ status }) => status === "pending";

const Products = later(() => import("./products.js").then(({ Products }) => Products));

export function View() {
  const { say, setParameters } = useConsole();
  const names = { queue: say("store.queue"), products: say("store.products"), history: say("store.history") };
  const seeProducts = () => setParameters({ tab: "products" });
  return html`<h1>${say("nav.store")}</h1>
    <${Tabs} label=${say("nav.store")} names=${names}>
      ${(tab) => html`${tab === "queue" &&
        html`<${Purchases} key="queue" path="/purchases?status=pending&order=asc&limit=50" matches=${isPending}
          label=${names.queue} isQueue>
          <${Empty}>${say("store.queue_empty")} <button onClick=${seeProducts}>${say("store.see_products")}</button><//>
        <//>`}
        ${tab === "products" && html`<${Products} />`}
        ${tab === "history" && html`<${History} label=${names.history} />`}`}
    <//>`;
}

/** All purchases, or those with a status. @param {{label: string}} props */
function History({ label }) {
  const { say, parameters, setParameters } = useConsole();
  const status = STATUSES.find((one) => one === parameters.get("status"));
  const options = [{ value: "", label: say("store.all") },
    ...STATUSES.map((value) => ({ value, label: say(`purchase.${value}`) }))];
  const matches = (/** @type {any} */ purchase) => !status || purchase.status === status;
  return html`<div class="bar end">
      <${Field} label=${say("store.status")} value=${status ?? ""} options=${options}
        onChange=${(/** @type {any} */ event) => setParameters({ status: event.currentTarget.value })} />
    </div>
    <${Purchases} key=${status} path=${`/purchases?limit=50${status ? `&status=${status}` : ""}`} matches=${matches}
      label=${label}>
      <${Empty}>${say(status ? "store.status_empty" : "store.history_empty")}<//>
    <//>`;
}
