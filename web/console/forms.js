// Forms, dialogs, tabs and tables: components that views do not need at first.

import { toCsv } from "./data/csv.js";
import { Problem, html, invalidField, useConsole, useLayoutEffect, useRef, useState, violationText } from "../shared/parts.js";
import { Write, useWrite } from "./write.js";

export { Dialog } from "./dialog.js";

// A confirmation's distance from its button and from the window's edges, in pixels.
const GAP = 6;
// The width of the fade at an edge of tabs that are wider than the page, in pixels.
const FADE = 32;

/** The pattern for a text that is more than spaces. */
export const NOT_BLANK = ".*\\S.*";

/**
 * Returns why a field's value is invalid. The browser's own reason may be in another language than the page.
 *
 * @param {HTMLInputElement} field
 * @param {any} say
 */
function reasonOf({ validity, title, type, min, max, validationMessage }, say) {
  if (validity.valid) return "";
  const limit = (/** @type {string} */ text) => (type === "date" ? say.date(`${text}T00:00`) : Number(text));
  if (validity.valueMissing || (type === "date" && validity.badInput)) return say("field.missing");
  if (validity.badInput || validity.stepMismatch) return say("field.whole");
  if (validity.rangeUnderflow) return say("field.at_least", { min: limit(min) });
  if (validity.rangeOverflow) return say("field.at_most", { max: limit(max) });
  return (validity.patternMismatch && title) || validationMessage;
}

/**
 * Returns why the service refused a field's value as a sentence, or an empty text.
 *
 * @param {any} error
 * @param {string} name
 * @param {any} say
 */
