// The alerts: the settings of an overlay record, with the overlay itself as a live preview. Changes are saved at once,
// so the overlay on the stream has them within a second.

import { ALERT_KINDS, ANIMATIONS, BOARDS, GOALS, PERIODS, POSITIONS, SOUNDS, settingsFrom } from "../overlay/settings.js";
import { play } from "../overlay/sounds.js";
import { base } from "../shared/page.js";
import { Confirmed, Field, Setting } from "./forms.js";
import { useLoaded } from "./loading.js";
import { Empty, Icon, Problem, Skeleton, html, useConsole, useEffect, useRef, useState } from "./parts.js";

// The time after the last change at which the record is saved, in milliseconds.
const SAVE_PAUSE = 300;
const MAX_SOUND_BYTES = 32 * 1_024;
const WIDGETS = ["goal", "leaderboard", "recent", "ticker"];
/** The event of a test alert of each kind. */
const TEST_EVENTS = {
  subscriber: { event_type: "subscriber", tier: 1, subscribed_length: 3, message: "Three months already!" },
  gift: { event_type: "plain", message: "-", reference: "test", details: { giver: { user_id: "1", user_name: "Ann" }, total: 5, tier: 1 } },
  cheer: { event_type: "cheer", amount: 100, message: "Have some bits!" },
  raid: { event_type: "raid", viewer_count: 42 },
  follow: { event_type: "plain", message: "Ann followed the channel." },
  redemption: { event_type: "plain", message: "Hydrate! (100 points): cheers" },
  purchase: { name: "Hat", price: 400, quantity: 1, answer: null },
  plain: { event_type: "plain", message: "Hello!" },
};

/**
 * Returns an object with a value at a path of names. Undefined removes the value.
 *
 * @param {object} object
 * @param {string[]} path
 * @param {any} value
 */
function withValue(object, [name, ...rest], value) {
  const { [name]: before, ...others } = object ?? {};
  const next = rest.length > 0 ? withValue(before && typeof before === "object" ? before : {}, rest, value) : value;
  return next === undefined ? others : { ...others, [name]: next };
}

