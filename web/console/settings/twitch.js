// The connection to Twitch: its state, and what to do about it. The settings show all of it, the empty overview shows
// the login, and the overview a single line.

import { gapText } from "../activity/gaps.js";
import { Confirmed, Table } from "../forms.js";
import { useLoaded } from "../../shared/loading.js";
import { Consent, Guide, Login, Steps, useFirstEvent } from "./login.js";
import { Problem, Skeleton, html, useConsole, useEffect, useRef, useState } from "../../shared/parts.js";
import { causeOf } from "./twitch-cause.js";
import { Write } from "../write.js";

// The interval between requests for the state, in milliseconds: during a login, and otherwise.
const LOGIN_REFRESH = 2_000;
const REFRESH = 10_000;
const LOGIN_STATES = ["pending", "connecting"];
// Twitch sends a message at least every 30 seconds. The service considers a socket dead after twice that time.
const MAX_SILENCE = 60_000;
const MAX_GAPS = 5;

/** Loads the state of the connection repeatedly. */
export function useTwitch() {
  const { client } = useConsole();
  const load = () => client.get("/connections/twitch");
  return useLoaded(load, "twitch connection", ({ state }) => (LOGIN_STATES.includes(state) ? LOGIN_REFRESH : REFRESH));
}

/**
 * The time since the last message. It is red when Twitch should already have sent another.
 *
 * @param {{at: any}} props
 */
function LastMessage({ at }) {
  const { say } = useConsole();
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  if (!at) return html`<span class="quiet">${say("twitch.no_message")}</span>`;
  // The clocks of the service and the browser may differ slightly.
  const silence = Math.max(0, now - Date.parse(at));
  const relative = new Intl.RelativeTimeFormat(say.lang, { style: "narrow" });
  const seconds = relative.format(-Math.floor(silence / 1_000), "second");
  const isSilent = silence > MAX_SILENCE;
  return html`<span class=${isSilent ? "bad" : "quiet"}>
    ${say("twitch.last_message", { ago: silence < 2 * MAX_SILENCE ? seconds : say.ago(at, now) })}</span>
    ${isSilent && html`<span class="unseen" role="alert">${say("twitch.silent")}</span>`}`;
}

/** A connection as a line. @param {{connection: any}} props */
export function TwitchLine({ connection }) {
  const { say } = useConsole();
  const { state, last_message_at: at } = connection;
  return html`<p class="twitch-line">
    ${state === "connected"
      ? html`<${LastMessage} at=${at} />`
      : html`<a class=${state === "reauthorize" ? "bad" : ""} href="#/settings?tab=twitch">
          ${say(`twitch.state.${state}`)}</a>`}
  </p>`;
}

/**
 * The state of the connection with its buttons. `isShort` omits the details of a working one.
 *
 * @param {{isShort?: boolean}} props
 */
export function Twitch({ isShort = false }) {
  const { say } = useConsole();
  const { value, error, reload } = useTwitch();
  const hasLoggedIn = useRef(false);
  const firstEvent = useFirstEvent(hasLoggedIn.current && value?.state === "connected");
  if (!value) return error ? html`<${Problem} error=${error} onRetry=${reload} />` : html`<${Skeleton} rows=${2} />`;
  const { transport, state } = value;
  hasLoggedIn.current ||= LOGIN_STATES.includes(state);
  const isRunning = state === "connected" || state === "reauthorize";
  return html`<div class="twitch">
    <${Problem} error=${error} onRetry=${reload} />
    ${!(isShort && state === "none") &&
    html`<p class=${`twitch-state ${state}`} role="status">${stateText(value, say)}</p>`}
    ${value.error && html`<p class="error" role="alert">${causeOf(value.error, say)}</p>`}
    ${transport === "webhook"
      ? html`<p class="quiet">${say(`twitch.webhook.${state}`)} <${Guide} section="connect-a-deployed-service" /></p>`
      : html`${hasLoggedIn.current && !(isShort && state === "pending") &&
        html`<${Steps} state=${state} firstEvent=${firstEvent} />`}
        ${(state === "none" || state === "reauthorize") && html`<${Login} connection=${value} reload=${reload} />`}
        ${state === "pending" &&
        html`<${Consent} connection=${value}><${Disconnect} state=${state} reload=${reload} /><//>`}
        ${state === "connected" && html`<p><${LastMessage} at=${value.last_message_at} /></p>`}`}
    ${!isShort && html`<${Details} connection=${value} />`}
    ${transport === "websocket" && (state === "connecting" || (isRunning && !isShort)) &&
    html`<p><${Disconnect} state=${state} reload=${reload} /></p>`}
  </div>`;
}

