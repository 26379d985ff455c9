//! Tests of the OpenAPI document: its references, texts and examples.

use std::collections::BTreeSet;

use capture_core::lambda::access;
use capture_core::lambda::routes::SERVICE;
use end_to_end::{Api, samples};
use reqwest::Method;
use serde_json::{Map, Value, json};

#[tokio::test]
async fn openapi_document_resolves_its_references() {
    let document = Api::shared().get("/openapi.json").await.ok();
    assert_eq!(document["openapi"], "3.1.0");
    let mut references = Vec::new();
    collect_references(&document, &mut references);
    assert!(references.len() > 100);
    for reference in references {
        let pointer = reference.strip_prefix('#').expect("a local reference");
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

#[tokio::test]
async fn openapi_operations_have_unique_ids_and_list_responses() {
    let document = Api::shared().get("/openapi.json").await.ok();
    assert_eq!(document["servers"][0]["url"], Api::shared().base());
    let tags: BTreeSet<_> =
        document["tags"].as_array().expect("tags").iter().map(|tag| tag["name"].clone().to_string()).collect();
    let mut names = BTreeSet::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("a path").iter().filter(|(name, _)| *name != "parameters") {
            let name = operation["operationId"].as_str().unwrap_or_else(|| panic!("{method} {path} has no name"));
            assert!(names.insert(name.to_owned()), "{name} is the name of two");
            assert!(
                operation["tags"].as_array().is_some_and(|of| of.iter().all(|tag| tags.contains(&tag.to_string())))
            );
            assert!(operation["responses"]["405"].is_object(), "{method} {path}");
        }
    }
    for name in [
        "list_events",
        "create_event_of_user",
        "get_user_of_event",
        "get_wallet_of_user",
        "get_active_specimen_of_user",
        "create_stamps",
    ] {
        assert!(names.contains(name), "{name}");
    }
    let creates = &document["paths"]["/events"]["post"]["responses"]["201"];
    assert_eq!(creates["links"]["get_event"]["parameters"]["event_id"], "$response.body#/event_id");
    assert!(creates["headers"]["Location"].is_object());
    let schemas = &document["components"]["schemas"];
    assert_eq!(schemas["Event"]["discriminator"]["mapping"]["raid"], "#/components/schemas/RaidEvent");
    assert!(schemas["EventChanges"]["anyOf"].is_array());
    assert_eq!(schemas["PlainEventChanges"]["properties"]["message"]["type"], "string", "null is refused");
    assert!(schemas["NewSpecimenOfUser"]["required"].is_null(), "the path says whose it is");
}

fn collect_references(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            into.extend(object.get("$ref").and_then(Value::as_str).map(str::to_owned));
            object.values().for_each(|value| collect_references(value, into));
        }
        Value::Array(array) => array.iter().for_each(|value| collect_references(value, into)),
        _ => {}
    }
}

/// Calls a function for each of the document's operations, with its path and method.
fn for_each_operation(document: &Value, mut call: impl FnMut(&str, &str, &Value)) {
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("a path").iter().filter(|(name, _)| *name != "parameters") {
            call(path, method, operation);
        }
    }
}

#[tokio::test]
async fn openapi_lists_the_methods_of_each_route_of_the_service() {
    let document = Api::shared().get("/openapi.json").await.ok();
    for route in &SERVICE {
        let operations = document["paths"][route.path].as_object().expect(route.path);
        let described: BTreeSet<_> = operations.keys().map(String::as_str).filter(|key| *key != "parameters").collect();
        let methods = route.methods.iter().filter(|method| **method != Method::HEAD);
        let methods: Vec<_> = methods.map(|method| method.as_str().to_lowercase()).collect();
        assert_eq!(described, methods.iter().map(String::as_str).collect(), "{}", route.path);
    }
}

#[test]
fn guide_lists_the_routes_of_each_scope() {
    let guide = include_str!("../../../docs/api.md");
    let row = |scope: &str| guide.lines().find(|line| line.starts_with(&format!("| `{scope}` |"))).expect(scope);
    for path in access::overlay_routes() {
        assert!(row("overlay").contains(&format!("`{path}`")), "{path}");
    }
    for path in [Method::GET, Method::POST].iter().flat_map(access::viewer_routes) {
        assert!(row("viewer").contains(&format!("`{path}`")), "{path}");
    }
}

#[tokio::test]
async fn openapi_operations_and_parameters_are_described() {
    let document = Api::shared().get("/openapi.json").await.ok();
    let mut summaries = BTreeSet::new();
    for_each_operation(&document, |path, method, operation| {
        let summary = operation["summary"].to_string();
        assert!(summaries.insert(summary.clone()), "{method} {path} has the summary of another operation: {summary}");
        let of_path = &document["paths"][path]["parameters"];
        for parameter in [of_path, &operation["parameters"]].into_iter().filter_map(Value::as_array).flatten() {
            let is_described = parameter["description"].as_str().is_some_and(|text| text.len() > 10);
            assert!(is_described || parameter["$ref"].is_string(), "{method} {path}: {parameter}");
        }
    });
}

