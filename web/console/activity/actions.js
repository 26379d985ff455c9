// The parts of an event row that are loaded after it: its buttons, its picture, and a gift's recipients.

import { Confirmed, Dialog, Form } from "../forms.js";
import { Problem, html, useConsole, useEffect, useRef, useState } from "../../shared/parts.js";
import { kindOf } from "../../shared/kinds.js";
import { useDraft } from "../draft.js";
import { errorText } from "../problem.js";
import { picture } from "../../shared/picture.js";
import { Write } from "../write.js";

export { noticeOf } from "../../shared/notices.js";
export { Gaps, followGaps } from "./gaps.js";

// Drawings of the buttons, in a 24 by 24 square.
const REPLAY = "M12 4a8 8 0 1 1-7.5 5.3l1.9.7A6 6 0 1 0 12 6v4L6.5 5 12 0Z";
const EDIT = "M4 16.5 15.5 5 19 8.5 7.5 20H4ZM17 3.5 18.5 2 22 5.5 20.5 7Z";
const DELETE = "M9 2h6v2h5v2H4V4h5ZM6 8h12l-1 14H7Z";
// The number of a community gift's recipients to request.
const MAX_RECIPIENTS = 100;

/** What a button shows: a drawing, or its label where there is room. @param {string} drawing @param {string} label */
const face = (drawing, label) => html`<span title=${label}>
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${drawing} fill="currentColor" /></svg>
  <span>${label}</span>
</span>`;

/** A row's buttons: replay, edit and delete. @param {{event: any, line: any}} props */
export function Actions({ event, line }) {
  const { client, say } = useConsole();
  const [state, setState] = useState("");
  const [isEditing, setEditing] = useState(false);
  const what = `${event.user_name} ${line}`.trim();
  /** Sends a request that resolves to the text of its result. */
  const act = async (/** @type {() => Promise<string>} */ send) => {
    setState("…");
    try {
      setState(await send());
    } catch (error) {
      setState(errorText(error, say));
    }
  };
  const path = `/events/${event.event_id}`;
  const replay = async () => {
    await client.post("/alerts", { event_id: event.event_id });
    const { outcomeOf } = await import("../stop/stopping.js");
    return outcomeOf(client, say, { kind: kindOf(event), event });
  };
  const remove = () => client.delete(path).then(() => "");
  return html`<span role="status" class="quiet result">${state}</span>
  <div class="actions">
    <${Write} class="quiet" aria-label=${say("event.replay_of", { what })}
      onClick=${() => act(replay)}>
      ${face(REPLAY, say("event.replay"))}<//>
    <button class="quiet" aria-label=${say("event.edit_of", { what })}
      onClick=${() => setEditing(true)}>${face(EDIT, say("edit"))}</button>
    <${Confirmed} className="quiet bad" label=${face(DELETE, say("delete"))} question=${say("event.delete_sure")}
      note=${say(event.document ? "event.delete_note" : "event.delete_plain_note")}
      description=${say("delete_of", { name: what })} act=${() => act(remove)} />
    ${isEditing && html`<${Edit} event=${event} title=${say("event.edit_of", { what })} onClose=${() => setEditing(false)} />`}
  </div>`;
}

/** The dialog that changes an event's text. @param {{event: any, title: string, onClose: () => void}} props */
function Edit({ event, title, onClose }) {
  const { client, say } = useConsole();
  const path = `/events/${event.event_id}`;
  const { start, set, discard } = useDraft(path, { message: event.message ?? "" });
  const field = {
    name: "message",
    label: say(kindOf(event) === "redemption" ? "event.reward" : "event.message"),
    value: start.message,
    required: event.event_type === "plain",
    dir: "auto",
    onInput: (/** @type {any} */ { currentTarget }) => set({ message: currentTarget.value }),
  };
  const send = async (/** @type {{message: string}} */ { message }) => {
    await client.patch(path, { message: message || null });
    discard(onClose);
  };
  return html`<${Dialog} title=${title} onClose=${onClose}>
    <${Form} submit=${say("save")} send=${send} fields=${[field]} onCancel=${() => discard(onClose)} />
  <//>`;
}

/**
 * A document's picture. Empty while its image loads, or if it cannot be loaded.
 *
 * @param {{source: any, label: string}} props
 */
export function Picture({ source, label }) {
  const container = useRef(null);
  useEffect(() => {
    let isStale = false;
    picture(source, label)
      .then((svg) => isStale || container.current?.replaceChildren(svg))
      .catch(() => {});
    return () => {
      isStale = true;
    };
  }, [source.document_id, JSON.stringify(source.stamps)]);
  return html`<div ref=${container}></div>`;
}

/**
 * Loads the names of the viewers who received a subscription from a community gift.
 *
 * @param {{reference: string}} props
 */
export function Recipients({ reference }) {
  const { client, say } = useConsole();
  const [names, setNames] = useState(null);
  const [error, setError] = useState(null);
  const load = (/** @type {any} */ event) => {
    if (!event.currentTarget.open || names) return;
    const query = { reference, event_type: "subscriber", limit: MAX_RECIPIENTS };
    client.page("/events", { query }).then((/** @type {any} */ { records }) => setNames(records), setError);
  };
  const link = (/** @type {any} */ { user_id: id, user_name: name }, /** @type {number} */ index) =>
    html`${index > 0 && ", "}<a dir="auto" href=${`#/viewers/${id}`}>${name}</a>`;
  return html`<details onToggle=${load}>
    <summary>${say("gift.recipients")}</summary>
    ${names?.length === 0 && html`<p class="quiet">${say("gift.nobody")}</p>`}
    ${names?.length > 0 && html`<p class="quiet">${names.map(link)}</p>`}
    <${Problem} error=${error} />
  </details>`;
}
