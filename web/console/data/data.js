// The data: each resource's records, by every filter of the API. The resources, their filters and their fields are read
// from /openapi.json and named as in the API.

import { Archive } from "./archive.js";
import { Export } from "./export.js";
import { Filter, arranged, toParameter } from "./filter.js";
import { Field, Tabs } from "../forms.js";
import { useLoaded, usePages } from "../../shared/loading.js";
import { Empty, More, Problem, Skeleton, html, useConsole, useRef, useState } from "../../shared/parts.js";
import { Drawer, cell } from "./record.js";

const PAGING_PARAMETERS = ["limit", "cursor"];
const DEFAULT_RESOURCE = "events";
// A phone shows a record on several lines.
const PAGE_SIZE = matchMedia("(max-width: 44rem)").matches ? 15 : 50;

/**
 * Returns the fields that a PATCH of a record accepts.
 *
 * @param {any} operation
 * @param {any} components
 */
function fieldsOf(operation, components) {
  const resolve = (/** @type {string} */ reference) => components.schemas[reference?.split("/").at(-1) ?? ""] ?? {};
  const full = (/** @type {any} */ schema) => (schema?.$ref ? resolve(schema.$ref) : (schema ?? {}));
  const schema = full(operation?.requestBody?.content["application/json"].schema);
  const variants = schema.anyOf ?? schema.oneOf ?? [];
  return Object.keys(Object.assign({}, schema.properties,
    ...variants.map((/** @type {any} */ variant) => full(variant).properties)));
}

/**
 * Returns an OpenAPI document's collections: their filters, and the fields that PATCH accepts.
 *
 * @param {{paths: any, components: any}} record
 */
function collectionsOf({ paths, components }) {
  const isList = (/** @type {any} */ [path, item]) =>
    !path.includes("{") && item.get?.parameters?.some((/** @type {any} */ { name }) => name === "cursor");
  const entry = (/** @type {any} */ [path, item]) => {
    const isRecord = (/** @type {any} */ other) => other.startsWith(`${path}/{`) && other.split("/").length === 3;
    const recordPath = Object.keys(paths).find(isRecord);
    const below = Object.keys(paths).filter((other) => other.startsWith(`${recordPath}/`));
    const links = below.map((other) => other.slice((recordPath ?? "").length + 1));
    const record = paths[recordPath ?? ""];
    const collection = {
      filters: item.get.parameters.filter((/** @type {any} */ { name }) => !PAGING_PARAMETERS.includes(name)),
      id: /\{(\w+)\}/.exec(recordPath ?? "")?.[1],
      fields: fieldsOf(record?.patch, components),
      links: links.filter((link) => !link.includes("/")),
      canDelete: Boolean(record?.delete),
    };
    return [path.slice(1), collection];
  };
  return Object.fromEntries(Object.entries(paths).filter(isList).map(entry));
}

export function View() {
  const { say } = useConsole();
  const names = { records: say("data.records"), archive: say("data.archive") };
  return html`<p class="back"><a href="#/settings">← ${say("nav.settings")}</a></p>
    <h1>${say("nav.data")}</h1>
    <${Tabs} label=${say("nav.data")} names=${names}>
      ${(/** @type {string} */ tab) => (tab === "archive" ? html`<${Archive} />` : html`<${Records} />`)}
    <//>`;
}

