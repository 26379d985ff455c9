//! Statistics in tests: refreshes, and a count of all events to compare with.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use capture_core::lambda::upkeep;
use capture_core::schema::Timestamp;
use capture_core::store::Store;
use serde_json::{Map, Value, json};

use crate::{Api, Reply};

/// How far a test's refresh is ahead of the clock. All changes are then settled.
const AHEAD: time::Duration = time::Duration::minutes(2);

/// Refreshes the statistics until they include everything that is acknowledged. No other requests may run at the same
/// time.
///
/// # Panics
/// If the statistics still lag after two minutes.
pub async fn refresh(store: &Store) {
    let acknowledged = Timestamp::now();
    let started = Instant::now();
    loop {
        if let Ok(refreshed) = refresh_once(store).await
            && !refreshed.has_more
            && refreshed.as_of >= Some(acknowledged)
        {
            return;
        }
        assert!(started.elapsed() < Duration::from_mins(2), "the statistics lag");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Runs one refresh.
///
/// # Errors
/// If the store fails.
pub async fn refresh_once(
    store: &Store,
) -> Result<capture_core::statistics::RefreshReport, capture_core::error::Error> {
    let now = Timestamp::now().checked_add(AHEAD).expect("a time");
    upkeep::refresh(store, now, Instant::now() + Duration::from_mins(1)).await
}

fn second(time: &Value) -> Timestamp {
    Timestamp::parse(time.as_str().expect("a text")).expect("a time")
}

/// Counts the events in a bucket, for the channel or a user.
fn count<'a>(events: impl Iterator<Item = &'a Value>, of_channel: bool) -> Map<String, Value> {
    let mut types = BTreeMap::from([("plain", 0), ("subscriber", 0), ("cheer", 0), ("raid", 0)]);
    let mut sources: BTreeMap<String, u64> = BTreeMap::new();
    let (mut bits, mut raiders, mut viewers) = (0, 0, BTreeSet::new());
    for event in events {
        *types.get_mut(event["event_type"].as_str().expect("a type")).expect("a known type") += 1;
        if let Some(source) = event["source"].as_str() {
            *sources.entry(source.to_owned()).or_default() += 1;
        }
        bits += event["amount"].as_u64().unwrap_or_default();
        raiders += event["viewer_count"].as_u64().unwrap_or_default();
        viewers.insert(event["user_id"].as_u64());
    }
    let bucket =
        json!({"events": types, "sources": sources, "bits": bits, "raid_viewers": raiders, "viewers": viewers.len()});
    let mut bucket = bucket.as_object().expect("an object").clone();
    if !of_channel {
        bucket.remove("viewers");
    }
    bucket
}

/// Checks each bucket of a response against the events, and that the buckets are contiguous. Returns their number.
///
/// # Panics
/// If a bucket is wrong.
pub fn check_buckets(reply: &Reply, events: &[&Value], of_channel: bool) -> usize {
    let buckets = reply.ok().as_array().expect("a list").clone();
    for pair in buckets.windows(2) {
        assert_eq!(pair[0]["to"], pair[1]["from"], "no gap");
    }
    for bucket in &buckets {
        let (from, to) = (second(&bucket["from"]), second(&bucket["to"]));
        let within = events.iter().filter(|event| (from..to).contains(&second(&event["occurred_at"])));
        let mut expected = count(within.copied(), of_channel);
        expected.insert("from".to_owned(), bucket["from"].clone());
        expected.insert("to".to_owned(), bucket["to"].clone());
        assert_eq!(bucket, &Value::Object(expected));
    }
    buckets.len()
}

/// Returns a leaderboard of the events: users and values, highest first.
pub fn board(name: &str, events: &[&Value]) -> Vec<(u64, u64)> {
    let adds = |event: &Value| match name {
        "bits" => event["amount"].as_u64().unwrap_or_default(),
        "raid_viewers" => event["viewer_count"].as_u64().unwrap_or_default(),
        "subscriptions" => u64::from(event["event_type"] == "subscriber"),
        "messages" => {
            let is_chat = event["source"].is_null() || event["source"] == "twitch/channel.chat.message";
            u64::from(event["event_type"] == "plain" && is_chat)
        }
        _ => 1,
    };
    let mut users: BTreeMap<u64, u64> = BTreeMap::new();
    for event in events {
        *users.entry(event["user_id"].as_u64().expect("a user")).or_default() += adds(event);
    }
    let mut ranking: Vec<_> = users.into_iter().filter(|(_, value)| *value > 0).collect();
    ranking.sort_by_key(|(user, value)| (std::cmp::Reverse(*value), *user));
    ranking
}

/// Checks a leaderboard over full hours against the events.
///
/// # Panics
/// If a place is wrong.
pub fn check_board(reply: &Reply, expected: &[(u64, u64)], limit: usize) {
    let places = reply.ok().as_array().expect("a list").clone();
    let shown: Vec<_> = places
        .iter()
        .map(|place| (place["user"]["user_id"].as_u64().expect("a user"), place["value"].as_u64().expect("a value")))
        .collect();
    assert_eq!(shown, expected[..expected.len().min(limit)]);
    for place in &places {
        let above = expected.iter().filter(|(_, value)| *value > place["value"].as_u64().expect("a value")).count();
        assert_eq!(place["rank"], above + 1, "{places:?}");
    }
}

/// Checks all of a service's statistics against a count of all its events.
///
/// # Panics
/// If a number is wrong.
pub async fn check_all(api: &Api) {
    let events = api.list("/events").await;
    let events: Vec<_> = events.iter().collect();
    let times = events.iter().map(|event| second(&event["occurred_at"]));
    let (Some(first), Some(last)) = (times.clone().min(), times.max()) else { return };
    let last = last.successor().expect("a time");
    for by in ["day", "month", "year"] {
        let reply = api.get(&format!("/statistics?from={first}&to={last}&by={by}")).await;
        check_buckets(&reply, &events, true);
    }
    for name in ["bits", "raid_viewers", "subscriptions", "messages", "events"] {
        let reply = api.get(&format!("/leaderboards/{name}?limit=1000")).await;
        check_board(&reply, &board(name, &events), 1_000);
    }
}
