// The commands that viewers type in chat: the four actions, ready to be switched on, each with a preview of its answer.

import { Confirmed, Dialog, Field } from "../forms.js";
import { useLoaded } from "../../shared/loading.js";
import { Problem, Skeleton, html, useConsole, useEffect, useState } from "../../shared/parts.js";
import { loadTexts } from "../../shared/texts.js";
import { Switch, useChanges } from "../changes.js";
import { useDraft } from "../draft.js";
import { Write } from "../write.js";

/** The actions, with their placeholders. */
const ACTIONS = /** @type {const} */ ({
  balance: ["user", "points", "rank"],
  top: ["user"],
  buy: ["user", "product", "price", "points"],
  give: ["user", "to", "amount", "points"],
});
/** @typedef {keyof typeof ACTIONS} Action */
/** The permission that answers need. */
const ANSWERING = "user:write:chat";
// A new login may have been made elsewhere.
const REFRESH = 30_000;

/** Returns the texts in the language of the service's answers. @param {string | undefined} language */
function useAnswers(language) {
  const { say } = useConsole();
  const [answers, setAnswers] = useState(() => say);
  useEffect(() => {
    if (!language || language === say.lang) return;
    loadTexts(language, "economy").then((/** @type {any} */ loaded) => setAnswers(() => loaded), () => {});
  }, [language]);
  return answers;
}

/** Returns the name of a language. @param {any} say @param {string} tag */
const languageOf = (say, tag) => new Intl.DisplayNames(say.lang, { type: "language" }).of(tag) ?? tag;

/**
 * Returns what a viewer writes and the answer, with sample values.
 *
 * @param {{name: string, action: Action, answer: string | null}} command
 * @param {any} say The texts in the language of the answers.
 */
function previewOf({ name, action, answer }, say) {
  // Only the service's own sentences have separators.
  const points = answer ? "1250" : say.number(1_250);
  const values = { user: "Ann", points, rank: "3", product: say("command.sample_product"), price: "400", to: "Bob", amount: "50" };
  const known = /** @type {readonly string[]} */ (ACTIONS[action]);
  const text = answer?.trim() || say.template(`command.own.${action}`, {});
  return {
    message: [name, say(`command.sample.${action}`)].filter(Boolean).join(" "),
    answer: text.replace(/\{(\w+)\}/g, (/** @type {string} */ all, /** @type {keyof typeof values} */ key) =>
      (known.includes(key) ? values[key] : key in values ? "" : all)),
  };
}

/** A viewer's message and the answer. @param {{command: any, answers: any}} props */
function Preview({ command, answers }) {
  const { say } = useConsole();
  const { message, answer } = previewOf(command, answers);
  return html`<dl class="chat" aria-label=${say("command.preview")}>
    <dt>Ann</dt><dd dir="auto" lang=${answers.lang}>${message}</dd>
    <dt>${say("command.channel")}</dt><dd dir="auto" lang=${answers.lang}>${answer}</dd>
  </dl>`;
}

export function View() {
  const { client, say, parameters, setParameters } = useConsole();
  const load = async () => (await client.page("/commands", { query: { limit: 100, order: "asc" } })).records;
  const { value, error, reload } = useLoaded(load, "commands");
  const connection = useLoaded(() => client.request("GET", "/connections/twitch"), "connection", REFRESH);
  const { transport, state, missing_scopes: missing } = connection.value?.data ?? {};
  const changes = useChanges(value, () => (reload(), connection.reload()));
  const answers = useAnswers(connection.value?.headers.get("content-language"));
  const heading = html`<h1>${say("nav.commands")}</h1>`;
  // The connection's notice is above the list and would move it.
  if (!value || (!connection.value && !connection.error)) {
    return html`${heading}<${Problem} error=${error} onRetry=${reload} />${!error && html`<${Skeleton} rows=${4} />`}`;
  }
  // Each action without a command has one that is not stored yet.
  const ofAction = (/** @type {string} */ action) => {
    const stored = value.filter((/** @type {any} */ command) => command.action === action);
    const ready = { command_id: null, name: answers(`command.name.${action}`), action, answer: null, user_cooldown: null, enabled: false };
    return stored.length ? stored : [ready];
  };
  const commands = Object.keys(ACTIONS).flatMap(ofAction);
  const open = parameters.get("open");
  const edited = commands.find((command) => String(command.command_id ?? command.action) === open);
  const close = () => setParameters({ open: null });
  return html`${heading}
    <p class="quiet">${say("command.how")}</p>
    ${transport === "webhook" && html`<p class="notice" role="status">${say("command.no_answers")}</p>`}
    ${transport === "websocket" && state === "none" && html`<p class="bar centred" role="status">
      ${say("command.not_connected")} <a class="button" href="#/settings?tab=twitch">${say("begin.twitch")}</a></p>`}
    ${missing?.includes(ANSWERING) && html`<p class="bar centred" role="status">
      ${say("command.no_scope")} <a class="button" href="#/settings?tab=twitch">${say("nav.settings")}</a></p>`}
    ${answers.lang !== say.lang && html`<p class="quiet">${say("command.language", { language: languageOf(say, answers.lang), tag: say.lang })}</p>`}
    <${Problem} error=${error} onRetry=${reload} />
    <ul class="rules">
      ${commands.map((command, index) => html`<${Command} key=${`${command.action} ${index}`} command=${command}
        answers=${answers} isOnly=${ofAction(command.action).length === 1} changes=${changes} />`)}
    </ul>
    ${edited && html`<${CommandForm} key=${open} command=${edited} answers=${answers}
      taken=${commands.filter((other) => other !== edited).map(({ name }) => name.toLowerCase())} onClose=${close} onSaved=${() => (close(), reload())} />`}`;
}

