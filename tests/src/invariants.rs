//! Invariants of all stored data, checked in the table and the bucket.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use capture_core::resources::{self, ALL, PURCHASES, TRANSACTIONS, purchases, transactions};
use capture_core::schema::{Id, Key, ParentData, Record, Resource, Value};
use capture_core::store::{Consistency, IndexCursor, Store};
use capture_core::table::{IndexQuery, Range, ReadSet, State, is_child_of, json_size, text_key};
use embedded::{Engine, TableSettings};

/// The longest time before the stream's consumer marks a change, under load.
const MAX_LAG: Duration = Duration::from_mins(1);
/// The number of records per read.
const PAGE: usize = 500;

/// Everything that is stored.
struct Stored {
    records: BTreeMap<Key, Record>,
    states: BTreeMap<Key, State>,
    texts: BTreeSet<String>,
    images: BTreeSet<String>,
}

/// Returns all of a resource's records in its index of times.
async fn listed(store: &Store, resource: &'static Resource) -> Vec<Record> {
    let query = IndexQuery::by_time(resource, Range::default());
    let mut cursor = IndexCursor::new(query, store.shards());
    let mut records = Vec::new();
    loop {
        let page = cursor.next(store, PAGE).await.expect("the table");
        if page.is_empty() {
            return records;
        }
        records.extend(page);
    }
}

async fn images(store: &Store) -> BTreeSet<String> {
    let (mut names, mut after) = (BTreeSet::new(), None);
    loop {
        let (page, more) = store.images_after(after.as_deref()).await.expect("the bucket");
        after = page.last().map(|image| image.name.clone());
        names.extend(page.into_iter().map(|image| image.name));
        if !more {
            return names;
        }
    }
}

/// Returns the keys of a record's long texts.
fn texts_of(record: &Record) -> impl Iterator<Item = String> {
    let values = record.key.resource.fields.iter().filter_map(|field| record.value(field.name));
    values.filter_map(|value| {
        if let Value::OutOfLine(out_of_line) = value { Some(text_key(record.key, out_of_line)) } else { None }
    })
}

async fn read(store: &Store) -> Stored {
    let mut rendered = Vec::new();
    for resource in ALL {
        rendered.extend(listed(store, resource).await);
    }
    let read_set = ReadSet {
        records: rendered.iter().map(|record| record.key).collect(),
        states: rendered.iter().map(|record| record.key).collect(),
        texts: rendered.iter().flat_map(texts_of).collect(),
        ..ReadSet::default()
    };
    let snapshot = store.load(&read_set, Consistency::Strong).await.expect("the table");
    for record in &rendered {
        let mut record = record.clone();
        snapshot.complete(&mut record);
        assert_eq!(snapshot.records.get(&record.key), Some(&record), "an index shows what its item is: {}", record.key);
    }
    let texts = snapshot.texts.into_keys().collect();
    Stored { records: snapshot.records, states: snapshot.states, texts, images: images(store).await }
}

