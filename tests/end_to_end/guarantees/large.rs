//! Tests of every filter of events and every pair of them, of statistics, leaderboards and the feed: their cost does
//! not depend on the number of events.
//!
//! `EVENTS=1000000 cargo test --test end_to_end large -- --ignored` measures a year of a busy channel. Filling the
//! table takes a while.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use capture_core::resources::{EVENTS, events};
use capture_core::schema::{Id, Key, Record, Timestamp};
use capture_core::store::Store;
use capture_core::table::WriteSet;
use end_to_end::{Api, statistics};
use serde_json::Value;

/// The read units that a request may spend on records that it does not return.
const BUDGET: f64 = 500.0;
const USERS: u64 = 1_000;

/// Writes a typical channel's events: consecutive, by many viewers, mostly messages, stored as they occur.
async fn fill(store: &Store, users: &[Id], count: i64) {
    let start = Timestamp::parse("2025-06-01T00:00:00Z").expect("a time");
    let types = ["plain", "plain", "plain", "plain", "plain", "plain", "cheer", "subscriber", "plain", "raid"];
    for batch in 0..count / 100 {
        let mut work = WriteSet::default();
        for position in batch * 100..(batch + 1) * 100 {
            let occurred = start.checked_add(time::Duration::seconds(position * 30)).expect("a time");
            let mut event = Record::new(Key::new(&EVENTS, store.next_id(Timestamp::now())));
            let viewer =
                usize::try_from(position * 7919 % i64::try_from(users.len()).expect("a count")).expect("a place");
            event.set(&events::USER_ID, users[viewer]);
            event.set(&events::USER_NAME, &format!("viewer {viewer}"));
            event.set(&events::OCCURRED_AT, occurred);
            event.set(&events::CREATED_AT, occurred.checked_add(time::Duration::seconds(2)).expect("a time"));
            event.set(&events::EVENT_TYPE, types[usize::try_from(position % 10).expect("a place")]);
            event.set(&events::MESSAGE, "a message of some fourteen words, as viewers write them while they watch");
            let (source, reference) = source(position);
            event.set(&events::SOURCE, source);
            if let Some(reference) = reference {
                event.set(&events::REFERENCE, reference);
            }
            work.create(&event);
        }
        store.commit(&work).await.expect("stored");
    }
}

/// Returns the source and the reference of the nth event: mostly chat messages, some redemptions of two rewards, and a
/// few polls.
fn source(position: i64) -> (&'static str, Option<&'static str>) {
    match position {
        _ if position % 3_001 == 0 => ("twitch/channel.poll.end", Some("poll")),
        _ if position % 50 == 0 => ("twitch/channel.channel_points_custom_reward_redemption.add", Some("hydrate")),
        _ if position % 499 == 0 => ("twitch/channel.channel_points_custom_reward_redemption.add", Some("rare")),
        _ if position % 10 == 6 => ("twitch/channel.cheer", None),
        _ => (events::CHAT_MESSAGE_SOURCE, None),
    }
}

/// Returns every filter, with a value that many events have, or with a range that ends in the middle of them.
fn filters(user: Id, middle: Timestamp) -> Vec<String> {
    let times = ["occurred", "created"].into_iter();
    let times = times.flat_map(|time| [format!("{time}_before={middle}"), format!("{time}_after={middle}")]);
    let others = [
        format!("user_id={user}"),
        "user_name=viewer%207".to_owned(),
        "event_type=plain".to_owned(),
        "event_type=raid".to_owned(),
    ];
    let sources = [
        "source=twitch/channel.chat.message",
        "source=twitch/channel.cheer",
        "source=twitch/channel.channel_points_custom_reward_redemption.add",
        "source=twitch/channel.poll.end",
        "reference=hydrate",
        "reference=rare",
    ];
    let absent = ["document_seal=7", "document_id=7", "source=none", "reference=none"];
    times.chain(others).chain(sources.into_iter().chain(absent).map(str::to_owned)).collect()
}

