//! Tests of `/specimens`: a user has at most one active specimen, after any operation.

use end_to_end::{Api, samples};
use serde_json::{Value, json};

#[tokio::test]
async fn embedded_specimen_omits_its_owner() {
    let api = Api::shared();
    let user = api.user().await;
    let specimen = api
        .post("/specimens", &json!({"owner_id": user["user_id"], "born_at": "0001-01-01T00:00:00Z"}))
        .await
        .created();
    assert_eq!((&specimen["owner"], &specimen["forgotten_at"]), (&user, &Value::Null));
    assert_eq!(api.get(&format!("/specimens/{}", specimen["specimen_id"])).await.ok(), specimen);
    let mut inside = specimen.clone();
    inside.as_object_mut().expect("an object").remove("owner");
    assert_eq!(api.get(&format!("/users/{}", user["user_id"])).await.ok()["specimen"], inside);
}

#[tokio::test]
async fn second_active_specimen_returns_409() {
    let api = Api::shared();
    let (user, other) = (api.user().await, api.user().await);
    let home = format!("/users/{}/specimen", user["user_id"]);
    let first = api.post(&home, &json!({})).await.created();
    api.post(&home, &json!({})).await.refused(409);
    api.post(&home, &json!({"forgotten_at": "2999-01-01T00:00:00Z"})).await.refused(409);
    api.post("/specimens", &json!({"owner_id": user["user_id"]})).await.refused(409);
    api.post("/specimens", &json!({"owner": {"platform_id": user["platform_id"], "name": "x"}})).await.refused(409);
    let others = api.post("/specimens", &json!({"owner_id": other["user_id"]})).await.created();
    let path = format!("/specimens/{}", others["specimen_id"]);
    api.patch(&path, &json!({"owner_id": user["user_id"]})).await.refused(409);
    let forgotten =
        json!({"owner_id": user["user_id"], "born_at": "2020-01-01T00:00:00Z", "forgotten_at": "2021-01-01T00:00:00Z"});
    let old = api.post("/specimens", &forgotten).await.created();
    api.patch(&format!("/specimens/{}", old["specimen_id"]), &json!({"forgotten_at": null})).await.refused(409);
    assert_eq!(api.get(&home).await.ok()["specimen_id"], first["specimen_id"]);
}

#[tokio::test]
async fn forgotten_specimen_can_be_restored() {
    let api = Api::shared();
    let user = api.user().await;
    let (home, body) = (format!("/users/{}/specimen", user["user_id"]), json!({"born_at": "2020-01-01T00:00:00Z"}));
    let specimen = api.post(&home, &body).await.created();
    let path = format!("/specimens/{}", specimen["specimen_id"]);
    assert_eq!(
        api.patch(&home, &json!({"forgotten_at": "2019-12-31T23:59:59.999999999Z"})).await.refused(422),
        ["/forgotten_at"]
    );
    // The violation is reported together with all others.
    let early = json!({"owner_id": 4, "forgotten_at": "2019-01-01T00:00:00Z", "x": 1});
    for mut wrong in [
        api.patch(&path, &early).await.refused(422),
        api.post("/specimens", &samples::merged(early.clone(), &body)).await.refused(422),
    ] {
        wrong.sort();
        assert_eq!(wrong, ["/forgotten_at", "/owner_id", "/x"]);
    }
    assert_eq!(api.patch(&home, &json!({"born_at": "2019-01-01T00:00:00Z"})).await.refused(422), ["/born_at"]);
    api.patch(&home, &json!({"forgotten_at": "2020-01-01T00:00:00Z"})).await.ok();
    for refused in [api.get(&home).await, api.patch(&home, &json!({})).await, api.delete(&home).await] {
        refused.refused(404);
    }
    assert_eq!(api.get(&path).await.ok()["forgotten_at"], "2020-01-01T00:00:00Z");
    assert_eq!(api.patch(&path, &json!({"forgotten_at": null})).await.ok(), specimen);
    assert_eq!(api.get(&home).await.ok(), specimen);
    assert_eq!(api.delete(&home).await.ok(), specimen);
    api.post(&home, &body).await.created();
}

#[tokio::test]
async fn patch_owner_id_moves_a_specimen() {
    let api = Api::shared();
    let (from, to) = (api.user().await, api.user().await);
    let specimen = api.post("/specimens", &json!({"owner_id": from["user_id"]})).await.created();
    let path = format!("/specimens/{}", specimen["specimen_id"]);
    let moved =
        api.patch(&format!("/users/{}/specimen", from["user_id"]), &json!({"owner_id": to["user_id"]})).await.ok();
    assert_eq!(moved["owner"], to);
    api.get(&format!("/users/{}/specimen", from["user_id"])).await.refused(404);
    assert_eq!(api.get(&format!("/users/{}/specimen", to["user_id"])).await.ok(), moved);
    assert_eq!(api.patch(&path, &json!({"owner_id": 5})).await.refused(422), ["/owner_id"]);
    assert_eq!(api.patch(&path, &json!({"owner": samples::user()})).await.refused(422), ["/owner"]);
}

#[tokio::test]
async fn post_specimen_with_an_owner_object_creates_the_owner() {
    let api = Api::shared();
    let owner = samples::user();
    let specimen = api.post("/specimens", &json!({"owner": owner})).await.created();
    assert_eq!(specimen["owner"]["platform_id"], owner["platform_id"]);
    assert_eq!(
        api.get(&format!("/users/{}", specimen["owner_id"])).await.ok()["specimen"]["specimen_id"],
        specimen["specimen_id"]
    );
    assert_eq!(api.post("/specimens", &json!({"owner": owner, "owner_id": 1})).await.refused(422), ["/owner"]);
    assert_eq!(api.post("/specimens", &json!({})).await.refused(422), ["/owner_id"]);
}
