//! Tests of statistics while many old times change: a backlog, an interrupted refresh, and leaderboard intervals. Also
//! measures how far `as-of` lags behind.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use capture_core::lambda::upkeep;
use capture_core::resources::{EVENTS, events};
use capture_core::schema::{Id, Key, Record, Timestamp};
use capture_core::store::{Store, in_parallel};
use capture_core::table::WriteSet;
use end_to_end::statistics::{refresh, refresh_once};
use end_to_end::{Api, amount, fill, samples};
use futures_util::future::join_all;
use serde_json::{Value, json};

/// The length of the year that contains the events, in seconds.
const YEAR: u64 = 365 * 86_400;

fn start_of_year() -> Timestamp {
    Timestamp::parse("2025-01-01T00:00:00Z").expect("a time")
}

/// Returns a random time in the year.
fn random_time() -> Timestamp {
    let seconds = i64::try_from(fastrand::u64(..YEAR)).expect("a small number");
    start_of_year().checked_add(time::Duration::seconds(seconds)).expect("a time")
}

/// Stores plain events, each with a user and a time.
async fn store_events(store: &Store, described: &[(u64, Timestamp)]) {
    let event = |(user, time): &(u64, Timestamp)| {
        let mut event = Record::new(Key::new(&EVENTS, store.next_id(Timestamp::now())));
        event.set(&events::USER_ID, Id::new(*user).expect("an identifier"));
        event.set(&events::USER_NAME, "chatter");
        event.set(&events::OCCURRED_AT, *time);
        event.set(&events::CREATED_AT, Timestamp::now());
        event.set(&events::EVENT_TYPE, "plain");
        event.set(&events::MESSAGE, "hello");
        event
    };
    let write_sets = described.chunks(90).map(|chunk| {
        let mut write_set = WriteSet::default();
        for described in chunk {
            write_set.create(&event(described));
        }
        write_set
    });
    let write_sets: Vec<_> = write_sets.collect();
    in_parallel(write_sets.iter().map(|write_set| store.commit(write_set))).await.expect("the table");
}

/// Stores events at random times of the year.
async fn store_scattered(store: &Store, users: &[u64], count: usize) {
    let described: Vec<_> = (0..count).map(|number| (users[number % users.len()], random_time())).collect();
    store_events(store, &described).await;
}

