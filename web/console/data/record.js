// A drawer for a data record: its fields, its related records, and forms to change or delete it.

import { Confirmed, Dialog, Field } from "../forms.js";
import { useLoaded } from "../../shared/loading.js";
import { Problem, Skeleton, html, useConsole, useState } from "../../shared/parts.js";
import { Write } from "../write.js";

/**
 * A record: its fields, links to related records, and forms to change or delete it.
 *
 * @param {{name: string, id: string, resource: any, onClose: (hasChanged: boolean) => void}} props
 */
export function Drawer({ name, id, resource, onClose }) {
  const { client, say } = useConsole();
  const path = `/${name}/${id}`;
  const { value: response, error, reload } = useLoaded(() => client.request("GET", path), path);
  const [failure, setFailure] = useState(null);
  const [hasChanged, setChanged] = useState(false);
  const [field, setField] = useState(resource.fields[0]);
  const record = response?.data;
  const change = async (/** @type {any} */ event) => {
    event.preventDefault();
    try {
      const text = String(new FormData(event.currentTarget).get("value"));
      // Texts need no quotes. Other values are JSON.
      const value = typeof record[field] === "string" && text !== "null" ? text : text === "" ? null : JSON.parse(text);
      // Another client may have changed the record since it was opened.
      await client.patch(path, { [field]: value }, { ifMatch: response.etag });
      setChanged(true);
      setFailure(null);
      reload();
    } catch (error) {
      setFailure(error instanceof SyntaxError ? new Error(say("data.no_json")) : error);
    }
  };
  const remove = () => client.delete(path, { ifMatch: response.etag }).then(() => onClose(true), setFailure);
  const currentValue = record?.[field];
  const currentText = typeof currentValue === "string" ? currentValue : JSON.stringify(currentValue ?? null);
  const fieldRow = (/** @type {any} */ [column, value]) => html`<tr key=${column}>
    <th scope="row">${column}</th>
    <td dir="auto">
      ${typeof value === "object" && value
        ? html`<pre>${JSON.stringify(value, null, 1).slice(0, 4_000)}</pre>`
        : cell(column, value, say, false)}
    </td>
  </tr>`;
  return html`<${Dialog} title=${`${name} ${id}`} onClose=${() => onClose(hasChanged)} className="drawer">
    <${Problem} error=${error} onRetry=${reload} />
    ${!record && !error && html`<${Skeleton} rows=${5} />`}
    ${record &&
    html`<table class="fields-of"><tbody>${Object.entries(record).map(fieldRow)}</tbody></table>
      ${resource.links.length > 0 &&
      html`<h3>${say("data.related")}</h3>
        <p class="bar">${resource.links.filter((/** @type {any} */ link) => link !== "document" || record.document_id)
          .map((/** @type {any} */ link) => html`<a class="button" href=${related(name, link, record)}>${link}</a>`)}</p>`}
      ${resource.fields.length > 0 &&
      html`<h3>${say("edit")}</h3>
        <form onSubmit=${change} class="bar">
          <${Field} label=${say("data.field")} value=${field} options=${resource.fields}
            onChange=${(event) => setField(event.currentTarget.value)} />
          <label class="field grow"><span>${say("data.value")}</span>
            <textarea name="value" rows="2" dir="auto" key=${`${field} ${JSON.stringify(currentValue)}`}
              defaultValue=${currentText}></textarea>
          </label>
          <${Write} class="main">${say("save")}<//>
        </form>`}
      <${Problem} error=${failure} />
      ${resource.canDelete &&
      html`<p>
        <${Confirmed} className="" label=${say("delete")} description=${say("delete_of", { name: `${name} ${id}` })}
          question=${say("data.delete_sure")} note=${say("data.delete_note")} act=${remove} />
      </p>`}`}
  <//>`;
}

/**
 * Returns the address of the view with the related records.
 *
 * @param {string} name
 * @param {any} link
 * @param {any} record
 */
function related(name, link, record) {
  const search = (/** @type {any} */ resource, /** @type {any} */ filter, /** @type {string} */ id) =>
    `#/data?${new URLSearchParams({ resource, query: `${filter}=${id}` })}`;
  const open = (/** @type {any} */ resource, /** @type {string} */ id) =>
    id ? `#/data?${new URLSearchParams({ resource, open: String(id) })}` : `#/data?resource=${resource}`;
  if (link === "user" || link === "owner") return open("users", record.user_id ?? record.owner_id);
  if (link === "document") return open("documents", record.document_id);
  if (name === "documents" && link === "stamps") return search("stamps", "document_id", record.document_id);
  if (link === "specimen") return search("specimens", "owner_id", record.user_id);
  if (["wallet", "statistics"].includes(link)) return `#/viewers/${record.user_id}`;
  const filter = ["specimens", "inventory"].includes(link) ? "owner_id" : "user_id";
  return search(link, filter, record.user_id);
}

/**
 * Returns a record's value in readable form.
 *
 * @param {string} name
 * @param {any} value
 * @param {any} say
 * @param {boolean} [isShort]
 */
export function cell(name, value, say, isShort = true) {
  if (value === null || value === undefined) return isShort ? "" : html`<span class="quiet">–</span>`;
  if (name.endsWith("_at")) return html`${say.time(value)} ${!isShort && html`<span class="quiet">${value}</span>`}`;
  if (name === "user_id" || name === "owner_id") return html`<a href=${`#/viewers/${value}`}>${value}</a>`;
  if (name === "user" || name === "owner") return html`<a href=${`#/viewers/${value.user_id}`}>${value.name}</a>`;
  if (name === "details" || name === "settings") return JSON.stringify(value);
  if (Array.isArray(value)) return value.map((item) => item.stamp_type ?? item.name ?? "").join(", ");
  return typeof value === "object" ? Object.values(value)[0] : String(value);
}
