// A pet on the screen: it walks, rests, blinks, jumps when its viewer writes, and eventually walks off.

import { daysOf, pet } from "../shared/pet.js";
import { shortened } from "./alerts.js";
import { drawing, element } from "./elements.js";

// The fraction of the screen's width that a pet walks per second.
const SPEED = 0.03;
// The same for a pet that walks off.
const HURRY = 0.08;
// The length of a step, in widths of a pet, and its minimum duration, in milliseconds.
const STEP = 0.22;
const MIN_STEP = 130;
// A pet's poses when it rests. Most of the time, it looks at the viewer.
const POSES = ["look", "look", "look", "sniff", "sit", "sit", "sleep"];
// The minimum times of a rest and between two blinks, and the random additions to them, in milliseconds.
const [MIN_REST, MORE_REST] = [2_000, 7_000];
const [MIN_BLINK, MORE_BLINK] = [2_000, 5_000];
// The heart next to a jumping pet.
const JOY = [
  { opacity: 0, transform: "scale(0.4)" },
  { opacity: 1, transform: "translateY(-0.3em) scale(1.1)", offset: 0.25 },
  { opacity: 1, transform: "translateY(-0.8em)", offset: 0.7 },
  { opacity: 0, transform: "translateY(-1.4em) scale(0.9)" },
];
const BLINK = [{ transform: "none" }, { transform: "scaleY(0.1)" }, { transform: "none" }];
// The letters above a sleeping pet, and the space above a drawing, in its units.
const NAP = 3;
const TOP = 9;

export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const at = (/** @type {number} */ part) => `translateX(${part * 100}vw)`;

/** Returns a jump with squash and stretch, or a smaller hop. @param {string} height A length. */
const jumpOf = (height) => [
  { transform: "none" },
  { transform: "scale(1.08, 0.86)", offset: 0.18 },
  { transform: `translateY(${height}) scale(0.95, 1.07)`, offset: 0.48 },
  { transform: "scale(1.1, 0.84)", offset: 0.78 },
  { transform: "none" },
];
const liftOf = (/** @type {string} */ height) => [
  { transform: "none" },
  { transform: "none", offset: 0.18 },
  { transform: `translateY(${height})`, offset: 0.48 },
  { transform: "none", offset: 0.78 },
  { transform: "none" },
];

/** Adds a light contour to a drawing, which makes dark pets visible on dark games. @param {SVGElement} figure */
function contoured(figure) {
  const contour = drawing("g", { class: "contour" }, ...[...figure.children].map((part) => part.cloneNode(true)));
  contour.querySelectorAll(".face").forEach((face) => face.remove());
  figure.prepend(contour);
  return figure;
}

export class Walker {
  #timer = 0;
  #blinks = 0;
  /** @type {Animation | null} */
  #walk = null;
  #speed = SPEED * (0.7 + Math.random() * 0.6);
  #figure;
  #label;
  #heart = element("i", { className: "joy", textContent: "♥" });

