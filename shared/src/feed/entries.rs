//! The feed: entries in one order that never changes, numbered without gaps.
//!
//! An entry refers to its subject and copies none of its fields. So the feed has no data of a deleted record.
//!
//! # Storage
//!
//! Entries are stored in pages of [`PAGE_ENTRIES`]. `feed/head` has the last number, the page that is not full yet, and
//! a [checkpoint](Checkpoint) for each shard of the table's stream. A batch of changes is one write. It writes the
//! head, and the pages that the batch fills. The write is conditional on the last number: if two writers compete, one
//! starts over. A change at or before the checkpoint of its shard was appended before and is skipped.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use time::Duration;

use crate::error::{Error, Result};
use crate::resources;
use crate::schema::{Id, Key, Timestamp};
use crate::table::{
    Condition, Item, WriteKind, WriteSet, compress, decompress, from_document, from_item, number, to_document,
};

/// How long an entry can be read.
const KEPT: Duration = Duration::days(7);
/// How long a checkpoint is stored after it has left the head. A stream has its records for one day.
const CHECKPOINT_KEPT: Duration = Duration::days(2);
/// The largest content of an alert, in bytes, compressed. An item has at most 400 KB.
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

/// The type of an alert that replays a record.
pub const REPLAYED: &str = "alert.replayed";
/// The type of a test alert. Its content is stored only in the alert.
pub const TESTED: &str = "alert.tested";
/// The type of the control that drops one alert.
pub const SKIPPED: &str = "alert.skipped";
/// The type of the control that drops all earlier alerts.
pub const CLEARED: &str = "alert.cleared";
/// The alerts with content of their own: the end of their partition key, and their type.
const WITH_CONTENT: [(&str, &str); 3] = [("test", TESTED), ("skip", SKIPPED), ("clear", CLEARED)];

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

/// The stored form of an entry. It omits the field names, which would be a third of it.
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Page {
    first: u64,
    entries: Vec<Entry>,
}

impl Default for Page {
    fn default() -> Self {
        Self { first: 1, entries: Vec::new() }
    }
}

/// The item of a full page.
#[derive(Serialize, Deserialize)]
struct PageItem {
    #[serde(with = "json_text")]
    page: Page,
    expires_at: i64,
}

/// The item of a single entry, as the feed stored it before pages existed.
#[derive(Deserialize)]
struct EntryItem {
    kind: String,
    subject: String,
    at: Timestamp,
}

/// A position in a shard of the table's stream. Lambda delivers the changes of a shard in order the first time. So a
/// change at or before the position was appended before
/// (<https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-windows.html>).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "(String, SequenceNumber)", into = "(String, SequenceNumber)")]
pub struct Checkpoint {
    shard: String,
    sequence_number: SequenceNumber,
}

impl From<(String, SequenceNumber)> for Checkpoint {
    fn from((shard, sequence_number): (String, SequenceNumber)) -> Self {
        Self { shard, sequence_number }
    }
}

impl From<Checkpoint> for (String, SequenceNumber) {
    fn from(Checkpoint { shard, sequence_number }: Checkpoint) -> Self {
        (shard, sequence_number)
    }
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
    /// The checkpoints of the shards that were read last, the latest at the end.
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

/// Serializes a value as JSON in a text attribute.
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

/// The item of an alert. An alert that replays a record has no content.
#[derive(Serialize, Deserialize)]
struct AlertItem {
    #[serde(rename = "shown", with = "serde_bytes", default, skip_serializing_if = "Option::is_none")]
    content: Option<Vec<u8>>,
    expires_at: i64,
}

/// A change from the table's stream that the feed reports.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The sequence number within the shard.
    pub sequence_number: SequenceNumber,
    /// The entry that reports the change.
    pub entry: Entry,
}

/// The kind of change of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// The item is new.
    Created,
    /// A field that responses render has changed.
    Updated,
    /// The item was deleted.
    Deleted,
}

