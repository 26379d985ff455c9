//! Tests of rule payments: who is paid, for what, how much, and that each payment happens exactly once.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use capture_core::lambda::follower;
use capture_core::lambda::stream::Batch;
use capture_core::operations::Execution;
use capture_core::resources::{EVENTS, events};
use capture_core::schema::{Id, Key, Record, StoredValue, Timestamp};
use capture_core::store::Store;
use capture_core::table::{Range, WriteSet};
use end_to_end::faults::Faults;
use end_to_end::{Api, TWITCH_CHANNEL, amount, samples};
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::guarantees::crash::Process;
use crate::guarantees::transfer::{archive_of, import, records};

/// The largest integer.
const MAX: i64 = 9_007_199_254_740_991;

async fn create_rule(api: &Api, body: &Value) -> Value {
    api.post("/rules", &samples::merged(json!({"name": "a rule"}), body)).await.created()
}

async fn create_event(api: &Api, user: &Value, body: &Value) -> Value {
    let base = json!({"event_type": "plain", "message": "hi", "user_name": "Ann", "user_id": user["user_id"], "occurred_at": "2026-11-20T16:53:02Z"});
    let mut body = samples::merged(base, body);
    if body["event_type"] != "plain" {
        body.as_object_mut().expect("an object").shift_remove("message");
    }
    api.post("/events", &body).await.created()
}

/// Returns a user's transactions as `(cause, reference, amount)`, in ascending order.
async fn payments(api: &Api, user: &Value) -> Vec<(String, String, i64)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let transactions = api.list(&format!("/users/{}/transactions", user["user_id"])).await;
    let mut payments: Vec<_> = transactions
        .iter()
        .map(|one| (text(&one["cause"]), text(&one["reference"]), one["amount"].as_i64().expect("an integer")))
        .collect();
    payments.sort();
    payments
}

