//! The instruction counts of warm requests. Unlike times, they do not depend on the machine's load.
//!
//! valgrind runs the binary that Lambda runs, under the emulated Runtime API. It does not support SHA-256 instructions,
//! so the counts are higher than on a processor that does. To print the counts, and keep callgrind's profiles in `DIR`:
//!
//! ```sh
//! FUNCTIONS=$PWD/target/lambda PROFILES=DIR cargo test --test end_to_end -- --ignored instructions --nocapture
//! ```

use std::collections::BTreeMap;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use end_to_end::{options, samples};
use event_capture::runtime::Environment;
use event_capture::{Options, Stack};
use serde_json::{Value, json};
use tokio::process::Command;

/// The numbers of requests in two runs. The difference between the runs excludes the function's start.
const RUNS: [u32; 2] = [10, 40];
/// How far a count may exceed the committed one. Times and random identifiers change it by less than 1 %.
const TOLERANCE: f64 = 1.03;
/// The deadline of a request.
const DEADLINE: Duration = Duration::from_secs(10);

/// Returns a request's gateway event.
fn event(method: &str, path: &str, query: &str, body: &Value) -> String {
    json!({
        "version": "2.0",
        "routeKey": "ANY /events/{proxy+}",
        "rawPath": path,
        "rawQueryString": query,
        "headers": {"host": "example.execute-api.us-east-1.amazonaws.com", "content-type": "application/json"},
        "requestContext": {
            "accountId": "000000000000", "apiId": "local", "domainName": "localhost", "domainPrefix": "local",
            "http": {"method": method, "path": path, "protocol": "HTTP/1.1", "sourceIp": "127.0.0.1", "userAgent": ""},
            "requestId": "counted", "routeKey": "ANY /events/{proxy+}", "stage": "$default", "timeEpoch": 0,
            "authorizer": {"lambda": {"access": "write"}},
        },
        "body": if body.is_null() { Value::Null } else { body.to_string().into() },
        "isBase64Encoded": false,
    })
    .to_string()
}

/// Sends events to a function under valgrind and returns its instruction count from start to end.
async fn count(script: &Path, variables: &[(String, String)], events: &[String], profile: &Path) -> u64 {
    let api = PathBuf::from(std::env::var("FUNCTIONS").expect("FUNCTIONS")).join("api").join("bootstrap");
    let profiler = format!("valgrind -q --tool=callgrind --callgrind-out-file={}", profile.display());
    std::fs::write(script, format!("#!/bin/sh\nexec {profiler} {}\n", api.display())).expect("a script");
    std::fs::set_permissions(script, Permissions::from_mode(0o700)).expect("permissions");
    let mut function = Environment::start(script, variables).await.expect("a function");
    for event in events {
        let answer = function.invoke(event.clone(), DEADLINE).await.expect("an answer");
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        assert!(matches!(answer["statusCode"].as_u64(), Some(200 | 201)), "{answer}");
    }
    // valgrind writes the profile when the process ends.
    let pid = function.pid().expect("a process").to_string();
    Command::new("kill").arg(pid).status().await.expect("kill");
    for _ in 0..1_500 {
        let text = std::fs::read_to_string(profile).unwrap_or_default();
        if let Some(total) = text.lines().find_map(|line| line.strip_prefix("totals: ")) {
            return total.trim().parse().expect("a number");
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("valgrind has written no profile after half a minute");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs valgrind and the built functions; .ci/binaries runs it"]
async fn instructions_of_requests_are_at_most_the_committed_ones() {
    let data = tempfile::tempdir().expect("a folder");
    let options = Options { lambda: None, ..options(&data.path().join("data")) };
    let stack = Stack::start(&options).await.expect("a service");
    let client = reqwest::Client::new();
    let post = async |path: &str, body: Value| -> Value {
        let reply = client.post(format!("http://{}{path}", stack.address)).json(&body).send().await.expect("a reply");
        reply.json().await.expect("JSON")
    };
    let users = [post("/users", samples::user()).await, post("/users", samples::user()).await];
    let [user, other] = users.map(|user| user["user_id"].clone());
    let new_event = json!({"user_id": user, "user_name": "Ann", "event_type": "plain", "message": "hello",
        "occurred_at": "2026-01-01T00:00:00Z"});
    for _ in 0..60 {
        post("/events", new_event.clone()).await;
    }
    let path = format!("/events/{}", post("/events", new_event.clone()).await["event_id"]);
    let paid = json!({"user_id": user, "amount": 1, "description": "x"});
    let of_two = format!("limit=50&user_id={user},{other}");
    let requests = [
        ("GET a user", "users", "GET", format!("/users/{user}"), "", Value::Null),
        ("GET an event", "events", "GET", path.clone(), "", Value::Null),
        ("GET a page of 50 events", "events", "GET", "/events".to_owned(), "limit=50", Value::Null),
        ("GET a page of 50 events of two users", "events", "GET", "/events".to_owned(), &of_two, Value::Null),
        ("POST an event", "events", "POST", "/events".to_owned(), "", new_event),
        ("PATCH an event", "events", "PATCH", path, "", json!({"message": "hello"})),
        ("POST a transaction", "transactions", "POST", "/transactions".to_owned(), "", paid),
    ];
    let profiles = std::env::var("PROFILES").map_or_else(|_| data.path().to_owned(), PathBuf::from);
    let (mut counted, mut exceeded) = (BTreeMap::new(), Vec::new());
    let committed: BTreeMap<String, f64> =
        serde_json::from_str(include_str!("instructions.json")).expect("committed counts");
    for (name, group, method, path, query, body) in requests {
        let mut variables = stack.environment(&options, group);
        variables.push(("GROUP".to_owned(), group.to_owned()));
        let mut totals = Vec::new();
        for requests in RUNS {
            // A PATCH that changes nothing writes nothing.
            let body = |number| match method {
                "PATCH" => json!({"message": format!("message {number:02}")}),
                _ => body.clone(),
            };
            let events: Vec<_> = (0..requests).map(|number| event(method, &path, query, &body(number))).collect();
            let profile = profiles.join(format!("{}.{requests}", name.replace(' ', "-")));
            totals.push(count(&data.path().join("counted"), &variables, &events, &profile).await);
        }
        #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
        let each = ((totals[1] - totals[0]) as f64 / f64::from(RUNS[1] - RUNS[0]) / 1_000.0).round();
        if committed.get(name).is_none_or(|committed| each > committed * TOLERANCE) {
            exceeded.push(name);
        }
        counted.insert(name, each);
    }
    println!("{}", serde_json::to_string_pretty(&counted).expect("JSON"));
    assert!(exceeded.is_empty(), "more instructions than committed: {exceeded:?}; in thousands: {counted:?}");
    stack.stop().await.expect("stopped");
}
