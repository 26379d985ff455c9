// The queue of alerts: decides which feed entries become alerts, and their order. It does not use the DOM, so other
// pages and tests can use it.

import { amountOf, groupOf, kindOf } from "../shared/kinds.js";
import { withSample } from "./sample.js";
import { ruleFor, ruleKind } from "./settings.js";

/** How long an alert's exit animation takes, as in overlay.css, in milliseconds. */
export const LEAVE_DURATION = 300;
// The number of waiting alerts above which each is shown for a shorter time, and that time in milliseconds.
const BUSY_LENGTH = 5;
const BUSY_DURATION = 3_000;
// The maximum number of waiting alerts that were not paid for. Beyond it, the oldest of them are dropped: a flood of
// chat messages must not delay paid alerts.
const MAX_FREE_ALERTS = 30;
// The age at which replays and tests are no longer shown, in milliseconds.
const MAX_MANUAL_AGE = 60_000;
// The number of shown community gifts to remember. Their recipients' entries may follow.
const MAX_GROUPS = 100;
const FREE_KINDS = ["plain", "notice", "stamp", "follow", "redemption", "purchase"];
// How long the recipients of an unnamed gift may follow their giver, in milliseconds.
const GIFT_WINDOW = 60_000;
const MANUAL_TYPES = ["alert.replayed", "alert.tested"];
const CREATED_TYPES = ["event.created", "stamp.created", "purchase.created"];

/**
 * An alert.
 *
 * @typedef {object} Alert
 * @property {number[]} ids The sequence numbers of its feed entries. The first one determines its order.
 * @property {string} subject The record that it announces.
 * @property {string} kind A kind of `shared/kinds.js`, `stamp` or `purchase`.
 * @property {import("../shared/kinds.js").Data} event The current state of the event, stamp or purchase.
 * @property {boolean} isManual Whether it is a replay or a test.
 * @property {number} time The entry's time, in milliseconds since 1970.
 * @property {string | null} group The community gift that it belongs to.
 * @property {Map<string, string>} recipients The recipients' names, by the subjects of their events.
 * @property {() => void} [onEnd] Called when a visible alert must end.
 * @property {() => void} [onChange] Called when a visible alert has changed.
 */

/** @typedef {import("../shared/kinds.js").Data} Data */
/** @typedef {import("../shared/client/types.js").Entry & {data: Data}} Entry */

/** Returns true if a gift's events do not name it. The recipients' events then follow the giver's. */
const isUnnamedGift = (/** @type {Data} */ data) => kindOf(data) === "gift" && !data.reference;
const isUnnamedRecipient = (/** @type {Data} */ data) =>
  data.event_type === "subscriber" && data.details?.is_gift === true && !data.reference;

/**
 * Returns an alert's amount. A gift's amount grows until the giver's event arrives.
 *
 * @param {Pick<Alert, "kind" | "event" | "recipients">} alert
 * @returns {number}
 */
export function amountIn({ kind, event, recipients }) {
  return kind === "gift" ? Math.max(event.details?.total ?? 0, recipients.size) : amountOf(event);
}

export class Queue {
  /** @type {Alert[]} The waiting alerts, in entry order. */
  #waiting = [];
  /** @type {Alert | null} The visible alert. */
  #visible = null;
  /** @type {{group: string, remaining: number, until: number} | null} The last unnamed gift. */
  #unnamed = null;
  #last;
  #groups;
  #resumed;
  #settings;
  #now;

  /**
   * @param {object} options
   * @param {() => ReturnType<typeof import("./settings.js").settingsFrom>} options.settings
   * @param {{last: number, waiting: number[], groups: string[]} | null} options.saved The state that a previous page
   *   has stored.
   * @param {() => number} [options.now] The current time, in milliseconds since 1970.
   */
  constructor({ settings, saved, now = Date.now }) {
    this.#last = saved?.last ?? null;
    this.#groups = saved?.groups ?? [];
    this.#resumed = { last: this.#last ?? 0, waiting: new Set(saved?.waiting ?? []) };
    this.#settings = settings;
    this.#now = now;
  }

