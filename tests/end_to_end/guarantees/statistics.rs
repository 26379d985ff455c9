//! Tests of statistics and leaderboards against a count of all events: random changes, time zones, faults, kills,
//! rebuilds and cost.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use capture_core::lambda::upkeep;
use capture_core::resources::{EVENTS, USERS, events, users};
use capture_core::schema::{Calendar, Id, Key, Record, Role, StoredValue, Timestamp};
use capture_core::store::{Bucket, Call, Refusal, Reply, Store, Table, in_parallel};
use end_to_end::statistics::{board, check_all, check_board, check_buckets, refresh, refresh_once};
use end_to_end::{Api, Slice, amount, options, samples, stack_in};

use crate::platform::price::{IDLE_READ_UNITS, IDLE_WRITE_UNITS};
use capture_core::table::WriteSet;
use event_capture::{Options, Stack, StoreLayer};
use fastrand::Rng;
use futures_util::future::{BoxFuture, join_all};
use serde_json::{Value, json};

/// The time zones of the random tests: with daylight saving of an hour or half an hour, and with offsets of 30 or 45
/// minutes.
const ZONES: [&str; 5] = ["UTC", "Europe/Berlin", "Asia/Kolkata", "Asia/Kathmandu", "Australia/Lord_Howe"];
const FOLLOW: &str = "twitch/channel.follow";
const BOARDS: [&str; 5] = ["bits", "raid_viewers", "subscriptions", "messages", "events"];

