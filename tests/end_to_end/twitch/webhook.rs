//! Tests of Twitch's messages over HTTP: every type from sample to stored event, every rejection, and deduplication.

use std::collections::BTreeSet;

use capture_core::schema::Timestamp;
use capture_core::webhooks::twitch::mapping::MAPPINGS;
use capture_core::webhooks::twitch::signature::sign;
use end_to_end::faults::Faults;
use end_to_end::{Api, Reply, Slice, TWITCH_CHANNEL, TWITCH_SECRET, is_deep, logs, samples, stack_in};
use futures_util::future::join_all;
use proptest::prelude::*;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

const PATH: &str = "/webhooks/twitch";

/// A message as Twitch sends it. Tests change single fields.
#[derive(Clone)]
pub(crate) struct Message {
    pub(crate) id: String,
    pub(crate) kind: &'static str,
    pub(crate) timestamp: String,
    pub(crate) body: Vec<u8>,
    pub(crate) secret: &'static str,
}

impl Message {
    pub(crate) fn new(body: &Value) -> Self {
        Self {
            id: samples::unique(),
            kind: "notification",
            timestamp: Timestamp::now().to_string(),
            body: body.to_string().into_bytes(),
            secret: TWITCH_SECRET,
        }
    }

    /// Returns a message with this identifier and time.
    pub(crate) fn at(body: &Value, id: &str, time: &str) -> Self {
        Self { id: id.to_owned(), timestamp: time.to_owned(), ..Self::new(body) }
    }

    fn signature(&self) -> String {
        sign(self.secret, &self.id, &self.timestamp, &self.body)
    }

    pub(crate) fn request(&self, api: &Api) -> RequestBuilder {
        self.unsigned(api).header("Twitch-Eventsub-Message-Signature", self.signature())
    }

    fn unsigned(&self, api: &Api) -> RequestBuilder {
        api.request(Method::POST, PATH)
            .header("Content-Type", "application/json")
            .header("Twitch-Eventsub-Message-Id", &self.id)
            .header("Twitch-Eventsub-Message-Retry", "0")
            .header("Twitch-Eventsub-Message-Type", self.kind)
            .header("Twitch-Eventsub-Message-Timestamp", &self.timestamp)
            .body(self.body.clone())
    }

    pub(crate) async fn send(&self, api: &Api) -> Reply {
        api.send(self.request(api)).await
    }
}

/// Returns a type's sample with a new viewer, and the viewer's identifier.
pub(crate) fn sample(name: &str) -> (Value, String) {
    let mut sample = samples::twitch().into_iter().find(|sample| sample["subscription"]["type"] == name).expect(name);
    let viewer = format!("{}", fastrand::u32(..));
    for field in ["user_id", "chatter_user_id", "from_broadcaster_user_id"] {
        if sample["event"][field].is_string() {
            sample["event"][field] = json!(viewer);
        }
    }
    for identifier in ["message_id", "id"] {
        if sample["event"][identifier].is_string() {
            sample["event"][identifier] = json!(samples::unique());
        }
    }
    (sample, viewer)
}

/// Returns the events of the viewer with this Twitch identifier.
pub(crate) async fn events_of(api: &Api, viewer: &str) -> Vec<Value> {
    let users = api.list(&format!("/users?platform_id={viewer}")).await;
    match users.first().and_then(|user| user["user_id"].as_u64()) {
        Some(user) => api.list(&format!("/users/{user}/events")).await,
        None => Vec::new(),
    }
}

/// Starts a service with cheer and chat settings that differ from the shared service's.
pub(crate) fn taking(cheers: &str, chat: &str) -> Api {
    let folder = end_to_end::folder();
    stack_in(&folder, |options| {
        options.twitch.twitch_cheers = Some(cheers.to_owned());
        options.twitch.twitch_chat = Some(chat.to_owned());
    })
}

/// Sends a notification, which must be accepted.
pub(crate) async fn deliver(api: &Api, message: &Value) {
    assert_eq!(Message::new(message).send(api).await.status, 204, "{message}");
}

/// Sends a notification, which must be accepted. Returns the event that it creates or changes, if any.
pub(crate) async fn event_of(api: &Api, notification: &Value) -> Option<Value> {
    let before = api.list("/events").await;
    let reply = Message::new(notification).send(api).await;
    assert_eq!((reply.status.as_u16(), reply.bytes.len()), (204, 0), "{notification}");
    let mut after = api.list("/events").await;
    after.retain(|event| !before.contains(event));
    assert!(after.len() <= 1, "{notification}: {after:?}");
    after.pop()
}

/// Returns an event's content without the parts that vary from run to run.
fn told(mut event: Value) -> Value {
    event["platform_id"] = event["user"]["platform_id"].take();
    let fields = event.as_object_mut().expect("an event");
    let differing = ["event_id", "user_id", "user", "created_at"];
    fields.retain(|name, value| !differing.contains(&name.as_str()) && !value.is_null());
    // The samples are from this day. Other events occur when their notification is sent.
    if !fields["occurred_at"].as_str().is_some_and(|time| time.starts_with("2026-11-15")) {
        fields.shift_remove("occurred_at");
    }
    event
}