  /** Returns the number after which to read the feed, or null to start at its head. */
  get after() {
    const first = Math.min(...this.#resumed.waiting);
    return Number.isFinite(first) ? first - 1 : this.#last;
  }

  /** Returns the state to save before the next alert is shown, so a crash neither repeats nor loses alerts. */
  get state() {
    const waiting = [...this.#waiting.flatMap((alert) => alert.ids), ...this.#resumed.waiting];
    return { last: this.#last, waiting, groups: this.#groups };
  }

  /** Starts at the feed's head. @param {number} head */
  start(head) {
    this.#last = head;
    this.#resumed = { last: head, waiting: new Set() };
  }

  /** Handles a feed entry. @param {any} entry */
  add(entry) {
    const number = Number(entry.id);
    // An entry that an earlier page has handled only changes alerts that were still waiting.
    const isNew = number > this.#resumed.last || this.#resumed.waiting.delete(number);
    this.#last = Math.max(this.#last ?? 0, number);
    if (entry.type === "event.deleted") this.#remove(entry.subject);
    if (entry.type === "event.updated" && entry.data) this.#change(entry);
    // A refund reverses the purchase, so its alert is removed.
    if (entry.type === "purchase.updated" && entry.data?.status === "refunded") this.#remove(entry.subject);
    if (entry.type === "alert.skipped") this.#drop(({ ids }) => ids.includes(entry.data?.entry));
    if (entry.type === "alert.cleared") this.#drop(({ ids }) => ids[0] < number);
    const isManual = MANUAL_TYPES.includes(entry.type);
    if (isNew && entry.data && (isManual || CREATED_TYPES.includes(entry.type))) this.#append(entry, number, isManual);
  }

  /** Returns the next alert to show, or null if none is due. */
  next() {
    this.#visible = null;
    const now = this.#now();
    const { delay } = this.#settings();
    this.#waiting = this.#waiting.filter((alert) => this.#isAllowed(alert, now));
    const freeAlerts = this.#waiting.filter((alert) => FREE_KINDS.includes(alert.kind) && !alert.isManual);
    const surplus = new Set(freeAlerts.slice(0, Math.max(0, freeAlerts.length - MAX_FREE_ALERTS)));
    this.#waiting = this.#waiting.filter((alert) => !surplus.has(alert));
    const due = this.#waiting.filter((alert) => alert.isManual || alert.time + delay <= now);
    // Raiders have just arrived, so the streamer should greet them first.
    const next = due.find((alert) => alert.kind === "raid") ?? due[0] ?? null;
    if (next) {
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#visible = next;
      const { group } = next;
      if (group) this.#groups = [...this.#groups.filter((one) => one !== group), group].slice(-MAX_GROUPS);
    }
    return next;
  }

  /** Puts the visible alert back at the front of the queue, to be shown again. */
  interrupt() {
    const alert = this.#visible;
    if (!alert) return;
    this.#visible = null;
    this.#waiting.unshift(alert);
    alert.onEnd?.();
  }

  /** Returns the time until the next alert is due in milliseconds, or null if none is waiting. */
  get wait() {
    const { delay } = this.#settings();
    const times = this.#waiting.map((alert) => (alert.isManual ? 0 : alert.time + delay - this.#now()));
    return times.length > 0 ? Math.max(0, Math.min(...times)) : null;
  }

  /** Returns the waiting alerts that may be shown, in display order. */
  get waiting() {
    const allowed = this.#waiting.filter((alert) => this.#isAllowed(alert, this.#now()));
    return [...allowed.filter(({ kind }) => kind === "raid"), ...allowed.filter(({ kind }) => kind !== "raid")];
  }

  /** Returns how long an alert is visible, in milliseconds. @param {Alert} alert */
  duration(alert) {
    const settings = this.#settings();
    const duration = ruleFor(settings, ruleKind(settings, alert), amountIn(alert)).duration ?? settings.duration;
    return this.#waiting.length > BUSY_LENGTH ? Math.min(duration, BUSY_DURATION) : duration;
  }

  /** @param {Entry} entry @param {number} number @param {boolean} isManual */
  #append(entry, number, isManual) {
    const { subject } = entry;
    // A purchase's test is nested in the data, since the other tests are events.
    const data = isManual ? withSample(entry.data.purchase ?? entry.data) : entry.data;
    const time = Date.parse(entry.time);
    const group = isManual ? null : this.#groupOf(entry, number, time);
    const isRecipient = group !== null && data.event_type === "subscriber";
    const existing = group && [this.#visible, ...this.#waiting].find((alert) => alert?.group === group);
    const kind = group ? "gift" : kindOf(data);
    /** @type {Alert} */
    const alert = existing || { ids: [], subject, kind, event: data, isManual, time, group, recipients: new Map() };
    alert.ids.push(number);
    if (isRecipient) alert.recipients.set(subject, data.user_name);
    // The giver's event has the total. It may arrive after the recipients' events.
    else if (group) Object.assign(alert, { subject, event: data });
    if (existing) return existing.onChange?.();
    // Only the age on arrival counts. A paid alert may then wait indefinitely, so a burst loses none.
    const isFresh = this.#now() - time < (isManual ? MAX_MANUAL_AGE : this.#settings().maxAge);
    if (isFresh && !this.#groups.includes(group ?? "")) this.#waiting.push(alert);
    return undefined;
  }

  /**
   * Returns the name of the gift that an entry belongs to. An unnamed gift gets one for a minute.
   *
   * @param {Entry} entry
   * @param {number} number
   * @param {number} time
   */
  #groupOf({ data }, number, time) {
    const unnamed = this.#unnamed;
    if (isUnnamedGift(data)) {
      this.#unnamed = { group: `gift ${number}`, remaining: data.details.total, until: time + GIFT_WINDOW };
      return this.#unnamed.group;
    }
    if (isUnnamedRecipient(data) && unnamed && unnamed.remaining > 0 && time <= unnamed.until) {
      unnamed.remaining -= 1;
      return unnamed.group;
    }
    return groupOf(data);
  }

  /** Returns true if an alert may be shown with the current settings. @param {Alert} alert @param {number} now */
  #isAllowed(alert, now) {
    const { alerts, documents, maxAge } = this.#settings();
    const rule = alerts[alert.kind] ?? alerts.plain;
    const isLarge = amountIn(alert) >= rule.minimum;
    const isEnabled = (rule.enabled && isLarge) || (documents && Boolean(alert.event.document));
    const limit = alert.isManual ? MAX_MANUAL_AGE : FREE_KINDS.includes(alert.kind) ? maxAge : Infinity;
    return isEnabled && now - alert.time < limit;
  }

  /** @param {Entry} entry */
  #change({ subject, data }) {
    for (const alert of [this.#visible, ...this.#waiting]) {
      if (alert === null || alert.subject !== subject) continue;
      alert.event = data;
      alert.onChange?.();
    }
  }

  /** @param {string} subject */
  #remove(subject) {
    for (const alert of [this.#visible, ...this.#waiting]) {
      if (alert?.recipients.delete(subject)) alert.onChange?.();
    }
    this.#drop((alert) => alert.subject === subject);
  }

  /** @param {(alert: Alert) => boolean} isDropped */
  #drop(isDropped) {
    this.#waiting = this.#waiting.filter((alert) => !isDropped(alert));
    if (this.#visible && isDropped(this.#visible)) this.#visible.onEnd?.();
  }
}
