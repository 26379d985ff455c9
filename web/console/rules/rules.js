// The rules that pay viewers for events, each with a sentence that explains it.

import { Confirmed, Dialog, Field } from "../forms.js";
import { useLoaded } from "../../shared/loading.js";
import { Empty, Icon, Problem, Skeleton, html, useConsole, useState } from "../../shared/parts.js";
import { CAUSES, causeOf, ruleSentence } from "../activity/sentences.js";
import { TYPES } from "../../shared/kinds.js";
import { duration } from "../../shared/units.js";
import { Switch, useChanges } from "../changes.js";
import { useDraft } from "../draft.js";
import { Write } from "../write.js";

const MAX_RULES = 20;
// Rules are not in the feed.
const REFRESH = 30_000;
/** The intervals in a form, in seconds. */
const INTERVALS = [60, 300, 600, 1_800, 3_600, 86_400];
const EMPTY = { name: "", enabled: true, event_type: null, source: null, reference: null, amount: 10, per_unit: 0,
  every: null };
/** The icons for causes that are not kinds of events. @type {Record<string, string>} */
const ICONS = { chat: "plain", other: "rules" };
const CHANGEABLE = ["name", "enabled", "amount", "per_unit"];

export function View() {
  const { client, say, parameters, setParameters } = useConsole();
  const load = async () => (await client.page("/rules", { query: { limit: 100, order: "asc" } })).records;
  const { value, error, reload } = useLoaded(load, "rules", REFRESH);
  const changes = useChanges(value, reload);
  const open = parameters.get("open");
  const close = () => setParameters({ open: null });
  const heading = html`<h1>${say("nav.rules")}</h1>`;
  if (!value) {
    return html`${heading}<${Problem} error=${error} onRetry=${reload} />${!error && html`<${Skeleton} rows=${4} />`}`;
  }
  const edited = value.find((/** @type {any} */ { rule_id: id }) => String(id) === open);
  const isFull = value.length >= MAX_RULES;
  const button = html`<button class="main" disabled=${isFull}
    onClick=${() => setParameters({ open: "new" })}>${say("rules.new")}</button>`;
  return html`<div class="bar spread">${heading}${value.length > 0 && button}</div>
    <${Problem} error=${error} onRetry=${reload} />
    ${isFull && html`<p class="quiet" role="status">${say("rules.full", { many: MAX_RULES })}</p>`}
    ${value.length === 0 && html`<${Empty}>${say("rules.empty")} ${button}<//>`}
    <ul class="rules">
      ${value.map((/** @type {any} */ rule) => html`<${Rule} key=${rule.rule_id} rule=${rule} changes=${changes} />`)}
    </ul>
    ${open && !edited && open !== "new" && html`<p class="error" role="alert">${say("rules.gone", { id: open })}</p>`}
    ${(open === "new" || edited) &&
    html`<${RuleForm} key=${open} rule=${edited ?? null} others=${value} onClose=${close} onSaved=${() => (close(), reload())} />`}`;
}

/** @param {{rule: any, changes: any}} props */
function Rule({ rule, changes }) {
  const { client, say, setParameters } = useConsole();
  const { rule_id: id, name, enabled } = rule;
  const path = `/rules/${id}`;
  const changed = changes.enabledBy(id);
  const enable = (/** @type {boolean} */ next) => changes.change(id, client.patch(path, { enabled: next }), next);
  return html`<li class=${`card ${changed ?? enabled ? "" : "off"}`}>
    <div class="bar spread">
      <div class="head"><${Icon} name=${ICONS[causeOf(rule)] ?? causeOf(rule)} /><h2 dir="auto">${name}</h2></div>
      <${Switch} record=${rule} changed=${changed} onChange=${enable} />
    </div>
    <p class="sentence" dir="auto">${ruleSentence(rule, say)}</p>
    <div class="bar">
      <button aria-label=${say("rules.edit_of", { name })}
        onClick=${() => setParameters({ open: String(id) })}>${say("edit")}</button>
      <${Confirmed} className="bad" label=${say("delete")} description=${say("delete_of", { name })}
        question=${say("rules.delete_sure")}
          note=${say("rules.delete_note")} act=${() => changes.change(id, client.delete(path))} />
    </div>
    <${Problem} error=${changes.errorOf(id)} />
  </li>`;
}

/**
 * A dialog that creates or changes a rule. The service allows changes to only some of the fields.
 *
 * @param {{rule: any, others: any[], onClose: () => void, onSaved: any}} props
 */
function RuleForm({ rule, others, onClose, onSaved }) {
  const { client, say } = useConsole();
  const stored = rule ?? { ...EMPTY, ...filtersOf("chat"), every: 300 };
  const { before, start, values, set, discard } = useDraft(`rule ${rule?.rule_id}`, stored);
  const [cause, setCause] = useState(causeOf(start));
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const hasUnits = CAUSES[cause]?.hasUnits ?? true;
  const choose = (/** @type {any} */ event) => {
    const next = event.currentTarget.value;
    setCause(next);
    const units = CAUSES[next]?.hasUnits ?? true ? {} : { per_unit: 0 };
    set({ ...filtersOf(next), ...units, every: next === "chat" ? 300 : null });
  };
  const send = async (/** @type {any} */ event) => {
    event.preventDefault();
    setBusy(true);
    const names = rule ? CHANGEABLE.filter((name) => values[name] !== before[name]) : Object.keys(EMPTY);
    const body = Object.fromEntries(names.map((name) => [name, values[name]]));
    try {
      if (rule) await client.patch(`/rules/${rule.rule_id}`, body);
      else await client.post("/rules", { ...body, name: values.name || say(`rule.cause.${cause}`) });
      discard(onSaved);
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const text = (/** @type {string} */ name, attributes = {}) =>
    html`<${Field} label=${say(`rule.${name}`)} value=${values[name] ?? ""} maxlength="1024" dir="auto"
      onInput=${(event) => set({ [name]: event.currentTarget.value || (name === "name" ? "" : null) })}
      ...${attributes} />`;
  const number = (/** @type {string} */ name, /** @type {string} */ label, min = 0) => {
    const onInput = (/** @type {any} */ event) => {
      const amount = Number(event.currentTarget.value);
      // With a window, only part of the units would be paid, so the service rejects both together.
      const hasNoWindow = name === "per_unit" && amount > 0 && !rule;
      set({ [name]: amount, ...(hasNoWindow && { every: null }) });
    };
    // A rendering must not change a number that is still being typed, such as `1.`.
    return html`<${Field} label=${label} type="number" min=${min} step="1" defaultValue=${start[name]} onInput=${onInput} />`;
  };
  const ascending = (/** @type {number} */ one, /** @type {number} */ other) => one - other;
  const intervals = [...new Set([...INTERVALS, ...(values.every ? [values.every] : [])])].sort(ascending);
  const once = (/** @type {number} */ seconds) => say("rule.once_in", { time: duration(seconds, say) });
  const options = [
    { value: "", label: say("rule.always") },
    ...intervals.map((seconds) => ({ value: String(seconds), label: once(seconds) })),
  ];
  const causes = [...Object.keys(CAUSES), "other"];
  const causeOptions = causes.map((name) => ({ value: name, label: say(`rule.cause.${name}`) }));
  const same = rule || cause === "other" ? null : others.find((other) => other.enabled && causeOf(other) === cause);
  const types = TYPES.map((name) => ({ value: name, label: say(`rule.type.${name}`) }));
  return html`<${Dialog} title=${rule ? say("rules.edit_of", { name: before.name }) : say("rules.new")}
    onClose=${onClose}>
    <form onSubmit=${send}>
      <p class="sentence preview-sentence" role="status">${ruleSentence(values, say)}</p>
      <div class="fields">
        ${!rule && html`<${Field} label=${say("rule.cause")} value=${cause} onChange=${choose}
          options=${causeOptions} />`}
        ${text("name", { required: Boolean(rule), placeholder: say(`rule.cause.${cause}`) })}
        ${!rule && cause === "other" && html`
          <${Field} label=${say("rule.event_type")} value=${values.event_type ?? ""}
            onChange=${(event) => set({ event_type: event.currentTarget.value || null })}
            options=${[{ value: "", label: say("rule.any") }, ...types]} />
          ${text("source")} ${text("reference")}`}
        ${number("amount", say("rule.amount"), values.per_unit > 0 ? 0 : 1)}
        ${hasUnits && number("per_unit", say(`rule.per_unit.${cause}`))}
        ${!rule && html`<${Field} isWide label=${say("rule.interval")} value=${String(values.every ?? "")}
          disabled=${values.per_unit > 0}
          onChange=${(event) => set({ every: Number(event.currentTarget.value) || null })} options=${options} />`}
      </div>
      ${same && html`<p class="notice" role="status">${say("rule.same", { name: same.name })}</p>`}
      <p class="quiet">${say(rule ? "rule.fixed" : "rule.name_how")}</p>
      <div class="ending">
        <${Problem} error=${error} />
        <${Write} class="main" busy=${busy}>${say("save")}<//>${" "}
        <button type="button" onClick=${() => discard(onClose)}>${say("cancel")}</button>
      </div>
    </form>
  <//>`;
}

/** Returns a cause's filters. Those of `other` are empty. @param {any} cause */
function filtersOf(cause) {
  const { event_type: type = null, source = null } = CAUSES[cause] ?? {};
  return { event_type: type, source, reference: null };
}