/// Returns the cost of a page of 50 for every filter and every pair, in both orders. The bool is true if the page is
/// full.
async fn measure(api: &Api, user: Id, count: i64) -> BTreeMap<String, (f64, bool)> {
    let start = Timestamp::parse("2025-06-01T00:00:00Z").expect("a time");
    let middle = start.checked_add(time::Duration::seconds(count * 15)).expect("a time");
    let filters = filters(user, middle);
    let mut measured = BTreeMap::new();
    for (position, one) in filters.iter().enumerate() {
        for two in &filters[..=position] {
            let clash = one.split('=').next() == two.split('=').next();
            if clash && one != two {
                continue;
            }
            for order in ["asc", "desc"] {
                let pair = if one == two { one.clone() } else { format!("{one}&{two}") };
                let page = api.get(&format!("/events?limit=50&order={order}&{pair}")).await;
                let full = page.ok().as_array().expect("a list").len() == 50;
                let name = pair.replace(&middle.to_string(), "middle").replace(&user.to_string(), "user");
                measured.insert(format!("{name}&order={order}"), (page.cost().1, full));
            }
        }
    }
    measured
}

/// Returns the cost of the first three days' statistics, of leaderboards, and of the feed from three sequence numbers.
async fn measure_others(api: &Api, user: Id, count: i64) -> BTreeMap<String, (f64, bool)> {
    let days = "from=2025-06-01T00:00:00Z&to=2025-06-04T00:00:00Z";
    let mut requests = vec![
        format!("/statistics?{days}&by=hour"),
        format!("/statistics?{days}&by=day"),
        format!("/users/{user}/statistics?{days}&by=day"),
        format!("/leaderboards/messages?{days}"),
        format!("/leaderboards/events?{days}"),
    ];
    requests.extend([0, count / 2, count - 50].map(|after| format!("/feed?after={after}&limit=50")));
    let mut measured = BTreeMap::new();
    for (position, request) in requests.iter().enumerate() {
        let reply = api.get(request).await;
        assert_eq!(reply.status, 200, "{request}");
        let found = reply.json().as_array().expect("a list").len();
        assert!(found > 0, "{request} finds nothing");
        println!("{request}: {} read units, {found} entries", reply.cost().1);
        // The feed's sequence numbers depend on the count.
        measured.insert(format!("request {position}"), (reply.cost().1, true));
    }
    measured
}

/// Waits until the statistics include all events.
async fn settle(store: &Store) {
    let filled = Timestamp::now();
    loop {
        let refreshed = statistics::refresh_once(store).await;
        if refreshed.is_ok_and(|refreshed| !refreshed.has_more && refreshed.as_of >= Some(filled)) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn users(api: &Api, count: u64) -> Vec<Id> {
    let mut users = Vec::new();
    for _ in 0..count {
        let user: Value = api.user().await;
        users.extend(user["user_id"].as_u64().and_then(Id::new));
    }
    users
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "fills a large table first"]
async fn cost_of_filters_is_independent_of_table_size() {
    let count = std::env::var("EVENTS").ok().and_then(|count| count.parse().ok()).unwrap_or(1_000_000);
    let (mut sizes, mut worst) = (Vec::new(), 0.0f64);
    for count in [10_000, count] {
        let (api, store) = Api::start_with_store();
        let users = users(&api, USERS).await;
        let started = Instant::now();
        fill(&store, &users, count).await;
        let filled = started.elapsed();
        settle(&store).await;
        println!("{count} events: filled in {filled:?}, statistics after {:?}", started.elapsed());
        let mut measured = measure(&api, users[7], count).await;
        measured.extend(measure_others(&api, users[7], count).await);
        sizes.push(measured);
    }
    let rendered = 60.0;
    for (query, (units, full)) in &sizes[1] {
        worst = worst.max(*units);
        assert!(*units <= BUDGET + rendered, "{query}: {units}");
        // If many events have the source and many have the reference, but none have both, the page ends early at the
        // budget.
        let by_source = |part: &str| ["source", "reference", "order"].iter().any(|name| part.starts_with(name));
        let is_by_source = !query.starts_with("request")
            && query.split('&').all(by_source)
            && (*full || query.split('&').count() == 2);
        assert!(!is_by_source || *units <= 100.0, "{query}: {units}");
        let (small, was_full) = sizes[0][query];
        if *full && was_full {
            assert!(*units <= 1.3 * small.max(30.0), "{query}: {units} units, and {small} with 10,000");
        }
    }
    println!("{} queries, the worst of them {worst} read units", sizes[1].len());
}
