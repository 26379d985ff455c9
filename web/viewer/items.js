// The viewer's items: the current ones as tiles, and the most recently used ones.

import { useLoaded } from "../shared/loading.js";
import { html, useConsole } from "../shared/parts.js";
import { Thing } from "../shared/thing.js";
import { Nothing } from "./notice.js";

const MAX_USED = 5;

/** Returns the number of each item, by name. @param {any} items */
function countsOf(items) {
  const counts = new Map();
  for (const { name, quantity } of items) counts.set(name, (counts.get(name) ?? 0) + quantity);
  return [...counts];
}

/** @param {{user: any}} props */
export function Items({ user }) {
  const { client, say } = useConsole();
  const path = `/users/${user.user_id}/inventory`;
  // A used item leaves the active ones.
  const key = user.inventory.map((/** @type {any} */ { item_id: id }) => id).join();
  const { value: used } = useLoaded(() => client.get(path, { query: { active: false, limit: MAX_USED } }), key);
  const usage = (/** @type {any} */ item) => `${item.name} (${say.ago(item.used_at)})`;
  const counts = countsOf(user.inventory);
  return html`<section class="card">
    <h2>${say("items")}</h2>
    ${counts.length === 0 && html`<${Nothing}>${say("items.empty")}<//>`}
    <ul class="items">
      ${counts.map(([name, count]) => html`<li key=${name}>
        <${Thing} name=${name} />
        ${count > 1 && html`<span class="count">×${say.compact(count)}</span>`}
        <span dir="auto">${name}</span>
      </li>`)}
    </ul>
    ${used?.length > 0 &&
    html`<p class="quiet" dir="auto">${say("items.used", { names: used.map(usage).join(", ") })}</p>`}
  </section>`;
}
