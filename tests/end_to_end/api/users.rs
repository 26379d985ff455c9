//! Tests of `/users`, and of a user's records.

use end_to_end::{Api, samples};
use serde_json::json;

#[tokio::test]
async fn post_user_returns_location_and_no_details() {
    let api = Api::shared();
    let reply = api.post("/users", &json!({"platform_id": samples::unique(), "name": "Zoë 🦀\u{0}"})).await;
    let user = reply.created();
    assert_eq!(reply.header("location"), format!("/users/{}", user["user_id"]));
    assert_eq!(user["name"], "Zoë 🦀\u{0}");
    assert_eq!(
        user.as_object().expect("an object").keys().collect::<Vec<_>>(),
        ["user_id", "platform_id", "name", "created_at"]
    );
}

#[tokio::test]
async fn get_user_returns_its_details() {
    let api = Api::shared();
    let user = api.user().await;
    let details = samples::merged(user.clone(), &json!({"specimen": null, "inventory": [], "wallet": 0}));
    assert_eq!(api.get(&format!("/users/{}", user["user_id"])).await.ok(), details);
    assert_eq!(api.list(&format!("/users?user_id={}", user["user_id"])).await, [details]);
}

#[tokio::test]
async fn post_user_accepts_created_at_and_ignores_null() {
    let api = Api::shared();
    let body = samples::merged(samples::user(), &json!({"created_at": "2020-01-01T01:00:00.50+01:00"}));
    assert_eq!(api.post("/users", &body).await.created()["created_at"], "2020-01-01T00:00:00.5Z");
    let body = samples::merged(samples::user(), &json!({"created_at": null}));
    assert!(api.post("/users", &body).await.created()["created_at"].is_string());
}

#[tokio::test]
async fn post_users_with_a_taken_platform_id_returns_409() {
    let api = Api::shared();
    let (user, other) = (api.user().await, api.user().await);
    let taken = json!({"platform_id": user["platform_id"], "name": "x"});
    assert_eq!(api.post("/users", &taken).await.refused(409), ["/platform_id"]);
    let path = format!("/users/{}", other["user_id"]);
    assert_eq!(api.patch(&path, &json!({"platform_id": user["platform_id"]})).await.refused(409), ["/platform_id"]);
    assert_eq!(api.get(&path).await.ok()["platform_id"], other["platform_id"]);
}

#[tokio::test]
async fn released_platform_id_is_available_again() {
    let api = Api::shared();
    let user = api.user().await;
    let path = format!("/users/{}", user["user_id"]);
    let (old, new) = (user["platform_id"].clone(), samples::unique());
    let changed = api.patch(&path, &json!({"platform_id": new})).await.ok();
    assert_eq!(changed, samples::merged(user.clone(), &json!({"platform_id": new})));
    let second = api.post("/users", &json!({"platform_id": old, "name": "x"})).await.created();
    api.delete(&format!("/users/{}", second["user_id"])).await.ok();
    api.post("/users", &json!({"platform_id": old, "name": "x"})).await.created();
    assert_eq!(api.list(&format!("/users?platform_id={new}")).await[0]["user_id"], user["user_id"]);
}

#[tokio::test]
async fn empty_patch_changes_nothing() {
    let api = Api::shared();
    let user = api.user().await;
    assert_eq!(api.patch(&format!("/users/{}", user["user_id"]), &json!({})).await.ok(), user);
}

#[tokio::test]
async fn post_user_with_details_returns_422() {
    let api = Api::shared();
    let body = samples::merged(
        samples::user(),
        &json!({"wallet": 5, "specimen": null, "inventory": [], "user_id": 1, "specimen_id": 1}),
    );
    let wrong = api.post("/users", &body).await.refused(422);
    assert_eq!(wrong, ["/user_id", "/specimen", "/inventory", "/wallet", "/specimen_id"]);
}

#[tokio::test]
async fn delete_user_deletes_all_its_records() {
    let api = Api::shared();
    let user = api.user().await;
    let (id, home) = (&user["user_id"], format!("/users/{}", user["user_id"]));
    let mut gone = vec![home.clone()];
    for _ in 0..3 {
        let event = samples::event(&json!({"user_id": id, "document": samples::document()}));
        let event = api.post("/events", &event).await.created();
        let stamp = api.post("/stamps", &samples::stamp(&event["document"])).await.created();
        gone.push(format!("/events/{}", event["event_id"]));
        gone.push(format!("/documents/{}", event["document_id"]));
        gone.push(format!("/stamps/{}", stamp["stamp_id"]));
        gone.push(event["document"]["document_data"].as_str().expect("a URL").to_owned());
    }
    let specimen = api.post(&format!("{home}/specimen"), &json!({})).await.created();
    gone.push(format!("/specimens/{}", specimen["specimen_id"]));
    let item = api.post(&format!("{home}/inventory"), &json!({"name": "hat"})).await.created();
    gone.push(format!("/inventory/{}", item["item_id"]));
    let paid = api.post(&format!("{home}/transactions"), &json!({"amount": 250, "description": "x"})).await.created();
    gone.push(format!("/transactions/{}", paid["transaction_id"]));
    let free = api.document().await;

    let deleted = api.delete(&home).await.ok();
    assert_eq!(deleted["wallet"], 250);
    assert_eq!(deleted["specimen"]["specimen_id"], specimen["specimen_id"]);
    assert_eq!(deleted["inventory"][0]["item_id"], item["item_id"]);
    for path in gone {
        assert_eq!(api.get(&path).await.status, 404, "{path}");
    }
    for list in ["events", "transactions"] {
        assert!(api.list(&format!("/{list}?user_id={id}")).await.is_empty());
    }
    api.get(&format!("/documents/{}", free["document_id"])).await.ok();
}
