//! The command that looks after the subscriptions, against a stand-in for Twitch; and replays to the service.

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
use twitch::Arguments;

const CALLBACK: &str = "https://example.com/webhooks/twitch";

/// What the stand-in has, and how it behaves.
#[derive(Clone, Default)]
struct Twitch {
    subscriptions: Arc<Mutex<Vec<Value>>>,
    not_granted: &'static [&'static str],
    /// How many calls are told to come later.
    busy: Arc<Mutex<u32>>,
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

    /// What is to be answered before anything else.
    fn refusal(&self, headers: &HeaderMap) -> Option<Response> {
        let is = |name: &str, value: &str| headers.get(name).is_some_and(|given| given == value);
        if !is("authorization", "Bearer app-token") || !is("client-id", "id") {
            return Some(StatusCode::UNAUTHORIZED.into_response());
        }
        let mut busy = self.busy.lock().expect("a lock");
        if *busy > 0 {
            *busy -= 1;
            return Some((StatusCode::TOO_MANY_REQUESTS, [("ratelimit-reset", "0")]).into_response());
        }
        None
    }
}

async fn token(Json(form): Json<Value>) -> Response {
    if form["client_secret"] != "password" || form["grant_type"] != "client_credentials" {
        return (StatusCode::FORBIDDEN, Json(json!({"message": "invalid client secret"}))).into_response();
    }
    Json(json!({"access_token": "app-token", "expires_in": 5_000_000, "token_type": "bearer"})).into_response()
}

