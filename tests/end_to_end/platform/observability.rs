//! Tests of a request's observable data: its identifier, log line and metrics. No other data may be logged.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use end_to_end::faults::Faults;
use end_to_end::{Api, logs, samples};
use serde_json::{Value, json};

use crate::platform::price::LINE_BYTES;

/// Returns the log line of an answered request.
fn answered(lines: &[Value]) -> &Value {
    lines.iter().find(|line| line["message"] == "answered").expect("an answered request")
}

fn check(line: &Value) {
    assert_eq!((&line["route"], &line["endpoint"]), (&json!("/users/{user_id}"), &json!("/users/{user_id}")));
    assert_eq!((&line["method"], &line["status"], &line["level"]), (&json!("GET"), &json!(200), &json!("INFO")));
    assert_eq!(
        (&line["round_trips"], &line["read_units"], &line["write_units"]),
        (&json!(1), &json!(2.0), &json!(0.0))
    );
    assert!(line["duration"].as_f64().is_some_and(|millis| millis > 0.0), "{line}");
    let directive = &line["_aws"]["CloudWatchMetrics"][0];
    assert_eq!(directive["Dimensions"], json!([["stack", "endpoint"]]));
    for dimension in ["stack", "endpoint"] {
        assert!(line[dimension].is_string(), "{dimension} of {line}");
    }
    let metrics: Vec<_> =
        directive["Metrics"].as_array().expect("metrics").iter().map(|metric| metric["Name"].clone()).collect();
    assert_eq!(metrics, ["requests", "errors", "duration", "read_units", "write_units"]);
    assert!(metrics.iter().all(|metric| line[metric.as_str().expect("a name")].is_number()), "{line}");
}

#[tokio::test(flavor = "multi_thread")]
async fn request_logs_one_line_with_route_status_and_cost() {
    let api = Api::in_this_process(Faults::default());
    let user = api.user().await;
    let reply = api.get(&format!("/users/{}", user["user_id"])).await;
    let mut line = answered(&logs::of(reply.header("request-id"))).clone();
    check(&line);
    // Without metrics, which are optional, and with the fields that Lambda adds.
    for extra in ["_aws", "stack"] {
        line.as_object_mut().expect("a line").remove(extra);
    }
    line["lambda_request_id"] = json!("8f507cfc-0000-4697-b07a-ac58fc914c95");
    line["caller"] = json!("overlay-of-my-stream");
    #[expect(clippy::cast_precision_loss, reason = "a short line")]
    let bytes = line.to_string().len() as f64;
    assert!((LINE_BYTES - 120.0..=LINE_BYTES).contains(&bytes), "{bytes}: count the cost per month again");
    let chain = api.get(&format!("/users/{}/events?user_name=secret-name&limit=1", user["user_id"])).await;
    assert_eq!(answered(&logs::of(chain.header("request-id")))["route"], "/users/{user_id}/events");
    let event = api.event(&user).await;
    let chain = api.get(&format!("/events/{}/user/events", event["event_id"])).await;
    let line = logs::of(chain.header("request-id"));
    assert_eq!(answered(&line)["route"], "/events/{event_id}/user/events");
    assert_eq!(answered(&line)["endpoint"], "chain");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_response_and_problem_has_a_request_id() {
    let api = Api::shared();
    assert!(!api.get("/health").await.header("request-id").is_empty());
    let too_long = format!("/users?name={}", "x".repeat(61_000));
    for (path, status) in [("/nothing", 404), ("/users/0", 400), ("/users/1", 404), (&too_long, 414)] {
        let reply = api.get(path).await;
        assert_eq!(reply.status, status, "{path:.20}");
        assert!(!reply.header("request-id").is_empty());
        assert_eq!(reply.json()["request_id"], reply.header("request-id"), "{status}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_queries_tokens_and_images_are_not_logged() {
    let api = Api::in_this_process(Faults::default());
    let secret = "what-nobody-may-read";
    let event = samples::event(&json!({"message": secret, "document": samples::document()}));
    let user = api.user().await;
    let event = api.post(&format!("/users/{}/events", user["user_id"]), &event).await.created();
    let image = event["document"]["document_data"].as_str().expect("a URL");
    api.get(&format!("/users?name={secret}")).await.ok();
    api.post("/events", &json!({"message": secret, secret: 1})).await.refused(422);
    api.get(image).await;
    let request = api.request(reqwest::Method::GET, "/users").header("Authorization", format!("Bearer {secret}"));
    let last = api.send(request).await;
    assert_eq!(logs::of(last.header("request-id")).len(), 1, "the log is kept");
    let log = logs::text();
    for hidden in [secret, "signature=", "Bearer"] {
        assert!(!log.contains(hidden), "{hidden} is in the log");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn failed_store_call_is_logged_without_its_data() {
    let api = Api::in_this_process(Faults { throttled: 1, ..Faults::default() });
    let secret = "carried-by-a-call-that-fails";
    let reply = api.post("/users", &json!({"platform_id": secret, "name": secret})).await;
    reply.refused(503);
    let lines = logs::of(reply.header("request-id"));
    let failed =
        lines.iter().find(|line| line["message"] == "a call to a store failed").expect("a line of the failure");
    assert_eq!((&failed["level"], &failed["code"]), (&json!("ERROR"), &json!("ThrottlingException")));
    assert_eq!(answered(&lines)["status"], 503);
    assert_eq!(answered(&lines)["errors"], 1);
    assert!(!logs::text().contains(secret));
}

#[tokio::test(flavor = "multi_thread")]
async fn deployed_binaries_log_the_same_lines() {
    let Some(functions) = std::env::var_os("FUNCTIONS") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_service-under-test"));
    command.args(["--port", "0", "--data-dir"]).arg(folder.path()).arg("--lambda").arg(functions);
    let mut service = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a process");
    let mut address = String::new();
    BufReader::new(service.stdout.take().expect("its output")).read_line(&mut address).expect("a line");
    let api = Api::at(address.trim().strip_prefix("listening on ").expect("an address"));
    let user = api.user().await;
    let reply = api.get(&format!("/users/{}", user["user_id"])).await;
    service.kill().expect("it runs");
    let lines = BufReader::new(service.stderr.take().expect("its log")).lines().map_while(Result::ok);
    let lines: Vec<Value> = lines.filter_map(|line| serde_json::from_str(&line).ok()).collect();
    service.wait().expect("it ends");
    let lines: Vec<_> = lines.into_iter().filter(|line| line["request_id"] == reply.header("request-id")).collect();
    check(answered(&lines));
    assert!(answered(&lines)["lambda_request_id"].is_string());
}
