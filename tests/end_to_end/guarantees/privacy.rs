//! Tests of privacy alongside other requests: races, retention, and a search for texts that should be gone.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use capture_core::error::Code;
use capture_core::lambda::upkeep;
use capture_core::operations::Execution;
use capture_core::request::Draft;
use capture_core::resources::{EVENTS, events};
use capture_core::schema::{Id, Timestamp};
use capture_core::store::Store;
use capture_core::table::DedupKey;
use end_to_end::{Api, invariants, logs, samples, stack_with_store_in};
use futures_util::future::{join, join_all};
use serde_json::{Value, json};

use crate::api::import::id;
use crate::guarantees::sweep::has_run;
use crate::guarantees::transfer::{archive_of, export_to, import, import_from, records};
use crate::twitch::webhook::{Message, sample};

/// Runs the upkeep as if some time had passed.
async fn upkeep_after(store: &Store, delay: time::Duration) -> upkeep::UpkeepReport {
    let now = Timestamp::now().checked_add(delay).expect("a time");
    upkeep::run(&store.for_request(), now, Instant::now() + Duration::from_mins(1)).await.expect("an upkeep")
}

fn chat(viewer: &str, text: &str) -> Message {
    let (mut sample, _) = sample("channel.chat.message");
    sample["event"]["chatter_user_id"] = json!(viewer);
    sample["event"]["chatter_user_name"] = json!(format!("name {text}"));
    sample["event"]["message"]["text"] = json!(text);
    Message::new(&sample)
}

/// Returns the identifiers of the events that contain a text when rendered.
async fn events_with(api: &Api, text: &str) -> Vec<Value> {
    let events = api.list("/events").await;
    events.into_iter().filter(|event| event.to_string().contains(text)).collect()
}

#[tokio::test]
async fn opt_out_beside_200_messages_leaves_no_text() {
    let (api, store) = Api::start_with_store();
    let (viewer, secret) = (samples::unique(), samples::unique());
    let messages = (0..200).map(|_| {
        let (api, message) = (api.clone(), chat(&viewer, &secret));
        async move { assert_eq!(message.send(&api).await.status, 204) }
    });
    let opt_out = async {
        tokio::time::sleep(Duration::from_millis(fastrand::u64(0..200))).await;
        api.post("/opt-outs", &json!({"platform_id": viewer})).await.created()
    };
    join(join_all(messages), opt_out).await;
    upkeep_after(&store, time::Duration::seconds(31)).await;
    assert_eq!(events_with(&api, &secret).await, [] as [Value; 0]);
    assert_eq!(api.list(&format!("/users?platform_id={viewer}")).await, [] as [Value; 0]);
    assert_eq!(chat(&viewer, &secret).send(&api).await.status, 204);
    assert_eq!(events_with(&api, &secret).await, [] as [Value; 0]);
    invariants::check(&store).await;
}

