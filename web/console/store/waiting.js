// The number of waiting purchases, beside the link to the store.

import { useLoaded, useReload } from "../../shared/loading.js";
import { html, useConsole } from "../../shared/parts.js";

const MOST = 99;
// The time from a purchase until they are counted again, in milliseconds.
const PAUSE = 500;

export function Waiting() {
  const { client, say } = useConsole();
  const query = { status: "pending", limit: MOST + 1 };
  const { value, reload } = useLoaded(async () => (await client.page("/purchases", { query })).records.length, "waiting");
  useReload((type) => type.startsWith("purchase."), reload, PAUSE);
  if (!value) return null;
  return html`<b class="count" title=${say("store.waiting")}>${value > MOST ? `${MOST}+` : value}</b>`;
}
