// The overview before the first event: the setup in three steps, or a demo to look around.

import { base } from "../../shared/page.js";
import { THEMES } from "../../overlay/rules.js";
import { Themes } from "../alerts/themes.js";
import { Copy } from "../copy.js";
import { DragPicture } from "./drag-picture.js";
import { useFocus } from "../focus.js";
import { useLoaded } from "../../shared/loading.js";
import { Icon, Problem, html, useConsole, useRef, useState } from "../../shared/parts.js";
import { PROGRAM, IS_RELEASE } from "../../shared/program.js";
import { OpenOverlays, openText, useOpenOverlays } from "./open-overlays.js";
import { outcomeOf, overlaysOf } from "../stop/stopping.js";
import { Twitch } from "../settings/twitch.js";
import { Write } from "../write.js";

const TEST = { event_type: "cheer", amount: 100, user_name: "Ann", message: "" };
const DEMO = `${PROGRAM} demo`;
// The interval of checks whether everything is set up, in milliseconds.
const REFRESH = 2_000;
// OBS reads a dropped URL's name and size from these parameters.
const OBS_PARAMETERS = new URLSearchParams({ "layer-name": "Alerts", "layer-width": "1920", "layer-height": "1080" });

/**
 * A step: a tick or its number, a title, and instructions. A finished step is a line that opens.
 *
 * @param {{number: any, title: string, isDone?: boolean, isNext?: boolean, isFolded?: boolean, result?: any,
 *   children?: any}} props
 */
function Step({ number, title, isDone = false, isNext = false, isFolded = false, result, children }) {
  const { say } = useConsole();
  const heading = html`<h2>${title}${isDone && html`<span class="unseen"> ${say("setup.done")}</span>`}</h2>`;
  return html`<li class=${`step ${isDone ? "done" : ""}`} aria-current=${isNext ? "step" : undefined}>
    <span class="number" aria-hidden="true">${isDone ? "✓" : number}</span>
    ${isFolded
      ? html`<${Folded} key="folded" heading=${heading} result=${result}>${children}<//>`
      : html`<div key="open">${heading}${children}</div>`}
  </li>`;
}

/** A finished step. @param {{heading: any, result: any, children?: any}} props */
function Folded({ heading, result, children }) {
  const line = useFocus();
  return html`<details>
    <summary ref=${line}>${heading} <span class="quiet">${result}</span></summary>${children}
  </details>`;
}

/** A tile that OBS accepts as a browser source, with its name and size. @param {{overlay: any, token: any}} props */
function Tile({ overlay, token }) {
  const { say } = useConsole();
  const link = useFocus();
  const fragment = `#overlay=${overlay.overlay_id}${token ? `&token=${token}` : ""}`;
  const address = `${base}/overlay/${fragment}`;
  const dragged = `${base}/overlay/?${OBS_PARAMETERS}${fragment}`;
  const drag = (/** @type {any} */ event) => {
    event.dataTransfer.setData("text/uri-list", dragged);
    event.dataTransfer.setData("text/plain", dragged);
    event.dataTransfer.effectAllowed = "copyLink";
  };
  return html`<p class="drag">${say("setup.drag")}</p>
    <div class="drag">
      <a class="tile" ref=${link} href=${address} target="_blank" rel="noopener" draggable="true" onDragStart=${drag}>
        <${Icon} name="alerts" /><span>${say("setup.size")}</span>
      </a>
      <${DragPicture} />
    </div>
    <p class="quiet">${say("setup.or_copy")}</p>
    <p class="bar"><${Copy} text=${address} label=${say("setup.copy_url")} /></p>`;
}

/**
 * The step that adds alerts to OBS.
 *
 * @param {{open: import("./open-overlays.js").Open | null, isNext: boolean}} props `isNext` has the main button.
 */
