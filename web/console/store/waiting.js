// The number of waiting purchases.

import { useLoaded, useReload } from "../../shared/loading.js";
import { useConsole, useEffect } from "../../shared/parts.js";

const MOST = 99;
// The time from a purchase until they are counted again, in milliseconds.
const PAUSE = 500;

/** Counts them, and passes the count on as a text: empty if there are none. @param {{onCount: (count: string) => void}} props */
export function Waiting({ onCount }) {
  const { client } = useConsole();
  const query = { status: "pending", limit: MOST + 1 };
  const { value, reload } = useLoaded(async () => (await client.page("/purchases", { query })).records.length, "waiting");
  useReload((type) => type.startsWith("purchase."), reload, PAUSE);
  useEffect(() => onCount(value > MOST ? `${MOST}+` : String(value || "")), [value]);
  return null;
}
