//! Filters and pages against a naive oracle: random records, random filters, orders and limits.

use std::sync::{Arc, OnceLock};

use end_to_end::{Api, samples};
use event_capture::resource::{Filter, Resource, Test};
use event_capture::resources::{DOCUMENTS, EVENTS, INVENTORY, SPECIMENS, STAMPS, TRANSACTIONS, USERS};
use event_capture::value::Timestamp;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

static RESOURCES: [&Resource; 7] = [&STAMPS, &DOCUMENTS, &EVENTS, &USERS, &SPECIMENS, &INVENTORY, &TRANSACTIONS];

/// A service with random records of few values, so that filters find some and not all; and its records.
struct World {
    api: Api,
    records: Vec<Vec<Value>>,
}

async fn build() -> World {
    let api = Api::own();
    let mut random = fastrand::Rng::with_seed(7);
    let time = |random: &mut fastrand::Rng| format!("202{}-01-01T00:00:00.{}Z", random.u8(0..4), random.u8(1..4));
    let mut users = Vec::new();
    for place in 0..12 {
        let body = json!({"platform_id": format!("p{place}"), "name": format!("n{}", random.u8(0..3)), "created_at": time(&mut random)});
        users.push(api.post("/users", &body).await.created()["user_id"].clone());
    }
    for _ in 0..120 {
        let user = &users[random.usize(0..users.len())];
        let (name, time) = (format!("n{}", random.u8(0..3)), time(&mut random));
        let (kind, types) = (random.u8(0..3), ["plain", "raid", "cheer"]);
        let mut event =
            json!({"user_id": user, "user_name": name, "occurred_at": time, "event_type": types[kind as usize]});
        let own = [json!({"message": "x"}), json!({"viewer_count": 1}), json!({"amount": 1})];
        event = samples::merged(event, &own[kind as usize]);
        if random.bool() {
            let stamps: Vec<_> = (0..random.u8(0..4))
                .map(|_| json!({"stamp_type": format!("s{}", random.u8(0..3)), "pos_x": 0, "pos_y": 0, "rotation": 0}))
                .collect();
            let metadata = [json!(null), json!(""), json!("m")][random.usize(0..3)].clone();
            event["document"] = samples::merged(
                samples::document(),
                &json!({"seal": random.u8(0..3), "stamps": stamps, "metadata": metadata, "created_at": time}),
            );
        }
        api.post("/events", &event).await.created();
        let reference = [json!(null), json!(""), json!("r")][random.usize(0..3)].clone();
        let paid = json!({"user_id": user, "amount": random.i64(-1..2), "description": name, "reference": reference});
        api.post("/transactions", &paid).await.created();
        let used_at = [json!(null), json!("2026-01-01T00:00:00Z")][random.usize(0..2)].clone();
        api.post("/inventory", &json!({"owner_id": user, "name": name, "created_at": time, "used_at": used_at}))
            .await
            .created();
        let forgotten = format!("202{}-06-01T00:00:00Z", random.u8(4..7));
        api.post("/specimens", &json!({"owner_id": user, "born_at": time, "forgotten_at": forgotten})).await.created();
    }
    let mut records = Vec::new();
    for user in users.iter().take(6) {
        api.post(&format!("/users/{user}/specimen"), &json!({"born_at": "2021-01-01T00:00:00Z"})).await.created();
    }
    for resource in RESOURCES {
        records.push(api.list(&format!("/{}", resource.name)).await);
    }
    World { api, records }
}

/// Whether a record is found, by the contract's words alone.
fn finds(filter: &Filter, wanted: &str, record: &Value) -> bool {
    let time = |text: &str| Timestamp::parse(text);
    let field = match filter.field {
        "document_seal" => &record["document"]["seal"],
        field => &record[field],
    };
    let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match filter.test {
        Test::Equals => !field.is_null() && plain(field) == wanted,
        Test::After => field.as_str().is_some_and(|actual| time(actual) > time(wanted)),
        Test::Before => field.as_str().is_some_and(|actual| time(actual) < time(wanted)),
        Test::IsSet => (!field.is_null()).to_string() == wanted,
        Test::IsUnset => field.is_null().to_string() == wanted,
        Test::Holds(_) => {
            record["stamps"].as_array().is_some_and(|stamps| stamps.iter().any(|stamp| stamp[filter.field] == wanted))
        }
    }
}

