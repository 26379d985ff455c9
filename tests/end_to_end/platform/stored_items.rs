//! Tests with `samples/stored_items.json`: the items of one record of each resource and more, as an earlier version of
//! the service stored them, and the records as GET showed them. `UPDATE=1 cargo test items_of_an_earlier_version`
//! rewrites the file. Do this only if no table of the earlier version exists.

use std::collections::BTreeMap;

use capture_core::operations::Execution;
use capture_core::request::{Operation, Path, Request};
use capture_core::resources;
use capture_core::schema::{Filter, Operator, StoredValue, Timestamp};
use capture_core::store::{Call, Store, Table};
use capture_core::table::{Write, WriteKind, attribute, attributes, item_from};
use end_to_end::memory::Memory;
use end_to_end::{invariants, samples};
use http::{HeaderMap, HeaderValue, Method, header};
use serde_json::{Value, json};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/stored_items.json");

/// Changes to the records, by resource or event type.
const CHANGES: [(&str, &str); 14] = [
    ("users", r#"{"name": "Bea"}"#),
    ("specimens", r#"{"forgotten_at": "2099-01-02T00:00:00Z"}"#),
    ("inventory", r#"{"quantity": 3}"#),
    ("plain", r#"{"message": "changed"}"#),
    ("cheer", r#"{"message": "changed", "amount": 60}"#),
    ("subscriber", r#"{"tier": 3}"#),
    ("raid", r#"{"viewer_count": 10}"#),
    ("documents", r#"{"seal": 9, "metadata": "changed"}"#),
    ("stamps", r#"{"rotation": 1.5}"#),
    ("products", r#"{"price": 7, "enabled": false}"#),
    ("purchases", r#"{"status": "fulfilled"}"#),
    ("rules", r#"{"enabled": false}"#),
    ("commands", r#"{"answer": "{points} points"}"#),
    ("overlays", r#"{"name": "Changed"}"#),
];

struct Service {
    memory: Memory,
    store: Store,
}

impl Service {
    fn new() -> Self {
        let memory = Memory::new();
        let store = memory.store(|table| table);
        Self { memory, store }
    }

    /// Returns a response's ETag and body.
    async fn send(&self, method: Method, path: &str, body: &Value, etag: Option<&str>) -> (String, Value) {
        let mut headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
        headers.extend(etag.map(|etag| (header::IF_MATCH, HeaderValue::from_str(etag).expect("a tag"))));
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let request = Request { method, path: path.to_owned(), query: query.to_owned(), headers, body: body.into() };
        let operation = Operation::parse(Path::parse(path).expect("a path"), request).expect("an operation");
        let (store, now) = (self.store.for_request(), Timestamp::now());
        let execution = Execution { store, now, base: String::new(), token_id: String::new() };
        let response = execution.run_with_economy(operation).await.unwrap_or_else(|error| panic!("{path}: {error:?}"));
        (response.etag.unwrap_or_default(), serde_json::from_str(&response.body).expect("JSON"))
    }

    async fn post(&self, path: &str, body: Value) -> Value {
        self.send(Method::POST, path, &body, None).await.1
    }

    async fn get(&self, path: &str) -> (String, Value) {
        self.send(Method::GET, path, &Value::Null, None).await
    }

    /// Stores a table's items, and an image for each document.
    async fn fill(&self, items: &[Value]) {
        for item in items {
            let attributes: serde_dynamo::Item = serde_json::from_value(item.clone()).expect("an item");
            let (pk, set) = item_from(attributes.into_inner());
            let write = Write { kind: WriteKind::Put, set, ..Write::default() };
            self.memory.send(Call::Write { pk: &pk, write: &write }).await.expect("an item that can be stored");
            if let Some(name) = item["document_data"]["S"].as_str() {
                let key = resources::parse_key(item["pk"]["S"].as_str().expect("a key")).expect("a record");
                self.store.put_image(name, key, "image/png", samples::png(2, 2).into()).await.expect("the bucket");
            }
        }
    }

    /// Stores at least one record of each resource, so each field and each state has a value somewhere.
    async fn store_samples(&self) {
        let user = self.post("/users", json!({"platform_id": "5", "name": "Ann"})).await;
        let id = &user["user_id"];
        self.post("/specimens", json!({"owner_id": id})).await;
        self.post("/specimens", json!({"owner_id": id, "forgotten_at": "2099-01-01T00:00:00Z"})).await;
        self.post("/inventory", json!({"owner_id": id, "name": "Hat", "quantity": 2, "metadata": "red"})).await;
        let cap = json!({"owner_id": id, "name": "Cap", "used_at": "2026-11-20T17:00:00Z"});
        self.post("/inventory", cap).await;
        self.post("/transactions", json!({"user_id": id, "amount": 500, "description": "Start", "reference": "r"}))
            .await;
        let stamp = json!({"stamp_type": "heart", "pos_x": 1, "pos_y": -2, "rotation": 0.5});
        let document = samples::merged(samples::document(), &json!({"metadata": "m", "stamps": [stamp]}));
        let with = json!({"user_id": id, "document": document, "source": "bot", "reference": "x", "details": {"a": 1}});
        self.post("/events", samples::event(&with)).await;
        let cheer = json!({"event_type": "cheer", "amount": 50, "message": "m".repeat(2_000), "user_id": id});
        self.post("/events", samples::event(&cheer)).await;
        let subscriber = json!({"event_type": "subscriber", "tier": 2, "subscribed_length": 3, "user_id": id});
        self.post("/events", samples::event(&subscriber)).await;
        let raid =
            json!({"event_type": "raid", "viewer_count": 9, "occurred_at": "2026-11-20T16:53:02Z", "user_id": id});
        self.post("/events", samples::merged(raid, &json!({"user_name": "Ann"}))).await;
        self.post("/documents", samples::document()).await;
        let product = json!({"name": "Acorn", "price": 5, "stock": 9, "max_per_user": 3, "item_name": "acorn"});
        let product = self.post("/products", product).await;
        self.post("/purchases", json!({"user_id": id, "product_id": product["product_id"], "quantity": 2})).await;
        self.post("/rules", json!({"name": "Cheers", "event_type": "cheer", "amount": 5})).await;
        self.post("/commands", json!({"name": "!Points", "action": "balance", "user_cooldown": 5})).await;
        self.post("/overlays", json!({"name": "Main", "settings": {"a": 1}})).await;
        self.post("/opt-outs", json!({"platform_id": "9"})).await;
    }

    /// Returns the table's items, and each record as GET shows it, by its path.
    async fn dump(&self) -> Value {
        let items = self.memory.items().into_iter().map(|(pk, mut item)| {
            item.insert("pk".to_owned(), StoredValue::Text(pk));
            serde_json::to_value(attributes(&item)).expect("JSON")
        });
        let items: Vec<_> = items.collect();
        let mut records = BTreeMap::new();
        for resource in resources::ALL {
            for record in self.get(&format!("/{}", resource.name)).await.1.as_array().expect("a list") {
                let path = format!("/{}/{}", resource.name, record[resource.id.name]);
                records.insert(path.clone(), self.get(&path).await.1);
            }
        }
        json!({"items": items, "records": records})
    }
}

/// Reads the items, changes each record with conditions on all its fields, finds it by its filters, and deletes it.
async fn read_and_change(items: &[Value], records: &BTreeMap<String, Value>) {
    let service = Service::new();
    service.fill(items).await;
    invariants::check(&service.store).await;
    for (path, record) in records {
        assert_eq!(service.get(path).await.1, *record, "{path}");
    }
    for (path, record) in records {
        let etag = service.get(path).await.0;
        let resource = path.split('/').nth(1).expect("a resource");
        let kind = record["event_type"].as_str().filter(|_| resource == "events").unwrap_or(resource);
        let Some((_, change)) = CHANGES.iter().find(|(name, _)| *name == kind) else { continue };
        // The change is conditional on every value that GET shows.
        let change: Value = serde_json::from_str(change).expect("JSON");
        service.send(Method::PATCH, path, &change, Some(&etag)).await;
        let changed = service.get(path).await.1;
        for (name, value) in change.as_object().expect("an object") {
            assert!(changed[name] == *value || name.ends_with("_at"), "{path}: {changed}");
        }
        invariants::check(&service.store).await;
    }
    // The changed records have their values under the role names, which the filters look up.
    let mut found = 0;
    for resource in resources::ALL.into_iter().filter(|resource| resource.is_changeable()) {
        let is_looked_up = |filter: &&Filter| {
            filter.operator == Operator::Equals && filter.role.is_some() && filter.only_indexed_value.is_none()
        };
        for filter in resource.filters.iter().filter(is_looked_up) {
            for record in service.get(&format!("/{}", resource.name)).await.1.as_array().expect("a list") {
                let value = record[filter.field].to_string();
                if value != "null" {
                    let path = format!("/{}?{}={}", resource.name, filter.name, value.trim_matches('"'));
                    let listed = service.get(&path).await.1;
                    assert!(listed.as_array().expect("a list").contains(record), "{path}: {record}");
                    found += 1;
                }
            }
        }
    }
    assert!(found > 20, "{found}");
    for path in records.keys().filter(|path| !path.starts_with("/transactions") && !path.starts_with("/purchases")) {
        // Deleted with an earlier record.
        if service.memory.items().contains_key(path.trim_start_matches('/')) {
            service.send(Method::DELETE, path, &Value::Null, None).await;
        }
    }
}

fn samples_as_stored() -> (Vec<Value>, BTreeMap<String, Value>) {
    let file: Value = serde_json::from_str(&std::fs::read_to_string(FILE).expect(FILE)).expect("JSON");
    let records = serde_json::from_value(file["records"].clone()).expect("records");
    (file["items"].as_array().expect("items").clone(), records)
}

#[tokio::test(flavor = "multi_thread")]
async fn items_of_an_earlier_version_are_read_and_changed() {
    if std::env::var_os("UPDATE").is_some() {
        let service = Service::new();
        service.store_samples().await;
        let text = serde_json::to_string_pretty(&service.dump().await).expect("JSON");
        std::fs::write(FILE, text + "\n").expect("a file");
    }
    let (items, records) = samples_as_stored();
    assert!(records.len() >= resources::ALL.len(), "{:?}", records.keys());
    read_and_change(&items, &records).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn items_from_before_a_filter_are_read_and_changed() {
    let (mut items, records) = samples_as_stored();
    let mut moved = 0;
    for item in &mut items {
        let Some(resource) = resources::by_name(item["resource"]["S"].as_str().unwrap_or_default()) else { continue };
        for field in resource.fields.iter().filter(|field| field.name != resource.id.name) {
            let role = attribute(resource, field.name);
            if role == field.stored_name || role == "time" {
                continue;
            }
            // Each filter may be newer than the item.
            if let Some(value) = item.as_object_mut().expect("an item").remove(role) {
                item[field.stored_name] = value;
                moved += 1;
            }
        }
    }
    assert!(moved > 10, "{moved}");
    read_and_change(&items, &records).await;
}