export function reasonIn(error, name, say) {
  const violation = error?.errors?.find((/** @type {any} */ { pointer }) => pointer === `/${name}`);
  if (!violation) return "";
  const key = `error.${violation.code}_${name}`;
  if (say.has(key)) return say(key);
  const text = violationText(violation, say);
  return `${text[0].toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
}

/**
 * A form field: `{name, label, options, …attributes of its input}`. With `rows`, it is a text of several lines. `isWide`
 * makes it as wide as the form. `reason` says why its value is invalid.
 *
 * @param {{label: string, options?: any[], reason?: string, isWide?: boolean, [name: string]: any}} props
 */
export function Field({ label, options, reason = "", isWide = false, onInput, ...rest }) {
  const { say } = useConsole();
  // The browser's bubble would show it for a moment only.
  const [invalid, setInvalid] = useState("");
  const onInvalid = (/** @type {any} */ event) => {
    const { currentTarget: field } = event;
    event.preventDefault();
    setInvalid(reasonOf(field, say));
    if (field.form?.querySelector(":is(input, select, textarea):invalid") === field) field.focus();
  };
  const onChange = (/** @type {any} */ event) => {
    setInvalid("");
    onInput?.(event);
  };
  const shown = reason || invalid;
  const attributes = { ...invalidField(label, shown), onInvalid, ...rest, onInput: onChange };
  const Input = rest.rows ? "textarea" : "input";
  return html`<label class=${`field ${isWide ? "wide" : ""}`}>
    <span>${label}</span>
    ${options
      ? html`<select ...${attributes}>
        ${options.map((/** @type {any} */ one) => html`<option value=${one.value ?? one}>${one.label ?? one}</option>`)}</select>`
      : html`<${Input} ...${attributes} />`}
    ${shown && html`<span class="bad" role="alert">${shown}</span>`}
  </label>`;
}

/**
 * A settings field. It keeps its text while the user edits it, and passes the value on when the user leaves it. When
 * the feed rerenders the page, typing is not disturbed. A value that the attributes forbid stays, with the browser's
 * reason.
 *
 * @param {{value: any, onCommit: any, [name: string]: any}} props
 */
export function Setting({ value, onCommit, ...rest }) {
  const { say } = useConsole();
  const [typed, setTyped] = useState(null);
  const [reason, setReason] = useState("");
  const onInput = (/** @type {any} */ { currentTarget }) => {
    setTyped(currentTarget.value);
    setReason("");
  };
  const commit = (/** @type {any} */ { currentTarget }) => {
    setReason(reasonOf(currentTarget, say));
    if (!currentTarget.validity.valid) return;
    setTyped(null);
    onCommit(currentTarget.value);
  };
  return html`<${Field} ...${rest} value=${typed ?? value} reason=${reason} onInput=${onInput} onChange=${commit} />`;
}

/**
 * A form with the fields `{name, label, type, …}`. `send` receives their values by name. The form shows the message
 * that its promise resolves to, or the error that it rejects with. Null keeps the values. A view has a single main
 * button, so other forms have none.
 *
 * @param {{fields: any[], submit: any, send: any, children?: any, isMain?: boolean, onCancel?: () => void}} props
 */
export function Form({ fields, submit, send, children, isMain = true, onCancel }) {
  const [error, setError] = useState(null);
  const [done, setDone] = useState("");
  const [busy, setBusy] = useState(false);
  const { say } = useConsole();
  const onSubmit = async (/** @type {any} */ event) => {
    event.preventDefault();
    const form = event.currentTarget;
    setError(null);
    setDone("");
    setBusy(true);
    try {
      const message = await send(Object.fromEntries(new FormData(form)));
      if (message !== null) {
        setDone(message ?? say("done"));
        form.reset();
      }
    } catch (error) {
      setError(error);
    }
    setBusy(false);
  };
  return html`<form class=${fields.length === 1 ? "single" : ""} onSubmit=${onSubmit} onInvalidCapture=${() => setDone("")}>
    <div class="fields">
      ${fields.map(({ value, ...field }) => html`<${Field} ...${field} defaultValue=${value} />`)}</div>
    ${children}
    <${Write} class=${isMain ? "main" : ""} busy=${busy}>${submit}<//>${" "}
    ${onCancel && html`<button type="button" onClick=${onCancel}>${say("cancel")}</button>`}
    <span class="good" role="status">${done}</span>
    <${Problem} error=${error} />
  </form>`;
}

/**
 * A button that asks for confirmation. `description` names what it changes, `note` explains the consequences, and
 * `question` is the second button's label. `onOpen` is called before it is shown. The confirmation is a dialog next to the
 * first button: nothing moves, Escape and a click elsewhere close it, and the focus returns.
 *
 * @param {{label: string, question: any, act: any, className?: string, description: any, note?: any,
 *   onOpen?: () => void}} props
 */
export function Confirmed({ label, question, act, className = "quiet", description, note, onOpen }) {
  const { say } = useConsole();
  const [isAsking, setAsking] = useState(false);
  const [button, dialog, cancel] = [useRef(null), useRef(null), useRef(null)];
  useLayoutEffect(() => {
    if (!isAsking) return undefined;
    const place = () => {
      const { top, bottom, left, right } = button.current.getBoundingClientRect();
      const { offsetWidth: width, offsetHeight: height } = dialog.current;
      const y = bottom + height + GAP > innerHeight ? top - height - GAP : bottom + GAP;
      const x = left + width + GAP > innerWidth ? right - width : left;
      dialog.current.style.transform = `translate(${Math.max(GAP, x)}px, ${Math.max(GAP, y)}px)`;
    };
    dialog.current.showModal();
    place();
    cancel.current.focus({ preventScroll: true });
    addEventListener("scroll", place, { capture: true, passive: true });
    addEventListener("resize", place);
    return () => {
      removeEventListener("scroll", place, { capture: true });
      removeEventListener("resize", place);
    };
  }, [isAsking]);
  // The event of closing arrives later, when the next press of the button may already have opened another dialog.
  const close = () => {
    dialog.current.close();
    setAsking(false);
  };
  const onClose = (/** @type {any} */ event) => event.currentTarget === dialog.current && setAsking(false);
  const confirm = (/** @type {Event} */ event) => {
    event.preventDefault();
    close();
    act();
  };
  const onClick = (/** @type {any} */ { clientX, clientY, target, currentTarget }) => {
    // Its buttons may have removed it.
    if (target !== currentTarget) return;
    const { top, bottom, left, right } = target.getBoundingClientRect();
    if (clientX < left || clientX > right || clientY < top || clientY > bottom) close();
  };
  return html`<button ref=${button} class=${className} aria-label=${description} aria-expanded=${isAsking}
      onClick=${() => (onOpen?.(), setAsking(true))} ...${useWrite()}>${label}</button>
    ${isAsking &&
    html`<dialog ref=${dialog} class="asking card" aria-label=${description ?? label} onClose=${onClose}
      onClick=${onClick}>
      <form onSubmit=${confirm}>
        ${description && html`<p dir="auto"><strong>${description}</strong></p>`}
        ${note && html`<p>${note}</p>`}
        <${Write} class="danger">${question}<//>
        <button type="button" ref=${cancel} onClick=${close}>${say("cancel")}</button>
      </form>
    </dialog>`}`;
}

/**
 * Tabs. The URL's parameter `tab` selects one.
 *
 * @param {{label: string, names: any, children?: any, onInput?: () => void}} props
 */
export function Tabs({ label, names, children, onInput }) {
  const { parameters, setParameters } = useConsole();
  const keys = Object.keys(names);
  const current = keys.includes(parameters.get("tab")) ? parameters.get("tab") : keys[0];
  const select = (/** @type {any} */ key) => setParameters({ tab: key === keys[0] ? null : key });
  const onKeyDown = (/** @type {any} */ event) => {
    const step = Number(event.key === "ArrowRight") - Number(event.key === "ArrowLeft");
    if (step === 0) return;
    const next = keys[(keys.indexOf(current) + step + keys.length) % keys.length];
    select(next);
    event.currentTarget.querySelector(`#tab-${next}`).focus();
  };
  // On a phone, the list is wider than the page, and the selected tab may be out of sight, or in the fade.
  const list = useRef(null);
  useLayoutEffect(() => {
    const [tab, frame] = [list.current.querySelector(`#tab-${current}`), list.current].map((one) => one.getBoundingClientRect());
    list.current.scrollLeft += Math.min(0, tab.left - frame.left - FADE) + Math.max(0, tab.right - frame.right + FADE);
  }, [current]);
  return html`<div role="tablist" class="tabs" aria-label=${label} onKeyDown=${onKeyDown} ref=${list}
      onScroll=${() => list.current.classList.toggle("scrolled", list.current.scrollLeft > 0)}>
      ${keys.map((key) => html`<button role="tab" id=${`tab-${key}`} aria-selected=${key === current}
        aria-controls="panel" tabindex=${key === current ? 0 : -1}
        onClick=${() => select(key)}>${names[key]}</button>`)}
    </div>
    <div role="tabpanel" id="panel" aria-labelledby=${`tab-${current}`} tabindex="0"
      onInput=${onInput}>${children(current)}</div>`;
}

/**
 * The attributes of a table's row that opens its record wherever it is clicked. Its link is for the keyboard.
 *
 * @param {string} href
 */
export const rowLink = (href) => ({
  class: "opening",
  onClick: (/** @type {any} */ event) => {
    if (!event.target.closest("a, button")) location.hash = href;
  },
});

/** A table that scrolls within its card. @param {{label: string, columns: any[], children?: any}} props */
export const Table = ({ label, columns, children }) =>
  html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>
  <table>
    <thead><tr>${columns.map((column) => html`<th scope="col"
      class=${column.className ?? ""}>${column.label ?? column}</th>`)}</tr></thead>
    <tbody>${children}</tbody>
  </table>
</div>`;

/**
 * Saves rows of values as a CSV file.
 *
 * @param {string} name
 * @param {any} rows
 */
export function saveCsv(name, rows) {
  const blob = new Blob(["\ufeff", ...toCsv(rows)], { type: "text/csv" });
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}