  /**
   * @param {string} owner
   * @param {string} name
   * @param {{specimen_id: number | string, born_at?: any}} specimen
   * @param {() => number} nextPlace Returns another place in the pet's slot.
   */
  constructor(owner, name, specimen, nextPlace) {
    this.nextPlace = nextPlace;
    this.image = contoured(pet(specimen.specimen_id, daysOf(specimen)));
    this.#label = element("span", { className: "owner", textContent: shortened(name), dir: "auto" });
    const naps = Array.from({ length: NAP }, () => element("i", { className: "nap", textContent: "z" }));
    const turn = element("div", { className: "turn" }, this.image);
    this.#figure = element("div", { className: "figure" }, turn, ...naps, this.#heart);
    this.box = element("div", { className: "walker" }, this.#figure, this.#label);
    this.box.dataset.owner = owner;
  }

  /** The pet's place, as a fraction of the screen's width. */
  get place() {
    return this.box.getBoundingClientRect().left / innerWidth;
  }

  /** The pet's width, as a fraction of the screen's. */
  get width() {
    return this.box.offsetWidth / innerWidth;
  }

  /** @param {number} number The nearest row is 0. */
  set row(number) {
    this.box.dataset.row = String(number);
  }

  /** Puts the pet off the screen. Its name stays close to its head. @param {number} place */
  begin(place) {
    this.box.style.transform = at(place);
    const { y } = /** @type {SVGGraphicsElement} */ (this.image).getBBox();
    this.box.style.setProperty("--above", String(Math.round(y + TOP)));
    this.#blink();
  }

  /**
   * Makes the pet walk to a place, rest, and walk on.
   *
   * @param {number} next
   * @param {number} duration In milliseconds.
   * @param {() => void} then
   */
  walk(next, duration, then = () => this.#rest()) {
    const { box, place } = this;
    clearTimeout(this.#timer);
    this.#walk?.cancel();
    box.classList.remove(...POSES);
    if (isStill()) {
      box.style.transform = at(next);
      return;
    }
    const speed = (Math.abs(next - place) * innerWidth) / Math.max(1, duration);
    const step = Math.max(MIN_STEP, (STEP * this.#figure.offsetWidth) / speed);
    box.style.setProperty("--step", `${Math.min(1_000, Math.round(step))}ms`);
    box.classList.toggle("back", next < place);
    box.classList.add("walking");
    this.#walk = box.animate([{ transform: at(place) }, { transform: at(next) }], { duration, fill: "both" });
    this.#walk.finished.then(then, () => {});
  }

  /** Puts the pet at a place to rest. @param {number} place */
  stand(place) {
    clearTimeout(this.#timer);
    this.#walk?.cancel();
    this.box.style.transform = at(place);
    if (!isStill()) this.#rest();
  }

  /** Makes the pet walk to another place in its slot. */
  stroll() {
    const next = this.nextPlace();
    this.walk(next, (Math.abs(next - this.place) / this.#speed) * 1_000);
  }

  #rest() {
    const pose = POSES[Math.floor(Math.random() * POSES.length)];
    this.box.classList.remove("walking", ...POSES);
    this.box.classList.add(pose);
    const time = MIN_REST + Math.random() * MORE_REST;
    this.#timer = setTimeout(() => this.stroll(), pose === "sleep" ? 2 * time : time);
  }

  #blink() {
    if (isStill()) return;
    this.#blinks = setTimeout(() => {
      for (const eye of this.image.querySelectorAll(".eye")) eye.animate(BLINK, { duration: 170 });
      this.#blink();
    }, MIN_BLINK + Math.random() * MORE_BLINK);
  }

  /** Makes the pet jump for joy. A sleeping pet wakes up. */
  rejoice() {
    if (isStill()) return;
    this.#heart.animate(JOY, { duration: 1_600, easing: "ease-out" });
    this.#jump(58);
  }

  /** Jumps, but not out of the source. @param {number} units The height, in units of pets.css. */
  #jump(units) {
    const height = `max(calc(${-units} * var(--unit)), ${-Math.max(0, this.box.getBoundingClientRect().top)}px)`;
    this.box.classList.remove("sit", "sleep", "sniff");
    const options = { duration: 640, easing: "ease-in-out" };
    this.#figure.animate(jumpOf(height), options);
    this.#label.animate(liftOf(height), options);
  }

  /** Makes the pet say goodbye with a hop and walk off behind the others. */
  leave() {
    const { box, place } = this;
    clearTimeout(this.#blinks);
    const end = () => box.remove();
    if (isStill()) {
      clearTimeout(this.#timer);
      end();
      return;
    }
    box.classList.add("leaving");
    this.#jump(20);
    const edge = place + this.width / 2 < 0.5 ? -this.width : 1;
    this.walk(edge, (Math.abs(edge - place) / HURRY) * 1_000, end);
  }
}