impl Entry {
    /// Returns the entry about a change of the item with this partition key, or `None` if the feed does not report it.
    pub fn of(pk: &str, change: ChangeKind, time: Timestamp) -> Option<Self> {
        let entry = |kind: String, subject: &str| Self { kind, subject: subject.to_owned(), time };
        if let Some(alert) = pk.strip_prefix("alerts/").filter(|_| change == ChangeKind::Created) {
            let (_, about) = alert.split_once('/')?;
            return Some(match WITH_CONTENT.iter().find(|(name, _)| *name == about) {
                Some((_, kind)) => entry((*kind).to_owned(), pk.rsplit_once('/')?.0),
                None => entry(REPLAYED.to_owned(), about),
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

    /// Returns the key of the record that the entry is about, or `None` for an alert with content of its own.
    pub fn record(&self) -> Option<Key> {
        resources::key(&self.subject)
    }

    /// Returns the partition key of the alert with the content, or `None` if the entry is not about such an alert.
    pub fn alert(&self) -> Option<String> {
        let (about, _) = WITH_CONTENT.iter().find(|(_, kind)| *kind == self.kind)?;
        Some(format!("{}/{about}", self.subject))
    }

    /// Returns true if the entry has not expired.
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
    /// Returns the head in its item, or the head of an empty feed.
    pub fn load(item: Option<&Item>) -> Self {
        let mut head: Self = item.and_then(from_document).unwrap_or_default();
        // The version before pages advances the last number and does not touch the page.
        if head.page.first + head.page.entries.len() as u64 != head.last + 1 {
            head.page = Page { first: head.last + 1, entries: Vec::new() };
        }
        head
    }

    /// Returns the checkpoint of a shard, if the head has it.
    pub fn checkpoint(&self, shard: &str) -> Option<&SequenceNumber> {
        let of_shard = self.checkpoints.iter().find(|checkpoint| checkpoint.shard == shard);
        of_shard.map(|checkpoint| &checkpoint.sequence_number)
    }

    /// Returns the unexpired entries of the page that is not full yet, by number.
    pub fn entries(&self, now: Timestamp) -> BTreeMap<u64, Entry> {
        self.page.clone().numbered().filter(|(_, entry)| entry.is_active(now)).collect()
    }

    /// Adds the write of the head, on the condition that the last number is still `read`.
    fn write(&self, read: u64, write_set: &mut WriteSet) -> Result<()> {
        let head = write_set.write_item(FEED_HEAD.to_owned());
        head.set = to_document(self)?;
        head.when(Condition::Is(LAST.to_owned(), (read > 0).then(|| number(read))));
        Ok(())
    }
}

/// Returns the partition key of the full page with this entry number.
pub fn page_key(number: u64) -> String {
    format!("feed/page/{}", number.saturating_sub(1) / PAGE_ENTRIES)
}

/// Returns the partition key of a single entry from the time before pages.
pub fn entry_key(number: u64) -> String {
    format!("feed/{number}")
}

/// Returns the partition key of a checkpoint that has left the head.
pub fn checkpoint_key(shard: &str) -> String {
    format!("feed/shard/{shard}")
}

/// Returns the checkpoint in an item of its own.
pub fn stored_checkpoint(item: &Item) -> Option<SequenceNumber> {
    from_document(item).map(|CheckpointItem { sequence_number, .. }| sequence_number)
}

/// Returns the unexpired entries of a full page, by number.
pub fn page_entries(item: &Item, now: Timestamp) -> BTreeMap<u64, Entry> {
    let page = from_document(item).map(|PageItem { page, .. }| page).unwrap_or_default();
    page.numbered().filter(|(_, entry)| entry.is_active(now)).collect()
}

/// Returns a single entry from the time before pages, if it has not expired.
pub fn single_entry(item: &Item, now: Timestamp) -> Option<Entry> {
    let EntryItem { kind, subject, at } = from_document(item)?;
    Some(Entry { kind, subject, time: at }).filter(|entry| entry.is_active(now))
}

/// Returns true if two images of an item differ in a field that responses render. Hidden fields, such as copies of
/// another record's values, do not count.
pub fn is_visible_change(before: &Item, after: &Item) -> bool {
    let record = |item: &Item| from_item(|name| item.get(name).cloned());
    let (Some(before), Some(after)) = (record(before), record(after)) else { return false };
    let rendered = after.key.resource.fields.iter().filter(|field| !field.hidden);
    rendered.into_iter().any(|field| before.value(field.name) != after.value(field.name))
}

/// Removes all but the last update of each record. An entry renders the record as it is when the feed is read, so
/// earlier updates add nothing.
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

/// Returns the changes after a checkpoint, without duplicates.
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
    // Each entry is added to the page of its number. A full page becomes an item.
    for change in changes {
        head.last += 1;
        head.page.entries.push(change.entry.clone());
        if head.last.is_multiple_of(PAGE_ENTRIES) {
            let page = std::mem::replace(&mut head.page, Page { first: head.last + 1, entries: Vec::new() });
            let write = write_set.write_item(page_key(head.last));
            write.kind = WriteKind::Put;
            write.set = to_document(&PageItem { page, expires_at: ends(now, KEPT) })?;
        }
    }
    // The shard's checkpoint moves to the end. The least recently used one leaves the head.
    if let (Some(shard), Some(last)) = (shard, changes.last()) {
        head.checkpoints.retain(|checkpoint| checkpoint.shard != shard);
        let sequence_number = last.sequence_number.clone();
        head.checkpoints.push(Checkpoint { shard: shard.to_owned(), sequence_number });
        if head.checkpoints.len() > HEAD_CHECKPOINTS {
            let Checkpoint { shard, sequence_number } = head.checkpoints.remove(0);
            let write = write_set.write_item(checkpoint_key(&shard));
            write.kind = WriteKind::Put;
            write.set = to_document(&CheckpointItem { sequence_number, expires_at: ends(now, CHECKPOINT_KEPT) })?;
        }
    }
    head.write(read.last, &mut write_set)?;
    Ok(write_set)
}

/// Advances the last number by `by`, without entries. After a restore, numbers that clients have seen are not used
/// again.
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

/// Adds the write of an alert. It replays a record, or has content of its own.
///
/// # Errors
/// 422 if the content is too large for an item.
pub fn alert(id: Id, about: &str, content: Option<&str>, now: Timestamp, write_set: &mut WriteSet) -> Result<()> {
    let write = write_set.write_item(format!("alerts/{id}/{about}"));
    write.kind = WriteKind::Put;
    let content = content.map(|content| compress(content.as_bytes())).transpose()?;
    if content.as_ref().is_some_and(|compressed| compressed.len() > LARGEST_ALERT) {
        return Err(Error::record_too_large("", "The test event is too large. Send less."));
    }
    // The alert is stored for a day longer than its entry.
    write.set = to_document(&AlertItem { content, expires_at: ends(now, KEPT + Duration::DAY) })?;
    write.when(Condition::Missing);
    Ok(())
}

/// Returns the content of an alert, as JSON.
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

    /// As precise as the stream is.
    fn now() -> Timestamp {
        Timestamp::from_unix_millis(Timestamp::now().unix_millis() / 1_000 * 1_000).expect("a time")
    }

    fn change(number: u64) -> Change {
        let entry = Entry::of(&format!("events/{}", 1_750_000_000_000_000 + number), ChangeKind::Created, now());
        let sequence_number =
            SequenceNumber(format!("{:028}", 4_421_584_500_000_000_017_450_439_091 + u128::from(number)));
        Change { sequence_number, entry: entry.expect("an entry") }
    }

    fn shard(number: u64) -> String {
        format!("shardId-00000001414576573{number:03}-f55eea83")
    }

    #[test]
    fn largest_head_fits_in_one_write_unit() {
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
    fn advanced_head_starts_a_new_page() {
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
    fn sequence_numbers_compare_numerically() {
        let number = |digits: &str| SequenceNumber(digits.to_owned());
        assert!(number("9") < number("10") && number("10") < number("11"));
        let changes = [change(1), change(2), change(2), change(3)];
        let after = pending(&changes, Some(changes[0].sequence_number.clone()));
        assert_eq!(after, [&changes[1], &changes[3]]);
    }

    #[test]
    fn entry_type_and_subject_derive_from_the_item_key() {
        let now = Timestamp::now();
        let feed = |pk: &str, kind| Entry::of(pk, kind, now).map(|entry| (entry.kind, entry.subject));
        let some = |kind: &str, subject: &str| Some((kind.to_owned(), subject.to_owned()));
        assert_eq!(feed("events/7", ChangeKind::Created), some("event.created", "events/7"));
        assert_eq!(feed("events/7", ChangeKind::Deleted), some("event.deleted", "events/7"));
        assert_eq!(feed("stamps/7", ChangeKind::Created), some("stamp.created", "stamps/7"));
        assert_eq!(feed("alerts/5/events/7", ChangeKind::Created), some("alert.replayed", "events/7"));
        assert_eq!(feed("alerts/5/test", ChangeKind::Created), some("alert.tested", "alerts/5"));
        assert_eq!(feed("alerts/5/skip", ChangeKind::Created), some("alert.skipped", "alerts/5"));
        assert_eq!(feed("alerts/5/clear", ChangeKind::Created), some("alert.cleared", "alerts/5"));
        assert_eq!(feed("overlays/5", ChangeKind::Updated), some("overlay.updated", "overlays/5"));
        assert_eq!(feed("overlays/5", ChangeKind::Created), None);
        for pk in ["events/7/text/ab", "users/7", "feed/7", "feed/head", "users/platform_id/x", "alerts/5", "events"] {
            assert_eq!(feed(pk, ChangeKind::Created), None, "{pk}");
        }
        assert_eq!(feed("events/7", ChangeKind::Updated), some("event.updated", "events/7"));
        assert_eq!(feed("stamps/7", ChangeKind::Deleted), some("stamp.deleted", "stamps/7"));
        assert_eq!(feed("alerts/5/test", ChangeKind::Deleted), None);
        assert_eq!(feed("users/7", ChangeKind::Updated), None);
    }
}
