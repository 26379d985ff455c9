//! Tests with faults in the upkeep's calls: an interrupted deletion completes, and an unused image is deleted.

use super::*;
use end_to_end::is_deep;

/// Creates a user and interrupts its deletion at the start.
async fn half_deleted(api: &Api, gate: &Gate, begins: usize) -> Cast {
    let own = cast(api).await;
    gate.set(Some((begins + 1, 100_000, Fault::LostBefore)));
    api.delete(&path(&own, "user")).await;
    gate.set(None);
    own
}

/// Returns the index of the call that starts a user's deletion.
async fn beginning(api: &Api, gate: &Gate) -> usize {
    let own = cast(api).await;
    gate.set(None);
    api.delete(&path(&own, "user")).await.ok();
    gate.calls().iter().position(|call| call == "TransactWriteItems").expect("a transaction")
}

async fn run_upkeep(store: &Store, minutes: i64) -> bool {
    let now = Timestamp::now().checked_add(time::Duration::minutes(minutes)).expect("a time");
    upkeep::run(store, now, Instant::now() + Duration::from_mins(1)).await.is_ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn upkeep_survives_every_fault_at_every_call() {
    let (slice, (api, gate, store, _)) = (Slice::of_this_run(), gated().await);
    let begins = beginning(&api, &gate).await;
    // Each run is an hour later, so it sweeps.
    let mut later = (1..).map(|hours| 62 * hours);
    half_deleted(&api, &gate, begins).await;
    gate.set(None);
    assert!(run_upkeep(&store, later.next().expect("a time")).await);
    let calls = gate.calls();
    for needed in ["DeleteObjects", "ListObjectsV2", "Query"] {
        assert!(calls.iter().any(|call| call == needed), "{needed} is not in {calls:?}");
    }
    let depths = std::env::var_os("DEPTHS").is_some();
    for fault in FAULTS {
        for position in positions(slice, fault, &calls, 20) {
            for many in if depths { vec![1, 6, 100_000] } else { vec![100_000] } {
                let what = format!("{fault:?} from call {position} ({}) for {many}", calls[position]);
                let own = half_deleted(&api, &gate, begins).await;
                gate.set(Some((position, many, fault)));
                run_upkeep(&store, later.next().expect("a time")).await;
                gate.set(None);
                assert!(run_upkeep(&store, later.next().expect("a time")).await, "{what}");
                for gone in ["user", "event", "document", "stamp", "specimen", "item"] {
                    assert_eq!(api.get(&path(&own, gone)).await.status, 404, "{gone}: {what}");
                }
                let listed = api.list(&format!("/documents?document_id={}", own.document["document_id"])).await;
                assert!(listed.is_empty(), "{what}");
            }
        }
    }
    assert!(run_upkeep(&store, later.next().expect("a time")).await);
    invariants::check(&store).await;
    let injected: usize = gate.injected().values().sum();
    println!("{injected} faults injected into the upkeep's calls, nothing left over");
    assert!(injected > if is_deep() { 100 } else { 5 }, "{injected}");
}

/// Changes a user's events, so a refresh has to count, merge and delete.
async fn changed_events(api: &Api) {
    let user = api.user().await;
    let event = |day: u32| {
        samples::event(&json!({"user_id": user["user_id"], "occurred_at": format!("2026-11-{day:02}T10:00:00Z")}))
    };
    let first = api.post("/events", &event(1)).await.created();
    api.post("/events", &event(2)).await.created();
    api.delete(&format!("/events/{}", first["event_id"])).await.ok();
    api.post("/events", &event(fastrand::u32(3..28))).await.created();
}

/// Runs a refresh at a time ahead of the clock. Returns true if nothing is left.
async fn refresh_at(store: &Store, minutes: i64) -> bool {
    let now = Timestamp::now().checked_add(time::Duration::minutes(minutes)).expect("a time");
    let refreshed = upkeep::refresh(store, now, Instant::now() + Duration::from_mins(1)).await;
    refreshed.is_ok_and(|refreshed| !refreshed.has_more && !refreshed.busy)
}

#[tokio::test(flavor = "multi_thread")]
async fn refresh_survives_every_fault_at_every_call() {
    let (slice, (api, gate, store, _)) = (Slice::of_this_run(), gated().await);
    // Each refresh is later than the lease of an interrupted one.
    let mut later = (1..).map(|number| 2 * number);
    // The sequencer may mark changes at any time, so the number of calls varies.
    let settle = async || tokio::time::sleep(Duration::from_millis(300)).await;
    changed_events(&api).await;
    settle().await;
    gate.set(None);
    assert!(refresh_at(&store, later.next().expect("a time")).await);
    let calls = gate.calls();
    for needed in ["PutItem", "DeleteItem", "BatchGetItem", "Query"] {
        assert!(calls.iter().any(|call| call == needed), "{needed} is not in {calls:?}");
    }
    let mut interrupted = 0;
    for (fault, first) in FAULTS.into_iter().zip(0..) {
        // Each fault starts at a different call. Together they hit every call.
        let hit = (first..calls.len()).step_by(FAULTS.len()).filter(|position| fault.is_possible(&calls[*position]));
        for position in slice.of(hit, 12) {
            for many in [1, 100_000] {
                let what = format!("{fault:?} from call {position} ({}) for {many}", calls[position]);
                changed_events(&api).await;
                settle().await;
                gate.set(Some((position, many, fault)));
                interrupted += usize::from(!refresh_at(&store, later.next().expect("a time")).await);
                gate.set(None);
                let mut done = refresh_at(&store, later.next().expect("a time")).await;
                if !done {
                    done = refresh_at(&store, later.next().expect("a time")).await;
                }
                assert!(done, "{what}");
                end_to_end::statistics::check_all(&api).await;
            }
        }
    }
    let wrong = store.inconsistent_segments().await.expect("the table");
    assert!(wrong.is_empty(), "{wrong:?}");
    println!("{interrupted} refreshes interrupted, all continued");
    assert!(interrupted > if is_deep() { 40 } else { 0 }, "{interrupted}");
}

#[tokio::test(flavor = "multi_thread")]
async fn pending_deletion_is_reported_overdue_after_15_minutes() {
    logs::keep();
    let (api, gate, store, _) = gated().await;
    let begins = beginning(&api, &gate).await;
    half_deleted(&api, &gate, begins).await;
    let run = async |minutes| {
        let now = Timestamp::now().checked_add(time::Duration::minutes(minutes)).expect("a time");
        // The deadline leaves no time for any work.
        let report = upkeep::run(&store, now, Instant::now()).await.expect("a run");
        (report.deletions_left, report.deletions_overdue)
    };
    // The earlier user was deleted a moment ago, and the upkeep checks it again.
    assert_eq!(run(14).await, (2, 0));
    assert_eq!(run(16).await, (2, 2));
    // The template has a metric filter with this name.
    assert!(logs::text().contains(r#""overdue_deletions":2"#));
    let template = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../template.yaml")).expect("a file");
    assert!(template.contains("{ $.overdue_deletions > 0 }"));
}

/// A redaction interrupted by any fault is complete after the upkeep's next run.
#[tokio::test(flavor = "multi_thread")]
async fn redaction_survives_every_fault_at_every_call() {
    let (slice, (api, gate, store, _)) = (Slice::of_this_run(), gated().await);
    let request = |own: &Cast, opts_out: bool| {
        if opts_out {
            ("/opt-outs".to_owned(), json!({"platform_id": own.user["platform_id"]}))
        } else {
            (format!("{}/anonymize", path(own, "user")), json!({}))
        }
    };
    let (mut later, mut interrupted) = ((1..).map(|number| 2 * number), 0);
    for opts_out in [false, true] {
        let own = cast(&api).await;
        let (url, body) = request(&own, opts_out);
        gate.set(None);
        assert!(api.post(&url, &body).await.status.is_success());
        let calls = gate.calls();
        for fault in FAULTS {
            for position in positions(slice, fault, &calls, 24) {
                for many in [1, 100_000] {
                    let what = format!("{fault:?} from call {position} ({}) for {many}", calls[position]);
                    let own = cast(&api).await;
                    let (url, body) = request(&own, opts_out);
                    gate.set(Some((position, many, fault)));
                    let reply = api.post(&url, &body).await;
                    gate.set(None);
                    assert!(reply.status.is_success() || reply.status == 503, "{what}");
                    if reply.status == 503 {
                        interrupted += 1;
                        let again = api.post(&url, &body).await;
                        assert!(again.status.is_success() || (opts_out && again.status == 409), "{what}");
                    }
                    assert!(run_upkeep(&store, later.next().expect("a time")).await, "{what}");
                    let event = api.get(&path(&own, "event")).await.ok();
                    let user = format!("anonymized/{}", own.user["user_id"]);
                    assert_eq!(
                        (&event["message"], &event["user"]["platform_id"]),
                        (&json!(""), &json!(user)),
                        "{what}"
                    );
                    assert_eq!(api.get(&path(&own, "document")).await.status, 404, "{what}");
                }
            }
        }
    }
    invariants::check(&store).await;
    assert!(interrupted > 0, "{interrupted}");
}
