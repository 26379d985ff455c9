//! The feed: entries in one order that never changes, numbered without gaps.
//!
//! An entry refers to its subject and repeats nothing of it, so a deleted record is gone from the feed, too.
//!
//! # Storage
//!
//! Entries are stored in pages of [`PAGE_ENTRIES`]. `feed/head` has the last number, the page that is not full yet, and a
//! [checkpoint](Checkpoint) for each shard of the table's stream. A batch of changes is one write: of the head alone, or of
//! the head and the pages that it fills. The condition of the write is the last number, so of two writers one starts over.
//! A change at or before the checkpoint of its shard was appended before and is skipped.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use time::Duration;

use super::compressed::{compress, decompress};
use super::document::{from_document, to_document};
use super::item::{Item, from_item, number};
use super::write_set::{Condition, Kind, WriteSet};
use crate::error::{Error, Result, Violation};
use crate::resources;
use crate::schema::{Id, Key, Timestamp};

/// How long an entry can be read.
const KEPT: Duration = Duration::days(7);
/// How long a checkpoint is stored that has left the head. A stream has its records for one day.
const CHECKPOINT_KEPT: Duration = Duration::days(2);
/// The most that an alert shows, in bytes, packed: an item has at most 400 KB.
const LARGEST_ALERT: usize = 350_000;
/// The partition key of the head.
pub const FEED_HEAD: &str = "feed/head";
/// Entries in a page. The head, with a page that is nearly full and its checkpoints, stays below 1 KB: one write unit.
pub const PAGE_ENTRIES: u64 = 8;
/// Checkpoints in the head. A new table has four shards, and each of them is replaced after four hours.
const HEAD_CHECKPOINTS: usize = 6;
/// Changes in one transaction of 100 items: the head, a checkpoint that leaves it, and full pages.
pub const MOST_APPENDED: usize = 97 * 8;
const LAST: &str = "last";

/// The type of an alert about a record that is told again.
pub const REPLAYED: &str = "alert.replayed";
/// The type of an alert about what is nowhere but in it.
pub const TESTED: &str = "alert.tested";

/// A change in the feed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "EntryText", into = "EntryText")]
pub struct Entry {
    /// The type of the change, such as `event.created`.
    pub kind: String,
    /// The record or alert that has changed, such as `events/77`.
    pub subject: String,
    /// The time of the change.
    pub time: Timestamp,
}

/// An entry as it is stored: without names of fields, which would be a third of it.
type EntryText = (String, String, Timestamp);

impl From<EntryText> for Entry {
    fn from((kind, subject, time): EntryText) -> Self {
        Self { kind, subject, time }
    }
}

impl From<Entry> for EntryText {
    fn from(Entry { kind, subject, time }: Entry) -> Self {
        (kind, subject, time)
    }
}

/// Entries with consecutive numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Page {
    first: u64,
    entries: Vec<Entry>,
}

/// The item of a full page.
#[derive(Serialize, Deserialize)]
struct PageItem {
    #[serde(with = "json_text")]
    page: Page,
    expires_at: i64,
}

/// The item of an entry from before there were pages.
#[derive(Deserialize)]
struct EntryItem {
    kind: String,
    subject: String,
    at: Timestamp,
}

/// A position in a shard of the table's stream. Lambda brings the changes of a shard in order the first time, so a change at or
/// before the position was appended before
/// (<https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-windows.html>).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    shard: String,
    sequence_number: SequenceNumber,
}

/// The item of a checkpoint that has left the head.
#[derive(Serialize, Deserialize)]
struct CheckpointItem {
    sequence_number: SequenceNumber,
    expires_at: i64,
}

/// The end of the feed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// The number of the last entry; 0 before the first.
    pub last: u64,
    /// The page that is not full yet. It ends with the last entry.
    #[serde(with = "json_text", default)]
    page: Page,
    /// The shards that were read last, the latest at the end.
    #[serde(with = "json_text", default)]
    checkpoints: Vec<Checkpoint>,
}

/// The number of a change within its shard, as decimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SequenceNumber(pub String);

impl Ord for SequenceNumber {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for SequenceNumber {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A value in an attribute with JSON.
mod json_text {
    use serde::de::{DeserializeOwned, Error as _};
    use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::Error as _};

    pub fn serialize<T: Serialize, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serde_json::to_string(value).map_err(S::Error::custom)?.serialize(serializer)
    }

