//! Throughput and cost of the feed: a stream with a few shards, 20 ms for each call to the store, and a paused clock
//! that advances only with these calls.

use end_to_end::memory::Memory;
use end_to_end::{Slice, amount};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use capture_core::lambda::sequencer;
use capture_core::lambda::stream::{Batch, EventName, ItemRecord, SequenceNumber};
use capture_core::schema::{StoredValue, Timestamp};
use capture_core::store::{Call, Refusal, Reply, Store, Table};
use capture_core::table::Item;
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, join_all};
use tokio::time::Instant;

/// The template's batch size.
const BATCH: usize = 500;
/// The duration of a call: half before it takes effect, and half after.
const CALL: Duration = Duration::from_millis(20);
/// The interval of Lambda's polls, four per second.
const POLL: Duration = Duration::from_millis(250);

/// A table with latency.
#[derive(Debug)]
struct Distant {
    table: Arc<dyn Table>,
    write_units: Arc<AtomicU64>,
}

impl Table for Distant {
    fn send<'a>(&'a self, call: Call<'a>) -> BoxFuture<'a, Result<Reply, Refusal>> {
        async move {
            tokio::time::sleep(CALL / 2).await;
            let answer = self.table.send(call).await;
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "units of writes are whole")]
            let units = match &answer {
                Ok(reply) if call.writes() => reply.units as u64,
                // A rejected write costs as much as a write of its item: a unit per KB.
                Err(Refusal::Conditions(refused)) => refused.iter().map(|(_, item)| kilobytes(item.as_ref())).sum(),
                _ => 0,
            };
            self.write_units.fetch_add(units, Ordering::Relaxed);
            tokio::time::sleep(CALL / 2).await;
            answer
        }
        .boxed()
    }
}

/// Returns the size of an item, rounded up to KB.
fn kilobytes(item: Option<&Item>) -> u64 {
    let bytes = |(name, value): (&String, &StoredValue)| {
        let value = match value {
            StoredValue::Text(text) | StoredValue::Number(text) => text.len(),
            StoredValue::Bytes(bytes) => bytes.len(),
            StoredValue::Ids(ids) => 8 * ids.len(),
        };
        name.len() + value
    };
    let bytes: usize = item.into_iter().flatten().map(bytes).sum();
    (bytes as u64).div_ceil(1_024).max(1)
}

/// A shard's undelivered changes, each with the time of its write.
type Shard = Mutex<VecDeque<(Instant, u64)>>;

fn batch(shard: usize, changes: &[(Instant, u64)]) -> Batch {
    let record = |(_, number): &(Instant, u64)| ItemRecord {
        pk: format!("events/{number}"),
        event: EventName::Insert,
        sequence_number: SequenceNumber(number.to_string()),
        before: None,
        after: Some(Item::new()),
        time: None,
    };
    Batch { records: changes.iter().map(record).collect(), shard: Some(format!("shard-{shard}")) }
}

/// Delivers a shard's changes like Lambda, until `all` are delivered. Returns the delay of each, in milliseconds. With
/// a batching window, it waits that long after a first change.
async fn poll(store: &Store, number: usize, shard: &Shard, all: usize, window: Duration) -> Vec<u128> {
    let mut delays = Vec::new();
    while delays.len() < all {
        // `GetRecords` is also a call.
        tokio::time::sleep(CALL).await;
        if shard.lock().expect("a lock").is_empty() {
            tokio::time::sleep(POLL).await;
            continue;
        }
        tokio::time::sleep(window).await;
        let next: Vec<_> = shard.lock().expect("a lock").iter().take(BATCH).copied().collect();
        while sequencer::run(store, &batch(number, &next), Timestamp::now()).await.is_err() {}
        shard.lock().expect("a lock").drain(..next.len());
        delays.extend(next.iter().map(|(written, _)| written.elapsed().as_millis()));
    }
    delays
}

/// A simulation's result.
#[derive(Debug)]
struct Simulated {
    took: Duration,
    /// The largest number of changes waiting to be appended.
    backlog: usize,
    /// Median and 99th percentile of the time from the write to the feed, in milliseconds.
    #[expect(dead_code, reason = "printed for docs/benchmarks.md")]
    delays: (u128, u128),
    /// Write units per 100 changes.
    units_per_100: u64,
}

/// Appends changes at a rate for some seconds, with `FeedBatchingSeconds` as the batching window.
async fn simulate(shard_count: usize, per_second: usize, seconds: usize, batching_seconds: u64) -> Simulated {
    let window = Duration::from_secs(batching_seconds);
    let memory = Memory::new();
    let units = Arc::new(AtomicU64::default());
    let store = memory.store(|table| Arc::new(Distant { table, write_units: Arc::clone(&units) }));
    let counted = store.for_request();
    let shards: Vec<Shard> = (0..shard_count).map(|_| Mutex::default()).collect();
    let all = seconds * per_second / shard_count * shard_count;
    let started = Instant::now();
    let write = async {
        let mut most = 0;
        for number in 1..=all {
            let written = (Instant::now(), number as u64);
            shards[number % shard_count].lock().expect("a lock").push_back(written);
            tokio::time::sleep_until(started + Duration::from_millis((number * 1_000 / per_second) as u64)).await;
            most = most.max(shards.iter().map(|shard| shard.lock().expect("a lock").len()).sum());
        }
        most
    };
    let pollers =
        shards.iter().enumerate().map(|(number, shard)| poll(&store, number, shard, all / shard_count, window));
    let (backlog, delays) = tokio::join!(write, join_all(pollers));
    let mut delays: Vec<_> = delays.concat();
    delays.sort_unstable();
    let head = counted.feed_head().await.expect("the table");
    assert_eq!(head.last, all as u64, "each once");
    let simulated = Simulated {
        took: started.elapsed(),
        backlog,
        delays: (delays[all / 2], delays[all * 99 / 100]),
        units_per_100: units.load(Ordering::Relaxed) * 100 / all as u64,
    };
    println!("{shard_count} shards, {per_second} changes a second, {batching_seconds} s: {simulated:?}");
    simulated
}

/// Runs for as many seconds as `FEED_SECONDS` says: `FEED_SECONDS=120 cargo test throughput -- --nocapture`.
#[tokio::test(start_paused = true)]
async fn sequencer_keeps_up_with_2000_changes_per_second() {
    let seconds: usize = amount("FEED_SECONDS", 3, 10);
    let simulated = simulate(4, 2_000, seconds, 0).await;
    assert!(simulated.took < Duration::from_secs(seconds as u64 + 1), "the last is appended within a second");
    assert!(simulated.backlog < 2_000, "the backlog is less than a second's: {}", simulated.backlog);
}

#[tokio::test(start_paused = true)]
async fn cost_of_an_append_stays_low_with_50_shards() {
    let seconds = amount("FEED_SECONDS", 10, 60);
    let rows = [
        (4, 25, 0, 200),
        (10, 25, 0, 400),
        (20, 25, 0, 450),
        (50, 25, 0, 700),
        (50, 25, 2, 400),
        (50, 200, 0, 500),
        (50, 200, 2, 500),
    ];
    for (shards, per_second, batching_seconds, max) in Slice::of_this_run().of(rows, 4) {
        let units = simulate(shards, per_second, seconds, batching_seconds).await.units_per_100;
        assert!(units <= max, "{shards} shards, {per_second} changes a second: {units} units for 100 changes");
    }
}