/// Replaces an example's identifiers with those of stored records, and its unique values with others.
fn with_stored_ids(example: &Value, ids: &Map<String, Value>) -> Value {
    match example {
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| match name.as_str() {
                "platform_id" => (name.clone(), json!(samples::unique())),
                _ => (name.clone(), ids.get(name).cloned().unwrap_or_else(|| with_stored_ids(value, ids))),
            };
            members.iter().map(member).collect()
        }
        Value::Array(items) => items.iter().map(|item| with_stored_ids(item, ids)).collect(),
        other => other.clone(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_example_of_a_request_is_accepted() {
    let api = Api::start();
    let document = api.get("/openapi.json").await.ok();
    let mut examples = Vec::new();
    for_each_operation(&document, |path, method, operation| {
        let content = &operation["requestBody"]["content"]["application/json"];
        if content.is_null() || path == "/webhooks/twitch" {
            return;
        }
        let of_operation = content["examples"].as_object().unwrap_or_else(|| panic!("{method} {path} has no example"));
        for example in of_operation.values() {
            let reference = example["$ref"].as_str().and_then(|reference| reference.strip_prefix('#'));
            let example = reference.map_or(Some(example), |pointer| document.pointer(pointer)).expect("an example");
            examples.push((path.to_owned(), method.to_uppercase(), example["value"].clone()));
        }
    });
    assert!(examples.len() > 40, "{} examples", examples.len());
    for (path, method, example) in examples {
        // Every example gets separate records, which its request may change or delete.
        let user = api.user().await;
        let of_user = json!({"user_id": user["user_id"]});
        let is_change = method == "PATCH";
        let mut event = samples::event(&of_user);
        if is_change {
            // A change applies to an event of the same type.
            event["document"] = samples::document();
            event = samples::merged(event, &fields_of_type(&example));
        }
        let event = api.post("/events", &event).await.created();
        let document = api.document().await;
        let stamp = api.post("/stamps", &samples::stamp(&document)).await.created();
        let item = json!({"name": "hat", "owner_id": user["user_id"]});
        let item = api.post("/inventory", &item).await.created();
        let overlay = api.post("/overlays", &json!({"name": "main"})).await.created();
        let rule = json!({"name": "cheers", "reference": samples::unique(), "amount": 1});
        let rule = api.post("/rules", &rule).await.created();
        let command = json!({"name": format!("!{}", samples::unique()), "action": "balance"});
        let command = api.post("/commands", &command).await.created();
        // A POST to the user's specimen expects none.
        let owner = if is_change { user.clone() } else { api.user().await };
        let specimen = json!({"owner_id": owner["user_id"], "born_at": "2026-11-01T00:00:00Z"});
        let specimen = api.post("/specimens", &specimen).await.created();
        let transaction = json!({"user_id": user["user_id"], "amount": 1, "description": "bonus"});
        let transaction = api.post("/transactions", &transaction).await.created();
        let balance = json!({"user_id": user["user_id"], "amount": 10_000, "description": "start"});
        api.post("/transactions", &balance).await.created();
        let product = api.post("/products", &json!({"name": samples::unique(), "price": 400})).await.created();
        let order = json!({"user_id": user["user_id"], "product_id": product["product_id"]});
        let purchase = api.post("/purchases", &order).await.created();
        let opt_out = api.post("/opt-outs", &json!({"platform_id": samples::unique()})).await.created();
        let users = [("owner_id", &user), ("from_user_id", &user), ("to_user_id", &owner)];
        let mut ids: Map<_, _> =
            users.into_iter().map(|(name, user)| (name.to_owned(), user["user_id"].clone())).collect();
        let records = [&user, &event, &document, &stamp, &item, &overlay, &specimen, &transaction];
        for record in records.into_iter().chain([&product, &purchase, &rule, &command, &opt_out]) {
            let (name, id) = record.as_object().and_then(|record| record.iter().next()).expect("an identifier");
            ids.insert(name.clone(), id.clone());
        }
        if path == "/connections/twitch" {
            // It needs Twitch's servers, which `twitch/connection.rs` mocks.
            continue;
        }
        let is_import = method == "PUT" && path.ends_with('}');
        let segment = |segment: &str| match segment.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
            Some(_) if is_import => (9_000_000 + fastrand::u32(..1_000_000)).to_string(),
            Some(name) => ids[name].to_string(),
            None => segment.to_owned(),
        };
        let url = path.split('/').map(segment).collect::<Vec<_>>().join("/");
        let mut body = with_stored_ids(&example, &ids);
        if let (true, Some(members)) = (is_import, body.as_object_mut()) {
            members.retain(|name, _| !path.ends_with(&format!("{{{name}}}")));
        }
        if path.starts_with("/products") {
            // The examples share one name.
            body["name"] = json!(samples::unique());
        }
        if path.starts_with("/commands") {
            body["name"] = json!(format!("!{}", samples::unique()));
        }
        if path.starts_with("/opt-outs") {
            body["platform_id"] = json!(samples::unique());
        }
        let request = api.request(method.parse().expect("a method"), &url).json(&body);
        let reply = api.send(request).await;
        assert!(reply.status.is_success(), "{method} {path}: {body}: {}", String::from_utf8_lossy(&reply.bytes));
        // The numbers of rules and of commands are limited.
        for rule in api.list("/rules").await {
            api.delete(&format!("/rules/{}", rule["rule_id"])).await.ok();
        }
        for command in api.list("/commands").await {
            api.delete(&format!("/commands/{}", command["command_id"])).await.ok();
        }
    }
}

/// Returns fields of an event that allow an example's changes.
fn fields_of_type(changes: &Value) -> Value {
    if changes["tier"].is_number() {
        json!({"event_type": "subscriber", "tier": 1, "subscribed_length": 1})
    } else if changes["amount"].is_number() {
        json!({"event_type": "cheer", "amount": 1})
    } else if changes["viewer_count"].is_number() {
        json!({"event_type": "raid", "viewer_count": 1, "message": null})
    } else {
        json!({})
    }
}