/// Waits until a user has exactly these payments, and still has them after another user's event was paid.
async fn expect_payments(api: &Api, user: &Value, mut expected: Vec<(String, String, i64)>) {
    expected.sort();
    let deadline = Instant::now() + Duration::from_mins(1);
    loop {
        let found = payments(api, user).await;
        if found == expected {
            return;
        }
        assert!(found.len() <= expected.len() && Instant::now() < deadline, "{found:?}, expected {expected:?}");
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
}

/// Waits until everything stored so far is paid. An event of a new user is paid last, since the stream on one machine
/// is in order.
async fn settle(api: &Api) {
    // The payments of one batch run in parallel. A second batch proves that the first is complete.
    for _ in 0..2 {
        pay_marker(api).await;
    }
}

async fn pay_marker(api: &Api) {
    let marker = samples::unique();
    let rule = create_rule(api, &json!({"source": marker, "amount": 1})).await;
    let user = api.user().await;
    create_event(api, &user, &json!({"source": marker})).await;
    let deadline = Instant::now() + Duration::from_mins(1);
    while payments(api, &user).await.is_empty() {
        assert!(Instant::now() < deadline, "nothing is paid");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    api.delete(&format!("/rules/{}", rule["rule_id"])).await.ok();
}

fn paid(rule: &Value, event: &Value, amount: i64) -> (String, String, i64) {
    (format!("rules/{}", rule["rule_id"]), format!("events/{}", event["event_id"]), amount)
}

#[tokio::test(flavor = "multi_thread")]
async fn rule_pays_each_matching_event_once() {
    let api = Api::start();
    let user = api.user().await;
    let early = create_event(&api, &user, &json!({"event_type": "cheer", "amount": 900})).await;
    let cheers = create_rule(&api, &json!({"name": "thanks", "event_type": "cheer", "amount": 5, "per_unit": 2})).await;
    let raids = create_rule(&api, &json!({"event_type": "raid", "per_unit": 3})).await;
    let bots = create_rule(
        &api,
        &json!({"event_type": "plain", "source": "bot", "reference": "r", "amount": 7, "per_unit": 1}),
    )
    .await;
    let cheer = create_event(&api, &user, &json!({"event_type": "cheer", "amount": 100})).await;
    let raid = create_event(&api, &user, &json!({"event_type": "raid", "viewer_count": 20})).await;
    let empty_raid = create_event(&api, &user, &json!({"event_type": "raid", "viewer_count": 0})).await;
    let from_bot = create_event(&api, &user, &json!({"source": "bot", "reference": "r"})).await;
    let other_reference = create_event(&api, &user, &json!({"source": "bot", "reference": "R"})).await;
    let expected = vec![paid(&cheers, &cheer, 205), paid(&raids, &raid, 60), paid(&bots, &from_bot, 8)];
    expect_payments(&api, &user, expected.clone()).await;
    settle(&api).await;
    expect_payments(&api, &user, expected).await;
    drop((early, empty_raid, other_reference));
    let home = format!("/users/{}", user["user_id"]);
    assert_eq!(api.get(&format!("{home}/wallet")).await.ok()["wallet"], 273);
    let found = api.list(&format!("/transactions?cause=rules/{}", cheers["rule_id"])).await;
    assert_eq!(found.len(), 1);
    assert_eq!((&found[0]["description"], &found[0]["user"]["name"]), (&json!("thanks"), &user["name"]));
    let id = found[0]["transaction_id"].as_i64().expect("an identifier");
    assert!((1..=MAX).contains(&id));
}

#[tokio::test(flavor = "multi_thread")]
async fn rule_with_a_window_pays_a_user_once_in_it() {
    let api = Api::start();
    let (ann, bob) = (api.user().await, api.user().await);
    let rule = create_rule(&api, &json!({"event_type": "plain", "amount": 10, "every": 300})).await;
    let at = |time: &str| json!({"occurred_at": time});
    let first = create_event(&api, &ann, &at("2026-11-20T16:50:00Z")).await;
    expect_payments(&api, &ann, vec![paid(&rule, &first, 10)]).await;
    create_event(&api, &ann, &at("2026-11-20T16:54:59.999999999Z")).await;
    let next = create_event(&api, &ann, &at("2026-11-20T16:55:00Z")).await;
    let of_bob = create_event(&api, &bob, &at("2026-11-20T16:51:00Z")).await;
    settle(&api).await;
    expect_payments(&api, &ann, vec![paid(&rule, &first, 10), paid(&rule, &next, 10)]).await;
    expect_payments(&api, &bob, vec![paid(&rule, &of_bob, 10)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rule_pays_only_events_after_its_last_enabling() {
    let api = Api::start();
    let user = api.user().await;
    let event = async || create_event(&api, &user, &json!({})).await;
    event().await;
    // The request may set the creation time, which makes no difference.
    for created_at in ["2020-01-01T00:00:00Z", "2199-01-01T00:00:00Z"] {
        let rule = create_rule(&api, &json!({"event_type": "plain", "amount": 1, "created_at": created_at})).await;
        let path = format!("/rules/{}", rule["rule_id"]);
        let known = payments(&api, &user).await;
        let paid_event = event().await;
        expect_payments(&api, &user, [known.clone(), vec![paid(&rule, &paid_event, 1)]].concat()).await;
        api.patch(&path, &json!({"enabled": false})).await.ok();
        event().await;
        settle(&api).await;
        api.patch(&path, &json!({"enabled": true})).await.ok();
        // Enabling an enabled rule changes nothing.
        let second = event().await;
        api.patch(&path, &json!({"enabled": true, "name": "again"})).await.ok();
        let expected = vec![paid(&rule, &paid_event, 1), paid(&rule, &second, 1)];
        expect_payments(&api, &user, [known, expected].concat()).await;
        api.delete(&path).await.ok();
        event().await;
        settle(&api).await;
    }
    // An imported rule pays from its import onwards.
    let complete =
        json!({"name": "imported", "event_type": "plain", "amount": 4, "created_at": "2020-01-01T00:00:00Z"});
    let rule = api.put("/rules/9", &complete).await.created();
    let known = payments(&api, &user).await;
    let last = event().await;
    expect_payments(&api, &user, [known, vec![paid(&rule, &last, 4)]].concat()).await;
}

async fn set_enabled_at(store: &Store, rule: &Value, time: Timestamp) {
    let mut write_set = WriteSet::default();
    let write = write_set.write_item(format!("rules/{}", rule["rule_id"]));
    write.put_attribute("enabled_at", Some(StoredValue::Text(time.sortable())));
    store.commit(&write_set).await.expect("a write");
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_payments_are_found_and_made_once() {
    let (api, store) = Api::start_with_store();
    let (user, lost) = (api.user().await, json!({"source": "lost"}));
    let channel = api.post("/users", &json!({"platform_id": TWITCH_CHANNEL, "name": "x"})).await.created();
    // The follower sees these events before there is a rule. To the command, they look like those of a lost batch.
    let mut events = Vec::new();
    for _ in 0..3 {
        events.push(create_event(&api, &user, &lost).await);
    }
    create_event(&api, &channel, &lost).await;
    let imported = json!({"event_type": "plain", "message": "hi", "user_name": "Ann", "user_id": user["user_id"],
        "occurred_at": "2026-11-20T16:53:02Z", "created_at": events[0]["created_at"], "source": "lost"});
    api.put("/events/7", &imported).await.created();
    settle(&api).await;
    let each = create_rule(&api, &json!({"source": "lost", "amount": 2})).await;
    let once = create_rule(&api, &json!({"source": "lost", "amount": 1, "every": 300})).await;
    let earlier = Timestamp::now().checked_add(-time::Duration::hours(1)).expect("a time");
    for rule in [&each, &once] {
        set_enabled_at(&store, rule, earlier).await;
    }

    let execution = Execution::in_background(&store, Timestamp::now());
    let time = |text: &str| Timestamp::parse(text);
    let range = Range { from: time("2026-11-20T16:53:02Z"), to: time("2026-11-20T16:53:02Z") };
    let before = Range { from: None, to: time("2026-11-20T16:53:01Z") };
    assert!(execution.missing_payments(before).await.expect("payments").is_empty());
    let missing = execution.missing_payments(range).await.expect("payments");
    assert_eq!(missing.len(), 4, "{missing:?}");
    assert!(payments(&api, &user).await.is_empty());
    assert_eq!(execution.repair_payments(missing).await.expect("payments"), 4);
    let of_each = events.iter().map(|event| paid(&each, event, 2));
    let mut expected: Vec<_> = of_each.chain([paid(&once, &events[0], 1)]).collect();
    let mut found = payments(&api, &user).await;
    // Events of the same moment have no order, so the window's payment may refer to any of them.
    let of_once = found.iter_mut().find(|payment| payment.2 == 1).expect("a payment");
    of_once.1.clone_from(&expected[3].1);
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    assert!(execution.missing_payments(range).await.expect("payments").is_empty(), "nothing is paid twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn rule_of_a_clock_that_was_set_back_pays_at_once() {
    let (api, store) = Api::start_with_store();
    let user = api.user().await;
    let before = create_event(&api, &user, &json!({})).await;
    settle(&api).await;
    let rule = create_rule(&api, &json!({"event_type": "plain", "amount": 1})).await;
    set_enabled_at(&store, &rule, Timestamp::now().checked_add(time::Duration::hours(1)).expect("a time")).await;
    let mut expected = Vec::new();
    for _ in 0..3 {
        let event = create_event(&api, &user, &json!({})).await;
        expected.push(paid(&rule, &event, 1));
        expect_payments(&api, &user, expected.clone()).await;
    }
    assert!(!expected.contains(&paid(&rule, &before, 1)));
}

#[tokio::test(flavor = "multi_thread")]
async fn excluded_events_are_not_paid() {
    let api = Api::start();
    create_rule(&api, &json!({"event_type": "plain", "amount": 1, "per_unit": MAX - 1})).await;
    create_rule(&api, &json!({"event_type": "cheer", "per_unit": MAX})).await;
    let user_with =
        async |platform_id: &str| api.post("/users", &json!({"platform_id": platform_id, "name": "x"})).await.created();
    let (anonymous, channel) = (user_with("anonymous").await, user_with(TWITCH_CHANNEL).await);
    let (viewer, rich) = (api.user().await, api.user().await);
    for user in [&anonymous, &channel] {
        create_event(&api, user, &json!({})).await;
    }
    let complete = json!({"event_type": "plain", "message": "old", "user_name": "Ann", "user_id": viewer["user_id"],
        "occurred_at": "2026-11-20T16:53:02Z", "created_at": "2026-11-20T16:53:02Z"});
    api.put("/events/5", &complete).await.created();
    let test = json!({"event_type": "plain", "message": "test", "user": {"platform_id": "tester", "name": "Tester"}});
    assert_eq!(api.post("/alerts", &json!({"test": test})).await.status, 202);
    create_event(&api, &viewer, &json!({"event_type": "cheer", "amount": 2})).await;
    create_event(&api, &viewer, &json!({"event_type": "cheer", "amount": 0})).await;
    let transaction = json!({"user_id": rich["user_id"], "amount": 1, "description": "first"});
    api.post("/transactions", &transaction).await.created();
    create_event(&api, &rich, &json!({})).await;
    settle(&api).await;
    for user in [&anonymous, &channel, &viewer] {
        assert!(payments(&api, user).await.is_empty(), "{user}");
    }
    assert_eq!(payments(&api, &rich).await.len(), 1, "the wallet cannot hold more");
    assert_eq!(api.list("/users?platform_id=tester").await.len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn payment_is_for_the_event_as_it_was_created() {
    let (api, store) = Api::start_with_store();
    let user = api.user().await;
    let rule = create_rule(&api, &json!({"event_type": "cheer", "per_unit": 1})).await;
    let event = create_event(&api, &user, &json!({"event_type": "cheer", "amount": 100})).await;
    let path = format!("/events/{}", event["event_id"]);
    api.patch(&path, &json!({"amount": 1})).await.ok();
    api.delete(&path).await.ok();
    expect_payments(&api, &user, vec![paid(&rule, &event, 100)]).await;
    // The rule changes, and the event is delivered again. It stays paid by the old values.
    let rule_path = format!("/rules/{}", rule["rule_id"]);
    api.patch(&rule_path, &json!({"amount": 50, "name": "generous"})).await.ok();
    deliver(&store, &[stream_record(&event, &user)]).await;
    expect_payments(&api, &user, vec![paid(&rule, &event, 100)]).await;
    // The user is deleted. Late deliveries do not bring anything back.
    let home = format!("/users/{}", user["user_id"]);
    api.delete(&home).await.ok();
    deliver(&store, &[stream_record(&event, &user)]).await;
    api.get(&home).await.refused(404);
    assert!(api.list(&format!("/transactions?cause=rules/{}", rule["rule_id"])).await.is_empty());
}

/// Returns the stream record of a new event.
fn stream_record(event: &Value, user: &Value) -> Value {
    let text = |value: &Value| json!({"S": value.as_str().unwrap_or_default()});
    let number = |value: &Value| json!({"N": value.to_string()});
    let mut image = json!({
        "pk": {"S": format!("events/{}", event["event_id"])},
        "resource": {"S": "events"},
        "id": number(&event["event_id"]),
        "time": text(&event["occurred_at"]),
        "owner": number(&user["user_id"]),
        "state": text(&event["event_type"]),
        "user_name": text(&event["user_name"]),
        "created_at": text(&event["created_at"]),
    });
    for field in ["amount", "viewer_count"].into_iter().filter(|field| event[*field].is_number()) {
        image[field] = number(&event[field]);
    }
    json!({"eventName": "INSERT", "dynamodb": {"Keys": {"pk": image["pk"]}, "SequenceNumber": event["event_id"].to_string(), "NewImage": image}})
}

/// Delivers records to the follower, and repeats the batch until it succeeds.
async fn deliver(store: &Store, records: &[Value]) {
    let batch = Batch::parse(&json!({"Records": records}));
    while follower::run(store, &batch, Timestamp::now()).await.is_err() {}
}

#[tokio::test(flavor = "multi_thread")]
async fn unrelated_records_do_not_stop_the_follower() {
    let (_, store) = Api::start_with_store();
    let record = |kind: &str, pk: &str| json!({"eventName": kind, "dynamodb": {"Keys": {"pk": {"S": pk}}, "SequenceNumber": "5"}});
    let strange = json!({"Records": [record("MODIFY", "feed/head"), record("INSERT", "events/1"), record("REMOVE", "users/1"), {"x": 1}]});
    for batch in [strange, json!({"Records": []}), json!({}), json!(5)] {
        follower::run(&store, &Batch::parse(&batch), Timestamp::now()).await.expect("it goes on");
    }
}

/// Computes the payments of events by rules from the contract alone.
fn oracle(rules: &[Value], events: &[Value]) -> BTreeMap<u64, Vec<(String, i64)>> {
    let mut payments: BTreeMap<u64, BTreeMap<String, (String, i64)>> = BTreeMap::new();
    for event in events {
        let user = event["user_id"].as_u64().expect("an identifier");
        for rule in rules {
            let fits = |field: &str| rule[field].is_null() || rule[field] == event[field];
            let units = match event["event_type"].as_str() {
                Some("cheer") => event["amount"].as_i64(),
                Some("raid") => event["viewer_count"].as_i64(),
                _ => Some(1),
            };
            let number = |field: &str| i128::from(rule[field].as_i64().unwrap_or_default());
            let amount = number("amount") + number("per_unit") * i128::from(units.unwrap_or_default());
            if !["event_type", "source", "reference"].iter().all(|field| fits(field))
                || amount == 0
                || amount > i128::from(MAX)
            {
                continue;
            }
            let cause = format!("rules/{}", rule["rule_id"]);
            let seconds =
                Timestamp::parse(event["occurred_at"].as_str().expect("a time")).expect("a time").unix_seconds();
            let occurrence = match rule["every"].as_i64() {
                Some(every) => format!("{cause} window {}", seconds.div_euclid(every)),
                None => format!("{cause} event {}", event["event_id"]),
            };
            let payment = (cause, i64::try_from(amount).expect("in range"));
            payments.entry(user).or_default().entry(occurrence).or_insert(payment);
        }
    }
    let sorted = |payments: BTreeMap<String, (String, i64)>| {
        let mut payments: Vec<_> = payments.into_values().collect();
        payments.sort();
        payments
    };
    payments.into_iter().map(|(user, payments)| (user, sorted(payments))).collect()
}

/// Delivers random slices of the records in order. Several run at once, some are repeated, and some are stopped between
/// two steps. Returns the number of stops.
async fn deliver_at_random(store: &Store, records: &[Value]) -> usize {
    let (mut position, mut deaths) = (0, 0);
    while position < records.len() {
        let size = fastrand::usize(1..60).min(records.len() - position);
        let batch = Batch::parse(&json!({"Records": &records[position..position + size]}));
        let run = follower::run(store, &batch, Timestamp::now());
        let is_done = if fastrand::u8(..) < 60 {
            let died = tokio::time::timeout(Duration::from_micros(fastrand::u64(0..20_000)), run).await;
            deaths += usize::from(died.is_err());
            died.is_ok_and(|done| done.is_ok())
        } else {
            run.await.is_ok()
        };
        if is_done && fastrand::u8(..) > 60 {
            position += size;
        }
    }
    deaths
}

/// Pays for as many events as `EARNING_EVENTS` says: `EARNING_EVENTS=5000 cargo test earning`.
#[tokio::test(flavor = "multi_thread")]
async fn payments_equal_those_of_the_oracle_through_faults() {
    let many: u64 = amount("EARNING_EVENTS", 120, 400);
    let faults = Faults { conflicts: 7, lost_answers: 11, throttled: 13, ..Faults::default() };
    let (api, store) = Api::faulty_with_store(faults);
    let send = async |path: &str, body: Value| {
        let key = samples::unique();
        loop {
            let request = api.request(reqwest::Method::POST, path).header("Idempotency-Key", &key).json(&body);
            let reply = api.send(request).await;
            if reply.status != 503 {
                return reply.created();
            }
        }
    };
    let mut rules = Vec::new();
    for body in [
        json!({"event_type": "plain", "amount": 1}),
        json!({"event_type": "plain", "amount": 10, "every": 300}),
        json!({"event_type": "cheer", "per_unit": 3}),
        json!({"source": "bot", "amount": 2, "per_unit": 1}),
        json!({"reference": "r", "amount": 4, "every": 7}),
        json!({"event_type": "raid", "amount": 1, "per_unit": MAX}),
    ] {
        rules.push(send("/rules", samples::merged(json!({"name": "a rule"}), &body)).await);
    }
    let mut users = Vec::new();
    for _ in 0..5 {
        users.push(send("/users", samples::user()).await);
    }
    let mut events = Vec::new();
    for number in 0..many {
        let user = &users[fastrand::usize(..users.len())];
        let kind = [
            json!({"event_type": "plain", "message": "hi"}),
            json!({"event_type": "cheer", "amount": number % 3}),
            json!({"event_type": "raid", "viewer_count": number % 2}),
        ][fastrand::usize(..3)]
        .clone();
        let from = [json!({}), json!({"source": "bot"}), json!({"reference": "r", "source": "bot"})]
            [fastrand::usize(..3)]
        .clone();
        let time = Timestamp::from_unix_seconds(1_790_000_000 + fastrand::i64(0..900)).expect("a time").to_string();
        let base = json!({"user_name": "x", "user_id": user["user_id"], "occurred_at": time});
        events.push(send("/events", samples::merged(samples::merged(base, &kind), &from)).await);
    }
    // The service pays on its own while two more followers, which do not know about it, get the same records.
    let records: Vec<_> = events
        .iter()
        .map(|event| {
            let user = json!({"user_id": event["user_id"]});
            let mut record = stream_record(event, &user);
            for (field, attribute) in [("source", "origin"), ("reference", "reference")] {
                if let Some(text) = event[field].as_str() {
                    record["dynamodb"]["NewImage"][attribute] = json!({"S": text});
                }
            }
            record
        })
        .collect();
    let deaths = tokio::join!(deliver_at_random(&store, &records), deliver_at_random(&store, &records));
    println!("{many} events, and {deaths:?} deaths of followers");
    let expected = oracle(&rules, &events);
    let deadline = Instant::now() + Duration::from_mins(2);
    for user in &users {
        let id = user["user_id"].as_u64().expect("an identifier");
        let of_user = expected.get(&id).cloned().unwrap_or_default();
        loop {
            let transactions = api.list(&format!("/users/{id}/transactions")).await;
            let mut found: Vec<_> = transactions
                .iter()
                .map(|one| {
                    (one["cause"].as_str().unwrap_or_default().to_owned(), one["amount"].as_i64().expect("an integer"))
                })
                .collect();
            found.sort();
            if found == of_user {
                break;
            }
            assert!(found.len() <= of_user.len() && Instant::now() < deadline, "{} of {}", found.len(), of_user.len());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let wallet = loop {
            let reply = api.get(&format!("/users/{id}/wallet")).await;
            if reply.status != 503 {
                break reply.ok()["wallet"].clone();
            }
        };
        assert_eq!(wallet, of_user.iter().map(|(_, amount)| amount).sum::<i64>(), "the wallet is the sum");
    }
}

/// Both sides of a move get the same events from Twitch and pay by the same rule.
#[tokio::test(flavor = "multi_thread")]
async fn import_counts_the_same_payment_as_stored() {
    let (source, target) = (Api::start(), Api::start());
    let rule = create_rule(&source, &json!({"event_type": "plain", "amount": 3})).await;
    let user = source.user().await;
    let event = create_event(&source, &user, &json!({})).await;
    expect_payments(&source, &user, vec![paid(&rule, &event, 3)]).await;
    let archive = archive_of(&source).await;
    let payment = records(archive.path(), "transactions").pop().expect("a payment");
    let complete = json!({"platform_id": user["platform_id"], "name": user["name"], "created_at": user["created_at"]});
    let differing = |more: Value| samples::merged(payment.clone(), &more);
    let path = format!("/transactions/{}", payment["transaction_id"]);
    for (more, is_same) in [
        (json!({"description": "another name", "created_at": "2026-01-01T00:00:00Z"}), true),
        (json!({"amount": 4}), false),
        (json!({"reference": "events/5"}), false),
    ] {
        let target = if is_same { target.clone() } else { Api::start() };
        target.put(&format!("/users/{}", user["user_id"]), &complete).await.created();
        target.put(&path, &differing(more)).await.created();
        assert_eq!(import(&target, archive.path()).await.is_ok(), is_same);
    }
    assert_eq!(target.get(&format!("/users/{}/wallet", user["user_id"])).await.ok()["wallet"], 3);
    let by_hand =
        json!({"user_id": user["user_id"], "amount": 1, "description": "bonus", "created_at": "2026-01-01T00:00:00Z"});
    source.put("/transactions/7", &by_hand).await.created();
    target.put("/transactions/7", &samples::merged(by_hand, &json!({"description": "other"}))).await.created();
    assert!(import(&target, archive_of(&source).await.path()).await.is_err(), "no payment of a rule");
}

/// The functions run in this process: faults cannot be injected into separate processes.
#[tokio::test(flavor = "multi_thread")]
async fn failing_payments_do_not_delay_the_feed() {
    let is_stopped: &'static AtomicBool = Box::leak(Box::new(AtomicBool::new(true)));
    let api = Api::in_this_process(Faults { stopped: Some(("follower", is_stopped)), ..Faults::default() });
    let rule = create_rule(&api, &json!({"event_type": "plain", "amount": 3})).await;
    let user = api.user().await;
    let mut expected = Vec::new();
    for count in 1..=5 {
        expected.push(paid(&rule, &create_event(&api, &user, &json!({})).await, 3));
        let deadline = Instant::now() + Duration::from_secs(30);
        while api.get("/feed?after=0").await.json().as_array().map(Vec::len) != Some(count) {
            assert!(Instant::now() < deadline, "the feed has {count} entries");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    assert!(payments(&api, &user).await.is_empty());
    // Payments are late, but not lost.
    is_stopped.store(false, Ordering::Relaxed);
    expect_payments(&api, &user, expected).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn backlog_is_paid_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut process = Process::start(folder.path());
    let rule = create_rule(&process.api, &json!({"event_type": "plain", "amount": 1})).await;
    let user = process.api.user().await;
    let mut expected = Vec::new();
    for _ in 0..4 {
        let nothing = json!({});
        let events = join_all((0..10).map(|_| create_event(&process.api, &user, &nothing))).await;
        expected.extend(events.iter().map(|event| paid(&rule, event, 1)));
        process.kill();
        process = Process::start(folder.path());
    }
    expect_payments(&process.api, &user, expected).await;
    process.kill();
}

/// The reads for payments grow with the number of viewers, not messages. Each payment costs at most 12 write units.
#[tokio::test(flavor = "multi_thread")]
async fn cost_of_payments_follows_the_viewers() {
    let (api, store) = Api::start_with_store();
    create_rule(&api, &json!({"event_type": "plain", "amount": 1, "every": 300})).await;
    let users = join_all((0..10).map(|_| api.user())).await;
    let now = Timestamp::now();
    let id = |number: u64| Id::new(number).expect("an identifier");
    let message = |number: u64, occurred_at: Timestamp| {
        let user = &users[usize::try_from(number % 10).expect("a digit")];
        let mut event = Record::new(Key::new(&EVENTS, id(number + 1)));
        event.set(&events::USER_ID, id(user["user_id"].as_u64().expect("an identifier")));
        event.set(&events::EVENT_TYPE, "plain");
        event.set(&events::OCCURRED_AT, occurred_at);
        event.set(&events::CREATED_AT, now);
        event
    };
    let batch =
        |messages: u64, occurred_at| (0..messages).map(|number| message(number, occurred_at)).collect::<Vec<_>>();
    let earlier = now.checked_add(time::Duration::seconds(-300)).expect("a time");
    let run = async |batch: Vec<Record>| {
        let store = store.for_request();
        let execution = Execution { store, now, base: String::new(), token_id: String::new() };
        let paid = execution.pay_for_events(&batch).await.expect("payments");
        (paid, execution.store.cost().read_units(), execution.store.cost().write_units())
    };
    assert_eq!(run(batch(10, earlier)).await.0, 10);
    let (paid, _, writes) = run(batch(10, now)).await;
    assert_eq!(paid, 10);
    println!("{} write units for each payment", writes / 10.0);
    // A plain transaction costs 10 units. The reference and cause indexes add one each.
    assert!(writes / 10.0 <= 12.0, "{writes} write units for 10 payments");
    // One unit for the list of rules, one for the rule, and half a unit for each viewer.
    for messages in [10, 500] {
        assert_eq!(run(batch(messages, now)).await, (0, 7.0, 0.0), "{messages} messages");
    }
}
