//! Tests of many concurrent clients: the rules hold, and no request fails unnecessarily.

use end_to_end::{Api, Reply, samples};
use futures_util::future::join_all;
use serde_json::{Value, json};

const CLIENTS: usize = 32;

async fn at_once<F: Future<Output = Reply>>(request: impl Fn(usize) -> F) -> Vec<Reply> {
    join_all((0..CLIENTS).map(request)).await
}

fn count(replies: &[Reply], status: u16) -> usize {
    replies.iter().filter(|reply| reply.status == status).count()
}

#[tokio::test]
async fn concurrent_posts_of_one_user_succeed_once() {
    let (api, body) = (Api::shared(), samples::user());
    let replies = at_once(|_| api.post("/users", &body)).await;
    assert_eq!((count(&replies, 201), count(&replies, 409)), (1, CLIENTS - 1));
}

#[tokio::test]
async fn concurrent_events_of_a_new_user_create_one_user() {
    let api = Api::shared();
    let platform_id = samples::unique();
    let body = samples::event(&json!({"user": {"platform_id": platform_id, "name": "Ann"}}));
    let replies = at_once(|_| api.post("/events", &body)).await;
    let users: std::collections::BTreeSet<_> =
        replies.iter().map(|reply| reply.created()["user_id"].as_u64()).collect();
    assert_eq!(users.len(), 1);
    assert_eq!(api.list(&format!("/users?platform_id={platform_id}")).await.len(), 1);
}

#[tokio::test]
async fn concurrent_transactions_of_one_wallet_add_up() {
    let api = Api::shared();
    let home = format!("/users/{}", api.user().await["user_id"]);
    let pay = |client: usize| {
        let amount = i64::try_from(client).expect("small") - 7;
        let (api, path) = (api.clone(), format!("{home}/transactions"));
        async move { api.post(&path, &json!({"amount": amount, "description": "x"})).await }
    };
    let expected: i64 =
        at_once(pay).await.iter().map(|reply| reply.created()["amount"].as_i64().expect("an amount")).sum();
    assert_eq!(api.get(&format!("{home}/wallet")).await.ok()["wallet"], expected);
}

#[tokio::test]
async fn concurrent_specimens_of_a_user_leave_one_active() {
    let api = Api::shared();
    let home = format!("/users/{}", api.user().await["user_id"]);
    let (path, body) = (format!("{home}/specimens"), json!({}));
    let replies = at_once(|_| api.post(&path, &body)).await;
    assert_eq!((count(&replies, 201), count(&replies, 409)), (1, CLIENTS - 1));
    assert_eq!(api.list(&format!("{home}/specimens?forgotten=false")).await.len(), 1);
}

#[tokio::test]
async fn concurrent_events_attach_a_document_once() {
    let api = Api::shared();
    let (user, document) = (api.user().await, api.document().await);
    let body = samples::event(&json!({"user_id": user["user_id"], "document_id": document["document_id"]}));
    let replies = at_once(|_| api.post("/events", &body)).await;
    assert_eq!((count(&replies, 201), count(&replies, 409)), (1, CLIENTS - 1));
    assert_eq!(api.list(&format!("/events?document_id={}", document["document_id"])).await.len(), 1);
}

#[tokio::test]
async fn attaching_a_document_loses_no_concurrent_stamp() {
    let api = Api::shared();
    let (user, document) = (api.user().await, api.document().await);
    let stamp = samples::stamp(&document);
    let event = samples::event(&json!({"user_id": user["user_id"], "document_id": document["document_id"]}));
    let (stamps, event) = tokio::join!(at_once(|_| api.post("/stamps", &stamp)), api.post("/events", &event));
    assert_eq!(count(&stamps, 201), CLIENTS);
    let event = api.get(&format!("/events/{}", event.created()["event_id"])).await.ok();
    assert_eq!(event["document"]["stamps"].as_array().expect("a list").len(), CLIENTS);
    let round_trips = api.get(&format!("/events/{}", event["event_id"])).await.cost().0;
    assert_eq!(round_trips, 3, "the event, then its document with what that keeps, then the stamps");
}

