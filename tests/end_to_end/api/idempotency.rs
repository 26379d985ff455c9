//! Tests of `Idempotency-Key`: a repeated request takes effect once and returns the first response.

use std::path::Path;
use std::process::{Command, Stdio};

use capture_core::schema::Input;
use end_to_end::faults::Faults;
use end_to_end::{Api, Reply, samples, stack_with_tokens};
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

async fn send(api: &Api, method: Method, path: &str, key: &str, body: &Value) -> Reply {
    api.send(api.request(method, path).header("Idempotency-Key", key).json(body)).await
}

async fn post(api: &Api, path: &str, key: &str, body: &Value) -> Reply {
    send(api, Method::POST, path, key, body).await
}

fn is_replayed(reply: &Reply) -> bool {
    reply.header("idempotent-replayed") == "true"
}

fn same(one: &Reply, other: &Reply) {
    assert_eq!((one.status, &one.bytes), (other.status, &other.bytes));
    for header in ["location", "etag", "content-type"] {
        assert_eq!(one.header(header), other.header(header), "{header}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn repeated_request_with_its_key_returns_the_first_response() {
    let api = Api::shared();
    let user = api.user().await;
    let home = format!("/users/{}", user["user_id"]);
    let document = api.document().await;
    let event = api.event(&user).await;
    let stamps = format!("/documents/{}/stamps", document["document_id"]);
    let stamp = samples::stamp(&document);
    let owned = |body: Value| samples::merged(body, &json!({"owner_id": user["user_id"]}));
    let other = api.user().await;
    for (method, path, body) in [
        (Method::POST, "/users".to_owned(), samples::user()),
        (Method::POST, "/events".to_owned(), samples::event(&json!({"user_id": user["user_id"]}))),
        (Method::POST, "/events".to_owned(), samples::event(&json!({"user": samples::user()}))),
        (Method::POST, "/documents".to_owned(), samples::document()),
        (Method::POST, format!("/events/{}/document", event["event_id"]), samples::document()),
        (Method::POST, "/stamps".to_owned(), stamp.clone()),
        (Method::PUT, "/stamps".to_owned(), json!([stamp, stamp])),
        (Method::PUT, stamps, json!([])),
        (Method::POST, "/specimens".to_owned(), owned(json!({}))),
        (Method::POST, format!("/users/{}/specimen", other["user_id"]), json!({})),
        (Method::POST, "/inventory".to_owned(), owned(json!({"name": "hat"}))),
        (Method::POST, format!("{home}/transactions"), json!({"amount": 5, "description": "x"})),
    ] {
        let key = samples::unique();
        let first = send(&api, method.clone(), &path, &key, &body).await;
        assert_eq!(first.status, 201, "{path}: {}", String::from_utf8_lossy(&first.bytes));
        assert!(!is_replayed(&first));
        let again = send(&api, method.clone(), &path, &format!("\"{key}\""), &body).await;
        assert!(is_replayed(&again), "{method} {path}");
        same(&first, &again);
    }
    assert_eq!(api.get(&format!("{home}/wallet")).await.ok()["wallet"], 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_resource_supports_idempotency_keys() {
    let api = Api::shared();
    for resource in capture_core::resources::ALL {
        let mut body = samples::minimal(resource);
        let parent = resource.belongs_to.as_ref().filter(|relation| {
            resource.field(relation.foreign_key.name).is_some_and(|field| matches!(field.input, Input::Required))
        });
        if let Some(relation) = parent {
            let path = format!("/{}", relation.parent.name);
            let parent = api.post(&path, &Value::Object(samples::minimal(relation.parent))).await.created();
            body.insert(relation.foreign_key.name.to_owned(), parent[relation.parent.id.name].clone());
        }
        for reference in resource.references {
            let path = format!("/{}", reference.target.name);
            let referred = api.post(&path, &Value::Object(samples::minimal(reference.target))).await.created();
            body.insert(reference.foreign_key.name.to_owned(), referred[reference.target.id.name].clone());
        }
        let body = Value::Object(body);
        let key = samples::unique();
        let path = format!("/{}", resource.name);
        let first = post(&api, &path, &key, &body).await;
        assert_eq!(first.status, 201, "{path}: {}", String::from_utf8_lossy(&first.bytes));
        same(&first, &post(&api, &path, &key, &body).await);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn replayed_response_ignores_later_changes_of_the_record() {
    let api = Api::shared();
    let (key, body) = (samples::unique(), samples::user());
    let first = post(&api, "/users", &key, &body).await;
    let path = first.location();
    api.patch(&path, &json!({"name": "Bea"})).await.ok();
    same(&first, &post(&api, "/users", &key, &body).await);
    // The same applies if the parent is gone.
    let (paid, inner) = (format!("{path}/transactions"), samples::unique());
    let body = json!({"amount": 5, "description": "x"});
    let payment = post(&api, &paid, &inner, &body).await;
    api.delete(&path).await.ok();
    same(&payment, &post(&api, &paid, &inner, &body).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn test_alert_is_replayed_after_its_user_is_deleted() {
    let (api, key) = (Api::shared(), samples::unique());
    let user = api.user().await;
    let test = json!({"test": samples::event(&json!({"user_id": user["user_id"]}))});
    let first = post(&api, "/alerts", &key, &test).await;
    assert_eq!(first.status, 202);
    api.delete(&format!("/users/{}", user["user_id"])).await.ok();
    let again = post(&api, "/alerts", &key, &test).await;
    assert!(is_replayed(&again), "{}", String::from_utf8_lossy(&again.bytes));
    assert_eq!(first.json(), again.json());
}

#[tokio::test(flavor = "multi_thread")]
async fn reused_key_returns_422_and_errors_are_not_stored() {
    let api = Api::shared();
    let (key, body) = (samples::unique(), samples::user());
    // A failed request stores nothing under its key.
    post(&api, "/users", &key, &json!({"name": ""})).await.refused(422);
    post(&api, "/users", &key, &body).await.created();
    let other = samples::user();
    for (method, path, body) in [
        (Method::POST, "/users", &other),
        (Method::POST, "/users", &samples::merged(body.clone(), &json!({"name": "Bea"}))),
        (Method::POST, "/documents", &samples::document()),
        (Method::PUT, "/stamps", &json!([])),
    ] {
        let reply = send(&api, method, path, &key, body).await;
        reply.refused(422);
        assert!(reply.json()["detail"].as_str().is_some_and(|detail| detail.contains("Idempotency-Key")), "{path}");
    }
    let spaced = serde_json::to_string_pretty(&body).expect("JSON");
    let request = api.request(Method::POST, "/users").header("Idempotency-Key", &key);
    let request = request.header("Content-Type", "application/json").body(spaced);
    assert!(is_replayed(&api.send(request).await), "the same, with other spaces");
}

#[tokio::test(flavor = "multi_thread")]
async fn malformed_key_returns_400_on_post_and_is_ignored_elsewhere() {
    let api = Api::shared();
    for key in ["", "a b", "a,b", ",", "\"a\",\"b\"", "\"open", "\"\"", &"k".repeat(256), "é"] {
        let value = reqwest::header::HeaderValue::from_bytes(key.as_bytes()).expect("a header");
        let request = api.request(Method::POST, "/users").header("Idempotency-Key", value).json(&samples::user());
        api.send(request).await.refused(400);
    }
    // Two keys are none, or a retry with one of them would take effect again.
    let [first, second] = [samples::unique(), samples::unique()];
    for keys in [[&first, &second], [&first, &first], [&format!("\"{first}\""), &second]] {
        let request = api.request(Method::POST, "/users").header("Idempotency-Key", keys[0]);
        api.send(request.header("Idempotency-Key", keys[1]).json(&samples::user())).await.refused(400);
    }
    let body = samples::user();
    let key = format!("\"{first},{second}\"");
    post(&api, "/users", &key, &body).await.created();
    assert!(is_replayed(&post(&api, "/users", &key, &body).await), "a comma in quotes");
    let user = api.user().await;
    let path = format!("/users/{}", user["user_id"]);
    for method in [Method::GET, Method::PATCH] {
        let request = api.request(method, &path).header("Idempotency-Key", "a b").json(&json!({}));
        assert_eq!(api.send(request).await.status, 200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_requests_with_one_key_share_one_response() {
    let api = Api::shared();
    let user = api.user().await;
    let home = format!("/users/{}", user["user_id"]);
    let (paid, body) = (format!("{home}/transactions"), json!({"amount": 7, "description": "x"}));
    let key = samples::unique();
    let replies = join_all((0..32).map(|_| post(&api, &paid, &key, &body))).await;
    for reply in &replies {
        assert_eq!(reply.status, 201, "{}", String::from_utf8_lossy(&reply.bytes));
        assert_eq!(reply.bytes, replies[0].bytes);
    }
    assert_eq!(replies.iter().filter(|reply| !is_replayed(reply)).count(), 1);
    assert_eq!(api.get(&format!("{home}/wallet")).await.ok()["wallet"], 7);
    let (key, body) = (samples::unique(), samples::user());
    let replies = join_all((0..16).map(|_| post(&api, "/users", &key, &body))).await;
    assert!(replies.iter().all(|reply| reply.status == 201 && reply.bytes == replies[0].bytes));
}

#[tokio::test(flavor = "multi_thread")]
async fn repeated_form_with_another_boundary_is_replayed() {
    let api = Api::shared();
    let key = samples::unique();
    let form = || {
        let part = reqwest::multipart::Part::bytes(samples::png(3, 3)).file_name("x.png");
        let form = reqwest::multipart::Form::new().part("document_data", part).text("seal", "7");
        api.request(Method::POST, "/documents").header("Idempotency-Key", &key).multipart(form)
    };
    let (first, again) = (api.send(form()).await, api.send(form()).await);
    assert!(!is_replayed(&first) && is_replayed(&again));
    same(&first, &again);
    let image = first.created()["document_data"].as_str().expect("a URL").to_owned();
    assert_eq!(api.get(&image).await.bytes, samples::png(3, 3));
}

#[tokio::test(flavor = "multi_thread")]
async fn longest_responses_are_stored_completely() {
    let api = Api::shared();
    let noise = |bytes: usize| (0..bytes).map(|_| fastrand::alphanumeric()).collect::<String>();
    let document = samples::merged(samples::document(), &json!({"metadata": noise(100_000)}));
    let stamp = |document: &Value| samples::merged(samples::stamp(document), &json!({"stamp_type": noise(1_024)}));
    let document = api.post("/documents", &document).await.created();
    let stamps: Value = (0..80).map(|_| stamp(&document)).collect();
    let key = samples::unique();
    let first = send(&api, Method::PUT, "/stamps", &key, &stamps).await;
    assert_eq!(first.status, 201, "{}", String::from_utf8_lossy(&first.bytes));
    let again = send(&api, Method::PUT, "/stamps", &key, &stamps).await;
    assert!(is_replayed(&again));
    same(&first, &again);
    let event = samples::event(&json!({
        "user": samples::user(),
        "message": noise(100_000),
        "document": samples::merged(samples::document(), &json!({
            "metadata": noise(100_000),
            "stamps": (0..80).map(|_| json!({"stamp_type": "é".repeat(1_024), "pos_x": 1, "pos_y": 1, "rotation": 0})).collect::<Value>(),
        })),
    }));
    let key = samples::unique();
    let first = post(&api, "/events", &key, &event).await;
    assert_eq!(first.status, 201, "{}", String::from_utf8_lossy(&first.bytes));
    same(&first, &post(&api, "/events", &key, &event).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn retries_after_lost_responses_apply_once() {
    let api = Api::faulty(Faults { lost_answers: 3, throttled: 11, conflicts: 5, ..Faults::default() });
    let user = loop {
        let reply = api.post("/users", &samples::user()).await;
        if reply.status == 201 {
            break reply.created();
        }
    };
    let paid = format!("/users/{}/transactions", user["user_id"]);
    for amount in 1..=20 {
        let key = samples::unique();
        loop {
            let reply = post(&api, &paid, &key, &json!({"amount": amount, "description": "x"})).await;
            if reply.status == 201 {
                break;
            }
            reply.refused(503);
        }
    }
    let wallet = loop {
        let reply = api.get(&format!("/users/{}/wallet", user["user_id"])).await;
        if reply.status == 200 {
            break reply.ok()["wallet"].clone();
        }
    };
    assert_eq!(wallet, 210);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_callers_may_use_the_same_key() {
    let (api, folder) = stack_with_tokens();
    let token = |folder: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_service-under-test"));
        let arguments = ["token", "create", "--scope", "write", "--name", "same", "--data-dir"];
        let made = command.args(arguments).arg(folder).stdin(Stdio::null()).output().expect("a process");
        String::from_utf8(made.stdout).expect("a text").trim().to_owned()
    };
    let (one, other) = (token(folder.path()), token(folder.path()));
    let send = |token: String, body: Value| {
        let request = api.request(Method::POST, "/users").header("Authorization", format!("Bearer {token}"));
        api.send(request.header("Idempotency-Key", "1").json(&body))
    };
    let (ours, theirs) = (samples::user(), samples::user());
    send(one.clone(), ours.clone()).await.created();
    send(other, theirs).await.created();
    assert!(is_replayed(&send(one, ours).await));
}

#[tokio::test]
async fn same_key_with_another_text_of_a_number_returns_422() {
    let api = Api::shared();
    let user = api.user().await["user_id"].clone();
    let body = |details: &str, space: &str| {
        format!(
            r#"{{"event_type":"plain","user_id":{user},"user_name":"x","occurred_at":"2026-11-22T13:00:00Z","message":"m",{space}"details":{details}}}"#
        )
    };
    let send = |key: &str, body: String| {
        let request = api.request(reqwest::Method::POST, "/events").header("content-type", "application/json");
        api.send(request.header("Idempotency-Key", key).body(body))
    };
    for (one, other) in
        [("[12345678901234567890123]", "[12345678901234567890124]"), ("[1.0]", "[1.00]"), ("[-0]", "[0]")]
    {
        let key = samples::unique();
        let (one, other) = (format!(r#"{{"a":{one}}}"#), format!(r#"{{"a":{other}}}"#));
        assert_eq!(send(&key, body(&one, "")).await.status, 201);
        assert_eq!(send(&key, body(&one, " \n")).await.header("idempotent-replayed"), "true");
        send(&key, body(&other, "")).await.refused(422);
    }
}