    pub fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        serde_json::from_str(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// The item of an alert; an alert about a record shows nothing of its own.
#[derive(Serialize, Deserialize)]
struct AlertItem {
    #[serde(rename = "shown", with = "serde_bytes", default, skip_serializing_if = "Option::is_none")]
    content: Option<Vec<u8>>,
    expires_at: i64,
}

/// A change from the table's stream that the feed reports.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Its number within its shard.
    pub sequence_number: SequenceNumber,
    /// Its entry.
    pub entry: Entry,
}

/// How an item has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// It was not there before.
    Created,
    /// A field that a response shows has changed.
    Updated,
    /// It is not there any more.
    Deleted,
}

impl Entry {
    /// Returns the entry about a change of the item with this partition key, or `None` if the feed does not report it.
    pub fn of(pk: &str, change: ChangeKind, time: Timestamp) -> Option<Self> {
        let entry = |kind: String, subject: &str| Self { kind, subject: subject.to_owned(), time };
        if let Some(alert) = pk.strip_prefix("alerts/").filter(|_| change == ChangeKind::Created) {
            let (_, about) = alert.split_once('/')?;
            return Some(match about {
                "test" => entry(TESTED.to_owned(), pk.strip_suffix("/test")?),
                subject => entry(REPLAYED.to_owned(), subject),
            });
        }
        let resource = resources::key(pk)?.resource;
        match change {
            ChangeKind::Created if resource.feed.created => Some(entry(format!("{}.created", resource.singular), pk)),
            ChangeKind::Updated if resource.feed.updated => Some(entry(format!("{}.updated", resource.singular), pk)),
            ChangeKind::Deleted if resource.feed.deleted => Some(entry(format!("{}.deleted", resource.singular), pk)),
            _ => None,
        }
    }

    /// The record that it is about, where it is about one.
    pub fn record(&self) -> Option<Key> {
        resources::key(&self.subject)
    }

    /// The partition key of the alert that it has its data from.
    pub fn alert(&self) -> Option<String> {
        (self.kind == TESTED).then(|| format!("{}/test", self.subject))
    }

    /// Returns true if the entry can still be read.
    fn is_active(&self, now: Timestamp) -> bool {
        self.time.shifted(KEPT).is_none_or(|end| now < end)
    }
}

impl Page {
    fn numbered(self) -> impl Iterator<Item = (u64, Entry)> {
        (self.first..).zip(self.entries)
    }
}

impl Head {
    /// Returns the head in its item, or that of an empty feed.
    pub fn load(item: Option<&Item>) -> Self {
        let mut head: Self = item.and_then(from_document).unwrap_or_default();
        // Code from before there were pages moves the last number and leaves the page behind.
        if head.page.first + head.page.entries.len() as u64 != head.last + 1 {
            head.page = Page { first: head.last + 1, entries: Vec::new() };
        }
        head
    }

    /// Returns the checkpoint of a shard, if it is in the head.
    pub fn checkpoint(&self, shard: &str) -> Option<&SequenceNumber> {
        let of_shard = self.checkpoints.iter().find(|checkpoint| checkpoint.shard == shard);
        of_shard.map(|checkpoint| &checkpoint.sequence_number)
    }

    /// Returns the entries of the page that is not full yet, by their numbers.
    pub fn entries(&self, now: Timestamp) -> BTreeMap<u64, Entry> {
        self.page.clone().numbered().filter(|(_, entry)| entry.is_active(now)).collect()
    }

    /// Writes the head, if the feed is as it was read.
    fn write(&self, read: u64, write_set: &mut WriteSet) -> Result<()> {
        let head = write_set.write_item(FEED_HEAD.to_owned());
        head.set = to_document(self)?;
        head.when(Condition::Is(LAST.to_owned(), (read > 0).then(|| number(read))));
        Ok(())
    }
}

/// Returns the partition key of the full page with this entry.
pub fn page_key(number: u64) -> String {
    format!("feed/page/{}", number.saturating_sub(1) / PAGE_ENTRIES)
}

/// Returns the partition key of an entry from before there were pages.
pub fn entry_key(number: u64) -> String {
    format!("feed/{number}")
}

/// Returns the partition key of a checkpoint that has left the head.
pub fn checkpoint_key(shard: &str) -> String {
    format!("feed/shard/{shard}")
}

/// Returns the checkpoint in its own item.
pub fn stored_checkpoint(item: &Item) -> Option<SequenceNumber> {
    from_document(item).map(|CheckpointItem { sequence_number, .. }| sequence_number)
}

/// Returns the entries of a full page that can still be read, by their numbers.
pub fn page_entries(item: &Item, now: Timestamp) -> BTreeMap<u64, Entry> {
    let page = from_document(item).map(|PageItem { page, .. }| page).unwrap_or_default();
    page.numbered().filter(|(_, entry)| entry.is_active(now)).collect()
}

