//! Tests of `/stamps`, standalone and on documents.

use std::time::{Duration, Instant};

use end_to_end::{Api, samples};
use serde_json::{Value, json};

#[tokio::test]
async fn stamp_is_created_read_updated_and_deleted() {
    let api = Api::shared();
    let document = api.document().await;
    let reply = api.post("/stamps", &samples::stamp(&document)).await;
    let stamp = reply.created();
    let path = format!("/stamps/{}", stamp["stamp_id"]);
    assert_eq!(reply.location(), path);
    assert_eq!(api.get(&path).await.ok(), stamp);
    let changed = api.patch(&path, &json!({"pos_x": 9, "stamp_type": "", "rotation": -1e-300})).await.ok();
    assert_eq!(changed, samples::merged(stamp, &json!({"pos_x": 9, "stamp_type": "", "rotation": -1e-300})));
    assert_eq!(api.get(&format!("/documents/{}", document["document_id"])).await.ok()["stamps"], json!([changed]));
    assert_eq!(api.delete(&path).await.ok(), changed);
    api.get(&path).await.refused(404);
    assert_eq!(api.get(&format!("/documents/{}", document["document_id"])).await.ok()["stamps"], json!([]));
}

#[tokio::test]
async fn put_stamps_stores_all_or_none() {
    let api = Api::shared();
    let (one, two) = (api.document().await, api.document().await);
    let both = json!([samples::stamp(&one), samples::stamp(&two), samples::stamp(&one)]);
    let created = api.put("/stamps", &both).await.created();
    assert_eq!(created.as_array().expect("a list").len(), 3);
    assert_eq!(stamps_on(&api, &one).await, 2);
    let broken = json!([samples::stamp(&one), samples::stamp(&json!({"document_id": 5}))]);
    assert_eq!(api.put("/stamps", &broken).await.refused(422), ["/1/document_id"]);
    let broken = json!([samples::stamp(&one), {"pos_x": "x"}, 5]);
    let wrong = api.put("/stamps", &broken).await.refused(422);
    assert_eq!(wrong, ["/1/document_id", "/1/stamp_type", "/1/pos_x", "/1/pos_y", "/1/rotation", "/2"]);
    let single = json!([samples::stamp(&json!({"document_id": 5}))]);
    assert_eq!(api.put("/stamps", &single).await.refused(422), ["/0/document_id"]);
    assert_eq!(stamps_on(&api, &one).await, 2);
    assert_eq!(api.put("/stamps", &json!([])).await.created(), json!([]));
}

#[tokio::test]
async fn put_stamps_accepts_at_most_80_stamps_on_10_documents() {
    let api = Api::shared();
    let event = api.event(&api.user().await).await;
    let document = api.post(&format!("/events/{}/document", event["event_id"]), &samples::document()).await.created();
    let path = format!("/documents/{}/stamps", document["document_id"]);
    api.put(&path, &json!(vec![samples::stamp(&document); 80])).await.created();
    let mut many = vec![samples::stamp(&document); 81];
    assert_eq!(api.put(&path, &json!(many)).await.refused(422), [""]);
    many[2]["pos_x"] = json!("x");
    many[80] = json!({});
    let wrong = api.put(&path, &json!(many)).await.refused(422);
    for pointer in ["", "/2/pos_x", "/80/stamp_type"] {
        assert_eq!(wrong.iter().filter(|one| *one == pointer).count(), 1, "{pointer} in {wrong:?}");
    }
    assert_eq!(api.list(&path).await.len(), 80);
    let many: Vec<Value> = (1..=11).map(|id| samples::stamp(&json!({"document_id": id}))).collect();
    let wrong = api.put("/stamps", &json!(many)).await.refused(422);
    assert!(wrong.len() == 12 && wrong[0].is_empty() && wrong[11] == "/10/document_id", "{wrong:?}");
    let stamps = vec![json!({"stamp_type": "a", "pos_x": 0, "pos_y": 0, "rotation": 0}); 81];
    let body = samples::merged(samples::document(), &json!({"stamps": stamps}));
    assert_eq!(api.post("/documents", &body).await.refused(422), ["/stamps"]);
    let rendered = api.get(&format!("/events/{}", event["event_id"])).await.ok();
    assert_eq!(rendered["document"]["stamps"].as_array().expect("a list").len(), 80);
}

