// The data: the records of each resource by every filter of the API, with a drawer for one record. The resources, their
// filters and their fields come from /openapi.json, and are named as in the API.

import { Confirmed, Dialog, Field, saveCsv } from "./forms.js";
import { useLoaded, usePages } from "./loading.js";
import { Empty, More, Problem, Skeleton, html, useConsole, useRef, useState } from "./parts.js";

const LONG_COLUMNS = ["message", "metadata", "description"];
const PAGING_PARAMETERS = ["limit", "cursor"];
const DEFAULT_RESOURCE = "events";

/** Returns the collections of an OpenAPI document: their filters, and the fields that PATCH accepts. */
function collectionsOf({ paths, components }) {
  const isList = ([path, item]) => !path.includes("{") && item.get?.parameters?.some(({ name }) => name === "cursor");
  const entry = ([path, item]) => {
    const [recordPath] = Object.keys(paths).filter((other) => other.startsWith(`${path}/{`) && other.split("/").length === 3);
    const links = Object.keys(paths).filter((other) => other.startsWith(`${recordPath}/`) && !other.slice(recordPath.length + 1).includes("/"));
    const schema = paths[recordPath]?.patch?.requestBody?.content["application/json"].schema;
    const resolve = (reference) => components.schemas[reference?.split("/").at(-1)] ?? {};
    const variants = (union) => union.anyOf ?? union.oneOf ?? [];
    const fullSchema = schema?.$ref ? resolve(schema.$ref) : (schema ?? {});
    const fields = Object.assign({}, fullSchema.properties, ...variants(fullSchema).map((variant) => (variant.$ref ? resolve(variant.$ref) : variant).properties));
    return [path.slice(1), { filters: item.get.parameters.filter(({ name }) => !PAGING_PARAMETERS.includes(name)), id: /\{(\w+)\}/.exec(recordPath ?? "")?.[1], fields: Object.keys(fields), links: links.map((link) => link.slice(recordPath.length + 1)), canDelete: Boolean(paths[recordPath]?.delete) }];
  };
  return Object.fromEntries(Object.entries(paths).filter(isList).map(entry));
}