#[tokio::test]
async fn anonymizing_beside_changes_and_deletions_leaves_no_text() {
    let (api, store) = Api::start_with_store();
    let secret = samples::unique();
    let user = api.post("/users", &json!({"platform_id": secret, "name": secret})).await.created();
    let event = samples::event(&json!({"user_id": user["user_id"], "message": secret, "user_name": secret}));
    let events: Vec<_> =
        join_all((0..30).map(|_| api.post("/events", &event))).await.iter().map(end_to_end::Reply::created).collect();
    let item = api
        .post("/inventory", &json!({"name": "hat", "metadata": secret, "owner_id": user["user_id"]}))
        .await
        .created();
    let others = events.iter().enumerate().map(|(index, event)| {
        let path = format!("/events/{}", event["event_id"]);
        let (api, body) = (api.clone(), json!({"message": secret}));
        async move {
            match index % 3 {
                0 => api.patch(&path, &body).await.status.as_u16(),
                1 => api.delete(&path).await.status.as_u16(),
                _ => api
                    .post(
                        &format!("{path}/document"),
                        &samples::merged(samples::document(), &json!({"metadata": body["message"]})),
                    )
                    .await
                    .status
                    .as_u16(),
            }
        }
    });
    let path = format!("/users/{}/anonymize", user["user_id"]);
    let empty = json!({});
    let item_path = format!("/inventory/{}", item["item_id"]);
    let note = json!({"metadata": secret});
    let (statuses, (anonymized, twice)) = join(
        join_all(others),
        join(api.post(&path, &empty), join(api.post(&path, &empty), api.patch(&item_path, &note))),
    )
    .await;
    assert!(statuses.iter().all(|status| [200, 201].contains(status)), "{statuses:?}");
    for reply in [anonymized, twice.0, twice.1] {
        reply.ok();
    }
    join(upkeep_after(&store, time::Duration::seconds(31)), upkeep_after(&store, time::Duration::seconds(31))).await;
    for path in ["/users", "/events", "/documents", "/inventory"] {
        let text = format!("{:?}", api.list(path).await);
        assert!(!text.contains(&secret), "{path}: {text}");
    }
    invariants::check(&store).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn change_beside_anonymizing_does_not_undo_it() {
    let (api, store) = Api::start_with_store();
    for round in 0..20 {
        let user = api.user().await;
        let path = format!("/users/{}", user["user_id"]);
        let body = if round % 2 == 0 { json!({"name": "Bea"}) } else { json!({"platform_id": samples::unique()}) };
        let (anonymize, empty) = (format!("{path}/anonymize"), json!({}));
        let (anonymized, changed) = join(api.post(&anonymize, &empty), api.patch(&path, &body)).await;
        anonymized.ok();
        assert!([200, 422].contains(&changed.status.as_u16()), "{}", changed.status);
        let stored = api.get(&path).await.ok();
        let expected = (json!(format!("anonymized/{}", user["user_id"])), json!("Deleted viewer"));
        assert_eq!((&stored["platform_id"], &stored["name"]), (&expected.0, &expected.1), "{body}");
    }
    invariants::check(&store).await;
}

/// Events of other viewers that arrive during an opt-out do not name the viewer, unless their requests started before
/// the opt-out was acknowledged.
#[tokio::test(flavor = "multi_thread")]
async fn events_of_others_beside_an_opt_out_do_not_name_the_viewer() {
    let (api, store) = Api::start_with_store();
    let (viewer, secret) = (samples::unique(), format!("name {}", samples::unique()));
    let raids = (0..60).map(|number| {
        let (mut raid, _) = sample("channel.raid");
        raid["event"] = json!({"from_broadcaster_user_id": end_to_end::TWITCH_CHANNEL, "from_broadcaster_user_name": "Chan",
            "from_broadcaster_user_login": "chan", "to_broadcaster_user_id": viewer,
            "to_broadcaster_user_name": secret, "to_broadcaster_user_login": "x", "viewers": number + 2});
        let (api, message) = (api.clone(), Message::new(&raid));
        async move { assert_eq!(message.send(&api).await.status, 204) }
    });
    let opt_out = async {
        api.post("/opt-outs", &json!({"platform_id": viewer})).await.created();
        Timestamp::now().to_string()
    };
    let (_, acknowledged_at) = join(join_all(raids), opt_out).await;
    let events = api.list("/events").await;
    assert_eq!(events.len(), 60);
    let naming = events.iter().filter(|event| event.to_string().contains(&secret));
    let before: Vec<_> = naming.map(|event| event["created_at"].as_str().expect("a time")).collect();
    // An event's time is that of its request's start, and an event may commit just before the opt-out does.
    assert!(before.iter().all(|time| *time < acknowledged_at.as_str()), "{before:?}, {acknowledged_at}");
    // A notification that was parsed before the opt-out and is stored after it is rejected.
    let user = api.user().await;
    let user_id = Id::parse(&user["user_id"].to_string()).expect("an identifier");
    let draft = Draft::new(&EVENTS)
        .with(&events::EVENT_TYPE, "plain")
        .with(&events::USER_ID, user_id)
        .with(&events::USER_NAME, "Bob")
        .with(&events::OCCURRED_AT, Timestamp::now())
        .with(&events::MESSAGE, &secret);
    let execution = Execution::in_background(&store, Timestamp::now());
    let dedup_key = DedupKey::new(&samples::unique(), Timestamp::now());
    let refused = execution.create_once(draft, dedup_key, &BTreeSet::from([viewer])).await;
    assert_eq!(refused.map_err(|error| error.code()), Err(Code::OptedOut));
    assert_eq!(api.list("/events").await.len(), 60);
    invariants::check(&store).await;
}

#[tokio::test]
async fn changes_archive_does_not_bring_a_document_of_a_redacted_event_back() {
    let (source, target) = (Api::start(), Api::start());
    let user = source.user().await;
    let document = samples::merged(samples::document(), &json!({"metadata": "secret"}));
    let event = json!({"user_id": user["user_id"], "message": "secret", "document": document});
    let event = source.post("/events", &samples::event(&event)).await.created();
    let archive = archive_of(&source).await;
    import(&target, archive.path()).await.expect("an import");
    target.post(&format!("/users/{}/anonymize", user["user_id"]), &json!({})).await.ok();
    let document = format!("/documents/{}", event["document_id"]);
    assert_eq!(target.get(&document).await.status, 404);
    let mut stored = source.get(&document).await.ok();
    stored.as_object_mut().expect("an object").retain(|name, _| name != "stamps");
    stored["document_data"] = samples::document()["document_data"].clone();
    let refused = target.put(&document, &stored).await;
    assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (409, &json!("record_differs")));
    source.post("/stamps", &samples::stamp(&json!({"document_id": event["document_id"]}))).await.created();
    let changes = tempfile::tempdir().expect("a folder");
    let since = Some(archive.path().to_owned());
    let options = transfer::ExportOptions { since, ..export_to(&source, changes.path()) };
    transfer::export(options).await.expect("an archive");
    import(&target, changes.path()).await.expect("an import of changes");
    assert_eq!(target.get(&document).await.status, 404);
    assert_eq!(target.list("/stamps").await, [] as [Value; 0]);
    // The viewer is back, and an import matches users by their platform identifier.
    target.post("/users", &json!({"platform_id": user["platform_id"], "name": "Ann"})).await.created();
    let options = transfer::ImportOptions { match_users: true, ..import_from(&target, archive.path()) };
    transfer::import(options).await.expect("an import that leaves out what was redacted");
    assert_eq!(target.get(&document).await.status, 404);
}