/// Two to a page, so that there are pages.
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
    let pagination = if start + 2 < all.len() { json!({"cursor": (start + 2).to_string()}) } else { json!({}) };
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
    assert_eq!(wanted["transport"]["secret"], TWITCH_SECRET);
    let mut all = twitch.subscriptions.lock().expect("a lock");
    if all.iter().any(|there| there["type"] == wanted["type"] && there["condition"] == wanted["condition"]) {
        return (StatusCode::CONFLICT, Json(json!({"message": "subscription already exists"}))).into_response();
    }
    wanted["id"] = json!(samples::unique());
    wanted["status"] = json!("enabled");
    wanted["transport"].as_object_mut().expect("a transport").remove("secret");
    if wanted["type"] == "channel.raid" {
        wanted["condition"]["from_broadcaster_user_id"] = json!("");
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

/// Runs the command. Answers whether all was well, and what it said.
async fn run(address: SocketAddr, arguments: &[&str]) -> Result<(bool, String), String> {
    let (api, token) = (format!("http://{address}/helix"), format!("http://{address}/token"));
    let asked = ["twitch"].iter().chain(arguments).copied();
    let options = ["--api", &api, "--token-url", &token, "--client-id", "id", "--client-secret", "password"];
    let arguments = Arguments::try_parse_from(asked.chain(options)).map_err(|error| error.to_string())?;
    let mut said = Vec::new();
    let well = twitch::run(arguments, &mut said).await.map_err(|error| error.to_string())?;
    Ok((well, String::from_utf8(said).expect("a text")))
}

const SUBSCRIBE: &[&str] =
    &["subscribe", "--callback", CALLBACK, "--secret", TWITCH_SECRET, "--broadcaster", TWITCH_CHANNEL];
const CHECK: &[&str] = &["check", "--callback", CALLBACK, "--broadcaster", TWITCH_CHANNEL];

#[tokio::test]
async fn every_subscription_that_the_mapping_needs_is_made_once() {
    let twitch = Twitch::default();
    let address = twitch.start().await;
    let (well, said) = run(address, SUBSCRIBE).await.expect("it subscribes");
    assert!(well, "{said}");
    let names = twitch.names();
    assert_eq!(names.len(), 9, "{names:?}");
    assert!(!names.contains(&"channel.bits.use".to_owned()), "cheers come in one way");
    let again = run(address, SUBSCRIBE).await.expect("it subscribes");
    assert!(again.0 && again.1.lines().all(|line| line.ends_with("there")), "{}", again.1);
    assert_eq!(twitch.names(), names);
    let (well, said) = run(address, CHECK).await.expect("it checks");
    assert!(well && said.lines().all(|line| line.ends_with("enabled")), "{said}");
    assert_eq!(run(address, &["list"]).await.expect("a list").1.lines().count(), 9);
}

#[tokio::test]
async fn missing_scopes_are_named_and_the_others_are_made() {
    let twitch = Twitch { not_granted: &["channel.follow"], ..Twitch::default() };
    let address = twitch.start().await;
    let (well, said) = run(address, SUBSCRIBE).await.expect("it subscribes");
    assert!(!well);
    assert!(said.contains("moderator:read:followers"), "{said}");
    assert_eq!(twitch.names().len(), 8);
    let (well, said) = run(address, CHECK).await.expect("it checks");
    assert!(!well && said.lines().any(|line| line.starts_with("channel.follow") && line.contains("missing")), "{said}");
}

#[tokio::test]
async fn what_was_revoked_is_told_and_made_anew() {
    let twitch = Twitch::default();
    let address = twitch.start().await;
    run(address, SUBSCRIBE).await.expect("it subscribes");
    twitch.set_status("channel.cheer", "notification_failures_exceeded");
    twitch.set_status("channel.raid", "webhook_callback_verification_pending");
    let (well, said) = run(address, CHECK).await.expect("it checks");
    assert!(!well && said.contains("notification_failures_exceeded") && said.contains("pending"), "{said}");
    let (well, said) = run(address, SUBSCRIBE).await.expect("it subscribes");
    assert!(well && said.lines().any(|line| line.starts_with("channel.cheer") && line.ends_with("made")), "{said}");
    assert_eq!(twitch.names().len(), 9);
    let extra = run(address, &["check", "--callback", "https://other.example", "--broadcaster", "1"]).await;
    assert!(extra.expect("it checks").1.contains("not wanted"));
}

#[tokio::test]
async fn a_busy_twitch_is_asked_again_and_a_wrong_password_is_told() {
    let twitch = Twitch { busy: Arc::new(Mutex::new(3)), ..Twitch::default() };
    let address = twitch.start().await;
    assert!(run(address, SUBSCRIBE).await.expect("it subscribes").0);
    let (api, token) = (format!("http://{address}/helix"), format!("http://{address}/token"));
    let arguments =
        ["twitch", "list", "--api", &api, "--token-url", &token, "--client-id", "id", "--client-secret", "no"];
    let refused = twitch::run(Arguments::parse_from(arguments), &mut Vec::new()).await.expect_err("a wrong password");
    assert!(refused.to_string().contains("TWITCH_CLIENT_SECRET"), "{refused}");
}

#[tokio::test]
async fn subscriptions_are_deleted_one_by_one_or_all() {
    let twitch = Twitch::default();
    let address = twitch.start().await;
    run(address, SUBSCRIBE).await.expect("it subscribes");
    let id = twitch.subscriptions.lock().expect("a lock")[0]["id"].as_str().expect("an id").to_owned();
    assert!(run(address, &["delete", &id]).await.expect("it deletes").0);
    assert!(!run(address, &["delete", &id]).await.expect("it deletes").0, "it was there no more");
    assert!(run(address, &["delete"]).await.is_err(), "all is said explicitly");
    assert!(run(address, &["delete", "--all"]).await.expect("it deletes").0);
    assert!(twitch.names().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recording_is_replayed_once() {
    let api = Api::own();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("recording.jsonl");
    let mut lines: Vec<_> = samples::twitch().iter().map(Value::to_string).collect();
    let headers = json!({"twitch-eventsub-message-id": "recorded", "Twitch-Eventsub-Message-Type": "notification"});
    lines.push(json!({"headers": headers, "body": samples::twitch()[0]}).to_string());
    std::fs::write(&file, lines.join("\n") + "\n\n").expect("a file");
    let (file, to) = (file.to_str().expect("a path"), format!("{}/webhooks/twitch", api.base()));
    for _ in 0..2 {
        let arguments = ["twitch", "replay", file, "--to", &to, "--secret", TWITCH_SECRET];
        let mut said = Vec::new();
        assert!(twitch::run(Arguments::parse_from(arguments), &mut said).await.expect("it replays"));
        assert_eq!(String::from_utf8_lossy(&said), "11 taken, 0 refused\n");
        // All but the bits, which come as a cheer, and the user's new name.
        assert_eq!(api.list("/events").await.len(), 9);
    }
    let arguments = ["twitch", "replay", file, "--to", &to, "--secret", "another-secret"];
    let mut said = Vec::new();
    assert!(!twitch::run(Arguments::parse_from(arguments), &mut said).await.expect("it replays"));
    assert!(String::from_utf8_lossy(&said).contains("line 1: 403"));
}
