// The field for an API filter, and its value as a parameter.

import { html } from "../../shared/parts.js";

// The most common filters are shown first, and the others are behind a button.
const COMMON = [
  "event_type", "status", "stamp_type", "seal", "name_prefix", "name", "user_name", "cause", "occurred_after",
  "user_id", "owner_id", "document_id", "active", "forgotten", "enabled", "platform_id", "created_after",
];
const MAX_COMMON = 3;

const isTime = (/** @type {any} */ { schema }) => schema.format === "date-time";

/**
 * Returns a resource's most common filters and the others, with the times after the values, and the records' order
 * last.
 *
 * @param {any[]} filters
 * @returns {{common: any[], others: any[]}}
 */
export function arranged(filters) {
  const rank = (/** @type {any} */ filter) => (filter.name === "order" ? 2 : Number(isTime(filter)));
  const sorted = [...filters].sort((one, other) => rank(one) - rank(other));
  const known = COMMON.flatMap((name) => sorted.find((filter) => filter.name === name) ?? []);
  const common = [...new Set([...known, ...sorted])].slice(0, MAX_COMMON);
  return { common, others: sorted.filter((filter) => !common.includes(filter)) };
}

/**
 * Converts a field's value to a query parameter. Adds the UTC offset, which `datetime-local` fields lack.
 *
 * @param {string} name
 * @param {any} value
 * @param {any[]} filters
 */
export function toParameter(name, value, filters) {
  const filter = filters.find((filter) => filter.name === name);
  return filter && isTime(filter) ? new Date(value).toISOString() : value;
}

/** Converts a timestamp to a `datetime-local` value in the browser's time zone. @param {any} timestamp */
function toLocal(timestamp) {
  const time = new Date(timestamp);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** A filter's field. @param {{filter: any, value: any}} props */
export function Filter({ filter, value }) {
  const { name, schema } = filter;
  const choices = schema.enum ?? (schema.type === "boolean" ? ["true", "false"] : null);
  if (choices) {
    const options = ["", ...choices].map((choice) => html`<option selected=${choice === value}>${choice}</option>`);
    return html`<select name=${name}>${options}</select>`;
  }
  if (isTime(filter)) {
    return html`<input type="datetime-local" step="1" name=${name} defaultValue=${value && toLocal(value)} />`;
  }
  if (schema.type === "integer") {
    return html`<input inputmode="numeric" pattern="-?[0-9]+" name=${name} defaultValue=${value} />`;
  }
  return html`<input name=${name} defaultValue=${value} />`;
}
