//! Tests of chat commands as records: fields, validation, names and limit. `twitch/commands.rs` tests their use.

use end_to_end::{Api, samples};
use futures_util::future::join_all;
use serde_json::{Value, json};

fn command(with: &Value) -> Value {
    samples::merged(json!({"name": format!("!{}", samples::unique()), "action": "balance"}), with)
}

#[tokio::test(flavor = "multi_thread")]
async fn command_has_defaults_and_fixed_fields() {
    let api = Api::start();
    let created = api.post("/commands", &json!({"name": "!Points", "action": "balance"})).await;
    assert_eq!(created.location(), format!("/commands/{}", created.json()["command_id"]));
    let created = created.created();
    let id = &created["command_id"];
    let expected = json!({"command_id": id, "name": "!Points", "action": "balance", "answer": null,
        "user_cooldown": null, "enabled": false, "created_at": created["created_at"]});
    assert_eq!(created, expected);
    let path = format!("/commands/{id}");
    let changes = json!({"name": "!ÄÖ_1", "answer": "{points}!", "user_cooldown": 86_400, "enabled": true});
    assert_eq!(api.patch(&path, &changes).await.ok(), samples::merged(expected, &changes));
    for (field, value) in [("action", json!("top")), ("created_at", created["created_at"].clone())] {
        assert_eq!(api.patch(&path, &json!({field: value})).await.refused(422), [format!("/{field}")]);
    }
    let imported = json!({"name": "!top", "action": "top", "answer": null, "user_cooldown": null, "enabled": true,
        "created_at": "2026-01-01T00:00:00Z"});
    api.put("/commands/9", &imported).await.created();
    assert_eq!(api.list("/commands?action=top").await, [samples::merged(imported, &json!({"command_id": 9}))]);
    assert_eq!(api.list("/commands?enabled=true&action=balance").await.len(), 1);
    assert_eq!(api.list("/commands?created_before=2026-01-02T00:00:00Z").await.len(), 1);
    api.get("/commands?action=dance").await.refused(400);
    api.get("/commands?name=x").await.refused(400);
    api.delete(&path).await.ok();
    api.get(&path).await.refused(404);
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_commands_return_422_with_every_violation() {
    let api = Api::start();
    for (fields, pointers) in [
        (json!({"name": "points"}), &["/name"][..]),
        (json!({"name": "!"}), &["/name"]),
        (json!({"name": ""}), &["/name"]),
        (json!({"name": "!two words"}), &["/name"]),
        (json!({"name": "!a-b"}), &["/name"]),
        (json!({"name": "!!a"}), &["/name"]),
        (json!({"name": "!🦊"}), &["/name"]),
        (json!({"name": format!("!{}", "a".repeat(25))}), &["/name"]),
        (json!({"name": null, "action": "ban", "answer": ""}), &["/action", "/answer", "/name"]),
        (json!({"answer": "a".repeat(401), "user_cooldown": 0}), &["/answer", "/user_cooldown"]),
        (json!({"user_cooldown": 86_401, "enabled": "yes"}), &["/enabled", "/user_cooldown"]),
    ] {
        let mut found = api.post("/commands", &command(&fields)).await.refused(422);
        found.sort();
        assert_eq!(found, pointers, "{fields}");
    }
    for name in [format!("!{}", "ü".repeat(24)), "!1".to_owned(), "!_".to_owned()] {
        api.post("/commands", &command(&json!({"name": name, "answer": "ä".repeat(400)}))).await.created();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn names_are_unique_without_regard_to_case() {
    let api = Api::start();
    let first = api.post("/commands", &command(&json!({"name": "!Größe"}))).await.created();
    let other = api.post("/commands", &command(&json!({"name": "!Points"}))).await.created();
    let reply = api.post("/commands", &command(&json!({"name": "!GRÖßE"}))).await;
    reply.refused(409);
    assert_eq!(reply.json()["code"], "duplicate_name");
    api.patch(&format!("/commands/{}", other["command_id"]), &json!({"name": "!größe"})).await.refused(409);
    api.patch(&format!("/commands/{}", first["command_id"]), &json!({"name": "!größe"})).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn at_most_20_commands_exist_whatever_runs_at_once() {
    let api = Api::start();
    let api = &api;
    let replies = join_all((0..30).map(async |_| api.post("/commands", &command(&json!({}))).await)).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 201).count(), 20);
    for reply in replies.iter().filter(|reply| reply.status != 201) {
        assert_eq!((reply.status.as_u16(), &reply.json()["errors"][0]["code"]), (422, &json!("too_many")));
    }
}
