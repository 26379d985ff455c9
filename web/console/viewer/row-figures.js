// The figures of the rows of a list of viewers. They are requested when a row comes into view, a few at a time.

import { historyOf } from "../figures.js";
import { useConsole, useEffect, useRef, useState } from "../parts.js";

// The number of rows whose figures are requested at once.
const CONCURRENCY = 4;

/** Returns the figures by the identifiers of the viewers, and a function that requests those of one. */
export function useRowFigures() {
  const { client } = useConsole();
  const [figures, setFigures] = useState(new Map());
  const work = useRef({ users: /** @type {any[]} */ ([]), requested: new Set(), running: 0 });
  useEffect(() => () => (work.current.users = []), []);
  const load = async (/** @type {any} */ user) => {
    const id = user.user_id;
    // A leaderboard has no balances and no pets.
    const full = user.wallet === undefined ? client.get(`/users/${id}`) : user;
    const [loaded, { wallet, specimen }] = await Promise.all([historyOf(client, id), full]);
    return { ...loaded, balance: wallet, pet: specimen };
  };
  const run = () => {
    const { users, requested } = work.current;
    while (work.current.running < CONCURRENCY && users.length > 0) {
      const user = users.shift();
      work.current.running += 1;
      load(user)
        .then((loaded) => setFigures((before) => new Map(before).set(user.user_id, loaded)))
        // The row shows no figures. The list reports that the service is not reachable.
        .catch(() => requested.delete(user.user_id))
        .then(() => {
          work.current.running -= 1;
          run();
        });
    }
  };
  const request = (/** @type {any} */ user) => {
    if (work.current.requested.has(user.user_id)) return;
    work.current.requested.add(user.user_id);
    work.current.users.push(user);
    run();
  };
  return { figures, request };
}
