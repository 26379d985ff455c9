// The overview: the stream at a glance, its activity, the viewers to thank, the queue of alerts, the best viewers, and
// the goal. Before the first event, it is the setup.

import { KINDS, kindOf } from "../shared/kinds.js";
import { Rows } from "./events.js";
import { pathsOf, useTimeline } from "./follow.js";
import { Problem, Skeleton, html, useConsole, useEffect, useMemo, useState } from "./parts.js";

// The activity beside the figures, without the chat.
const VISIBLE_KINDS = new Set(KINDS.filter((kind) => kind !== "plain"));
const LISTED_KINDS = new Set(KINDS.filter((kind) => kind !== "plain" && kind !== "notice"));
const MAX_ROWS = 20;

export function View() {
  const { say } = useConsole();
  const [parts, setParts] = useState(/** @type {Record<string, any>} */ ({}));
  const [stream, setStream] = useState(null);
  const matches = useMemo(() =>
    Object.assign((/** @type {any} */ event) => VISIBLE_KINDS.has(kindOf(event)), { key: "overview" }), []);
  const list = useTimeline({ paths: useMemo(() => pathsOf(LISTED_KINDS), []), matches });
  // The activity does not wait for the parts around it.
  const hasActivity = list.size > 0;
  const isEmpty = list.size === 0 && !list.busy && !list.error;
  const add = (/** @type {any} */ loading) =>
    say.withAllTexts(loading).then((/** @type {any} */ loaded) => setParts((before) => ({ ...before, ...loaded })));
  useEffect(() => {
    if (!hasActivity) return;
    add(import("./stream.js"));
    add(import("./aside.js"));
    add(import("./remote.js"));
  }, [hasActivity]);
  useEffect(() => {
    if (isEmpty) add(import("./setup.js"));
  }, [isEmpty]);
  const { Stream, Thanks, Aside, Remote, Setup } = parts;
  if (isEmpty && Setup) return html`<${Setup} />`;
  const rows = /** @type {any[]} */ ([]);
  for (const { id, events } of list.chunks) {
    const remaining = MAX_ROWS - rows.reduce((count, chunk) => count + chunk.events.length, 0);
    if (remaining > 0) rows.push({ id, events: events.slice(0, remaining) });
  }
  const last = rows.flatMap(({ events }) => events).find((event) => LISTED_KINDS.has(kindOf(event)));
  return html`<h1>${say("nav.overview")}</h1>
    ${Remote && html`<${Remote} last=${last} />`}
    ${Stream ? html`<${Stream} onStream=${setStream} />` : html`<${Skeleton} rows=${5} shape="cards" />`}
    <div class="two">
      <section>
        <div class="bar spread"><h2>${say("nav.activity")}</h2><a href="#/activity">${say("overview.all")}</a></div>
        <${Rows} chunks=${rows} newIds=${list.newIds} label=${say("nav.activity")} />
        ${(list.busy || isEmpty) && list.size === 0 && html`<${Skeleton} rows=${8} shape="rows" />`}
        <${Problem} error=${list.error} onRetry=${list.more} />
      </section>
      <div class="column">
        ${Thanks && stream && html`<${Thanks} events=${stream.events} from=${stream.from} />`}
        ${Aside ? html`<${Aside} stream=${stream} />` : html`<${Skeleton} />`}
      </div>
    </div>`;
}