/// `samples/twitch_events.jsonl` has the content of each sample's event, and `null` for a sample without an event.
#[tokio::test(flavor = "multi_thread")]
async fn every_type_maps_to_its_event() {
    let api = Api::start();
    let (samples, expected) = (samples::twitch(), lines(include_str!("../../samples/twitch_events.jsonl")));
    assert_eq!(samples.len(), expected.len());
    let types: BTreeSet<_> =
        samples.iter().map(|sample| sample["subscription"]["type"].as_str().expect("a type")).collect();
    assert_eq!(MAPPINGS.iter().map(|mapping| mapping.name).collect::<BTreeSet<_>>(), types);
    for (sample, expected) in samples.iter().zip(expected) {
        let event = event_of(&api, sample).await.map_or(Value::Null, told);
        assert_eq!(event, expected, "{}", sample["subscription"]["type"]);
    }
}

fn lines(file: &str) -> Vec<Value> {
    file.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Returns a chat notice of this kind.
pub(crate) fn notice(kind: &str, about: &Value, text: &str) -> Value {
    let (mut notice, _) = sample("channel.chat.notification");
    notice["event"]["watch_streak"] = json!(null);
    notice["event"]["notice_type"] = json!(kind);
    notice["event"][kind] = about.clone();
    notice["event"]["message"]["text"] = json!(text);
    notice
}

#[tokio::test(flavor = "multi_thread")]
async fn every_chat_notice_maps_to_an_event_with_a_sentence() {
    let api = Api::start();
    for sample in lines(include_str!("../../samples/twitch_notices.jsonl")) {
        let (kind, text) = (sample["kind"].as_str().expect("a kind"), sample["text"].as_str().unwrap_or_default());
        let event = event_of(&api, &notice(kind, &sample["about"], text)).await.expect(kind);
        assert_eq!((&event["event_type"], &event["message"]), (&sample["event_type"], &sample["message"]), "{kind}");
    }
    let events = api.list("/events?event_type=raid").await;
    assert_eq!((&events[0]["user"]["platform_id"], &events[0]["viewer_count"]), (&json!("66"), &json!(7)));
    let received = &events_of(&api, "55").await[0];
    assert_eq!((&received["tier"], &received["user_name"]), (&json!(2), &json!("Bea")));
    // A notice from another channel in a shared chat is not an event.
    let mut anothers = notice("announcement", &json!({}), "elsewhere");
    anothers["event"]["source_broadcaster_user_id"] = json!("4711");
    assert!(event_of(&api, &anothers).await.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn power_ups_become_cheers_of_their_type() {
    let api = Api::start();
    for (kind, power_up, custom, cheer_type) in [
        ("power_up", json!({"type": "gigantify_an_emote", "emote": {"id": "1"}}), json!(null), "gigantify_an_emote"),
        ("custom_power_up", json!(null), json!({"title": "Confetti", "reward_id": "abc"}), "Confetti"),
        ("combo", json!(null), json!(null), "combo"),
    ] {
        let (mut bits, _) = sample("channel.bits.use");
        bits["event"]["type"] = json!(kind);
        bits["event"]["power_up"] = power_up;
        bits["event"]["custom_power_up"] = custom;
        bits["event"]["message"] = json!(null);
        let event = event_of(&api, &bits).await.expect("an event");
        assert_eq!((&event["event_type"], &event["cheer_type"]), (&json!("cheer"), &json!(cheer_type)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn user_update_renames_only_a_known_user() {
    let api = Api::shared();
    let (mut sample, viewer) = sample("user.update");
    assert_eq!(Message::new(&sample).send(&api).await.status, 204);
    assert!(api.get(&format!("/users?platform_id={viewer}")).await.ok().as_array().is_some_and(Vec::is_empty));
    let user = api.post("/users", &json!({"platform_id": viewer, "name": "before"})).await.created();
    sample["event"]["user_name"] = json!("after");
    assert_eq!(Message::new(&sample).send(&api).await.status, 204);
    assert_eq!(api.get(&format!("/users/{}", user["user_id"])).await.ok()["name"], "after");
}

#[tokio::test(flavor = "multi_thread")]
async fn challenge_is_echoed_as_plain_text() {
    let api = Api::shared();
    let body = json!({
        "challenge": "pogchamp-kappa-360noscope-vohiyo",
        "subscription": {"type": "channel.unheard_of", "condition": {"broadcaster_user_id": TWITCH_CHANNEL}},
    });
    let challenge = Message { kind: "webhook_callback_verification", ..Message::new(&body) };
    let reply = challenge.send(&api).await;
    assert_eq!((reply.status.as_u16(), reply.header("content-type")), (200, "text/plain"));
    assert_eq!(reply.bytes, b"pogchamp-kappa-360noscope-vohiyo");
    let mut other = body.clone();
    other["subscription"]["condition"]["broadcaster_user_id"] = json!("1");
    let other = Message { kind: "webhook_callback_verification", ..Message::new(&other) };
    other.send(&api).await.refused(403);
    // A raid by this channel names it in another field and leaves the usual one empty.
    let mut raid = body.clone();
    raid["subscription"]["type"] = json!("channel.raid");
    raid["subscription"]["condition"] =
        json!({"from_broadcaster_user_id": TWITCH_CHANNEL, "to_broadcaster_user_id": ""});
    let raid = Message { kind: "webhook_callback_verification", ..Message::new(&raid) };
    assert_eq!(raid.send(&api).await.bytes, b"pogchamp-kappa-360noscope-vohiyo");
    // A body that the gateway encodes in base64 is verified in its original form.
    let binary = api.send(challenge.request(&api).header("Content-Encoding", "identity")).await;
    assert_eq!(binary.bytes, b"pogchamp-kappa-360noscope-vohiyo");
}

#[tokio::test(flavor = "multi_thread")]
async fn revocations_and_unknown_types_and_kinds_return_204() {
    let api = Api::shared();
    let body = json!({"subscription": {"type": "channel.cheer", "status": "authorization_revoked", "condition": {}}});
    for kind in ["revocation", "something_new"] {
        assert_eq!(Message { kind, ..Message::new(&body) }.send(&api).await.status, 204, "{kind}");
    }
    let (mut sample, viewer) = sample("channel.cheer");
    sample["subscription"]["type"] = json!("channel.unheard_of");
    assert_eq!(Message::new(&sample).send(&api).await.status, 204);
    assert!(events_of(&api, &viewer).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn message_without_a_valid_signature_returns_403() {
    let api = Api::shared();
    let (sample, viewer) = sample("channel.subscribe");
    let message = Message::new(&sample);
    let right = message.signature();
    let digits = right.strip_prefix("sha256=").expect("a prefix").to_owned();
    let wrong = [
        String::new(),
        digits.clone(),
        "sha256=".to_owned(),
        format!("sha1={digits}"),
        right[..right.len() - 1].to_owned(),
        right[..right.len() - 2].to_owned(),
        format!("{right}00"),
        right.replace(&digits[..2], "zz"),
        format!("sha256={}", "0".repeat(64)),
        sign("another-secret", &message.id, &message.timestamp, &message.body),
        sign(TWITCH_SECRET, "another id", &message.timestamp, &message.body),
        sign(TWITCH_SECRET, &message.id, "2026-01-01T00:00:00Z", &message.body),
        sign(TWITCH_SECRET, &message.id, &message.timestamp, b"another body"),
    ];
    for signature in wrong {
        let request = message.unsigned(&api).header("Twitch-Eventsub-Message-Signature", &signature);
        api.send(request).await.refused(403);
    }
    for bytes in [&b"sha256=\xff\xfe"[..], b"\xe9"] {
        let value = reqwest::header::HeaderValue::from_bytes(bytes).expect("a header");
        api.send(message.unsigned(&api).header("Twitch-Eventsub-Message-Signature", value)).await.refused(403);
    }
    api.send(message.unsigned(&api)).await.refused(403);
    for missing in ["Id", "Type", "Timestamp", "Signature"] {
        let mut request = message.request(&api).build().expect("a request");
        request.headers_mut().remove(format!("Twitch-Eventsub-Message-{missing}"));
        api.send_built(request).await.refused(403);
    }
    let at = |time: &str| Message { timestamp: time.to_owned(), ..message.clone() };
    let shifted =
        |minutes: i64| Timestamp::now().checked_add(time::Duration::minutes(minutes)).expect("a time").to_string();
    for time in [shifted(-11), shifted(11), "2026-11-20".to_owned(), "now".to_owned(), "0".to_owned()] {
        at(&time).send(&api).await.refused(403);
    }
    for channel in [json!("1"), json!(1338), json!("")] {
        let mut other = sample.clone();
        other["event"]["broadcaster_user_id"] = channel;
        other["subscription"]["condition"] = json!({});
        Message::new(&other).send(&api).await.refused(403);
    }
    assert_eq!(api.get(PATH).await.status, 405);
    assert!(events_of(&api, &viewer).await.is_empty());
    // The same message with the right signature is accepted.
    assert_eq!(message.send(&api).await.status, 204);
    assert_eq!(events_of(&api, &viewer).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn signed_message_of_any_form_returns_204() {
    let api = Api::in_this_process(Faults::default());
    let (sample, viewer) = sample("channel.follow");
    let signed = |body: &[u8]| Message { body: body.to_vec(), ..Message::new(&Value::Null) };
    for body in [&b""[..], b"{", b"[]", b"null", &vec![b' '; 300 * 1024]] {
        assert_eq!(signed(body).send(&api).await.status, 204);
    }
    let message = Message::new(&sample);
    let mut text = message.request(&api).build().expect("a request");
    text.headers_mut().insert("Content-Type", "text/plain".parse().expect("a header"));
    assert_eq!(api.send_built(text).await.status, 204);
    assert_eq!(events_of(&api, &viewer).await.len(), 1, "it is read as the JSON that it is");
    let mut large = sample.clone();
    large["event"]["more"] = json!("x".repeat(300 * 1024));
    large["event"]["user_id"] = json!("9000");
    let large = Message::new(&large);
    let mut request = large.request(&api).build().expect("a request");
    request.url_mut().set_query(Some("since=2026-11-21&since=x"));
    assert_eq!(api.send_built(request).await.status, 204);
    assert_eq!(events_of(&api, "9000").await.len(), 1);
    assert!(logs::text().contains("ignored a Twitch message that is not valid JSON"));
}

#[tokio::test(flavor = "multi_thread")]
async fn lone_surrogate_does_not_drop_an_event() {
    let api = Api::shared();
    let (mut sample, viewer) = sample("channel.cheer");
    sample["event"]["message"] = json!("HALF");
    let body = sample.to_string().replace("HALF", r"so \ud83d sad").into_bytes();
    assert_eq!(Message { body, ..Message::new(&Value::Null) }.send(&api).await.status, 204);
    assert_eq!(events_of(&api, &viewer).await[0]["message"], "so \u{FFFD} sad");
}

#[tokio::test(flavor = "multi_thread")]
async fn future_timestamp_is_counted_as_a_slow_clock() {
    let api = Api::in_this_process(Faults::default());
    let (sample, _) = sample("channel.follow");
    let at = |minutes: i64| {
        let time = Timestamp::now().checked_add(time::Duration::minutes(minutes)).expect("a time");
        Message { timestamp: time.to_string(), ..Message::new(&sample) }
    };
    let (early, late) = (at(-11).send(&api).await, at(2).send(&api).await);
    early.refused(403);
    late.refused(403);
    let counted = |reply: &Reply| logs::of(reply.header("request-id")).iter().any(|line| line["slow_clocks"] == 1);
    assert!(counted(&late) && !counted(&early));
}

/// Starts a service with its secret in a file that stands in for Secrets Manager.
fn keeping(file: &std::path::Path) -> Api {
    let folder = end_to_end::folder();
    stack_in(&folder, |options| {
        options.twitch.twitch_secret = None;
        options.twitch.twitch_secret_arn = Some(file.to_str().expect("a path").to_owned());
    })
}

/// Runs by `.ci/run`'s stage `binaries`: only the deployable binaries have a Secrets Manager client.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the deployable binaries"]
async fn replaced_secret_is_reloaded_and_invalid_one_is_ignored() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("secret");
    let api = keeping(&file);
    let (sample, _) = sample("channel.follow");
    let message = Message::new(&sample);
    let unread = message.send(&api).await;
    unread.refused(503);
    let keep = |text: &str| std::fs::write(&file, text).expect("a file");
    keep(&json!({"current": TWITCH_SECRET, "previous": ""}).to_string());
    assert_eq!(message.send(&api).await.status, 204);
    keep(&json!({"current": "the-one-after", "previous": TWITCH_SECRET}).to_string());
    let after = Message { secret: "the-one-after", ..Message::new(&sample) };
    after.send(&api).await.refused(403);
    // The service rereads the secret after ten seconds. A unit test moves its clock there.
    if !is_deep() {
        return;
    }
    tokio::time::sleep(std::time::Duration::from_secs(11)).await;
    assert_eq!(after.send(&api).await.status, 204, "no deployment was needed");
    assert_eq!(message.send(&api).await.status, 204, "the previous secret is still accepted");
    keep("nothing that anybody can read");
    tokio::time::sleep(std::time::Duration::from_secs(11)).await;
    Message { secret: "a-third-one", ..Message::new(&sample) }.send(&api).await.refused(403);
    assert_eq!(after.send(&api).await.status, 204);
}

#[tokio::test(flavor = "multi_thread")]
async fn previous_secret_is_accepted_and_no_secret_returns_403() {
    let folder = end_to_end::folder();
    let api = stack_in(&folder, |options| options.twitch.twitch_previous_secret = Some("the-one-before".to_owned()));
    let (sample, viewer) = sample("channel.raid");
    let message = Message { secret: "the-one-before", ..Message::new(&sample) };
    assert_eq!(message.send(&api).await.status, 204);
    assert_eq!(events_of(&api, &viewer).await.len(), 1);
    let folder = end_to_end::folder();
    let closed = stack_in(&folder, |options| options.twitch.twitch_secret = None);
    message.send(&closed).await.refused(403);
}

/// Compares signatures with those of another implementation, Python's `hmac`.
#[test]
fn signatures_match_those_of_python() {
    let id = "ln5OqB4kadShCJmzcwNq9qUxhJMMnZEhm3jMRW77vL8=";
    let body = br#"{"challenge":"pogchamp-kappa-360noscope-vohiyo","subscription":{"type":"channel.follow"}}"#;
    assert_eq!(
        sign("s3cRe7-of-tests", id, "2026-11-20T16:53:02.1234567Z", body),
        "sha256=9b03381f16f9ec8d8e360dd30cdfbe6f05bd9772d91f842d32a59218f43fdc13"
    );
    let bytes: Vec<u8> = (0..=255).collect();
    assert_eq!(
        sign("s3cRe7-of-tests", "ün-id", "2026-01-01T00:00:00Z", &bytes),
        "sha256=9314ddc7eea452f01a24c0d94255bc03b84a8e639052d766fdaab4e617636feb"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn duplicate_deliveries_store_one_event() {
    let api = Api::shared();
    let (sample, viewer) = sample("channel.cheer");
    let message = Message::new(&sample);
    let replies = join_all((0..50).map(|_| message.send(&api))).await;
    assert!(replies.iter().all(|reply| reply.status == 204));
    // A resend has the first message's identifier and a new time.
    let resent = Message { timestamp: Timestamp::now().to_string(), ..message };
    assert_eq!(resent.send(&api).await.status, 204);
    assert_eq!(events_of(&api, &viewer).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn event_with_two_message_ids_is_stored_once() {
    let api = Api::shared();
    for name in ["channel.chat.message", "channel.channel_points_custom_reward_redemption.add"] {
        let (sample, viewer) = sample(name);
        let replies = join_all((0..4).map(|_| async { Message::new(&sample).send(&api).await.status })).await;
        assert!(replies.iter().all(|status| *status == 204));
        assert_eq!(events_of(&api, &viewer).await.len(), 1, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn redelivery_through_store_faults_stores_each_event_once() {
    let api = Api::faulty(Faults { conflicts: 3, lost_answers: 5, throttled: 7, ..Faults::default() });
    let mut viewers = Vec::new();
    for _ in 0..20 {
        let (sample, viewer) = sample("channel.subscribe");
        let message = Message::new(&sample);
        // Like Twitch, the test resends the message until it is acknowledged.
        loop {
            let status = message.send(&api).await.status.as_u16();
            if status == 204 {
                break;
            }
            assert!(status >= 500, "{status}");
        }
        viewers.push(viewer);
    }
    for viewer in viewers {
        assert_eq!(events_of(&api, &viewer).await.len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn notification_of_a_known_viewer_costs_2_reads_and_1_write() {
    let api = Api::shared();
    let (sample, _) = sample("channel.chat.message");
    Message::new(&sample).send(&api).await;
    let mut again = sample;
    again["event"]["message_id"] = json!(samples::unique());
    let cost = Message::new(&again).send(&api).await.cost();
    // Reads the identifier of the `platform_id` and the mark of a clear, then the user, who may have a new name. Then
    // writes the event.
    assert_eq!((cost.0, cost.1), (3, 2.5), "{cost:?}");
    assert!(cost.2 <= 6.0, "{cost:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn anonymous_event_belongs_to_the_anonymous_user() {
    let api = Api::start();
    for user in [json!(null), json!(""), json!("1234")] {
        for name in ["channel.cheer", "channel.subscription.gift"] {
            let (mut sample, _) = sample(name);
            sample["event"]["user_id"] = user.clone();
            sample["event"]["user_name"] = json!(null);
            sample["event"]["is_anonymous"] = json!(true);
            assert_eq!(Message::new(&sample).send(&api).await.status, 204);
        }
    }
    let (mut missing, _) = sample("channel.cheer");
    let event = missing["event"].as_object_mut().expect("an event");
    event.retain(|field, _| !field.starts_with("user_"));
    assert_eq!(Message::new(&missing).send(&api).await.status, 204);
    let events = api.list("/events").await;
    assert_eq!(events.len(), 7);
    assert!(
        events.iter().all(|event| event["user"]["platform_id"] == "anonymous" && event["user_name"] == "Anonymous")
    );
    let gift = events.iter().find(|event| event["event_type"] == "plain").expect("a gift");
    assert_eq!(gift["message"], "Anonymous gifted 2 tier 1 subscriptions.");
    assert_eq!(api.list("/users").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn gift_belongs_to_giver_and_subscription_to_recipient() {
    let api = Api::shared();
    let (gift, giver) = sample("channel.subscription.gift");
    let (mut received, recipient) = sample("channel.subscribe");
    received["event"]["is_gift"] = json!(true);
    received["event"]["tier"] = json!("Prime");
    for body in [&received, &gift] {
        assert_eq!(Message::new(body).send(&api).await.status, 204);
    }
    assert_eq!(events_of(&api, &giver).await[0]["event_type"], "plain");
    let received = events_of(&api, &recipient).await;
    assert_eq!((&received[0]["event_type"], &received[0]["tier"]), (&json!("subscriber"), &json!(1)));
}

/// Sends a subscription's challenge or revocation.
pub(crate) async fn send_subscription_message(api: &Api, kind: &'static str, name: &str, id: &str) {
    let subscription =
        json!({"id": id, "type": name, "status": "enabled", "condition": {"broadcaster_user_id": TWITCH_CHANNEL}});
    let message = Message { kind, ..Message::new(&json!({"challenge": "x", "subscription": subscription})) };
    assert!(message.send(api).await.status.is_success());
}

#[tokio::test(flavor = "multi_thread")]
async fn chat_copies_of_subscribed_types_are_skipped() {
    let chat = |field: &str, value: Value| {
        let (mut chat, _) = sample("channel.chat.message");
        chat["event"][field] = value;
        chat
    };
    for (name, field, value, event_type) in [
        ("channel.cheer", "cheer", json!({"bits": 5.0}), "cheer"),
        ("channel.bits.use", "cheer", json!({"bits": 5}), "cheer"),
        ("channel.bits.use", "message_type", json!("power_ups_gigantified_emote"), "plain"),
        (
            "channel.channel_points_custom_reward_redemption.add",
            "channel_points_custom_reward_id",
            json!("92af127c"),
            "plain",
        ),
        (
            "channel.channel_points_automatic_reward_redemption.add",
            "message_type",
            json!("channel_points_highlighted"),
            "plain",
        ),
    ] {
        let api = Api::start();
        let before =
            event_of(&api, &chat(field, value.clone())).await.unwrap_or_else(|| panic!("{field} is all there is"));
        assert_eq!(before["event_type"], event_type, "{name}");
        if event_type == "cheer" {
            assert_eq!(before["amount"], 5);
        }
        send_subscription_message(&api, "webhook_callback_verification", name, "first").await;
        assert!(event_of(&api, &chat(field, value.clone())).await.is_none(), "{name} reports it");
        assert!(event_of(&api, &sample("channel.chat.message").0).await.is_some(), "all else goes on");
        // With two subscriptions to one type, the first one's end changes nothing.
        send_subscription_message(&api, "webhook_callback_verification", name, "second").await;
        send_subscription_message(&api, "revocation", name, "first").await;
        assert!(event_of(&api, &chat(field, value.clone())).await.is_none(), "{name} still reports it");
        send_subscription_message(&api, "revocation", name, "second").await;
        assert!(event_of(&api, &chat(field, value.clone())).await.is_some(), "{name} no longer reports anything");
        // A late notification of a revoked subscription does not affect later ones, but one of another subscription
        // does.
        let (mut notification, _) = sample(name);
        notification["subscription"]["id"] = json!("second");
        assert!(event_of(&api, &notification).await.is_some());
        assert!(event_of(&api, &chat(field, value.clone())).await.is_some(), "{name} arrived late");
        let (notification, _) = sample(name);
        assert!(event_of(&api, &notification).await.is_some());
        assert!(event_of(&api, &chat(field, value)).await.is_none(), "{name} reports it again");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn disabled_types_store_nothing_and_hide_no_chat_message() {
    let (cheers, nothing) = (taking("cheer", "true"), taking("none", "false"));
    let (bits, cheer, mut chat) =
        (sample("channel.bits.use").0, sample("channel.cheer").0, sample("channel.chat.message").0);
    chat["event"]["message_type"] = json!("power_ups_message_effect");
    assert!(event_of(&cheers, &bits).await.is_none());
    assert!(event_of(&cheers, &cheer).await.is_some());
    assert!(event_of(&cheers, &chat).await.is_some(), "bits are not taken from elsewhere");
    for body in [&bits, &cheer, &chat] {
        assert!(event_of(&nothing, body).await.is_none());
    }
    let (mut shared, _) = sample("channel.chat.message");
    shared["event"]["source_broadcaster_user_id"] = json!("4711");
    assert!(event_of(&cheers, &shared).await.is_none());
    shared["event"]["source_broadcaster_user_id"] = json!(TWITCH_CHANNEL);
    assert!(event_of(&cheers, &shared).await.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn first_subscription_reported_by_two_types_is_merged() {
    for order in
        [["channel.subscribe", "channel.subscription.message"], ["channel.subscription.message", "channel.subscribe"]]
    {
        let api = Api::start();
        for name in order {
            let (mut body, _) = sample(name);
            body["event"]["user_id"] = json!("1234");
            body["event"]["tier"] = json!("1000");
            if name == "channel.subscription.message" {
                body["event"]["cumulative_months"] = json!(1);
            }
            assert_eq!(Message::new(&body).send(&api).await.status, 204);
        }
        let events = api.list("/events").await;
        assert_eq!(events.len(), 1, "{events:?}");
        assert_eq!(
            (&events[0]["message"], &events[0]["subscribed_length"]),
            (&json!("Love the stream! FevziGG"), &json!(1))
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_tier_is_a_new_event_and_a_sub_notice_is_merged() {
    let api = Api::start();
    let (mut begun, _) = sample("channel.subscribe");
    assert!(event_of(&api, &begun).await.is_some());
    assert!(event_of(&api, &begun).await.is_none(), "Twitch sometimes reports it in two messages");
    begun["event"]["tier"] = json!("3000");
    assert!(event_of(&api, &begun).await.is_some());
    let api = Api::start();
    let first = event_of(&api, &notice("sub", &json!({"sub_tier": "2000"}), "")).await.expect("an event");
    let (mut shared, _) = sample("channel.subscription.message");
    shared["event"]["user_id"] = first["user"]["platform_id"].clone();
    shared["event"]["cumulative_months"] = json!(null);
    let same = event_of(&api, &shared).await.expect("the event has changed");
    assert_eq!((&same["event_id"], &same["message"]), (&first["event_id"], &json!("Love the stream! FevziGG")));
    assert_eq!(api.list("/events").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn malformed_unused_field_does_not_drop_an_event() {
    let api = Api::shared();
    for (field, written) in [("new", "1e999"), ("bits", "1e400"), ("new", "-0")] {
        let (mut cheer, viewer) = sample("channel.cheer");
        cheer["event"][field] = json!("WRITTEN");
        let body = cheer.to_string().replace("\"WRITTEN\"", written);
        let body = format!("\u{FEFF}{body}").into_bytes();
        assert_eq!(Message { body, ..Message::new(&Value::Null) }.send(&api).await.status, 204);
        assert_eq!(events_of(&api, &viewer).await.len(), 1, "{field} is {written}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn gifts_reported_by_a_notice_are_stored_once() {
    let api = Api::start();
    let (mut received, _) = sample("channel.subscribe");
    received["event"]["is_gift"] = json!(true);
    let without_notice = event_of(&api, &received).await.expect("an event");
    assert_eq!(without_notice["message"], "Cool_User received a gifted tier 1 subscription.");
    let about = json!({"id": "777", "total": 2, "sub_tier": "1000"});
    assert!(event_of(&api, &notice("community_sub_gift", &about, "")).await.is_some());
    assert!(event_of(&api, &sample("channel.subscription.gift").0).await.is_none(), "the notice reports more");
    assert!(event_of(&api, &received).await.is_none(), "the notice reports who gave it");
    let mut single = sample("channel.subscription.gift").0;
    single["event"]["total"] = json!(1);
    assert!(event_of(&api, &single).await.is_some(), "no notice reports this for the giver");
    let about = json!({"id": "778", "total": 1, "sub_tier": "1000"});
    assert!(event_of(&api, &notice("community_sub_gift", &about, "")).await.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn late_name_does_not_replace_a_newer_one() {
    let api = Api::shared();
    let (mut sample, viewer) = sample("channel.follow");
    let mut named = |name: &str, seconds: i64| {
        sample["event"]["user_name"] = json!(name);
        let time = Timestamp::now().checked_add(time::Duration::seconds(seconds)).expect("a time");
        Message { timestamp: time.to_string(), ..Message::new(&sample) }
    };
    let (late, early) = (named("new", 0), named("old", -60));
    for message in [late, early] {
        assert_eq!(message.send(&api).await.status, 204);
    }
    let user = &api.get(&format!("/users?platform_id={viewer}")).await.ok()[0];
    assert_eq!(user["name"], "new");
}

#[tokio::test(flavor = "multi_thread")]
async fn null_missing_and_unknown_values_return_204() {
    let (slice, api) = (Slice::of_this_run(), Api::start());
    for original in samples::twitch() {
        let name = original["subscription"]["type"].as_str().expect("a type").to_owned();
        let fields: Vec<_> = original["event"].as_object().expect("an event").keys().cloned().collect();
        for field in fields.iter().filter(|field| !field.contains("broadcaster_user_id")) {
            let values =
                [json!(null), json!("never heard of"), json!([]), json!({"new": [1]}), json!(-1), json!(1e300)];
            for value in slice.shifted(field.len()).of(values, 6) {
                let (mut sample, _) = sample(&name);
                sample["event"][field] = value.clone();
                sample["event"]["field_of_next_year"] = json!({"a": [null]});
                let reply = Message::new(&sample).send(&api).await;
                assert_eq!(reply.status, 204, "{name}: {field} is {value}: {}", String::from_utf8_lossy(&reply.bytes));
            }
        }
    }
    // A value that no record can hold is also acknowledged, since resending would not help.
    for body in [r#""\ud83d""#, "1e400", &format!("{}{}", "[".repeat(130), "]".repeat(130))] {
        let body = format!(
            r#"{{"subscription":{{"type":"channel.cheer","condition":{{"broadcaster_user_id":"1337"}}}},"event":{{"new":{body}}}}}"#
        )
        .into_bytes();
        assert_eq!(Message { body, ..Message::new(&Value::Null) }.send(&api).await.status, 204);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn long_texts_are_cut_and_numeric_ids_are_accepted() {
    let api = Api::start();
    let (mut raid, viewer) = sample("channel.raid");
    raid["event"]["from_broadcaster_user_name"] = json!("é".repeat(2_000));
    assert_eq!(Message::new(&raid).send(&api).await.status, 204);
    assert_eq!(events_of(&api, &viewer).await[0]["user_name"], "é".repeat(1_024));
    let (mut cheer, viewer) = sample("channel.cheer");
    cheer["event"]["message"] = json!(format!("x{}", "é".repeat(60_000)));
    cheer["event"]["broadcaster_user_id"] = json!(1337);
    cheer["event"]["user_id"] = json!(viewer.parse::<u64>().expect("a number"));
    cheer["event"]["bits"] = json!("1000");
    assert_eq!(Message::new(&cheer).send(&api).await.status, 204);
    let event = &events_of(&api, &viewer).await[0];
    assert_eq!(event["message"], format!("x{}", "é".repeat(49_999)));
    assert_eq!(event["amount"], 1_000);
    // The subscription names the channel if the event does not. An update without a name keeps the current name.
    let (mut silent, viewer) = sample("channel.subscribe");
    silent["event"]["broadcaster_user_id"] = json!(null);
    assert_eq!(Message::new(&silent).send(&api).await.status, 204);
    assert_eq!(events_of(&api, &viewer).await.len(), 1);
    let (mut nameless, _) = sample("user.update");
    nameless["event"]["user_id"] = json!(viewer);
    nameless["event"]["user_name"] = json!(null);
    assert_eq!(Message::new(&nameless).send(&api).await.status, 204);
    assert_eq!(api.get(&format!("/users?platform_id={viewer}")).await.ok()[0]["name"], "Cool_User");
}

#[tokio::test(flavor = "multi_thread")]
async fn timestamp_is_truncated_to_nanoseconds() {
    let api = Api::shared();
    let (mut follow, viewer) = sample("channel.follow");
    follow["event"]["followed_at"] = json!("2020-07-15T20:16:11.123456789987+02:00");
    let timestamp = Timestamp::now().to_string().replace('Z', "0000000000Z");
    let message = Message { timestamp, ..Message::new(&follow) };
    assert_eq!(message.send(&api).await.status, 204);
    assert_eq!(events_of(&api, &viewer).await[0]["occurred_at"], "2020-07-15T18:16:11.123456789Z");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_return_a_status_below_500(body in prop::collection::vec(any::<u8>(), 0..300), json in ".*", signed: bool, as_json: bool) {
        let api = Api::shared();
        let body = if as_json { format!(r#"{{"subscription":{{"type":"channel.cheer"}},"event":{{"broadcaster_user_id":"{TWITCH_CHANNEL}","user_id":"1","message":{}}}}}"#, json!(json)).into_bytes() } else { body };
        let message = Message { body, ..Message::new(&Value::Null) };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let request = if signed { message.request(&api) } else { message.unsigned(&api) };
        let reply = runtime.block_on(api.send(request));
        prop_assert!(reply.status.as_u16() < 500, "{}", reply.status);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_notice_type_keeps_its_name_and_text() {
    let api = Api::start();
    for (system_message, text, message) in [
        (
            "has been a moderator for 48 months!",
            "thank you",
            "Cool_Chatter has been a moderator for 48 months: thank you",
        ),
        ("has been a moderator for 48 months!", "", "Cool_Chatter has been a moderator for 48 months!"),
        ("Cool_Chatter did it.", "yes", "Cool_Chatter did it: yes"),
        ("", "hello", "Cool_Chatter sent a notice (some new thing): hello"),
    ] {
        let (mut notice, _) = sample("channel.chat.notification");
        notice["event"]["chatter_user_name"] = json!("Cool_Chatter");
        notice["event"]["notice_type"] = json!("some_new_thing");
        notice["event"]["system_message"] = json!(system_message);
        notice["event"]["message"]["text"] = json!(text);
        assert_eq!(event_of(&api, &notice).await.expect("an event")["message"], message);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn events_with_natural_keys_are_stored_once() {
    let api = Api::start();
    let (mut offline, _) = sample("stream.offline");
    offline["event"]["id"] = json!("stream-1");
    let (follow, _) = sample("channel.follow");
    let (mut shared, _) = sample("channel.subscription.message");
    shared["event"]["cumulative_months"] = json!(15);
    for body in [&offline, &follow, &shared] {
        assert!(event_of(&api, body).await.is_some(), "{body}");
        assert!(event_of(&api, body).await.is_none(), "under another message identifier: {body}");
    }
    offline["event"]["id"] = json!("stream-2");
    shared["event"]["cumulative_months"] = json!(16);
    assert!(event_of(&api, &offline).await.is_some());
    assert!(event_of(&api, &shared).await.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn cleared_text_is_not_restored_by_a_redelivery() {
    let api = Api::start();
    let (mut share, viewer) = sample("channel.subscription.message");
    share["event"]["cumulative_months"] = json!(1);
    share["event"]["tier"] = json!("1000");
    share["event"]["message"]["text"] = json!("");
    // An empty share does not prevent a later share from adding its text.
    Message::new(&share).send(&api).await;
    share["event"]["message"]["text"] = json!("my first!");
    let with_text = Message::new(&share);
    with_text.send(&api).await;
    let events = events_of(&api, &viewer).await;
    assert_eq!((events.len(), &events[0]["message"]), (1, &json!("my first!")));
    let path = format!("/events/{}", events[0]["event_id"]);
    api.patch(&path, &json!({"message": null})).await.ok();
    with_text.send(&api).await;
    assert_eq!(api.get(&path).await.ok()["message"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn cheer_reported_by_bits_use_is_stored_once() {
    let api = Api::start();
    let (bits, cheer) = (sample("channel.bits.use").0, sample("channel.cheer").0);
    assert!(event_of(&api, &cheer).await.is_some(), "nothing else reports it yet");
    send_subscription_message(&api, "webhook_callback_verification", "channel.bits.use", "bits").await;
    assert!(event_of(&api, &bits).await.is_some());
    assert!(event_of(&api, &sample("channel.cheer").0).await.is_none());
}

/// Returns a viewer's chat message and its identifier.
pub(crate) fn chat_message(viewer: &str, text: &str) -> (Value, String) {
    let (mut message, _) = sample("channel.chat.message");
    let id = samples::unique();
    message["event"]["message_id"] = json!(id);
    message["event"]["chatter_user_id"] = json!(viewer);
    message["event"]["message"]["text"] = json!(text);
    (message, id)
}
