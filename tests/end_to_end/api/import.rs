//! Tests of PUT with an identifier: a complete record is stored once and never changed.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use capture_core::lambda::upkeep;
use capture_core::resources::{self, EVENTS, LinkTarget};
use capture_core::schema::scalar::Kind;
use capture_core::schema::{Field, Id, Input, Key, Resource, Timestamp};
use capture_core::store::Store;
use capture_core::table::{Tombstone, WriteSet};
use end_to_end::{Api, Reply, catalogue, invariants, samples, stack_with_tokens};
use futures_util::future::join_all;
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use crate::api::feed::{entries_after, head};

/// Returns an identifier that the service has not generated.
pub(crate) fn id() -> u64 {
    fastrand::u64(1..1 << 50)
}

fn path(resource: &Resource, id: u64) -> String {
    format!("/{}/{id}", resource.name)
}

/// Returns a complete body: every field of a response except references.
fn complete(resource: &Resource) -> Value {
    let mut body = json!(samples::full(resource));
    for field in resource.fields.iter().filter(|field| !field.hidden) {
        match field.input {
            Input::Assigned if field.codec.kind == Kind::Time => {
                body[field.name] = json!("2020-02-29T12:00:00.123456789Z");
            }
            Input::AssignedOrNull | Input::AssignedOrImported | Input::Expected
                if !matches!(field.codec.kind, Kind::Identifier | Kind::Time) =>
            {
                body[field.name] = json!(samples::value_of(field));
            }
            Input::AssignedOrImported => body[field.name] = json!(id()),
            _ => {}
        }
    }
    body
}

/// Stores a complete record of each resource. Returns their bodies by resource.
pub(crate) async fn one_of_each(api: &Api) -> BTreeMap<&'static str, (u64, Value)> {
    let mut stored = BTreeMap::<_, (u64, Value)>::new();
    for resource in resources::in_order_of_references() {
        let mut body = complete(resource);
        for (field, to) in resources::references(resource) {
            // A user's active specimen is not a field of the user.
            body[field] = json!(stored[to.name].0);
        }
        // Other records that an imported record refers to need not exist.
        resource.references.iter().for_each(|reference| body[reference.foreign_key.name] = json!(id()));
        let id = id();
        api.put(&path(resource, id), &body).await.created();
        stored.insert(resource.name, (id, body));
    }
    stored
}

