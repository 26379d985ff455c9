//! Tests of the command that manages the subscriptions, against a fake of Twitch, and of replays to the service.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use clap::Parser;
use end_to_end::{Api, TWITCH_CHANNEL, TWITCH_SECRET, samples};
use serde_json::{Value, json};
use twitch::Options;

const CALLBACK: &str = "https://example.com/webhooks/twitch";

/// The command line after `event-capture`.
#[derive(Parser)]
pub(super) struct CommandLine {
    #[command(flatten)]
    pub(super) options: Options,
}

/// A fake Twitch API: its state and its behaviour.
#[derive(Clone, Default)]
struct Twitch {
    subscriptions: Arc<Mutex<Vec<Value>>>,
    not_granted: &'static [&'static str],
    /// The rejected types, each with its status.
    refused: &'static [(&'static str, u16)],
    /// The statuses of the next calls, last one first.
    troubles: Arc<Mutex<Vec<u16>>>,
    /// The number of issued tokens. Only the latest is valid.
    tokens: Arc<Mutex<u32>>,
    /// Whether the list's pages form a circle.
    circular: bool,
    /// Whether a new subscription's callback cannot be verified.
    pending: bool,
}

impl Twitch {
    async fn start(&self) -> SocketAddr {
        let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let router = Router::new()
            .route("/token", post(token))
            .route("/helix/eventsub/subscriptions", get(list).post(create).delete(delete))
            .with_state(self.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        address
    }

    fn names(&self) -> Vec<String> {
        let subscriptions = self.subscriptions.lock().expect("a lock");
        subscriptions.iter().map(|there| there["type"].as_str().expect("a type").to_owned()).collect()
    }

    fn set_status(&self, name: &str, status: &str) {
        for there in self.subscriptions.lock().expect("a lock").iter_mut().filter(|there| there["type"] == name) {
            there["status"] = json!(status);
        }
    }

    /// Returns the error response to a call that must fail.
    fn refusal(&self, headers: &HeaderMap) -> Option<Response> {
        let is = |name: &str, value: &str| headers.get(name).is_some_and(|given| given == value);
        let token = format!("Bearer app-token-{}", self.tokens.lock().expect("a lock"));
        if !is("authorization", &token) || !is("client-id", "id") {
            return Some(StatusCode::UNAUTHORIZED.into_response());
        }
        match self.troubles.lock().expect("a lock").pop()? {
            401 => {
                *self.tokens.lock().expect("a lock") += 1;
                Some(StatusCode::UNAUTHORIZED.into_response())
            }
            status => {
                let status = StatusCode::from_u16(status).expect("a status");
                Some((status, [("ratelimit-reset", "0")]).into_response())
            }
        }
    }
}

/// Issues a token. As documented, it accepts only a form.
async fn token(State(twitch): State<Twitch>, headers: HeaderMap, body: String) -> Response {
    if headers.get("content-type").is_none_or(|kind| kind != "application/x-www-form-urlencoded") {
        return (StatusCode::BAD_REQUEST, Json(json!({"message": "missing client id"}))).into_response();
    }
    let has = |field: &str| body.split('&').any(|given| given == field);
    if !has("client_id=id") {
        return (StatusCode::BAD_REQUEST, Json(json!({"message": "invalid client"}))).into_response();
    }
    if !has("client_secret=password") || !has("grant_type=client_credentials") {
        return (StatusCode::FORBIDDEN, Json(json!({"message": "invalid client secret"}))).into_response();
    }
    let mut tokens = twitch.tokens.lock().expect("a lock");
    *tokens += 1;
    let token = format!("app-token-{tokens}");
    Json(json!({"access_token": token, "expires_in": 5_000_000, "token_type": "bearer"})).into_response()
}

/// Lists the subscriptions in pages of two.
async fn list(
    State(twitch): State<Twitch>,
    Query(query): Query<BTreeMap<String, String>>,
    headers: HeaderMap,
) -> Response {
    if let Some(refusal) = twitch.refusal(&headers) {
        return refusal;
    }
    let start = query.get("after").and_then(|after| after.parse().ok()).unwrap_or(0);
    let all = twitch.subscriptions.lock().expect("a lock");
    let page: Vec<_> = all.iter().skip(start).take(2).collect();
    let pagination = match (start + 2 < all.len(), twitch.circular) {
        (true, _) => json!({"cursor": (start + 2).to_string()}),
        (false, true) => json!({"cursor": "2"}),
        (false, false) => json!(null),
    };
    Json(json!({"total": all.len(), "data": page, "max_total_cost": 10, "pagination": pagination})).into_response()
}

async fn create(State(twitch): State<Twitch>, headers: HeaderMap, body: Bytes) -> Response {
    if let Some(refusal) = twitch.refusal(&headers) {
        return refusal;
    }
    let mut wanted: Value = serde_json::from_slice(&body).expect("JSON");
    if twitch.not_granted.contains(&wanted["type"].as_str().expect("a type")) {
        let message = json!({"error": "Forbidden", "message": "subscription missing proper authorization"});
        return (StatusCode::FORBIDDEN, Json(message)).into_response();
    }
    if let Some((_, status)) = twitch.refused.iter().find(|(name, _)| wanted["type"] == *name) {
        let status = StatusCode::from_u16(*status).expect("a status");
        return (status, Json(json!({"message": "not today"}))).into_response();
    }
    assert!([TWITCH_SECRET, "the-one-after"].iter().any(|secret| wanted["transport"]["secret"] == *secret));
    let mut all = twitch.subscriptions.lock().expect("a lock");
    let same = |there: &Value, name: &str| there[name] == wanted[name];
    let known = |there: &&Value| {
        same(there, "type")
            && wanted["condition"]
                .as_object()
                .expect("a condition")
                .iter()
                .all(|(name, of)| there["condition"][name] == *of)
            && there["transport"]["callback"] == wanted["transport"]["callback"]
    };
    if all.iter().any(|there| known(&there)) {
        return (StatusCode::CONFLICT, Json(json!({"message": "subscription already exists"}))).into_response();
    }
    wanted["id"] = json!(samples::unique());
    wanted["status"] = json!(if twitch.pending { "webhook_callback_verification_failed" } else { "enabled" });
    wanted["transport"].as_object_mut().expect("a transport").remove("secret");
    if wanted["type"] == "channel.raid" {
        for field in ["from_broadcaster_user_id", "to_broadcaster_user_id"] {
            let given = wanted["condition"][field].as_str().unwrap_or_default().to_owned();
            wanted["condition"][field] = json!(given);
        }
    }
    all.push(wanted);
    (StatusCode::ACCEPTED, Json(json!({"data": []}))).into_response()
}

async fn delete(
    State(twitch): State<Twitch>,
    Query(query): Query<BTreeMap<String, String>>,
    headers: HeaderMap,
) -> Response {
    if let Some(refusal) = twitch.refusal(&headers) {
        return refusal;
    }
    let mut all = twitch.subscriptions.lock().expect("a lock");
    let before = all.len();
    all.retain(|there| there["id"] != query["id"]);
    if all.len() < before { StatusCode::NO_CONTENT.into_response() } else { StatusCode::NOT_FOUND.into_response() }
}

fn parse(arguments: &[&str]) -> Result<Options, String> {
    let parsed = CommandLine::try_parse_from(["twitch"].iter().chain(arguments));
    parsed.map(|command_line| command_line.options).map_err(|error| error.to_string())
}

/// Runs the command. Returns its output, and true if it reports no problem.
async fn run(address: SocketAddr, arguments: &[&str]) -> Result<(bool, String), String> {
    let (api, token) = (format!("http://{address}/helix"), format!("http://{address}/token"));
    let access = ["--api", &api, "--token-url", &token, "--client-id", "id", "--client-secret", "password"];
    let options = parse(&[arguments, &access].concat())?;
    let mut text = Vec::new();
    let well = twitch::run(options, &mut text).await.map_err(|error| error.to_string())?;
    Ok((well, String::from_utf8(text).expect("a text")))
}

/// The number of subscriptions that the mapping needs: all except `channel.cheer`, which `channel.bits.use` also
/// reports.
const WANTED: usize = 29;
const SUBSCRIBE: &[&str] =
    &["subscribe", "--callback", CALLBACK, "--secret", TWITCH_SECRET, "--broadcaster", TWITCH_CHANNEL];
const CHECK: &[&str] = &["check", "--callback", CALLBACK, "--broadcaster", TWITCH_CHANNEL];

#[tokio::test]
async fn subscribe_creates_each_needed_subscription_once() {
    let twitch = Twitch::default();
    let address = twitch.start().await;
    let (well, text) = run(address, SUBSCRIBE).await.expect("it subscribes");
    assert!(well, "{text}");
    let names = twitch.names();
    assert_eq!(names.len(), WANTED, "{names:?}");
    assert!(!names.contains(&"channel.cheer".to_owned()), "cheers arrive through one type");
    assert_eq!(names.iter().filter(|name| *name == "channel.raid").count(), 2, "both directions");
    let again = run(address, SUBSCRIBE).await.expect("it subscribes");
    assert!(again.0 && again.1.lines().all(|line| line.ends_with("exists")), "{}", again.1);
    assert_eq!(twitch.names(), names);
    let (well, text) = run(address, CHECK).await.expect("it checks");
    assert!(well && text.lines().all(|line| line.ends_with("enabled")), "{text}");
    assert_eq!(run(address, &["list"]).await.expect("a list").1.lines().count(), WANTED);
}

#[tokio::test]
async fn missing_scopes_are_reported_and_block_no_other_type() {
    let twitch = Twitch { not_granted: &["channel.follow"], ..Twitch::default() };
    let address = twitch.start().await;
    let (well, text) = run(address, SUBSCRIBE).await.expect("it subscribes");
    assert!(!well);
    assert!(text.contains("moderator:read:followers"), "{text}");
    assert_eq!(twitch.names().len(), WANTED - 1);
    let (well, text) = run(address, CHECK).await.expect("it checks");
    assert!(!well && text.lines().any(|line| line.starts_with("channel.follow") && line.contains("missing")), "{text}");
}

#[tokio::test]
async fn revoked_subscription_is_reported_and_recreated() {
    let twitch = Twitch::default();
    let address = twitch.start().await;
    run(address, SUBSCRIBE).await.expect("it subscribes");
    twitch.set_status("channel.bits.use", "notification_failures_exceeded");
    twitch.set_status("channel.raid", "webhook_callback_verification_pending");
    let (well, text) = run(address, CHECK).await.expect("it checks");
    assert!(!well && text.contains("notification_failures_exceeded") && text.contains("pending"), "{text}");
    let (well, text) = run(address, SUBSCRIBE).await.expect("it subscribes");
    assert!(well && text.lines().any(|line| line.starts_with("channel.bits") && line.ends_with("created")), "{text}");
    assert_eq!(twitch.names().len(), WANTED);
    let extra = run(address, &["check", "--callback", "https://other.example", "--broadcaster", "1"]).await;
    assert!(extra.expect("it checks").1.contains("not required"));
}

#[tokio::test]
async fn rejected_types_do_not_block_the_other_types() {
    let refused: &[_] = &[
        ("channel.subscribe", 400),
        ("channel.follow", 409),
        ("channel.raid", 410),
        ("channel.hype_train.begin", 429),
        ("channel.goal.begin", 422),
    ];
    let twitch = Twitch { refused, not_granted: &["channel.bits.use"], ..Twitch::default() };
    let address = twitch.start().await;
    let (well, text) = run(address, SUBSCRIBE).await.expect("it subscribes");
    assert!(!well);
    for (name, status) in refused {
        assert!(text.lines().any(|line| line.starts_with(name) && line.contains(&status.to_string())), "{text}");
    }
    assert_eq!(twitch.names().len(), WANTED - 7, "{text}");
}

#[tokio::test]
async fn missing_grants_are_reported_for_each_account() {
    let not_granted: &[_] = &["channel.chat.message", "channel.follow", "channel.goal.begin"];
    let address = Twitch { not_granted, ..Twitch::default() }.start().await;
    let (well, text) = run(address, &[SUBSCRIBE, &["--reader", "4711"]].concat()).await.expect("it subscribes");
    assert!(!well);
    let line = |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{text}"));
    let (reader, broadcaster) = (line("The account 4711"), line(&format!("The account {TWITCH_CHANNEL}")));
    assert!(reader.contains("moderator:read:followers user:bot user:read:chat"), "{reader}");
    assert!(broadcaster.contains("channel:bot channel:read:goals"), "{broadcaster}");
    assert!(broadcaster.contains("https://id.twitch.tv/oauth2/authorize?response_type=code&client_id=id&"), "{text}");
}

#[tokio::test]
async fn redundant_subscription_is_deleted_after_its_replacement() {
    let twitch = Twitch::default();
    let address = twitch.start().await;
    assert!(run(address, &[SUBSCRIBE, &["--cheers", "cheer"]].concat()).await.expect("it subscribes").0);
    assert!(twitch.names().contains(&"channel.cheer".to_owned()));
    let (well, text) = run(address, SUBSCRIBE).await.expect("it subscribes");
    assert!(well && text.lines().any(|line| line.starts_with("channel.cheer") && line.contains("deleted")), "{text}");
    assert_eq!(twitch.names().len(), WANTED);
}

#[tokio::test]
async fn transient_errors_are_retried_and_circular_lists_end() {
    let troubles = Arc::new(Mutex::new(vec![429, 429, 502, 401, 503, 502, 429]));
    let twitch = Twitch { troubles, circular: true, ..Twitch::default() };
    let address = twitch.start().await;
    assert!(run(address, SUBSCRIBE).await.expect("it subscribes").0);
    assert_eq!(twitch.names().len(), WANTED);
    assert!(run(address, CHECK).await.expect("it checks").0);
    *twitch.troubles.lock().expect("a lock") = vec![502; 20];
    assert!(run(address, CHECK).await.is_err(), "not for ever");
}

#[tokio::test]
async fn wrong_client_id_and_wrong_secret_are_distinguished() {
    let address = Twitch::default().start().await;
    let (api, token) = (format!("http://{address}/helix"), format!("http://{address}/token"));
    for (id, secret, named) in [("id", "no", "TWITCH_CLIENT_SECRET is not"), ("no", "password", "TWITCH_CLIENT_ID")] {
        let arguments = ["list", "--api", &api, "--token-url", &token, "--client-id", id, "--client-secret", secret];
        let options = parse(&arguments).expect("options");
        let refused = twitch::run(options, &mut Vec::new()).await.expect_err("a refusal");
        assert!(refused.to_string().contains(named), "{refused}");
    }
}

#[tokio::test]
async fn delete_removes_one_subscription_or_all_of_a_callback() {
    let twitch = Twitch::default();
    let address = twitch.start().await;
    run(address, SUBSCRIBE).await.expect("it subscribes");
    let other = ["subscribe", "--callback", "https://other.example/webhooks/twitch", "--secret", TWITCH_SECRET];
    run(address, &[&other[..], &["--broadcaster", TWITCH_CHANNEL]].concat()).await.expect("it subscribes");
    let id = twitch.subscriptions.lock().expect("a lock")[0]["id"].as_str().expect("an id").to_owned();
    assert!(run(address, &["delete", &id]).await.expect("it deletes").0);
    assert!(!run(address, &["delete", &id]).await.expect("it deletes").0, "it was there no more");
    assert!(run(address, &["delete"]).await.is_err(), "all is said explicitly");
    assert!(run(address, &["delete", "--all"]).await.is_err(), "and of which callback");
    assert!(run(address, &["delete", "--all", "--callback", CALLBACK]).await.expect("it deletes").0);
    assert_eq!(twitch.names().len(), WANTED, "what goes elsewhere stays");
}

#[tokio::test(flavor = "multi_thread")]
async fn service_is_notified_of_a_deleted_subscription() {
    let (api, twitch) = (Api::start(), Twitch::default());
    let address = twitch.start().await;
    let callback = format!("{}/webhooks/twitch", api.base());
    let of_service = ["--callback", &callback, "--secret", TWITCH_SECRET];
    let subscribe = [&["subscribe", "--broadcaster", TWITCH_CHANNEL], &of_service[..]].concat();
    run(address, &[&subscribe[..], &["--cheers", "cheer"]].concat()).await.expect("it subscribes");
    let (_, text) = run(address, &subscribe).await.expect("it subscribes");
    let deleted: Vec<_> = text.lines().filter(|line| line.contains("deleted")).collect();
    assert!(deleted.len() == 1 && deleted[0].ends_with("the service was notified"), "{text}");
    assert_eq!(twitch.names().len(), WANTED);
    let (well, text) = run(address, &[&["delete", "--all"], &of_service[..]].concat()).await.expect("it deletes");
    assert!(well && text.lines().all(|line| line.ends_with("the service was notified")), "{text}");
}

#[tokio::test]
async fn rotate_creates_subscriptions_before_deleting_old_ones() {
    let twitch = Twitch::default();
    let address = twitch.start().await;
    run(address, SUBSCRIBE).await.expect("it subscribes");
    let ids = |twitch: &Twitch| {
        let there = twitch.subscriptions.lock().expect("a lock");
        there.iter().map(|there| there["id"].as_str().expect("an id").to_owned()).collect::<Vec<_>>()
    };
    let before = ids(&twitch);
    let rotate = ["rotate", "--callback", CALLBACK, "--secret", "the-one-after", "--broadcaster", TWITCH_CHANNEL];
    let (well, text) = run(address, &rotate).await.expect("it rotates");
    assert!(well && text.lines().all(|line| line.ends_with("replaced")), "{text}");
    let after = ids(&twitch);
    assert_eq!(after.len(), WANTED);
    assert!(after.iter().all(|id| !before.contains(id)));
    assert!(run(address, CHECK).await.expect("it checks").0, "the query of a callback makes no difference");
    // If the service does not know the new secret, the old subscriptions stay.
    let stubborn = Twitch { pending: true, ..twitch.clone() };
    let address = stubborn.start().await;
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    let (well, text) = run(address, &rotate).await.expect("it rotates");
    assert!(!well && text.contains("Is the new secret configured in the service?"), "{text}");
    assert!(after.iter().all(|id| ids(&stubborn).contains(id)));
}

#[tokio::test(flavor = "multi_thread")]
async fn recording_is_replayed_once() {
    let api = Api::start();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("recording.jsonl");
    let mut lines: Vec<_> = samples::twitch().iter().map(Value::to_string).collect();
    let headers = json!({"twitch-eventsub-message-id": "recorded", "Twitch-Eventsub-Message-Type": "notification"});
    let repeated = samples::twitch().into_iter().find(|sample| sample["subscription"]["type"] == "channel.subscribe");
    lines.push(json!({"headers": headers, "body": repeated}).to_string());
    std::fs::write(&file, lines.join("\n") + "\n\n").expect("a file");
    let file = file.to_str().expect("a path");
    // Each sample is an event, except the name update and the removals of messages. The recorded message repeats a
    // sample. The second replay clears the chat message and the watch streak of the first.
    for expected in [26, 24] {
        let options = parse(&["replay", file, "--url", api.base(), "--secret", TWITCH_SECRET]).expect("options");
        let mut text = Vec::new();
        assert!(twitch::run(options, &mut text).await.expect("it replays"));
        assert_eq!(String::from_utf8_lossy(&text), "31 accepted, 0 rejected\n");
        assert_eq!(api.list("/events").await.len(), expected);
    }
    // A replayed message does not mark its type as subscribed, so the chat still reports cheers.
    let (mut chat, viewer) = crate::twitch::webhook::sample("channel.chat.message");
    chat["event"]["cheer"] = json!({"bits": 5});
    crate::twitch::webhook::Message::new(&chat).send(&api).await;
    assert_eq!(crate::twitch::webhook::events_of(&api, &viewer).await.len(), 1);
    let options = parse(&["replay", file, "--url", api.base(), "--secret", "another-secret"]).expect("options");
    let mut text = Vec::new();
    assert!(!twitch::run(options, &mut text).await.expect("it replays"));
    assert!(String::from_utf8_lossy(&text).contains("line 1: 403"));
}

#[tokio::test(flavor = "multi_thread")]
async fn check_corrects_the_subscription_state_of_the_service() {
    let (api, twitch) = (Api::start(), Twitch::default());
    let address = twitch.start().await;
    let callback = format!("{}/webhooks/twitch", api.base());
    let wanted = ["--callback", &callback, "--broadcaster", TWITCH_CHANNEL, "--secret", TWITCH_SECRET];
    run(address, &[&["subscribe"], &wanted[..]].concat()).await.expect("it subscribes");
    let check = [&["check"], &wanted[..]].concat();
    // The fake sends no challenges.
    let (well, text) = run(address, &check).await.expect("it checks");
    assert!(well && text.contains("subscribed, but not marked in the service: corrected"), "{text}");
    let (_, text) = run(address, &check).await.expect("it checks");
    assert!(text.contains("subscribed, and marked in the service") && !text.contains("corrected"), "{text}");
    let cheer = || {
        let (mut chat, viewer) = crate::twitch::webhook::sample("channel.chat.message");
        chat["event"]["cheer"] = json!({"bits": 5});
        (crate::twitch::webhook::Message::new(&chat), viewer)
    };
    let (chat, viewer) = cheer();
    chat.send(&api).await;
    assert!(crate::twitch::webhook::events_of(&api, &viewer).await.is_empty(), "channel.bits.use reports it");
    // The subscription is deleted at Twitch by other means, so the service is not notified.
    twitch.subscriptions.lock().expect("a lock").retain(|there| there["type"] != "channel.bits.use");
    let (well, text) = run(address, &check).await.expect("it checks");
    assert!(!well && text.contains("not subscribed, but marked in the service: corrected"), "{text}");
    let (chat, viewer) = cheer();
    chat.send(&api).await;
    assert_eq!(crate::twitch::webhook::events_of(&api, &viewer).await.len(), 1);
}

#[tokio::test]
async fn failed_subscriptions_are_deleted_and_reported() {
    let twitch = Twitch::default();
    let address = twitch.start().await;
    run(address, SUBSCRIBE).await.expect("it subscribes");
    let failed = |twitch: &Twitch| {
        let there = twitch.subscriptions.lock().expect("a lock");
        there.iter().filter(|there| there["status"] == "webhook_callback_verification_failed").count()
    };
    let rotate = ["rotate", "--callback", CALLBACK, "--secret", "the-one-after", "--broadcaster", TWITCH_CHANNEL];
    let stubborn = Twitch { pending: true, ..twitch.clone() };
    let (well, text) = run(stubborn.start().await, &rotate).await.expect("it rotates");
    assert!(!well && text.contains("deleted") && failed(&twitch) == 0, "{text}");
    // A leftover from an older version or an interrupted run.
    let mut old = twitch.subscriptions.lock().expect("a lock")[0].clone();
    old["id"] = json!("old");
    old["status"] = json!("webhook_callback_verification_failed");
    old["transport"]["callback"] = json!(format!("{CALLBACK}?since=then"));
    twitch.subscriptions.lock().expect("a lock").push(old.clone());
    let (well, text) = run(address, CHECK).await.expect("it checks");
    assert!(!well && text.contains("old is webhook_callback_verification_failed"), "{text}");
    let (well, text) = run(address, SUBSCRIBE).await.expect("it subscribes");
    assert!(well && text.contains("deleted old") && failed(&twitch) == 0, "{text}");
    twitch.subscriptions.lock().expect("a lock").push(old);
    let (well, text) = run(address, &rotate).await.expect("it rotates");
    assert!(well && text.contains("deleted old") && failed(&twitch) == 0, "{text}");
}