/// Returns an entry from before there were pages, if it can still be read.
pub fn single_entry(item: &Item, now: Timestamp) -> Option<Entry> {
    let EntryItem { kind, subject, at } = from_document(item)?;
    Some(Entry { kind, subject, time: at }).filter(|entry| entry.is_active(now))
}

/// Whether two images of an item differ in a field that a response shows. What the item repeats of others is none.
pub fn is_visible_change(before: &Item, after: &Item) -> bool {
    let record = |item: &Item| from_item(|name| item.get(name).cloned());
    let (Some(before), Some(after)) = (record(before), record(after)) else { return false };
    let rendered = after.key.resource.fields.iter().filter(|field| !field.hidden);
    rendered.into_iter().any(|field| before.value(field.name) != after.value(field.name))
}

/// Leaves of several updates of one record the last: an entry shows the record as it is when it is read.
pub fn coalesced(changes: Vec<Change>) -> Vec<Change> {
    let is_update = |change: &Change| change.entry.kind.ends_with(".updated");
    let last: BTreeMap<_, _> = changes
        .iter()
        .enumerate()
        .map(|(position, change)| ((change.entry.kind.clone(), change.entry.subject.clone()), position))
        .collect();
    let is_last = |position: usize, change: &Change| {
        last.get(&(change.entry.kind.clone(), change.entry.subject.clone())) == Some(&position)
    };
    let remaining =
        changes.into_iter().enumerate().filter(|(position, change)| !is_update(change) || is_last(*position, change));
    remaining.map(|(_, change)| change).collect()
}

/// Returns the changes after a checkpoint, each once.
pub fn pending(changes: &[Change], checkpoint: Option<SequenceNumber>) -> Vec<&Change> {
    let mut last = checkpoint;
    let mut pending = Vec::new();
    for change in changes {
        if last.as_ref().is_none_or(|last| *last < change.sequence_number) {
            last = Some(change.sequence_number.clone());
            pending.push(change);
        }
    }
    pending
}

/// Appends changes of a shard to the feed. Without a shard, no checkpoint is written.
///
/// # Errors
/// 500 if an entry cannot be written as JSON, which does not happen.
pub fn append(read: &Head, shard: Option<&str>, changes: &[&Change], now: Timestamp) -> Result<WriteSet> {
    let (mut head, mut write_set) = (read.clone(), WriteSet::default());
    // Each entry joins the page of its number. A page that is full becomes an item.
    for change in changes {
        head.last += 1;
        head.page.entries.push(change.entry.clone());
        if head.last.is_multiple_of(PAGE_ENTRIES) {
            let page = std::mem::replace(&mut head.page, Page { first: head.last + 1, entries: Vec::new() });
            let write = write_set.write_item(page_key(head.last));
            write.kind = Kind::Put;
            write.set = to_document(&PageItem { page, expires_at: ends(now, KEPT) })?;
        }
    }
    // The shard's checkpoint moves to the end; the one that was not used for the longest time leaves the head.
    if let (Some(shard), Some(last)) = (shard, changes.last()) {
        head.checkpoints.retain(|checkpoint| checkpoint.shard != shard);
        let sequence_number = last.sequence_number.clone();
        head.checkpoints.push(Checkpoint { shard: shard.to_owned(), sequence_number });
        if head.checkpoints.len() > HEAD_CHECKPOINTS {
            let Checkpoint { shard, sequence_number } = head.checkpoints.remove(0);
            let write = write_set.write_item(checkpoint_key(&shard));
            write.kind = Kind::Put;
            write.set = to_document(&CheckpointItem { sequence_number, expires_at: ends(now, CHECKPOINT_KEPT) })?;
        }
    }
    head.write(read.last, &mut write_set)?;
    Ok(write_set)
}

/// Moves the last number on without entries. After a restore, numbers that were read before are not used again.
///
/// # Errors
/// 500 if the head cannot be written as JSON, which does not happen.
pub fn advance(read: &Head, by: u64) -> Result<WriteSet> {
    let mut write_set = WriteSet::default();
    let last = read.last + by;
    let page = Page { first: last + 1, entries: Vec::new() };
    Head { last, page, checkpoints: read.checkpoints.clone() }.write(read.last, &mut write_set)?;
    Ok(write_set)
}

/// An alert: a record is told again, or what is shown is tried out.
///
/// # Errors
/// 422, where what is shown is more than an item has room for.
pub fn alert(id: Id, about: &str, content: Option<&str>, now: Timestamp, write_set: &mut WriteSet) -> Result<()> {
    let write = write_set.write_item(format!("alerts/{id}/{about}"));
    write.kind = Kind::Put;
    let content = content.map(|content| compress(content.as_bytes())).transpose()?;
    if content.as_ref().is_some_and(|compressed| compressed.len() > LARGEST_ALERT) {
        let detail = "This is more than can be tried out: send less of it.";
        return Err(Error::invalid(vec![Violation::at("", detail)]));
    }
    // A day longer than its entry.
    write.set = to_document(&AlertItem { content, expires_at: ends(now, KEPT + Duration::DAY) })?;
    write.when(Condition::Missing);
    Ok(())
}