/**
 * A command. If it is the action's only one, deleting it leaves the one that is offered, as it was.
 *
 * @param {{command: any, answers: any, isOnly: boolean, changes: any}} props
 */
function Command({ command, answers, isOnly, changes }) {
  const { client, say, setParameters } = useConsole();
  const { command_id: id, name, action, enabled } = command;
  const key = id ?? action;
  const changed = changes.enabledBy(key);
  const enable = (/** @type {boolean} */ next) => {
    const request = id === null ? client.post("/commands", { name, action, enabled: next }) : client.patch(`/commands/${id}`, { enabled: next });
    changes.change(key, request, next);
  };
  return html`<li class=${`card ${changed ?? enabled ? "" : "off"}`}>
    <div class="bar spread">
      <h2 dir="auto">${name}</h2>
      <${Switch} record=${command} changed=${changed} onChange=${enable} />
    </div>
    <p class="sentence">${say(`command.what.${action}`)}</p>
    <${Preview} command=${command} answers=${answers} />
    <div class="bar">
      <button aria-label=${say("rules.edit_of", { name })}
        onClick=${() => setParameters({ open: String(id ?? action) })}>${say("edit")}</button>
      ${id !== null && html`<${Confirmed} className="bad" label=${isOnly ? say("command.reset") : say("delete")}
        description=${say(isOnly ? "command.reset_of" : "delete_of", { name })} question=${say(isOnly ? "command.reset_sure" : "command.delete_sure")}
        act=${() => changes.change(key, client.delete(`/commands/${id}`))} />`}
    </div>
    <${Problem} error=${changes.errorOf(key)} />
  </li>`;
}

/**
 * A dialog that changes a command, or stores one that was only offered.
 *
 * @param {{command: any, answers: any, taken: string[], onClose: () => void, onSaved: () => void}} props `taken` has the
 *   names of the other commands, stored or offered.
 */
function CommandForm({ command, answers, taken, onClose, onSaved }) {
  const { client, say } = useConsole();
  const { start, values, set, discard } = useDraft(`command ${command.command_id ?? command.action}`, command);
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const { command_id: id, name, action, answer, user_cooldown: cooldown } = values;
  const isTaken = taken.includes(name.toLowerCase());
  const send = async (/** @type {any} */ event) => {
    event.preventDefault();
    if (isTaken) return void event.currentTarget.querySelector("[aria-invalid]").focus();
    setBusy(true);
    const body = { name, answer: answer?.trim() || null, user_cooldown: cooldown };
    try {
      if (id === null) await client.post("/commands", { ...body, action });
      else await client.patch(`/commands/${id}`, body);
      discard(onSaved);
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const placeholders = ACTIONS[/** @type {Action} */ (action)].map((placeholder) => `{${placeholder}}`);
  const unknown = [...new Set((answer ?? "").match(/\{\w+\}/g))].filter((found) => !placeholders.includes(found));
  return html`<${Dialog} title=${say("rules.edit_of", { name: command.name })} onClose=${onClose}>
    <form onSubmit=${send}>
      <${Preview} command=${values} answers=${answers} />
      <div class="fields">
        <${Field} label=${say("command.name")} value=${name} required maxlength="25" pattern="![\\p{L}\\p{N}_]+" dir="auto"
          title=${say("command.name_how")} reason=${isTaken ? say("command.taken") : ""} onInput=${(/** @type {any} */ event) => set({ name: event.currentTarget.value })} />
        <${Field} label=${say("product.user_cooldown_label")} type="number" min="1" max="86400" step="1"
          defaultValue=${start.user_cooldown ?? ""}
          onInput=${(/** @type {any} */ event) => set({ user_cooldown: event.currentTarget.value ? Number(event.currentTarget.value) : null })} />
        <div class="whole">
          <${Field} label=${say("command.answer")} value=${answer ?? ""} maxlength="400" dir="auto"
            placeholder=${answers.template(`command.own.${action}`, {})}
            onInput=${(/** @type {any} */ event) => set({ answer: event.currentTarget.value || null })} />
        </div>
      </div>
      ${unknown.length > 0 && html`<p class="bad" role="status">
        ${say("command.unknown", { many: unknown.length, names: unknown.join(", ") })}</p>`}
      <p class="quiet">${say("command.placeholders", { list: placeholders.join(" ") })}</p>
      <div class="ending">
        <${Problem} error=${error} />
        <${Write} class="main" busy=${busy}>${say("save")}<//>${" "}
        <button type="button" onClick=${() => discard(onClose)}>${say("cancel")}</button>
      </div>
    </form>
  <//>`;
}
