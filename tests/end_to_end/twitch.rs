//! What Twitch sends, over HTTP: every type from sample to stored event, every refusal, and each message once.

use end_to_end::faults::Faults;
use end_to_end::{Api, Reply, TWITCH_CHANNEL, TWITCH_SECRET, samples, stack_in};
use event_capture::schema::Timestamp;
use event_capture::webhooks::twitch::mapping::MAPPINGS;
use event_capture::webhooks::twitch::signature::sign;
use futures_util::future::join_all;
use proptest::prelude::*;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

const PATH: &str = "/webhooks/twitch";

/// A message as Twitch would send it: what a test wants otherwise, it changes.
#[derive(Clone)]
pub(crate) struct Message {
    id: String,
    kind: &'static str,
    timestamp: String,
    body: Vec<u8>,
    secret: &'static str,
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

/// The sample of a type, about a viewer of its own.
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

/// The events of the viewer with this identifier of Twitch's.
pub(crate) async fn events_of(api: &Api, viewer: &str) -> Vec<Value> {
    let users = api.get(&format!("/users?platform_id={viewer}")).await.ok();
    match users[0]["user_id"].as_u64() {
        Some(user) => api.list(&format!("/users/{user}/events")).await,
        None => Vec::new(),
    }
}

/// A service that takes what the shared one does not.
fn taking(cheers: &str, chat: &str) -> Api {
    let folder = tempfile::tempdir().expect("a folder").keep();
    stack_in(&folder, |options| {
        options.twitch.twitch_cheers = Some(cheers.to_owned());
        options.twitch.twitch_chat = Some(chat.to_owned());
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn every_type_becomes_the_event_that_it_is() {
    let (api, bits) = (Api::shared(), taking("bits", "true"));
    let expected = [
        ("channel.subscribe", json!({"event_type": "subscriber", "tier": 1, "subscribed_length": 1, "message": null})),
        (
            "channel.subscription.message",
            json!({"event_type": "subscriber", "tier": 2, "subscribed_length": 15, "message": "Love the stream! FevziGG"}),
        ),
        (
            "channel.subscription.gift",
            json!({"event_type": "plain", "message": "Cool_User gave 2 subscriptions of tier 1."}),
        ),
        ("channel.cheer", json!({"event_type": "cheer", "amount": 1000, "message": "pogchamp", "cheer_type": null})),
        (
            "channel.bits.use",
            json!({"event_type": "cheer", "amount": 2, "message": "cheer1 hi", "cheer_type": "cheer"}),
        ),
        ("channel.raid", json!({"event_type": "raid", "viewer_count": 9001})),
        ("channel.chat.message", json!({"event_type": "plain", "message": "Hi chat"})),
        (
            "channel.channel_points_custom_reward_redemption.add",
            json!({"event_type": "plain", "message": "pogchamp", "occurred_at": "2026-11-15T17:16:03.17106713Z"}),
        ),
        (
            "channel.follow",
            json!({"event_type": "plain", "message": "Cool_User followed the channel.", "occurred_at": "2026-11-15T18:16:11.17106713Z"}),
        ),
    ];
    for (name, fields) in &expected {
        let api = if *name == "channel.bits.use" { &bits } else { &api };
        let (sample, viewer) = sample(name);
        let message = Message::new(&sample);
        let reply = message.send(api).await;
        assert_eq!((reply.status.as_u16(), reply.bytes.len()), (204, 0), "{name}");
        let events = events_of(api, &viewer).await;
        assert_eq!(events.len(), 1, "{name}");
        let shown = api.get(&format!("/events/{}", events[0]["event_id"])).await.ok();
        for (field, value) in fields.as_object().expect("fields") {
            assert_eq!(&shown[field], value, "{name}: {field}");
        }
        if fields["occurred_at"].is_null() {
            assert_eq!(shown["occurred_at"], message.timestamp, "{name}");
        }
        assert_eq!((&shown["user_name"], &shown["user"]["platform_id"]), (&json!("Cool_User"), &json!(viewer)));
    }
    let names: Vec<_> = expected.iter().map(|(name, _)| *name).chain(["user.update"]).collect();
    assert_eq!(MAPPINGS.iter().map(|mapping| mapping.name).collect::<Vec<_>>(), names);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_who_takes_another_name_has_it_if_there_is_the_user() {
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
async fn a_challenge_is_answered_with_nothing_but_itself() {
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
    // Whatever the gateway hands over in base64 is verified as it was sent.
    let binary = api.send(challenge.request(&api).header("Content-Encoding", "identity")).await;
    assert_eq!(binary.bytes, b"pogchamp-kappa-360noscope-vohiyo");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revocation_an_unknown_type_and_an_unknown_kind_are_acknowledged() {
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
async fn what_twitch_has_not_signed_is_refused_and_not_stored() {
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
        |minutes: i64| Timestamp::now().shifted(time::Duration::minutes(minutes)).expect("a time").to_string();
    for time in [shifted(-11), shifted(11), "2026-11-20".to_owned(), "now".to_owned(), "0".to_owned()] {
        at(&time).send(&api).await.refused(403);
    }
    for channel in [json!("1"), json!(1338), json!("")] {
        let mut other = sample.clone();
        other["event"]["broadcaster_user_id"] = channel;
        other["subscription"]["condition"] = json!({});
        Message::new(&other).send(&api).await.refused(403);
    }
    // Signed, but not as JSON: 415; no JSON at all: 400; too large: 413; another method: 405.
    let plain = message.unsigned(&api).header("Twitch-Eventsub-Message-Signature", &right).build().expect("a request");
    let mut text = plain.try_clone().expect("a request");
    text.headers_mut().insert("Content-Type", "text/plain".parse().expect("a header"));
    api.send_built(text).await.refused(415);
    Message { body: b"{".to_vec(), ..message.clone() }.send(&api).await.refused(400);
    Message { body: vec![b' '; 256 * 1024 + 1], ..message.clone() }.send(&api).await.refused(413);
    assert_eq!(api.get(PATH).await.status, 405);
    assert!(events_of(&api, &viewer).await.is_empty());
    // The very message, as it should be, is taken.
    assert_eq!(message.send(&api).await.status, 204);
    assert_eq!(events_of(&api, &viewer).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_secret_before_is_good_while_it_is_replaced_and_without_one_nothing_is() {
    let folder = tempfile::tempdir().expect("a folder").keep();
    let api = stack_in(&folder, |options| options.twitch.twitch_previous_secret = Some("the-one-before".to_owned()));
    let (sample, viewer) = sample("channel.raid");
    let message = Message { secret: "the-one-before", ..Message::new(&sample) };
    assert_eq!(message.send(&api).await.status, 204);
    assert_eq!(events_of(&api, &viewer).await.len(), 1);
    let folder = tempfile::tempdir().expect("a folder").keep();
    let closed = stack_in(&folder, |options| options.twitch.twitch_secret = None);
    message.send(&closed).await.refused(403);
}

/// Made by another implementation: Python's `hmac`.
#[test]
fn signatures_are_those_that_others_make() {
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
async fn fifty_copies_at_once_and_one_later_are_one_event() {
    let api = Api::shared();
    let (sample, viewer) = sample("channel.cheer");
    let message = Message::new(&sample);
    let replies = join_all((0..50).map(|_| message.send(&api))).await;
    assert!(replies.iter().all(|reply| reply.status == 204));
    // A resend has the identifier of the first, and a time of its own.
    let resent = Message { timestamp: Timestamp::now().to_string(), ..message };
    assert_eq!(resent.send(&api).await.status, 204);
    assert_eq!(events_of(&api, &viewer).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_event_under_two_message_identifiers_is_one_event() {
    let api = Api::shared();
    for name in ["channel.chat.message", "channel.channel_points_custom_reward_redemption.add"] {
        let (sample, viewer) = sample(name);
        let replies = join_all((0..4).map(|_| async { Message::new(&sample).send(&api).await.status })).await;
        assert!(replies.iter().all(|status| *status == 204));
        assert_eq!(events_of(&api, &viewer).await.len(), 1, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_of_the_store_lose_and_double_nothing() {
    let api = Api::faulty(Faults { conflicts: 3, lost_answers: 5, throttled: 7, ..Faults::default() });
    let mut viewers = Vec::new();
    for _ in 0..20 {
        let (sample, viewer) = sample("channel.subscribe");
        let message = Message::new(&sample);
        // As Twitch does: the same again, until it is told that it has come.
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
async fn a_notification_of_a_known_viewer_costs_two_reads_and_one_write() {
    let api = Api::shared();
    let (sample, _) = sample("channel.chat.message");
    Message::new(&sample).send(&api).await;
    let mut again = sample;
    again["event"]["message_id"] = json!(samples::unique());
    let cost = Message::new(&again).send(&api).await.cost();
    // Who has this platform_id, then the user, whose name may have changed; then the event alone.
    assert_eq!((cost.0, cost.1), (3, 2.0), "{cost:?}");
    assert!(cost.2 <= 6.0, "{cost:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_anonymous_event_is_nobodys_and_never_the_broadcasters() {
    let api = Api::own();
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
    assert_eq!(gift["message"], "Anonymous gave 2 subscriptions of tier 1.");
    assert_eq!(api.list("/users").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gift_is_the_givers_and_the_subscription_the_recipients() {
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

#[tokio::test(flavor = "multi_thread")]
async fn types_that_tell_the_same_are_taken_once() {
    let (api, other) = (Api::shared(), taking("none", "false"));
    let (bits, bits_viewer) = sample("channel.bits.use");
    let (mut cheer, cheer_viewer) = sample("channel.chat.message");
    cheer["event"]["cheer"] = json!({"bits": 5});
    let (mut shared, shared_viewer) = sample("channel.chat.message");
    shared["event"]["source_broadcaster_user_id"] = json!("4711");
    let (mut own, own_viewer) = sample("channel.chat.message");
    own["event"]["source_broadcaster_user_id"] = json!(TWITCH_CHANNEL);
    for body in [&bits, &cheer, &shared, &own] {
        assert_eq!(Message::new(body).send(&api).await.status, 204);
        assert_eq!(Message::new(body).send(&other).await.status, 204);
    }
    for viewer in [bits_viewer, cheer_viewer, shared_viewer] {
        assert!(events_of(&api, &viewer).await.is_empty());
    }
    assert_eq!(events_of(&api, &own_viewer).await.len(), 1);
    assert!(other.list("/events").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn null_missing_and_unknown_values_are_no_reason_to_refuse() {
    let api = Api::shared();
    for original in samples::twitch() {
        let name = original["subscription"]["type"].as_str().expect("a type").to_owned();
        let fields: Vec<_> = original["event"].as_object().expect("an event").keys().cloned().collect();
        for field in fields.iter().filter(|field| !field.contains("broadcaster_user_id")) {
            for value in [json!(null), json!("never heard of"), json!([]), json!({"new": [1]}), json!(-1), json!(1e300)]
            {
                let (mut sample, _) = sample(&name);
                sample["event"][field] = value.clone();
                sample["event"]["field_of_next_year"] = json!({"a": [null]});
                let reply = Message::new(&sample).send(&api).await;
                assert_eq!(reply.status, 204, "{name}: {field} is {value}: {}", String::from_utf8_lossy(&reply.bytes));
            }
        }
    }
    // What no record can hold is acknowledged all the same: sent again, it would be no better.
    for body in [r#""\ud83d""#, "1e400", &format!("{}{}", "[".repeat(130), "]".repeat(130))] {
        let body = format!(r#"{{"subscription":{{"type":"channel.cheer"}},"event":{{"new":{body}}}}}"#).into_bytes();
        assert_eq!(Message { body, ..Message::new(&Value::Null) }.send(&api).await.status, 204);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_that_are_too_long_are_cut_and_identifiers_that_became_numbers_are_understood() {
    let api = Api::shared();
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
    // The subscription says whose channel it is, where the event does not; who takes no name keeps the one there is.
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
async fn a_moment_with_more_than_nanoseconds_is_cut_to_them() {
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
    fn no_bytes_make_the_endpoint_fail(body in prop::collection::vec(any::<u8>(), 0..300), json in ".*", signed: bool, as_json: bool) {
        let api = Api::shared();
        let body = if as_json { format!(r#"{{"subscription":{{"type":"channel.cheer"}},"event":{{"broadcaster_user_id":"{TWITCH_CHANNEL}","user_id":"1","message":{}}}}}"#, json!(json)).into_bytes() } else { body };
        let message = Message { body, ..Message::new(&Value::Null) };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let request = if signed { message.request(&api) } else { message.unsigned(&api) };
        let reply = runtime.block_on(api.send(request));
        prop_assert!(reply.status.as_u16() < 500, "{}", reply.status);
    }
}
