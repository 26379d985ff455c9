//! Tests of the feed: despite all faults, each change is appended once, in an order that never changes.

use std::collections::BTreeSet;
use std::time::Duration;

use capture_core::feed::entries::{ChangeKind, Entry, PAGE_ENTRIES, RecordChange, SequenceNumber};
use capture_core::lambda::stream::Batch;
use capture_core::lambda::{follower, sequencer, socket};
use capture_core::operations::Execution;
use capture_core::schema::Timestamp;
use capture_core::store::{SocketConnection, Store};
use end_to_end::faults::Faults;
use end_to_end::memory::Memory;
use end_to_end::{Api, Reply, amount, samples, stack_in, stack_with_tokens};
use futures_util::future::join_all;
use futures_util::{SinkExt, StreamExt};
use reqwest::Method;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::Message;

use crate::platform::price::{FEED_READ_UNITS, FEED_WRITE_UNITS};

pub(crate) async fn head(api: &Api) -> u64 {
    api.get("/feed").await.header("feed-head").parse().expect("a number")
}

/// Returns the feed's entries after a sequence number by following its links.
pub(crate) async fn entries_after(api: &Api, after: u64) -> Vec<Value> {
    let (mut entries, mut next) = (Vec::new(), Some(format!("/feed?after={after}")));
    while let Some(path) = next {
        let page = api.get(&path).await;
        assert_eq!(page.status, 200, "{}", String::from_utf8_lossy(&page.bytes));
        assert_eq!(page.header("content-type"), "application/cloudevents-batch+json");
        next = page.next();
        entries.extend(page.json().as_array().expect("a list").clone());
    }
    entries
}

