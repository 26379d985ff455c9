// A product's form.

import { useDraft } from "../draft.js";
import { Dialog, Field, NOT_BLANK, reasonIn } from "../forms.js";
import { Problem, html, useConsole, useLayoutEffect, useRef, useState } from "../../shared/parts.js";
import { productFacts } from "../activity/sentences.js";
import { points } from "../../shared/units.js";
import { Thing } from "../../shared/thing.js";
import { Write } from "../write.js";

const EMPTY = { name: "", description: null, price: 100, stock: null, max_per_user: null, cooldown: null,
  user_cooldown: null, question: null, item_name: null, automatic: false, enabled: true };
const MAX_SECONDS = 31_536_000;

/**
 * The fields: the attributes of their inputs. An empty field is null, unless it is required. The form's other
 * fields are checkboxes.
 *
 * @type {Record<string, any>}
 */
const FIELDS = {
  name: { required: true, pattern: NOT_BLANK, maxlength: 1_024, autofocus: true, isWide: true },
  price: { type: "number", min: 0, max: Number.MAX_SAFE_INTEGER, step: 1, required: true },
  description: { maxlength: 100_000, rows: 2, isWide: true },
  stock: { type: "number", min: 0, max: Number.MAX_SAFE_INTEGER, step: 1 },
  max_per_user: { type: "number", min: 1, max: Number.MAX_SAFE_INTEGER, step: 1 },
  cooldown: { type: "number", min: 1, max: MAX_SECONDS, step: 1 },
  user_cooldown: { type: "number", min: 1, max: MAX_SECONDS, step: 1 },
  question: { pattern: NOT_BLANK, maxlength: 1_024 },
  item_name: { pattern: NOT_BLANK, maxlength: 1_024 },
};

/** The fields in the order of the form, in groups. @type {Record<string, string[]>} */
const GROUPS = {
  offer: ["name", "price", "description", "enabled"],
  purchase: ["item_name", "question", "automatic"],
  limits: ["stock", "max_per_user", "cooldown", "user_cooldown"],
};

/**
 * Returns the fields that differ. Purchases change the stock in the meantime, so an unchanged stock is not sent.
 *
 * @param {any} before
 * @param {any} after
 */
const changesOf = (before, after) =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== before[name]));

/** Returns the text for an empty field. @param {string} name @param {any} attributes */
const placeholderOf = (name, { type }) =>
  name.includes("cooldown") ? "product.none" : type ? "product.unlimited" : "product.optional";

/** A dialog that creates or changes a product. @param {{product: any, onClose: () => void, onSaved: any}} props */
export function ProductForm({ product, onClose, onSaved }) {
  const { client, say } = useConsole();
  const stored = Object.fromEntries(Object.keys(EMPTY).map((name) => [name, (product ?? EMPTY)[name]]));
  const { before, values, set, discard } = useDraft(`product ${product?.product_id}`, stored);
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const form = useRef(null);
  useLayoutEffect(() => {
    if (error) form.current.querySelector("[aria-invalid]")?.focus();
  }, [error]);
  const onInput = (/** @type {string} */ name) => (/** @type {any} */ event) => {
    const text = event.currentTarget.value;
    setError(null);
    const { type, required } = FIELDS[name];
    if (text === "") set({ [name]: required ? "" : null });
    else set({ [name]: type === "number" ? Number(text) : text });
  };
  const send = async (/** @type {any} */ event) => {
    event.preventDefault();
    setBusy(true);
    try {
      if (product) await client.patch(`/products/${product.product_id}`, changesOf(before, values));
      else await client.post("/products", values);
      discard(onSaved);
    } catch (failure) {
      if (failure.errors?.length > 0) await say.withTexts(Promise.resolve(), "errors").catch(() => {});
      setError(failure);
      setBusy(false);
    }
  };
  const isAtFields = error?.errors?.length > 0 &&
    error.errors.every((/** @type {any} */ { pointer }) => FIELDS[pointer?.slice(1)]);
  const field = (/** @type {string} */ name) => {
    const attributes = FIELDS[name];
    if (!attributes) {
      return html`<label class="check">
        <input type="checkbox" checked=${values[name]}
          onChange=${(event) => set({ [name]: event.currentTarget.checked })} />${say(`product.${name}_label`)}</label>`;
    }
    const placeholder = attributes.required ? undefined : say(placeholderOf(name, attributes));
    return html`<${Field} label=${say(`product.${name}_label`)} value=${values[name] ?? ""} reason=${reasonIn(error, name, say)}
      onInput=${onInput(name)} dir="auto" placeholder=${placeholder} ...${attributes} />`;
  };
  return html`<${Dialog} title=${product ? say("store.edit_of", { name: before.name }) : say("store.new")}
    onClose=${onClose}>
    <form ref=${form} onSubmit=${send}>
      ${Object.entries(GROUPS).map(([group, names]) => html`<fieldset key=${group}>
        <legend>${say(`product.group.${group}`)}</legend>
        <div class="fields">${names.map(field)}</div>
      </fieldset>`)}
      <div class="product-look">
        <${Thing} name=${values.name} />
        <p class="quiet" role="status">${[points(values.price || 0, say), ...productFacts(values, say)].join(" · ")}</p>
      </div>
      <div class="ending">
        <${Problem} error=${isAtFields ? null : error} />
        <${Write} class="main" busy=${busy}>${say("save")}<//>${" "}
        <button type="button" onClick=${() => discard(onClose)}>${say("cancel")}</button>
      </div>
    </form>
  <//>`;
}
