// The widgets' settings.

import { BOARDS, GOALS, MAX_PETS, PERIODS } from "../../overlay/settings.js";
import { addressOf, sizeOf } from "./addresses.js";
import { Field, Setting } from "../forms.js";
import { html, useConsole } from "../../shared/parts.js";
import { optionsOf } from "./options.js";

/** @typedef {import("../../overlay/settings.js").Settings} Settings */

/**
 * The chosen widget's settings, and the widget itself with the channel's figures.
 *
 * @param {{overlay: {overlay_id: number}, settings: Settings, change: (names: string[], value: any) => void}} properties
 */
export function Widgets({ overlay, settings, change }) {
  const { say, parameters, setParameters } = useConsole();
  const { leaderboard, recent, ticker, pets } = settings;
  /** @param {string} label @param {string[]} names @param {number} value @param {Record<string, number>} attributes */
  const number = (label, names, value, attributes) => {
    const commit = (/** @type {string} */ text) => change(names, text === "" ? undefined : Number(text));
    return html`<${Setting} label=${say(label)} type="number" step="1" value=${value} ...${attributes}
      onCommit=${commit} />`;
  };
  /**
   * @param {string} label
   * @param {string[]} names
   * @param {string} value
   * @param {string} prefix
   * @param {string[]} options
   */
  const choice = (label, names, value, prefix, options) => {
    const onChange = (/** @type {any} */ event) => change(names, event.currentTarget.value);
    return html`<${Field} label=${say(label)} value=${value} options=${optionsOf(say, prefix, options)}
      onChange=${onChange} />`;
  };
  /** @param {"goal" | "goal2"} name */
  const goalFields = (name) => {
    const goal = settings[name];
    const setSince = (/** @type {any} */ { currentTarget: { value } }) =>
      change([name, "since"], value ? `${value}T00:00:00Z` : undefined);
    const setTitle = (/** @type {string} */ text) => change([name, "title"], text || undefined);
    return html`${choice("goal.what", [name, "of"], goal.of, "goal", GOALS)}
      ${number("goal.target", [name, "target"], goal.target, { min: 1 })}
      ${number("goal.start", [name, "start"], goal.start, { min: 0 })}
      <${Setting} label=${say("goal.name")} value=${goal.title} maxlength="100" onCommit=${setTitle} />
      <${Field} label=${say("goal.since")} type="date" value=${goal.since?.slice(0, 10) ?? ""} onChange=${setSince} />`;
  };
  /** @type {Record<string, any>} */
  const fields = {
    goal: goalFields("goal"),
    goal2: goalFields("goal2"),
    leaderboard: html`${choice("board.what", ["leaderboard", "board"], leaderboard.board, "board", BOARDS)}
      ${choice("board.period", ["leaderboard", "period"], leaderboard.period, "period", PERIODS)}
      ${number("board.limit", ["leaderboard", "limit"], leaderboard.limit, { min: 3, max: 10 })}`,
    recent: number("recent.limit", ["recent", "limit"], recent.limit, { min: 1, max: 10 }),
    ticker: number("ticker.limit", ["ticker", "limit"], ticker.limit, { min: 1, max: 30 }),
    pets: html`${number("pets.limit", ["pets", "limit"], pets.limit, { min: 1, max: MAX_PETS })}
      <label class="check"><input type="checkbox" checked=${pets.names}
        onChange=${(/** @type {any} */ event) => change(["pets", "names"], event.currentTarget.checked)} />
        ${say("pets.names")}</label>`,
  };
  const names = Object.keys(fields);
  const chosen = names.includes(parameters.get("widget")) ? parameters.get("widget") : names[0];
  const [width, height] = sizeOf(chosen);
  return html`<section class="card widgets" aria-label=${say("alerts.widgets")}>
    <div class="bar" role="group" aria-label=${say("alerts.widgets")}>
      ${names.map((name) => html`<button key=${name} aria-pressed=${name === chosen}
        onClick=${() => setParameters({ widget: name })}>${say(`widget.${name}`)}</button>`)}
    </div>
    <div class="fields" key=${chosen}>${fields[chosen]}</div>
    <iframe key=${`${chosen} frame`} src=${addressOf(chosen, `overlay=${overlay.overlay_id}`)}
      style=${{ aspectRatio: `${width} / ${height}`, maxWidth: `${width}px` }} title=${say(`widget.${chosen}`)}
      loading="lazy" tabindex="-1"></iframe>
    <p class="quiet">${say(chosen === "pets" ? "pets.how" : "widget.live", { size: `${width} × ${height}` })}</p>
  </section>`;
}
