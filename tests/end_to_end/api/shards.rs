//! Tests that the number of shards can grow while the table has data and pages are being read.

use std::collections::BTreeSet;

use end_to_end::{Api, samples, stack_in};
use serde_json::{Value, json};

fn ids(records: &[Value]) -> Vec<u64> {
    records.iter().map(|record| record["event_id"].as_u64().expect("an identifier")).collect()
}

async fn events(api: &Api, user: &Value, count: usize, year: u32) -> BTreeSet<u64> {
    let mut created = BTreeSet::new();
    for position in 0..count {
        let time = format!("{year}-01-01T00:00:{:02}Z", position % 60);
        let event = samples::event(&json!({"user_id": user["user_id"], "occurred_at": time}));
        created.extend(api.post("/events", &event).await.created()["event_id"].as_u64());
    }
    created
}

#[tokio::test(flavor = "multi_thread")]
async fn table_grows_from_two_to_four_shards_in_place() {
    let (old, new) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let two = stack_in(old.path(), |options| options.shards = 2);
    let user = two.user().await;
    let before = events(&two, &user, 40, 2024).await;
    let first = two.get("/events?limit=15&event_type=plain").await;
    let (seen, next) = (ids(first.ok().as_array().expect("a list")), first.next().expect("another page"));

    // The next deployment's functions use the same table.
    copy(old.path(), new.path());
    let four = stack_in(new.path(), |options| options.shards = 4);
    let after = events(&four, &user, 40, 2023).await;
    let rest = ids(&four.list(&next).await);
    let all: Vec<u64> = seen.iter().chain(&rest).copied().collect();
    assert_eq!(all.len(), 80, "each once");
    assert_eq!(all.iter().copied().collect::<BTreeSet<_>>(), before.union(&after).copied().collect());
    for path in ["/events?limit=7", "/events?order=asc&limit=100", "/events?user_name=Ann"] {
        assert_eq!(four.list(path).await.len(), 80, "{path}");
    }
    // A changed record stays in its shard, and a deleted record is not in any.
    let one = *before.first().expect("an event");
    four.patch(&format!("/events/{one}"), &json!({"message": "changed"})).await.ok();
    assert_eq!(four.list("/events").await.iter().filter(|event| event["message"] == "changed").count(), 1);
    four.delete(&format!("/users/{}", user["user_id"])).await.ok();
    assert!(four.list("/events").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn previous_version_lists_records_of_additional_shards() {
    let (old, new) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    // The second of two deployments reads four shards, like the first, and writes four.
    let second = stack_in(old.path(), |options| options.shards = 4);
    let user = second.user().await;
    let created = events(&second, &user, 40, 2024).await;
    copy(old.path(), new.path());
    // The first deployment, active again after a rollback.
    let first = stack_in(new.path(), |options| (options.shards, options.write_shards) = (4, Some(2)));
    assert_eq!(ids(&first.list("/events").await).into_iter().collect::<BTreeSet<_>>(), created);
    let more = events(&first, &user, 10, 2025).await;
    assert_eq!(first.list("/events?limit=7").await.len(), 50);
    assert_eq!(ids(&first.list("/events?created_after=2020-01-01T00:00:00Z&limit=10").await).len(), 50);
    assert!(more.is_disjoint(&created));
}

/// Copies the files of a table that no process is writing to.
fn copy(from: &std::path::Path, to: &std::path::Path) {
    for entry in std::fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_owned();
        if name.to_string_lossy().starts_with("table") {
            std::fs::copy(&path, to.join(name)).expect("a file");
        }
    }
}
