// The link to a viewer's page. It contains a token that only gives access to this viewer's data.

import { base } from "../../shared/page.js";
import { useFocus } from "../focus.js";
import { Dialog } from "../forms.js";
import { Problem, html, useConsole, useRef, useState } from "../../shared/parts.js";
import { Write } from "../write.js";

/** This computer's names. On any other computer, a link with one of them leads to that computer itself. */
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** A button that opens the dialog. @param {{user: any}} props */
export function LinkButton({ user }) {
  const { say } = useConsole();
  const [isOpen, setOpen] = useState(false);
  const created = useRef(/** @type {any} */ (null));
  return html`<${Write} onClick=${() => setOpen(true)}>${say("link.make")}<//>
    ${isOpen && html`<${Link} user=${user} created=${created} onClose=${() => setOpen(false)} />`}`;
}

/**
 * The dialog. Each link is a separate token that is shown once, so `created` keeps it while the viewer's view is open.
 *
 * @param {{user: any, created: {current: any}, onClose: () => void}} props
 */
function Link({ user, created, onClose }) {
  const { client, say, signOut: hasToken } = useConsole();
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const create = async () => {
    setBusy(true);
    setError(null);
    try {
      // A name has at most 100 characters.
      const name = say("link.token", { name: user.name }).slice(0, 100);
      created.current = await client.post("/tokens", /** @type {any} */ ({ name, user_id: user.user_id }));
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  const { token, expires_at: end } = created.current ?? {};
  return html`<${Dialog} title=${say("link.of", { name: user.name })} className="link-question" onClose=${onClose}>
    <p>${say("link.how")}${" "}
      ${LOOPBACK.test(location.hostname) ? html`<strong>${say("link.local")}</strong>` : say("link.only")}</p>
    <${Problem} error=${error} />
    ${token
      ? html`<${Address} address=${`${base}/viewer/#user=${user.user_id}&token=${token}`} />
          <p class="quiet">
            ${hasToken
              ? html`${end && say("link.until", { date: say.date(end) })} ${say("link.once")}`
              : say("link.unchecked")}
          </p>`
      : html`<${Write} class="main" busy=${busy} onClick=${create}>${say("link.create")}<//>`}
  <//>`;
}

/** The link, to be copied. @param {{address: string}} props */
function Address({ address }) {
  const { say } = useConsole();
  const [state, setState] = useState("");
  const input = useRef(null);
  const button = useFocus();
  const copy = () => navigator.clipboard.writeText(address).then(
    () => setState("copied"),
    () => (input.current.select(), setState("twitch.copy_failed")),
  );
  return html`<label class="field"><span>${say("link.address")}</span><input readonly value=${address} ref=${input} /></label>
    <p class="bar"><button class="main" ref=${button} onClick=${copy}>${say("copy")}</button>
      <a class="button" href=${address} target="_blank" rel="noopener">${say("link.open")}</a>
      <span class="good" role="status">${state && say(state)}</span></p>`;
}
