//! Tests of overlays as records, and of the controls for their alerts.

use end_to_end::{Api, samples};
use reqwest::Method;
use serde_json::{Value, json};

#[tokio::test]
async fn overlay_has_defaults_and_patch_replaces_its_settings() {
    let api = Api::shared();
    let name = samples::unique();
    let created = api.post("/overlays", &json!({"name": name})).await.created();
    let id = &created["overlay_id"];
    let expected = json!({"overlay_id": id, "name": name, "settings": null, "paused": false, "muted": false,
        "created_at": created["created_at"]});
    assert_eq!(created, expected);
    let path = format!("/overlays/{id}");
    let settings = json!({"theme": "dark", "alerts": {"cheer": {"least": 100}}});
    let changed = api.patch(&path, &json!({"settings": settings, "paused": true})).await.ok();
    assert_eq!((&changed["settings"], &changed["paused"]), (&settings, &json!(true)));
    let changed = api.patch(&path, &json!({"settings": {"theme": "light"}, "paused": null})).await.ok();
    assert_eq!((&changed["settings"], &changed["paused"]), (&json!({"theme": "light"}), &json!(false)));
    assert_eq!(
        api.list(&format!("/overlays?name={name}&created_after=2020-01-01T00:00:00Z")).await,
        std::slice::from_ref(&changed)
    );
    assert_eq!(api.list(&format!("/overlays?overlay_id={id}")).await, std::slice::from_ref(&changed));
    assert_eq!(api.delete(&path).await.ok(), changed);
    assert_eq!(api.get(&path).await.status, 404);
}

#[tokio::test]
async fn invalid_overlays_return_422() {
    let api = Api::shared();
    let large = |bytes: usize| json!({"text": "x".repeat(bytes - r#"{"text":""}"#.len())});
    let base = json!({"name": samples::unique()});
    for (more, pointer) in [
        (json!({"name": ""}), "/name"),
        (json!({"settings": [1]}), "/settings"),
        (json!({"settings": large(65_537)}), "/settings"),
        (json!({"paused": "true"}), "/paused"),
        (json!({"muted": 1}), "/muted"),
        (json!({"overlay_id": 5}), "/overlay_id"),
        (json!({"other": 5}), "/other"),
    ] {
        assert_eq!(api.post("/overlays", &samples::merged(base.clone(), &more)).await.refused(422), [pointer]);
    }
    assert_eq!(api.post("/overlays", &json!({})).await.refused(422), ["/name"]);
    let largest = samples::merged(base, &json!({"settings": large(65_536), "created_at": "2020-01-01T00:00:00Z"}));
    let created = api.post("/overlays", &largest).await.created();
    assert_eq!((&created["settings"], &created["created_at"]), (&largest["settings"], &largest["created_at"]));
}

/// Returns the entries after a number as soon as there are `count`.
async fn entries(api: &Api, after: &str, count: usize) -> Vec<Value> {
    for _ in 0..200 {
        let page = api.get(&format!("/feed?after={after}")).await;
        let entries: Vec<Value> = serde_json::from_slice(&page.bytes).expect("a list");
        if entries.len() >= count {
            return entries;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("the feed does not move")
}

#[tokio::test]
async fn feed_reports_changes_of_overlays_and_controls() {
    let api = Api::start();
    let overlay = api.post("/overlays", &json!({"name": "stream"})).await.created();
    let path = format!("/overlays/{}", overlay["overlay_id"]);
    let changed = api.patch(&path, &json!({"muted": true})).await.ok();
    let first = entries(&api, "0", 1).await;
    assert_eq!((&first[0]["type"], &first[0]["subject"]), (&json!("overlay.updated"), &json!(path[1..])));
    assert_eq!(first[0]["data"], changed);
    let skip = json!({"control": "skip", "entry": 1});
    let clear = json!({"control": "clear"});
    for (number, control) in (2..).zip([&skip, &clear]) {
        assert_eq!(api.post("/alerts", control).await.status, 202);
        entries(&api, "0", number).await;
    }
    api.delete(&path).await.ok();
    let all = entries(&api, "1", 2).await;
    assert_eq!((&all[0]["type"], &all[0]["data"]), (&json!("alert.skipped"), &skip));
    assert_eq!((&all[1]["type"], &all[1]["data"]), (&json!("alert.cleared"), &clear));
    assert_eq!(all.len(), 2, "neither the creation nor the deletion of an overlay is reported");
}

#[tokio::test]
async fn invalid_controls_return_422() {
    let api = Api::shared();
    for (body, pointer) in [
        (json!({"control": "stop"}), "/control"),
        (json!({"control": 5}), "/control"),
        (json!({"control": "skip"}), "/entry"),
        (json!({"control": "skip", "entry": 0}), "/entry"),
        (json!({"control": "skip", "entry": "1"}), "/entry"),
        (json!({"control": "clear", "entry": 1}), "/entry"),
        (json!({"control": "clear", "event_id": 1}), ""),
        (json!({"control": "clear", "more": 1}), "/more"),
        (json!({"entry": 1}), "/entry"),
    ] {
        let refused = api.post("/alerts", &body).await.refused(422);
        assert!(refused.iter().any(|found| found == pointer), "{body}: {refused:?}");
    }
    let request = api.request(Method::POST, "/alerts").json(&json!({"control": "clear"}));
    let request = request.header("Idempotency-Key", samples::unique());
    assert_eq!(api.send(request).await.status, 202);
}
