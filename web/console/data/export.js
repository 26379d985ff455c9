// Exports all records that match the filters, as a file.

import { saveCsv } from "../forms.js";
import { Problem, html, useConsole, useState } from "../../shared/parts.js";

const PAGE = 1_000;

/** @param {{name: string, query: string, columns: string[]}} props */
export function Export({ name, query, columns }) {
  const { client, say } = useConsole();
  const [state, setState] = useState(/** @type {any} */ ({ text: "", error: null, busy: false }));
  const file = `${name}.csv`;
  const save = async () => {
    /** @type {any[]} */
    const rows = [];
    const report = () => setState({ text: say("data.exporting", { many: rows.length }), busy: true });
    report();
    try {
      for await (const record of client.list(`/${name}?${query}`, { retries: 3, query: { limit: PAGE } })) {
        rows.push(columns.map((column) => /** @type {any} */ (record)[column]));
        if (rows.length % PAGE === 0) report();
      }
      saveCsv(file, [columns, ...rows]);
      setState({ text: say("data.exported", { many: rows.length, file }) });
    } catch (error) {
      setState({ text: "", error });
    }
  };
  return html`<div class="bar">
    <span class=${state.busy ? "quiet" : "good"} role="status">${state.text}</span>
    <button onClick=${save} disabled=${state.busy}>${say("data.export")}</button>
    <${Problem} error=${state.error} />
  </div>`;
}