#[tokio::test]
async fn put_80_stamps_on_10_documents_of_events_succeeds() {
    let api = Api::shared();
    let user = api.user().await["user_id"].clone();
    let mut stamps = Vec::new();
    for _ in 0..10 {
        let event = api
            .post("/events", &samples::event(&json!({"user_id": user, "document": samples::document()})))
            .await
            .created();
        stamps.extend(vec![samples::stamp(&event["document"]); 8]);
    }
    assert_eq!(api.put("/stamps", &json!(stamps)).await.created().as_array().expect("a list").len(), 80);
}

#[tokio::test]
async fn document_has_at_most_1000_stamps() {
    let api = Api::shared();
    let document = api.document().await;
    let path = format!("/documents/{}/stamps", document["document_id"]);
    for count in [80; 12].into_iter().chain([39]) {
        api.put(&path, &json!(vec![samples::stamp(&document); count])).await.created();
    }
    assert_eq!(api.put(&path, &json!(vec![samples::stamp(&document); 2])).await.refused(422)[0], "/1");
    let last = api.post(&path, &samples::stamp(&document)).await.created();
    api.post(&path, &samples::stamp(&document)).await.refused(422);
    assert_eq!(stamps_on(&api, &document).await, 1000);
    api.delete(&format!("/documents/{}", document["document_id"])).await.ok();
    // On a busy machine, the upkeep deletes the rest.
    let last = format!("/stamps/{}", last["stamp_id"]);
    let listed = format!("/stamps?document_id={}", document["document_id"]);
    let deadline = Instant::now() + Duration::from_mins(2);
    while Instant::now() < deadline && (api.get(&last).await.status != 404 || !api.list(&listed).await.is_empty()) {
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    api.get(&last).await.refused(404);
    assert!(api.list(&listed).await.is_empty());
}

#[tokio::test]
async fn patch_document_id_moves_a_stamp() {
    let api = Api::shared();
    let event = api.event(&api.user().await).await;
    let from = api.post(&format!("/events/{}/document", event["event_id"]), &samples::document()).await.created();
    let to = api.document().await;
    let stamp = api.post("/stamps", &samples::stamp(&from)).await.created();
    let path = format!("/stamps/{}", stamp["stamp_id"]);
    let moved = api.patch(&path, &json!({"document_id": to["document_id"]})).await.ok();
    assert_eq!(moved["document_id"], to["document_id"]);
    assert_eq!((stamps_on(&api, &from).await, stamps_on(&api, &to).await), (0, 1));
    assert_eq!(api.get(&format!("/events/{}", event["event_id"])).await.ok()["document"]["stamps"], json!([]));
    assert_eq!(api.patch(&path, &json!({"document_id": 5})).await.refused(422), ["/document_id"]);
    assert_eq!(api.patch(&path, &json!({"document_id": null})).await.refused(422), ["/document_id"]);
    api.patch(&path, &json!({"document_id": from["document_id"]})).await.ok();
    let rendered = api.get(&format!("/events/{}", event["event_id"])).await.ok();
    assert_eq!(rendered["document"]["stamps"][0]["stamp_id"], stamp["stamp_id"]);
}

async fn stamps_on(api: &Api, document: &Value) -> usize {
    let document = api.get(&format!("/documents/{}", document["document_id"])).await.ok();
    document["stamps"].as_array().expect("a list").len()
}

#[tokio::test]
async fn pointers_count_the_elements_that_are_no_records() {
    let api = Api::shared();
    let missing = json!({"document_id": 1, "stamp_type": "a", "pos_x": 1, "pos_y": 1, "rotation": 1});
    let reply = api.put("/stamps", &json!([5, null, missing])).await;
    assert_eq!(reply.refused(422), ["/0", "/1", "/2/document_id"]);
}