#[tokio::test]
async fn deletion_of_a_user_leaves_no_concurrent_events() {
    let api = Api::shared();
    let user = api.user().await;
    let home = format!("/users/{}", user["user_id"]);
    let path = format!("{home}/events");
    let body = samples::event(&json!({"document": samples::document()}));
    let (created, deleted) = tokio::join!(at_once(|_| api.post(&path, &body)), api.delete(&home));
    deleted.ok();
    for reply in created {
        assert!(matches!(reply.status.as_u16(), 201 | 404), "{}", reply.status);
        if reply.status == 201 {
            let event: Value = reply.json();
            api.get(&format!("/events/{}", event["event_id"])).await.refused(404);
            api.get(&format!("/documents/{}", event["document_id"])).await.refused(404);
        }
    }
    assert!(api.list(&format!("/events?user_id={}", user["user_id"])).await.is_empty());
}

#[tokio::test]
async fn upsert_during_deletion_of_the_user_succeeds() {
    let api = Api::shared();
    for _ in 0..5 {
        let user = api.user().await;
        let given = json!({"platform_id": user["platform_id"], "name": "u"});
        let event = samples::event(&json!({"user": given}));
        let item = json!({"name": "x", "owner": given});
        let home = format!("/users/{}", user["user_id"]);
        let (events, items, deleted) = tokio::join!(
            at_once(|_| api.post("/events", &event)),
            at_once(|_| api.post("/inventory", &item)),
            api.delete(&home)
        );
        deleted.ok();
        assert_eq!((count(&events, 201), count(&items, 201)), (CLIENTS, CLIENTS));
    }
}

