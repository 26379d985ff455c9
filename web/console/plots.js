// The plots: statistics of the channel by day. Each plot has a table with the same figures.

import { Problem, html, useConsole, useEffect, useRef, useState } from "./parts.js";

const DAY = 86_400_000;

/** Yields the pages of all events that occurred after a time in milliseconds. */
async function* eventsSince(api, time) {
  let path = `/events?limit=1000&occurred_after=${encodeURIComponent(new Date(time).toISOString())}`;
  while (path) {
    const { records, next } = await api.page(path);
    yield records;
    path = next;
  }
}

/** Returns zero figures for a number of days in UTC, of which the last is today. */
function emptyFigures(days) {
  const first = Math.floor(Date.now() / DAY) - days + 1;
  return {
    first,
    days: Array.from({ length: days }, (_, position) => (first + position) * DAY),
    events: new Array(days).fill(0),
    bits: new Array(days).fill(0),
    tiers: {},
    raids: [],
    total: 0,
  };
}

/** Adds events to the figures. Skips events outside the figures' days. */
function addEvents(figures, records) {
  for (const event of records) {
    const position = Math.floor(Date.parse(event.occurred_at) / DAY) - figures.first;
    if (position < 0 || position >= figures.days.length) continue;
    figures.total += 1;
    figures.events[position] += 1;
    if (event.event_type === "cheer") figures.bits[position] += event.amount;
    if (event.event_type === "subscriber") figures.tiers[event.tier] = (figures.tiers[event.tier] ?? 0) + 1;
    if (event.event_type === "raid") figures.raids.push([Date.parse(event.occurred_at), event.viewer_count]);
  }
}

export function Plots() {
  const { api, say } = useConsole();
  const [days, setDays] = useState(30);
  const [figures, setFigures] = useState(null);
  const [busy, setBusy] = useState(true);
  const [error, setError] = useState(null);
  useEffect(() => {
    let stopped = false;
    const totals = emptyFigures(days);
    setBusy(true);
    setError(null);
    (async () => {
      for await (const records of eventsSince(api, totals.days[0])) {
        if (stopped) return;
        addEvents(totals, records);
        setFigures({ ...totals });
        // Yields to the browser, so that the page stays responsive.
        await new Promise((resolve) => setTimeout(resolve));
      }
    })()
      .catch(setError)
      .then(() => stopped || setBusy(false));
    return () => {
      stopped = true;
    };
  }, [days]);
  const tiers = Object.entries(figures?.tiers ?? {}).sort();
  const raids = [...(figures?.raids ?? [])].sort(([one], [other]) => one - other);
  return html`<h1>${say("plots.title")}</h1>
    <div class="bar" role="group" aria-label=${say("plots.days")}>
      ${[7, 30, 90, 365].map((one) => html`<button aria-pressed=${one === days} onClick=${() => setDays(one)}>${say("plots.last", { days: one })}</button>`)}
      <span class="quiet" role="status">${busy ? say("loading") : say("plots.read", { events: figures?.total ?? 0 })}</span>
    </div>
    <${Problem} of=${error} />
    ${figures &&
    html`<div class="grid">
      <${Plot} title=${say("plots.events")} times=${figures.days} values=${figures.events} />
      <${Plot} title=${say("plots.bits")} times=${figures.days} values=${figures.bits} />
      <${Plot} title=${say("plots.raids")} times=${raids.map(([time]) => time)} values=${raids.map(([, size]) => size)} dots />
      <section class="card">
        <h2>${say("plots.tiers")}</h2>
        <table>
          <thead><tr><th scope="col">${say("plots.tier")}</th><th scope="col">${say("plots.subscriptions")}</th></tr></thead>
          <tbody>${tiers.map(([tier, many]) => html`<tr><td>${tier}</td><td>${say.number(many)}</td></tr>`)}</tbody>
        </table>
      </section>
    </div>`}`;
}

function Plot({ title, times, values, dots }) {
  const { say, theme } = useConsole();
  const container = useRef(null);
  const key = JSON.stringify([times, values]);
  useEffect(() => {
    if (times.length === 0) return undefined;
    const style = getComputedStyle(document.documentElement);
    const [text, line, accent] = ["--quiet", "--line", "--accent"].map((name) => style.getPropertyValue(name).trim());
    const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { stroke: line } };
    const bars = uPlot.paths.bars({ size: [0.7, 40] });
    const series = dots
      ? { label: title, stroke: accent, paths: () => null, points: { show: true, size: 8, fill: accent } }
      : { label: title, stroke: accent, fill: accent, paths: bars, points: { show: false } };
    const options = {
      width: container.current.clientWidth,
      height: 240,
      series: [{}, series],
      axes: [axis, { ...axis, size: 60 }],
      scales: { y: { range: (_, __, most) => [0, Math.max(1, most * 1.08)] } },
      legend: { show: false },
      cursor: { show: false },
    };
    const plot = new uPlot(options, [times.map((time) => time / 1_000), values], container.current);
    const observer = new ResizeObserver(() => plot.setSize({ width: container.current.clientWidth, height: 240 }));
    observer.observe(container.current);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [key, theme]);
  const day = new Intl.DateTimeFormat(say.lang, { dateStyle: "medium" });
  return html`<section class="card">
    <h2>${title}</h2>
    <div ref=${container} class="plot" aria-hidden="true"></div>
    <details>
      <summary>${say("plots.table", { title })}</summary>
      <table>
        <thead><tr><th scope="col">${say("when")}</th><th scope="col">${title}</th></tr></thead>
        <tbody>${times.map((time, at) => html`<tr><td>${day.format(time)}</td><td>${say.number(values[at])}</td></tr>`)}</tbody>
      </table>
    </details>
  </section>`;
}