/// Waits until the feed has `many` entries after a sequence number, and returns them.
async fn entries_of(api: &Api, after: u64, many: usize) -> Vec<Value> {
    for _ in 0..200 {
        let entries = entries_after(api, after).await;
        if entries.len() >= many {
            return entries;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the feed does not tell {many} after {after}");
}

fn kinds(entries: &[Value]) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    entries.iter().map(|event| (text(&event["type"]), text(&event["subject"]))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn feed_reports_creations_and_deletions_in_order() {
    let api = Api::start();
    assert_eq!(head(&api).await, 0);
    let user = api.user().await;
    let event = api.event(&user).await;
    entries_of(&api, 0, 1).await;
    let subject = format!("events/{}", event["event_id"]);
    let document = samples::merged(samples::document(), &json!({"stamps": []}));
    let document = api.post(&format!("/{subject}/document"), &document).await.created();
    let stamp = api.post("/stamps", &samples::stamp(&document)).await.created();
    let stamped = format!("stamps/{}", stamp["stamp_id"]);
    let so_far = entries_of(&api, 0, 3).await;
    let pair = |kind: &str, subject: &str| (kind.to_owned(), subject.to_owned());
    let so_far = &so_far[..];
    assert_eq!(kinds(so_far)[0], pair("event.created", &subject));
    // Attaching the document updated the event.
    assert!(kinds(so_far)[1..].contains(&pair("event.updated", &subject)));
    assert!(kinds(so_far).contains(&pair("stamp.created", &stamped)));
    for (position, event) in so_far.iter().enumerate() {
        let id = format!("{:016}", position + 1);
        assert_eq!((&event["id"], &event["sequence"]), (&json!(id), &json!(id)));
        assert_eq!(event["specversion"], "1.0");
        assert_eq!(event["source"], "/feed");
        assert_eq!(event["datacontenttype"], "application/json");
        assert!(Timestamp::parse(event["time"].as_str().expect("a time")).is_some());
        let rendered = api.get(&format!("/{}", event["subject"].as_str().expect("a path"))).await.ok();
        assert_eq!(event["data"], rendered, "as a GET shows it now");
    }
    assert_eq!(so_far[0]["data"]["document"]["stamps"][0]["stamp_id"], stamp["stamp_id"]);
    api.delete(&format!("/{subject}")).await.ok();
    let all = entries_of(&api, 0, 5).await;
    let last: BTreeSet<_> = kinds(&all)[3..].iter().cloned().collect();
    assert_eq!(last, [pair("event.deleted", &subject), pair("stamp.deleted", &stamped)].into());
    assert!(all.iter().all(|entry| entry.get("data").is_none()), "deleted data is gone here, too");
    // The feed does not report changes to users.
    api.patch(&format!("/users/{}", user["user_id"]), &json!({"name": "x"})).await.ok();
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(head(&api).await, 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn feed_reports_updates_of_events_and_stamps() {
    let api = Api::start();
    let user = api.user().await;
    let event = api.event(&user).await;
    let path = format!("/events/{}", event["event_id"]);
    let subject = path.trim_start_matches('/').to_owned();
    entries_of(&api, 0, 1).await;
    let document = api.post(&format!("{path}/document"), &samples::document()).await.created();
    entries_of(&api, 1, 1).await;
    let stamp = api.post("/stamps", &samples::stamp(&document)).await.created();
    let stamped = format!("stamps/{}", stamp["stamp_id"]);
    entries_of(&api, 2, 1).await;
    let long = "long ".repeat(400);
    for (request, body, kind, about) in [
        (path.clone(), json!({"message": "changed"}), "event.updated", &subject),
        (path.clone(), json!({"message": long}), "event.updated", &subject),
        (format!("/{stamped}"), json!({"pos_x": 7}), "stamp.updated", &stamped),
    ] {
        let before = head(&api).await;
        let rendered = api.patch(&request, &body).await.ok();
        let entries = entries_of(&api, before, 1).await;
        assert_eq!(kinds(&entries), [(kind.to_owned(), about.clone())], "{body}");
        assert_eq!(entries[0]["data"], rendered);
    }
    // None of these requests changes the event's own fields.
    let before = head(&api).await;
    for (request, body) in [
        (path.clone(), json!({})),
        (format!("/users/{}", user["user_id"]), json!({"name": "renamed"})),
        (format!("/documents/{}", document["document_id"]), json!({"seal": 9})),
    ] {
        api.patch(&request, &body).await.ok();
    }
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert_eq!(head(&api).await, before);
    api.delete(&format!("/documents/{}", document["document_id"])).await.ok();
    let entries: BTreeSet<_> = kinds(&entries_of(&api, before, 2).await).into_iter().collect();
    let pair = |kind: &str, subject: &str| (kind.to_owned(), subject.to_owned());
    assert_eq!(entries, [pair("event.updated", &subject), pair("stamp.deleted", &stamped)].into());
}

#[tokio::test(flavor = "multi_thread")]
async fn get_feed_returns_pages_and_rejects_invalid_parameters() {
    let (api, store) = Api::start_with_store();
    let user = api.user().await;
    join_all((0..5).map(|_| api.event(&user))).await;
    entries_of(&api, 0, 5).await;
    let page = api.get("/feed?after=1&limit=2").await;
    assert_eq!((page.json().as_array().expect("a list").len(), page.header("feed-head")), (2, "0000000000000005"));
    assert_eq!(page.next().as_deref(), Some("/feed?after=3&limit=2"));
    assert_eq!(api.get("/feed?after=0000000000000003").await.json()[0]["id"], "0000000000000004");
    assert_eq!(entries_after(&api, 5).await, Vec::<Value>::new());
    assert_eq!(api.get("/feed").await.json(), json!([]));
    assert_eq!(api.send(api.request(Method::HEAD, "/feed?after=0")).await.header("feed-head"), "0000000000000005");
    for query in [
        "after=6",
        "after=-1",
        "after=",
        "after=a",
        "after=1.0",
        "after=+1",
        "limit=0",
        "limit=101",
        "limit=01",
        "x=1",
        "after=1&after=2",
    ] {
        let refused = api.get(&format!("/feed?{query}")).await;
        assert_eq!(refused.refused(400).len(), 1, "{query}");
        assert_eq!(refused.header("feed-head"), "0000000000000005", "{query}");
    }
    let method = api.post("/feed", &json!({})).await;
    method.refused(405);
    assert_eq!(method.header("allow"), "GET, HEAD");
    // Skipped sequence numbers cannot be read. The response has the current head.
    assert_eq!(store.advance_feed(10).await.expect("the table"), 15);
    for after in [0, 4, 5, 14] {
        let gone = api.get(&format!("/feed?after={after}")).await;
        gone.refused(410);
        assert_eq!(gone.header("feed-head"), "0000000000000015");
    }
    api.event(&user).await;
    entries_of(&api, 15, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn entries_are_read_from_pages_and_the_head() {
    let (api, store) = Api::start_with_store();
    let execution = execution(&store);
    for number in 1..=30 {
        let changes = [created(number)];
        assert_eq!(execution.append(Some("one"), &changes).await.expect("the table"), number);
    }
    for (after, limit) in [(0, 100), (0, 5), (2, 2), (7, 8), (15, 1), (16, 14), (29, 100)] {
        let page = api.get(&format!("/feed?after={after}&limit={limit}")).await.json();
        let page = page.as_array().expect("a list");
        assert_eq!(page.len(), (30 - after).min(limit));
        for (position, entry) in page.iter().enumerate() {
            assert_eq!(entry["subject"], format!("events/{}", after + position + 1));
        }
    }
}

fn execution(store: &Store) -> Execution {
    Execution::in_background(store, Timestamp::now())
}

fn created(number: u64) -> RecordChange {
    let entry = Entry::of(&format!("events/{number}"), ChangeKind::Created, Timestamp::now()).expect("an entry");
    RecordChange { sequence_number: SequenceNumber(number.to_string()), entry }
}

#[tokio::test(flavor = "multi_thread")]
async fn get_feed_without_new_entries_costs_one_read_unit() {
    let api = Api::start();
    let user = api.user().await;
    api.event(&user).await;
    entries_of(&api, 0, 1).await;
    assert_eq!(api.get("/feed?after=1").await.cost(), (1, 1.0, 0.0));
    assert_eq!(api.get("/feed").await.cost(), (1, 1.0, 0.0));
    let (trips, units, _) = api.get("/feed?after=0").await.cost();
    assert!(trips <= 3 && units <= 3.0, "{trips} {units}");
}

#[tokio::test(flavor = "multi_thread")]
async fn append_costs_the_units_of_the_price_model() {
    let (_, store) = Api::start_with_store();
    // When changes are appended one by one, a page costs one write of the head per entry, plus the write of the page.
    let store = store.for_request();
    for number in 1..=PAGE_ENTRIES {
        let execution = Execution { store: store.clone(), ..execution(&store) };
        let changes = [created(number)];
        for _ in 0..2 {
            assert_eq!(execution.append(Some("one"), &changes).await.expect("the table"), number);
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "a small count")]
    let of_page = |units: f64| PAGE_ENTRIES as f64 * units;
    // A shard's first change looks up its checkpoint, and each repeated change reads the head.
    let cost = (store.cost().read_units(), store.cost().write_units());
    assert_eq!(cost, (2.0 * of_page(FEED_READ_UNITS) + 1.0, of_page(FEED_WRITE_UNITS)));
    // A batch with as many changes as fit in one transaction.
    let (batch, many) = (store.for_request(), 400);
    let changes: Vec<_> = (PAGE_ENTRIES + 1..=PAGE_ENTRIES + many).map(created).collect();
    let execution = Execution { store: batch.clone(), ..execution(&store) };
    execution.append(Some("one"), &changes).await.expect("the table");
    assert_eq!((batch.cost().round_trips(), batch.cost().write_units()), (2, 2.0 + 2.0 * 50.0));
}

#[tokio::test(flavor = "multi_thread")]
async fn shard_evicted_from_the_head_keeps_its_checkpoint() {
    let (_, store) = Api::start_with_store();
    let execution = execution(&store);
    for round in 1..=3 {
        for shard in 0..20 {
            let changes: Vec<_> = (1..=round).map(created).collect();
            let last = execution.append(Some(&format!("shard-{shard}")), &changes).await.expect("the table");
            assert_eq!(last, (round - 1) * 20 + shard + 1, "one of these changes is new");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn alert_replays_an_event_or_shows_an_unstored_test() {
    let api = Api::start();
    let event = api.event(&api.user().await).await;
    entries_of(&api, 0, 1).await;
    let raised = api.post("/alerts", &json!({"event_id": event["event_id"]})).await;
    assert_eq!(raised.status, 202);
    let tested = json!({"event_type": "cheer", "amount": 100, "user_name": "Ann", "message": "hi"});
    assert_eq!(api.post("/alerts", &json!({"test": tested})).await.status, 202);
    let all = entries_of(&api, 0, 3).await;
    assert_eq!(all[1]["type"], "alert.replayed");
    assert_eq!(all[1]["subject"], all[0]["subject"]);
    assert_eq!(all[1]["data"], api.get(&format!("/events/{}", event["event_id"])).await.ok());
    assert_eq!(all[2]["type"], "alert.tested");
    for (name, value) in tested.as_object().expect("fields") {
        assert_eq!(&all[2]["data"][name], value, "{name}");
    }
    assert!(all[2]["data"]["user"]["name"].is_string());
    // A test alert with a long text and another event's document.
    let document = samples::merged(samples::document(), &json!({"stamps": []}));
    let attached = api.post(&format!("/events/{}/document", event["event_id"]), &document).await.created();
    let with_it =
        json!({"event_type": "plain", "message": "\u{0}".repeat(100_000), "document_id": attached["document_id"]});
    assert_eq!(api.post("/alerts", &json!({"test": with_it})).await.status, 202);
    // Attaching the document has appended an entry in the meantime.
    let rendered =
        entries_of(&api, 3, 2).await.into_iter().find(|entry| entry["type"] == "alert.tested").expect("an alert");
    let rendered = &rendered["data"];
    assert_eq!(rendered["document"]["document_data"], attached["document_data"]);
    assert_eq!(rendered["message"], with_it["message"]);
    assert_eq!(api.get(&format!("/events/{}/document", event["event_id"])).await.ok()["seal"], attached["seal"]);
    assert_eq!(api.list("/events").await.len(), 1, "it is stored nowhere");
    assert_eq!(api.list("/users").await.len(), 1);
    for (body, position) in [
        (json!({"event_id": 5}), "/event_id"),
        (json!({"event_id": "5"}), "/event_id"),
        (json!({"event_id": event["event_id"], "test": tested}), ""),
        (json!({}), ""),
        (json!([]), ""),
        (json!({"event_id": event["event_id"], "x": 1}), "/x"),
        (json!({"test": {"event_type": "cheer"}}), "/test/amount"),
        (json!({"test": {"event_type": "cheer", "amount": 1, "color": 1}}), "/test/color"),
        (json!({"test": {"event_type": "cheer", "amount": 1, "user_id": 5}}), "/test/user_id"),
        (json!({"test": 5}), "/test"),
        (json!({"test": {"event_type": "plain", "message": "x", "document": samples::document()}}), "/test/document"),
        (json!({"test": {"event_type": "plain", "message": 5, "document": {}}}), "/test/document"),
        (json!({"test": {"event_type": "plain", "message": 5, "document": {}}}), "/test/message"),
    ] {
        let wrong = api.post("/alerts", &body).await.refused(422);
        assert!(wrong.contains(&position.to_owned()), "{body}: {wrong:?}");
    }
    api.get("/alerts").await.refused(405);
    api.send(api.request(Method::POST, "/alerts").body("x")).await.refused(415);
}

#[tokio::test(flavor = "multi_thread")]
async fn alert_with_an_idempotency_key_is_appended_once() {
    let api = Api::start();
    let event = api.event(&api.user().await).await;
    let send = |body: Value| {
        let request = api.request(Method::POST, "/alerts").header("Idempotency-Key", "one");
        api.send(request.json(&body))
    };
    let body = json!({"event_id": event["event_id"]});
    let answers = join_all((0..8).map(|_| send(body.clone()))).await;
    assert!(answers.iter().all(|answer: &Reply| answer.status == 202 && answer.json() == answers[0].json()));
    send(json!({"test": {"event_type": "raid", "viewer_count": 1}})).await.refused(422);
    entries_of(&api, 0, 2).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(head(&api).await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn overlay_token_may_read_what_overlays_show_only() {
    let (api, folder) = stack_with_tokens();
    let token = crate::api::tokens::make(folder.path(), "overlay");
    let ask = |method: Method, path: &str| {
        let request = api.request(method, path).bearer_auth(&token);
        api.send(request)
    };
    assert_eq!(ask(Method::GET, "/feed").await.status, 200);
    assert_eq!(ask(Method::HEAD, "/feed?after=0").await.status, 200);
    assert_eq!(ask(Method::GET, "/events?limit=5").await.status, 200);
    assert_eq!(ask(Method::GET, "/events/77").await.status, 404);
    assert_eq!(ask(Method::GET, "/overlays/77").await.status, 404);
    for path in [
        "/overlays",
        "/overlays/",
        "/overlays/77/",
        "/events/77/user",
        "/events/77/user/transactions",
        "/users/5/events",
        "/eventsx",
        "/tokens",
        "/openapi.json",
        "/users/5",
        "/feed/5",
        "/asyncapi.json",
    ] {
        let refused = ask(Method::GET, path).await;
        refused.refused(403);
        assert!(refused.header("www-authenticate").contains("insufficient_scope"), "{path}");
    }
    for (method, path) in [
        (Method::POST, "/alerts"),
        (Method::POST, "/events"),
        (Method::DELETE, "/events/5"),
        (Method::PATCH, "/overlays/5"),
    ] {
        ask(method, path).await.refused(403);
    }
    api.get("/feed").await.refused(401);
}

#[tokio::test(flavor = "multi_thread")]
async fn asyncapi_document_has_a_message_for_each_entry_type() {
    let api = Api::shared();
    let document = api.get("/asyncapi.json").await.ok();
    assert_eq!(document["asyncapi"], "3.0.0");
    let messages: BTreeSet<_> =
        document["components"]["messages"].as_object().expect("messages").keys().cloned().collect();
    let expected = [
        "alert.cleared",
        "alert.replayed",
        "alert.skipped",
        "alert.tested",
        "event.created",
        "event.deleted",
        "event.updated",
        "overlay.updated",
        "purchase.created",
        "purchase.updated",
        "stamp.created",
        "stamp.deleted",
        "stamp.updated",
    ];
    assert_eq!(messages, expected.map(str::to_owned).into());
    assert_eq!(document["servers"]["socket"]["protocol"], "ws");
    assert_eq!(document["channels"]["socket"]["address"], "/socket");
    // Every reference resolves.
    let text = document.to_string();
    for reference in text.split("\"$ref\":\"#").skip(1) {
        let pointer = reference.split('"').next().expect("a pointer");
        assert!(document.pointer(pointer).is_some(), "{pointer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn openapi_document_has_a_test_alert_schema_for_each_type() {
    let document = Api::shared().get("/openapi.json").await.ok();
    let schemas = &document["components"]["schemas"];
    let references = schemas["TestEvent"]["oneOf"].as_array().expect("a schema for each type");
    let name = |reference: &Value| reference["$ref"].as_str().expect("a name").replace("#/components/schemas/", "");
    let tests: Vec<_> = references.iter().map(|reference| &schemas[name(reference)]).collect();
    let required: BTreeSet<_> = tests.iter().map(|test| test["required"].to_string()).collect();
    let of_type = |more: &str| format!("[\"event_type\"{more}]");
    let expected = [",\"message\"", ",\"amount\"", ",\"tier\",\"subscribed_length\"", ",\"viewer_count\""].map(of_type);
    assert_eq!(required, expected.into());
    assert!(tests.iter().all(|test| test["properties"]["user"]["anyOf"][1]["type"] == "null"));
}

/// Returns a stream batch of one shard with the creation of these events.
fn batch(shard: &str, events: &[u64]) -> Batch {
    let record = |event: &u64| {
        json!({"eventName": "INSERT", "dynamodb": {
            "Keys": {"pk": {"S": format!("events/{event}")}}, "SequenceNumber": event.to_string()}})
    };
    Batch::parse(&json!({"Records": events.iter().map(record).collect::<Vec<_>>(), "shardId": shard}))
}

/// Delivers one shard's changes to the sequencer like Lambda: in order, repeating each batch until it succeeds. At
/// random, the sequencer is stopped between two steps, or a successful batch is delivered again. Returns the number of
/// stops.
async fn bring(store: &Store, shard: &str, events: &[u64]) -> usize {
    let (mut position, mut deaths) = (0, 0);
    while position < events.len() {
        let size = fastrand::usize(1..120).min(events.len() - position);
        let batch = batch(shard, &events[position..position + size]);
        let run = sequencer::run(store, &batch, Timestamp::now());
        let taken = if fastrand::u8(..) < 60 {
            let died = tokio::time::timeout(Duration::from_micros(fastrand::u64(0..8_000)), run).await;
            deaths += usize::from(died.is_err());
            died.is_ok_and(|done| done.is_ok())
        } else {
            run.await.is_ok()
        };
        if taken && fastrand::u8(..) > 30 {
            position += size;
        }
    }
    deaths
}

/// Appends as many changes as `FEED_EVENTS` says: `FEED_EVENTS=10000 cargo test feed`.
#[tokio::test(flavor = "multi_thread")]
async fn feed_numbers_entries_without_gaps_through_faults() {
    let many: u64 = amount("FEED_EVENTS", 600, 1_500);
    let faults = Faults { conflicts: 7, lost_answers: 11, throttled: 13, ..Faults::default() };
    let (api, store) = Api::faulty_with_store(faults);
    // Two concurrent shards of the stream. Two sequencers that are unaware of each other process one of them.
    let (one, other): (Vec<_>, Vec<_>) = (1..=many).partition(|event| event % 2 == 0);
    let deaths =
        tokio::join!(bring(&store, "one", &one), bring(&store, "other", &other), bring(&store, "other", &other));
    println!("{many} changes, and {deaths:?} deaths of who told of them");

    let mut after = 0;
    let mut subjects = Vec::new();
    while subjects.len() < usize::try_from(many).expect("a count") {
        let page = api.get(&format!("/feed?after={after}")).await;
        if page.status == 503 {
            continue;
        }
        let page = page.json();
        let page = page.as_array().expect("a list");
        assert!(!page.is_empty(), "{} of {many} are reported", subjects.len());
        for event in page {
            after += 1;
            assert_eq!(event["id"], format!("{after:016}"), "no gap");
            let subject = event["subject"].as_str().expect("a subject");
            subjects.push(subject.strip_prefix("events/").expect("an event").parse::<u64>().expect("a number"));
        }
    }
    assert_eq!(subjects.iter().collect::<BTreeSet<_>>().len(), subjects.len(), "each once");
    for shard in [0, 1] {
        let of_shard: Vec<_> = subjects.iter().filter(|event| *event % 2 == shard).collect();
        assert!(of_shard.is_sorted(), "in the order of its shard");
    }
    loop {
        let end = api.get("/feed").await;
        if end.status == 200 {
            assert_eq!(end.header("feed-head").parse::<u64>().ok(), Some(many));
            break;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn unrelated_stream_records_are_skipped() {
    let (api, store) = Api::start_with_store();
    let record = |kind: &str, pk: &str, number: u64| json!({"eventName": kind, "dynamodb": {"Keys": {"pk": {"S": pk}}, "SequenceNumber": number.to_string()}});
    let strange = json!({"shardId": "one", "Records": [
        record("MODIFY", "events/1", 1),
        record("INSERT", "events/1/text/ab", 2),
        record("INSERT", "feed/1", 3),
        record("INSERT", "events/4", 4),
        record("INSERT", "events/4", 4),
    ]});
    let final_of_window = json!({"shardId": "one", "Records": [], "isFinalInvokeForWindow": true});
    for batch in [strange.clone(), strange, final_of_window, json!({"Records": [{"x": 1}]}), json!({}), json!(5)] {
        sequencer::run(&store, &Batch::parse(&batch), Timestamp::now()).await.expect("it goes on");
    }
    assert_eq!(kinds(&entries_after(&api, 0).await), [("event.created".to_owned(), "events/4".to_owned())]);
}

#[tokio::test(flavor = "multi_thread")]
async fn pending_changes_are_appended_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut created = 0;
    for round in 0..4 {
        let process = crate::guarantees::crash::Process::start(folder.path());
        let user = process.api.user().await;
        for _ in 0..10 {
            process.api.event(&user).await;
            created += 1;
        }
        if round < 3 {
            process.kill();
        } else {
            let all = entries_of(&process.api, 0, created).await;
            let subjects: BTreeSet<_> = kinds(&all).into_iter().collect();
            assert_eq!((all.len(), subjects.len()), (created, created));
        }
    }
    let stream = std::fs::metadata(folder.path().join("table.sqlite")).expect("a file").len();
    assert!(stream < 10_000_000, "the folder does not grow with the stream");
}

/// Opens a connection to the socket. The error is a rejection's status.
async fn listening(api: &Api, offered: &str) -> Result<Socket, u16> {
    let mut request = api.base().replace("http", "ws").into_client_request().expect("a request");
    *request.uri_mut() = format!("{}/socket", api.base().replace("http", "ws")).parse().expect("a URL");
    if !offered.is_empty() {
        request.headers_mut().insert("sec-websocket-protocol", offered.parse().expect("a header"));
    }
    match tokio_tungstenite::connect_async(request).await {
        Ok((socket, answer)) => {
            let chosen = answer.headers().get("sec-websocket-protocol").map(|chosen| chosen.to_str().expect("a text"));
            assert_eq!(chosen, (!offered.is_empty()).then_some("cloudevents.json"), "nothing of the token");
            Ok(socket)
        }
        Err(tokio_tungstenite::tungstenite::Error::Http(refused)) => Err(refused.status().as_u16()),
        Err(error) => panic!("{error}"),
    }
}

type Socket = tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>;

async fn subscribed(socket: &mut Socket) -> u64 {
    socket.send(Message::text(r#"{"action":"subscribe"}"#)).await.expect("it is open");
    pushed(socket).await.expect("the head")
}

/// Returns the next head that is pushed, or `None` if the connection ends.
async fn pushed(socket: &mut Socket) -> Option<u64> {
    loop {
        let message = tokio::time::timeout(Duration::from_secs(20), socket.next()).await.expect("a message arrives");
        match message {
            Some(Ok(Message::Text(text))) => {
                let text: Value = serde_json::from_str(&text).expect("JSON");
                return text["feed-head"].as_str().expect("a number").parse().ok();
            }
            Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
            Some(Ok(_)) => {}
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn socket_pushes_the_head_on_subscribe_and_on_change() {
    let api = Api::start();
    let health = api.get("/health").await.ok();
    assert_eq!(health, json!({"status": "ok", "socket": format!("{}/socket", api.base().replace("http", "ws"))}));
    let mut first = listening(&api, "cloudevents.json").await.expect("it is open");
    let mut second = listening(&api, "").await.expect("it is open");
    assert_eq!((subscribed(&mut first).await, subscribed(&mut second).await), (0, 0));
    let user = api.user().await;
    api.event(&user).await;
    assert_eq!((pushed(&mut first).await, pushed(&mut second).await), (Some(1), Some(1)));
    // A closed connection does not stop the others from receiving the head.
    drop(second);
    api.event(&user).await;
    assert_eq!(pushed(&mut first).await, Some(2));
    first.send(Message::text("a message that is not a subscription is ignored")).await.expect("it is open");
    assert_eq!(subscribed(&mut first).await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn connected_overlays_are_those_that_subscriptions_name() {
    let api = Api::start();
    let overlay =
        async |name: &str| api.post("/overlays", &json!({"name": name})).await.created()["overlay_id"].clone();
    let (main, second) = (overlay("main").await, overlay("second").await);
    let connected = async || api.get("/connections/overlays").await.ok();
    assert_eq!(connected().await, json!([]));
    let mut sockets = Vec::new();
    // A number that is not an overlay's is ignored. The last of several subscriptions counts.
    let unknown = [json!(main.as_u64().map(|id| id + 1)), json!(0), json!(-1), json!(1.5), json!(1e300)];
    let both = vec![second.clone(), main.clone()];
    for named in [both, vec![main.clone()], unknown.to_vec(), vec![second.clone()]] {
        let mut socket = listening(&api, "cloudevents.json").await.expect("it is open");
        for overlay in named {
            let message = json!({"action": "subscribe", "overlay": overlay}).to_string();
            socket.send(Message::text(message)).await.expect("it is open");
            pushed(&mut socket).await.expect("the head");
        }
        sockets.push(socket);
    }
    assert_eq!(
        connected().await,
        json!([{"overlay_id": main, "connections": 2}, {"overlay_id": second, "connections": 1}])
    );
    api.delete(&format!("/overlays/{second}")).await.ok();
    subscribed(&mut sockets[1]).await;
    assert_eq!(connected().await, json!([{"overlay_id": main, "connections": 1}]));
    sockets[0].close(None).await.expect("it is open");
    assert_eq!(pushed(&mut sockets[0]).await, None);
    for _ in 0..500 {
        if connected().await == json!([]) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(connected().await, json!([]));
    // Only `true` means a page in OBS.
    for in_obs in [json!(true), json!("true"), json!(1), Value::Null] {
        let mut socket = listening(&api, "cloudevents.json").await.expect("it is open");
        let message = json!({"action": "subscribe", "overlay": main, "in_obs": in_obs}).to_string();
        socket.send(Message::text(message)).await.expect("it is open");
        pushed(&mut socket).await.expect("the head");
        sockets.push(socket);
    }
    assert_eq!(connected().await, json!([{"overlay_id": main, "connections": 4, "in_obs": 1}]));
    for wrong in [Value::Null, json!("7"), json!(true), json!([main]), json!({})] {
        let mut socket = listening(&api, "cloudevents.json").await.expect("it is open");
        let message = json!({"action": "subscribe", "overlay": wrong}).to_string();
        socket.send(Message::text(message)).await.expect("it is open");
        assert_eq!(pushed(&mut socket).await, None, "{wrong}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn connected_overlays_are_for_readers_alone() {
    let (api, folder) = stack_with_tokens();
    for (scope, status) in [("read", 200), ("write", 200), ("overlay", 403)] {
        let token = crate::api::tokens::make(folder.path(), scope);
        let request = api.request(Method::GET, "/connections/overlays").bearer_auth(token);
        assert_eq!(api.send(request).await.status, status, "{scope}");
    }
    let token = crate::api::tokens::make(folder.path(), "read");
    for (method, query, status) in [(Method::POST, "", 403), (Method::GET, "?x=1", 400)] {
        let request = api.request(method, &format!("/connections/overlays{query}")).bearer_auth(&token);
        assert_eq!(api.send(request).await.status, status);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn socket_accepts_only_valid_tokens_of_any_scope() {
    let (api, folder) = stack_with_tokens();
    for offered in ["cloudevents.json", "", "cloudevents.json, bearer.wrong"] {
        assert_eq!(listening(&api, offered).await.err(), Some(401), "{offered}");
    }
    for scope in ["overlay", "read", "write"] {
        let token = crate::api::tokens::make(folder.path(), scope);
        let mut socket = listening(&api, &format!("cloudevents.json, bearer.{token}")).await.expect(scope);
        assert_eq!(subscribed(&mut socket).await, 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn revoked_token_closes_its_socket_connection() {
    let (api, folder) = stack_with_tokens();
    let write = crate::api::tokens::make(folder.path(), "write");
    let send = |method: Method, path: &str, body: Value| {
        let request = api.request(method, path).bearer_auth(&write);
        api.send(if body.is_null() { request } else { request.json(&body) })
    };
    let made = send(Method::POST, "/tokens", json!({"name": "OBS"})).await.created();
    let offered = |token: &str| format!("cloudevents.json, bearer.{token}");
    let mut revoked = listening(&api, &offered(made["token"].as_str().expect("a token"))).await.expect("it is open");
    let mut other = listening(&api, &offered(&write)).await.expect("it is open");
    assert_eq!((subscribed(&mut revoked).await, subscribed(&mut other).await), (0, 0));
    send(Method::DELETE, &format!("/tokens/{}", made["token_id"].as_str().expect("a name")), Value::Null).await.ok();
    assert_eq!(pushed(&mut revoked).await, None, "the connection is closed");
    let raid = json!({"test": {"event_type": "raid", "viewer_count": 1}});
    assert_eq!(send(Method::POST, "/alerts", raid).await.status, 202);
    assert_eq!(pushed(&mut other).await, Some(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_of_a_killed_service_are_forgotten() {
    let folder = tempfile::tempdir().expect("a folder");
    let process = crate::guarantees::crash::Process::start(folder.path());
    let overlay = process.api.post("/overlays", &json!({"name": "main"})).await.created()["overlay_id"].clone();
    let message = json!({"action": "subscribe", "overlay": overlay}).to_string();
    let subscribe = async |api: &Api| {
        let mut socket = listening(api, "cloudevents.json").await.expect("it is open");
        socket.send(Message::text(message.clone())).await.expect("it is open");
        pushed(&mut socket).await.expect("the head");
        socket
    };
    let _socket = subscribe(&process.api).await;
    assert_eq!(process.api.get("/connections/overlays").await.ok()[0]["connections"], 1);
    process.kill();
    let process = crate::guarantees::crash::Process::start(folder.path());
    assert_eq!(process.api.get("/connections/overlays").await.ok(), json!([]));
    let _socket = subscribe(&process.api).await;
    assert_eq!(process.api.get("/connections/overlays").await.ok()[0]["connections"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn idle_or_expired_socket_connection_is_closed() {
    for (silence, life) in [(1, 3_600), (3_600, 1)] {
        let folder = tempfile::tempdir().expect("a folder");
        let api = stack_in(folder.path(), |options| (options.socket_silence, options.socket_life) = (silence, life));
        let mut socket = listening(&api, "cloudevents.json").await.expect("it is open");
        subscribed(&mut socket).await;
        assert_eq!(pushed(&mut socket).await, None);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn socket_request_from_another_origin_returns_403() {
    let api = Api::start();
    let request = api.request(Method::GET, "/socket").header("Connection", "Upgrade").header("Upgrade", "websocket");
    let request = request.header("Sec-WebSocket-Version", "13").header("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==");
    api.send(request.header("Origin", "https://other.example")).await.refused(403);
}

/// Returns a gateway event for a connection.
fn socket_event(route: &str, id: &str) -> Value {
    json!({"headers": {}, "requestContext": {"routeKey": route, "connectionId": id, "authorizer": {"access": "granted"}}})
}

/// Pushes the head, as the stream's event does when the head changes.
async fn push(store: &Store, now: Timestamp) {
    let head = json!({"eventName": "MODIFY", "dynamodb": {"Keys": {"pk": {"S": "feed/head"}}, "SequenceNumber": "1"}});
    follower::run(store, &Batch::parse(&json!({"Records": [head]})), now).await.expect("an answer");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_connections_all_receive_the_head() {
    let memory = Memory::new();
    let (store, posts) = memory.store_with_posts();
    let now = Timestamp::now();
    let started = std::time::Instant::now();
    let count = amount("CONNECTIONS", 200, 1_000);
    let all = (0..count).map(|number| {
        let store = store.clone();
        async move {
            let id = format!("connection-{number}");
            for route in ["$connect", "subscribe"] {
                let answer = socket::handle(&store, &socket_event(route, &id), now).await.expect("an answer");
                assert_eq!(answer["statusCode"], 200);
            }
        }
    });
    join_all(all).await;
    assert_eq!(posts.take().len(), count, "each receives the head at once");
    push(&store, now).await;
    assert_eq!(posts.take().into_iter().collect::<BTreeSet<_>>().len(), count);
    println!("{count} connections in {:.1} s", started.elapsed().as_secs_f64());
    // A keep-alive writes nothing. A connection that was lost without a `$disconnect` no longer receives pushes.
    let quiet = store.for_request();
    socket::handle(&quiet, &socket_event("$default", "connection-1"), now).await.expect("an answer");
    assert_eq!(quiet.cost().round_trips(), 0);
    let later = now.checked_add(time::Duration::minutes(121)).expect("a time");
    push(&store, later).await;
    assert!(posts.take().is_empty());
    let refused = socket::handle(&store, &socket_event("subscribe", "connection-1"), later).await.expect("an answer");
    assert_eq!(refused["statusCode"], 401);
    assert_eq!(posts.take(), ["connection-1"], "it is closed");
}

#[tokio::test(flavor = "multi_thread")]
async fn connection_writes_at_most_5000_units_in_a_month() {
    let memory = Memory::new();
    let (store, _) = memory.store_with_posts();
    let now = Timestamp::now();
    // The connections of a thousand open pages.
    for number in 0..1_000 {
        let connection = SocketConnection {
            since: now,
            token: Some("0123456789abc".to_owned()),
            ends: None,
            overlay: None,
            in_obs: false,
        };
        store.add_listener(&format!("connection-{number:04}"), &connection).await.expect("the table");
    }
    let mut units = 0.0;
    for route in ["$connect", "subscribe", "$default", "$disconnect"] {
        let counted = store.for_request();
        let event = socket_event(route, "connection-new");
        socket::handle(&counted, &event, now).await.expect("an answer");
        units += counted.cost().write_units();
    }
    // The platform closes a connection after two hours.
    let month = units * 30.0 * 12.0;
    assert!(month <= 5_000.0, "{units} write units for each connection, {month} in a month");
}
