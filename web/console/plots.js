// The plots: statistics of the channel by day, in the time zone of the service. Each plot has a table with the same
// figures.

import { Problem, html, useConsole, useEffect, useRef, useState } from "./parts.js";

const DAY = 86_400_000;
// Half a day, in the seconds of uPlot: the space beside the first and the last bar.
const HALF_A_DAY = 43_200;

/** Returns the buckets of a number of days, of which the last is today, with the time zone and the age of the figures. */
async function statistics(api, days) {
  const from = new Date(Date.now() - (days - 1) * DAY).toISOString();
  const { json, response } = await api.send("GET", `/statistics?from=${encodeURIComponent(from)}&by=day`);
  return { days: json, zone: response.headers.get("time-zone") ?? "UTC", asOf: response.headers.get("as-of") };
}

const sum = (counts) => Object.values(counts).reduce((total, count) => total + count, 0);

/** Returns the counts of all days by source, the largest first. */
function bySource(days) {
  const totals = new Map();
  for (const { sources } of days) {
    for (const [source, count] of Object.entries(sources)) totals.set(source, (totals.get(source) ?? 0) + count);
  }
  return [...totals].sort(([, one], [, other]) => other - one);
}

export function Plots() {
  const { api, say } = useConsole();
  const [period, setPeriod] = useState(30);
  const [figures, setFigures] = useState(null);
  const [busy, setBusy] = useState(true);
  const [error, setError] = useState(null);
  useEffect(() => {
    let stopped = false;
    setBusy(true);
    setError(null);
    statistics(api, period)
      .then((read) => stopped || setFigures(read))
      .catch((failure) => stopped || setError(failure))
      .then(() => stopped || setBusy(false));
    return () => {
      stopped = true;
    };
  }, [period]);
  const days = figures?.days ?? [];
  const total = days.reduce((all, { events }) => all + sum(events), 0);
  const plot = (title, value) => html`<${Plot} title=${title} times=${days.map(({ from }) => Date.parse(from))} values=${days.map(value)} zone=${figures.zone} />`;
  return html`<h1>${say("plots.title")}</h1>
    <div class="bar" role="group" aria-label=${say("plots.days")}>
      ${[7, 30, 90, 365].map((one) => html`<button aria-pressed=${one === period} onClick=${() => setPeriod(one)}>${say("plots.last", { days: one })}</button>`)}
      <span class="quiet" role="status">${busy ? say("loading") : say("plots.read", { events: total, time: figures?.asOf ? say.time(figures.asOf) : "" })}</span>
    </div>
    <${Problem} of=${error} />
    ${figures &&
    html`<div class="grid">
      ${plot(say("plots.events"), ({ events }) => sum(events))}
      ${plot(say("plots.viewers"), ({ viewers }) => viewers)}
      ${plot(say("plots.bits"), ({ bits }) => bits)}
      ${plot(say("plots.subscriptions"), ({ events }) => events.subscriber)}
      ${plot(say("plots.raids"), (day) => day.raid_viewers)}
      <section class="card">
        <h2>${say("plots.sources")}</h2>
        <table>
          <thead><tr><th scope="col">${say("plots.source")}</th><th scope="col">${say("plots.count")}</th></tr></thead>
          <tbody>${bySource(days).map(([source, count]) => html`<tr><td>${source}</td><td>${say.number(count)}</td></tr>`)}</tbody>
        </table>
      </section>
    </div>`}`;
}

function Plot({ title, times, values, zone }) {
  const { say, theme } = useConsole();
  const container = useRef(null);
  const key = JSON.stringify([times, values]);
  const formatted = (options) => new Intl.DateTimeFormat(say.lang, { timeZone: zone, ...options });
  useEffect(() => {
    if (times.length === 0) return undefined;
    const style = getComputedStyle(document.documentElement);
    const [text, line, accent] = ["--quiet", "--line", "--accent"].map((name) => style.getPropertyValue(name).trim());
    const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { stroke: line } };
    const date = formatted({ day: "numeric", month: "short" });
    const seconds = times.map((time) => time / 1_000);
    const options = {
      width: container.current.clientWidth,
      height: 240,
      tzDate: (second) => uPlot.tzDate(new Date(second * 1_000), zone),
      series: [{}, { label: title, stroke: accent, fill: accent, paths: uPlot.paths.bars({ size: [0.7, 40] }), points: { show: false } }],
      axes: [
        { ...axis, values: (_, ticks) => ticks.map((second) => date.format(second * 1_000)) },
        { ...axis, size: 60, values: (_, ticks) => ticks.map((value) => say.number(value)) },
      ],
      scales: {
        x: { range: [seconds[0] - HALF_A_DAY, seconds.at(-1) + HALF_A_DAY] },
        y: { range: (_, __, most) => [0, Math.max(1, most * 1.08)] },
      },
      legend: { show: false },
      cursor: { show: false },
    };
    const plot = new uPlot(options, [seconds, values], container.current);
    const observer = new ResizeObserver(() => plot.setSize({ width: container.current.clientWidth, height: 240 }));
    observer.observe(container.current);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [key, theme]);
  const day = formatted({ dateStyle: "medium" });
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
