// A viewer's purchases of products with a limit or a cooldown per viewer.

import { useConsole, useEffect, useState } from "../shared/parts.js";

const MAX_PURCHASES = 1_000;

/**
 * Returns, by product, how many the viewer has bought, and when the viewer's own cooldown ends, in milliseconds.
 * Reloads both with the products, and when `version` changes. Anyone's purchase starts a cooldown for all, and only
 * after it was set, so only the service knows its end.
 *
 * @param {any[] | null} products
 * @param {string} userId
 * @param {number} version
 * @returns {Record<string, {count: number, end: number}>}
 */
export function useBought(products, userId, version) {
  const { client } = useConsole();
  const [bought, setBought] = useState({});
  const load = async (/** @type {any} */ product) => {
    const query = { product_id: product.product_id, limit: product.max_per_user ? MAX_PURCHASES : 1 };
    const { data, headers } = await client.request("GET", `/users/${userId}/purchases`, { query });
    const unrefunded = data.filter((/** @type {any} */ { status }) => status !== "refunded");
    const count = unrefunded.reduce((/** @type {number} */ sum, /** @type {any} */ { quantity }) => sum + quantity, 0);
    // This device's clock may be wrong.
    const now = Date.parse(headers.get("date") ?? "") || Date.now();
    const cooldown = (product.user_cooldown ?? 0) * 1_000;
    const rest = data.length > 0 ? Date.parse(data[0].created_at) + cooldown - now : 0;
    return [product.product_id, { count, end: Date.now() + rest }];
  };
  useEffect(() => {
    const watched = (products ?? []).filter((product) => product.max_per_user || product.user_cooldown);
    // Without a response, the service still rejects a purchase over the limit.
    Promise.all(watched.map(load)).then((loaded) => setBought(Object.fromEntries(loaded)), () => {});
  }, [products, userId, version]);
  return bought;
}