#[tokio::test]
async fn thousand_events_are_redacted_when_the_response_comes() {
    let api = Api::start();
    let user = api.user().await;
    let event = samples::event(&json!({"user_id": user["user_id"], "message": "secret words"}));
    for _ in 0..20 {
        join_all((0..50).map(|_| async { api.post("/events", &event).await.created() })).await;
    }
    api.post(&format!("/users/{}/anonymize", user["user_id"]), &json!({})).await.ok();
    let events = api.list(&format!("/users/{}/events", user["user_id"])).await;
    assert_eq!(events.len(), 1_000);
    assert!(events.iter().all(|event| event["message"] == "" && event["user_name"] == "Deleted viewer"));
}

#[tokio::test]
async fn fresh_archive_has_no_redacted_text_and_an_old_one_does_not_bring_it_back() {
    let source = Api::start();
    let secrets = [samples::unique(), samples::unique()];
    let mut users = Vec::new();
    for secret in &secrets {
        let user = source.post("/users", &json!({"platform_id": secret, "name": secret})).await.created();
        let document = samples::merged(samples::document(), &json!({"metadata": secret}));
        let event = json!({"user_id": user["user_id"], "message": secret, "user_name": secret, "document": document});
        source.post("/events", &samples::event(&event)).await.created();
        source
            .post("/inventory", &json!({"name": "hat", "metadata": secret, "owner_id": user["user_id"]}))
            .await
            .created();
        let product = json!({"name": samples::unique(), "price": 0, "question": "Which colour?"});
        let product = source.post("/products", &product).await.created();
        let order = json!({"product_id": product["product_id"], "answer": secret});
        source.post(&format!("/users/{}/purchases", user["user_id"]), &order).await.created();
        users.push(user);
    }
    let old = archive_of(&source).await;
    source.post(&format!("/users/{}/anonymize", users[0]["user_id"]), &json!({})).await.ok();
    source.post("/opt-outs", &json!({"platform_id": secrets[1]})).await.created();
    let new = archive_of(&source).await;
    for name in ["users", "events", "documents", "inventory", "purchases"] {
        let text = format!("{:?}", records(new.path(), name));
        assert!(!secrets.iter().any(|secret| text.contains(secret)), "{name}: {text}");
    }
    // Importing the old archive into the service that has redacted it brings nothing back.
    import(&source, old.path()).await.expect("an import that leaves out what was redacted");
    for path in ["/users", "/events", "/documents", "/inventory", "/purchases"] {
        let text = format!("{:?}", source.list(path).await);
        assert!(!secrets.iter().any(|secret| text.contains(secret)), "{path}: {text}");
    }
    // In a service with only the opt-out, the other viewer is complete.
    let target = Api::start();
    target.post("/opt-outs", &json!({"platform_id": secrets[1]})).await.created();
    import(&target, old.path()).await.expect("an import without the opted-out viewer");
    for path in ["/users", "/events", "/documents", "/inventory", "/purchases"] {
        let text = format!("{:?}", target.list(path).await);
        assert!(text.contains(&secrets[0]) && !text.contains(&secrets[1]), "{path}: {text}");
    }
    let log = logs::text();
    assert!(!secrets.iter().any(|secret| log.contains(secret)), "the log has a viewer's text");
}

