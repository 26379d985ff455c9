//! Tests of long texts, which are stored out of line: rendered with their record, matched by filters, and deleted with
//! it.

use std::collections::BTreeSet;

use capture_core::resources::{DOCUMENTS, EVENTS, INVENTORY, TRANSACTIONS};
use capture_core::schema::{Id, Key, OutOfLine, Resource};
use capture_core::store::{Consistency, Store};
use capture_core::table::{ReadSet, text_key};
use end_to_end::{Api, samples};
use futures_util::future::join_all;
use serde_json::{Value, json};

fn long(character: &str) -> String {
    character.repeat(30_000)
}

/// Returns true if the table has this long text of a record.
async fn has(store: &Store, resource: &'static Resource, id: &Value, text: &str) -> bool {
    let key = Key::new(resource, Id::new(id.as_u64().expect("an identifier")).expect("an identifier"));
    let pk = text_key(key, &OutOfLine::of(text, 0));
    let read_set = ReadSet { texts: BTreeSet::from([pk.clone()]), ..ReadSet::default() };
    let snapshot = store.for_request().load(&read_set, Consistency::Strong).await.expect("the table");
    snapshot.texts.get(&pk).is_some_and(|found| found == text)
}

#[tokio::test]
async fn long_text_is_rendered_wherever_its_record_is() {
    let api = Api::start();
    let user = api.user().await;
    let home = format!("/users/{}", user["user_id"]);
    let (message, metadata, thing) = (long("é"), long("\u{1}"), long("t"));
    let document = samples::merged(samples::document(), &json!({"metadata": metadata}));
    let body = samples::event(&json!({"message": message, "document": document}));
    let event = api.post(&format!("{home}/events"), &body).await.created();
    api.post(&format!("{home}/inventory"), &json!({"name": "x", "metadata": thing})).await.created();
    api.post(&format!("{home}/transactions"), &json!({"amount": 1, "description": message})).await.created();
    assert_eq!((&event["message"], &event["document"]["metadata"]), (&json!(message), &json!(metadata)));
    let path = format!("/events/{}", event["event_id"]);
    for rendered in [api.get(&path).await.ok(), api.get("/events").await.ok()[0].clone()] {
        assert_eq!(rendered, event);
    }
    assert_eq!(api.get("/documents").await.ok()[0]["metadata"], metadata);
    assert_eq!(api.get(&format!("{path}/document")).await.ok()["metadata"], metadata);
    for rendered in [api.get(&home).await.ok(), api.get("/users").await.ok()[0].clone()] {
        assert_eq!(rendered["inventory"][0]["metadata"], thing);
    }
    assert_eq!(api.get(&format!("{home}/transactions")).await.ok()[0]["description"], message);
    // Both sides of the threshold.
    for length in [1_023, 1_024, 1_025] {
        let text = "x".repeat(length);
        let event = api.post(&format!("{home}/events"), &samples::event(&json!({"message": text}))).await.created();
        assert_eq!(api.get(&format!("/events/{}", event["event_id"])).await.ok()["message"], text);
    }
}

#[tokio::test]
async fn filter_matches_a_long_text_exactly() {
    let api = Api::start();
    let user = api.user().await;
    let home = format!("/users/{}", user["user_id"]);
    let (one, other) = ("a".repeat(3_000), format!("{}b", "a".repeat(2_999)));
    for text in [&one, &other] {
        let paid = json!({"amount": 5, "description": text, "reference": "same"});
        api.post(&format!("{home}/transactions"), &paid).await.created();
        api.post("/documents", &samples::merged(samples::document(), &json!({"metadata": text}))).await.created();
    }
    for path in [
        format!("/transactions?description={one}"),
        format!("/transactions?reference=same&description={one}"),
        format!("{home}/transactions?amount=5&description={one}"),
        format!("/documents?metadata={one}"),
        format!("/documents?seal=7&metadata={one}"),
    ] {
        let found = api.list(&path).await;
        assert_eq!(found.len(), 1, "{}", &path[..40]);
        assert!([&found[0]["description"], &found[0]["metadata"]].contains(&&json!(one)));
    }
}

