//! Tests of viewers' tokens: which requests they allow, and when they end.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use capture_core::lambda::routes::{PUBLIC, SERVICE};
use capture_core::resources;
use capture_core::schema::Timestamp;
use end_to_end::{Api, Reply, samples, stack_with_tokens};
use reqwest::Method;
use serde_json::{Value, json};

use super::tokens::make;

const METHODS: [Method; 6] = [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE];
/// The links of a user that a viewer may read.
const READABLE: [&str; 7] = ["specimen", "specimens", "inventory", "transactions", "purchases", "events", "statistics"];
const CREATABLE: [&str; 2] = ["purchases", "transfers"];

/// A service that requires tokens, with two users and a viewer token for the first.
struct Channel {
    api: Api,
    folder: tempfile::TempDir,
    import: String,
    viewer: String,
    user: u64,
    other: u64,
}

impl Channel {
    async fn open() -> Self {
        let (api, folder) = stack_with_tokens();
        let import = make(folder.path(), "import");
        let post =
            |path: &'static str, body: Value| api.send(with(api.request(Method::POST, path).json(&body), &import));
        let mut ids = Vec::new();
        for _ in 0..2 {
            ids.push(post("/users", samples::user()).await.created()["user_id"].as_u64().expect("an identifier"));
        }
        let created = post("/tokens", json!({"name": "viewer", "user_id": ids[0]})).await.created();
        let viewer = created["token"].as_str().expect("a token").to_owned();
        Self { api: api.clone(), folder, import, viewer, user: ids[0], other: ids[1] }
    }

    async fn send(&self, token: &str, method: Method, path: &str) -> Reply {
        let request = self.api.request(method.clone(), path);
        let has_body = [Method::POST, Method::PUT, Method::PATCH].contains(&method);
        let request = if has_body { request.json(&json!({})) } else { request };
        self.api.send(with(request, token)).await
    }

    /// Sends a request with the viewer's token.
    async fn ask(&self, method: Method, path: &str) -> Reply {
        self.send(&self.viewer, method, path).await
    }

    async fn create_token(&self, body: &Value) -> Reply {
        self.api.send(with(self.api.request(Method::POST, "/tokens").json(body), &self.import)).await
    }
}

fn with(request: reqwest::RequestBuilder, token: &str) -> reqwest::RequestBuilder {
    request.header("Authorization", format!("Bearer {token}"))
}

#[tokio::test]
async fn transfer_of_a_viewer_does_not_describe_the_receiver() {
    let channel = Channel::open().await;
    let paid = json!({"amount": 100, "description": "welcome"});
    let pay = channel.api.request(Method::POST, &format!("/users/{}/transactions", channel.user)).json(&paid);
    channel.api.send(with(pay, &channel.import)).await.created();
    let transfer = |token: &str| {
        let body = json!({"to_user_id": channel.other, "amount": 1, "description": "tip"});
        let request = channel.api.request(Method::POST, &format!("/users/{}/transfers", channel.user));
        let request = with(request.json(&body), token).header("Idempotency-Key", samples::unique());
        channel.api.send(request)
    };
    let of_viewer = transfer(&channel.viewer).await.created();
    assert!(of_viewer["from"]["user"].is_object() && of_viewer["to"].get("user").is_none(), "{of_viewer}");
    assert_eq!((&of_viewer["to"]["user_id"], &of_viewer["to"]["amount"]), (&json!(channel.other), &json!(1)));
    let of_owner = transfer(&channel.import).await.created();
    assert!(of_owner["to"]["user"].is_object(), "{of_owner}");
}

/// Returns true if the user's viewer token allows a request, according to the contract.
fn is_allowed(method: &Method, path: &str, user: u64) -> bool {
    let reads = [Method::GET, Method::HEAD].contains(method);
    let path = path.replace("%2F", "/");
    if path == "/products" {
        return reads;
    }
    let Some(below) = path.strip_prefix(&format!("/users/{user}")) else { return false };
    match below.strip_prefix('/') {
        None => below.is_empty() && reads,
        Some(link) if reads => READABLE.contains(&link),
        Some(link) => *method == Method::POST && CREATABLE.contains(&link),
    }
}

/// Lists every route with at most one link, routes without a resource, chains, and routes in other encodings. `{}`
/// stands for the identifier.
fn paths() -> Vec<String> {
    let mut paths: Vec<String> = ["/leaderboards/wallet", "/nothing", "/products", "/products/{}", "/purchases"]
        .into_iter()
        .chain(["/users/{}/purchases", "/users/{}/purchases/1", "/users/{}/transfers", "/users/{}/anonymize"])
        .chain(["/users/{}/specimen/owner", "/users/{}/specimen/owner/wallet", "/users/{}/events/{}/user"])
        .chain(["/events/{}/user/events", "/transactions/{}/user/transactions", "/specimens/{}/owner/inventory"])
        .chain(["/users/{}/", "/users//{}", "//users/{}", "/users/0{}", "/users/+{}", "/users/{}.0", "/users/%7B}"])
        .chain([
            "/users/%2531",
            "/users/{}%2Fevents",
            "/users%2F{}",
            "/Users/{}",
            "/users/{}/Events",
            "/users/{}/events/",
        ])
        .chain(["/users/{}/../users/{}", "/users/{}%00", "/users/{}/events%20", "/products/"])
        .map(str::to_owned)
        .collect();
    let of_service = SERVICE.iter().filter(|route| route.scopes != PUBLIC);
    paths.extend(of_service.map(|route| route.path.replace(['{', '}'], "")));
    for root in resources::ALL {
        paths.extend([format!("/{}", root.name), format!("/{}/{{}}", root.name)]);
        for link in resources::links(root) {
            paths
                .extend([format!("/{}/{{}}/{}", root.name, link.name), format!("/{}/{{}}/{}/1", root.name, link.name)]);
        }
    }
    paths
}

