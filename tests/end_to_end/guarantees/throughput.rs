//! Throughput of the feed: four shards of the stream, 20 ms for each call of the store, and a paused clock that
//! advances only with these calls.

use end_to_end::amount;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use event_capture::lambda::sequencer;
use event_capture::schema::Timestamp;
use event_capture::store::Store;
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, join_all};
use local_stack::backend::{Backend, Call, CallResponse, SharedBackend};
use local_stack::memory::Memory;
use serde_json::{Value, json};
use tokio::time::Instant;

/// The number of shards of a new on-demand table.
const SHARDS: usize = 4;
/// The number of changes in the whole stream, per second.
const CHANGES: usize = 2_000;
/// The template's batch size.
const BATCH: usize = 500;
/// The duration of a call: half before it takes effect, and half after.
const CALL: Duration = Duration::from_millis(20);
/// The interval of Lambda's polls, which is four times a second.
const POLL: Duration = Duration::from_millis(250);

/// A table with latency.
#[derive(Debug)]
struct Distant {
    table: SharedBackend,
    write_units: Arc<AtomicU64>,
}

impl Backend for Distant {
    fn call(&self, call: Call) -> BoxFuture<'static, CallResponse> {
        let (table, write_units) = (Arc::clone(&self.table), Arc::clone(&self.write_units));
        // A rejected write costs as much as a successful one: a unit, or two for each part of a transaction.
        let body: Value = serde_json::from_slice(&call.body).expect("JSON");
        let units = match (call.operation.as_str(), body["TransactItems"].as_array()) {
            (_, Some(parts)) => 2 * parts.len() as u64,
            ("UpdateItem", _) => 1,
            _ => 0,
        };
        async move {
            tokio::time::sleep(CALL / 2).await;
            let answer = table.call(call).await;
            write_units.fetch_add(units, Ordering::Relaxed);
            tokio::time::sleep(CALL / 2).await;
            answer
        }
        .boxed()
    }
}

/// The undelivered changes of a shard, each with the time of its write.
type Shard = Mutex<VecDeque<(Instant, u64)>>;

fn batch(shard: usize, changes: &[(Instant, u64)]) -> Value {
    let record = |(_, number): &(Instant, u64)| {
        json!({"eventName": "INSERT", "dynamodb": {
            "Keys": {"pk": {"S": format!("events/{number}")}}, "SequenceNumber": number.to_string()}})
    };
    json!({"Records": changes.iter().map(record).collect::<Vec<_>>(), "shardId": format!("shard-{shard}")})
}

/// Delivers the changes of a shard like Lambda, until `all` are delivered. Returns the delay of each, in milliseconds.
async fn poll(store: &Store, number: usize, shard: &Shard, all: usize) -> Vec<u128> {
    let mut delays = Vec::new();
    while delays.len() < all {
        // `GetRecords` is a call, too.
        tokio::time::sleep(CALL).await;
        let next: Vec<_> = shard.lock().expect("a lock").iter().take(BATCH).copied().collect();
        if next.is_empty() {
            tokio::time::sleep(POLL).await;
            continue;
        }
        while sequencer::run(store, &batch(number, &next), Timestamp::now()).await.is_err() {}
        shard.lock().expect("a lock").drain(..next.len());
        delays.extend(next.iter().map(|(written, _)| written.elapsed().as_millis()));
    }
    delays
}

/// Runs for as many seconds as `FEED_SECONDS` says: `FEED_SECONDS=120 cargo test throughput -- --nocapture`. Two
/// minutes take long, because the emulator searches its whole stream at each write.
#[tokio::test(start_paused = true)]
async fn sequencer_keeps_up_with_2000_changes_per_second() {
    let seconds: usize = amount("FEED_SECONDS", 3, 10);
    let memory = Memory::new().await.expect("stores");
    let units = Arc::new(AtomicU64::default());
    let store = memory.store(|table| Arc::new(Distant { table, write_units: Arc::clone(&units) }));
    let counted = store.for_request();
    let shards: Vec<Shard> = (0..SHARDS).map(|_| Mutex::default()).collect();
    let started = Instant::now();
    let write = async {
        let (mut number, mut most) = (0, 0);
        for _ in 0..seconds * 100 {
            for _ in 0..CHANGES / 100 {
                number += 1;
                let shard = &shards[usize::try_from(number).expect("a count") % SHARDS];
                shard.lock().expect("a lock").push_back((Instant::now(), number));
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
            most = most.max(shards.iter().map(|shard| shard.lock().expect("a lock").len()).sum());
        }
        most
    };
    let all = seconds * CHANGES;
    let pollers = shards.iter().enumerate().map(|(number, shard)| poll(&store, number, shard, all / SHARDS));
    let (most, delays) = tokio::join!(write, join_all(pollers));
    let took = started.elapsed();
    let mut delays: Vec<_> = delays.concat();
    delays.sort_unstable();
    let head = counted.feed_head().await.expect("the table");
    assert_eq!(head.last, all as u64, "each once");
    println!(
        "{all} changes in {:.1} s: backlog at most {most}, delay p50 {} ms, p99 {} ms; {} write units",
        took.as_secs_f64(),
        delays[all / 2],
        delays[all * 99 / 100],
        units.load(Ordering::Relaxed),
    );
    assert!(took < Duration::from_secs(seconds as u64 + 1), "the last is appended within a second");
    assert!(most < CHANGES, "the backlog is less than a second's: {most}");
}
