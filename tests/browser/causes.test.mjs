// Tests of the reasons why the connection to Twitch fails.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const folder = new URL("../../infra/twitch/src/connection/", import.meta.url);
const source = readFileSync(new URL("../../web/console/settings/twitch-cause.js", import.meta.url), "utf8");
const { causeOf } = await import(`data:text/javascript,${encodeURIComponent(source)}`);

test("each_sentence_of_the_service_about_twitch_has_a_text_in_the_pages_language", () => {
  const sources = ["api.rs", "session.rs", "socket.rs", "state.rs", "login.rs", "subscribe.rs"].map((name) => readFileSync(new URL(name, folder), "utf8"));
  const sentences = sources.flatMap((text) => text.match(/"(?:Twitch|The|Cannot)[^"]*\."/g) ?? []);
  assert.ok(sentences.length > 10);
  for (const sentence of sentences) assert.match(causeOf(sentence, (key) => key), /^twitch\.cause\./, sentence);
});
