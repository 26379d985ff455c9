//! Tests of the connection without a public address, against a mock of Twitch's servers.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use capture_core::lambda::http::{Service, handle};
use capture_core::schema::Timestamp;
use capture_core::webhooks::twitch::mapping::MAPPINGS;
use capture_core::webhooks::twitch::{Cheers, Settings};
use clap::Parser;
use end_to_end::twitch_mock::{Mock, UNKNOWN_CLIENT};
use end_to_end::{Api, TWITCH_CHANNEL, amount, folder, samples, stack_in};
use event_capture::Options;
use lambda_http::aws_lambda_events::apigw::ApiGatewayV2httpRequest;
use reqwest::Method;
use serde_json::{Value, json};

use crate::api::tokens::make;
use crate::guarantees::crash::Process;
use crate::twitch::command::CommandLine;
use crate::twitch::webhook::{Message, notice, sample, send_subscription_message};

const PATH: &str = "/connections/twitch";
/// The number of a channel's subscriptions.
const ALL: u64 = 29;
const MEMBERS: [&str; 13] = [
    "transport",
    "state",
    "client_id",
    "user_code",
    "verification_uri",
    "expires_at",
    "channel",
    "missing_scopes",
    "subscriptions",
    "connected_at",
    "last_message_at",
    "gaps",
    "error",
];

/// Points a service at the mock.
fn use_mock(options: &mut Options, mock: &Mock) {
    let [_, id, _, api, _, eventsub] = mock.arguments();
    options.twitch.twitch_id_url = id;
    options.twitch.twitch_api_url = api;
    options.twitch.twitch_eventsub_url = eventsub;
    options.twitch.twitch_client_id = Some("mock".to_owned());
    options.twitch.twitch_broadcaster_id = None;
}

/// Starts a mock and a service that uses it.
pub(crate) async fn service() -> (Mock, Api) {
    service_with(|_| {}).await
}

pub(crate) async fn service_with(configure: impl FnOnce(&mut Options)) -> (Mock, Api) {
    let mock = Mock::start().await;
    let api = stack_in(&folder(), |options| {
        use_mock(options, &mock);
        configure(options);
    });
    (mock, api)
}

/// Starts a separate process that uses the mock.
pub(crate) fn process(folder: &Path, mock: &Mock) -> Process {
    let arguments = mock.arguments();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    Process::start_with(folder, &[&["--port", "0", "--twitch-client-id", "mock"], arguments.as_slice()].concat())
}