#[tokio::test]
async fn chat_loses_its_texts_after_the_retention_and_nothing_else_does() {
    let folder = end_to_end::folder();
    let (api, store) = stack_with_store_in(&folder, |options| options.chat_retention_days = 10);
    has_run(&store).await;
    let user = api.user().await;
    let now = Timestamp::now();
    let ago = |days: i64| now.checked_add(time::Duration::days(-days)).expect("a time").to_string();
    let put = |source: Value, kind: &str, days: i64| {
        let mut event = json!({"event_type": kind, "message": "secret words", "user_name": "Ann", "details": {"a": 1},
            "occurred_at": ago(days), "created_at": ago(days), "source": source, "user_id": user["user_id"]});
        if kind == "cheer" {
            event["amount"] = json!(5);
        }
        let (api, path) = (api.clone(), format!("/events/{}", id()));
        async move { api.put(&path, &event).await.created() }
    };
    let chat = json!("twitch/channel.chat.message");
    let old = put(chat.clone(), "plain", 11).await;
    let recent = put(chat.clone(), "plain", 9).await;
    let cheer = put(chat.clone(), "cheer", 11).await;
    let other = put(json!("chat-bot"), "plain", 11).await;
    let head = api.get("/feed").await.header("feed-head").to_owned();
    let is_redacted = async |event: &Value| {
        let stored = api.get(&format!("/events/{}", event["event_id"])).await.ok();
        assert_eq!(stored["user_name"], "Ann");
        (stored["message"] == "").then(|| assert_eq!(stored["details"], Value::Null)).is_some()
    };
    // The old messages are past the retention. The stream reports them to it.
    while !is_redacted(&old).await {
        tokio::time::sleep(Duration::from_millis(20)).await;
        upkeep_after(&store, time::Duration::minutes(2)).await;
    }
    for event in [&recent, &cheer, &other] {
        assert!(!is_redacted(event).await, "{event}");
    }
    assert_eq!(api.get("/feed").await.header("feed-head"), head, "the feed does not report it");
    // A text that a client writes later expires as well.
    api.patch(&format!("/events/{}", old["event_id"]), &json!({"message": "again"})).await.ok();
    // The sequencer notices it shortly.
    let mut minutes = 4..100;
    while !is_redacted(&old).await {
        let later = time::Duration::minutes(minutes.next().expect("an old message has its text again"));
        upkeep_after(&store, later).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Two concurrent runs share no work, and a run that is a day late reports it.
#[tokio::test(flavor = "multi_thread")]
async fn retention_runs_once_at_a_time_and_reports_a_delay() {
    let folder = end_to_end::folder();
    let (api, store) = stack_with_store_in(&folder, |options| options.chat_retention_days = 10);
    has_run(&store).await;
    let user = api.user().await;
    let old = Timestamp::now().checked_add(time::Duration::days(-11)).expect("a time").to_string();
    for number in 0..20 {
        let event = json!({"event_type": "plain", "message": format!("secret {number}"), "user_name": "Ann",
            "occurred_at": old, "created_at": old, "source": "twitch/channel.chat.message", "user_id": user["user_id"]});
        api.put(&format!("/events/{}", id()), &event).await.created();
    }
    let minute = time::Duration::minutes(1);
    let (first, second) = join(upkeep_after(&store, minute), upkeep_after(&store, minute)).await;
    assert!(first.texts_expired == 0 || second.texts_expired == 0, "{first:?}, {second:?}");
    while !events_with(&api, "secret").await.is_empty() {
        upkeep_after(&store, 2 * minute).await;
    }
    upkeep_after(&store, time::Duration::hours(25)).await;
    assert!(logs::text().contains(r#""retention_behind":1"#));
    let template = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../template.yaml")).expect("a file");
    assert!(template.contains("{ $.retention_behind > 0 }"));
}

#[tokio::test(flavor = "multi_thread")]
async fn statistics_are_equal_and_not_counted_again_after_anonymizing() {
    let (api, store) = Api::start_with_store();
    let user = api.user().await;
    let event = |fields: Value| samples::merged(samples::event(&json!({"user_id": user["user_id"]})), &fields);
    api.post("/events", &event(json!({"message": "hello"}))).await.created();
    api.post("/events", &event(json!({"event_type": "cheer", "amount": 70, "message": "hi"}))).await.created();
    let mut delay = time::Duration::minutes(2);
    let mut refresh = async || loop {
        let now = Timestamp::now().checked_add(delay).expect("a time");
        delay += time::Duration::minutes(2);
        let refreshed = upkeep::refresh(&store, now, Instant::now() + Duration::from_mins(1)).await.expect("a refresh");
        if !refreshed.busy && !refreshed.has_more {
            return refreshed;
        }
    };
    // The stream may deliver the changes at any time.
    let started = Instant::now();
    let path = format!("/users/{}/statistics?by=year", user["user_id"]);
    let before = loop {
        refresh().await;
        let statistics = api.get(&path).await;
        let is_complete = statistics.status == 200
            && statistics.json().as_array().is_some_and(|buckets| buckets.iter().any(|bucket| bucket["bits"] == 70));
        if is_complete {
            break [statistics.ok(), api.get("/statistics?by=year").await.ok()];
        }
        assert!(started.elapsed() < Duration::from_mins(1), "the statistics lack the events");
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    refresh().await;
    let head = api.get("/feed").await.header("feed-head").to_owned();
    api.post(&format!("/users/{}/anonymize", user["user_id"]), &json!({})).await.ok();
    while api.get("/feed").await.header("feed-head") == head {
        assert!(started.elapsed() < Duration::from_mins(2), "the sequencer has not seen the change");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(refresh().await.segments, 0, "nothing is counted again");
    assert_eq!([api.get(&path).await.ok(), api.get("/statistics?by=year").await.ok()], before);
    assert_eq!(api.get("/leaderboards/bits").await.ok(), json!([]), "an anonymized user is not ranked");
}