/// Waits until the sequencer has marked all segments with new events.
async fn wait_for_marks(store: &Store) {
    while !store.inconsistent_segments().await.expect("the table").is_empty() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Returns `as-of` and the number of events in the year.
async fn counted(api: &Api) -> (Timestamp, u64) {
    let reply = api.get("/statistics?by=year&from=2025-01-01T00:00:00Z&to=2026-01-01T00:00:00Z").await;
    let as_of = Timestamp::parse(reply.header("as-of")).expect("a time");
    (as_of, reply.ok()[0]["events"]["plain"].as_u64().expect("a number"))
}

#[tokio::test(flavor = "multi_thread")]
async fn as_of_advances_with_each_pass_and_claims_nothing_that_is_missing() {
    let (api, store) = Api::start_with_store();
    let users = fill::users(&store, 20).await;
    while store.rebuild_progress().await.expect("the table").is_none_or(|progress| progress.as_of.is_none()) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // Each wave is acknowledged in a later second than the previous one: a mark has the second of its first change, and
    // `as-of` stops at a wave's open marks.
    let mut acknowledged = Vec::new();
    let waves = amount("WAVES", 3, 20);
    for _ in 0..waves {
        store_scattered(&store, &users, 90).await;
        acknowledged.push(Timestamp::now());
        tokio::time::sleep(Duration::from_millis(1_100)).await;
    }
    let now = Timestamp::now().checked_add(time::Duration::minutes(2)).expect("a time");
    let mut seen = BTreeSet::new();
    for round in 1.. {
        // Each refresh has little time, and each of its passes gets half of what remains.
        let now = now.checked_add(time::Duration::minutes(round)).expect("a time");
        let time = Duration::from_millis(100 + 25 * round.unsigned_abs());
        let done = refresh_watched(&api, &store, (now, time), &acknowledged, &mut seen).await;
        if done {
            break;
        }
    }
    assert!(seen.len() > 3, "as-of was published only at {seen:?}");
    assert_eq!(counted(&api).await.1, 90 * waves);
    assert!(store.inconsistent_segments().await.expect("the table").is_empty());
}

/// Refreshes for a while, checking in parallel that the statistics include all waves that `as-of` promises. Returns
/// true if nothing is left to refresh.
async fn refresh_watched(
    api: &Api,
    store: &Store,
    (now, time): (Timestamp, Duration),
    acknowledged: &[Timestamp],
    seen: &mut BTreeSet<Timestamp>,
) -> bool {
    let refreshing = tokio::spawn({
        let store = store.clone();
        async move { upkeep::refresh(&store, now, Instant::now() + time).await.expect("a refresh") }
    });
    loop {
        let is_done = refreshing.is_finished();
        let (as_of, events) = counted(api).await;
        let promised = acknowledged.iter().filter(|time| **time < as_of).count();
        assert!(events >= 90 * promised as u64, "as-of {as_of}: {events} events of {promised} waves");
        assert!(seen.last().is_none_or(|last| *last <= as_of), "as-of has gone back");
        seen.insert(as_of);
        if is_done {
            let refreshed = refreshing.await.expect("a refresh");
            return !refreshed.has_more && !refreshed.busy;
        }
        // Without a pause, this loop's requests would starve the refresh.
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn backlog_merges_each_period_once() {
    let (api, store) = Api::start_with_store();
    let users = fill::users(&store, 10).await;
    refresh(&store).await;
    // One day: all segments of 20 hours.
    let time = |segment: i64| start_of_year().checked_add(time::Duration::minutes(5 * segment)).expect("a time");
    let described: Vec<_> = (0..240).zip(users.iter().cycle()).map(|(segment, user)| (*user, time(segment))).collect();
    store_events(&store, &described).await;
    wait_for_marks(&store).await;
    let refreshed = refresh_once(&store).await.expect("a refresh");
    println!("{refreshed:?}");
    assert_eq!((refreshed.segments, refreshed.has_more), (240, false));
    // Each segment is written, and its mark and the mark's index entry are deleted. 20 hours, a day, a month, a year
    // and all time have three items each. Heartbeats and the lease take six.
    let writes = 240.0 + 2.0 * 240.0 + 24.0 * 3.0 + 6.0;
    assert!(refreshed.write_units <= writes * 1.2, "{refreshed:?}");
    assert_eq!(counted(&api).await.1, 240);
}

#[tokio::test(flavor = "multi_thread")]
async fn next_refresh_takes_over_from_a_dead_one() {
    let (api, store) = Api::start_with_store();
    let users = fill::users(&store, 1).await;
    refresh(&store).await;
    store_scattered(&store, &users, 1).await;
    let minute = || Instant::now() + Duration::from_mins(1);
    // A refresh is dropped while it holds the lease, as if its process were killed.
    for micros in (0..).step_by(2_000) {
        let killed = upkeep::refresh(&store, Timestamp::now(), minute());
        let ended = tokio::time::timeout(Duration::from_micros(micros), killed).await;
        if ended.is_err() && upkeep::refresh(&store, Timestamp::now(), minute()).await.expect("a refresh").busy {
            break;
        }
        store_scattered(&store, &users, 1).await;
    }
    let stored = api.list("/events").await.len() as u64;
    wait_for_marks(&store).await;
    upkeep::run_scheduled(&store, Timestamp::now(), minute()).await.expect("the upkeep");
    assert_eq!(counted(&api).await.1, stored);
}

#[tokio::test(flavor = "multi_thread")]
async fn empty_service_answers_before_the_first_refresh() {
    let (api, store) = Api::start_with_store();
    let user = api.user().await;
    refresh(&store).await;
    store.delete_all(&["rollups/head".to_owned()]).await.expect("the table");
    let own = format!("/users/{}/statistics", user["user_id"]);
    for path in ["/statistics", own.as_str(), "/leaderboards/bits"] {
        let reply = api.get(path).await;
        reply.ok();
        assert!(Timestamp::parse(reply.header("as-of")) < Some(Timestamp::now()), "{path}");
    }
    // Events give the refresh something to build.
    api.event(&user).await;
    for path in ["/statistics", own.as_str(), "/leaderboards/bits"] {
        let reply = api.get(path).await;
        reply.refused(503);
        assert_eq!(reply.header("retry-after"), "5", "{path}");
    }
    refresh(&store).await;
    assert_eq!(api.get("/leaderboards/events").await.ok()[0]["value"], 1);
}

/// Returns the interval that an error names.
fn named(detail: &str) -> (String, String) {
    let (from, to) = detail.trim_end_matches('.').rsplit_once(" to ").expect("an end");
    (from.rsplit_once(' ').expect("a beginning").1.to_owned(), to.to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn leaderboards_are_refused_only_if_they_cost_too_much() {
    let (api, store) = Api::start_with_store();
    let users = fill::users(&store, 700).await;
    let at = |day: i64| start_of_year().checked_add(time::Duration::days(day)).expect("a time");
    // The same 143 viewers each day for a week, then 200 each day, 100 of whom return the next day.
    let week = (0..7).flat_map(|day| users[..143].iter().map(move |user| (*user, at(day))));
    let overlapping = (0..5usize).flat_map(|day| {
        let users = &users[100 * day..100 * day + 200];
        users.iter().map(move |user| (*user, at(10 + i64::try_from(day).expect("small"))))
    });
    store_events(&store, &week.chain(overlapping).collect::<Vec<_>>()).await;
    refresh(&store).await;
    let board = async |from: &str, to: &str| {
        let reply = api.get(&format!("/leaderboards/events?from={from}&to={to}&limit=1000")).await;
        println!("{from} {to}: {} {:?}", reply.status, reply.cost());
        assert!(reply.cost().1 <= 500.0, "{:?}", reply.cost());
        reply
    };
    let week = board("2025-01-01T00:00:00Z", "2025-01-08T00:00:00Z").await;
    assert_eq!(week.ok().as_array().map(Vec::len), Some(143));
    assert_eq!(week.json()[0]["value"], 7);
    // 600 users are too many, and so are the 500 of the first four days.
    let refused = board("2025-01-11T00:00:00Z", "2025-01-16T00:00:00Z").await;
    assert_eq!(refused.refused(400), ["from"]);
    let detail = refused.json()["errors"][0]["detail"].as_str().expect("a text").to_owned();
    let (from, to) = named(&detail);
    assert_eq!((from.as_str(), to.as_str()), ("2025-01-11T00:00:00Z", "2025-01-14T00:00:00Z"), "{detail}");
    assert_eq!(board(&from, &to).await.ok().as_array().map(Vec::len), Some(400));
    // Fewer places cost less.
    let few = api.get("/leaderboards/events?from=2025-01-11T00:00:00Z&to=2025-01-16T00:00:00Z&limit=400").await;
    assert_eq!(few.ok().as_array().map(Vec::len), Some(400));
}

/// Returns the statistics' `as-of`, or `None` while they are rebuilt.
async fn as_of(api: &Api) -> Option<Timestamp> {
    let reply = api.get("/leaderboards/messages").await;
    (reply.status == 200).then(|| Timestamp::parse(reply.header("as-of")).expect("a time"))
}

fn seconds_since(time: Timestamp) -> i128 {
    (Timestamp::now().unix_millis() - time.unix_millis()) / 1_000
}

/// `cargo test scattered_events -- --ignored --nocapture` measures how long 66,000 events on random days of a year take.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "a benchmark"]
async fn scattered_events_are_covered_within_five_minutes() {
    let (api, store) = Api::start_with_store();
    let users = fill::users(&store, 500).await;
    let count = amount("EVENTS", 66_000, 66_000);
    for round in 1..=amount("ROUNDS", 2, 2) {
        let began = Instant::now();
        store_scattered(&store, &users, count).await;
        let acknowledged = Timestamp::now();
        println!("round {round}: {count} events are stored after {:?}", began.elapsed());
        let began = Instant::now();
        let (mut last, mut worst) = (None, 0);
        loop {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let now = as_of(&api).await;
            worst = worst.max(now.map_or(0, seconds_since));
            if now != last {
                let behind = now.map(seconds_since);
                println!("{:.0} s: as-of is {behind:?} s behind", began.elapsed().as_secs_f64());
                last = now;
            }
            if now >= Some(acknowledged) {
                break;
            }
        }
        println!("round {round}: covered {:?} after the last one, at most {worst} s behind", began.elapsed());
        assert_eq!(counted(&api).await.1, (count * round) as u64);
        assert!(began.elapsed() < Duration::from_mins(5), "{:?}", began.elapsed());
    }
}

/// `cargo test as_of_follows -- --ignored --nocapture` sends 170 events a second on random days of a year for a minute.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "a benchmark"]
async fn as_of_follows_scattered_events() {
    let (api, store) = Api::start_with_store();
    let users = fill::users(&store, 143).await;
    let (started, seconds) = (Instant::now(), amount("SECONDS", 60, 60));
    let sent = Arc::<AtomicUsize>::default();
    let writers = (0..34usize).map(|_| {
        let (api, users, sent) = (api.clone(), users.clone(), Arc::clone(&sent));
        async move {
            let mut ticks = tokio::time::interval(Duration::from_millis(200));
            while started.elapsed() < Duration::from_secs(seconds) {
                ticks.tick().await;
                let user = users[fastrand::usize(..users.len())];
                let event = json!({"user_id": user, "occurred_at": random_time().to_string()});
                let stored: Value = api.post("/events", &samples::event(&event)).await.created();
                assert!(stored["event_id"].is_u64());
                sent.fetch_add(1, Ordering::Relaxed);
            }
            Timestamp::now()
        }
    });
    let watcher = async {
        let mut worst = 0;
        while started.elapsed() < Duration::from_secs(seconds + 180) {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let behind = as_of(&api).await.map(seconds_since);
            worst = worst.max(behind.unwrap_or_default());
            if started.elapsed().as_secs().is_multiple_of(5) {
                println!("{:.0} s: {behind:?} behind", started.elapsed().as_secs_f64());
            }
        }
        worst
    };
    let (_, worst) = tokio::join!(join_all(writers), watcher);
    println!("{} events in {seconds} s: at most {worst} s behind", sent.load(Ordering::Relaxed));
    assert!(worst <= 120, "{worst}");
}
