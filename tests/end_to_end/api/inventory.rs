//! Tests of `/inventory`: items are active until they are used up.

use end_to_end::{Api, fill, samples};
use serde_json::{Value, json};

#[tokio::test]
async fn item_is_active_until_used_at_is_set() {
    let api = Api::shared();
    let user = api.user().await;
    let home = format!("/users/{}", user["user_id"]);
    let item = api.post(&format!("{home}/inventory"), &json!({"name": "hat"})).await.created();
    let fields = ["item_id", "owner_id", "owner", "name", "quantity", "metadata", "created_at", "used_at"];
    assert_eq!(item.as_object().expect("an object").keys().collect::<Vec<_>>(), fields);
    assert_eq!((&item["quantity"], &item["owner"]), (&json!(1), &user));
    let path = format!("{home}/inventory/{}", item["item_id"]);
    let changed = api.patch(&path, &json!({"quantity": 3, "metadata": "m", "name": "cap"})).await.ok();
    assert_eq!(changed, samples::merged(item, &json!({"quantity": 3, "metadata": "m", "name": "cap"})));
    api.patch(&path, &json!({"used_at": "2026-11-20T16:53:02Z"})).await.ok();
    assert_eq!(api.get(&home).await.ok()["inventory"], json!([]));
    assert_eq!(api.list(&format!("{home}/inventory?active=false")).await.len(), 1);
    assert!(api.list(&format!("{home}/inventory?active=true")).await.is_empty());
    api.patch(&path, &json!({"used_at": null})).await.ok();
    assert_eq!(api.get(&home).await.ok()["inventory"][0]["name"], "cap");
    assert_eq!(api.delete(&path).await.ok(), changed);
    assert_eq!(api.get(&home).await.ok()["inventory"], json!([]));
}

#[tokio::test]
async fn user_lists_its_active_items_newest_first() {
    let api = Api::shared();
    let user = api.user().await;
    for (name, time) in [("b", "2021-01-01T00:00:00Z"), ("c", "2022-01-01T00:00:00Z"), ("a", "2020-01-01T00:00:00Z")] {
        let body = json!({"owner_id": user["user_id"], "name": name, "created_at": time});
        api.post("/inventory", &body).await.created();
    }
    let rendered = api.get(&format!("/users/{}", user["user_id"])).await.ok();
    let names: Vec<&Value> =
        rendered["inventory"].as_array().expect("a list").iter().map(|item| &item["name"]).collect();
    assert_eq!(names, ["c", "b", "a"]);
}

#[tokio::test]
async fn invalid_item_fields_return_422() {
    let api = Api::shared();
    let user = api.user().await["user_id"].clone();
    for (given, wrong) in [
        (json!({"name": ""}), "/name"),
        (json!({"name": "x".repeat(1025)}), "/name"),
        (json!({"name": "x", "quantity": 0}), "/quantity"),
        (json!({"name": "x", "metadata": "x".repeat(100_001)}), "/metadata"),
        (json!({"name": "x", "item_id": 5}), "/item_id"),
    ] {
        let body = samples::merged(given, &json!({"owner_id": user}));
        assert_eq!(api.post("/inventory", &body).await.refused(422), [wrong]);
    }
    let longest = json!({"name": "🦀".repeat(1024), "metadata": "x".repeat(100_000), "owner_id": user});
    let item = api.post("/inventory", &longest).await.created();
    assert_eq!(item["name"], longest["name"]);
    assert_eq!(
        api.patch(&format!("/inventory/{}", item["item_id"]), &json!({"owner_id": user, "created_at": null}))
            .await
            .refused(422),
        ["/owner_id", "/created_at"]
    );
}

#[tokio::test]
async fn user_has_at_most_1000_active_items() {
    let (api, store) = Api::start_with_store();
    let user = api.user().await["user_id"].clone();
    let body = json!({"owner_id": user, "name": "x"});
    fill::items(&store, user.as_u64().expect("an identifier"), 999).await;
    api.post("/inventory", &body).await.created();
    assert_eq!(api.post("/inventory", &body).await.refused(422), ["/owner_id"]);
    let used_up = samples::merged(body.clone(), &json!({"used_at": "2026-11-20T16:53:02Z"}));
    let spare = api.post("/inventory", &used_up).await.created();
    let path = format!("/inventory/{}", spare["item_id"]);
    assert_eq!(api.patch(&path, &json!({"used_at": null})).await.refused(422), ["/used_at"]);
    let rendered = api.get(&format!("/users/{user}")).await.ok();
    let items = rendered["inventory"].as_array().expect("a list");
    assert_eq!(items.len(), 1000);
    api.patch(&format!("/inventory/{}", items[0]["item_id"]), &json!({"used_at": "2026-11-20T16:53:02Z"})).await.ok();
    api.patch(&path, &json!({"used_at": null})).await.ok();
}
