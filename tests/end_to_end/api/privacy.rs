//! Tests of anonymization and opt-outs through every entry point of the service.

use std::time::{Duration, Instant};

use end_to_end::{Api, Reply, TWITCH_CHANNEL, logs, samples};
use reqwest::Method;
use serde_json::{Value, json};

use crate::api::import::id;
use crate::twitch::webhook::{Message, events_of, sample};

/// Returns a problem's stable code.
fn code(reply: &Reply) -> String {
    reply.json()["code"].as_str().expect("a code").to_owned()
}

/// Returns the code of the only violation.
fn violation(reply: &Reply) -> String {
    reply.json()["errors"][0]["code"].as_str().expect("a violation").to_owned()
}

async fn anonymize(api: &Api, user: &Value) -> Value {
    let path = format!("/users/{}", user["user_id"]);
    let reply = api.post(&format!("{path}/anonymize"), &json!({})).await;
    assert_eq!(reply.header("etag"), api.get(&path).await.header("etag"));
    reply.ok()
}

/// A viewer with texts in every possible place.
struct Viewer {
    user: Value,
    secret: String,
    plain: Value,
    cheer: Value,
    item: Value,
    image: String,
}

async fn viewer(api: &Api) -> Viewer {
    let secret = samples::unique();
    let name = format!("name {secret}");
    let user = api.post("/users", &json!({"platform_id": format!("id {secret}"), "name": name})).await.created();
    let event = |fields: Value| samples::merged(samples::event(&json!({"user_id": user["user_id"]})), &fields);
    let document = samples::merged(samples::document(), &json!({"metadata": format!("metadata {secret}")}));
    let long = format!("{secret} {}", "x".repeat(5_000));
    let plain = json!({"message": long, "user_name": name, "details": {"words": secret}, "document": document});
    let plain = api.post("/events", &event(plain)).await.created();
    let cheer = json!({"event_type": "cheer", "amount": 7, "message": secret, "user_name": name});
    let cheer = api.post("/events", &event(cheer)).await.created();
    let item = json!({"name": "hat", "metadata": format!("note {secret}"), "owner_id": user["user_id"]});
    let item = api.post("/inventory", &item).await.created();
    api.post("/transactions", &json!({"user_id": user["user_id"], "amount": 25, "description": "paid"}))
        .await
        .created();
    let image = plain["document"]["document_data"].as_str().expect("a URL").to_owned();
    Viewer { user, secret, plain, cheer, item, image }
}

#[tokio::test]
async fn anonymizing_removes_every_text_and_keeps_the_rest() {
    let api = Api::shared();
    let Viewer { user, secret, plain, cheer, item, image } = viewer(&api).await;
    let id = &user["user_id"];
    let anonymized = anonymize(&api, &user).await;
    assert_eq!(anonymized["platform_id"], format!("anonymized/{id}"));
    assert_eq!(anonymized["name"], "Deleted viewer");
    assert_eq!(anonymized["created_at"], user["created_at"]);
    let removed = |fields: Value| samples::merged(fields, &json!({"user_name": "Deleted viewer", "user": anonymized}));
    let after = api.get(&format!("/events/{}", plain["event_id"])).await.ok();
    let no_document = json!({"message": "", "details": null, "document": null, "document_id": null});
    assert_eq!(after, samples::merged(removed(plain.clone()), &no_document));
    let after = api.get(&format!("/events/{}", cheer["event_id"])).await.ok();
    assert_eq!(after, samples::merged(removed(cheer), &json!({"message": null})));
    let after = api.get(&format!("/inventory/{}", item["item_id"])).await.ok();
    assert_eq!(after, samples::merged(item, &json!({"metadata": null, "owner": anonymized})));
    assert_eq!(api.get(&format!("/users/{id}/wallet")).await.ok()["wallet"], 25);
    assert_eq!(api.get(&format!("/documents/{}", plain["document_id"])).await.status, 404);
    assert_eq!(api.get(&image).await.status, 404);
    let lists = ["events", "inventory", "transactions"].map(|list| format!("/users/{id}/{list}"));
    for path in lists.into_iter().chain([format!("/users/{id}"), format!("/users?platform_id=id%20{secret}")]) {
        let reply = api.get(&path).await;
        assert!(!String::from_utf8_lossy(&reply.bytes).contains(&secret), "{path}");
    }
    assert!(!logs::text().contains(&secret), "the log has a text");
}

