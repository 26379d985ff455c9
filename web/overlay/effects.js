// The effects around an alert: confetti, a gift bomb's names, a raid's crowd, and numbers that count up.

import { pet } from "../shared/pet.js";
import { shortened } from "./alerts.js";
import { element } from "./elements.js";
import { amountIn } from "./queue.js";

const CONFETTI = { card: 0, party: 70, grand: 160 };
const COLORS = ["#ffd45e", "#ff7ab8", "#5ee0c8", "#8aa8ff", "#fff"];
const MAX_CROWD = 27;
// The crowd runs in lanes: the height above the lower edge in vh, and the size of the figures. The last is the nearest.
const LANES = [[9, 0.72], [4.5, 0.88], [0, 1.08]];
// The time between two figures in a lane, in milliseconds.
const STRIDE = 330;
const COUNT_DURATION = 1_800;
// The time between two names, and the time that a name is visible, in milliseconds.
const MIN_TAG_INTERVAL = 60;
const MAX_TAG_INTERVAL = 450;
const TAG_DURATION = 2_400;
// The minimum width of a name's place in vw, as in effects.css, the number of lines of names, and the free space above
// and below them in vh.
const TAG_WIDTH = 15;
const TAG_LINES = 4;
const TAG_SPACE = 5;

const isReduced = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const sleep = (/** @type {number} */ milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
/** @param {number} from @param {number} to */
const random = (from, to) => from + Math.random() * (to - from);

/**
 * Starts a visible alert's effects.
 *
 * @param {HTMLElement} stage
 * @param {HTMLElement} article
 * @param {import("./queue.js").Alert} alert
 * @param {number} duration The time that the alert is visible, in milliseconds.
 * @param {any} say
 * @returns {{remove: () => void}}
 */
export function startEffects(stage, article, alert, duration, say) {
  const layer = element("div", { className: "effects", ariaHidden: "true" });
  stage.prepend(layer);
  const size = /** @type {keyof typeof CONFETTI} */ (article.dataset.size);
  layer.dataset.look = article.dataset.theme;
  layer.style.setProperty("--tint", article.style.getPropertyValue("--tint"));
  if (alert.kind === "gift") showNames(layer, article, alert, duration, say);
  if (!isReduced()) {
    throwConfetti(layer, article, CONFETTI[size] ?? 0);
    if (alert.kind === "raid") sendCrowd(layer, alert, duration);
    if (size === "grand") countUp(article, alert, say);
  }
  return layer;
}

/** Returns the centre of an alert's picture. @param {HTMLElement} article */
function centre(article) {
  const { left, top, width, height } = (article.firstElementChild ?? article).getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

/**
 * Throws confetti from an alert and lets it fall.
 *
 * @param {HTMLElement} layer
 * @param {HTMLElement} article
 * @param {number} count
 */
function throwConfetti(layer, article, count) {
  const { x, y } = centre(article);
  for (let number = 0; number < count; number += 1) {
    const piece = element("i", { className: `confetti ${number % 3 === 0 ? "round" : "strip"}` });
    piece.style.background = number % 4 === 0 ? "var(--tint)" : COLORS[number % COLORS.length];
    piece.style.left = `${x}px`;
    piece.style.top = `${y}px`;
    layer.append(piece);
    const [across, up, turns] = [random(-48, 48), random(4, 30), random(-900, 900)];
    const at = (/** @type {number} */ right, /** @type {number} */ down, /** @type {number} */ turn) =>
      `translate(${right}vw, ${down}vh) rotate(${turn}deg)`;
    const frames = [
      { transform: at(0, 0, 0), easing: "cubic-bezier(0.1, 0.8, 0.4, 1)" },
      { transform: at(across, -up, turns / 3), offset: 0.3, easing: "cubic-bezier(0.5, 0, 0.9, 0.6)" },
      { transform: at(across * 1.1, random(60, 110), turns) },
    ];
    piece.animate(frames, { duration: random(2_400, 4_200), delay: random(150, 500), fill: "both" });
  }
}

/**
 * Sends a raid's crowd across the screen.
 *
 * @param {HTMLElement} layer
 * @param {import("./queue.js").Alert} alert
 * @param {number} duration
 */
function sendCrowd(layer, alert, duration) {
  const count = Math.min(MAX_CROWD, Math.max(3, Math.ceil(amountIn(alert) / 3)));
  const time = Math.min(duration, 7_000) * 0.6;
  const figures = Array.from({ length: count }, (_, number) => ({ number, lane: (number * 2) % LANES.length }));
  // The nearest lane is drawn last.
  figures.sort((one, other) => one.lane - other.lane);
  for (const { number, lane } of figures) {
    const [bottom, size] = LANES[lane];
    const runner = element("span", { className: "runner walking" }, pet(`${alert.event.user_name} ${number}`));
    runner.style.setProperty("--step", `${random(0.28, 0.42)}s`);
    runner.style.setProperty("--size", String(size));
    runner.style.bottom = `${bottom}vh`;
    layer.append(runner);
    const frames = [{ transform: "translateX(-20vw)" }, { transform: "translateX(115vw)" }];
    // Everyone in a lane moves at the same speed, so they do not run into each other.
    const delay = (Math.floor(number / LANES.length) + lane / LANES.length) * STRIDE + random(0, STRIDE / 4);
    runner.animate(frames, { duration: time, delay, fill: "both" });
  }
}

/**
 * Counts an alert's amount up from zero.
 *
 * @param {HTMLElement} article
 * @param {import("./queue.js").Alert} alert
 * @param {any} say
 */
function countUp(article, alert, say) {
  const begin = performance.now();
  const step = (/** @type {number} */ now) => {
    const part = Math.min(1, Math.max(0, (now - begin) / COUNT_DURATION));
    const number = article.querySelector("strong:is(.amount, .months, .price)");
    if (number) number.textContent = say.number(Math.round(amountIn(alert) * (1 - (1 - part) ** 4)));
    if (part < 1 && article.isConnected) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

/**
 * Lets the recipients' names fly out of an alert, one after another, and counts them. More may arrive in the meantime.
 *
 * @param {HTMLElement} layer
 * @param {HTMLElement} article
 * @param {import("./queue.js").Alert} alert
 * @param {number} duration
 * @param {any} say
 */
async function showNames(layer, article, alert, duration, say) {
  const begin = Date.now();
  const counter = /** @type {HTMLElement} */ (article.querySelector(".words > span"));
  const shown = new Set();
  while (layer.isConnected && Date.now() - begin < duration) {
    const [subject, name] = [...alert.recipients].find(([key]) => !shown.has(key)) ?? [];
    if (subject === undefined || name === undefined) {
      await sleep(MAX_TAG_INTERVAL / 2);
      continue;
    }
    shown.add(subject);
    counter.textContent = `${say.number(shown.size)} / ${say.number(amountIn(alert))}`;
    const remaining = Math.max(0, duration - (Date.now() - begin) - TAG_DURATION / 2);
    const many = Math.max(amountIn(alert), alert.recipients.size) - shown.size;
    const interval = Math.min(MAX_TAG_INTERVAL, Math.max(MIN_TAG_INTERVAL, remaining / Math.max(1, many)));
    flyOut(layer, article, { name: shortened(name), number: shown.size, interval });
    await sleep(interval);
  }
}

/**
 * Returns the places for names: a grid below the alert, or above it in the lower half of the screen. If the alert is at
 * one side of the screen, so are they.
 *
 * @param {DOMRect} box The box of the alert.
 * @param {number} scale
 */
function tagPlaces({ left, right, top, bottom }, scale) {
  const middle = (left + right) / 2 / innerWidth;
  const [from, to] = middle < 0.4 ? [2, 62] : middle > 0.6 ? [38, 98] : [5, 95];
  const columns = Math.max(1, Math.floor((to - from) / (TAG_WIDTH * Math.max(1, scale))));
  const isAbove = top + bottom > innerHeight * 1.2;
  const height = ((isAbove ? top : innerHeight - bottom) / innerHeight) * 100 - 2 * TAG_SPACE;
  const start = isAbove ? TAG_SPACE : (bottom / innerHeight) * 100 + TAG_SPACE;
  return Array.from({ length: columns * TAG_LINES }, (_, index) => ({
    x: from + ((index % columns) + 0.5) * ((to - from) / columns),
    y: start + (Math.floor(index / columns) + 0.5) * (height / TAG_LINES),
  }));
}

/**
 * Lets a name with its number fly to a place that no other name occupies at that time.
 *
 * @param {HTMLElement} layer
 * @param {HTMLElement} article
 * @param {{name: string, number: number, interval: number}} tag `number` is the number of names so far, and `interval`
 *   the time until the next one, in milliseconds.
 */
function flyOut(layer, article, { name, number, interval }) {
  const box = article.getBoundingClientRect();
  const places = tagPlaces(box, Number(getComputedStyle(layer).getPropertyValue("--scale")) || 1);
  const label = element("span", { textContent: name, dir: "auto" });
  const tag = element("span", { className: "tag" }, element("b", { textContent: String(number) }), label);
  layer.append(tag);
  // Consecutive names are far from each other: seven does not share a divisor with the numbers of places.
  const { x, y } = places[(number * 7) % places.length];
  const [across, down] = [x - ((box.left + box.right) / 2 / innerWidth) * 100, y - (box.bottom / innerHeight) * 100];
  Object.assign(tag.style, { left: `${(box.left + box.right) / 2}px`, top: `${box.bottom}px` });
  const at = (/** @type {number} */ part, /** @type {number} */ size) =>
    `translate(-50%, -50%) translate(${across * part}vw, ${down * part}vh) scale(${size})`;
  const frames = isReduced()
    ? [0, 1, 1, 0].map((opacity) => ({ transform: at(1, 1), opacity }))
    : [
        { transform: at(0, 0.2), opacity: 0, easing: "cubic-bezier(0.1, 0.9, 0.3, 1.1)" },
        { transform: at(1, 1), opacity: 1, offset: 0.3 },
        { transform: at(1, 1), opacity: 1, offset: 0.85 },
        { transform: at(1, 0.85), opacity: 0 },
      ];
  const duration = Math.min(TAG_DURATION, interval * places.length);
  tag.animate(frames, { duration, fill: "both" }).finished.then(() => tag.remove(), () => {});
}
