// The sections below the stage: the store, the letters, the items and the wallet.

import { html } from "../shared/parts.js";
import { Items } from "./items.js";
import { Letters } from "./letters.js";
import { Store } from "./store.js";
import { useLetters } from "./use-letters.js";
import { Wallet } from "./wallet.js";

/** The sections, in two columns. Without letters, the items take their place. @param {any} props */
export function Sections({ user, reload }) {
  const found = useLetters(user.user_id);
  const isEmpty = found.isLoaded && found.letters.length === 0;
  const items = html`<${Items} user=${user} />`;
  return html`<div class="sections">
    <div><${Store} user=${user} onBought=${reload} />${isEmpty && items}<${Letters} found=${found} /></div>
    <div><${Wallet} user=${user} />${!isEmpty && items}</div>
  </div>`;
}