#[tokio::test]
async fn anonymizing_again_redacts_what_was_stored_since() {
    let api = Api::shared();
    let user = api.user().await;
    let first = anonymize(&api, &user).await;
    let event = samples::event(&json!({"user_id": user["user_id"], "message": "later"}));
    let event = api.post("/events", &event).await.created();
    assert_eq!(event["message"], "later");
    assert_eq!(anonymize(&api, &user).await, first);
    assert_eq!(api.get(&format!("/events/{}", event["event_id"])).await.ok()["message"], "");
}

#[tokio::test]
async fn anonymize_is_post_only_at_the_end_of_any_chain() {
    let api = Api::shared();
    let user = api.user().await;
    let event = api.event(&user).await;
    let path = format!("/users/{}/anonymize", user["user_id"]);
    for method in [Method::GET, Method::PUT, Method::PATCH, Method::DELETE] {
        let reply = api.send(api.request(method, &path).json(&json!({}))).await;
        reply.refused(405);
        assert_eq!(reply.header("allow"), "POST");
    }
    assert_eq!(api.post(&path, &json!({"name": "x"})).await.refused(422), ["/name"]);
    api.post("/users/77/anonymize", &json!({})).await.refused(404);
    let chain = format!("/events/{}/user/anonymize", event["event_id"]);
    let reply = api.send(api.request(Method::POST, &chain)).await;
    assert_eq!(reply.ok()["name"], "Deleted viewer");
    let keyed = || api.request(Method::POST, &path).header("Idempotency-Key", samples::unique());
    assert_eq!(api.send(keyed()).await.ok()["name"], "Deleted viewer");
}

#[tokio::test]
async fn anonymized_user_is_fixed_and_its_platform_id_is_free() {
    let api = Api::shared();
    let user = api.user().await;
    let path = format!("/users/{}", user["user_id"]);
    let anonymized = anonymize(&api, &user).await;
    for body in [json!({"name": "Ann"}), json!({"platform_id": samples::unique()})] {
        let reply = api.patch(&path, &body).await;
        reply.refused(422);
        assert_eq!(violation(&reply), "not_settable");
    }
    api.patch(&path, &json!({})).await.ok();
    let back = api.post("/users", &json!({"platform_id": user["platform_id"], "name": "x"})).await.created();
    assert_ne!(back["user_id"], user["user_id"]);
    let found = api.list(&format!("/users?platform_id=anonymized/{}", user["user_id"])).await;
    assert_eq!(found[0]["user_id"], user["user_id"]);
    // Its complete record is already stored. The one from before the anonymization differs.
    assert_eq!(api.put(&path, &anonymized).await.ok(), anonymized);
    assert_eq!(code(&api.put(&path, &user).await), "record_differs");
}

#[tokio::test]
async fn reserved_platform_ids_are_refused_everywhere() {
    let api = Api::shared();
    let user = api.user().await;
    let reserved = json!({"platform_id": "anonymized/7", "name": "x"});
    let embedded = samples::event(&json!({"user": reserved}));
    let own = id();
    let requests = [
        ("/users".to_owned(), Method::POST, reserved.clone(), "/platform_id"),
        (format!("/users/{}", user["user_id"]), Method::PATCH, json!({"platform_id": "anonymized/7"}), "/platform_id"),
        (format!("/users/{own}"), Method::PUT, reserved.clone(), "/platform_id"),
        ("/events".to_owned(), Method::POST, embedded, "/user/platform_id"),
        ("/inventory".to_owned(), Method::POST, json!({"name": "hat", "owner": reserved}), "/owner/platform_id"),
        ("/opt-outs".to_owned(), Method::POST, json!({"platform_id": "anonymized/7"}), "/platform_id"),
        ("/opt-outs".to_owned(), Method::POST, json!({"platform_id": "anonymous"}), "/platform_id"),
        (format!("/opt-outs/{own}"), Method::PUT, json!({"platform_id": "anonymous"}), "/platform_id"),
        ("/opt-outs".to_owned(), Method::POST, json!({"platform_id": TWITCH_CHANNEL}), "/platform_id"),
    ];
    for (path, method, body, pointer) in requests {
        let reply = api.send(api.request(method.clone(), &path).json(&body)).await;
        assert_eq!(reply.refused(422), [pointer], "{method} {path}");
        assert_eq!(violation(&reply), "reserved", "{method} {path}");
    }
    let complete = json!({"platform_id": format!("anonymized/{own}"), "name": "Deleted viewer"});
    api.put(&format!("/users/{own}"), &complete).await.created();
}