#[tokio::test(flavor = "multi_thread")]
async fn as_of_is_never_ahead_of_a_clock_that_was_set_back() {
    let (api, store) = Api::start_with_store();
    let user = api.user().await;
    let cheer = async || {
        let event = json!({"event_type": "cheer", "amount": 5, "user_id": user["user_id"], "user_name": "Ann",
            "occurred_at": "2026-11-20T16:53:02Z"});
        api.post("/events", &event).await.created();
    };
    let as_of = async || Timestamp::parse(api.get("/leaderboards/bits").await.header("as-of")).expect("a time");
    cheer().await;
    refresh(&store).await;
    let ahead = Timestamp::now().checked_add(time::Duration::days(3)).expect("a time");
    upkeep::refresh(&store, ahead, Instant::now() + Duration::from_mins(1)).await.expect("a refresh");
    assert!(as_of().await < Timestamp::now());
    // The next refreshes use the current clock.
    cheer().await;
    let stored = Timestamp::now();
    let started = Instant::now();
    while as_of().await < stored {
        assert!(started.elapsed() < Duration::from_mins(2), "the statistics lag");
        upkeep::refresh(&store, Timestamp::now(), Instant::now() + Duration::from_mins(1)).await.expect("a refresh");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let board = api.get("/leaderboards/bits").await.ok();
    assert_eq!(board[0]["value"], 10, "{board}");
}

/// Starts a service with a time zone in this runtime.
async fn in_zone(options: &Options, zone: &str) -> (Api, Stack) {
    let calendar = Calendar::named(zone).expect("a time zone");
    let stack = Stack::start(&Options { time_zone: calendar, ..options.clone() }).await.expect("the service starts");
    (Api::at(&format!("http://{}", stack.address)), stack)
}

/// Returns a time near a clock change, on one of a few other days, or in the last 40 minutes.
fn random_time(random: &mut Rng) -> String {
    let day = ["2026-03-28", "2026-03-29", "2026-10-25", "2026-04-04", "2026-12-31", "2027-01-01", "2025-02-28"];
    if random.u8(..4) == 0 {
        // The rollups may lack these.
        let age = time::Duration::milliseconds(random.i64(0..40 * 60 * 1_000));
        return Timestamp::now().checked_add(-age).expect("a time").to_string();
    }
    let day = day[random.usize(..day.len())];
    format!("{day}T{:02}:{:02}:{:02}.{:03}Z", random.u8(..24), random.u8(..60), random.u8(..60), random.u16(..1_000))
}

fn random_event(random: &mut Rng, user: &Value) -> Value {
    let source = [json!(null), json!("bot"), json!("game/quiz")][random.usize(..3)].clone();
    let common = json!({
        "user_id": user["user_id"],
        "user_name": "Ann",
        "occurred_at": random_time(random),
        "source": source,
    });
    let own = match random.u8(..5) {
        0 => json!({"event_type": "cheer", "amount": random.u64(..1_000)}),
        1 => json!({"event_type": "raid", "viewer_count": random.u64(..100)}),
        2 => json!({"event_type": "subscriber", "tier": 1, "subscribed_length": 1}),
        _ => json!({"event_type": "plain", "message": "hello"}),
    };
    samples::merged(common, &own)
}

/// Makes random changes: mostly new events, and some changed amounts, removed events and removed users.
async fn change(api: &Api, random: &mut Rng, users: &mut Vec<Value>, stored: &mut Vec<Value>, changes: usize) {
    for _ in 0..changes {
        match random.u8(..20) {
            0 if users.len() > 2 => {
                let gone = users.swap_remove(random.usize(..users.len()));
                api.delete(&format!("/users/{}", gone["user_id"])).await.ok();
                stored.retain(|event| event["user_id"] != gone["user_id"]);
            }
            1 | 2 if !stored.is_empty() => {
                let gone = stored.swap_remove(random.usize(..stored.len()));
                api.delete(&format!("/events/{}", gone["event_id"])).await.ok();
            }
            3..=5 if stored.iter().any(|event| event["event_type"] == "cheer") => {
                let cheers: Vec<_> = stored.iter_mut().filter(|event| event["event_type"] == "cheer").collect();
                let position = random.usize(..cheers.len());
                let cheer = cheers.into_iter().nth(position).expect("a cheer");
                let path = format!("/events/{}", cheer["event_id"]);
                *cheer = api.patch(&path, &json!({"amount": random.u64(..1_000)})).await.ok();
            }
            6 => users.push(api.user().await),
            7 => {
                let id = stored.len() as u64 * 1_000 + random.u64(1..1_000);
                let user = &users[random.usize(..users.len())];
                let time = random_time(random);
                let follow = json!({"event_type": "plain", "message": "followed", "source": FOLLOW, "created_at": time,
                    "user_id": user["user_id"], "user_name": "Ann", "occurred_at": time});
                stored.push(api.put(&format!("/events/{id}"), &follow).await.json());
            }
            _ => {
                let user = &users[random.usize(..users.len())];
                stored.push(api.post("/events", &random_event(random, user)).await.created());
            }
        }
    }
}

/// Compares the totals and exact leaderboards of random intervals with a count of the events.
async fn compare_exact(api: &Api, random: &mut Rng, stored: &[Value]) {
    let time = |event: &Value| event["occurred_at"].as_str().and_then(Timestamp::parse).expect("a time");
    for _ in 0..6 {
        let mut ends = [random_time(random), random_time(random)];
        ends.sort();
        let [from, to] = ends;
        let to = Some(to).filter(|to| *to != from && random.bool());
        let interval = |moment: Timestamp| {
            Timestamp::parse(&from) <= Some(moment)
                && to.as_deref().is_none_or(|to| Some(moment) < Timestamp::parse(to))
        };
        let within: Vec<_> = stored.iter().filter(|event| interval(time(event))).collect();
        let to = to.as_deref().map(|to| format!("&to={to}")).unwrap_or_default();
        let sum = |name: &str| board(name, &within).iter().map(|(_, value)| value).sum::<u64>();
        let expected = json!({"bits": sum("bits"), "raid_viewers": sum("raid_viewers"),
            "subscriptions": sum("subscriptions"), "follows": within.iter()
                .filter(|event| event["source"] == FOLLOW).count()});
        assert_eq!(api.get(&format!("/totals?from={from}{to}")).await.ok(), expected, "from {from}{to}");
        for name in ["bits", "raid_viewers", "subscriptions", "messages", "events"] {
            let limit = random.usize(1..5);
            let reply = api.get(&format!("/leaderboards/{name}?exact=true&limit={limit}&from={from}{to}")).await;
            check_board(&reply, &board(name, &within), limit);
        }
    }
}

/// Compares random intervals with a count of the events.
async fn compare(api: &Api, random: &mut Rng, users: &[Value], stored: &[Value]) {
    let all: Vec<_> = stored.iter().collect();
    for by in ["hour", "day", "month", "year"] {
        for _ in 0..4 {
            let mut ends = [random_time(random), random_time(random)];
            ends.sort();
            let [from, to] = &ends;
            let user = &users[random.usize(..users.len())]["user_id"];
            let own: Vec<_> = all.iter().copied().filter(|event| event["user_id"] == *user).collect();
            let query = format!("from={from}&to={to}&by={by}");
            let channel = api.get(&format!("/statistics?{query}")).await;
            if channel.status == 400 {
                assert_eq!(channel.refused(400), [if from == to { "from" } else { "by" }]);
                continue;
            }
            assert!(check_buckets(&channel, &all, true) > 0);
            check_buckets(&api.get(&format!("/users/{user}/statistics?{query}")).await, &own, false);
            // A leaderboard's interval is rounded to hours, as the outermost buckets show.
            let hours = api.get(&format!("/statistics?from={from}&to={to}&by=hour")).await;
            for name in BOARDS.into_iter().filter(|_| hours.status == 200) {
                let buckets = hours.json();
                let time =
                    |bucket: Option<&Value>, end: &str| bucket.and_then(|one| Timestamp::parse(one[end].as_str()?));
                let buckets = buckets.as_array().expect("a list");
                let (from, to) = (time(buckets.first(), "from"), time(buckets.last(), "to"));
                let within = |event: &&&Value| {
                    let time = event["occurred_at"].as_str().and_then(Timestamp::parse);
                    time >= from && time < to
                };
                let expected = board(name, &all.iter().filter(within).copied().collect::<Vec<_>>());
                check_board(
                    &api.get(&format!("/leaderboards/{name}?{query}").replace(&format!("&by={by}"), "")).await,
                    &expected,
                    10,
                );
            }
        }
    }
    check_all(api).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn statistics_equal_a_count_of_all_events() {
    let check = async |seed: u64, zone: &'static str| {
        let folder = tempfile::tempdir().expect("a folder");
        let (api, stack) = in_zone(&options(folder.path()), zone).await;
        let random = &mut Rng::with_seed(seed);
        let (mut users, mut stored) = (vec![api.user().await, api.user().await], Vec::new());
        for _ in 0..amount("STATISTICS_ROUNDS", 2, 8) {
            change(&api, random, &mut users, &mut stored, 60).await;
            refresh(&stack.store).await;
            compare(&api, random, &users, &stored).await;
            compare_exact(&api, random, &stored).await;
            // New events of the last minutes count before the next refresh.
            let recent = random_event(random, &users[0]);
            let now = Timestamp::now().to_string();
            stored.push(api.post("/events", &samples::merged(recent, &json!({"occurred_at": now}))).await.created());
            compare_exact(&api, random, &stored).await;
        }
        let wrong = stack.store.inconsistent_segments().await.expect("the table");
        assert!(wrong.is_empty(), "{zone}: {wrong:?}");
        stack.stop().await.expect("the service stops");
    };
    let slice = Slice::of_this_run();
    for zone in slice.of(ZONES, ZONES.len().div_ceil(2)) {
        check(slice.seed(), zone).await;
    }
}

/// A layer in front of a table that counts the queries of events.
#[derive(Debug)]
struct Counter {
    table: Arc<dyn Table>,
    queries: Arc<AtomicUsize>,
}

impl Table for Counter {
    fn send<'a>(&'a self, call: Call<'a>) -> BoxFuture<'a, Result<Reply, Refusal>> {
        if let Call::Query { range, .. } = &call
            && range.role == Role::Time
            && range.partition.first().and_then(StoredValue::text) == Some("events")
        {
            self.queries.fetch_add(1, Ordering::Relaxed);
        }
        self.table.send(call)
    }
}

struct Counting(Arc<AtomicUsize>);

impl StoreLayer for Counting {
    fn table(&self, _: &str, table: Arc<dyn Table>) -> Arc<dyn Table> {
        Arc::new(Counter { table, queries: Arc::clone(&self.0) })
    }

    fn bucket(&self, _: &str, bucket: Arc<dyn Bucket>) -> Arc<dyn Bucket> {
        bucket
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn change_of_the_time_zone_merges_without_reading_events() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = Options { lambda: None, ..options(folder.path()) };
    let (api, stack) = in_zone(&options, "UTC").await;
    let random = &mut Rng::with_seed(7);
    let (mut users, mut stored) = (vec![api.user().await, api.user().await], Vec::new());
    change(&api, random, &mut users, &mut stored, 40).await;
    refresh(&stack.store).await;
    stack.stop().await.expect("the service stops");

    let queries = Arc::<AtomicUsize>::default();
    let calendar = Calendar::named("Asia/Kolkata").expect("a time zone");
    let moved = Options { time_zone: calendar, ..options.clone() };
    let stack = Stack::start_with_layer(&moved, Arc::new(Counting(Arc::clone(&queries)))).await;
    let stack = stack.expect("the service starts");
    let api = Api::at(&format!("http://{}", stack.address));
    refresh(&stack.store).await;
    assert_eq!(queries.load(Ordering::Relaxed), 0, "events were read");
    compare(&api, random, &users, &stored).await;
    stack.stop().await.expect("the service stops");
    // A folder with statistics in another time zone answers 503 until they are merged.
    let (api, stack) = in_zone(&options, "Europe/Berlin").await;
    let first = api.get("/statistics").await;
    assert!(first.status == 503 && first.header("retry-after") == "5" || first.status == 200, "{}", first.status);
    refresh(&stack.store).await;
    compare(&api, random, &users, &stored).await;
    stack.stop().await.expect("the service stops");
}

#[tokio::test(flavor = "multi_thread")]
async fn rollups_are_rebuilt_from_records() {
    let (api, store) = Api::start_with_store();
    let random = &mut Rng::with_seed(3);
    let (mut users, mut stored) = (vec![api.user().await, api.user().await], Vec::new());
    change(&api, random, &mut users, &mut stored, 40).await;
    refresh(&store).await;
    // One segment is lost, and another counts events that do not exist.
    let segment = |event: &Value| {
        let time = Timestamp::parse(event["occurred_at"].as_str().expect("a time")).expect("a time");
        time.unix_seconds().div_euclid(300) * 300
    };
    store.delete_all(&[format!("rollups/segment/{}", segment(&stored[0]))]).await.expect("the table");
    assert_eq!(store.inconsistent_segments().await.expect("the table"), [segment(&stored[0])]);
    store.request_rebuild(Timestamp::now()).await.expect("the table");
    refresh(&store).await;
    assert!(store.inconsistent_segments().await.expect("the table").is_empty());
    compare(&api, random, &users, &stored).await;
    // A table without rollups.
    store.delete_all(&["rollups/head".to_owned()]).await.expect("the table");
    api.get("/statistics").await.refused(503);
    api.get("/leaderboards/bits").await.refused(503);
    refresh(&store).await;
    compare(&api, random, &users, &stored).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_refreshes_and_changes_leave_correct_statistics() {
    let (api, store) = Api::start_with_store();
    let users = join_all((0..4).map(|_| api.user())).await;
    let writers = users.iter().enumerate().map(|(seed, user)| {
        let (api, user) = (api.clone(), user.clone());
        async move {
            let (mut random, mut users, mut stored) = (Rng::with_seed(seed as u64), vec![user], Vec::new());
            change(&api, &mut random, &mut users, &mut stored, 40).await;
        }
    });
    let refreshes = (0..3).map(|_| {
        let store = store.clone();
        async move {
            for _ in 0..10 {
                let deadline = Instant::now() + Duration::from_mins(1);
                upkeep::refresh(&store, Timestamp::now(), deadline).await.expect("a refresh");
                tokio::time::sleep(Duration::from_millis(30)).await;
            }
        }
    });
    tokio::join!(join_all(writers), join_all(refreshes));
    refresh(&store).await;
    check_all(&api).await;
    assert!(store.inconsistent_segments().await.expect("the table").is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn interrupted_refresh_is_continued_by_the_next() {
    let (api, store) = Api::start_with_store();
    let random = &mut Rng::with_seed(5);
    let (mut users, mut stored) = (vec![api.user().await], Vec::new());
    change(&api, random, &mut users, &mut stored, 30).await;
    refresh(&store).await;
    change(&api, random, &mut users, &mut stored, 30).await;
    // A refresh without time does nothing, which the response shows.
    let now = Timestamp::now().checked_add(time::Duration::minutes(3)).expect("a time");
    let refreshed = upkeep::refresh(&store, now, Instant::now()).await.expect("a refresh");
    assert!(refreshed.has_more || refreshed.busy, "{refreshed:?}");
    refresh(&store).await;
    compare(&api, random, &users, &stored).await;
}

/// Returns the start of the newest events that the tests store.
fn evening() -> Timestamp {
    Timestamp::parse("2026-11-20T20:00:00Z").expect("a time")
}

/// Fills a service with one month's chatters and a year's events.
async fn fill(store: &Store, chatters: usize, others: usize) -> Vec<Id> {
    let now = evening();
    let ids: Vec<_> = (0..chatters).map(|_| store.next_id(now)).collect();
    let time = |days: i64, seconds: i64| {
        now.checked_add(time::Duration::days(-days) + time::Duration::seconds(seconds)).expect("a time")
    };
    let event = |user: Id, time: Timestamp| {
        let mut record = Record::new(Key::new(&EVENTS, store.next_id(now)));
        record.set(&events::USER_ID, user);
        record.set(&events::USER_NAME, "chatter");
        record.set(&events::OCCURRED_AT, time);
        record.set(&events::CREATED_AT, time);
        record.set(&events::EVENT_TYPE, "cheer");
        record.set(&events::AMOUNT, 1 + i64::try_from(user.number() % 1_000).expect("small"));
        record
    };
    let user = |id: Id| {
        let mut record = Record::new(Key::new(&USERS, id));
        record.set(&users::PLATFORM_ID, &id.to_string());
        record.set(&users::NAME, "chatter");
        record.set(&users::CREATED_AT, now);
        record
    };
    let mut records: Vec<_> = ids.iter().map(|id| user(*id)).collect();
    records.extend(ids.iter().zip(0..).map(|(id, number)| event(*id, time(number % 20, number % 7_200))));
    let few = &ids[..ids.len().min(200)];
    records.extend((0..others).map(|number| {
        let seconds = i64::try_from(number).expect("small");
        event(few[number % few.len()], time(seconds % 365, seconds * 7 % 600))
    }));
    let writes = records.chunks(90).map(|chunk| {
        let mut write_set = WriteSet::default();
        for record in chunk {
            write_set.create(record);
        }
        write_set
    });
    let writes: Vec<_> = writes.collect();
    // On a busy machine, any more at a time would exceed the time limit of a call to the table.
    for writes in writes.chunks(4) {
        in_parallel(writes.iter().map(|write_set| store.commit(write_set))).await.expect("the table");
    }
    ids
}

/// The bounds hold with 100,000 events and 50,000 chatters, which `DEEP=1` stores.
#[tokio::test(flavor = "multi_thread")]
async fn statistics_cost_few_read_units() {
    let (api, store) = Api::start_with_store();
    let chatters = amount("CHATTERS", 600, 50_000);
    fill(&store, chatters, amount("OTHER_EVENTS", 1_000, 50_000)).await;
    let started = Instant::now();
    refresh(&store).await;
    println!("refresh of everything: {:?}", started.elapsed());
    let year = api.get("/statistics?from=2025-11-21T00:00:00Z&to=2026-11-21T00:00:00Z&by=day").await;
    assert_eq!(year.ok().as_array().map(Vec::len), Some(365));
    assert_eq!(year.cost().0, 2);
    assert!(year.cost().1 <= 200.0, "a year by day: {:?}", year.cost());
    let month = "from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z";
    let board = api.get(&format!("/leaderboards/bits?{month}")).await;
    assert_eq!((board.ok().as_array().map(Vec::len), board.cost().0), (Some(10), 3));
    assert!(board.cost().1 <= 50.0, "a month with {chatters} chatters: {:?}", board.cost());
    let user = board.json()[0]["user"]["user_id"].clone();
    let own = api.get(&format!("/users/{user}/statistics?from=2025-11-21T00:00:00Z&to=2026-11-21T00:00:00Z")).await;
    own.ok();
    println!("year by day {:?}, month {:?}, user {:?}", year.cost(), board.cost(), own.cost());
    // Rollups do not cover parts of a month.
    let part = api.get("/leaderboards/bits?from=2026-11-05T00:00:00Z&to=2026-11-20T13:00:00Z&limit=3").await;
    if part.status == 200 {
        assert!(part.cost().1 <= 500.0, "{:?}", part.cost());
    } else {
        assert_eq!(part.refused(400), ["from"]);
        // The interval named in the error is accepted.
        let detail = part.json()["errors"][0]["detail"].as_str().expect("a text").to_owned();
        let (from, to) = detail.trim_end_matches('.').rsplit_once(" to ").expect("an end");
        let from = from.rsplit_once(' ').expect("a beginning").1;
        let nearest = api.get(&format!("/leaderboards/bits?from={from}&to={to}&limit=3")).await;
        assert_eq!(nearest.ok().as_array().map(Vec::len), Some(3), "{detail}");
        assert!(nearest.cost().1 <= 500.0, "{detail} {:?}", nearest.cost());
    }
    println!("15 days: {} {:?}", part.status, part.cost());
    // An event makes one mark, no matter how many changes follow within seconds.
    let idle = refresh_once(&store).await.expect("a refresh");
    assert!(!idle.has_more && idle.segments == 0, "{idle:?}");
    assert!(idle.read_units <= IDLE_READ_UNITS && idle.write_units <= IDLE_WRITE_UNITS, "{idle:?}");
    // One more message from a known chatter.
    let event = json!({"user_id": user, "occurred_at": Timestamp::now().to_string()});
    let message = api.post("/events", &samples::event(&event)).await;
    message.created();
    assert_eq!(message.cost(), (2, 1.0, 5.0), "statistics add nothing to a write");
    tokio::time::sleep(Duration::from_millis(500)).await;
    let live = refresh_once(&store).await.expect("a refresh");
    println!("a minute with one change: {} read units, {} write units", live.read_units, live.write_units);
}

#[tokio::test(flavor = "multi_thread")]
async fn statistics_are_refreshed_without_a_request() {
    let folder = tempfile::tempdir().expect("a folder");
    let api = stack_in(folder.path(), |_| {});
    let user = api.user().await;
    api.event(&user).await;
    let started = Instant::now();
    loop {
        let reply = api.get("/leaderboards/messages").await;
        if reply.status == 200 && reply.json().as_array().is_some_and(|places| places.len() == 1) {
            break;
        }
        assert!(started.elapsed() < Duration::from_mins(2), "the statistics are more than two minutes behind");
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// Stores chat messages, 250 a second from 23:00 on the evening of the tests.
async fn chat(store: &Store, users: &[Id], many: usize) {
    let write_sets = (0..many.div_ceil(100)).map(|part| {
        let mut write_set = WriteSet::default();
        for number in part * 100..many.min((part + 1) * 100) {
            let mut event = Record::new(Key::new(&EVENTS, store.next_id(evening())));
            event.set(&events::USER_ID, users[number % users.len()]);
            event.set(&events::USER_NAME, "chatter");
            let after =
                time::Duration::hours(3) + time::Duration::MILLISECOND * 4 * u32::try_from(number).expect("small");
            let time = evening().checked_add(after);
            event.set(&events::OCCURRED_AT, time.expect("a time"));
            event.set(&events::CREATED_AT, time.expect("a time"));
            event.set(&events::EVENT_TYPE, "plain");
            event.set(
                &events::MESSAGE,
                "a message of some fourteen words, as viewers write them while they watch a stream",
            );
            write_set.create(&event);
        }
        write_set
    });
    let write_sets: Vec<_> = write_sets.collect();
    in_parallel(write_sets.iter().map(|write_set| store.commit(write_set))).await.expect("the table");
}

#[tokio::test(flavor = "multi_thread")]
async fn exact_board_with_much_chat_at_its_ends_is_refused() {
    let (api, store) = Api::start_with_store();
    let users = fill(&store, 100, 0).await;
    chat(&store, &users, 10_001).await;
    let path = |to: &str| format!("/leaderboards/messages?limit=1&from=2026-11-20T23:00:00Z&to=2026-11-20T23:{to}Z");
    for is_counted in [false, true] {
        assert_eq!(api.get(&format!("{}&exact=true", path("01:00"))).await.refused(400), ["exact"]);
        // 2,500 messages in 10 seconds, 25 of each user.
        let few = api.get(&format!("{}&exact=true", path("00:10"))).await;
        assert_eq!(few.ok()[0]["value"], 25);
        assert!(few.cost().1 <= 200.0, "{:?}", few.cost());
        if !is_counted {
            refresh(&store).await;
        }
    }
    assert_eq!(api.get(&path("01:00")).await.ok()[0]["value"], 101);
}

/// `cargo test --release busy_segment -- --ignored --nocapture` measures the refresh of five minutes with 60,000
/// messages of 5,000 users.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "a benchmark"]
async fn busy_segment_is_refreshed_within_a_minute() {
    let (api, store) = Api::start_with_store();
    let users = fill(&store, 5_000, 0).await;
    refresh(&store).await;
    chat(&store, &users, 60_000).await;
    // The stream's marks arrive within seconds.
    tokio::time::sleep(Duration::from_secs(20)).await;
    let started = Instant::now();
    let refreshed = refresh_once(&store).await.expect("a refresh");
    println!("60,000 events: {:?}, {refreshed:?}", started.elapsed());
    assert!(started.elapsed() < Duration::from_mins(1));
    refresh(&store).await;
    let hour = "from=2026-11-20T23:00:00Z&to=2026-11-21T00:00:00Z";
    let bucket = api.get(&format!("/statistics?by=hour&{hour}")).await.ok();
    assert_eq!((&bucket[0]["events"]["plain"], &bucket[0]["viewers"]), (&json!(60_000), &json!(5_000)));
}

/// `cargo test --release behind_under_load -- --ignored --nocapture` sends 200 messages a second for ten minutes and
/// observes `as-of`.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "a benchmark"]
async fn as_of_is_at_most_two_minutes_behind_under_load() {
    let (api, _) = Api::start_with_store();
    let users = join_all((0..500).map(|_| api.user())).await;
    let (started, minutes) = (Instant::now(), amount("MINUTES", 10, 10));
    let sent = Arc::<AtomicUsize>::default();
    let writers = (0..40usize).map(|writer| {
        let (api, users, sent) = (api.clone(), users.clone(), Arc::clone(&sent));
        async move {
            let mut ticks = tokio::time::interval(Duration::from_millis(200));
            while started.elapsed() < Duration::from_mins(minutes) {
                ticks.tick().await;
                let user = &users[(writer + fastrand::usize(..users.len())) % users.len()]["user_id"];
                let event = json!({"user_id": user, "occurred_at": Timestamp::now().to_string()});
                api.post("/events", &samples::event(&event)).await.created();
                sent.fetch_add(1, Ordering::Relaxed);
            }
        }
    });
    let watcher = async {
        let mut worst = time::Duration::ZERO;
        while started.elapsed() < Duration::from_mins(minutes) {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let as_of = Timestamp::parse(api.get("/leaderboards/messages").await.header("as-of")).expect("a time");
            let behind = Timestamp::now().unix_millis() - as_of.unix_millis();
            worst = worst.max(time::Duration::milliseconds(i64::try_from(behind).expect("a small number")));
        }
        worst
    };
    let (_, worst) = tokio::join!(join_all(writers), watcher);
    println!("{} messages in {minutes} minutes: at most {worst} behind", sent.load(Ordering::Relaxed));
    assert!(worst < time::Duration::minutes(2), "{worst}");
}
