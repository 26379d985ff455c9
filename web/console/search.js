// The search by every filter of the API. The resources and their filters come from /openapi.json.

import { More, html, useConsole, useEffect, usePages, useState } from "./parts.js";

const LONG = ["message", "metadata", "description"];
const PAGING = ["limit", "cursor"];

export function Search() {
  const { api, say } = useConsole();
  const [lists, setLists] = useState({});
  const [list, setList] = useState("events");
  const [path, setPath] = useState(null);
  useEffect(() => {
    api.get("/openapi.json").then(({ paths }) => {
      const many = Object.entries(paths).filter(([path, item]) => !path.includes("{") && item.get?.parameters?.some(({ name }) => name === "cursor"));
      setLists(Object.fromEntries(many.map(([path, item]) => [path.slice(1), item.get.parameters.filter(({ name }) => !PAGING.includes(name))])));
    });
  }, []);
  const send = (event) => {
    event.preventDefault();
    const filled = [...new FormData(event.currentTarget)].filter(([, value]) => value !== "");
    const query = new URLSearchParams([["limit", "50"], ...filled.map(([name, value]) => [name, toParameter(name, value, lists[list])])]);
    setPath(`/${list}?${query}`);
  };
  return html`<h1>${say("search.title")}</h1>
    <form class="card" onSubmit=${send} key=${list}>
      <div class="fields">
        <label class="field">${say("search.what")}
          <select value=${list} onChange=${(event) => (setPath(null), setList(event.currentTarget.value))}>
            ${Object.keys(lists).map((name) => html`<option value=${name}>${name}</option>`)}
          </select>
        </label>
        ${(lists[list] ?? []).map((filter) => html`<label class="field">${filter.name}<${Filter} of=${filter} /></label>`)}
      </div>
      <button class="main">${say("search.go")}</button>
    </form>
    ${path && html`<${Results} path=${path} />`}`;
}

/** Converts a field's value to a query parameter. Adds the UTC offset, which a `datetime-local` field lacks. */
function toParameter(name, value, filters) {
  const filter = filters.find((filter) => filter.name === name);
  return filter?.schema.format === "date-time" ? new Date(value).toISOString() : value;
}

function Filter({ of: { name, schema } }) {
  const choices = schema.enum ?? (schema.type === "boolean" ? ["true", "false"] : null);
  if (choices) return html`<select name=${name}><option value=""></option>${choices.map((one) => html`<option>${one}</option>`)}</select>`;
  if (schema.format === "date-time") return html`<input type="datetime-local" step="1" name=${name} />`;
  if (schema.type === "integer") return html`<input inputmode="numeric" pattern="-?[0-9]+" name=${name} />`;
  return html`<input name=${name} />`;
}

function Results({ path }) {
  const { say } = useConsole();
  const pages = usePages(path);
  // Leaves out columns that are empty in every record.
  const names = [...new Set(pages.records.flatMap((record) => Object.keys(record).filter((name) => record[name] !== null)))];
  return html`<p class="quiet" role="status">${pages.busy ? say("loading") : say("search.found", { many: pages.records.length })}</p>
    <div class="scroll card" tabindex="0" role="region" aria-label=${say("search.title")}>
      <table class="records">
        <thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
        <tbody>${pages.records.map((record) => html`<tr>${names.map((name) => html`<td class=${LONG.includes(name) ? "long" : ""}>${cell(name, record[name], say)}</td>`)}</tr>`)}</tbody>
      </table>
    </div>
    <${More} of=${pages} scrolls />`;
}

function cell(name, value, say) {
  if (value === null || value === undefined) return "";
  if (name.endsWith("_at")) return say.time(value);
  if (name === "user_id" || name === "owner_id") return html`<a href=${`#/viewers/${value}`}>${value}</a>`;
  if (name === "user" || name === "owner") return value.name;
  if (name === "details" || name === "settings") return JSON.stringify(value);
  if (Array.isArray(value)) return value.map((one) => one.stamp_type ?? one.name ?? "").join(", ");
  return typeof value === "object" ? Object.values(value)[0] : String(value);
}