/// Checks that each index of the table in a data folder matches its items.
///
/// # Panics
/// If an index has a missing or superfluous entry.
pub fn check_indexes(folder: &Path) {
    let engine = Engine::open(&folder.join("table.sqlite"), &TableSettings::default()).expect("a table");
    let wrong = engine.wrong_entries().expect("the table");
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// Reads everything that is stored and checks its invariants.
///
/// # Panics
/// If an invariant does not hold.
pub async fn check(store: &Store) {
    let unused = check_records(store).await;
    assert!(unused.is_empty(), "images without a record: {unused:?}");
}

/// Reads everything that is stored and checks the invariants of its records. Returns the images without a record.
///
/// # Panics
/// If an invariant does not hold.
pub async fn check_records(store: &Store) -> Vec<String> {
    let stored = read(&store.for_request()).await;
    let mut used = BTreeSet::new();
    for record in stored.records.values() {
        if let Some(parent) = record.parent() {
            let parent = stored
                .records
                .get(&parent)
                .unwrap_or_else(|| panic!("{} belongs to {parent}, which is gone", record.key));
            assert!(is_child_of(record, parent), "{} belongs to a deleted {}", record.key, parent.key);
        }
        for text in texts_of(record) {
            assert!(stored.texts.contains(&text), "{} lacks its text {text}", record.key);
        }
        for field in record.key.resource.fields.iter().filter(|field| field.is_image()) {
            let name = record.text(field.name).expect("an image").to_owned();
            assert!(stored.images.contains(&name), "{} lacks its image", record.key);
            assert!(used.insert(name), "{} has an image that another has", record.key);
        }
        if let Some(value) = record.key.resource.unique.and_then(|unique| record.get(unique.attribute)) {
            let reserved = store.find_by_unique_value(record.key.resource, value).await;
            let reserved = reserved.expect("the table").map(|reserved| reserved.key);
            assert_eq!(reserved, Some(record.key), "a unique value is reserved for its record");
        }
        if let (Some(excluded), Some(unique)) = (record.key.resource.excludes(), record.key.resource.unique) {
            let value = record.get(unique.attribute).expect("a unique value");
            let excluding = store.excluded(excluded, BTreeSet::from([value.to_owned()])).await.expect("the table");
            assert!(!excluding.is_empty(), "{} excludes its value", record.key);
            let has_value = |other: &&Record| {
                other.key.resource == excluded
                    && excluded.unique.and_then(|unique| other.get(unique.attribute)) == Some(value)
            };
            assert!(
                !stored.records.values().any(|other| has_value(&other)),
                "{}: a record has the excluded value",
                record.key
            );
        }
        if record.is_anonymized() {
            assert_eq!(record, &record.redacted(|_| true), "an anonymized record has its values");
        }
        check_children(record, &stored);
    }
    check_economy(&stored.records);
    check_segments(store).await;
    stored.images.difference(&used).cloned().collect()
}

/// Checks that every segment of the statistics is marked as stale or equals its records. The marks of the latest
/// changes may still be on their way. Without the stream's consumer, a table lacks statistics.
async fn check_segments(store: &Store) {
    let progress = store.rebuild_progress().await.expect("the table");
    if progress.is_none_or(|progress| progress.as_of.is_none()) {
        return;
    }
    let started = Instant::now();
    loop {
        let wrong = store.inconsistent_segments().await.expect("the table");
        if wrong.is_empty() {
            return;
        }
        assert!(started.elapsed() < MAX_LAG, "segments that are neither marked nor right: {wrong:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Checks that the transactions of each purchase and each transfer add up. A deleted user has none, and an imported
/// purchase may name others.
fn check_economy(records: &BTreeMap<Key, Record>) {
    let of = |resource: &'static Resource| records.values().filter(move |record| record.key.resource == resource);
    let mut by_cause = BTreeMap::<&str, Vec<&Record>>::new();
    for paid in of(&TRANSACTIONS) {
        if let Some(cause) = paid.get(&transactions::CAUSE) {
            by_cause.entry(cause).or_default().push(paid);
        }
    }
    let amounts = |cause: &str| {
        let paid = by_cause.get(cause).into_iter().flatten();
        paid.filter_map(|paid| paid.get(&transactions::AMOUNT)).collect::<Vec<_>>()
    };
    let is_stored = |id: Id| records.contains_key(&Key { resource: &TRANSACTIONS, id });
    for purchase in of(&PURCHASES) {
        // A purchase may be imported without its payment. A refund of it then stands alone.
        if !purchase.get(&purchases::TRANSACTION_ID).is_some_and(is_stored) {
            continue;
        }
        let (price, cause) = (purchase.get(&purchases::PRICE).expect("a price"), purchase.key.to_string());
        let mut amounts = amounts(&cause);
        amounts.sort_unstable();
        let is_refunded = purchase.get(&purchases::STATUS) == Some(purchases::REFUNDED);
        let expected = if is_refunded { vec![-price, price] } else { vec![-price] };
        assert_eq!(amounts, expected, "{cause} pays its price once, and back if it is refunded");
    }
    for (cause, paid) in by_cause.iter().filter(|(cause, paid)| cause.starts_with("transfers/") && paid.len() == 2) {
        assert_eq!(amounts(cause).iter().sum::<i64>(), 0, "{cause} makes no money: {paid:?}");
    }
}

/// Checks that a parent's stored values match its children.
fn check_children(parent: &Record, stored: &Stored) {
    let key = parent.key;
    let state = stored.states.get(&key).cloned().unwrap_or_default();
    assert!(!state.is_deleted(), "{key} is there, and its state says that it is gone");
    for child in resources::children(key.resource) {
        let of = stored.records.values().filter(|record| record.key.resource == child.resource);
        let children: Vec<_> = of.filter(|record| record.parent() == Some(key) && record.is_active()).collect();
        let ids: Vec<Id> = children.iter().map(|record| record.key.id).collect();
        match &child.relation.parent_data {
            ParentData::Nothing => {}
            ParentData::One { slot, .. } => {
                let known = if key.resource.field(slot).is_some() { parent.reference(slot) } else { state.slot(slot) };
                assert!(ids.len() <= 1 && known == ids.first().copied(), "{key} keeps {known:?}, and has {ids:?}");
            }
            ParentData::Many { ids: name, .. } => {
                assert_eq!(state.ids(name).collect::<Vec<_>>(), ids, "{key} keeps other {name} than it has");
                let bytes: i64 = children.iter().map(|record| json_size(record)).sum();
                assert_eq!(state.bytes(), bytes, "{key} counts other bytes than it keeps");
            }
            ParentData::Sum { embedded, addend: of } => {
                let sum: i64 = children.iter().filter_map(|record| record.get(of)).sum();
                assert_eq!(state.sum(embedded.field), sum, "{key} has another {} than its records", embedded.field);
            }
        }
    }
}
