// The stream's state: its duration, its figures compared with earlier streams, where the alerts are open, and the steps
// that are left before all of it works. This module is loaded after the activity, which streamers look at first.

import { FIGURES } from "../../shared/counts.js";
import { local } from "../../shared/page.js";
import { OpenOverlays, useOpenOverlays } from "./open-overlays.js";
import { Problem, Skeleton, html, useConsole, useEffect, useState } from "../../shared/parts.js";
import { Figure, clock } from "../figure.js";
import { useCounter, useStreams, useUsual } from "../streams/streams.js";
import { TwitchLine, useTwitch } from "../settings/twitch.js";

export { Thanks } from "./thanks.js";

// A stream that has just started has nothing to compare, in milliseconds.
const MIN_ELAPSED = 60_000;
// Whether this browser has seen the alerts open, so they are set up.
const OPENED = "alerts_opened";
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

/**
 * Calls `onStream` with the stream's interval, and the events since it began, when they are first known and when they
 * change.
 *
 * @param {{onStream: (stream: {from: string | null, to: string | null, events: any[]}) => void}} properties
 */
export function Stream({ onStream }) {
  const { connected, say } = useConsole();
  const { value: open, error: notCounted } = useOpenOverlays(OPEN_INTERVAL);
  const { value: connection, error: notConnected } = useTwitch();
  // A deployment is connected by a command.
  const isLocal = connection?.transport === "websocket";
  const isUnconnected = isLocal && connection.state === "none";
  useEffect(() => {
    if (open?.places) local.set(OPENED, "yes");
  }, [open?.places]);
  const isMissing = open?.isKnown && open.places === 0 && !local.get(OPENED);
  // The line shows both states at once, so neither moves the other.
  const isLoaded = Boolean((open || notCounted) && (connection || notConnected));
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
  const figures = isKnown ? counter.figuresTo(stream?.to ?? Infinity) : null;
  const elapsed = stream ? (stream.to ?? now) - stream.from : 0;
  const usual = !isLive ? usualAt?.(Infinity) : elapsed >= MIN_ELAPSED ? usualAt?.(elapsed) : undefined;
  const error = streams.error ?? counted.error;
  return html`<div class="stream-line">
      <p class=${`live ${isLive ? "on" : ""}`}>
        ${isLive && html`<strong>${say("live")}</strong> <time>${clock(elapsed)}</time>`}
        ${!isLive && stream && html`<a href=${`#/streams/${stream.from}`}>${say("overview.last", { from: say.time(stream.from), to: say.clock(stream.to) })}</a>`}
        ${stream === null && say("overview.day")}
      </p>
      ${isLoaded && isLocal && !isUnconnected && html`<${TwitchLine} connection=${connection} />`}
      ${isLoaded && !isMissing && html`<${OpenOverlays} open=${open} />`}
      ${isLoaded && (isUnconnected || isMissing) && html`<div class="go-live" role="group" aria-label=${say("overview.steps")}>
        <span aria-hidden="true">${say("overview.steps")}</span>
        ${isUnconnected && html`<a class="button" href="#/settings?tab=twitch">${say("begin.twitch")}</a>`}
        ${isMissing && html`<a class="button" href="#/alerts?tab=urls">${say("begin.overlay")}</a>`}
      </div>`}
    </div>
    <${Problem} error=${error} onRetry=${streams.error ? streams.reload : counted.reload} />
    ${figures
      ? html`<div class=${`figures five ${isLive ? "running" : ""}`}>
          ${FIGURES.map(
            (name) => html`<${Figure} key=${name} name=${name} value=${figures[name]}
              usual=${usual?.[name]} isPast=${!isLive} />`,
          )}
        </div>`
      : !error && html`<${Skeleton} rows=${FIGURES.length} shape="cards five" />`}`;
}
