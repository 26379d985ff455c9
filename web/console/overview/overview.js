// The overview: the stream at a glance, its activity, the viewers to thank, the queue of alerts, the top viewers, and
// the goal. Before the first event, it is the setup.

import { KINDS, MAIN_KINDS, kindOf, pathsOf } from "../../shared/kinds.js";
import { Rows } from "../activity/events.js";
import { useTimeline } from "../activity/follow.js";
import { Problem, Skeleton, html, useConsole, useEffect, useMemo, useState } from "../../shared/parts.js";
import { FIRST_ROWS } from "../start.js";
import { withStyles } from "../styles.js";

// The interval of checks for imported events before the first event, in milliseconds.
const IMPORT_INTERVAL = 5_000;
// The number of rows above the other parts of a narrow page.
const NARROW_ROWS = 8;
// The activity next to the figures, without the chat.
const VISIBLE_KINDS = new Set(KINDS.filter((kind) => kind !== "plain"));

export function View() {
  const { client, say } = useConsole();
  const [parts, setParts] = useState(/** @type {Record<string, any>} */ ({}));
  const [stream, setStream] = useState(null);
  const [queue, setQueue] = useState(/** @type {{now: any, waiting: any[]}} */ ({ now: null, waiting: [] }));
  // An import, such as the demo's, is not in the feed. Another version of the list loads it.
  const [version, setVersion] = useState(0);
  const matches = useMemo(() => {
    const isVisible = (/** @type {any} */ event) => VISIBLE_KINDS.has(kindOf(event));
    return Object.assign(isVisible, { key: `overview ${version}` });
  }, [version]);
  const list = useTimeline({ paths: useMemo(() => pathsOf(MAIN_KINDS), []), matches });
  // The activity does not wait for the parts around it.
  const hasActivity = list.size > 0;
  const isEmpty = list.size === 0 && !list.busy && !list.error;
  const add = (/** @type {Promise<any>} */ loading, styles = "overview/overview.css") =>
    say.withTexts(withStyles(loading, styles), "overview", "twitch", "stream").then((/** @type {any} */ loaded) => setParts((before) => ({ ...before, ...loaded })));
  useEffect(() => {
    if (!hasActivity) return;
    add(import("./stream.js"));
    add(import("./aside.js"));
    add(import("./remote.js"));
  }, [hasActivity]);
  useEffect(() => {
    if (!isEmpty) return undefined;
    add(import("./setup.js"), "overview/setup.css");
    const lookForImport = async () => {
      const { records } = await client.page("/events?event_type=subscriber", { query: { limit: 1 } });
      if (records.length > 0) setVersion(version + 1);
    };
    const timer = setInterval(() => document.hidden || lookForImport().catch(() => {}), IMPORT_INTERVAL);
    return () => clearInterval(timer);
  }, [isEmpty]);
  const { Stream, Thanks, Aside, Remote, Setup } = parts;
  if (isEmpty && Setup) return html`<${Setup} />`;
  if (list.size === 0 && list.error) {
    return html`<h1>${say("nav.overview")}</h1><${Problem} error=${list.error} onRetry=${list.more} isLarge />`;
  }
  /** @type {import("../activity/timeline.js").Chunk[]} */
  const rows = [];
  const most = matchMedia("(max-width: 60rem)").matches ? NARROW_ROWS : FIRST_ROWS;
  for (const { id, events } of list.chunks) {
    const remaining = most - rows.reduce((count, chunk) => count + chunk.events.length, 0);
    if (remaining > 0) rows.push({ id, events: events.slice(0, remaining) });
  }
  const last = rows.flatMap(({ events }) => events).find((event) => MAIN_KINDS.has(kindOf(event)));
  return html`<h1>${say("nav.overview")}</h1>
    ${Remote ? html`<${Remote} last=${last} queue=${queue} />` : html`<div class="remote-place"></div>`}
    ${Stream
      ? html`<${Stream} onStream=${setStream} />`
      : html`<div class="stream-line"></div><${Skeleton} rows=${5} shape="cards five" />`}
    <div class="two overview">
      <div class="column">
        ${Aside
          ? html`<${Aside} stream=${stream} onQueue=${setQueue}>
              ${Thanks && stream && html`<${Thanks} ...${stream} />`}
            <//>`
          : html`<${Skeleton} />`}
      </div>
      <section>
        <div class="bar spread"><h2>${say("nav.activity")}</h2><a href="#/activity">${say("overview.all")}</a></div>
        <${Rows} chunks=${rows} newIds=${list.newIds} label=${say("nav.activity")} />
        <${Problem} error=${list.error} onRetry=${list.more} />
        ${list.size === 0 && html`<${Skeleton} rows=${8} shape="rows" />`}
      </section>
    </div>`;
}
