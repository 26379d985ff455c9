// The state of the stream: its duration, its figures compared with the previous stream, and the last use of an
// overlay's token. This module is loaded after the activity, which is what streamers look at first.

import { useLoaded } from "./loading.js";
import { Problem, html, useConsole, useEffect, useRef, useState } from "./parts.js";
import { loadStyles } from "./styles.js";
import { TwitchLine } from "./twitch.js";

loadStyles("figures.css");

const HOUR = 3_600_000;
// Figures are at most two minutes old, so they are read once a minute.
const REFRESH = 60_000;
const FOLLOW = "twitch/channel.follow";

/** Returns the times of the current stream, or of the last one, and of the one before: `{isLive, from, to, before}`. */
async function streams(client) {
  const times = async (source, limit) => (await client.page("/events", { query: { source, limit } })).records.map(({ occurred_at: at }) => at);
  const [starts, ends] = await Promise.all([times("twitch/stream.online", 2), times("twitch/stream.offline", 2)]);
  const endOf = (start, next) => ends.find((end) => end > start && (!next || end <= next)) ?? next ?? null;
  const [from, previousStart] = starts;
  if (!from) return { isLive: false, from: null };
  const to = endOf(from, null);
  return { isLive: to === null, from, to, before: previousStart && { from: previousStart, to: endOf(previousStart, from) ?? from } };
}

/** Returns the sums of an interval's buckets. `viewers` is that of the busiest hour. */
async function sums(client, from, to) {
  const { data, headers } = await client.request("GET", "/statistics", { query: { from, to, by: "hour" } });
  const total = (value) => data.reduce((sum, bucket) => sum + value(bucket), 0);
  return {
    asOf: headers.get("as-of"),
    subs: total(({ events }) => events.subscriber),
    bits: total(({ bits }) => bits),
    follows: total(({ sources }) => sources[FOLLOW] ?? 0),
    raids: total(({ events }) => events.raid),
    viewers: Math.max(0, ...data.map(({ viewers }) => viewers)),
  };
}

/** Returns the figures of the stream, or of the last day if there was none, and those of the stream before. */
async function figures(client) {
  const stream = await streams(client);
  const from = stream.from ?? new Date(Date.now() - 24 * HOUR).toISOString();
  // Statistics of more than 1,000 hours are by day, and no stream is that long.
  const start = new Date(Math.max(Date.parse(from), Date.parse(stream.to ?? new Date().toISOString()) - 999 * HOUR)).toISOString();
  const [now, before] = await Promise.all([
    sums(client, start, stream.to ?? undefined),
    stream.before ? sums(client, stream.before.from, stream.before.to) : null,
  ]);
  return { stream, now, before };
}

/** The increment of each figure by an event. */
const INCREMENTS = {
  subs: ({ event_type: type }) => Number(type === "subscriber"),
  bits: ({ amount }) => amount ?? 0,
  follows: ({ source }) => Number(source === FOLLOW),
  raids: ({ event_type: type }) => Number(type === "raid"),
};

/**
 * The current figures of the stream. The statistics are up to two minutes behind, so this adds the events that have
 * arrived since the first response, until the statistics have them.
 */
function useLiveFigures(value) {
  const { subscribe } = useConsole();
  const counted = useRef({ from: undefined, first: /** @type {any} */ (null), added: {} });
  const [, setCount] = useState(0);
  if (value && counted.current.from !== value.stream.from) counted.current = { from: value.stream.from, first: value.now, added: {} };
  useEffect(() => subscribe(({ type, data }) => {
    if (type !== "event.created" || !data) return;
    const { added } = counted.current;
    for (const [name, increment] of Object.entries(INCREMENTS)) added[name] = (added[name] ?? 0) + increment(data);
    setCount((before) => before + 1);
  }), []);
  const { first, added } = counted.current;
  return value && Object.fromEntries(Object.entries(value.now).map(([name, now]) => [name, name in INCREMENTS ? Math.max(now, first[name] + (added[name] ?? 0)) : now]));
}

/** A duration as hours, minutes and seconds. */
function Clock({ from }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.floor((now - Date.parse(from)) / 1_000));
  const twoDigits = (value) => String(value).padStart(2, "0");
  return html`<time>${Math.floor(seconds / 3_600)}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}</time>`;
}

function Figure({ label, value, before }) {
  const { say } = useConsole();
  const change = before > 0 && value > 0 ? (value - before) / before : null;
  return html`<div class="card figure">
    <span class="quiet">${label}</span>
    <strong class="big">${value === undefined ? "–" : say.compact(value)}</strong>
    ${change !== null && html`<span class=${change < 0 ? "bad" : "good"} title=${say("overview.before", { value: before })}>${change < 0 ? "▼" : "▲"} ${say.percent(change)}</span>`}
  </div>`;
}

/** The last use of an overlay's token. Null if the service has no tokens. */
function useLastOverlayUse() {
  const { client } = useConsole();
  const { value } = useLoaded(async () => {
    const tokens = (await client.get("/tokens").catch(() => [])).filter(({ scope, used_at: at }) => scope === "overlay" && at);
    return tokens.map(({ used_at: at }) => at).sort().at(-1) ?? null;
  }, "tokens", REFRESH);
  return value;
}

/** Calls `onStream` with the interval of the stream, `{from, to}`, when it is known and when it changes. */
export function Stream({ onStream }) {
  const { client, say, subscribe } = useConsole();
  const { value, error, busy, reload } = useLoaded(() => figures(client), "figures", REFRESH);
  const now = useLiveFigures(value);
  const lastOverlayUse = useLastOverlayUse();
  useEffect(() => subscribe(({ data }) => String(data?.source ?? "").startsWith("twitch/stream.") && reload()), []);
  const { stream, before } = value ?? {};
  useEffect(() => onStream(stream ?? null), [stream?.from, stream?.to]);
  return html`<div class="bar spread">
      <p class=${`live ${stream?.isLive ? "on" : ""}`}>
        ${stream?.isLive ? html`<strong>${say("live")}</strong> <${Clock} from=${stream.from} />` : stream?.from ? say("overview.last", { time: say.time(stream.from) }) : stream && say("overview.day")}
      </p>
      <${TwitchLine} />
      ${lastOverlayUse && html`<p class="quiet">${say("overview.seen", { ago: say.ago(lastOverlayUse) })}</p>`}
    </div>
    <${Problem} error=${error} onRetry=${reload} />
    <div class="figures" aria-busy=${busy}>
      ${["subs", "bits", "follows", "raids", "viewers"].map((name) => html`<${Figure} label=${say(`figure.${name}`)} value=${now?.[name]} before=${before?.[name]} />`)}
    </div>
    ${now?.asOf && html`<p class="quiet">${say("as_of", { time: say.time(now.asOf) })}</p>`}`;
}
