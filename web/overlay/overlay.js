// The overlay: shows the channel's alerts one after another on top of the stream. In addition to the parameters of
// source.js, it takes types, duration, max_age, delay and lang: see settings.js.

import { openCursor } from "../shared/cursor.js";
import { createAlert } from "./alerts.js";
import { startEffects } from "./effects.js";
import { wordsOf } from "./message.js";
import { arrange } from "./places.js";
import { LEAVE_DURATION, Queue, amountIn } from "./queue.js";
import { addRecipients } from "./recipients.js";
import { ruleFor, ruleKind } from "./settings.js";
import { play, silence, speak } from "./sounds.js";
import { client, isPreview, openSource, parameters, showState, showStatus, sleep } from "./source.js";

// The longest time between two stamps, in milliseconds.
const STAMP_INTERVAL = 220;

const stage = /** @type {HTMLElement} */ (document.querySelector("#stage"));

async function main() {
  // Each combination of parameters has a separate cursor: an overlay with a longer duration is further behind.
  const name = [...parameters].filter(([key]) => key !== "token").map((pair) => pair.join("=")).sort();
  const cursor = await openCursor(`overlay ${name.join("&")}`);
  const saved = await cursor.get();
  const source = await openSource(saved?.paused);
  arrange(stage, source.settings);
  const queue = new Queue({ settings: () => source.settings, saved });
  const save = () => cursor.set({ ...queue.state, paused: source.paused });
  /** @type {(value?: any) => void} */
  let wake = () => {};
  // The console shows where the alerts are open. Its own preview does not count.
  const record = isPreview ? null : parameters.get("overlay");
  const subscription = record && { overlay: Number(record), ...("obsstudio" in window && { in_obs: true }) };
  client.follow({
    after: queue.after,
    ...(subscription && { subscription }),
    onStart: (head) => {
      queue.start(head);
      save();
    },
    onEntry: async (entry) => {
      if (await source.update(entry)) {
        arrange(stage, source.settings);
        if (source.paused) {
          queue.interrupt();
          silence();
        }
        save();
      }
      queue.add(entry);
      wake();
    },
    onState: showState,
  });
  for (;;) {
    const alert = source.paused ? null : queue.next();
    if (!alert) {
      const isDue = source.paused || queue.wait === null ? [] : [sleep(queue.wait)];
      await Promise.race([new Promise((resolve) => (wake = resolve)), ...isDue]);
      continue;
    }
    // Stored before the alert is shown. If a crash interrupts the alert, it is not repeated but can be replayed.
    await save();
    await show(alert, source, queue);
  }
}

/**
 * Shows an alert for its duration or until it is dropped, with its stamps one after another, and then removes it.
 *
 * @param {import("./queue.js").Alert} alert
 * @param {import("./source.js").Source} source
 * @param {Queue} queue
 */
async function show(alert, { settings, muted, say }, queue) {
  const duration = queue.duration(alert);
  const dropped = new Promise((resolve) => (alert.onEnd = () => resolve(null)));
  await addRecipients(client, alert);
  const rule = ruleFor(settings, ruleKind(settings, alert), amountIn(alert));
  const { article, update } = await createAlert(alert, rule, say);
  stage.append(article);
  const effects = startEffects(stage, article, alert, duration, say);
  if (!muted) {
    play(rule, settings.customSound);
    if (rule.speak) speak(wordsOf(alert.event, say), say.lang, rule.volume);
  }
  const until = Date.now() + duration;
  const scrollText = () => scroll(/** @type {HTMLElement} */ (article.querySelector(".words")), until - Date.now());
  scrollText();
  alert.onChange = () => {
    update();
    scrollText();
  };
  for (const stamp of article.querySelectorAll(".pressed")) {
    await sleep(Math.min(STAMP_INTERVAL, duration / 40));
    stamp.classList.add("on");
  }
  await Promise.race([sleep(Math.max(0, until - Date.now())), dropped]);
  article.classList.add("leaving");
  await sleep(LEAVE_DURATION);
  effects.remove();
  article.remove();
}

/**
 * Scrolls a text of more than three lines through its box while its alert is visible.
 *
 * @param {HTMLElement} box
 * @param {number} duration
 */
function scroll(box, duration) {
  const text = /** @type {HTMLElement} */ (box.firstElementChild);
  text.getAnimations().forEach((animation) => animation.cancel());
  box.classList.remove("long");
  if (text.offsetHeight <= box.clientHeight || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  box.classList.add("long");
  const { paddingTop, paddingBottom } = getComputedStyle(box);
  const overflow = text.offsetHeight - box.clientHeight + parseFloat(paddingTop) + parseFloat(paddingBottom);
  if (duration <= 0) return;
  const at = (/** @type {number} */ y, /** @type {number} */ offset) => ({ transform: `translateY(${y}px)`, offset });
  text.animate([at(0, 0), at(0, 0.2), at(-overflow, 0.9), at(-overflow, 1)], { duration, fill: "forwards" });
}

main().catch((error) => showStatus(String(error)));
