//! Tests that a rendered record is at most 2 MB of JSON, including everything that it embeds.

use end_to_end::{Api, samples};
use serde_json::{Value, json};

const MAX_RECORD: usize = 2_000_000;

/// Sends bodies until one is rejected with 422, which must be for its size. Returns the number of accepted bodies.
async fn until_refused(api: &Api, path: &str, body: &Value, most: usize) -> usize {
    for taken in 0..most {
        let reply = api.post(path, body).await;
        if reply.status != 201 {
            reply.refused(422);
            return taken;
        }
    }
    panic!("{most} were taken");
}

#[tokio::test]
async fn items_beyond_2_mb_of_a_user_return_422() {
    let api = Api::shared();
    let home = format!("/users/{}", api.user().await["user_id"]);
    let path = format!("{home}/inventory");
    let heavy = json!({"name": "x", "metadata": "m".repeat(100_000)});
    assert_eq!(until_refused(&api, &path, &heavy, 30).await, 19);
    let rendered = api.get(&home).await;
    assert_eq!(rendered.ok()["inventory"].as_array().expect("a list").len(), 19);
    assert!(rendered.bytes.len() <= MAX_RECORD);
    // The user's name counts as well.
    let rest = MAX_RECORD - rendered.bytes.len() - 1_500;
    let filling = json!({"name": "x", "metadata": "m".repeat(rest.min(100_000))});
    let filling = api.post(&path, &filling).await.created();
    api.patch(&home, &json!({"name": "\u{1}".repeat(1_024)})).await.refused(422);
    api.delete(&format!("/inventory/{}", filling["item_id"])).await.ok();
    // No other change is rejected, and no rejected change has taken partial effect.
    let light = api.post(&path, &json!({"name": "light"})).await.created();
    let grown = json!({"metadata": "m".repeat(99_000)});
    api.patch(&format!("/inventory/{}", light["item_id"]), &grown).await.refused(422);
    let item = rendered.json()["inventory"][0]["item_id"].clone();
    api.patch(&format!("/inventory/{item}"), &json!({"metadata": null})).await.ok();
    api.patch(&format!("/inventory/{}", light["item_id"]), &grown).await.ok();
    api.delete(&format!("/inventory/{}", light["item_id"])).await.ok();
    api.post(&path, &heavy).await.created();
    // A used item is not rendered, which frees its space. It cannot become active again without space.
    let used = api.get(&home).await.ok()["inventory"][3]["item_id"].clone();
    api.patch(&format!("/inventory/{used}"), &json!({"used_at": "2026-01-01T00:00:00Z"})).await.ok();
    api.post(&path, &heavy).await.created();
    api.patch(&format!("/inventory/{used}"), &json!({"used_at": null})).await.refused(422);
    assert!(api.get(&format!("{home}/inventory")).await.status.is_success());
    api.delete(&home).await.ok();
}

#[tokio::test]
async fn stamps_beyond_2_mb_of_an_event_are_rejected() {
    let api = Api::shared();
    let text = "\u{1}".repeat(100_000);
    let event = samples::event(&json!({"user_id": api.user().await["user_id"], "message": text}));
    let home = format!("/events/{}", api.post("/events", &event).await.created()["event_id"]);
    let document = samples::merged(samples::document(), &json!({"metadata": text}));
    let document = api.post(&format!("{home}/document"), &document).await.created();
    let path = format!("{home}/document/stamps");
    let stamp = samples::merged(samples::stamp(&document), &json!({"stamp_type": "🦀".repeat(1_024)}));
    let mut stamps = 0;
    while api.put(&path, &json!(vec![&stamp; 40])).await.status == 201 {
        stamps += 40;
    }
    assert!((120..400).contains(&stamps), "{stamps} stamps");
    let rendered = api.get(&home).await;
    assert_eq!(rendered.ok()["document"]["stamps"].as_array().expect("a list").len(), stamps);
    assert!(rendered.bytes.len() <= MAX_RECORD, "{}", rendered.bytes.len());
    api.patch(&format!("{home}/document"), &json!({"metadata": null})).await.ok();
    api.put(&path, &json!(vec![&stamp; 40])).await.created();
    while api.put(&path, &json!(vec![&stamp; 10])).await.status == 201 {}
    api.patch(&format!("{home}/document"), &json!({"metadata": text})).await.refused(422);
    assert!(api.get(&home).await.bytes.len() <= MAX_RECORD);
    assert!(api.get("/documents?limit=3").await.status.is_success());
    api.delete(&home).await.ok();
}

#[tokio::test]
async fn largest_event_with_a_document_fits_into_2_mb() {
    let api = Api::shared();
    let user = api.user().await;
    let stamp = json!({"stamp_type": "\u{1}".repeat(1_024), "pos_x": 0, "pos_y": 0, "rotation": 0});
    let text = "\u{1}".repeat(100_000);
    let document = samples::merged(samples::document(), &json!({"metadata": text, "stamps": vec![stamp; 80]}));
    let event = samples::event(&json!({"user_id": user["user_id"], "message": text, "document": document}));
    let created = api.post("/events", &event).await;
    assert!(created.bytes.len() <= MAX_RECORD && created.status == 201, "{}", created.status);
    // The parser also limits the size of a request. The largest such event fits.
    assert_eq!(api.get(&format!("/events/{}", created.json()["event_id"])).await.bytes.len(), created.bytes.len());
}

#[tokio::test]
async fn paths_nulls_and_names_follow_the_contract() {
    let api = Api::shared();
    let user = api.user().await;
    let id = user["user_id"].to_string();
    assert_eq!(api.get(&format!("/%75sers/{}", id.replace('1', "%31"))).await.ok()["name"], user["name"]);
    let nulls = samples::event(&json!({"user_id": user["user_id"], "tier": null, "viewer_count": null}));
    let event = api.post("/events", &nulls).await.created();
    assert!(event.get("tier").is_none());
    let twice = r#"{"platform_id": "a", "name": "x", "name": "y"}"#;
    let request = api.request(reqwest::Method::POST, "/users").header("content-type", "application/json").body(twice);
    api.send(request).await.refused(400);
    let rotation = 0.123_456_789_012_345_67;
    let stamp = samples::merged(samples::stamp(&api.document().await), &json!({"rotation": rotation}));
    assert_eq!(api.post("/stamps", &stamp).await.created()["rotation"].as_f64(), Some(rotation));
    for limit in ["01", "+1", "%2B1", "1.0"] {
        assert_eq!(api.get(&format!("/events?limit={limit}")).await.refused(400), ["limit"]);
    }
}