#[tokio::test]
async fn long_text_is_deleted_when_replaced_or_with_its_record() {
    let (api, store) = Api::start_with_store();
    let user = api.user().await;
    let home = format!("/users/{}", user["user_id"]);
    let (first, second) = (long("1"), long("2"));
    let event = api.post(&format!("{home}/events"), &samples::event(&json!({"message": first}))).await.created();
    let (id, path) = (&event["event_id"], format!("/events/{}", event["event_id"]));
    assert!(has(&store, &EVENTS, id, &first).await);
    assert_eq!(api.patch(&path, &json!({"message": second})).await.ok()["message"], second);
    assert!(!has(&store, &EVENTS, id, &first).await && has(&store, &EVENTS, id, &second).await);
    assert_eq!(api.patch(&path, &json!({"message": "short"})).await.ok()["message"], "short");
    assert!(!has(&store, &EVENTS, id, &second).await);
    api.patch(&path, &json!({"message": first})).await.ok();
    assert_eq!(api.delete(&path).await.ok()["message"], first);
    assert!(!has(&store, &EVENTS, id, &first).await);
    // A long text is also deleted with its parent.
    let document = samples::merged(samples::document(), &json!({"metadata": first}));
    let event =
        api.post(&format!("{home}/events"), &samples::event(&json!({"message": first, "document": document}))).await;
    let event = event.created();
    let item = api.post(&format!("{home}/inventory"), &json!({"name": "x", "metadata": first})).await.created();
    let paid = api.post(&format!("{home}/transactions"), &json!({"amount": 1, "description": first})).await.created();
    let texts: [(&'static Resource, &Value); 4] = [
        (&EVENTS, &event["event_id"]),
        (&DOCUMENTS, &event["document_id"]),
        (&INVENTORY, &item["item_id"]),
        (&TRANSACTIONS, &paid["transaction_id"]),
    ];
    for (resource, id) in texts {
        assert!(has(&store, resource, id, &first).await, "{}", resource.name);
    }
    api.delete(&home).await.ok();
    for (resource, id) in texts {
        assert!(!has(&store, resource, id, &first).await, "{}", resource.name);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_read_returns_the_old_or_the_new_long_text() {
    let api = Api::start();
    let user = api.user().await;
    let home = format!("/users/{}", user["user_id"]);
    let texts = [long("1"), long("2"), "short".to_owned()];
    let event = api.post(&format!("{home}/events"), &samples::event(&json!({"message": texts[0]}))).await.created();
    let path = format!("/events/{}", event["event_id"]);
    let writer = async {
        for turn in 0..60 {
            assert_eq!(api.patch(&path, &json!({"message": texts[turn % 3]})).await.status, 200);
        }
    };
    let reader = |list: bool| {
        let (api, path, home, texts) = (api.clone(), path.clone(), home.clone(), texts.clone());
        async move {
            for _ in 0..60 {
                let rendered = if list {
                    api.get(&format!("{home}/events")).await.ok()[0]["message"].clone()
                } else {
                    api.get(&path).await.ok()["message"].clone()
                };
                assert!(texts.iter().any(|text| rendered == json!(text)), "{}", rendered.to_string().len());
            }
        }
    };
    let readers = join_all([false, true, false, true].map(reader));
    futures_util::future::join(writer, readers).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn patch_during_a_long_text_change_does_not_return_404() {
    let api = Api::start();
    let Value::Object(user) = api.user().await else { panic!("a user") };
    let body = json!({"user_id": user["user_id"], "event_type": "subscriber", "tier": 1, "subscribed_length": 1, "message": long("1")});
    let event = api.post("/events", &samples::event(&body)).await.created();
    let path = format!("/events/{}", event["event_id"]);
    let texts = [long("1"), long("2"), "short".to_owned(), "x".repeat(2_000)];
    let writer = async {
        for turn in 0..60 {
            assert_eq!(api.patch(&path, &json!({"message": texts[turn % 4]})).await.status, 200);
        }
    };
    let other = async {
        for turn in 0..60 {
            let reply = api.patch(&path, &json!({"tier": turn})).await;
            assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.bytes));
            assert!(texts.iter().any(|text| reply.ok()["message"] == json!(text)));
        }
    };
    futures_util::future::join(writer, other).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_changes_keep_the_byte_count_of_a_user_exact() {
    let api = Api::start();
    let home = format!("/users/{}", api.user().await["user_id"]);
    let lengths = [1, 10, 1_024, 1_025, 5_000, 30_000, 99_999, 100_000];
    let item = api.post(&format!("{home}/inventory"), &json!({"name": "x", "metadata": "m".repeat(60_000)})).await;
    let path = format!("/inventory/{}", item.created()["item_id"]);
    for turn in 0..40usize {
        let both = [turn * 7 % 8, turn * 5 % 8].map(|position| {
            let change = if turn % 3 == 0 {
                json!({"name": "n".repeat(position + 1)})
            } else {
                json!({"metadata": "m".repeat(lengths[position])})
            };
            let (api, path) = (&api, &path);
            async move { api.patch(path, &change).await }
        });
        for reply in join_all(both).await {
            assert_eq!(reply.status, 200, "{turn}: {}", String::from_utf8_lossy(&reply.bytes));
        }
    }
    for length in lengths {
        api.patch(&path, &json!({"metadata": "q".repeat(length)})).await.ok();
    }
    api.delete(&path).await.ok();
    // As many items fit as in the inventory of a user who never had any.
    let heavy = json!({"name": "x", "metadata": "m".repeat(100_000)});
    for _ in 0..19 {
        api.post(&format!("{home}/inventory"), &heavy).await.created();
    }
    api.post(&format!("{home}/inventory"), &heavy).await.refused(422);
}