/// A value of some record for a filter, or one that none has.
fn operand(filter: &Filter, records: &[Value], choice: usize) -> String {
    let record = &records[choice % records.len()];
    let value = match (filter.field, filter.test) {
        (_, Test::IsSet | Test::IsUnset) => json!(choice.is_multiple_of(2)),
        ("document_seal", _) => json!(choice % 4),
        (field, Test::Holds(_)) => record["stamps"].get(0).map_or(json!("none"), |stamp| stamp[field].clone()),
        (field, _) => record[field].clone(),
    };
    match value {
        Value::String(text) => text,
        Value::Null if filter.name.ends_with("_id") => "5".to_owned(),
        Value::Null if matches!(filter.test, Test::After | Test::Before) => "2023-01-01T00:00:00Z".to_owned(),
        Value::Null => "none".to_owned(),
        value => value.to_string(),
    }
}

fn check(
    world: &World,
    runtime: &tokio::runtime::Runtime,
    which: usize,
    filters: &[(usize, usize)],
    limit: Option<usize>,
    ascending: bool,
) {
    let (resource, records) = (RESOURCES[which], &world.records[which]);
    let mut chosen: Vec<(&Filter, String)> = Vec::new();
    for (filter, choice) in filters {
        let filter = &resource.filters[filter % resource.filters.len()];
        if chosen.iter().all(|(other, _)| other.name != filter.name) {
            chosen.push((filter, operand(filter, records, *choice)));
        }
    }
    let order = |record: &Value| {
        let own = resource.time.and_then(|field| record[field].as_str()).and_then(Timestamp::parse);
        (own, record[resource.id].as_u64())
    };
    let mut expected: Vec<_> =
        records.iter().filter(|record| chosen.iter().all(|(filter, wanted)| finds(filter, wanted, record))).collect();
    expected.sort_by_key(|record| order(record));
    if !ascending {
        expected.reverse();
    }
    let mut query: Vec<_> = chosen.iter().map(|(filter, wanted)| (filter.name, wanted.clone())).collect();
    query.push(("order", if ascending { "asc" } else { "desc" }.to_owned()));
    query.extend(limit.map(|limit| ("limit", limit.to_string())));
    let found = runtime.block_on(async {
        let request = world.api.request(reqwest::Method::GET, &format!("/{}", resource.name)).query(&query);
        let mut page = world.api.send(request).await;
        let mut found = Vec::new();
        loop {
            let records = page.ok().as_array().expect("a list").clone();
            found.extend(records.iter().map(|record| record[resource.id].as_u64()));
            let Some(next) = page.next() else { break found };
            assert_eq!(Some(records.len()), limit, "a page with more behind it is full");
            page = world.api.get(&next).await;
        }
    });
    let expected: Vec<_> = expected.iter().map(|record| record[resource.id].as_u64()).collect();
    assert_eq!(found, expected, "/{}?{query:?}", resource.name);
}

#[test]
fn any_filters_in_any_order_with_any_limit_find_what_the_oracle_finds() {
    static RUNTIME: OnceLock<Arc<tokio::runtime::Runtime>> = OnceLock::new();
    let runtime = RUNTIME.get_or_init(|| Arc::new(tokio::runtime::Runtime::new().expect("a runtime")));
    let world = runtime.block_on(build());
    let strategy = (
        0..RESOURCES.len(),
        prop::collection::vec((any::<usize>(), any::<usize>()), 0..4),
        prop_oneof![Just(None), (1usize..9).prop_map(Some), Just(Some(1000))],
        any::<bool>(),
    );
    let config = Config { cases: 300, max_shrink_iters: 64, failure_persistence: None, ..Config::default() };
    let tested = TestRunner::new(config).run(&strategy, |(which, filters, limit, ascending)| {
        check(&world, runtime, which, &filters, limit, ascending);
        Ok(())
    });
    if let Err(failure) = tested {
        panic!("{failure}");
    }
}