export function View() {
  const { client, say, parameters, setParameters } = useConsole();
  const { value: collections, error, reload } = useLoaded(async () => collectionsOf(await client.get("/openapi.json")), "openapi");
  const name = parameters.get("resource") ?? DEFAULT_RESOURCE;
  const query = parameters.get("query") ?? "";
  const hidden = new Set((parameters.get("hidden") ?? "").split(" ").filter(Boolean));
  const pages = usePages(`/${name}?limit=50${query && `&${query}`}`);
  const [version, setVersion] = useState(0);
  const lastOpened = useRef(/** @type {string | null} */ (null));
  if (!collections) return html`<h1>${say("nav.data")}</h1>${error ? html`<${Problem} error=${error} onRetry=${reload} />` : html`<${Skeleton} rows=${6} />`}`;
  // An unknown name in the URL still gets a form. Its list shows the error of the service.
  const resource = collections[Object.hasOwn(collections, name) ? name : DEFAULT_RESOURCE];
  const send = (event) => {
    event.preventDefault();
    const filled = [...new FormData(event.currentTarget)].filter(([, value]) => value !== "");
    setParameters({ query: String(new URLSearchParams(filled.map(([filter, value]) => [filter, toParameter(filter, value, resource.filters)]))) });
    setVersion(version + 1);
    if (String(parameters.get("query") ?? "") === query) pages.reload();
  };
  const filterValues = new URLSearchParams(query);
  // Omits columns that are null in all records.
  const columns = [...new Set(pages.records.flatMap((record) => Object.keys(record).filter((column) => record[column] !== null)))];
  const visibleColumns = columns.filter((column) => !hidden.has(column));
  const toggle = (column) => setParameters({ hidden: [...hidden].includes(column) ? [...hidden].filter((name) => name !== column).join(" ") : [...hidden, column].join(" ") });
  const open = parameters.get("open");
  const openRecord = (id) => {
    lastOpened.current = String(id);
    setParameters({ open: lastOpened.current });
  };
  const close = (hasChanged) => {
    // The way back leads to the list only if this list has opened the record.
    if (lastOpened.current === open) history.back();
    else setParameters({ open: null });
    lastOpened.current = null;
    if (hasChanged === true) pages.reload();
  };
  const label = (record) => `${name} ${record[resource.id]}`;
  return html`<div class="bar spread">
      <h1>${say("nav.data")}</h1>
      <button onClick=${() => saveCsv(`${name}.csv`, [visibleColumns, ...pages.records.map((record) => visibleColumns.map((column) => record[column]))])} disabled=${pages.records.length === 0}>${say("data.export")}</button>
    </div>
    <form class="card filters" onSubmit=${send} key=${name}>
      <div class="fields">
        <${Field} label=${say("data.resource")} value=${name} options=${Object.keys(collections)} onChange=${(event) => setParameters({ resource: event.currentTarget.value, query: null, hidden: null })} />
        ${resource.filters.map((filter) => html`<label class="field"><span>${filter.name}</span><${Filter} filter=${filter} value=${filterValues.get(filter.name) ?? ""} /></label>`)}
      </div>
      <button class="main">${say("data.search")}</button>
    </form>
    <p class="quiet" role="status">${pages.busy ? say("loading") : say(pages.next ? "data.first" : "data.all", { many: pages.records.length })}</p>
    ${columns.length > 0 &&
    html`<details>
        <summary>${say("data.columns")}</summary>
        <div class="bar" role="group" aria-label=${say("data.columns")}>${columns.map((column) => html`<button aria-pressed=${!hidden.has(column)} onClick=${() => toggle(column)}>${column}</button>`)}</div>
      </details>
      <div class="scroll card" tabindex="0" role="region" aria-label=${say("nav.data")}>
        <table class="records">
          <thead><tr><th scope="col"><span class="unseen">${say("data.open")}</span></th>${visibleColumns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
          <tbody>${pages.records.map(
            (record) => html`<tr key=${record[resource.id]} onClick=${(event) => event.target.closest("a, button") || openRecord(record[resource.id])}>
              <td><button class="quiet" aria-label=${say("data.open_of", { what: label(record) })} onClick=${() => openRecord(record[resource.id])}>${say("data.open")}</button></td>
              ${visibleColumns.map((column) => html`<td class=${LONG_COLUMNS.includes(column) ? "long" : ""} dir="auto">${cell(column, record[column], say)}</td>`)}
            </tr>`,
          )}</tbody>
        </table>
      </div>`}
    ${columns.length === 0 && !pages.busy && !pages.error && html`<${Empty}>${say("data.none")}<//>`}
    <${More} list=${pages} scrolls />
    ${open && html`<${Drawer} key=${`${name} ${open}`} name=${name} id=${open} resource=${resource} onClose=${close} />`}`;
}

/** One record: its fields, links to related records, and forms to change or delete it. */
function Drawer({ name, id, resource, onClose }) {
  const { client, say } = useConsole();
  const path = `/${name}/${id}`;
  const { value: response, error, reload } = useLoaded(() => client.request("GET", path), path);
  const [failure, setFailure] = useState(null);
  const [hasChanged, setChanged] = useState(false);
  const [field, setField] = useState(resource.fields[0]);
  const record = response?.data;
  const change = async (event) => {
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
  return html`<${Dialog} title=${`${name} ${id}`} onClose=${() => onClose(hasChanged)} className="drawer">
    <${Problem} error=${error} onRetry=${reload} />
    ${!record && !error && html`<${Skeleton} rows=${5} />`}
    ${record &&
    html`<table class="fields-of"><tbody>${Object.entries(record).map(([column, value]) => html`<tr key=${column}><th scope="row">${column}</th><td dir="auto">${typeof value === "object" && value ? html`<pre>${JSON.stringify(value, null, 1).slice(0, 4_000)}</pre>` : cell(column, value, say, false)}</td></tr>`)}</tbody></table>
      ${resource.links.length > 0 &&
      html`<h3>${say("data.related")}</h3>
        <p class="bar">${resource.links.map((link) => html`<a href=${related(name, link, record)}>${link}</a>`)}</p>`}
      ${resource.fields.length > 0 &&
      html`<h3>${say("edit")}</h3>
        <form onSubmit=${change} class="bar">
          <${Field} label=${say("data.field")} value=${field} options=${resource.fields} onChange=${(event) => setField(event.currentTarget.value)} />
          <label class="field grow"><span>${say("data.value")}</span><textarea name="value" rows="2" dir="auto" key=${`${field} ${JSON.stringify(currentValue)}`} defaultValue=${typeof currentValue === "string" ? currentValue : JSON.stringify(currentValue ?? null)}></textarea></label>
          <button class="main">${say("save")}</button>
        </form>`}
      <${Problem} error=${failure} />
      ${resource.canDelete && html`<p><${Confirmed} className="" label=${say("delete")} question=${say("data.delete_sure")} act=${remove} /></p>`}`}
  <//>`;
}

/** Returns the address of the view with the related records. */
function related(name, link, record) {
  const search = (resource, filter, id) => `#/data?${new URLSearchParams({ resource, query: `${filter}=${id}` })}`;
  const open = (resource, id) => (id ? `#/data?${new URLSearchParams({ resource, open: String(id) })}` : `#/data?resource=${resource}`);
  if (link === "user" || link === "owner") return open("users", record.user_id ?? record.owner_id);
  if (link === "document") return open("documents", record.document_id);
  if (name === "documents" && link === "stamps") return search("stamps", "document_id", record.document_id);
  if (link === "specimen") return search("specimens", "owner_id", record.user_id);
  if (["wallet", "statistics"].includes(link)) return `#/viewers/${record.user_id}`;
  const filter = ["specimens", "inventory"].includes(link) ? "owner_id" : "user_id";
  return search(link, filter, record.user_id);
}

/** Converts a field's value to a query parameter. Adds the UTC offset, which a `datetime-local` field lacks. */
function toParameter(name, value, filters) {
  const filter = filters.find((filter) => filter.name === name);
  return filter?.schema.format === "date-time" ? new Date(value).toISOString() : value;
}

/** Converts a timestamp to the value of a `datetime-local` field, in the browser's time zone. */
function toLocal(timestamp) {
  const time = new Date(timestamp);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

function Filter({ filter: { name, schema }, value }) {
  const choices = schema.enum ?? (schema.type === "boolean" ? ["true", "false"] : null);
  if (choices) return html`<select name=${name}>${["", ...choices].map((choice) => html`<option selected=${choice === value}>${choice}</option>`)}</select>`;
  if (schema.format === "date-time") return html`<input type="datetime-local" step="1" name=${name} defaultValue=${value && toLocal(value)} />`;
  if (schema.type === "integer") return html`<input inputmode="numeric" pattern="-?[0-9]+" name=${name} defaultValue=${value} />`;
  return html`<input name=${name} defaultValue=${value} />`;
}

function cell(name, value, say, isShort = true) {
  if (value === null || value === undefined) return "";
  if (name.endsWith("_at")) return isShort ? say.time(value) : value;
  if (name === "user_id" || name === "owner_id") return html`<a href=${`#/viewers/${value}`}>${value}</a>`;
  if (name === "user" || name === "owner") return value.name;
  if (name === "details" || name === "settings") return JSON.stringify(value);
  if (Array.isArray(value)) return value.map((item) => item.stamp_type ?? item.name ?? "").join(", ");
  return typeof value === "object" ? Object.values(value)[0] : String(value);
}
