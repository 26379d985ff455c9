// The preview: the overlay itself in a 16:9 frame. It plays the selected alert at every change.

import { base } from "../../shared/page.js";
import { html, useConsole, useEffect, useRef, useState } from "../../shared/parts.js";
import { Amount } from "./amount.js";
import { Backgrounds, useBackground } from "./backgrounds.js";
import { hasAmount, previewOf } from "./kinds.js";
import { Pad } from "./pad.js";
import { Places } from "./places.js";
import { Write } from "../write.js";

// The time after the last change until the alert is played again, in milliseconds.
const PLAY_PAUSE = 250;
// The longest time that an alert is visible, in seconds.
const MAX_DURATION = 60;

/**
 * Returns settings that make the preview show a kind, even if it is off. Only an alert that the user plays disappears
 * as on the stream. After a change, it stays visible.
 *
 * @param {Record<string, any>} values
 * @param {string} kind
 * @param {boolean} isPlayed
 */
function withKind(values, kind, isPlayed) {
  const { alerts = {} } = values;
  const own = alerts[kind] ?? {};
  const long = isPlayed ? {} : { duration: MAX_DURATION };
  // A letter without separate settings must not get any.
  const rule = { ...own, enabled: true, ...("duration" in own ? long : {}) };
  return { ...values, ...long, alerts: { ...alerts, [kind]: rule } };
}

/**
 * @param {object} properties
 * @param {{overlay_id: number}} properties.overlay
 * @param {Record<string, any>} properties.values The settings as stored.
 * @param {import("../../overlay/settings.js").Settings} properties.settings
 * @param {string} properties.kind
 * @param {import("../../overlay/rules.js").Rule} properties.rule
 * @param {number} properties.amount
 * @param {(amount: number) => void} properties.setAmount
 * @param {number} properties.plays
 * @param {() => void} properties.play
 * @param {ReturnType<typeof import("./test.js").useTest>} properties.test
 * @param {boolean} properties.muted
 * @param {(place: import("../../overlay/places.js").Place) => void} properties.onMove
 * @param {(kind: string) => void} properties.onEnable
 */
export function Preview(properties) {
  const { overlay, values, settings, kind, rule, amount, setAmount } = properties;
  const { plays, play, test, muted, onMove, onEnable } = properties;
  const { say, connected } = useConsole();
  const frame = useRef(null);
  const background = useBackground();
  const [isReady, setReady] = useState(false);
  const lastPlays = useRef(plays);
  useEffect(() => {
    const onMessage = (/** @type {MessageEvent} */ { source, data }) => {
      if (source === frame.current?.contentWindow && data === "ready") setReady(true);
    };
    addEventListener("message", onMessage);
    return () => removeEventListener("message", onMessage);
  }, []);
  const { place: _place, position: _position, ...others } = values;
  const post = (/** @type {object} */ message) => frame.current.contentWindow.postMessage(message, location.origin);
  const messageWith = (/** @type {boolean} */ isPlayed) =>
    ({ settings: withKind(values, kind, isPlayed), muted: muted || !isPlayed, data: previewOf(kind, amount, say) });
  // The alert may be moved while it waits to be played.
  const latestMessage = useRef(messageWith);
  latestMessage.current = messageWith;
  useEffect(() => {
    if (!isReady) return undefined;
    const isPlayed = lastPlays.current !== plays;
    const send = () => {
      lastPlays.current = plays;
      post(latestMessage.current(isPlayed));
    };
    const timer = setTimeout(send, isPlayed ? 0 : PLAY_PAUSE);
    return () => clearTimeout(timer);
  }, [isReady, JSON.stringify(others), kind, amount, plays, muted]);
  // A new place moves the visible alert.
  const move = (/** @type {import("../../overlay/places.js").Place} */ place) => {
    const message = messageWith(false);
    post({ ...message, settings: { ...message.settings, place }, isMove: true });
  };
  useEffect(() => (isReady ? move(settings.place) : undefined), [isReady, settings.place.x, settings.place.y]);
  // A frame that could not be loaded is loaded again after the outage.
  const canLoad = isReady || connected;
  const image = background.name === "own" ? { backgroundImage: `url("${background.picture}")` } : {};
  const isTooSmall = hasAmount(kind) && amount < rule.minimum;
  const name = say(`kind.${kind}`);
  return html`<section class="alert-preview" aria-label=${say("alerts.preview")}><div class="kept">
    <div class=${`scene ${background.name}`} style=${image}>
      ${canLoad && html`<iframe ref=${frame} src=${`${base}/overlay/preview/#overlay=${overlay.overlay_id}`}
        title=${say("alerts.preview")} tabindex="-1"></iframe>`}
      <${Places} frame=${frame} settings=${settings} onDrag=${move} onMove=${onMove} />
    </div>
    <div class="card">
      <div class="bar test-bar">
        <button onClick=${play} disabled=${!canLoad}>▶ ${say("alerts.play")}</button>
        ${kind !== "stamp" &&
        html`<${Write} class="main" aria-label=${say("alerts.test_of", { kind: name })} busy=${test.busy}
          onClick=${() => test.send(kind, amount)}>${say("alerts.test")}<//>`}
        <p class="bar" role="status">
          ${test.note || (isTooSmall && say("alerts.below", { minimum: rule.minimum }))}
          ${test.off && html`<${Write} onClick=${() => onEnable(test.off ?? "")}>${say("alerts.turn_on")}<//>`}
        </p>
      </div>
      ${hasAmount(kind) && html`<${Amount} kind=${kind} rule=${rule} amount=${amount} setAmount=${setAmount} />`}
      <${Pad} place=${settings.place} onMove=${onMove} />
      <${Backgrounds} background=${background} />
    </div>
  </div></section>`;
}