export function View() {
  const { client, say, parameters, setParameters } = useConsole();
  const { value: overlays, error, reload } = useLoaded(async () => (await client.page("/overlays", { query: { order: "asc", limit: 100 } })).records, "overlays");
  const [failure, setFailure] = useState(null);
  const create = () =>
    client.post("/overlays", { name: say("alerts.first_name"), settings: {} }).then((overlay) => {
      setFailure(null);
      setParameters({ overlay: String(overlay.overlay_id) });
      reload();
    }, setFailure);
  if (!overlays) return html`<h1>${say("nav.alerts")}</h1>${error ? html`<${Problem} error=${error} onRetry=${reload} />` : html`<${Skeleton} rows=${6} />`}`;
  const overlay = overlays.find(({ overlay_id: id }) => String(id) === parameters.get("overlay")) ?? overlays[0];
  return html`<div class="bar spread">
      <h1>${say("nav.alerts")}</h1>
      ${overlays.length > 1 && html`<${Field} label=${say("alerts.overlay")} value=${String(overlay.overlay_id)} onChange=${(event) => setParameters({ overlay: event.currentTarget.value })}
        options=${overlays.map(({ overlay_id: id, name }) => ({ value: String(id), label: name }))} />`}
      ${overlays.length > 0 && html`<button onClick=${create}>${say("alerts.another")}</button>`}
    </div>
    <${Problem} error=${failure} />
    ${overlays.length === 0
      ? html`<${Empty}>${say("alerts.empty")} <button class="main" onClick=${create}>${say("alerts.create")}</button><//>`
      : html`<${Editor} key=${overlay.overlay_id} overlay=${overlay} reload=${reload} />`}`;
}

function Editor({ overlay, reload }) {
  const { client, say, subscribe } = useConsole();
  const path = `/overlays/${overlay.overlay_id}`;
  const [values, setValues] = useState(overlay.settings ?? {});
  const [flags, setFlags] = useState({ paused: overlay.paused, muted: overlay.muted });
  const [state, setState] = useState("");
  const [error, setError] = useState(null);
  // Several changes may happen before the next rendering, so they cannot start from `values`.
  const latest = useRef(values);
  const unsaved = useRef(null);
  const timer = useRef(null);
  // The settings that this page has sent. The feed reports them later, when the user may have changed them again.
  const sent = useRef(new Set());
  const settings = settingsFrom(values);
  const save = async (changes) => {
    setState("alerts.saving");
    if (changes.settings) sent.current.add(JSON.stringify(changes.settings));
    try {
      await client.patch(path, changes);
      setError(null);
      setState("alerts.saved");
    } catch (error) {
      setState("");
      setError(error);
    }
  };
  const change = (names, value) => {
    const next = withValue(latest.current, names, value);
    latest.current = next;
    setValues(next);
    unsaved.current = next;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      unsaved.current = null;
      save({ settings: next });
    }, SAVE_PAUSE);
  };
  // The last input is saved when the view is left.
  useEffect(() => () => {
    clearTimeout(timer.current);
    if (unsaved.current) client.patch(path, { settings: unsaved.current }).catch(() => {});
  }, []);
  // Another page may change the record, too.
  useEffect(() => subscribe(({ type, subject, data }) => {
    if (type !== "overlay.updated" || `/${subject}` !== path || !data) return;
    setFlags({ paused: data.paused, muted: data.muted });
    if (unsaved.current || sent.current.has(JSON.stringify(data.settings))) return;
    latest.current = data.settings ?? {};
    setValues(latest.current);
  }), []);
  const toggle = (name) => {
    setFlags({ ...flags, [name]: !flags[name] });
    save({ [name]: !flags[name] });
  };
  const remove = () => client.delete(path).then(reload, setError);
  const number = (label, names, value, attributes) =>
    html`<${Setting} label=${label} type="number" value=${value} ...${attributes} onCommit=${(text) => change(names, text === "" ? undefined : Number(text))} />`;
  const choice = (label, names, value, options) => html`<${Field} label=${label} value=${value} options=${options} onChange=${(event) => change(names, event.currentTarget.value)} />`;
  const optionsOf = (prefix, names) => names.map((value) => ({ value, label: say(`${prefix}.${value}`) }));
  return html`<div class="two alerts">
    <div class="column">
      <div class="bar">
        <button aria-pressed=${flags.paused} onClick=${() => toggle("paused")}>${say(flags.paused ? "queue.resume" : "queue.pause")}</button>
        <button aria-pressed=${flags.muted} onClick=${() => toggle("muted")}>${say(flags.muted ? "alerts.unmute" : "alerts.mute")}</button>
        <span class="quiet" role="status">${state && say(state)}</span>
      </div>
      <${Problem} error=${error} onRetry=${error && (() => save({ settings: values }))} />
      ${ALERT_KINDS.map((kind) => html`<${Rule} key=${kind} kind=${kind} rule=${settings.alerts[kind]} settings=${settings} change=${(names, value) => change(["alerts", kind, ...names], value)} custom=${settings.customSound} />`)}
    </div>
    <div class="column">
      <${Preview} overlay=${overlay} position=${settings.position} onMove=${(position) => change(["position"], position)} />
      <section class="card">
        <h2>${say("alerts.look")}</h2>
        <div class="fields">
          ${choice(say("alerts.position"), ["position"], settings.position, optionsOf("position", POSITIONS))}
          ${number(say("alerts.scale"), ["scale"], settings.scale, { min: 0.25, max: 4, step: 0.05 })}
          ${number(say("alerts.margin"), ["margin"], settings.margin, { min: 0, max: 20, step: 1 })}
          ${number(say("alerts.duration"), ["duration"], settings.duration / 1_000, { min: 1, max: 60, step: 0.5 })}
          ${number(say("alerts.delay"), ["delay"], settings.delay / 1_000, { min: 0, max: 600, step: 1 })}
          ${number(say("alerts.max_age"), ["max_age"], settings.maxAge / 1_000, { min: 1, max: 86_400, step: 1 })}
          ${choice(say("settings.language"), ["lang"], settings.lang, [{ value: "", label: say("alerts.browser") }, { value: "en", label: "English" }, { value: "de", label: "Deutsch" }])}
        </div>
        <${CustomSound} isSet=${settings.customSound !== null} onChange=${(data) => change(["custom_sound"], data)} />
      </section>
      <${Addresses} overlay=${overlay} />
      <section class="card">
        <h2>${say("alerts.widgets")}</h2>
        <div class="fields">
          ${choice(say("goal.what"), ["goal", "of"], settings.goal.of, optionsOf("goal", GOALS))}
          ${number(say("goal.target"), ["goal", "target"], settings.goal.target, { min: 1, step: 1 })}
          ${number(say("goal.start"), ["goal", "start"], settings.goal.start, { min: 0, step: 1 })}
          <${Setting} label=${say("goal.name")} value=${settings.goal.title} maxlength="100" onCommit=${(text) => change(["goal", "title"], text || undefined)} />
          <${Field} label=${say("goal.since")} type="date" value=${settings.goal.since?.slice(0, 10) ?? ""} onChange=${(event) => change(["goal", "since"], event.currentTarget.value ? `${event.currentTarget.value}T00:00:00Z` : undefined)} />
          ${choice(say("board.what"), ["leaderboard", "board"], settings.leaderboard.board, optionsOf("board", BOARDS))}
          ${choice(say("board.period"), ["leaderboard", "period"], settings.leaderboard.period, optionsOf("period", PERIODS))}
          ${number(say("board.limit"), ["leaderboard", "limit"], settings.leaderboard.limit, { min: 3, max: 10, step: 1 })}
          ${number(say("recent.limit"), ["recent", "limit"], settings.recent.limit, { min: 1, max: 10, step: 1 })}
          ${number(say("ticker.limit"), ["ticker", "limit"], settings.ticker.limit, { min: 1, max: 30, step: 1 })}
        </div>
      </section>
      <p><${Confirmed} className="" label=${say("alerts.delete")} question=${say("alerts.delete_sure")} act=${remove} /></p>
    </div>
  </div>`;
}

/** The card of a kind of alerts. */
function Rule({ kind, rule, settings, change, custom }) {
  const { client, say } = useConsole();
  const [state, setState] = useState("");
  const hasAmount = ["subscriber", "gift", "cheer", "raid", "purchase"].includes(kind);
  const test = TEST_EVENTS[kind];
  const send = () => {
    setState("…");
    const source = { follow: "twitch/channel.follow", redemption: "twitch/channel.channel_points_custom_reward_redemption.add" }[kind];
    const event = { user_name: "Ann", ...test, ...(hasAmount ? atLeast(test, rule.minimum) : {}), ...(source ? { source } : {}) };
    client.post("/alerts", { test: kind === "purchase" ? { purchase: event } : event }).then(() => setState(say("done")), (error) => setState(error.detail ?? error.message));
  };
  /** @param {Record<string, any>} attributes */
  const input = (label, name, value, attributes = {}) => {
    const isNumber = attributes.type === "number" || attributes.type === "range";
    const commit = (text) => change([name], !isNumber ? text : text === "" ? undefined : Number(text));
    return html`<${Setting} label=${label} value=${value} ...${attributes} onCommit=${commit} />`;
  };
  const optionsOf = (prefix, names) => names.map((value) => ({ value, label: say(`${prefix}.${value}`) }));
  const variations = rule.variations;
  const setVariations = (next) => change(["variations"], next.map(({ minimum, ...rest }) => ({ minimum, ...rest })));
  return html`<section class=${`card rule ${kind}`} aria-label=${say(`kind.${kind}`)}>
    <div class="bar spread">
      <label class="check"><input type="checkbox" checked=${rule.enabled} onChange=${(event) => change(["enabled"], event.currentTarget.checked)} /><${Icon} name=${kind} /> <strong>${say(`kind.${kind}`)}</strong></label>
      <span class="bar">
        <span class="quiet" role="status">${state}</span>
        ${test && html`<button onClick=${send} aria-label=${say("alerts.test_of", { kind: say(`kind.${kind}`) })}>${say("alerts.test")}</button>`}
      </span>
    </div>
    <details>
      <summary>${say("alerts.details")}</summary>
      <div class="fields">
        ${input(say("alerts.text"), "text", rule.text, { maxlength: 300, placeholder: say.template(`overlay.${defaultText(kind)}`, { amount: kind === "purchase" ? 1 : 2 }) })}
        ${hasAmount && input(say(`alerts.minimum.${kind}`), "minimum", rule.minimum || "", { type: "number", min: 0, step: 1 })}
        ${input(say("alerts.sound"), "sound", rule.sound, { options: optionsOf("sound", SOUNDS.filter((name) => name !== "custom" || custom)) })}
        ${input(say("alerts.volume"), "volume", rule.volume, { type: "range", min: 0, max: 1, step: 0.05 })}
        ${input(say("alerts.duration"), "duration", rule.duration === null ? "" : rule.duration / 1_000, { type: "number", min: 1, max: 60, step: 0.5, placeholder: String(settings.duration / 1_000) })}
        ${input(say("alerts.color"), "color", rule.color, { type: "color" })}
        ${input(say("alerts.animation"), "animation", rule.animation, { options: optionsOf("animation", ANIMATIONS) })}
      </div>
      <p class="bar">
        <button onClick=${() => play(rule, custom)} disabled=${rule.sound === "none"}>${say("alerts.listen")}</button>
        <label class="check"><input type="checkbox" checked=${rule.speak} onChange=${(event) => change(["speak"], event.currentTarget.checked)} />${say("alerts.speak")}</label>
      </p>
      <p class="quiet">${say("alerts.placeholders")} <code>{name} {amount} {months} {tier} {title} {message}</code></p>
      ${hasAmount &&
      html`${variations.map(
          (variation, index) => html`<fieldset key=${index}>
            <legend>${say("alerts.variation", { amount: variation.minimum })}</legend>
            <div class="fields">
              <${Setting} label=${say(`alerts.minimum.${kind}`)} type="number" min="1" step="1" value=${variation.minimum} onCommit=${(text) => setVariations(variations.with(index, { ...variation, minimum: Number(text) }))} />
              <${Setting} label=${say("alerts.text")} value=${variation.text} maxlength="300" onCommit=${(text) => setVariations(variations.with(index, { ...variation, text }))} />
              <${Field} label=${say("alerts.sound")} value=${variation.sound} options=${optionsOf("sound", SOUNDS.filter((name) => name !== "custom" || custom))} onChange=${(event) => setVariations(variations.with(index, { ...variation, sound: event.currentTarget.value }))} />
              <${Setting} label=${say("alerts.color")} type="color" value=${variation.color} onCommit=${(color) => setVariations(variations.with(index, { ...variation, color }))} />
            </div>
            <button class="quiet" onClick=${() => setVariations(variations.toSpliced(index, 1))}>${say("alerts.remove_variation")}</button>
          </fieldset>`,
        )}
        <button onClick=${() => setVariations([...variations, { minimum: (variations[0]?.minimum ?? Math.max(rule.minimum, 100)) * 10, text: rule.text, sound: rule.sound, color: rule.color, animation: rule.animation }])}>${say("alerts.add_variation")}</button>`}
    </details>
  </section>`;
}

/** Returns the fields of a test that reaches a minimum. */
function atLeast(test, minimum) {
  const name = ["amount", "viewer_count", "subscribed_length", "price"].find((field) => test[field]);
  if (name) return { [name]: Math.max(test[name], minimum) };
  return { details: { ...test.details, total: Math.max(test.details.total, minimum) } };
}

const defaultText = (kind) => ({ subscriber: "resubscribed", gift: "gifts" })[kind] ?? kind;

/** The overlay in a frame of 16:9. A grid above it places the alerts, by dragging or by a click. */
function Preview({ overlay, position, onMove }) {
  const { say } = useConsole();
  const [dragged, setDragged] = useState(null);
  const cell = (event) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    const third = (value, size) => Math.min(2, Math.max(0, Math.floor((value / size) * 3)));
    return POSITIONS[third(event.clientY - top, height) * 3 + third(event.clientX - left, width)];
  };
  const move = (event) => dragged !== null && setDragged(cell(event));
  const drop = () => {
    if (dragged !== null && dragged !== position) onMove(dragged);
    setDragged(null);
  };
  const startDrag = (event) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    setDragged(cell(event));
  };
  return html`<section class="card">
    <h2>${say("alerts.preview")}</h2>
    <div class="preview">
      <iframe src=${`${base}/overlay/#overlay=${overlay.overlay_id}`} title=${say("alerts.preview")} tabindex="-1"></iframe>
      <div class="places" role="radiogroup" aria-label=${say("alerts.position")} onPointerDown=${startDrag} onPointerMove=${move} onPointerUp=${drop} onPointerCancel=${() => setDragged(null)}>
        ${POSITIONS.map((name) => html`<button role="radio" aria-checked=${name === (dragged ?? position)} aria-label=${say(`position.${name}`)} onClick=${(event) => event.detail === 0 && onMove(name)}></button>`)}
      </div>
    </div>
    <p class="quiet">${say("alerts.place")}</p>
  </section>`;
}

/** Reads a short file and passes it on as a data URL. */
function CustomSound({ isSet, onChange }) {
  const { say } = useConsole();
  const [error, setError] = useState("");
  const read = (event) => {
    const [file] = event.currentTarget.files;
    if (!file) return;
    if (file.size > MAX_SOUND_BYTES || !file.type.startsWith("audio/")) {
      setError(say("alerts.sound_too_long"));
      return;
    }
    setError("");
    const reader = new FileReader();
    reader.addEventListener("load", () => onChange(reader.result));
    reader.readAsDataURL(file);
  };
  return html`<div class="bar">
    <label class="field"><span>${say("alerts.own_sound")}</span><input type="file" accept="audio/*" onChange=${read} /></label>
    ${isSet && html`<button onClick=${() => onChange(undefined)}>${say("alerts.remove_sound")}</button>`}
    ${error && html`<p class="error" role="alert">${error}</p>`}
  </div>`;
}

/** The addresses of the overlay and of its widgets. A click creates a token for them, which is shown once. */
function Addresses({ overlay }) {
  const { client, say } = useConsole();
  const [token, setToken] = useState(null);
  const [page, setPage] = useState("");
  const [error, setError] = useState(null);
  const [copied, setCopied] = useState(false);
  const create = () => client.post("/tokens", { name: overlay.name.slice(0, 100) }).then(({ token: created }) => (setToken(created), setError(null)), setError);
  const address = `${base}/overlay/${page && `${page}/`}#overlay=${overlay.overlay_id}${token ? `&token=${token}` : ""}`;
  const copy = () => navigator.clipboard.writeText(address).then(() => setCopied(true), () => setCopied(false));
  useEffect(() => setCopied(false), [address]);
  return html`<section class="card">
    <h2>${say("alerts.address")}</h2>
    <p>${say("alerts.address_how")}</p>
    <${Field} label=${say("alerts.page")} value=${page} onChange=${(event) => setPage(event.currentTarget.value)}
      options=${[{ value: "", label: say("nav.alerts") }, { value: "emotes", label: say("alerts.emotes") }, ...WIDGETS.map((name) => ({ value: name, label: say(`widget.${name}`) }))]} />
    <p><code class="address">${address}</code></p>
    <p class="bar"><button onClick=${create}>${say("tokens.make")}</button> <button onClick=${copy}>${say("copy")}</button> <span class="good" role="status">${copied && say("copied")}</span></p>
    ${token && html`<p role="status">${say("tokens.made")}</p>`}
    <${Problem} error=${error} />
  </section>`;
}