/**
 * Returns the state as a sentence, with the channel if there is one.
 *
 * @param {{transport: any, state: any, channel: any}} record
 * @param {any} say
 */
function stateText({ transport, state, channel }, say) {
  if (state !== "connected" || !channel) return say(`twitch.state.${state}`);
  const key = transport === "webhook" ? "webhook" : "connected_to";
  return say(`twitch.state.${key}`, { name: channel.name ?? channel.platform_id });
}

/** The button that ends the connection or the current login. @param {{state: any, reload: () => void}} props */
function Disconnect({ state, reload }) {
  const { client, say } = useConsole();
  const [error, setError] = useState(null);
  const act = () => client.delete("/connections/twitch").then(() => (setError(null), reload()), setError);
  return html`${state === "pending"
      ? html`<${Write} class="quiet" onClick=${act}>${say("twitch.cancel")}<//>`
      : html`<${Confirmed} className="" label=${say("twitch.disconnect")} question=${say("twitch.disconnect_sure")}
      note=${say("twitch.disconnect_note")}
        act=${act} />`}
    <${Problem} error=${error} />`;
}

/** The incomplete parts: missing permissions, failed subscriptions, and gaps. @param {{connection: any}} props */
function Details({ connection }) {
  const { say } = useConsole();
  const { subscriptions, missing_scopes: scopes, gaps, connected_at: since } = connection;
  const list = (/** @type {any[]} */ some) =>
    html`<ul>${some.map((/** @type {any} */ gap) => html`<li key=${gap.from}>${gapText(gap, say, true)}</li>`)}</ul>`;
  const missing = (/** @type {string} */ scope, /** @type {number} */ index) =>
    html`${index > 0 && ", "}<code>${scope}</code>`;
  const failed = (/** @type {any} */ { type, reason }) =>
    html`<tr key=${type}><td><code>${type}</code></td><td>${causeOf(reason, say)}</td></tr>`;
  return html`${connection.state === "connected" &&
  html`<p class="quiet">
    ${say("twitch.subscriptions", { many: subscriptions.enabled })}
    ${since && ` · ${say("twitch.since", { time: say.time(since) })}`}</p>`}
    ${scopes.length > 0 &&
    html`<div class="notice"><h3>${say("twitch.scopes", { many: scopes.length })}</h3>
      <p>${say("twitch.scopes_how")}</p>
      <p>${scopes.map(missing)}</p></div>`}
    ${subscriptions.failed.length > 0 &&
    html`<div class="notice"><h3>${say("twitch.failed", { many: subscriptions.failed.length })}</h3>
      <p>${say("twitch.failed_how")}</p>
      <${Table} label=${say("twitch.failed", { many: subscriptions.failed.length })}
        columns=${[say("twitch.type"), say("twitch.reason")]}>
        ${subscriptions.failed.map(failed)}
      <//></div>`}
    ${gaps.length > 0 &&
    html`<h3>${say("gaps.title")}</h3>
      <p class="quiet">${say("gaps.why")}</p>
      ${list(gaps.slice(0, MAX_GAPS))}
      ${gaps.length > MAX_GAPS &&
      html`<details><summary>${say("count_more", { many: gaps.length - MAX_GAPS })}</summary>
        ${list(gaps.slice(MAX_GAPS))}</details>`}`}`;
}
