// An alert's text: a growing text area, and placeholders that a click inserts.

import { html, useConsole, useLayoutEffect, useRef, useState } from "../../shared/parts.js";
import { PLACEHOLDERS, hasAmount } from "./kinds.js";

const MAX_LENGTH = 300;
// The pixels of both borders, which an area's height includes.
const BORDERS = 2;

/** Makes an area grow with its text if the browser does not. @param {HTMLTextAreaElement} area */
function grow(area) {
  if (CSS.supports("field-sizing", "content")) return;
  area.style.height = "0";
  area.style.height = `${area.scrollHeight + BORDERS}px`;
}

/**
 * Returns a text's placeholders without a value in an alert of this kind.
 *
 * @param {string} text
 * @param {string} kind
 */
const unknownIn = (text, kind) =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))]
    .filter((name) => !PLACEHOLDERS[kind].includes(name) && !(name === "amount" && hasAmount(kind)))
    .map((name) => `{${name}}`);

/**
 * @param {object} properties
 * @param {string} properties.kind
 * @param {string} properties.value
 * @param {string} properties.placeholder The default text.
 * @param {(text: string) => void} properties.onType Called at each key.
 * @param {(text: string) => void} properties.onCommit Called when the user leaves the area or inserts a placeholder.
 * @param {boolean} [properties.hasChips]
 */
export function Template({ kind, value, placeholder, onType, onCommit, hasChips = false }) {
  const { say } = useConsole();
  const area = useRef(null);
  const unknown = unknownIn(value, kind);
  const [typed, setTyped] = useState(null);
  const text = typed ?? value;
  useLayoutEffect(() => grow(area.current), [text, placeholder]);
  const commit = (/** @type {string} */ next) => {
    setTyped(null);
    onCommit(next);
  };
  /** An alert is a single paragraph. @param {any} event */
  const onInput = ({ currentTarget }) => {
    const line = currentTarget.value.replace(/\s*\n\s*/g, " ");
    setTyped(line);
    onType(line);
  };
  // The default text can also be edited. The keyboard selects all of it, and a click sets the cursor.
  const onFocus = (/** @type {any} */ { currentTarget }) => {
    if (text !== "") return;
    currentTarget.value = placeholder;
    currentTarget.select();
    setTyped(placeholder);
  };
  const onBlur = () => typed === placeholder && value === "" ? setTyped(null) : typed !== null && commit(typed);
  // A placeholder replaces the selection. Without a custom text, it is appended to the default one.
  const insert = (/** @type {string} */ name) => {
    const node = area.current;
    const hasDefault = node.value === "";
    node.focus();
    if (hasDefault) node.value = `${placeholder} `;
    const { selectionStart: begin, selectionEnd: end } = node;
    node.setRangeText(`{${name}}`, begin, end, "end");
    commit(node.value.slice(0, MAX_LENGTH));
  };
  return html`<div class="template">
    <label class="field"><span>${say("alerts.text")}</span>
      <textarea ref=${area} rows="1" maxlength=${MAX_LENGTH} value=${text} placeholder=${placeholder}
        onInput=${onInput} onFocus=${onFocus} onBlur=${onBlur}></textarea>
    </label>
    ${unknown.length > 0 && html`<p class="quiet bad" role="status">
      ${say("alerts.unknown_placeholder", { many: unknown.length, names: unknown.join(", ") })}</p>`}
    ${hasChips && html`<ul class="placeholders" aria-label=${say("alerts.placeholders")}>
      ${PLACEHOLDERS[kind].map((name) => {
        const meaning = say(name === "amount" ? `placeholder.amount.${kind}` : `placeholder.${name}`);
        return html`<li key=${name}>
          <button onClick=${() => insert(name)}><code>${`{${name}}`}</code> ${meaning}</button></li>`;
      })}
    </ul>`}
  </div>`;
}