function OverlayStep({ open, isNext }) {
  const { client, say, signOut: hasToken } = useConsole();
  const { value, error, reload } = useLoaded(() => overlaysOf(client), "overlays", REFRESH);
  const [token, setToken] = useState(null);
  const [theme, setTheme] = useState(THEMES[0]);
  const [outcome, setOutcome] = useState({ error: null, result: "", isSent: false });
  const overlay = value?.[0];
  const isOpen = Boolean(open?.places);
  const end = (/** @type {string} */ result, isSent = false) => setOutcome({ error: null, result, isSent });
  const fail = (/** @type {any} */ failure) => setOutcome({ error: failure, result: "", isSent: false });
  // If the service requires tokens, an overlay shows nothing without one.
  const make = async () => {
    try {
      if (!overlay) await client.post("/overlays", { name: "Stream", settings: { theme } });
      if (hasToken) setToken((await client.post("/tokens", { name: "OBS" })).token);
      end("");
      reload();
    } catch (failure) {
      fail(failure);
    }
  };
  const test = async () => {
    try {
      await client.post("/alerts", { test: TEST });
      return end(await outcomeOf(client, say, { kind: TEST.event_type, event: {} }), true);
    } catch (failure) {
      return fail(failure);
    }
  };
  const isReady = overlay && (token || !hasToken);
  const main = isNext ? "main" : "";
  const text = say("overlay.cheer", { name: TEST.user_name, amount: TEST.amount });
  return html`${!isReady &&
    html`<p class="quiet">${say(overlay ? "setup.make_url_how" : "setup.make_how")}</p>
      ${!overlay && html`<${Themes} theme=${theme} onChange=${setTheme} />`}
      <p><${Write} class=${main} disabled=${!value} onClick=${make}>
        ${say(overlay ? "setup.make_url" : "setup.make")}<//></p>`}
    ${isReady &&
    html`<${Tile} overlay=${overlay} token=${token} />
      ${!isOpen && html`<p>${say("setup.expect", { text })}</p>`}
      <p class="bar">
        <${Write} class=${main} onClick=${test}>${say("setup.test")}<//>
        <span class=${outcome.isSent ? "good" : ""} role="status">${outcome.result}</span>
      </p>
      ${outcome.isSent && !open?.inObs &&
      html`<details><summary>${say("setup.unseen")}</summary>
        <p class="quiet">${say("setup.unseen_how")}</p></details>`}`}
    ${(isReady || isOpen) && html`<${OpenOverlays} open=${open}><p class="quiet">${say("open.none_how")}</p><//>`}
    <${Problem} error=${outcome.error ?? error} onRetry=${outcome.error ? null : reload} />`;
}

export function Setup() {
  const { client, say, connected } = useConsole();
  const { value: open } = useOpenOverlays(REFRESH);
  const { value: connection } = useLoaded(() => client.get("/connections/twitch"), "twitch", REFRESH);
  const isOpen = Boolean(open?.places);
  const isConnected = connection?.state === "connected";
  // A step that is finished here stays open: it continues to show what arrives, or to send tests.
  const before = useRef(/** @type {{isConnected?: boolean, isOpen?: boolean}} */ ({}));
  if (connection) before.current.isConnected ??= isConnected;
  if (open) before.current.isOpen ??= isOpen;
  const isOverlayNext = isConnected && !isOpen;
  const name = connection?.channel?.name;
  return html`<h1>${say("setup.title")}</h1>
    <p class="quiet" role="status">${say(isConnected ? "setup.connected" : "activity.empty")}</p>
    <div class="setup-parts">
      <ol class="setup card">
        <${Step} number="1" title=${say(connected ? "setup.service" : "unreachable")} isDone=${connected} isFolded result=${base}>
          <p class="quiet">${say("setup.service_how")}</p>
        <//>
        <${Step} number="2" title=${say("begin.twitch")} isDone=${isConnected} isNext=${!isConnected}
          isFolded=${isConnected && before.current.isConnected}
          result=${name ? say("twitch.state.connected_to", { name }) : say("twitch.state.connected")}>
          <${Twitch} isShort />
        <//>
        <${Step} number="3" title=${say("begin.overlay")} isDone=${isOpen} isNext=${isOverlayNext}
          isFolded=${isOpen && before.current.isOpen} result=${open && openText(say, open)}>
          <${OverlayStep} open=${open} isNext=${isOverlayNext} />
        <//>
        ${isConnected && isOpen && html`<li class="ready">
          <div role="status">
            <strong>${say("setup.ready")}</strong> ${say(open?.inObs ? "setup.ready_obs" : "setup.ready_open")}
          </div>
        </li>`}
      </ol>
      <${Demo} />
    </div>`;
}

/** The commands that start a demo. It runs as a separate service to keep its viewers apart from real ones. */
function Demo() {
  const { say } = useConsole();
  const live = `${DEMO} --live`;
  return html`<section class="card demo">
    <h2>${say("setup.demo")}</h2>
    <p class="quiet">${say("setup.demo_how")}</p>
    <p><code class="address">${DEMO}</code></p>
    <p><${Copy} text=${DEMO} /></p>
    ${!IS_RELEASE && html`<p class="quiet">${say("setup.demo_installed")} <code>event-capture demo</code></p>`}
    <details>
      <summary>${say("setup.demo_live")}</summary>
      <p><code class="address">${live}</code></p>
      <p><${Copy} text=${live} /></p>
    </details>
  </section>`;
}