function Records() {
  const { client, say, parameters, setParameters } = useConsole();
  const load = async () => collectionsOf(await client.get("/openapi.json"));
  const { value: collections, error, reload } = useLoaded(load, "openapi");
  const name = parameters.get("resource") ?? DEFAULT_RESOURCE;
  const query = parameters.get("query") ?? "";
  const hidden = new Set((parameters.get("hidden") ?? "").split(" ").filter(Boolean));
  const pages = usePages(`/${name}?limit=${PAGE_SIZE}${query && `&${query}`}`);
  const [version, setVersion] = useState(0);
  const lastOpened = useRef(/** @type {string | null} */ (null));
  if (error && !collections) return html`<${Problem} error=${error} onRetry=${reload} />`;
  // An unknown name in the URL still gets a form. Its list shows the service's error.
  const resource = collections?.[Object.hasOwn(collections, name) ? name : DEFAULT_RESOURCE];
  const idOf = (/** @type {any} */ record) => record[resource?.id] ?? Object.values(record)[0];
  const send = (/** @type {any} */ event) => {
    event.preventDefault();
    const filled = [...new FormData(event.currentTarget)].filter(([, value]) => value !== "");
    const converted = filled.map(([filter, value]) => [filter, toParameter(filter, value, resource.filters)]);
    setParameters({ query: String(new URLSearchParams(converted)) });
    setVersion(version + 1);
    if (String(parameters.get("query") ?? "") === query) pages.reload();
  };
  const filterValues = new URLSearchParams(query);
  const { common, others } = arranged(resource?.filters ?? []);
  const field = (/** @type {any} */ filter) => html`<label class="field api"><span>${filter.name}</span>
    <${Filter} filter=${filter} value=${filterValues.get(filter.name) ?? ""} />
  </label>`;
  // Omits columns that are null in all records. Identifiers of other records are last, since links show their names.
  const filledColumns = (/** @type {any} */ record) => Object.keys(record).filter((column) => record[column] !== null);
  const isReference = (/** @type {string} */ column) => column.endsWith("_id") && column !== resource?.id;
  const filled = [...new Set(pages.records.flatMap(filledColumns))];
  const columns = [...filled.filter((column) => !isReference(column)), ...filled.filter(isReference)];
  const visibleColumns = columns.filter((column) => !hidden.has(column));
  const toggle = (/** @type {string} */ column) => {
    const others = [...hidden].filter((other) => other !== column);
    setParameters({ hidden: (hidden.has(column) ? others : [...hidden, column]).join(" ") });
  };
  const open = parameters.get("open");
  const openRecord = (/** @type {string} */ id) => {
    lastOpened.current = String(id);
    setParameters({ open: lastOpened.current });
  };
  const close = (/** @type {any} */ hasChanged) => {
    // Going back leads to the list only if this list has opened the record.
    if (lastOpened.current === open) history.back();
    else setParameters({ open: null });
    lastOpened.current = null;
    if (hasChanged === true) pages.reload();
  };
  const label = (/** @type {any} */ record) => `${name} ${idOf(record)}`;
  return html`${!resource && html`<${Skeleton} rows=${1} shape="form" />`}
    ${resource && html`<form class="card filters" onSubmit=${send} key=${name}>
      <div class="fields">
        <${Field} label=${say("data.resource")} value=${name} options=${Object.keys(collections)}
          onChange=${(event) => setParameters({ resource: event.currentTarget.value, query: null, hidden: null })} />
        ${common.map(field)}
      </div>
      <div class="more">
        <details open=${others.some((filter) => filterValues.has(filter.name))}>
          <summary>${say("data.more_filters")}</summary>
          <div class="fields">${others.map(field)}</div>
        </details>
        <button class="main">${say("data.search")}</button>
      </div>
    </form>`}
    <div class="bar spread">
      <p class="quiet" role="status">
        ${pages.busy ? say("loading") : say(pages.next ? "data.first" : "data.all", { many: pages.records.length })}
      </p>
      ${columns.length > 0 && html`<${Export} key=${`${name} ${query}`} name=${name} query=${query}
        columns=${visibleColumns} />`}
    </div>
    ${columns.length > 0 &&
    html`<details>
        <summary>${say("data.columns")}</summary>
        <div class="bar" role="group" aria-label=${say("data.columns")}>
          ${columns.map(
            (column) => html`<button aria-pressed=${!hidden.has(column)} onClick=${() => toggle(column)}>
              ${column}
            </button>`,
          )}
        </div>
      </details>
      <div class="scroll card" tabindex="0" role="region" aria-label=${say("nav.data")}>
        <table class="records">
          <thead><tr>
            <th scope="col"><span class="unseen">${say("data.open")}</span></th>
            ${visibleColumns.map((column) => html`<th scope="col">${column}</th>`)}
          </tr></thead>
          <tbody>${pages.records.map(
            (record) => html`<tr key=${idOf(record)}
              onClick=${(event) => event.target.closest("a, button") || openRecord(idOf(record))}>
              <td><button class="quiet" aria-label=${say("data.open_of", { what: label(record) })}
                onClick=${() => openRecord(idOf(record))}>${say("data.open")}</button></td>
              ${visibleColumns.map(
                (column) => html`<td data-name=${column} dir="auto">
                  ${cell(column, record[column], say)}
                </td>`,
              )}
            </tr>`,
          )}</tbody>
        </table>
      </div>`}
    ${columns.length === 0 && !pages.busy && !pages.error && html`<${Empty}>${say("data.none")}${" "}
      ${query && html`<button onClick=${() => setParameters({ query: null })}>${say("activity.reset")}</button>`}<//>`}
    <${More} list=${pages} scrolls />
    ${open && resource &&
    html`<${Drawer} key=${`${name} ${open}`} name=${name} id=${open} resource=${resource} onClose=${close} />`}`;
}