/// What an alert shows.
pub fn alert_content(item: &Item) -> Option<String> {
    let AlertItem { content, .. } = from_document(item)?;
    String::from_utf8(decompress(&content?).ok()?).ok()
}

fn ends(now: Timestamp, after: Duration) -> i64 {
    now.shifted(after).unwrap_or(now).unix_seconds()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Stored;

    fn change(number: u64) -> Change {
        let entry =
            Entry::of(&format!("events/{}", 1_750_000_000_000_000 + number), ChangeKind::Created, Timestamp::now());
        let sequence_number =
            SequenceNumber(format!("{:028}", 4_421_584_500_000_000_017_450_439_091 + u128::from(number)));
        Change { sequence_number, entry: entry.expect("an entry") }
    }

    fn shard(number: u64) -> String {
        format!("shardId-00000001414576573{number:03}-f55eea83")
    }

    #[test]
    fn a_head_with_all_that_it_can_have_is_one_write_unit() {
        let (mut head, mut largest) = (Head::default(), 0);
        for number in 0..100 {
            let change = change(number);
            let write_set = append(&head, Some(&shard(number % 7)), &[&change], Timestamp::now()).expect("a write");
            let item = &write_set.writes[FEED_HEAD].set;
            let bytes = |value: &Stored| value.clone().into_text().map_or(9, |text| text.len());
            largest = largest.max(item.iter().map(|(name, value)| name.len() + bytes(value)).sum::<usize>() + 11);
            head = Head::load(Some(item));
            assert_eq!(head.last, number + 1);
        }
        assert!(largest <= 1_024, "{largest} bytes");
    }

    #[test]
    fn a_head_that_was_moved_without_its_page_begins_another() {
        let write_set = append(&Head::default(), None, &[&change(1), &change(2)], Timestamp::now()).expect("a write");
        let mut item = write_set.writes[FEED_HEAD].set.clone();
        assert_eq!(Head::load(Some(&item)).entries(Timestamp::now()).len(), 2);
        item.insert(LAST.to_owned(), number(5));
        let head = Head::load(Some(&item));
        assert_eq!((head.last, head.entries(Timestamp::now()).len()), (5, 0));
        let write_set = append(&head, None, &[&change(3)], Timestamp::now()).expect("a write");
        let head = Head::load(Some(&write_set.writes[FEED_HEAD].set));
        assert_eq!(head.entries(Timestamp::now()).keys().copied().collect::<Vec<_>>(), [6]);
    }

    #[test]
    fn sequence_numbers_are_compared_as_numbers() {
        let number = |digits: &str| SequenceNumber(digits.to_owned());
        assert!(number("9") < number("10") && number("10") < number("11"));
        let changes = [change(1), change(2), change(2), change(3)];
        let after = pending(&changes, Some(changes[0].sequence_number.clone()));
        assert_eq!(after, [&changes[1], &changes[3]]);
    }

    #[test]
    fn an_entry_follows_from_the_key_of_the_item() {
        let now = Timestamp::now();
        let feed = |pk: &str, kind| Entry::of(pk, kind, now).map(|entry| (entry.kind, entry.subject));
        let some = |kind: &str, subject: &str| Some((kind.to_owned(), subject.to_owned()));
        assert_eq!(feed("events/7", ChangeKind::Created), some("event.created", "events/7"));
        assert_eq!(feed("events/7", ChangeKind::Deleted), some("event.deleted", "events/7"));
        assert_eq!(feed("stamps/7", ChangeKind::Created), some("stamp.created", "stamps/7"));
        assert_eq!(feed("alerts/5/events/7", ChangeKind::Created), some("alert.replayed", "events/7"));
        assert_eq!(feed("alerts/5/test", ChangeKind::Created), some("alert.tested", "alerts/5"));
        for pk in ["events/7/text/ab", "users/7", "feed/7", "feed/head", "users/platform_id/x", "alerts/5", "events"] {
            assert_eq!(feed(pk, ChangeKind::Created), None, "{pk}");
        }
        assert_eq!(feed("events/7", ChangeKind::Updated), some("event.updated", "events/7"));
        assert_eq!(feed("stamps/7", ChangeKind::Deleted), some("stamp.deleted", "stamps/7"));
        assert_eq!(feed("alerts/5/test", ChangeKind::Deleted), None);
        assert_eq!(feed("users/7", ChangeKind::Updated), None);
    }
}
