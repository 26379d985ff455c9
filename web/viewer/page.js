// The sections of the page. They share the viewer's record, which is read again while the page is open.

import { useLoaded } from "../console/loading.js";
import { html, useConsole } from "../console/parts.js";
import { Items } from "./items.js";
import { Letters } from "./letters.js";
import { Failure, Notice, wordsOf } from "./notice.js";
import { Stage } from "./stage.js";
import { Store } from "./store.js";
import { useLetters } from "./use-letters.js";
import { Wallet } from "./wallet.js";

// A token of a viewer reads no feed, so the page asks again after this time, in milliseconds.
const REFRESH = 15_000;

/** @param {{id: string}} props */
export function Page({ id }) {
  const { client, say } = useConsole();
  const { value: user, error, reload } = useLoaded(() => client.get(`/users/${id}`, { retries: 0 }), id, REFRESH);
  if (!user) {
    if (error) return html`<${Notice} text=${wordsOf(error, say)} />`;
    return html`<div class="skeleton" role="status" aria-label=${say("loading")}>
      <div></div><div></div><div></div>
    </div>`;
  }
  return html`<${Failure} error=${error} />
    <${Stage} user=${user} />
    <${Sections} user=${user} reload=${reload} />`;
}

/** The sections in two columns. Items take the place of letters that do not exist. @param {any} props */
function Sections({ user, reload }) {
  const found = useLetters(user.user_id);
  const isEmpty = found.isLoaded && found.letters.length === 0;
  const items = html`<${Items} user=${user} />`;
  return html`<div class="sections">
    <div><${Store} user=${user} onBought=${reload} />${isEmpty && items}<${Letters} found=${found} /></div>
    <div><${Wallet} user=${user} />${!isEmpty && items}</div>
  </div>`;
}
