// The editor for an overlay record. Its first tab has the theme, the list of alerts, the preview, and the selected
// alert's properties. The others have the widgets, the URLs, and the settings that all alerts share.

import { positionOf } from "../../overlay/places.js";
import { Confirmed, Tabs } from "../forms.js";
import { later } from "../later.js";
import { Problem, html, useConsole, useEffect, useState } from "../../shared/parts.js";
import { variationAt } from "./amount.js";
import { KINDS, firstAmount, hasAmount, ruleOf } from "./kinds.js";
import { List } from "./list.js";
import { useRecord } from "./record.js";
import { useTest } from "./test.js";
import { withStyles } from "../styles.js";
import { Themes } from "./themes.js";
import { Write } from "../write.js";

// As high as the preview without its controls.
const SCENE = html`<section class="alert-preview"><div class="kept"><div class="scene"></div></div></section>`;
const ADDRESSES = "alerts/addresses.css";
const PROPERTIES = "alerts/properties.css";
const Addresses = later(() => withStyles(import("./addresses.js"), ADDRESSES).then(({ Addresses }) => Addresses));
const Look = later(() => import("./look.js").then(({ Look }) => Look));
const Preview = later(() => withStyles(import("./preview.js"), "alerts/preview.css").then(({ Preview }) => Preview), SCENE);
const Properties = later((say) => say.withTexts(withStyles(import("./properties.js"), PROPERTIES), "stream")
  .then((/** @type {any} */ { Properties }) => Properties));
const Variations = later(() => withStyles(import("./variations.js"), PROPERTIES).then(({ Variations }) => Variations));
const Widgets = later((say) => say.withTexts(withStyles(import("./widgets.js"), ADDRESSES), "stream")
  .then((/** @type {any} */ { Widgets }) => Widgets));

/** @param {{overlay: any, title: any, create: () => void, reload: () => void}} properties */
export function Editor({ overlay, title, create, reload }) {
  const { client, say, status, parameters, setParameters } = useConsole();
  const record = useRecord(overlay);
  const isWaiting = record.state === "alerts.saving" && status !== "connected";
  const { settings, flags, change } = record;
  const kind = KINDS.includes(parameters.get("kind")) ? parameters.get("kind") : KINDS[0];
  const rule = ruleOf(settings, kind);
  const [amounts, setAmounts] = useState(/** @type {Record<string, number>} */ ({}));
  // How many times the user has played the preview, which then has sound.
  const [plays, setPlays] = useState(0);
  const amount = amounts[kind] ?? Math.max(firstAmount(kind), rule.minimum);
  const setAmount = (/** @type {number} */ value) => setAmounts({ ...amounts, [kind]: value });
  const play = () => setPlays((before) => before + 1);
  const test = useTest(record, play);
  useEffect(record.clearState, [parameters.get("tab")]);
  const select = (/** @type {string} */ name) => {
    setParameters({ kind: name });
    test.clear();
  };
  const remove = async () => {
    const rules = Object.values(settings.alerts);
    const pictures = rules.flatMap((one) => [one.picture, ...one.variations.map(({ picture }) => picture)]);
    const ids = new Set(pictures.flatMap((picture) => picture?.document_id ?? []));
    try {
      await client.delete(record.path);
      await Promise.all([...ids].map((id) => client.delete(`/documents/${id}`).catch(() => {})));
      reload();
    } catch (error) {
      record.setError(error);
    }
  };
  const rename = (/** @type {string} */ name) => client.patch(record.path, { name }).then(reload, record.setError);
  /** A named place needs no coordinates. @param {import("../../overlay/places.js").Place} place */
  const move = (place) => {
    const position = positionOf(place);
    if (position) change(["position"], position);
    change(["place"], position ? undefined : place);
  };
  const enable = (/** @type {string} */ name, /** @type {boolean} */ isEnabled) =>
    change(["alerts", name, "enabled"], isEnabled);
  const flag = (/** @type {import("./record.js").Flag} */ name, /** @type {string} */ off, /** @type {string} */ on) =>
    html`<${Write} aria-pressed=${flags[name]} onClick=${() => record.toggle(name)}>
      ${say(flags[name] ? on : off)}
    <//>`;
  const changeRule = (/** @type {string[]} */ names, /** @type {any} */ value) =>
    change(["alerts", kind, ...names], value);
  const typeText = (/** @type {string[]} */ names, /** @type {string} */ text) =>
    record.type(["alerts", kind, ...names], text);
  const names = { alerts: say("nav.alerts"), widgets: say("alerts.widgets"), urls: say("alerts.address"),
    overlay: say("alerts.look") };
  const alerts = html`<section class="card alert-theme">
    <${Themes} theme=${settings.theme} onChange=${(/** @type {string} */ theme) => change(["theme"], theme)} />
  </section>
  <div class="alert-editor">
    <${List} settings=${settings} selected=${kind} onSelect=${select} onEnable=${enable} />
    <${Preview} overlay=${overlay} values=${record.values} settings=${settings} kind=${kind} rule=${rule}
      amount=${amount} setAmount=${setAmount} plays=${plays} play=${play} test=${test} muted=${flags.muted}
      onMove=${move}
      onEnable=${(/** @type {string} */ name) => (enable(name, true), test.clear())} />
    <${Properties} key=${kind} kind=${kind} rule=${rule} values=${record.values} settings=${settings}
      amount=${amount} change=${changeRule} type=${typeText} flush=${record.flush} />
    ${hasAmount(kind) && html`<section class="alert-variations" aria-label=${say("alerts.variations")}>
      <${Variations} key=${`variations ${kind}`} kind=${kind} rule=${rule} settings=${settings}
        change=${changeRule} type=${typeText} raw=${record.values.alerts?.[kind]?.variations} flush=${record.flush}
        played=${variationAt(rule, amount)?.minimum}
        onTest=${(/** @type {number} */ minimum) => (setAmount(minimum), test.send(kind, minimum))} />
    </section>`}
  </div>`;
  return html`<div class="bar spread alert-bar">
      <div class="bar">${title}</div>
      <div class="bar">
        <span class="quiet" role="status">${record.state && say(isWaiting ? "offline.waiting" : record.state)}</span>
        ${flag("paused", "queue.pause", "queue.resume")} ${flag("muted", "alerts.mute", "alerts.unmute")}
      </div>
    </div>
    <${Problem} error=${record.error} onRetry=${record.error && record.flush} />
    <${Tabs} label=${say("nav.alerts")} names=${names} onInput=${record.clearState}>
      ${(/** @type {string} */ tab) => html`${tab === "alerts" && alerts}
        ${tab === "widgets" &&
        html`<${Widgets} overlay=${overlay} settings=${settings} change=${change} />`}
        ${tab === "urls" && html`<${Addresses} overlay=${overlay} />`}
        ${tab === "overlay" && html`<${Look} name=${overlay.name} rename=${rename} settings=${settings}
            change=${change} />
          <p class="bar alert-end"><${Write} onClick=${create}>${say("alerts.another")}<//> <${Confirmed} className="bad" label=${say("alerts.delete")}
            description=${`${say("alerts.delete")}: ${overlay.name}`} question=${say("alerts.delete_sure")}
            note=${say("alerts.delete_note")} act=${remove} /></p>`}`}
    <//>`;
}
