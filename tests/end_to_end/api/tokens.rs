//! Tests of access with required tokens.

use std::path::Path;
use std::process::{Command, Stdio};

use end_to_end::{Api, logs, samples, stack_in, stack_with_tokens};
use event_capture::Stack;
use event_capture::template::Template;
use futures_util::future::join_all;
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};

/// Runs a token command. Returns its output, or its error output if it fails.
fn tool(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_service-under-test"));
    let output = command.arg("token").args(arguments).arg("--data-dir").arg(folder).stdin(Stdio::null()).output();
    let output = output.expect("a process");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("a text");
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

pub(crate) fn make(folder: &Path, scope: &str) -> String {
    tool(folder, &["create", "--scope", scope, "--name", scope]).expect("a token").trim().to_owned()
}

fn with(request: RequestBuilder, token: &str) -> RequestBuilder {
    request.header("Authorization", format!("Bearer {token}"))
}

/// The public paths, which need no token. New routes need no change here.
const PUBLIC: [&str; 15] = [
    "/images/{proxy+}",
    "/webhooks/twitch",
    "/",
    "/health",
    "/errors",
    "/errors/{proxy+}",
    "/console",
    "/console/{proxy+}",
    "/overlay",
    "/overlay/{proxy+}",
    "/viewer",
    "/viewer/{proxy+}",
    "/docs",
    "/docs/{proxy+}",
    "/shared/{proxy+}",
];

#[tokio::test(flavor = "multi_thread")]
async fn routes_without_a_token_return_401_except_public_ones() {
    let (api, _folder) = stack_with_tokens();
    let template = Template::read().expect("a template");
    assert!(template.routes.len() > 15);
    for route in &template.routes {
        let path = route.path.replace("{proxy+}", "1").replace("$default", "/anything");
        let methods = if route.method == "ANY" { "GET HEAD POST PUT PATCH DELETE" } else { &route.method };
        for method in methods.split(' ') {
            let request = || api.request(method.parse().expect("a method"), &path);
            for request in [request(), with(request(), "unknown"), with(request(), &"A".repeat(43))] {
                let reply = api.send(request).await;
                if PUBLIC.contains(&route.path.as_str()) {
                    assert_ne!(reply.status, 401, "{method} {path}");
                    continue;
                }
                assert_eq!(reply.status, 401, "{method} {path}");
                assert!(reply.header("www-authenticate").starts_with("Bearer"), "{method} {path}");
                if method != "HEAD" {
                    reply.refused(401);
                }
            }
        }
    }
    assert_eq!(api.get("/health").await.ok()["status"], "ok");
}

#[test]
fn only_public_routes_have_no_authorizer() {
    let template = Template::read().expect("a template");
    let public: Vec<_> = template.routes.iter().filter(|route| route.public).map(|route| route.path.as_str()).collect();
    assert_eq!(public, PUBLIC);
}

#[tokio::test(flavor = "multi_thread")]
async fn token_is_limited_to_its_scope() {
    let (api, folder) = stack_with_tokens();
    let (read, write) = (make(folder.path(), "read"), make(folder.path(), "write"));
    let user = api.send(with(api.request(Method::POST, "/users").json(&samples::user()), &write)).await.created();
    let path = format!("/users/{}", user["user_id"]);
    for token in [&read, &write] {
        assert_eq!(api.send(with(api.request(Method::GET, &path), token)).await.ok()["name"], user["name"]);
        assert_eq!(api.send(with(api.request(Method::HEAD, &path), token)).await.status, 200);
    }
    for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
        let reply = api.send(with(api.request(method, &path).json(&json!({})), &read)).await;
        reply.refused(403);
        assert!(reply.header("www-authenticate").contains("insufficient_scope"));
    }
    let last = api.send(with(api.request(Method::DELETE, &path), &write)).await;
    last.ok();
    // The log contains the token's name and no part of its value.
    let lines = logs::of(last.header("request-id"));
    assert!(lines.iter().all(|line| line["caller"] == "write"));
    assert!(![&read, &write].iter().any(|token| logs::text().contains(token.as_str())));
    // The scheme is case-insensitive. The header contains exactly one token and nothing else.
    let sent = |value: String| api.send(api.request(Method::GET, "/users").header("Authorization", value));
    assert_eq!(sent(format!("bearer {read}")).await.status, 200);
    for wrong in [read.clone(), format!("Basic {read}"), format!("Bearer {read}x"), format!("Bearer {read},{read}")] {
        sent(wrong).await.refused(401);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn revoked_token_that_was_never_used_returns_401() {
    let (api, folder) = stack_with_tokens();
    let token = make(folder.path(), "write");
    let list = tool(folder.path(), &["list"]).expect("a list");
    assert!(!list.contains(&token) && list.contains("write"));
    let id = list.lines().nth(1).and_then(|line| line.split(' ').next()).expect("an identifier").to_owned();
    let json = tool(folder.path(), &["list", "--json"]).expect("a list");
    let listed: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let own = make(folder.path(), "read");
    let over_http = api.send(with(api.request(Method::GET, "/tokens"), &make(folder.path(), "write"))).await.ok();
    // The documents state whether the service requires tokens.
    for (path, pointer) in [("/openapi.json", "/security/0/token"), ("/asyncapi.json", "/servers/service/security/0")] {
        let document = api.send(with(api.request(Method::GET, path), &own)).await.ok();
        assert!(document.pointer(pointer).is_some(), "{path}");
        assert!(Api::shared().get(path).await.ok().pointer(pointer).is_none(), "{path}");
    }
    assert_eq!((&listed[0], listed[0]["token_id"].as_str()), (&over_http[0], Some(id.as_str())));
    assert!(!over_http.to_string().contains(&own));
    tool(folder.path(), &["revoke", &id]).expect("it is revoked");
    api.send(with(api.request(Method::GET, "/users"), &token)).await.refused(401);
    assert!(tool(folder.path(), &["revoke", &id]).expect_err("it is gone").contains(&id));
    assert!(tool(folder.path(), &["create", "--scope", "all", "--name", "x"]).is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_created_while_the_service_is_stopped_are_valid() {
    let folder = tempfile::tempdir().expect("a folder");
    let stack = Stack::start(&end_to_end::options(folder.path())).await.expect("the service starts");
    stack.stop().await.expect("it stops");
    let token = make(folder.path(), "read");
    let api = end_to_end::stack_in(folder.path(), |options| options.require_token = true);
    assert!(api.send(with(api.request(Method::GET, "/users"), &token)).await.ok().is_array());
}

#[tokio::test(flavor = "multi_thread")]
async fn cors_allows_only_configured_origins() {
    let folder = tempfile::tempdir().expect("a folder");
    let origin = "https://overlay.example";
    let api = end_to_end::stack_in(folder.path(), |options| {
        options.allow_origin = vec![origin.parse().expect("an origin")];
        options.require_token = true;
    });
    let preflight = |api: &Api, from: &str| {
        let request = api.request(Method::OPTIONS, "/events").header("Origin", from);
        request
            .header("Access-Control-Request-Method", "POST")
            .header("Access-Control-Request-Headers", "authorization,content-type")
    };
    let allowed = api.send(preflight(&api, origin)).await;
    assert!(allowed.status.is_success());
    assert_eq!(allowed.header("access-control-allow-origin"), origin);
    assert!(allowed.header("access-control-allow-methods").contains("PATCH"));
    assert!(allowed.header("access-control-allow-headers").contains("authorization"));
    let answered = api.send(api.request(Method::GET, "/events").header("Origin", origin)).await;
    answered.refused(401);
    assert!(answered.header("access-control-expose-headers").contains("link"));
    let other = api.send(preflight(&api, "https://other.example")).await;
    assert_eq!(other.header("access-control-allow-origin"), "");
    // Nobody needs a token to ask for the methods of a route.
    let plain = api.send(api.request(Method::OPTIONS, "/events").header("Origin", origin)).await;
    assert_eq!((plain.status.as_u16(), plain.header("allow")), (204, "GET, HEAD, POST"));
    assert!(!plain.header("request-id").is_empty());
    // By default, no origin is allowed. A preflight needs no token.
    let closed = Api::shared();
    let reply = closed.send(preflight(&closed, origin)).await;
    assert_eq!((reply.status.as_u16(), reply.header("access-control-allow-origin")), (204, ""));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_tokens_foreign_origins_and_hosts_are_rejected() {
    let api = Api::shared();
    let form = || reqwest::multipart::Form::new().text("seal", "666");
    let port = api.base().rsplit(':').next().expect("a port").to_owned();
    let (other_name, other_port) = (format!("http://other.localhost:{port}"), "http://localhost:1");
    for origin in ["https://evil.example", "null", "http://127.0.0.1.evil.example", other_port, &other_name] {
        let request = api.request(Method::POST, "/documents").multipart(form()).header("Origin", origin);
        api.send(request).await.refused(403);
        api.send(api.request(Method::GET, "/documents?seal=666").header("Origin", origin)).await.ok();
    }
    for own in ["127.0.0.1", "localhost", "[::1]"] {
        let origin = format!("http://{own}:{port}");
        api.send(api.request(Method::POST, "/documents").multipart(form()).header("Origin", origin)).await.refused(422);
    }
    // Some redirects remove a form's origin. `Sec-Fetch-Site` then decides.
    for (site, status) in [("cross-site", 403), ("same-site", 403), ("same-origin", 422)] {
        let request = api.request(Method::POST, "/documents").multipart(form()).header("Sec-Fetch-Site", site);
        api.send(request).await.refused(status);
    }
    for host in ["evil.example", "evil.example:3000"] {
        api.send(api.request(Method::GET, "/health").header("Host", host)).await.refused(403);
    }
    for host in
        ["x.127.0.0.1:3000", ".127.0.0.1", "a.b.1", "[::1].evil", "[::1].evil:3000", "[::1]evil", "u@localhost:1"]
    {
        api.send(api.request(Method::GET, "/health").header("Host", host)).await.refused(400);
    }
    for host in ["localhost:1", "127.0.0.1", "[::1]:80", "x.localhost", "x"] {
        api.send(api.request(Method::GET, "/health").header("Host", host)).await.ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn with_tokens_a_foreign_page_needs_one() {
    let (api, folder) = stack_with_tokens();
    let token = make(folder.path(), "write");
    let post = |path: &str| api.request(Method::POST, path).header("Origin", "https://evil.example").json(&json!({}));
    api.send(post("/users")).await.refused(401);
    api.send(with(post("/users"), &token)).await.refused(422);
    // Twitch is not a web page.
    assert_eq!(api.send(post("/webhooks/twitch")).await.json()["code"], "origin_not_allowed");
    assert_eq!(api.post("/webhooks/twitch", &json!({})).await.json()["code"], "signature_invalid");
}

#[tokio::test(flavor = "multi_thread")]
async fn token_expires_and_records_its_last_use() {
    let (api, folder) = stack_with_tokens();
    let made = |more: &[&str]| {
        let arguments = [&["create", "--scope", "read", "--name", "guest"], more].concat();
        tool(folder.path(), &arguments).expect("a token").trim().to_owned()
    };
    let (long, short) = (made(&["--expires", "90d"]), made(&["--expires", "10s"]));
    let status = async |token: &str| api.send(with(api.request(Method::GET, "/users"), token)).await.status;
    assert_eq!((status(&short).await, status(&long).await), (StatusCode::OK, StatusCode::OK));
    tokio::time::sleep(std::time::Duration::from_secs(11)).await;
    assert_eq!(status(&short).await, 401, "also where it was known");
    assert_eq!(status(&long).await, 200);
    let unused = made(&[]);
    drop(unused);
    let list = tool(folder.path(), &["list"]).expect("a list");
    let today = capture_core::schema::Timestamp::now().to_string()[..10].to_owned();
    let count = |text: &str| list.matches(text).count();
    assert_eq!(count("never"), 2, "one never expires, and was never used: {list}");
    assert_eq!(count(&today), 3 + 1 + 2, "made, ends today, used: {list}");
    assert!(tool(folder.path(), &["create", "--scope", "read", "--name", "x", "--expires", "soon"]).is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_over_the_rate_limit_of_a_token_return_429() {
    let folder = tempfile::tempdir().expect("a folder");
    let api = stack_in(folder.path(), |options| {
        options.require_token = true;
        options.token_requests_per_minute = 40;
    });
    let (greedy, modest) = (make(folder.path(), "read"), make(folder.path(), "write"));
    let send = |token: String| {
        let api = api.clone();
        async move { api.send(with(api.request(Method::GET, "/users?limit=1"), &token)).await }
    };
    // A new minute may start in the meantime, which allows another 40 requests.
    let replies = join_all((0..120).map(|_| send(greedy.clone()))).await;
    let refused: Vec<_> = replies.iter().filter(|reply| reply.status == 429).collect();
    assert!((40..=82).contains(&refused.len()), "{}", refused.len());
    for reply in &refused {
        reply.refused(429);
        let seconds: u32 = reply.header("retry-after").parse().expect("seconds");
        assert!((1..=60).contains(&seconds));
    }
    assert_eq!(send(modest).await.status, 200, "each has its own");
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_api_creates_lists_and_revokes_overlay_tokens() {
    let (api, folder) = stack_with_tokens();
    let (write, read) = (make(folder.path(), "write"), make(folder.path(), "read"));
    let ask = |method: Method, path: &str, body: Value| {
        let request = with(api.request(method, path), &write);
        api.send(if body.is_null() { request } else { request.json(&body) })
    };
    let made = ask(Method::POST, "/tokens", json!({"name": "OBS"})).await.created();
    assert_eq!((&made["scope"], &made["name"], &made["expires_at"]), (&json!("overlay"), &json!("OBS"), &Value::Null));
    let token = made["token"].as_str().expect("a token").to_owned();
    assert_eq!(api.send(with(api.request(Method::GET, "/feed"), &token)).await.status, 200);
    api.send(with(api.request(Method::GET, "/tokens"), &token)).await.refused(403);
    api.send(with(api.request(Method::GET, "/tokens"), &read)).await.refused(403);
    let listed = ask(Method::GET, "/tokens", Value::Null).await.ok();
    assert_eq!(listed.as_array().expect("a list").len(), 3);
    assert!(!listed.to_string().contains(&token), "it was shown once");
    let path = format!("/tokens/{}", made["token_id"].as_str().expect("a name"));
    assert_eq!(ask(Method::DELETE, &path, Value::Null).await.ok()["name"], "OBS");
    ask(Method::DELETE, &path, Value::Null).await.refused(404);
    assert_eq!(ask(Method::GET, "/tokens", Value::Null).await.ok().as_array().expect("a list").len(), 2);
    for (body, position) in [
        (json!({}), "/name"),
        (json!({"name": ""}), "/name"),
        (json!({"name": 5}), "/name"),
        (json!({"name": "x", "scope": "write"}), "/scope"),
        (json!({"name": "x", "expires_at": "2020-01-01T00:00:00Z"}), "/expires_at"),
        (json!([]), ""),
    ] {
        assert_eq!(ask(Method::POST, "/tokens", body).await.refused(422), [position]);
    }
    ask(Method::PATCH, &path, json!({})).await.refused(405);
    let keyed =
        with(api.request(Method::POST, "/tokens"), &write).header("Idempotency-Key", "k").json(&json!({"name": "x"}));
    api.send(keyed).await.refused(400);
}
