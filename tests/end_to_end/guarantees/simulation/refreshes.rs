//! Schedules of changes, of the sequencer that marks them, and of two refreshes of the statistics.

use super::*;
use capture_core::lambda::sequencer;
use capture_core::lambda::stream::{Batch, EventName, ItemRecord, SequenceNumber};
use capture_core::statistics::HEARTBEATS;
use capture_core::store::Expected;

/// The changes to events, each made by a separate task.
const CHANGES: [&str; 4] = [
    "POST /users/$ann/events {$plain}",
    r#"POST /events {"event_type": "cheer", "amount": 5, "user_name": "Bo", "user_id": $bob, "occurred_at": "2026-01-01T00:04:59Z"}"#,
    "DELETE /events/$bare",
    "DELETE /users/$bob",
];

/// Returns the events of the table by partition key.
fn events(memory: &Memory) -> BTreeMap<String, Item> {
    let is_event = |item: &Item| item.get("resource").and_then(StoredValue::text) == Some("events");
    memory.items().into_iter().filter(|(_, item)| is_event(item)).collect()
}

/// Returns the stream records of all events that differ.
fn records(before: &BTreeMap<String, Item>, after: &BTreeMap<String, Item>, now: Timestamp) -> Batch {
    let keys: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    let differing = keys.into_iter().filter(|key| before.get(*key) != after.get(*key));
    let record = |key: &String| {
        let event = match (before.get(key), after.get(key)) {
            (None, _) => EventName::Insert,
            (_, None) => EventName::Remove,
            _ => EventName::Modify,
        };
        ItemRecord {
            pk: key.clone(),
            event,
            sequence_number: SequenceNumber("1".to_owned()),
            before: before.get(key).cloned(),
            after: after.get(key).cloned(),
            time: Timestamp::from_unix_seconds(now.unix_seconds()),
        }
    };
    Batch { records: differing.map(record).collect(), shard: None }
}

/// Confirms the heartbeats of a time, which no stream carries here.
async fn confirm_heartbeats(store: &Store, time: Timestamp) {
    for number in 0..HEARTBEATS {
        let (name, time) = (number.to_string(), time.to_string());
        store.put_if("rollups/received", &name, Expected::Any, &time).await.expect("the table");
    }
}

/// Runs the upkeep's refresh at a time.
async fn refresh(store: &Store, now: Timestamp) -> bool {
    let refreshed = upkeep::refresh(store, now, Instant::now() + Duration::from_mins(1)).await;
    refreshed.is_ok_and(|refreshed| !refreshed.has_more && !refreshed.busy)
}

async fn run_schedules(schedules: u64) {
    let mut world = Box::pin(World::new(false)).await;
    let store = world.memory.store(|table| table);
    confirm_heartbeats(&store, world.now).await;
    assert!(refresh(&store, world.now).await);
    world.snapshot = world.memory.save();
    for seed in 0..schedules {
        fastrand::seed(seed);
        world.restore();
        let rng = &mut Rng::with_seed(seed);
        let held = Arc::new(Mutex::new(Vec::new()));
        let front = |table| Arc::new(Scheduler { table, held: Arc::clone(&held), is_torn: false }) as Arc<dyn Table>;
        let store = world.memory.store(front);
        let (now, memory) = (world.now, world.memory.clone());
        let mut changes = Vec::new();
        for _ in 0..2 {
            changes.push(world.sent(CHANGES[rng.usize(..CHANGES.len())]).await);
        }
        let before = events(&memory);
        LocalSet::new()
            .run_until(async {
                let changes = changes.into_iter().enumerate().map(|(position, sent)| {
                    let (store, memory, before) = (store.for_request(), memory.clone(), before.clone());
                    let work = async move {
                        answer(&store, now, &sent).await;
                        // The sequencer receives the change later, possibly more than once.
                        let batch = records(&before, &events(&memory), now);
                        sequencer::run(&store, &batch, now).await.expect("the sequencer");
                    };
                    tokio::task::spawn_local(REQUEST.scope(position, work))
                });
                let mut running: Vec<_> = changes.collect();
                for position in [2, 3] {
                    let store = store.for_request();
                    let work = async move { _ = refresh(&store, now).await };
                    running.push(tokio::task::spawn_local(REQUEST.scope(position, work)));
                }
                let schedule = release_all(&running, &held, rng).await;
                for task in running {
                    task.await.unwrap_or_else(|panic| panic!("seed {seed}: {panic}\n{schedule}"));
                }
            })
            .await;
        world.finish_deletions().await;
        // The stream delivers the upkeep's deletions.
        let direct = world.memory.store(|table| table);
        sequencer::run(&direct, &records(&before, &events(&world.memory), now), now).await.expect("the sequencer");
        let later = now.checked_add(time::Duration::minutes(2)).expect("a time");
        confirm_heartbeats(&direct, later).await;
        assert!(refresh(&direct, later).await, "seed {seed}");
        let wrong = direct.inconsistent_segments().await.expect("the table");
        assert!(wrong.is_empty(), "seed {seed}: {wrong:?}");
        world.check().await.unwrap_or_else(|violation| panic!("seed {seed}: {violation}"));
    }
}

#[test]
fn refreshes_and_changes_in_any_order_leave_correct_statistics() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(run_schedules(amount("REFRESH_SCHEDULES", 15, 200)));
}
