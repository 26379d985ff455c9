// A plot of figures by day or hour. Screen readers cannot read plots, so each has a table with the same figures.

import { Table } from "../forms.js";
import { TYPES } from "../../shared/kinds.js";
import { Problem, html, useConsole, useEffect, useRef, useState } from "../../shared/parts.js";

// In uPlot's seconds.
const HOUR = 3_600;
const DAY = 24 * HOUR;
/** The steps between the labels of hours and of days. */
const HOURS = [1, 2, 3, 6, 12, 24].map((hours) => hours * HOUR);
const DAYS = [1, 2, 3, 4, 5, 7, 10, 14, 21, 28, 60, 90, 180, 365].map((days) => days * DAY);
const HEIGHT = 220;
const DARK = matchMedia("(prefers-color-scheme: dark)");
/** The steps between a plot's lines. Figures are whole numbers. */
const STEPS = Array.from({ length: 16 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

/**
 * The values of the day or hour under the pointer, shown next to it.
 *
 * @param {{bucket: any, left: any, width: number, title: string, series: any[], index: number}} props
 */
function Values({ bucket, left, width, title, series, index }) {
  const { say } = useConsole();
  const box = useRef(null);
  useEffect(() => {
    const { style, offsetWidth } = box.current;
    style.left = `${Math.max(0, Math.min(left + 12, width - offsetWidth))}px`;
  });
  return html`<div ref=${box} class="values">
    <strong>${bucket}</strong>
    ${series.map(({ name, color, values }) => html`
      <span><i style=${{ background: `var(${color})` }}></i>${series.length > 1 ? name : title}</span>
      <b>${say.number(values[index])}</b>
    `)}
  </div>`;
}

/** Returns true while the system uses a dark theme. */
function useDark() {
  const [isDark, setDark] = useState(DARK.matches);
  useEffect(() => {
    const follow = () => setDark(DARK.matches);
    DARK.addEventListener("change", follow);
    return () => DARK.removeEventListener("change", follow);
  }, []);
  return isDark;
}

/** Returns the series of events by type, from the lowest bar to the highest. @param {any[]} buckets The statistics. @param {any} say */
export const typesOf = (buckets, say) => TYPES.map((type) => ({
  name: say(`type.${type}`),
  color: type === "cheer" ? "--cheer-bright" : `--${type}`,
  values: buckets.map(({ events }) => events[type]),
}));

/** Returns the color halfway between two colors, such as `rgb(1, 2, 3)`. @param {string} one @param {string} other */
function mixed(one, other) {
  const [parts, others] = [one, other].map((color) => (color.match(/[\d.]+/g) ?? []).map(Number));
  return `rgb(${parts.slice(0, 3).map((part, index) => Math.round((part + others[index]) / 2)).join()})`;
}

/**
 * Stacked bars for each day, or each hour. uPlot draws one series over another, so each series includes the sum of those
 * below it. The last bar is pale if its day or hour has not ended.
 *
 * @param {{title: string, times: any[], series: any[], zone: any, isHourly?: boolean, endsNow?: boolean}} props
 */
export function Plot({ title, times, series, zone, isHourly, endsNow }) {
  const { say, theme } = useConsole();
  const container = useRef(null);
  const [pointer, setPointer] = useState(null);
  // The figures do not wait for the library, which is half of the view's code.
  const [uPlot, setUPlot] = useState(/** @type {any} */ (null));
  const [error, setError] = useState(null);
  useEffect(() => {
    import("../../shared/vendor/uplot.js").then((module) => setUPlot(() => module.default), setError);
  }, []);
  const isDark = useDark();
  const key = JSON.stringify([times, series, endsNow]);
  const formatted = (/** @type {any} */ options) => new Intl.DateTimeFormat(say.lang, { timeZone: zone, ...options });
  useEffect(() => {
    if (!uPlot || times.length === 0) return undefined;
    const color = (/** @type {string} */ name) => {
      // uPlot needs a resolved colour, and browsers resolve custom properties only where they are used.
      container.current.style.color = `var(${name})`;
      const resolved = getComputedStyle(container.current).color;
      container.current.style.color = "";
      return resolved;
    };
    const line = color("--line");
    const font = `12px ${getComputedStyle(container.current).fontFamily}`;
    const axis = { font, stroke: color("--quiet"), grid: { stroke: line, width: 1 }, ticks: { stroke: line } };
    const tick = formatted(isHourly ? { hour: "numeric" } : { day: "numeric", month: "short" });
    // The space next to the first and the last bar.
    const half = (isHourly ? HOUR : DAY) / 2;
    const seconds = times.map((time) => time / 1_000);
    const sumTo = (/** @type {any} */ last, /** @type {any} */ day) =>
      series.slice(0, last + 1).reduce((all, { values }) => all + values[day], 0);
    // A bar of zero height would still be drawn as a line.
    const sums = series.map((_, index) => times.map((_, day) => sumTo(index, day) || null));
    const card = color("--card");
    const stack = (/** @type {any} */ { name, color: property }) => {
      const full = color(property);
      const fills = times.map((_, index) => (endsNow && index === times.length - 1 ? mixed(full, card) : full));
      const colors = { unit: 3, values: () => fills };
      const paths = uPlot.paths.bars({ size: [0.7, 40], disp: { fill: colors, stroke: colors } });
      return { label: name, stroke: full, fill: full, paths, points: { show: false } };
    };
    const options = {
      width: container.current.clientWidth,
      height: HEIGHT,
      tzDate: (/** @type {any} */ second) => uPlot.tzDate(new Date(second * 1_000), zone),
      // The highest bars are drawn first, behind the others.
      series: [{}, ...series.map(stack).reverse()],
      axes: [
        { ...axis, size: 32, incrs: isHourly ? HOURS : DAYS, values: (/** @type {any} */ _, /** @type {any[]} */ ticks) =>
          ticks.map((/** @type {any} */ second) => tick.format(second * 1_000)) },
        { ...axis, incrs: STEPS,
          size: (/** @type {any} */ _, /** @type {string[] | null} */ labels) =>
            Math.max(60, ...(labels ?? []).map(({ length }) => 16 + 7 * length)),
          values: (/** @type {any} */ _, /** @type {any[]} */ ticks) =>
            ticks.map((/** @type {any} */ value) => say.compact(value)) },
      ],
      scales: {
        x: { range: [seconds[0] - half, seconds[seconds.length - 1] + half] },
        y: { range: (/** @type {any} */ _, /** @type {any} */ __, /** @type {any} */ max) =>
          [0, Math.max(1, max * 1.08)] },
      },
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
      hooks: {
        setCursor: [(/** @type {any} */ { cursor: { idx: index, left }, bbox }) => {
          const isOutside = index === null || index === undefined || left < 0;
          setPointer(isOutside ? null : { index, left: left + bbox.left / devicePixelRatio });
        }],
      },
    };
    const plot = new uPlot(options, [seconds, ...sums.reverse()], container.current);
    const observer = new ResizeObserver(() => plot.setSize({ width: container.current.clientWidth, height: HEIGHT }));
    observer.observe(container.current);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [uPlot, key, theme, isDark, say]);
  const bucket = formatted({ dateStyle: "medium", ...(isHourly && { timeStyle: "short" }) });
  const legend = (/** @type {any} */ { name, color }) =>
    html`<span><i style=${{ background: `var(${color})` }}></i>${name}</span>`;
  const columns = [say("when"), ...series.map(({ name }) => ({ label: name, className: "amount" }))];
  const width = container.current?.clientWidth ?? 0;
  return html`<section class="card plotted">
    <h2>${title}</h2>
    <${Problem} error=${error} onRetry=${() => location.reload()} />
    <div class="plot-area" aria-hidden="true">
      <div ref=${container} class="plot"></div>
      ${pointer && times[pointer.index] !== undefined &&
      html`<${Values} bucket=${bucket.format(times[pointer.index])} ...${{ ...pointer, width, title, series }} />`}
    </div>
    ${series.length > 1 && html`<p class="legend">${series.map(legend)}</p>`}
    <details>
      <summary>${say("analytics.table", { title })}</summary>
      <${Table} label=${title} columns=${columns}>
        ${times.map((time, index) => html`<tr key=${time}>
          <td>${bucket.format(time)}</td>
          ${series.map(({ values }) => html`<td class="amount">${say.number(values[index])}</td>`)}
        </tr>`)}
      <//>
    </details>
  </section>`;
}
