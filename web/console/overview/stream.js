// The stream's state: its duration, its figures compared with earlier streams, and where the alerts are open. This
// module is loaded after the activity, which streamers look at first.

import { FIGURES } from "../../shared/counts.js";
import { OpenOverlays, useOpenOverlays } from "./open-overlays.js";
import { Problem, Skeleton, html, useConsole, useEffect, useState } from "../../shared/parts.js";
import { useCounter, useStreams, useUsual } from "../streams/streams.js";
import { TwitchLine } from "../settings/twitch.js";

export { Thanks } from "./thanks.js";

// A stream that has just started has nothing to compare, in milliseconds.
const MIN_ELAPSED = 60_000;
// The interval of checks where alerts are open, in milliseconds.
const OPEN_INTERVAL = 15_000;

/** Renders again each second while something is running. Returns the time. @param {boolean} isRunning */
function useNow(isRunning) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return isRunning ? Math.max(now, Date.now()) : now;
}

const twoDigits = (/** @type {number} */ value) => String(value).padStart(2, "0");

/** Returns a duration as hours, minutes and, unless it is short, seconds. @param {number} milliseconds */
export function clock(milliseconds, isShort = false) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  const minutes = `${Math.floor(seconds / 3_600)}:${twoDigits(Math.floor(seconds / 60) % 60)}`;
  return isShort ? minutes : `${minutes}:${twoDigits(seconds % 60)}`;
}

/**
 * A figure, and how it compares with the usual one, which is 0 if unknown: at the same time, or of whole streams.
 *
 * @param {{name: string, value: number, usual: number, isPast: boolean}} properties
 */
export function Figure({ name, value, usual, isPast }) {
  const { say } = useConsole();
  const change = value - usual;
  const key = change === 0 ? "same" : change > 0 ? "more" : "less";
  return html`<div class="card figure">
    <span class="quiet">${say(`figure.${name}`)}</span>
    <strong class="big">${say.compact(value)}</strong>
    ${usual > 0 && html`<span class=${`change ${change > 0 ? "good" : "quiet"}`}>
      ${say(`compare.${isPast ? "past_" : ""}${key}`, { value: say.compact(Math.abs(change)) })}
    </span>`}
  </div>`;
}

/**
 * Calls `onStream` with the stream's interval and events when they are first known and when they change.
 *
 * @param {{onStream: (stream: {from: string | null, to: string | null, events: any[]}) => void}} properties
 */
export function Stream({ onStream }) {
  const { connected, say } = useConsole();
  const open = useOpenOverlays(OPEN_INTERVAL);
  const streams = useStreams();
  const stream = streams.value ? (streams.value[0] ?? null) : undefined;
  const counted = useCounter(stream);
  const { counter, version } = counted;
  const usualAt = useUsual(streams.value);
  const isLive = stream?.to === null;
  // Without the service, it is unknown whether the stream continues.
  const now = useNow(isLive && connected);
  const isKnown = stream !== undefined && counter.isComplete;
  useEffect(() => {
    const iso = (/** @type {number | null | undefined} */ time) => (time ? new Date(time).toISOString() : null);
    if (isKnown) onStream({ from: iso(stream?.from), to: iso(stream?.to), events: counter.events });
  }, [isKnown, stream?.from, stream?.to, version]);
  const figures = isKnown ? counter.figuresTo(Infinity) : null;
  const elapsed = stream ? (stream.to ?? now) - stream.from : 0;
  const usual = elapsed >= MIN_ELAPSED ? usualAt?.(elapsed) : undefined;
  const error = streams.error ?? counted.error;
  return html`<div class="stream-line">
      <p class=${`live ${isLive ? "on" : ""}`}>
        ${isLive && html`<strong>${say("live")}</strong> <time>${clock(elapsed)}</time>`}
        ${!isLive && stream && html`${say("overview.last", { time: say.time(stream.from) })}${" "}
          <a href="#/streams">${say("nav.streams")}</a>`}
        ${stream === null && say("overview.day")}
      </p>
      <${TwitchLine} />
      <${OpenOverlays} open=${open}><a href="#/alerts">${say("begin.overlay")}</a><//>
    </div>
    <${Problem} error=${error} onRetry=${streams.error ? streams.reload : counted.reload} />
    ${figures
      ? html`<div class="figures five">
          ${FIGURES.map(
            (name) => html`<${Figure} key=${name} name=${name} value=${figures[name]}
              usual=${usual?.[name] ?? 0} isPast=${!isLive} />`,
          )}
        </div>`
      : !error && html`<${Skeleton} rows=${FIGURES.length} shape="cards five" />`}`;
}