/// Waits until the description of the connection meets a condition.
pub(crate) async fn wait_for(api: &Api, what: &str, is_met: impl Fn(&Value) -> bool) -> Value {
    let deadline = Instant::now() + Duration::from_mins(1);
    loop {
        let connection = api.get(PATH).await.ok();
        if is_met(&connection) {
            return connection;
        }
        assert!(Instant::now() < deadline, "{what}: {connection}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn wait_for_state(api: &Api, state: &str) -> Value {
    wait_for(api, state, |connection| connection["state"] == state).await
}

async fn start_login(api: &Api) -> Value {
    let reply = api.post(PATH, &json!({})).await;
    assert_eq!(reply.status, 202, "{}", String::from_utf8_lossy(&reply.bytes));
    reply.json()
}

fn consent(mock: &Mock) {
    mock.command(&json!({"command": "consent", "user_id": TWITCH_CHANNEL, "name": "Ann"}));
}

pub(crate) async fn connect(mock: &Mock, api: &Api) -> Value {
    start_login(api).await;
    consent(mock);
    wait_for(api, "connected", |connection| connection["state"] == "connected").await
}

/// Sends a new viewer's follow and returns the viewer's name.
fn follow(mock: &Mock, id: &str) -> String {
    let name = format!("Viewer{:08x}", fastrand::u32(..));
    let event = json!({
        "user_id": name, "user_login": name, "user_name": name, "broadcaster_user_id": TWITCH_CHANNEL,
        "broadcaster_user_login": "ann", "broadcaster_user_name": "Ann", "followed_at": Timestamp::now().to_string(),
    });
    mock.command(&json!({"command": "notify", "id": id, "type": "channel.follow", "event": event}));
    name
}

/// Waits until a follow is stored. Returns how often it is stored.
async fn wait_for_follow(api: &Api, name: &str) -> usize {
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        let count = follows(api, name).await;
        if count > 0 {
            return count;
        }
        assert!(Instant::now() < deadline, "the follow of {name} is not stored");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn follows(api: &Api, name: &str) -> usize {
    let events = api.list("/events?source=twitch%2Fchannel.follow").await;
    events.iter().filter(|event| event["user_name"] == name).count()
}

#[tokio::test]
async fn get_without_a_login_has_all_members_and_the_state_none() {
    let (_mock, api) = service().await;
    let connection = api.get(PATH).await.ok();
    let members: Vec<_> = connection.as_object().expect("an object").keys().collect();
    assert_eq!(members, MEMBERS);
    assert_eq!((&connection["transport"], &connection["state"]), (&json!("websocket"), &json!("none")));
    assert_eq!(connection["client_id"], "mock");
    assert_eq!(connection["subscriptions"], json!({"enabled": 0, "failed": []}));
    for member in ["user_code", "verification_uri", "expires_at", "channel", "connected_at", "last_message_at", "error"]
    {
        assert_eq!(connection[member], Value::Null, "{member}");
    }
    let head = api.send(api.request(Method::HEAD, PATH)).await;
    assert_eq!(head.status, 200);
    for method in [Method::PUT, Method::PATCH] {
        let reply = api.send(api.request(method, PATH).json(&json!({}))).await;
        reply.refused(405);
        assert_eq!(reply.header("allow"), "GET, HEAD, POST, DELETE");
    }
}

#[tokio::test]
async fn login_connects_and_stores_events_once() {
    let (mock, api) = service().await;
    let pending = start_login(&api).await;
    assert_eq!((&pending["state"], &pending["user_code"]), (&json!("pending"), &json!("ABCDEFGH")));
    assert!(pending["expires_at"].is_string() && pending["verification_uri"].is_string());
    let repeated = api.post(PATH, &json!({"client_id": "another"})).await;
    assert_eq!((repeated.status.as_u16(), &repeated.json()["client_id"]), (202, &json!("mock")));
    consent(&mock);
    let connected = wait_for_state(&api, "connected").await;
    assert_eq!(connected["channel"], json!({"platform_id": TWITCH_CHANNEL, "name": "Ann"}));
    assert_eq!(connected["subscriptions"], json!({"enabled": ALL, "failed": []}));
    assert_eq!((&connected["gaps"], &connected["missing_scopes"]), (&json!([]), &json!([])));
    assert!(connected["connected_at"].is_string() && connected["last_message_at"].is_string());
    let name = follow(&mock, "once");
    follow(&mock, "once");
    let next = follow(&mock, "after");
    wait_for_follow(&api, &next).await;
    assert_eq!(wait_for_follow(&api, &name).await, 1);
    assert!(api.post(PATH, &json!({})).await.refused(409).is_empty());
    assert_eq!(api.post(PATH, &json!({})).await.json()["code"], "connection_exists");
}

#[tokio::test]
async fn invalid_logins_are_refused_with_their_fields() {
    let (mock, api) = service_with(|options| options.twitch.twitch_client_id = None).await;
    assert_eq!(api.post(PATH, &json!({})).await.refused(422), ["/client_id"]);
    assert_eq!(api.send(api.request(Method::POST, PATH)).await.refused(422), ["/client_id"]);
    for body in [json!({"client_id": ""}), json!({"client_id": 7}), json!({"client_id": "x".repeat(1_025)})] {
        assert_eq!(api.post(PATH, &body).await.refused(422), ["/client_id"], "{body}");
    }
    assert_eq!(api.post(PATH, &json!({"scope": "all"})).await.refused(422), ["/scope"]);
    let unknown = api.post(PATH, &json!({"client_id": UNKNOWN_CLIENT})).await;
    assert_eq!(unknown.refused(422), ["/client_id"]);
    assert_eq!(unknown.json()["errors"][0]["code"], "reference_not_found");
    let keyed = api.request(Method::POST, PATH).header("Idempotency-Key", "k").json(&json!({"client_id": "mock"}));
    api.send(keyed).await.refused(400);
    mock.command(&json!({"command": "id", "status": 500}));
    let away = api.post(PATH, &json!({"client_id": "mock"})).await;
    away.refused(503);
    assert!(away.json()["code"] == "platform_unavailable" && !away.header("retry-after").is_empty());
    mock.command(&json!({"command": "id", "status": null}));
    api.post(PATH, &json!({"client_id": "used"})).await;
    api.delete(PATH).await.ok();
    assert_eq!(api.get(PATH).await.ok()["client_id"], "used");
}

#[tokio::test]
async fn failed_logins_lead_back_with_an_error() {
    let (mock, api) = service().await;
    for answer in ["access_denied", "invalid device code"] {
        start_login(&api).await;
        mock.command(&json!({"command": "poll", "answer": answer}));
        let none = wait_for_state(&api, "none").await;
        assert!(none["error"].is_string() && none["user_code"].is_null(), "{none}");
    }
    mock.command(&json!({"command": "expires_in", "seconds": 1}));
    start_login(&api).await;
    assert!(wait_for_state(&api, "none").await["error"].as_str().expect("an error").contains("expired"));
}

#[tokio::test]
async fn another_account_is_refused_and_revoked() {
    let (mock, api) = service_with(|options| options.twitch.twitch_broadcaster_id = Some("42".to_owned())).await;
    start_login(&api).await;
    consent(&mock);
    let none = wait_for_state(&api, "none").await;
    assert!(none["error"].is_string());
    assert!(!mock.has_valid_token());
}

#[tokio::test]
async fn delete_works_in_every_state_and_forgets_the_login() {
    let folder = folder();
    let mock = Mock::start().await;
    let api = stack_in(&folder, |options| use_mock(options, &mock));
    assert_eq!(api.delete(PATH).await.ok()["state"], "none");
    start_login(&api).await;
    assert_eq!(api.delete(PATH).await.ok()["state"], "pending");
    connect(&mock, &api).await;
    let token = folder.join("twitch-token");
    assert_eq!(token.metadata().expect("a file").permissions().mode() & 0o777, 0o600);
    let before = api.delete(PATH).await.ok();
    assert_eq!((&before["state"], before["channel"]["name"].as_str()), (&json!("connected"), Some("Ann")));
    let after = api.get(PATH).await.ok();
    assert_eq!((&after["state"], &after["channel"]), (&json!("none"), &before["channel"]));
    assert!(!token.exists() && !mock.has_valid_token());
    // The time without a login does not count as a gap.
    assert_eq!(connect(&mock, &api).await["gaps"], json!([]));
}

#[tokio::test]
async fn each_close_code_is_survived_with_one_gap() {
    let (mock, api) = service().await;
    connect(&mock, &api).await;
    for (count, code) in (4000..4007).enumerate() {
        // Adjacent gaps would be merged.
        let name = follow(&mock, &format!("before {code}"));
        wait_for_follow(&api, &name).await;
        mock.command(&json!({"command": "close", "code": code}));
        let is_back = |connection: &Value| {
            connection["state"] == "connected" && connection["gaps"].as_array().is_some_and(|gaps| gaps.len() > count)
        };
        let connection = wait_for(&api, "connected again", is_back).await;
        assert_eq!(connection["gaps"].as_array().map(Vec::len), Some(count + 1), "{connection}");
        assert_eq!(connection["subscriptions"]["enabled"], ALL);
    }
    let name = follow(&mock, "after");
    assert_eq!(wait_for_follow(&api, &name).await, 1);
}

#[tokio::test]
async fn reconnect_message_moves_the_session_without_a_gap() {
    let (mock, api) = service().await;
    connect(&mock, &api).await;
    mock.command(&json!({"command": "reconnect"}));
    let deadline = Instant::now() + Duration::from_secs(30);
    while mock.calls("moved") == 0 || mock.sockets() != 1 {
        assert!(Instant::now() < deadline, "the session does not move");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let name = follow(&mock, "moved");
    assert_eq!(wait_for_follow(&api, &name).await, 1);
    let connection = api.get(PATH).await.ok();
    assert_eq!((&connection["state"], &connection["gaps"]), (&json!("connected"), &json!([])));
    assert_eq!(mock.calls("socket"), 1);
}

#[tokio::test]
async fn silent_socket_is_replaced() {
    let (mock, api) = service().await;
    mock.command(&json!({"command": "keepalive", "seconds": 1}));
    connect(&mock, &api).await;
    mock.command(&json!({"command": "silence"}));
    let gap = wait_for(&api, "a gap", |connection| connection["gaps"].as_array().is_some_and(|gaps| !gaps.is_empty()));
    gap.await;
    assert!(mock.calls("socket") > 1);
    wait_for_state(&api, "connected").await;
}

#[tokio::test]
async fn expired_token_is_refreshed_and_refused_one_asks_for_a_login() {
    let (mock, api) = service().await;
    connect(&mock, &api).await;
    mock.command(&json!({"command": "expire"}));
    mock.command(&json!({"command": "close", "code": 4000}));
    wait_for(&api, "a gap", |connection| connection["gaps"].as_array().is_some_and(|gaps| gaps.len() == 1)).await;
    assert_eq!(wait_for_state(&api, "connected").await["subscriptions"]["enabled"], ALL);
    assert_eq!(mock.calls("refresh_token"), 1);
    mock.command(&json!({"command": "forget"}));
    mock.command(&json!({"command": "revoke", "type": "channel.follow", "reason": "authorization_revoked"}));
    assert!(wait_for_state(&api, "reauthorize").await["error"].is_string());
    let connection = connect(&mock, &api).await;
    assert_eq!(connection["gaps"].as_array().map(Vec::len), Some(2), "the time without a token is a gap");
}

#[tokio::test]
async fn refused_subscription_is_listed_and_busy_one_is_tried_again() {
    let (mock, api) = service().await;
    mock.command(&json!({"command": "withhold", "scope": "bits:read"}));
    mock.command(&json!({"command": "refuse", "type": "channel.bits.use", "status": 403}));
    mock.command(&json!({"command": "refuse", "type": "channel.follow", "status": 429}));
    mock.command(&json!({"command": "refuse", "type": "channel.raid", "status": 409}));
    let connection = connect(&mock, &api).await;
    assert_eq!(connection["missing_scopes"], json!(["bits:read"]));
    mock.command(&json!({"command": "accept"}));
    let connection =
        wait_for(&api, "the follows", |connection| connection["subscriptions"]["enabled"] == ALL - 1).await;
    let failed = &connection["subscriptions"]["failed"];
    assert_eq!((failed[0]["type"].as_str(), failed.as_array().map(Vec::len)), (Some("channel.bits.use"), Some(1)));
    // The command fails even though it is connected.
    let status = async |arguments: &[&str]| {
        let arguments = ["event-capture", "status", "--url", api.base()].into_iter().chain(arguments.iter().copied());
        let mut output = Vec::new();
        let is_well = twitch::run(CommandLine::parse_from(arguments).options, &mut output).await.expect("a status");
        (is_well, String::from_utf8(output).expect("a text"))
    };
    let (is_well, text) = status(&[]).await;
    assert!(!is_well && text.contains("state          connected") && text.contains("failed       channel.bits.use"));
    let (is_well, json) = status(&["--json"]).await;
    let printed: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((is_well, &printed["subscriptions"]), (false, &connection["subscriptions"]));
    mock.command(&json!({"command": "revoke", "type": "channel.follow", "reason": "version_removed"}));
    let failed =
        |connection: &Value| connection["subscriptions"]["failed"].as_array().is_some_and(|failed| failed.len() == 2);
    assert_eq!(wait_for(&api, "the revocation", failed).await["subscriptions"]["enabled"], ALL - 2);
}

#[tokio::test]
async fn server_errors_are_no_refusal() {
    let (mock, api) = service().await;
    connect(&mock, &api).await;
    mock.command(&json!({"command": "expire"}));
    mock.command(&json!({"command": "id", "status": 503}));
    mock.command(&json!({"command": "revoke", "type": "channel.follow", "reason": "authorization_revoked"}));
    mock.command(&json!({"command": "close", "code": 4000}));
    wait_for_state(&api, "connecting").await;
    mock.command(&json!({"command": "id", "status": null}));
    wait_for_state(&api, "connected").await;
}

#[tokio::test]
async fn killed_service_connects_again_and_shows_the_gap() {
    let (folder, mock) = (folder(), Mock::start().await);
    let service = process(&folder, &mock);
    connect(&mock, &service.api).await;
    let before = follow(&mock, "before");
    wait_for_follow(&service.api, &before).await;
    service.kill();
    let service = process(&folder, &mock);
    let connection = wait_for_state(&service.api, "connected").await;
    assert_eq!(connection["gaps"].as_array().map(Vec::len), Some(1), "{connection}");
    assert_eq!(mock.calls("device"), 1);
    let after = follow(&mock, "after");
    assert_eq!(wait_for_follow(&service.api, &after).await, 1);
    assert_eq!(follows(&service.api, &before).await, 1);
    // Tokens are only in their file.
    for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
        if entry.path().is_file() && entry.file_name() != "twitch-token" {
            let content = std::fs::read(entry.path()).expect("a file");
            let content = String::from_utf8_lossy(&content);
            assert!(mock.secrets().iter().all(|secret| !content.contains(secret)), "{:?}", entry.path());
        }
    }
}

#[tokio::test]
async fn old_notification_is_stored_and_shared_chat_of_another_channel_is_not() {
    let (mock, api) = service().await;
    connect(&mock, &api).await;
    let message = |id: &str, source: Value| {
        json!({
            "broadcaster_user_id": TWITCH_CHANNEL, "broadcaster_user_login": "ann", "broadcaster_user_name": "Ann",
            "chatter_user_id": "77", "chatter_user_login": "bea", "chatter_user_name": "Bea", "message_id": id,
            "message": {"text": id, "fragments": []}, "message_type": "text", "cheer": null,
            "source_broadcaster_user_id": source,
        })
    };
    for (id, source) in [("foreign", json!("99")), ("native", Value::Null)] {
        let event = message(id, source);
        mock.command(&json!({"command": "notify", "id": id, "type": "channel.chat.message", "event": event, "time": "2024-05-01T12:00:00.123456789Z"}));
    }
    let deadline = Instant::now() + Duration::from_secs(30);
    let events = loop {
        let events = api.list("/events").await;
        if !events.is_empty() {
            break events;
        }
        assert!(Instant::now() < deadline, "nothing is stored");
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert_eq!(events.len(), 1);
    assert_eq!(
        (events[0]["message"].as_str(), events[0]["occurred_at"].as_str()),
        (Some("native"), Some("2024-05-01T12:00:00.123456789Z"))
    );
}

#[tokio::test]
async fn code_of_a_login_needs_the_scope_import() {
    let mock = Mock::start().await;
    let folder = folder();
    let api = stack_in(&folder, |options| {
        use_mock(options, &mock);
        options.require_token = true;
    });
    let token = |scope: &str| make(&folder, scope);
    let (read, write, import) = (token("read"), token("write"), token("import"));
    let send = |method: Method, token: &str| api.send(api.request(method, PATH).bearer_auth(token));
    api.get(PATH).await.refused(401);
    send(Method::POST, &write).await.refused(403);
    send(Method::DELETE, &write).await.refused(403);
    assert_eq!(send(Method::POST, &import).await.json()["user_code"], "ABCDEFGH");
    assert_eq!(send(Method::GET, &import).await.ok()["user_code"], "ABCDEFGH");
    for token in [&read, &write] {
        let connection = send(Method::GET, token).await.ok();
        assert_eq!(
            (&connection["state"], &connection["user_code"], &connection["verification_uri"]),
            (&json!("pending"), &Value::Null, &Value::Null)
        );
    }
}

/// Returns what a service's events describe, without their identifiers and times.
async fn facts(api: &Api) -> Vec<Value> {
    let mut events = api.list("/events").await;
    for event in &mut events {
        for member in ["event_id", "user_id", "created_at"] {
            event[member] = Value::Null;
        }
        for member in ["user_id", "created_at"] {
            event["user"][member] = Value::Null;
        }
    }
    events.sort_by_key(Value::to_string);
    events
}

#[tokio::test]
async fn each_sample_has_the_same_effect_by_webhook_and_by_socket() {
    let ((mock, socket), webhook) = (service().await, Api::start());
    connect(&mock, &socket).await;
    // The webhook learns about the same subscriptions from challenges.
    let settings = Settings { cheers: Cheers::Bits, chat: true };
    for mapping in MAPPINGS.iter().filter(|mapping| (mapping.is_enabled)(settings)) {
        send_subscription_message(&webhook, "webhook_callback_verification", mapping.name, "id").await;
    }
    let time = Timestamp::now().to_string();
    for sample in samples::twitch() {
        let id = samples::unique();
        Message::at(&sample, &id, &time).send(&webhook).await;
        mock.command(&json!({"command": "notify", "id": id, "body": sample, "time": time}));
    }
    let expected = facts(&webhook).await;
    assert!(expected.len() > 15);
    let deadline = Instant::now() + Duration::from_mins(1);
    loop {
        let stored = facts(&socket).await;
        if stored == expected {
            return;
        }
        assert!(Instant::now() < deadline, "{stored:#?} is not {expected:#?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn burst_of_messages_is_stored_whole() {
    let (mock, api) = service().await;
    connect(&mock, &api).await;
    let count: usize = amount("BURST", 300, 10_000);
    for number in 0..count {
        let event = json!({
            "broadcaster_user_id": TWITCH_CHANNEL, "broadcaster_user_login": "ann", "broadcaster_user_name": "Ann",
            "chatter_user_id": format!("{}", number % 50), "chatter_user_login": "bea", "chatter_user_name": "Bea",
            "message_id": format!("m{number}"), "message": {"text": "hello", "fragments": []}, "message_type": "text",
        });
        mock.command(
            &json!({"command": "notify", "id": format!("n{number}"), "type": "channel.chat.message", "event": event}),
        );
    }
    let deadline = Instant::now() + Duration::from_mins(5);
    while api.list("/events").await.len() < count {
        assert!(Instant::now() < deadline, "messages are missing");
        // Listing everything takes a while itself.
        tokio::time::sleep(
            Duration::from_millis(200) + Duration::from_micros(300) * count.try_into().expect("a number"),
        )
        .await;
    }
    let connection = api.get(PATH).await.ok();
    assert_eq!((&connection["state"], &connection["gaps"]), (&json!("connected"), &json!([])));
}

#[tokio::test]
async fn subscription_of_a_session_that_moves_is_tried_again() {
    let (mock, api) = service().await;
    // Twitch responds like this if the session has moved in the meantime.
    mock.command(&json!({"command": "refuse", "type": "channel.follow", "status": 400}));
    connect(&mock, &api).await;
    mock.command(&json!({"command": "accept"}));
    let is_complete = |connection: &Value| connection["subscriptions"]["enabled"] == ALL;
    let connection = wait_for(&api, "the follows", is_complete).await;
    assert_eq!(connection["subscriptions"]["failed"], json!([]));
}

#[tokio::test]
async fn forbidden_subscription_is_not_tried_again_after_a_restart() {
    let (folder, mock) = (folder(), Mock::start().await);
    mock.command(&json!({"command": "refuse", "type": "channel.bits.use", "status": 403}));
    let service = process(&folder, &mock);
    let is_settled = |connection: &Value| connection["subscriptions"]["enabled"] == ALL - 1;
    connect(&mock, &service.api).await;
    wait_for(&service.api, "the others", is_settled).await;
    service.kill();
    mock.command(&json!({"command": "accept"}));
    let service = process(&folder, &mock);
    let connection = wait_for(&service.api, "the others", is_settled).await;
    assert_eq!(connection["subscriptions"]["failed"][0]["type"], "channel.bits.use");
    service.api.delete(PATH).await.ok();
    connect(&mock, &service.api).await;
    wait_for(&service.api, "all", |connection| connection["subscriptions"]["enabled"] == ALL).await;
}

#[tokio::test]
async fn logins_at_the_same_time_get_one_code() {
    let (mock, api) = service().await;
    let (api, body) = (&api, &json!({}));
    let replies = futures_util::future::join_all((0..8).map(|_| api.post(PATH, body))).await;
    assert!(replies.iter().all(|reply| reply.status == 202));
    assert_eq!(mock.calls("device"), 1);
}

#[tokio::test]
async fn error_contains_nothing_that_was_sent_to_twitch() {
    let (mock, api) = service().await;
    mock.command(&json!({"command": "refuse", "type": "channel.bits.use", "status": 403}));
    mock.command(&json!({"command": "refuse", "type": "channel.raid", "status": 422}));
    let assert_secret = |connection: &Value| {
        let text = connection.to_string();
        assert!(mock.secrets().iter().all(|secret| !text.contains(secret.as_str())), "{text}");
    };
    connect(&mock, &api).await;
    let has_failed =
        |connection: &Value| connection["subscriptions"]["failed"].as_array().is_some_and(|all| all.len() > 1);
    assert_secret(&wait_for(&api, "the failures", has_failed).await);
    mock.command(&json!({"command": "forget"}));
    mock.command(&json!({"command": "revoke", "type": "channel.follow", "reason": "authorization_revoked"}));
    let refused = wait_for_state(&api, "reauthorize").await;
    assert!(refused["error"].as_str().expect("an error").contains("Log in again."), "{refused}");
    assert_secret(&refused);
}

#[tokio::test]
async fn deleted_state_of_the_connection_is_restored_from_the_login() {
    let (folder, mock) = (folder(), Mock::start().await);
    let service = process(&folder, &mock);
    connect(&mock, &service.api).await;
    service.kill();
    let state = folder.join("twitch-connection");
    std::fs::remove_file(&state).expect("a file");
    let service = process(&folder, &mock);
    let connection = wait_for_state(&service.api, "connected").await;
    assert_eq!(connection["channel"], json!({"platform_id": TWITCH_CHANNEL, "name": "Ann"}));
    let name = follow(&mock, "restored");
    assert_eq!(wait_for_follow(&service.api, &name).await, 1);
    // The error reports this until the state can be written.
    let blocked = folder.join("twitch-connection.new");
    std::fs::create_dir(&blocked).expect("a folder");
    follow(&mock, "unsaved");
    wait_for(&service.api, "an error", |connection| connection["error"].is_string()).await;
    std::fs::remove_dir(&blocked).expect("a folder");
    wait_for(&service.api, "no error", |connection| connection["error"].is_null()).await;
    assert!(state.is_file());
}

#[tokio::test]
async fn refreshed_token_is_stored_once_there_is_room() {
    let (folder, mock) = (folder(), Mock::start().await);
    let service = process(&folder, &mock);
    connect(&mock, &service.api).await;
    // As on a full disk, nothing can be written next to the token.
    let blocked = folder.join("twitch-token.new");
    std::fs::create_dir(&blocked).expect("a folder");
    mock.command(&json!({"command": "expire"}));
    mock.command(&json!({"command": "close", "code": 4000}));
    let has_error = |connection: &Value| connection["error"].as_str().is_some_and(|error| error.contains("disk"));
    wait_for(&service.api, "an error", has_error).await;
    // The token is used in the meantime.
    wait_for_state(&service.api, "connected").await;
    std::fs::remove_dir(&blocked).expect("a folder");
    wait_for(&service.api, "no error", |connection| connection["error"].is_null()).await;
    service.kill();
    let service = process(&folder, &mock);
    wait_for_state(&service.api, "connected").await;
    assert_eq!((mock.calls("refresh_token"), mock.calls("device")), (1, 1));
}

#[tokio::test]
async fn gift_is_stored_once_before_any_notice_was_seen() {
    let (mock, api) = service().await;
    connect(&mock, &api).await;
    wait_for(&api, "all", |connection| connection["subscriptions"]["enabled"] == ALL).await;
    let (mut gift, _) = sample("channel.subscription.gift");
    gift["event"]["total"] = json!(5);
    let community = notice("community_sub_gift", &json!({"id": "777", "total": 5, "sub_tier": "1000"}), "");
    for (id, body) in [("gift", gift), ("notice", community)] {
        mock.command(&json!({"command": "notify", "id": id, "body": body}));
    }
    let last = follow(&mock, "last");
    wait_for_follow(&api, &last).await;
    let gifts: Vec<_> = api.list("/events").await.into_iter().filter(|event| event["user_name"] != last).collect();
    assert_eq!(gifts.len(), 1, "{gifts:?}");
    assert_eq!(gifts[0]["source"], "twitch/channel.chat.notification/community_sub_gift");
}

#[tokio::test]
async fn kill_of_a_session_that_is_not_subscribed_leaves_a_gap() {
    let (folder, mock) = (folder(), Mock::start().await);
    // Twitch does not accept all subscriptions before the kill.
    mock.command(&json!({"command": "refuse", "type": "channel.raid", "status": 429}));
    let service = process(&folder, &mock);
    connect(&mock, &service.api).await;
    let before = follow(&mock, "before");
    wait_for_follow(&service.api, &before).await;
    let killed_at = Timestamp::now();
    service.kill();
    tokio::time::sleep(Duration::from_millis(50)).await;
    let service = process(&folder, &mock);
    let has_gap = |connection: &Value| connection["gaps"].as_array().is_some_and(|gaps| !gaps.is_empty());
    let connection = wait_for(&service.api, "a gap", has_gap).await;
    let gap = &connection["gaps"][0];
    let time = |member: &str| Timestamp::parse(gap[member].as_str().expect("a time")).expect("a time");
    assert!(time("from") <= killed_at && killed_at <= time("to"), "{gap}");
}

#[tokio::test]
async fn demo_writes_nothing_into_a_connected_service() {
    let (mock, api) = service().await;
    let demo = async || {
        let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_service-under-test"));
        command.args(["demo", "--events", "1", "--viewers", "1", "--url", api.base()]);
        command.output().await.expect("a process")
    };
    start_login(&api).await;
    assert!(!demo().await.status.success(), "a login is pending");
    consent(&mock);
    wait_for_state(&api, "connected").await;
    let refused = demo().await;
    assert!(!refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("Leave out --url"));
    api.delete(PATH).await.ok();
    assert!(!demo().await.status.success(), "the folder is that of a channel");
    assert!(api.list("/users").await.is_empty() && api.list("/rules").await.is_empty());
}

#[tokio::test]
async fn deployed_service_describes_its_webhook() {
    let (_api, store) = Api::start_with_store();
    let service = |variables: &'static [(&'static str, &'static str)]| {
        let variable = |name: &str| Some(variables.iter().find(|(variable, _)| *variable == name)?.1.to_owned());
        Service::from_variables(store.for_request(), variable).expect("a service")
    };
    let send = async |service: Service, method: &str| {
        let event = json!({
            "version": "2.0", "rawPath": PATH, "rawQueryString": "", "headers": {"x-forwarded-proto": "https"},
            "requestContext": {"stage": "$default", "domainName": "a.example", "authorizer": {"lambda": {"access": "import"}},
                "http": {"method": method, "path": PATH}},
        });
        let event: ApiGatewayV2httpRequest = serde_json::from_value(event).expect("an event");
        let response = handle(service, event.into()).await;
        let body: Value = serde_json::from_slice(response.body()).expect("JSON");
        (response.status().as_u16(), body)
    };
    let configured: &[_] = &[("TWITCH_SECRET", "0123456789"), ("TWITCH_BROADCASTER_ID", TWITCH_CHANNEL)];
    let (status, connection) = send(service(configured), "GET").await;
    assert_eq!((status, &connection["state"], &connection["transport"]), (200, &json!("connected"), &json!("webhook")));
    assert_eq!(connection["channel"], json!({"platform_id": TWITCH_CHANNEL, "name": null}));
    let members: Vec<_> = connection.as_object().expect("an object").keys().collect();
    assert_eq!(members, MEMBERS);
    let (_, connection) = send(service(&[]), "GET").await;
    assert_eq!((&connection["state"], &connection["channel"]), (&json!("none"), &Value::Null));
    for method in ["POST", "DELETE"] {
        assert_eq!(send(service(configured), method).await.0, 405, "{method}");
    }
}

/// Runs a `twitch` command of the binary. Returns true if it succeeded, and its output.
async fn command(api: &Api, arguments: &[&str]) -> (bool, String) {
    let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_service-under-test"));
    command.arg("twitch").args(arguments).args(["--url", api.base()]).env_remove("TWITCH_CLIENT_ID");
    let output = command.output().await.expect("a command");
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&text).into_owned())
}

#[tokio::test]
async fn commands_connect_show_and_disconnect() {
    let (mock, api) = service().await;
    assert!(!command(&api, &["status"]).await.0);
    mock.command(&json!({"command": "poll", "answer": "access_denied"}));
    let (is_connected, output) = command(&api, &["connect"]).await;
    assert!(!is_connected && output.contains("refused"), "{output}");
    consent(&mock);
    let (is_connected, output) = command(&api, &["connect", "--client-id", "mine"]).await;
    assert!(is_connected && output.contains("ABCDEFGH") && output.contains("█") && output.contains("Ann"), "{output}");
    let (is_connected, output) = command(&api, &["status"]).await;
    assert!(is_connected && output.contains("connected") && output.contains("29"), "{output}");
    assert!(command(&api, &["disconnect"]).await.0);
    assert_eq!(api.get(PATH).await.ok()["client_id"], "mock", "the option takes precedence over the last one");
}