#[tokio::test]
async fn concurrent_patches_of_different_fields_all_apply() {
    let api = Api::shared();
    let document = api.document().await;
    let path = format!("/documents/{}", document["document_id"]);
    let bodies =
        [json!({"seal": 1}), json!({"metadata": "m"}), json!({"document_data": samples::document()["document_data"]})];
    let replies = at_once(|client| api.patch(&path, &bodies[client % 3])).await;
    assert_eq!(count(&replies, 200), CLIENTS);
    let rendered = api.get(&path).await.ok();
    assert_eq!((&rendered["seal"], &rendered["metadata"]), (&json!(1), &json!("m")));
    assert_eq!(api.get(rendered["document_data"].as_str().expect("a URL")).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_reads_return_a_consistent_record() {
    let api = Api::shared();
    let (user, one, two) = (api.user().await, api.document().await, api.document().await);
    let stamp = api.post("/stamps", &samples::stamp(&one)).await.created();
    let path = format!("/stamps/{}", stamp["stamp_id"]);
    let home = format!("/users/{}", user["user_id"]);
    let born = json!({"born_at": "2020-01-01T00:00:00Z"});
    let pet = api.post(&format!("{home}/specimen"), &born).await.created();
    let pet = format!("/specimens/{}", pet["specimen_id"]);
    let writer = async {
        for turn in 0..60 {
            let to = if turn % 2 == 0 { &two } else { &one };
            api.patch(&path, &json!({"document_id": to["document_id"]})).await.ok();
            let forgotten = if turn % 2 == 0 { json!("2021-01-01T00:00:00Z") } else { json!(null) };
            api.patch(&pet, &json!({"forgotten_at": forgotten})).await.ok();
        }
    };
    let reader = async |path: String, check: fn(&Value)| {
        for _ in 0..150 {
            check(&api.get(&path).await.ok());
        }
    };
    let on_it = |document: &Value| {
        let stamps = document["stamps"].as_array().expect("a list");
        assert!(stamps.iter().all(|stamp| stamp["document_id"] == document["document_id"]), "{document}");
    };
    let active =
        |user: &Value| assert!(user["specimen"].is_null() || user["specimen"]["forgotten_at"].is_null(), "{user}");
    tokio::join!(
        writer,
        reader(format!("/documents/{}", one["document_id"]), on_it),
        reader(format!("/documents/{}", two["document_id"]), on_it),
        reader(home, active),
    );
    let stamps = [&one, &two].map(|document| format!("/documents/{}/stamps", document["document_id"]));
    let counts = [api.list(&stamps[0]).await.len(), api.list(&stamps[1]).await.len()];
    assert_eq!(counts.iter().sum::<usize>(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn specimen_of_a_user_is_owned_and_active_during_moves() {
    let api = Api::shared();
    for turn in 0..40 {
        let (from, to) = (api.user().await, api.user().await);
        let home = format!("/users/{}/specimen", from["user_id"]);
        let specimen = api.post(&home, &json!({"born_at": "2020-01-01T00:00:00Z"})).await.created();
        let change = if turn % 2 == 0 {
            json!({"owner_id": to["user_id"]})
        } else {
            json!({"forgotten_at": "2021-01-01T00:00:00Z"})
        };
        let path = format!("/specimens/{}", specimen["specimen_id"]);
        let (rendered, deleted, _) = tokio::join!(api.get(&home), api.delete(&home), api.patch(&path, &change));
        for reply in [rendered, deleted].into_iter().filter(|reply| reply.status != 404) {
            let specimen = reply.ok();
            assert_eq!((&specimen["owner_id"], &specimen["forgotten_at"]), (&from["user_id"], &Value::Null));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_upserts_and_renames_keep_platform_ids_unique() {
    let api = Api::shared();
    for _ in 0..6 {
        let user = api.user().await;
        let home = format!("/users/{}", user["user_id"]);
        let values = [user["platform_id"].as_str().expect("a text").to_owned(), samples::unique()];
        let rename = json!({"platform_id": values[1]});
        let back = json!({"platform_id": values[0]});
        let events: Vec<_> = (0..56)
            .map(|turn| json!({"user": {"platform_id": values[0], "name": format!("name {turn}")}}))
            .map(|user| samples::event(&user))
            .collect();
        let changes = join_all((0..8).map(|turn| api.patch(&home, if turn % 2 == 0 { &rename } else { &back })));
        let (renamed, created) = tokio::join!(changes, join_all(events.iter().map(|event| api.post("/events", event))));
        assert!(renamed.iter().all(|reply| [200, 409].contains(&reply.status.as_u16())));
        let users: std::collections::BTreeSet<_> =
            created.iter().map(|reply| reply.created()["user_id"].as_u64().expect("an identifier")).collect();
        let mut seen = std::collections::BTreeSet::new();
        for id in users.into_iter().chain(user["user_id"].as_u64()).collect::<std::collections::BTreeSet<_>>() {
            let rendered = api.get(&format!("/users/{id}")).await.ok();
            let platform_id = rendered["platform_id"].as_str().expect("a text").to_owned();
            let found = api.list(&format!("/users?platform_id={platform_id}")).await;
            assert_eq!(found.iter().map(|user| &user["user_id"]).collect::<Vec<_>>(), [&rendered["user_id"]]);
            assert!(seen.insert(platform_id), "two users with one platform_id");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_return_documents_with_all_their_stamps() {
    let api = Api::start();
    let stamp = json!({"stamp_type": "x", "pos_x": 1, "pos_y": 1, "rotation": 0});
    let body = samples::merged(samples::document(), &json!({"stamps": [stamp, stamp, stamp]}));
    let writer = async {
        for _ in 0..60 {
            let document = api.post("/documents", &body).await.created();
            api.delete(&format!("/documents/{}", document["document_id"])).await.ok();
        }
    };
    let reader = async || {
        for _ in 0..120 {
            for document in api.get("/documents").await.ok().as_array().expect("a list") {
                assert_eq!(document["stamps"].as_array().map(Vec::len), Some(3), "{document}");
            }
        }
    };
    tokio::join!(writer, reader(), reader(), reader());
}
