// The link to a viewer's page. It contains a token that only gives access to this viewer's data.

import { base } from "../../shared/page.js";
import { Dialog } from "../forms.js";
import { Problem, html, useConsole, useRef, useState } from "../../shared/parts.js";
import { Write } from "../write.js";

/** This computer's names. On any other computer, a link with one of them leads to that computer itself. */
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** A button that creates a link and shows it. Each link has a separate token. @param {{user: any}} props */
export function LinkButton({ user }) {
  const { client, say } = useConsole();
  const [isOpen, setOpen] = useState(false);
  const isBusy = useRef(false);
  const [error, setError] = useState(null);
  const [created, setCreated] = useState(/** @type {any} */ (null));
  const open = async () => {
    // A disabled button would lose the focus.
    if (isBusy.current) return;
    if (created) {
      setOpen(true);
      return;
    }
    isBusy.current = true;
    setError(null);
    try {
      // A name has at most 100 characters.
      const name = say("link.token", { name: user.name }).slice(0, 100);
      setCreated(await client.post("/tokens", /** @type {any} */ ({ name, user_id: user.user_id })));
    } catch (failure) {
      setError(failure);
    }
    setOpen(true);
    isBusy.current = false;
  };
  return html`<${Write} onClick=${open}>${say("link.make")}<//>
    ${isOpen && html`<${Link} user=${user} created=${created} error=${error} onClose=${() => setOpen(false)} />`}`;
}

/** @param {{user: any, created: any, error: any, onClose: () => void}} props */
function Link({ user, created, error, onClose }) {
  const { say, signOut: hasToken } = useConsole();
  const [state, setState] = useState("");
  const input = useRef(null);
  const address = created && `${base}/viewer/#user=${user.user_id}&token=${created.token}`;
  const end = created?.expires_at;
  const copy = () => navigator.clipboard.writeText(address).then(
    () => setState("copied"),
    () => (input.current.select(), setState("twitch.copy_failed")),
  );
  return html`<${Dialog} title=${say("link.of", { name: user.name })} className="link-question" onClose=${onClose}>
    <${Problem} error=${error} />
    ${address && html`<p>${say("link.how")}${" "}
        ${LOOPBACK.test(location.hostname) ? html`<strong>${say("link.local")}</strong>` : say("link.only")}</p>
      <label class="field"><span>${say("link.address")}</span><input readonly value=${address} ref=${input} /></label>
      <p class="bar"><button class="main" onClick=${copy}>${say("copy")}</button>
        <a class="button" href=${address} target="_blank" rel="noopener">${say("link.open")}</a>
        <span class="good" role="status">${state && say(state)}</span></p>
      <p class="quiet">
        ${hasToken
          ? html`${end && say("link.until", { date: say.date(end) })} ${say("link.once")}`
          : say("link.unchecked")}
      </p>`}
  <//>`;
}
