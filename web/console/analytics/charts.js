// The charts of a period, its top viewers, and where its events came from.

import { Table } from "../forms.js";
import { useLoaded } from "../../shared/loading.js";
import { Problem, html, useConsole } from "../../shared/parts.js";
import { countsByName } from "../settings/sources.js";
import { Ranks } from "../ranks.js";
import { Plot, typesOf } from "./plot.js";

const BOARDS = ["bits", "subscriptions", "messages", "raid_viewers"];

/** @param {{days: any[], isLast: boolean, id: string, zone: string}} props `isLast` if they end now. `id` identifies the period. */
export function Charts({ days, isLast, id, zone }) {
  const { say } = useConsole();
  const times = days.map((/** @type {any} */ { from }) => Date.parse(from));
  const seriesOf = (/** @type {string} */ name, /** @type {string} */ color, /** @type {(day: any) => number} */ valueOf) =>
    [{ name: say(name), color, values: days.map(valueOf) }];
  const plot = (/** @type {string} */ name, /** @type {any[]} */ series) =>
    html`<${Plot} key=${name} title=${say(`analytics.${name}`)} times=${times}
      zone=${zone} series=${series} endsNow=${isLast} />`;
  const sourceColumns = [say("analytics.source"), { label: say("analytics.count"), className: "amount" }];
  return html`<div class="grid">
    ${plot("events", typesOf(days, say))}
    ${plot("bits", seriesOf("figure.bits", "--cheer-bright", ({ bits }) => bits))}
    ${plot("viewers", seriesOf("analytics.viewers", "--accent", ({ viewers }) => viewers))}
    ${plot("raids", seriesOf("figure.raiders", "--raid", ({ raid_viewers: viewers }) => viewers))}
    <${Best} from=${days[0].from} to=${isLast ? undefined : days[days.length - 1].to} id=${id} />
    <section class="card">
      <h2>${say("analytics.sources")}</h2>
      <${Table} label=${say("analytics.sources")} columns=${sourceColumns}>
        ${countsByName(days.flatMap((/** @type {any} */ { sources }) => Object.entries(sources)), say).map(
          ([name, count]) => html`<tr key=${name}>
            <td>${name}</td><td class="amount">${say.number(count)}</td>
          </tr>`,
        )}
      <//>
    </section>
  </div>`;
}

/** The top ten viewers of the same whole days as the figures. @param {{from: string, to?: string, id: string}} props */
function Best({ from, to, id }) {
  const { client, say, parameters, setParameters } = useConsole();
  const board = BOARDS.includes(parameters.get("board")) ? parameters.get("board") : BOARDS[0];
  const query = { from, to, limit: 10 };
  const { value, error, reload } = useLoaded(() => client.get(`/leaderboards/${board}`, { query }), `${board} ${id}`);
  return html`<section class="card">
    <h2>${say("analytics.best")}</h2>
    <div class="bar" role="group" aria-label=${say("analytics.best")}>
      ${BOARDS.map(
        (name) => html`<button aria-pressed=${name === board} onClick=${() => setParameters({ board: name })}>
          ${say(`board.${name}`)}
        </button>`,
      )}
    </div>
    <${Problem} error=${error} onRetry=${reload} />
    ${value && (value.length === 0
      ? html`<p class="quiet">${say("top.empty")}</p>`
      : html`<${Ranks} ranks=${value} />`)}
  </section>`;
}
