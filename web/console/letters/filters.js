// The filters of the letters, stored in the URL. An open letter keeps them, so its neighbours match them as well.

const FILTERS = ["seal", "stamp", "from", "to"];
const DAY = 86_400_000;

/** Returns the filters as parameters for a list of documents. @param {URLSearchParams} parameters */
export function queryOf(parameters) {
  const query = new URLSearchParams();
  const midnight = (/** @type {string} */ day, offset = 0) =>
    new Date(new Date(`${day}T00:00`).getTime() + offset).toISOString();
  const [seal, stamp, from, to] = FILTERS.map((name) => parameters.get(name));
  if (seal) query.set("seal", seal);
  if (stamp) query.set("stamp_type", stamp);
  // The list's limits are exclusive.
  if (from) query.set("created_after", midnight(from, -1));
  if (to) query.set("created_before", midnight(to, DAY));
  return query;
}

/** Returns the address of a letter or the gallery. @param {any} id @param {URLSearchParams} parameters */
export function addressOf(id, parameters) {
  const filters = new URLSearchParams([...parameters].filter(([name]) => FILTERS.includes(name)));
  const path = id ? `#/letters/${id}` : "#/letters";
  return String(filters) ? `${path}?${filters}` : path;
}