#[tokio::test]
async fn anonymous_user_and_channel_cannot_be_anonymized() {
    let api = Api::start();
    for platform_id in ["anonymous", TWITCH_CHANNEL] {
        let user = api.post("/users", &json!({"platform_id": platform_id, "name": "x"})).await.created();
        let reply = api.post(&format!("/users/{}/anonymize", user["user_id"]), &json!({})).await;
        reply.refused(422);
        assert_eq!(violation(&reply), "reserved");
    }
}

#[tokio::test]
async fn leaderboards_leave_anonymized_users_out() {
    let api = Api::start();
    let users = [api.user().await, api.user().await];
    for (user, amount) in users.iter().zip([50, 20]) {
        let paid = json!({"user_id": user["user_id"], "amount": amount, "description": "paid"});
        api.post("/transactions", &paid).await.created();
    }
    anonymize(&api, &users[0]).await;
    let places = api.get("/leaderboards/wallet").await.ok();
    assert_eq!(places.as_array().map(Vec::len), Some(1), "{places}");
    assert_eq!((&places[0]["rank"], &places[0]["user"]["user_id"]), (&json!(1), &users[1]["user_id"]));
}

#[tokio::test]
async fn opt_out_anonymizes_and_closes_every_door_until_it_is_deleted() {
    let api = Api::shared();
    let Viewer { user, secret, plain, .. } = viewer(&api).await;
    let platform_id = &user["platform_id"];
    let opt_out = api.post("/opt-outs", &json!({"platform_id": platform_id})).await.created();
    let anonymized = api.get(&format!("/users/{}", user["user_id"])).await.ok();
    assert_eq!(anonymized["platform_id"], format!("anonymized/{}", user["user_id"]));
    assert_eq!(api.get(&format!("/events/{}", plain["event_id"])).await.ok()["message"], "");
    let other = api.user().await;
    let viewer = json!({"platform_id": platform_id, "name": secret});
    let doors = [
        (Method::POST, "/users".to_owned(), viewer.clone(), "/platform_id"),
        (Method::PATCH, format!("/users/{}", other["user_id"]), json!({"platform_id": platform_id}), "/platform_id"),
        (Method::PUT, format!("/users/{}", id()), viewer.clone(), "/platform_id"),
        (Method::PUT, format!("/users/{}", user["user_id"]), user.clone(), "/platform_id"),
        (Method::POST, "/events".to_owned(), samples::event(&json!({"user": viewer})), "/user/platform_id"),
        (
            Method::POST,
            "/specimens".to_owned(),
            json!({"born_at": "2026-01-01T00:00:00Z", "owner": viewer}),
            "/owner/platform_id",
        ),
        (Method::POST, "/inventory".to_owned(), json!({"name": "hat", "owner": viewer}), "/owner/platform_id"),
    ];
    for (method, path, body, pointer) in &doors {
        let reply = api.send(api.request(method.clone(), path).json(body)).await;
        assert_eq!(reply.refused(409), [*pointer], "{method} {path}");
        assert_eq!(code(&reply), "opted_out", "{method} {path}");
    }
    assert_eq!(api.list(&format!("/users?platform_id=id%20{secret}")).await, [] as [Value; 0]);
    let again = api.post("/opt-outs", &json!({"platform_id": platform_id})).await;
    assert_eq!(
        (again.refused(409), code(&again)),
        (vec!["/platform_id".to_owned()], "duplicate_platform_id".to_owned())
    );
    let path = format!("/opt-outs/{}", opt_out["opt_out_id"]);
    api.patch(&path, &json!({})).await.refused(405);
    assert_eq!(api.put(&path, &opt_out).await.ok(), opt_out);
    assert_eq!(api.list(&format!("/opt-outs?platform_id=id%20{secret}")).await, std::slice::from_ref(&opt_out));
    api.delete(&path).await.ok();
    api.post("/users", &viewer).await.created();
}

#[tokio::test]
async fn opted_out_viewer_is_dropped_by_the_webhook() {
    let api = Api::start();
    for name in ["channel.chat.message", "channel.follow", "channel.subscribe", "channel.subscription.message"] {
        let (sample, viewer) = sample(name);
        api.post("/opt-outs", &json!({"platform_id": viewer})).await.created();
        assert_eq!(Message::new(&sample).send(&api).await.status, 204, "{name}");
        assert_eq!(events_of(&api, &viewer).await, [] as [Value; 0], "{name}");
    }
}

