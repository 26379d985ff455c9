//! Tests of store faults: calls are retried within bounds, and no write is lost or duplicated.

use end_to_end::faults::Faults;
use end_to_end::{Api, Reply, samples};
use futures_util::future::join_all;
use serde_json::{Value, json};

async fn pay_often(api: &Api, home: &str, times: usize) -> Vec<Reply> {
    let (path, body) = (format!("{home}/transactions"), json!({"amount": 1, "description": "x"}));
    join_all((0..times).map(|_| api.post(&path, &body))).await
}

async fn user(api: &Api) -> Value {
    loop {
        let reply = api.post("/users", &samples::user()).await;
        if reply.status == 201 {
            return reply.json();
        }
    }
}

#[tokio::test]
async fn transaction_conflicts_are_retried_until_they_succeed() {
    // Half of the transactions conflict. Clients do not notice.
    let api = Api::faulty(Faults { conflicts: 2, ..Faults::default() });
    let home = format!("/users/{}", user(&api).await["user_id"]);
    let paid = pay_often(&api, &home, 32).await;
    assert!(paid.iter().all(|reply| reply.status == 201));
    assert_eq!(api.get(&format!("{home}/wallet")).await.ok()["wallet"], 32);
}

#[tokio::test]
async fn lost_responses_do_not_duplicate_transactions() {
    let api = Api::faulty(Faults { lost_answers: 3, ..Faults::default() });
    let home = format!("/users/{}", user(&api).await["user_id"]);
    let paid = pay_often(&api, &home, 30).await;
    let acknowledged: Vec<_> =
        paid.iter().filter(|reply| reply.status == 201).map(|reply| reply.json()["transaction_id"].clone()).collect();
    let stored = api.list(&format!("{home}/transactions")).await;
    assert!(acknowledged.iter().all(|id| stored.iter().filter(|paid| paid["transaction_id"] == *id).count() == 1));
    assert!(stored.len() <= 30 && acknowledged.len() > 15, "{} of {}", acknowledged.len(), stored.len());
    assert_eq!(api.get(&format!("{home}/wallet")).await.ok()["wallet"], stored.len());
}

#[tokio::test]
async fn lost_response_never_deletes_the_image_of_a_record() {
    // Every response is lost. For a single write, the item shows the result. For a transaction, the client gets an
    // error, and each stored record is complete.
    let api = Api::faulty(Faults { lost_answers: 1, ..Faults::default() });
    let document = api.post("/documents", &samples::document()).await.created();
    let event = samples::event(&json!({"user": samples::user(), "document": samples::document()}));
    let reply = api.post("/events", &event).await;
    reply.refused(503);
    assert_eq!(reply.header("retry-after"), "1");
    let stored = api.list("/documents").await;
    assert_eq!(stored.len(), 2);
    assert!(stored.contains(&document));
    for document in stored {
        assert_eq!(api.get(document["document_data"].as_str().expect("a URL")).await.bytes, samples::png(2, 2));
    }
}

#[tokio::test]
async fn single_write_with_a_lost_response_succeeds_once() {
    let api = Api::faulty(Faults { lost_answers: 3, ..Faults::default() });
    for seal in 1..20 {
        let document = api.post("/documents", &samples::document()).await.created();
        let path = format!("/documents/{}", document["document_id"]);
        assert_eq!(api.patch(&path, &json!({"seal": seal})).await.ok()["seal"], seal);
        assert_eq!(api.get(&path).await.ok()["seal"], seal);
        assert_eq!(api.list("/documents").await.len(), seal);
    }
}

#[tokio::test]
async fn throttled_calls_are_retried_and_then_return_503() {
    let api = Api::faulty(Faults { throttled: 4, ..Faults::default() });
    let body = samples::event(&json!({"user": samples::user()}));
    let events = join_all((0..16).map(|_| api.post("/events", &body))).await;
    assert!(events.iter().all(|reply| matches!(reply.status.as_u16(), 201 | 503)));
    let api = Api::faulty(Faults { throttled: 1, ..Faults::default() });
    let refused = api.get("/users/5").await;
    refused.refused(503);
    assert_eq!(refused.header("retry-after"), "1");
}

#[tokio::test]
async fn deletion_with_a_stale_index_deletes_exactly_the_children() {
    let api = Api::faulty(Faults { stale_indexes: true, ..Faults::default() });
    let (from, to) = (api.user().await, api.user().await);
    let home = format!("/users/{}", from["user_id"]);
    let specimen = api.post(&format!("{home}/specimen"), &json!({})).await.created();
    let event = api.event(&from).await;
    // From here on, the indexes return the specimen with its first owner and the event without a document.
    for list in ["specimens", "events"] {
        assert_eq!(api.get(&format!("{home}/{list}?order=asc")).await.ok().as_array().expect("a list").len(), 1);
    }
    api.patch(&format!("{home}/specimen"), &json!({"owner_id": to["user_id"]})).await.ok();
    let document = api.post(&format!("/events/{}/document", event["event_id"]), &samples::document()).await.created();
    api.delete(&home).await.ok();
    let active = api.get(&format!("/users/{}/specimen", to["user_id"])).await.ok();
    assert_eq!(active["specimen_id"], specimen["specimen_id"]);
    for gone in [
        format!("/events/{}", event["event_id"]),
        format!("/documents/{}", document["document_id"]),
        document["document_data"].as_str().expect("a URL").to_owned(),
    ] {
        assert_eq!(api.get(&gone).await.status, 404, "{gone}");
    }
}

#[tokio::test]
async fn list_skips_deleted_records_of_a_stale_index() {
    let api = Api::faulty(Faults { stale_indexes: true, ..Faults::default() });
    let (older, newer) = (api.document().await, api.document().await);
    for (document, stamps) in [(&older, 1), (&newer, 5)] {
        let stamps = json!(vec![samples::stamp(document); stamps]);
        api.put(&format!("/documents/{}/stamps", document["document_id"]), &stamps).await.created();
    }
    let path = "/documents?stamp_type=heart&limit=1";
    assert_eq!(api.get(path).await.ok()[0]["document_id"], newer["document_id"]);
    api.delete(&format!("/documents/{}", newer["document_id"])).await.ok();
    assert_eq!(api.get(path).await.ok()[0]["document_id"], older["document_id"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn unreachable_bucket_fails_only_image_uploads() {
    let api = Api::faulty(Faults { no_bucket: true, ..Faults::default() });
    let user = api.user().await;
    let event = api.event(&user).await;
    let with_document = samples::event(&json!({"user_id": user["user_id"], "document": samples::document()}));
    for (path, body) in [
        ("/documents".to_owned(), samples::document()),
        ("/events".to_owned(), with_document),
        (format!("/events/{}/document", event["event_id"]), samples::document()),
    ] {
        let request = api.request(reqwest::Method::POST, &path).header("Idempotency-Key", samples::unique());
        let reply = api.send(request.json(&body)).await;
        reply.refused(503);
        assert!(!reply.header("retry-after").is_empty(), "{path}");
    }
    assert!(api.list("/documents").await.is_empty());
    assert_eq!(api.list("/events").await, [api.get(&format!("/events/{}", event["event_id"])).await.ok()]);
    api.delete(&format!("/users/{}", user["user_id"])).await.ok();
}
