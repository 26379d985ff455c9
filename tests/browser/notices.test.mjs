// Tests of the notices' texts: each type's text is made from the event's fields, in the reader's language.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { noticeOf } from "../../web/shared/notices.js";
import { loadTexts } from "../../web/shared/texts.js";

globalThis.fetch = async (url) => ({ ok: true, json: async () => JSON.parse(readFileSync(new URL(url))) });

const english = "It ended.";
const choices = [{ title: "Blue", votes: 120 }, { title: "Yellow", votes: 140 }];
const outcomes = [{ id: "1", title: "Yes" }, { id: "2", title: "No" }];
const goal = { type: "new_subscription_count", current_amount: 1200, target_amount: 2000 };
const donation = { charity_name: "Example", amount: "25.00", currency: "EUR" };
const NOTICES = [
  ["channel.prediction.end", { title: "Win?", winning_outcome_id: "2", outcomes }, "Die Vorhersage ist entschieden: Win? – No"],
  ["channel.prediction.end", { title: "Win?", status: "canceled", outcomes }, "Die Vorhersage wurde abgebrochen: Win?"],
  ["channel.poll.end", { title: "Game?", choices }, "Die Umfrage ist beendet: Game? – Yellow (140 Stimmen)"],
  ["channel.poll.end", { title: "Game?", choices: [{ title: "Blue", votes: 0 }] }, "Die Umfrage ist beendet: Game?"],
  ["channel.charity_campaign.donate", donation, "hat 25,00\u00a0€ an Example gespendet."],
  ["channel.chat.notification/charity_donation", donation, "hat 25,00\u00a0€ an Example gespendet."],
  ["channel.hype_train.begin", { type: "golden_kappa", level: 1 }, "Ein Hype-Train ist losgefahren: golden kappa."],
  ["channel.hype_train.end", { level: 3, total: 1234 }, "Ein Hype-Train endete auf Stufe 3 mit 1.234 Punkten."],
  ["channel.goal.begin", { ...goal, description: "Hilf mir" }, "Ein Ziel hat begonnen (neue Abos): 1.200 von 2.000: Hilf mir"],
  ["channel.goal.end", { ...goal, is_achieved: true }, "Ein Ziel ist erreicht (neue Abos): 1.200 von 2.000."],
  ["channel.chat.notification/gift_paid_upgrade", {}, "führt ein anonym geschenktes Abo weiter."],
  ["channel.chat.notification/viewer_milestone", {}, "Hinweis von Twitch: viewer milestone"],
  // A notice without its fields has only a name.
  ["channel.hype_train.end", {}, "Hinweis von Twitch: channel hype train end"],
];

test("each notice has its own text", async () => {
  const [de, en] = [await loadTexts("de", "stream"), await loadTexts("en", "stream")];
  for (const [name, details, german] of NOTICES) {
    const event = { event_type: "plain", source: `twitch/${name}`, user_name: "Ann", message: english, details };
    assert.equal(noticeOf(event, de), german);
    assert.notEqual(noticeOf(event, en), german);
  }
});

test("a notice keeps what the viewer wrote", async () => {
  const de = await loadTexts("de", "stream");
  const event = {
    event_type: "plain",
    source: "twitch/channel.chat.notification/watch_streak",
    message: "Ann watched 5 streams in a row: hello",
    details: { streak_count: 5 },
  };
  assert.equal(noticeOf(event, de), "hat 5 Streams in Folge gesehen: hello");
});

test("a notice that the page does not know is shown as the service wrote it, in English", async () => {
  const en = await loadTexts("en", "stream");
  const source = "twitch/channel.chat.notification/viewer_milestone";
  const event = { event_type: "plain", source, user_name: "Ann", message: "Ann has been here for a year.", details: null };
  assert.equal(noticeOf(event, en), "has been here for a year.");
});