fn code(reply: &Reply) -> String {
    reply.json()["code"].as_str().expect("a code").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn complete_record_of_every_resource_is_stored_as_sent() {
    let api = Api::shared();
    for (name, (id, body)) in one_of_each(&api).await {
        let resource = resources::by_name(name).expect("a resource");
        let path = path(resource, id);
        let read = api.get(&path).await;
        let record = read.ok();
        assert_eq!(record[resource.id.name], id);
        for field in resource.fields.iter().filter(|field| !field.is_image()) {
            if let Some(sent) = body.get(field.name) {
                assert_eq!(&record[field.name], sent, "{name}.{}", field.name);
            }
        }
        let again = api.put(&path, &samples::merged(body.clone(), &json!({resource.id.name: id}))).await;
        let stored = again.ok();
        assert_eq!(stored[resource.id.name], id);
        assert_eq!(again.header("etag"), read.header("etag"), "{name}");
        assert_eq!(again.header("location"), "");
        assert!(api.list(&format!("/{name}?{}={id}", resource.id.name)).await.contains(&record));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn put_never_changes_a_record() {
    let api = Api::shared();
    for (name, (id, body)) in one_of_each(&api).await {
        let resource = resources::by_name(name).expect("a resource");
        let path = path(resource, id);
        let before = api.get(&path).await.bytes;
        let compared = |field: &&Field| !matches!(field.input, Input::PerVariant(_)) && !field.in_state;
        for field in resource.fields.iter().filter(compared) {
            let other = match field.codec.kind {
                Kind::Integer => json!(body[field.name].as_i64().unwrap_or(0) + 1),
                Kind::Time => json!("2020-02-29T12:00:00.12345678Z"),
                Kind::Float => json!(0.25),
                Kind::Boolean => json!(false),
                Kind::Text | Kind::Object => samples::value_of(field).expect("a value"),
                Kind::Image => json!(STANDARD.encode(samples::png(3, 3))),
                Kind::Identifier | Kind::Enum => continue,
            };
            if body.get(field.name).is_some() {
                let changed = samples::merged(body.clone(), &json!({field.name: other}));
                let refused = api.put(&path, &changed).await;
                assert_eq!(refused.refused(409), [format!("/{}", field.name)], "{name}.{}", field.name);
                assert_eq!(code(&refused), "record_differs");
            }
        }
        assert_eq!(api.get(&path).await.bytes, before);
    }
}

#[tokio::test]
async fn fields_that_a_body_leaves_out_have_their_defaults() {
    let api = Api::shared();
    let user = api.user().await;
    let path = format!("/inventory/{}", id());
    let body = json!({"owner_id": user["user_id"], "name": "hat"});
    let item = api.put(&path, &body).await.created();
    assert_eq!((&item["quantity"], &item["metadata"], &item["used_at"]), (&json!(1), &Value::Null, &Value::Null));
    api.put(&path, &body).await.ok();
    api.put(&path, &samples::merged(body.clone(), &json!({"quantity": 1, "metadata": null}))).await.ok();
    api.put(&path, &samples::merged(body.clone(), &json!({"created_at": item["created_at"]}))).await.ok();
    let used_up = samples::merged(body, &json!({"used_at": "2099-01-01T00:00:00Z"}));
    assert_eq!(api.put(&path, &used_up).await.refused(409), ["/used_at"]);
}

#[tokio::test]
async fn invalid_body_is_refused_with_every_violation() {
    let api = Api::shared();
    let user = api.user().await;
    let own = id();
    let path = format!("/events/{own}");
    let event = samples::event(&json!({"user_id": user["user_id"]}));
    for (with, pointer, rule) in [
        (json!({"event_id": own + 1}), "/event_id", "inconsistent"),
        (json!({"event_id": "x"}), "/event_id", "wrong_type"),
        (json!({"created_at": "yesterday"}), "/created_at", "invalid_format"),
        (json!({"user": samples::user()}), "/user", "not_settable"),
        (json!({"document": samples::document()}), "/document", "not_settable"),
        (json!({"surplus": 1}), "/surplus", "unknown_field"),
        (json!({"document_id": 77}), "/document_id", "reference_not_found"),
        (json!({"user_id": 77}), "/user_id", "reference_not_found"),
    ] {
        let refused = api.put(&path, &samples::merged(event.clone(), &with)).await;
        assert_eq!(refused.refused(422), [pointer], "{with}");
        assert_eq!(refused.json()["errors"][0]["code"], rule, "{with}");
    }
    let mut without = event.clone();
    without.as_object_mut().expect("an object").remove("user_id");
    without["message"] = json!(5);
    let refused = api.put(&path, &without).await;
    assert_eq!(refused.refused(422).len(), 2);
    assert!(!refused.json().to_string().contains("as an object"));
    assert_eq!(api.put(&path, &json!([event])).await.refused(422), [""]);
    assert_eq!(
        api.put("/users/77", &samples::merged(samples::user(), &json!({"wallet": 5}))).await.refused(422),
        ["/wallet"]
    );
    assert_eq!(api.put("/events/x", &event).await.refused(400), ["event_id"]);
    assert_eq!(api.get(&path).await.status, 404);
    let reserved = samples::merged(event, &json!({"source": "twitch/channel.follow"}));
    assert_eq!(api.put(&path, &reserved).await.created()["source"], "twitch/channel.follow");
}

#[tokio::test]
async fn rules_of_post_hold() {
    let api = Api::shared();
    let user = api.user().await;
    let taken = json!({"platform_id": user["platform_id"], "name": "Bob"});
    let refused = api.put(&format!("/users/{}", id()), &taken).await;
    refused.refused(409);
    assert_eq!(code(&refused), "duplicate_platform_id");

    let specimen = json!({"owner_id": user["user_id"], "born_at": "2026-01-01T00:00:00Z"});
    let (first, second) = (format!("/specimens/{}", id()), format!("/specimens/{}", id()));
    api.put(&first, &specimen).await.created();
    let refused = api.put(&second, &specimen).await;
    refused.refused(409);
    assert_eq!(code(&refused), "active_specimen_exists");
    let forgotten = samples::merged(specimen.clone(), &json!({"forgotten_at": "2026-02-01T00:00:00Z"}));
    api.put(&second, &forgotten).await.created();
    let too_early = samples::merged(specimen, &json!({"forgotten_at": "2025-02-01T00:00:00Z"}));
    assert_eq!(api.put(&format!("/specimens/{}", id()), &too_early).await.refused(422), ["/forgotten_at"]);

    let home = format!("/users/{}", user["user_id"]);
    for amount in [40, -15] {
        let old = json!({"user_id": user["user_id"], "amount": amount, "description": "x", "created_at": "2020-01-01T00:00:00Z"});
        let path = format!("/transactions/{}", id());
        api.put(&path, &old).await.created();
        api.put(&path, &old).await.ok();
    }
    assert_eq!(api.get(&format!("{home}/wallet")).await.ok()["wallet"], 25);

    let document = api.document().await;
    let event = samples::event(&json!({"user_id": user["user_id"], "document_id": document["document_id"]}));
    let path = format!("/events/{}", id());
    let stored = api.put(&path, &event).await.created();
    assert_eq!(stored["document"]["document_id"], document["document_id"]);
    api.put(&path, &event).await.ok();
    let refused = api.put(&format!("/events/{}", id()), &event).await;
    refused.refused(409);
    assert_eq!(code(&refused), "document_attached");
}

#[tokio::test]
async fn image_of_a_document_may_be_a_file() {
    let api = Api::shared();
    let path = format!("/documents/{}", id());
    let png = samples::png(4, 5);
    let form = |bytes: &[u8]| {
        let file = Part::bytes(bytes.to_vec()).file_name("a.png").mime_str("image/png").expect("a type");
        let id = path.rsplit('/').next().expect("an identifier").to_owned();
        Form::new().part("document_data", file).text("seal", "3").text("document_id", id)
    };
    let put = async |bytes: &[u8]| api.send(api.request(Method::PUT, &path).multipart(form(bytes))).await;
    let document = put(&png).await.created();
    let url = document["document_data"].as_str().expect("a URL").to_owned();
    assert_eq!(reqwest::get(&url).await.expect("an image").bytes().await.expect("bytes"), png);
    assert_eq!(put(&png).await.ok()["document_data"], document["document_data"]);
    let base64 = json!({"document_data": STANDARD.encode(&png), "seal": 3});
    api.put(&path, &base64).await.ok();
    assert_eq!(put(&samples::png(5, 4)).await.refused(409), ["/document_data"]);
    assert_eq!(reqwest::get(&url).await.expect("an image").bytes().await.expect("bytes"), png);
}

#[tokio::test]
async fn put_is_no_method_of_chains() {
    let api = Api::shared();
    let user = api.user().await;
    let event = api.event(&user).await;
    for path in [
        format!("/users/{}/events/{}", user["user_id"], event["event_id"]),
        format!("/events/{}/user", event["event_id"]),
        format!("/events/{}/document", event["event_id"]),
        format!("/users/{}/specimen", user["user_id"]),
        "/users".to_owned(),
    ] {
        api.put(&path, &json!({})).await.refused(405);
    }
    let allowed = api.send(api.request(Method::POST, &format!("/users/{}", user["user_id"])).json(&json!({}))).await;
    allowed.refused(405);
    assert_eq!(allowed.header("allow"), "GET, HEAD, PUT, PATCH, DELETE");
    for resource in resources::ALL {
        for link in resources::links(resource).iter().filter(|link| matches!(link.target, LinkTarget::Many(_))) {
            let path = format!("/{}/1/{}/1", resource.name, link.name);
            api.put(&path, &json!({})).await.refused(405);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_identical_puts_at_once_one_creates() {
    let api = Api::shared();
    let user = api.user().await;
    let owned = json!({"user_id": user["user_id"], "amount": 7, "description": "once"});
    let bodies = [
        ("users", samples::user()),
        ("documents", samples::document()),
        ("events", samples::event(&json!({"user_id": user["user_id"]}))),
        ("transactions", owned),
    ];
    for (name, body) in bodies {
        let path = format!("/{name}/{}", id());
        let replies = join_all((0..32).map(|_| api.put(&path, &body))).await;
        let count = |status: u16| replies.iter().filter(|reply| reply.status == status).count();
        assert_eq!((count(201), count(200)), (1, 31), "{name}");
    }
    assert_eq!(api.get(&format!("/users/{}/wallet", user["user_id"])).await.ok()["wallet"], 7);
    // Of several different records under one identifier, only one is stored.
    let path = format!("/users/{}", id());
    let replies = join_all((0..16).map(|_| async { api.put(&path, &samples::user()).await })).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 201).count(), 1);
    assert!(replies.iter().all(|reply| reply.status == 201 || code(reply) == "record_differs"));
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_record_can_be_stored_again_at_once() {
    let (api, store) = Api::start_with_store();
    let user = api.user().await;
    let home = format!("/users/{}", user["user_id"]);
    let body = json!({"platform_id": user["platform_id"], "name": "Ann"});
    let event = samples::event(&json!({"user_id": user["user_id"]}));
    let event_path = format!("/events/{}", id());
    api.put(&event_path, &event).await.created();
    for _ in 0..2 {
        api.delete(&home).await.ok();
        // Its children arrive after it.
        let child = api.put(&event_path, &event).await;
        child.refused(409);
        assert_eq!(code(&child), "deletion_in_progress");
        api.put(&home, &body).await.created();
        assert_eq!(api.get(&event_path).await.status, 404);
        api.put(&event_path, &event).await.created();
        api.post(&format!("{home}/specimen"), &json!({})).await.created();
        api.post(&format!("{home}/transactions"), &json!({"amount": 3, "description": "back"})).await.created();
        api.put(&home, &body).await.ok();
        // The deletion's last pass keeps everything stored after the deletion.
        run_last_pass(&store).await;
        assert_eq!(api.get(&home).await.ok()["wallet"], 3);
        assert_eq!(api.list(&format!("{home}/events")).await.len(), 1);
        assert_eq!(api.list(&format!("{home}/transactions")).await.len(), 1);
        api.get(&format!("{home}/specimen")).await.ok();
    }
    invariants::check(&store).await;
}

/// Runs the upkeep once the indexes list everything that was stored before a deletion.
async fn run_last_pass(store: &Store) {
    let later = Timestamp::now().checked_add(time::Duration::seconds(31)).expect("a time");
    let report = upkeep::run(store, later, Instant::now() + Duration::from_mins(1)).await.expect("a run");
    assert_eq!(report.deletions_left, 0);
}

/// A request that read the user before the deletion may store an event at any time afterwards.
#[tokio::test(flavor = "multi_thread")]
async fn late_event_of_a_deleted_user_does_not_belong_to_the_next_one() {
    let (api, store) = Api::start_with_store();
    let user = api.user().await;
    let home = format!("/users/{}", user["user_id"]);
    let body = json!({"platform_id": user["platform_id"], "name": "Ann"});
    let event = api.event(&user).await;
    let key = Key::new(&EVENTS, Id::parse(&event["event_id"].to_string()).expect("an identifier"));
    let late = store.get(key).await.expect("the table").expect("an event");
    let store_late = async || {
        let mut write_set = WriteSet::default();
        write_set.create(&late);
        store.commit(&write_set).await.expect("an event");
    };
    let path = format!("/{key}");
    api.delete(&home).await.ok();
    store_late().await;
    api.put(&home, &body).await.created();
    assert_eq!(store.get(key).await.expect("the table"), None, "the import deletes the rest of the user");
    store_late().await;
    assert_eq!(api.get(&path).await.status, 404);
    assert_eq!(api.patch(&path, &json!({"message": "alive"})).await.status, 404);
    assert_eq!(api.delete(&path).await.status, 404);
    assert_eq!(
        code(&api.put(&path, &samples::event(&json!({"user_id": user["user_id"]}))).await),
        "deletion_in_progress"
    );
    assert_eq!(api.list(&format!("{home}/events")).await, Vec::<Value>::new());
    let next = api.event(&user).await;
    run_last_pass(&store).await;
    assert_eq!(store.get(key).await.expect("the table"), None, "the last pass deletes late events");
    assert_eq!(api.list(&format!("{home}/events")).await.len(), 1);
    api.get(&format!("/events/{}", next["event_id"])).await.ok();
    invariants::check(&store).await;
}

/// The record has moved to another document since the deletion.
#[tokio::test(flavor = "multi_thread")]
async fn earlier_deletion_leaves_a_record_that_was_stored_since() {
    let (api, store) = Api::start_with_store();
    let first = id();
    let document = api.document().await;
    let stamps = (first..first + 120).map(|stamp| format!("stamps/{stamp}"));
    let left = Tombstone { items: stamps.collect(), ..Tombstone::default() };
    let mut write_set = WriteSet::default();
    let (old, new) = (first, first + 1);
    api.put(&format!("/stamps/{old}"), &samples::stamp(&document)).await.created();
    tokio::time::sleep(Duration::from_millis(5)).await;
    let pending =
        write_set.add_tombstone(left, Id::new(first).expect("an identifier"), Timestamp::now()).expect("a tombstone");
    store.commit(&write_set).await.expect("a tombstone");
    assert!(pending.is_some());
    tokio::time::sleep(Duration::from_millis(5)).await;
    api.put(&format!("/stamps/{new}"), &samples::stamp(&document)).await.created();
    let later = Timestamp::now().checked_add(time::Duration::minutes(2)).expect("a time");
    upkeep::run(&store, later, Instant::now() + Duration::from_mins(1)).await.expect("a run");
    assert_eq!(api.get(&format!("/stamps/{old}")).await.status, 404);
    assert_eq!(api.get(&format!("/stamps/{new}")).await.status, 200);
}

#[tokio::test]
async fn record_without_a_cascade_can_be_stored_again_at_once() {
    let api = Api::shared();
    let stored = one_of_each(&api).await;
    let (document, event) = (&stored["documents"], &stored["events"]);
    let (document_path, event_path) = (format!("/documents/{}", document.0), format!("/events/{}", event.0));
    api.delete(&event_path).await.ok();
    // The document was deleted with its event.
    assert_eq!(api.put(&event_path, &event.1).await.refused(422), ["/document_id"]);
    api.put(&document_path, &document.1).await.created();
    api.put(&event_path, &event.1).await.created();
    api.put(&format!("/stamps/{}", stored["stamps"].0), &stored["stamps"].1).await.created();
    for name in ["stamps", "documents", "specimens", "inventory", "overlays"] {
        let (id, body) = &stored[name];
        let path = format!("/{name}/{id}");
        api.delete(&path).await.ok();
        api.put(&path, body).await.created();
        if name == "documents" {
            // A new document starts without stamps and accepts some.
            let (stamp, body) = &stored["stamps"];
            api.put(&format!("/stamps/{stamp}"), body).await.created();
            assert_eq!(api.get(&path).await.ok()["stamps"][0]["stamp_id"], *stamp);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn feed_does_not_report_imports() {
    let api = Api::start();
    let before = head(&api).await;
    let stored = one_of_each(&api).await;
    let (event, _) = stored["events"];
    let (stamp, _) = stored["stamps"];
    // Changes of imported records are reported.
    api.patch(&format!("/events/{event}"), &json!({"message": "changed"})).await.ok();
    api.delete(&format!("/stamps/{stamp}")).await.ok();
    let mut kinds = Vec::new();
    for _ in 0..200 {
        let entries = entries_after(&api, before).await;
        kinds =
            entries.iter().map(|entry| format!("{} {}", entry["type"], entry["subject"]).replace('"', "")).collect();
        if kinds.len() >= 2 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    kinds.sort();
    assert_eq!(kinds, [format!("event.updated events/{event}"), format!("stamp.deleted stamps/{stamp}")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn repeated_put_with_its_key_returns_the_first_response() {
    let api = Api::shared();
    let path = format!("/users/{}", id());
    let body = samples::user();
    let send =
        async |key: &str| api.send(api.request(Method::PUT, &path).header("Idempotency-Key", key).json(&body)).await;
    let (one, two) = (samples::unique(), samples::unique());
    let first = send(&one).await;
    first.created();
    assert_eq!((send(&two).await.status.as_u16(), send(&two).await.status.as_u16()), (200, 200));
    api.patch(&path, &json!({"name": "Bob"})).await.ok();
    for (key, status) in [(&one, 201), (&two, 200)] {
        let again = send(key).await;
        assert_eq!((again.status.as_u16(), again.header("idempotent-replayed")), (status, "true"));
        assert_eq!(again.bytes, first.bytes);
    }
    assert_eq!(code(&send(&samples::unique()).await), "record_differs");
}

#[tokio::test(flavor = "multi_thread")]
async fn put_needs_the_scope_import() {
    let (api, folder) = stack_with_tokens();
    let path = format!("/users/{}", id());
    let body = samples::user();
    for (scope, status) in [("read", 403), ("write", 403), ("overlay", 403), ("import", 201)] {
        let token = crate::api::tokens::make(folder.path(), scope);
        let put = api.send(api.request(Method::PUT, &path).bearer_auth(&token).json(&body)).await;
        assert_eq!(put.status, status, "{scope}");
        if status == 403 {
            assert!(put.header("www-authenticate").contains(r#"scope="import""#), "{scope}");
        } else {
            let post = api.send(api.request(Method::POST, "/users").bearer_auth(&token).json(&samples::user())).await;
            assert_eq!(post.status, 201, "import includes every request");
        }
    }
    let write = crate::api::tokens::make(folder.path(), "write");
    let stamps = api.send(api.request(Method::PUT, "/stamps").bearer_auth(&write).json(&json!([]))).await;
    assert_eq!(stamps.status, 201, "a list of new stamps is not an import");
    api.send(api.request(Method::PUT, &path).json(&body)).await.refused(401);
}

#[test]
fn each_resource_comes_after_those_it_refers_to() {
    let order = resources::in_order_of_references();
    assert_eq!(order.len(), catalogue::parents_first().len());
    let position = |resource: &Resource| order.iter().position(|other| *other == resource);
    for resource in resources::ALL {
        for (_, to) in resources::references(resource) {
            assert!(position(to) < position(resource), "{} refers to {}", resource.name, to.name);
        }
    }
}
