// A letter's picture with the tools for its stamps. A new place is shown immediately and saved after a short pause.

import { html, useConsole, useEffect, useRef, useState } from "../../shared/parts.js";
import { Palette } from "./palette.js";
import { Stage, stepped } from "./stage.js";
import { Write } from "../write.js";

/** The pause after the last step before a place is saved, in milliseconds. */
const SAVE_PAUSE = 300;
/** The distance between stamps added by clicking, as a fraction of the shorter side. Some share a place. */
const SHIFT = 0.06;
const SHIFTS = 6;
/** The buttons that move the selected stamp, for pointers that cannot drag: right, down, clockwise. */
/** @type {Record<string, [number, number, number]>} */
const STEPS = { left: [-1, 0, 0], up: [0, -1, 0], down: [0, 1, 0], right: [1, 0, 0], back: [0, 0, -3], on: [0, 0, 3] };
/** @type {Record<string, string>} */
const SIGNS = { left: "←", up: "↑", down: "↓", right: "→", back: "↺", on: "↻" };

/** @param {{letter: any, apply: any, act: any, path: string, moving: any, image: any, label: string}} props */
export function Desk({ letter, apply, act, path, moving, image, label }) {
  const { client, say } = useConsole();
  const stage = useRef(null);
  const [selected, setSelected] = useState(/** @type {number | null} */ (null));
  // The most recently added stamp has the focus, so keys move it immediately.
  const [focused, setFocused] = useState(/** @type {number | null} */ (null));
  useEffect(() => stage.current?.querySelector(`[data-id="${focused}"]`)?.focus(), [focused]);
  const pending = useRef(/** @type {Map<number, any>} */ (new Map()));
  const save = (/** @type {number} */ id) => {
    const { place, timer } = pending.current.get(id);
    clearTimeout(timer);
    pending.current.delete(id);
    const { pos_x, pos_y, rotation } = place;
    const saved = act(client.patch(`/stamps/${id}`, { pos_x, pos_y, rotation }));
    return saved.then(() => pending.current.has(id) || moving.delete(id));
  };
  // Leaving the page must not lose the last steps.
  useEffect(() => () => [...pending.current.keys()].forEach(save), []);
  const setStamps = (/** @type {any} */ changed) =>
    apply((/** @type {any} */ before) => before && { ...before, stamps: changed(before.stamps) });
  const move = (/** @type {any} */ { stamp_id: id }, /** @type {any} */ place) => {
    setStamps((/** @type {any[]} */ all) =>
      all.map((/** @type {any} */ stamp) => (stamp.stamp_id === id ? { ...stamp, ...place } : stamp)));
    moving.add(id);
    clearTimeout(pending.current.get(id)?.timer);
    pending.current.set(id, { place, timer: setTimeout(() => save(id), SAVE_PAUSE) });
  };
  const remove = async (/** @type {any} */ { stamp_id: id }) => {
    clearTimeout(pending.current.get(id)?.timer);
    pending.current.delete(id);
    setSelected(null);
    const deleted = await act(client.delete(`/stamps/${id}`));
    if (!deleted) return;
    // The focused stamp disappears.
    stage.current?.focus();
    setStamps((/** @type {any[]} */ all) =>
      all.filter((/** @type {any} */ stamp) => stamp.stamp_id !== id));
  };
  const add = async (/** @type {string} */ type, /** @type {any} */ point) => {
    // Stamps in the middle do not cover each other.
    const shift = point ? 0 : (letter.stamps.length % SHIFTS) * SHIFT * Math.min(image.width, image.height);
    const { x, y } = point ?? { x: image.width / 2 + shift, y: image.height / 2 + shift };
    const place = { stamp_type: type, pos_x: Math.round(x), pos_y: Math.round(y), rotation: 0 };
    const stamp = await act(client.post(`${path}/stamps`, place));
    if (!stamp) return;
    // The feed may have been faster.
    setStamps((/** @type {any[]} */ all) =>
      [...all.filter((/** @type {any} */ { stamp_id: id }) => id !== stamp.stamp_id), stamp]);
    setSelected(stamp.stamp_id);
    setFocused(stamp.stamp_id);
  };
  const step = (/** @type {any} */ stamp, /** @type {string} */ name) =>
    move(stamp, stepped(stamp, STEPS[name], image));
  const stamp = letter.stamps.find((/** @type {any} */ { stamp_id: id }) => id === selected);
  return html`<${Stage} letter=${letter} image=${image} label=${label} stage=${stage} selected=${selected}
      onSelect=${setSelected} onMove=${move} onRemove=${remove} />
    <div class="card tools">
      <${Palette} stage=${stage} onPlace=${add} />
      ${stamp && html`<div class="bar steps" role="group" aria-label=${say("letters.move")}>
        ${Object.keys(STEPS).map((name) => html`<${Write} title=${say(`letters.step.${name}`)}
          aria-label=${say(`letters.step.${name}`)} onClick=${() => step(stamp, name)}>${SIGNS[name]}<//>`)}
        <${Write} class="remove" onClick=${() => remove(stamp)}>${say("letters.remove_stamp")}<//>
      </div>`}
      <p class="quiet">${say(stamp ? "letters.keys" : "letters.how")}</p>
    </div>`;
}
