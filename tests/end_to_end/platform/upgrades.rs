//! Tests that detect a change of the template that cannot be deployed, or that would replace the table.
//!
//! `infra/deployed-table.json` is the table of the last release. docs/upgrades.md describes the next steps. `RELEASED=1
//! cargo test upgrades` rewrites the file, after the change is deployed everywhere.

use std::collections::BTreeMap;

use end_to_end::{invariants, samples};
use event_capture::operations::Execution;
use event_capture::request::{Operation, Path, Request};
use event_capture::schema::Timestamp;
use http::{HeaderMap, HeaderValue, Method, header};
use local_stack::backend::{Backend, Call};
use local_stack::memory::Memory;
use local_stack::template::{Key, Template};
use serde_json::{Value, json};

const RELEASED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../infra/deployed-table.json");

fn key(key: &[Key]) -> Value {
    key.iter().map(|part| json!([part.kind, part.attribute])).collect()
}

fn shape(template: &Template) -> Value {
    let kinds: BTreeMap<_, _> = template.attributes.iter().map(|(name, kind)| (name, kind)).collect();
    let indexes: BTreeMap<_, _> = template
        .indexes
        .iter()
        .map(|index| (&index.name, json!({"key": key(&index.key), "projection": index.projection})))
        .collect();
    json!({"key": key(&template.key), "attributes": kinds, "indexes": indexes})
}

/// Returns the differences from the released table that cannot be deployed, or not in one deployment.
fn obstacles(released: &Value, now: &Value) -> Vec<String> {
    let of = |shape: &Value, name: &str| shape[name].as_object().cloned().unwrap_or_default();
    let mut found = Vec::new();
    if released["key"] != now["key"] {
        found.push("the table's own key has changed: CloudFormation would replace the table, empty".to_owned());
    }
    for (attribute, kind) in of(released, "attributes") {
        if of(now, "attributes").get(&attribute).is_some_and(|now| *now != kind) {
            found.push(format!("the key attribute {attribute} has another type: give the new one another name"));
        }
    }
    let (before, after) = (of(released, "indexes"), of(now, "indexes"));
    for (name, index) in &before {
        if after.get(name).is_some_and(|now| now != index) {
            found.push(format!("the index {name} has changed, which no index can: add one of another name instead"));
        }
    }
    let added = after.keys().filter(|name| !before.contains_key(*name));
    let removed = before.keys().filter(|name| !after.contains_key(*name));
    let operations: Vec<_> = added.chain(removed).cloned().collect();
    if operations.len() > 1 {
        found.push(format!("one deployment can add or remove one index, and these are several: {operations:?}"));
    }
    found
}

#[test]
fn template_is_deployable_over_the_released_table() {
    let now = shape(&Template::read().expect("a template"));
    if std::env::var_os("RELEASED").is_some() {
        let text = serde_json::to_string_pretty(&now).expect("JSON");
        std::fs::write(RELEASED, text + "\n").expect("a file");
    }
    let released = std::fs::read_to_string(RELEASED).expect("infra/deployed-table.json");
    let found = obstacles(&serde_json::from_str(&released).expect("JSON"), &now);
    assert!(found.is_empty(), "docs/upgrades.md says how to go on:\n{}", found.join("\n"));
}

#[test]
fn undeployable_table_changes_are_reported() {
    let released = shape(&Template::read().expect("a template"));
    let findings = |change: &dyn Fn(&mut Value)| {
        let mut now = released.clone();
        change(&mut now);
        obstacles(&released, &now).len()
    };
    let index = json!({"key": [["HASH", "resource"]], "projection": "ALL"});
    assert_eq!(findings(&|_| ()), 0);
    assert_eq!(findings(&|now| now["indexes"]["by_new"] = index.clone()), 0);
    assert_eq!(findings(&|now| now["key"] = json!([["HASH", "id"]])), 1);
    assert_eq!(findings(&|now| now["attributes"]["pk"] = json!("N")), 1);
    assert_eq!(findings(&|now| now["indexes"]["by_time"]["projection"] = json!("KEYS_ONLY")), 1);
    let several = |now: &mut Value| {
        now["indexes"]["by_new"] = index.clone();
        now["indexes"]["by_newer"] = index.clone();
    };
    assert_eq!(findings(&several), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn items_in_the_next_format_keep_their_new_attributes() {
    let memory = Memory::new().await.expect("stores");
    let store = memory.store(|table| table);
    let execution = || Execution {
        store: store.for_request(),
        now: Timestamp::now(),
        base: String::new(),
        token_id: String::new(),
    };
    let send = async |method: Method, path: &str, body: Value| {
        let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
        let request =
            Request { method, path: path.to_owned(), query: String::new(), headers, body: body.to_string().into() };
        let operation = Operation::parse(Path::parse(path).expect("a path"), request).expect("an operation");
        let reply = execution().run(operation).await.expect("an answer");
        serde_json::from_str::<Value>(&reply.body).expect("JSON")
    };
    let user = json!({"platform_id": "p", "name": "Ann"});
    let event = send(Method::POST, "/events", samples::event(&json!({"user": user}))).await;
    let path = format!("/events/{}", event["event_id"]);
    // A later release may write attributes of other names and types, and items of its own.
    let raw = async |operation: &str, body: Value| {
        let answer = memory.call(Call::new(operation, "local".into(), body.to_string().into())).await;
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    };
    let new = json!({":d": {"M": {"tier": {"N": "2"}}}, ":l": {"L": [{"BOOL": true}]}});
    raw(
        "UpdateItem",
        json!({"TableName": "event-capture", "Key": {"pk": {"S": path.trim_start_matches('/')}},
        "UpdateExpression": "SET details_v2 = :d, labels_v2 = :l", "ExpressionAttributeValues": new}),
    )
    .await;
    raw(
        "PutItem",
        json!({"TableName": "event-capture", "Item": {"pk": {"S": "rollups/2026"}, "resource": {"S": "rollups"},
        "shard": {"N": "0"}, "time": {"S": "2026-01-01T00:00:00.000000000Z"}, "id": {"N": "7"}}}),
    )
    .await;
    assert_eq!(send(Method::GET, &path, Value::Null).await, event);
    assert_eq!(send(Method::GET, "/events", Value::Null).await, json!([event]));
    let changed = send(Method::PATCH, &path, json!({"message": "changed"})).await;
    assert_eq!(changed["message"], "changed");
    let stored =
        memory.items().expect("items").into_iter().find(|item| item["pk"]["S"] == path.trim_start_matches('/'));
    let stored = stored.expect("the event");
    assert_eq!((&stored["details_v2"], &stored["labels_v2"]), (&new[":d"], &new[":l"]), "a rollback loses nothing");
    invariants::check(&store).await;
}