/// Returns the anonymous user's events from this test, identified by a fact in them.
async fn anonymous_events(api: &Api, is_wanted: impl Fn(&Value) -> bool) -> Vec<Value> {
    events_of(api, "anonymous").await.into_iter().filter(is_wanted).collect()
}

#[tokio::test]
async fn cheers_and_gifts_of_an_opted_out_viewer_are_anonymous_and_have_no_text() {
    let api = Api::start();
    let (mut cheer, viewer) = sample("channel.cheer");
    cheer["event"]["bits"] = json!(4_321);
    api.post("/opt-outs", &json!({"platform_id": viewer})).await.created();
    assert_eq!(Message::new(&cheer).send(&api).await.status, 204);
    let stored = anonymous_events(&api, |event| event["amount"] == 4_321).await;
    assert_eq!(stored.len(), 1);
    assert_eq!((&stored[0]["message"], &stored[0]["user_name"]), (&Value::Null, &json!("Anonymous")));

    let (mut gift, _) = sample("channel.subscription.gift");
    gift["event"]["user_id"] = json!(viewer);
    gift["event"]["total"] = json!(1);
    assert_eq!(Message::new(&gift).send(&api).await.status, 204);
    let stored = anonymous_events(&api, |event| event["event_type"] == "plain").await;
    assert_eq!(stored.len(), 1);
    assert_eq!((&stored[0]["message"], &stored[0]["details"]["total"]), (&json!(""), &json!(1)));
    let text = format!("{stored:?}");
    assert!(!text.contains(&viewer) && !text.contains("Cool_User"), "{text}");
}

#[tokio::test]
async fn events_of_others_leave_an_opted_out_viewer_out() {
    let api = Api::start();
    let (mut gift, giver) = sample("channel.chat.notification");
    let recipient = samples::unique();
    gift["event"]["notice_type"] = json!("sub_gift");
    gift["event"]["chatter_user_name"] = json!("SecretGiver");
    gift["event"]["sub_gift"] =
        json!({"sub_tier": "1000", "recipient_user_id": recipient, "recipient_user_name": "Bob"});
    api.post("/opt-outs", &json!({"platform_id": giver})).await.created();
    assert_eq!(Message::new(&gift).send(&api).await.status, 204);
    let stored = events_of(&api, &recipient).await;
    assert_eq!(stored.len(), 1);
    let text = stored[0].to_string();
    assert!(!text.contains("SecretGiver") && !text.contains(&format!("\"{giver}\"")), "{text}");
    assert_eq!(stored[0]["user_name"], "Bob");
}

#[tokio::test]
async fn repeated_notification_does_not_bring_a_redacted_text_back() {
    let api = Api::shared();
    let (sample, viewer) = sample("channel.chat.message");
    let message = Message::new(&sample);
    assert_eq!(message.send(&api).await.status, 204);
    let event = events_of(&api, &viewer).await.remove(0);
    anonymize(&api, &event["user"]).await;
    assert_eq!(message.send(&api).await.status, 204);
    assert_eq!(Message::new(&sample).send(&api).await.status, 204);
    let after = api.get(&format!("/events/{}", event["event_id"])).await.ok();
    assert_eq!(after["message"], "");
    assert_eq!(events_of(&api, &viewer).await, [] as [Value; 0], "the repetition makes no new user");
    let whole: Value = [
        "event_id",
        "user_id",
        "user_name",
        "occurred_at",
        "created_at",
        "event_type",
        "source",
        "message",
        "details",
        "reference",
    ]
    .into_iter()
    .map(|field| (field.to_owned(), event[field].clone()))
    .collect::<serde_json::Map<_, _>>()
    .into();
    let reply = api.put(&format!("/events/{}", event["event_id"]), &whole).await;
    assert_eq!((reply.status.as_u16(), code(&reply)), (409, "record_differs".to_owned()));
}

#[tokio::test]
async fn feed_reports_redacted_events_as_updated() {
    let api = Api::start();
    let user = api.user().await;
    let event = api.event(&user).await;
    anonymize(&api, &user).await;
    let subject = format!("events/{}", event["event_id"]);
    let started = Instant::now();
    loop {
        let entries = api.get("/feed?after=0").await.json();
        let of_event = entries.as_array().into_iter().flatten().filter(|entry| entry["subject"] == subject);
        if of_event.clone().any(|entry| entry["type"] == "event.updated") {
            assert!(of_event.clone().all(|entry| entry["data"]["message"] == ""));
            return;
        }
        assert!(started.elapsed() < Duration::from_mins(1), "{entries}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