#[tokio::test(flavor = "multi_thread")]
async fn viewer_token_allows_exactly_the_listed_requests() {
    let channel = Channel::open().await;
    let mut allowed = 0;
    for path in paths() {
        for id in [channel.user, channel.other] {
            let path = path.replace("{}", &id.to_string());
            for method in METHODS {
                let reply = channel.ask(method.clone(), &path).await;
                // The tests' client removes segments such as `..`, so the service sees the shorter path.
                let is_public = path.starts_with("/openapi") && reply.status == 401;
                assert!(!is_public, "every route needs the token");
                if is_allowed(&method, &path, channel.user) || path.contains("..") {
                    allowed += 1;
                    assert_ne!(reply.status, 401, "{method} {path}");
                    assert!(path.contains("..") || reply.status != 403, "{method} {path}");
                } else {
                    assert_eq!(reply.status, 403, "{method} {path}");
                    assert!(reply.header("www-authenticate").contains("insufficient_scope"), "{method} {path}");
                }
            }
        }
    }
    assert!(allowed > 20, "{allowed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn viewer_token_reads_only_its_own_user_in_other_encodings() {
    let channel = Channel::open().await;
    let encoded = |id: u64| id.to_string().bytes().map(|digit| format!("%{digit:02x}")).collect::<Vec<_>>().concat();
    let (own, other) = (encoded(channel.user), encoded(channel.other));
    for path in ["/users/{}", "/user/{}/inventory", "/%75sers/{}/events", "/users/{}/statisti%63s"] {
        let reply = channel.ask(Method::GET, &path.replace("{}", &own)).await;
        assert_eq!(reply.status, 200, "{path}");
        channel.ask(Method::GET, &path.replace("{}", &other)).await.refused(403);
    }
    let twice = own.replace('%', "%25");
    channel.ask(Method::GET, &format!("/users/{twice}")).await.refused(403);
    // Values that the path binds override filters, and a list does not contain another user's records.
    let filtered = format!("/users/{}/transactions?user_id={}", channel.user, channel.other);
    assert_eq!(channel.ask(Method::GET, &filtered).await.ok(), json!([]));
    assert_eq!(channel.ask(Method::GET, &format!("/users/{}", channel.user)).await.ok()["user_id"], channel.user);
}

#[tokio::test(flavor = "multi_thread")]
async fn viewer_token_is_refused_by_the_socket() {
    let channel = Channel::open().await;
    let overlay = channel.create_token(&json!({"name": "OBS"})).await.created();
    for (token, status) in [(channel.viewer.as_str(), 401), (overlay["token"].as_str().expect("a token"), 101)] {
        let request = channel.api.request(Method::GET, "/socket");
        let request = request
            .header("Connection", "Upgrade")
            .header("Upgrade", "websocket")
            .header("Sec-WebSocket-Version", "13")
            .header("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA==")
            .header("Sec-WebSocket-Protocol", format!("cloudevents.json, bearer.{token}"));
        let reply = request.send().await.expect("an answer");
        assert_eq!(reply.status(), status);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn post_tokens_with_user_id_makes_a_token_of_30_days() {
    let channel = Channel::open().await;
    let created = channel.create_token(&json!({"name": "Ann", "user_id": channel.user, "expires_at": null})).await;
    let created = created.created();
    assert_eq!((&created["scope"], &created["user_id"]), (&json!("viewer"), &json!(channel.user)));
    let expires_at = Timestamp::parse(created["expires_at"].as_str().expect("a time")).expect("a time");
    let in_days = |days: i64| Timestamp::now().checked_add(time::Duration::days(days)).expect("a time");
    assert!(in_days(29) < expires_at && expires_at <= in_days(30), "{expires_at}");
    let given = json!({"name": "Ann", "user_id": channel.user, "expires_at": "2199-01-01T00:00:00Z"});
    assert_eq!(channel.create_token(&given).await.created()["expires_at"], "2199-01-01T00:00:00Z");
    let overlay = channel.create_token(&json!({"name": "OBS", "user_id": null})).await.created();
    assert_eq!(
        (&overlay["scope"], &overlay["user_id"], &overlay["expires_at"]),
        (&json!("overlay"), &Value::Null, &Value::Null)
    );

    let listed = channel.send(&channel.import, Method::GET, "/tokens").await.ok();
    let listed = listed.as_array().expect("a list");
    let of_user = listed.iter().filter(|token| token["user_id"] == channel.user);
    assert_eq!(of_user.map(|token| token["scope"].as_str()).collect::<Vec<_>>(), [Some("viewer"); 3]);
    assert!(listed.iter().all(|token| (token["scope"] == "viewer") != token["user_id"].is_null()), "{listed:?}");
    // A revoked token no longer works. Its viewer cannot revoke it.
    let path = format!("/tokens/{}", created["token_id"].as_str().expect("an identifier"));
    channel.ask(Method::DELETE, &path).await.refused(403);
    assert_eq!(channel.send(&channel.import, Method::DELETE, &path).await.ok()["user_id"], channel.user);
    let token = created["token"].as_str().expect("a token");
    channel.send(token, Method::GET, &format!("/users/{}", channel.user)).await.refused(401);
}

#[tokio::test(flavor = "multi_thread")]
async fn post_tokens_refuses_an_invalid_user_id() {
    let channel = Channel::open().await;
    let codes = |reply: &Reply| {
        let errors = reply.json()["errors"].clone();
        let errors = errors.as_array().expect("a list").iter();
        errors
            .map(|one| format!("{} {}", one["pointer"].as_str().unwrap_or(""), one["code"].as_str().unwrap_or("")))
            .collect::<Vec<_>>()
    };
    for (user_id, code) in [
        (json!(1), "reference_not_found"),
        (json!(0), "out_of_range"),
        (json!(-5), "out_of_range"),
        (json!(1.5), "wrong_type"),
        (json!("5"), "wrong_type"),
        (json!(9_007_199_254_740_992_u64), "out_of_range"),
    ] {
        let reply = channel.create_token(&json!({"name": "Ann", "user_id": user_id})).await;
        assert_eq!((reply.status.as_u16(), codes(&reply)), (422, vec![format!("/user_id {code}")]), "{user_id}");
    }
    let reply = channel.create_token(&json!({"user_id": 1, "scope": "write"})).await;
    let mut all = codes(&reply);
    all.sort();
    assert_eq!(all, ["/name required", "/scope unknown_field", "/user_id reference_not_found"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn viewer_token_ends_with_its_user() {
    let channel = Channel::open().await;
    let home = format!("/users/{}", channel.user);
    let unused = channel.create_token(&json!({"name": "unused", "user_id": channel.user})).await.created();
    let unused = unused["token"].as_str().expect("a token");
    let user = channel.ask(Method::GET, &home).await.ok();
    channel.send(&channel.import, Method::DELETE, &home).await.ok();
    channel.send(unused, Method::GET, &home).await.refused(401);
    channel.create_token(&json!({"name": "late", "user_id": channel.user})).await.refused(422);
    // A user who is stored again under the same identifier is not the token's user.
    let again = json!({"platform_id": user["platform_id"], "name": "another"});
    let import = with(channel.api.request(Method::PUT, &home).json(&again), &channel.import);
    assert_eq!(channel.api.send(import).await.status, 201);
    channel.send(unused, Method::GET, &home).await.refused(401);
    // The authorizer remembers a used token for less than a minute.
    let deadline = Instant::now() + Duration::from_secs(90);
    while channel.ask(Method::GET, &home).await.status != 401 {
        assert!(Instant::now() < deadline, "the token still works");
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    let renewed = channel.create_token(&json!({"name": "again", "user_id": channel.user})).await.created();
    assert_eq!(
        channel.send(renewed["token"].as_str().expect("a token"), Method::GET, &home).await.ok()["name"],
        "another"
    );
}

/// Runs `token create`. Returns its output, or its error output if it fails.
fn create(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_service-under-test"));
    command.args(["token", "create", "--name", "Ann"]).args(arguments).arg("--data-dir").arg(folder);
    let output = command.stdin(Stdio::null()).output().expect("a process");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("a text").trim().to_owned();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

#[tokio::test(flavor = "multi_thread")]
async fn token_create_makes_tokens_of_viewers() {
    let channel = Channel::open().await;
    let folder = channel.folder.path();
    let user = channel.user.to_string();
    let token = create(folder, &["--scope", "viewer", "--user-id", &user]).expect("a token");
    assert_eq!(channel.send(&token, Method::GET, &format!("/users/{user}")).await.status, 200);
    channel.send(&token, Method::GET, &format!("/users/{}", channel.other)).await.refused(403);
    let listed = channel.send(&channel.import, Method::GET, "/tokens").await.ok();
    let last = listed.as_array().and_then(|list| list.last().cloned()).expect("a token");
    assert!(last["user_id"] == channel.user && !last["expires_at"].is_null(), "{last}");
    for (arguments, problem) in [
        (["--scope", "viewer", "--user-id", "1"], "User 1 not found"),
        (["--scope", "viewer", "--user-id", "x"], "integer"),
        (["--scope", "write", "--user-id", &user], "--scope viewer"),
    ] {
        let error = create(folder, &arguments).expect_err("it is refused");
        assert!(error.contains(problem), "{error}");
    }
    assert!(create(folder, &["--scope", "viewer"]).expect_err("no user").contains("--user-id"));
}
