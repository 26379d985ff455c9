//! Entries of the feed, and their layout in the table.
//!
//! An entry refers to its subject and copies none of its fields. The feed contains no data of deleted records.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use time::Duration;

use crate::error::{Error, Result};
use crate::resources;
use crate::schema::{Id, Key, Timestamp};
use crate::table::{Condition, Item, WriteKind, WriteSet, compress, decompress, from_document, from_item, to_document};

/// Time that an entry can be read.
pub(super) const RETENTION: Duration = Duration::days(7);
/// Maximum size of an alert's compressed content, in bytes. An item can have 400 KB.
const MAX_ALERT: usize = 350_000;
/// Number of entries in a page. With a nearly full page and its checkpoints, the head stays below 1 KB: one write unit.
pub const PAGE_ENTRIES: u64 = 8;

/// Type of an alert that replays a record.
pub const REPLAYED: &str = "alert.replayed";
/// Type of a test alert. Its content is stored only in the alert.
pub const TESTED: &str = "alert.tested";
/// Type of the control that drops one alert.
pub const SKIPPED: &str = "alert.skipped";
/// Type of the control that drops all earlier alerts.
pub const CLEARED: &str = "alert.cleared";
/// Alerts that store their content: the end of their partition key, and their type.
const WITH_CONTENT: [(&str, &str); 3] = [("test", TESTED), ("skip", SKIPPED), ("clear", CLEARED)];

/// A change in the feed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "EntryText", into = "EntryText")]
pub struct Entry {
    /// Type of the change, such as `event.created`.
    pub kind: String,
    /// Path of the changed record or of the alert, such as `events/77`.
    pub subject: String,
    /// Time of the change.
    pub time: Timestamp,
}

/// Stored form of an entry. Field names would take up a third of it, and are omitted.
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
    pub(super) first: u64,
    pub(super) entries: Vec<Entry>,
}

impl Default for Page {
    fn default() -> Self {
        Self { first: 1, entries: Vec::new() }
    }
}

/// Item of a full page.
#[derive(Serialize, Deserialize)]
pub(super) struct PageItem {
    #[serde(with = "json_text")]
    pub(super) page: Page,
    pub(super) expires_at: i64,
}

/// Serialization of a value as JSON in a text attribute.
pub(super) mod json_text {
    use serde::de::{DeserializeOwned, Error as _};
    use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::Error as _};

    pub fn serialize<T: Serialize, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serde_json::to_string(value).map_err(S::Error::custom)?.serialize(serializer)
    }

    pub fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        serde_json::from_str(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// Item of an alert. Only an alert that does not replay a record has content.
#[derive(Serialize, Deserialize)]
struct AlertItem {
    #[serde(rename = "shown", with = "serde_bytes", default, skip_serializing_if = "Option::is_none")]
    content: Option<Vec<u8>>,
    expires_at: i64,
}

/// Number of a change within its shard, as decimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SequenceNumber(pub String);

impl SequenceNumber {
    /// Encodes the number in base64, which is half as long. Numbers that are too large stay in digits, after a `#`.
    pub(super) fn to_compact(&self) -> String {
        let Ok(number) = self.0.parse::<u128>() else { return format!("#{}", self.0) };
        let bytes = number.to_be_bytes();
        let leading = bytes.iter().take_while(|byte| **byte == 0).count();
        URL_SAFE_NO_PAD.encode(&bytes[leading..])
    }

    /// Decodes the output of [`Self::to_compact`].
    pub(super) fn from_compact(text: &str) -> Self {
        let digits = text.strip_prefix('#').map_or_else(
            || {
                let bytes = URL_SAFE_NO_PAD.decode(text).unwrap_or_default();
                bytes.iter().fold(0_u128, |number, byte| number << 8 | u128::from(*byte)).to_string()
            },
            str::to_owned,
        );
        Self(digits)
    }
}

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

/// A change from the table's stream that the feed reports.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordChange {
    /// Sequence number within the shard.
    pub sequence_number: SequenceNumber,
    /// Entry that reports the change.
    pub entry: Entry,
}

/// Kind of change to an item.
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
    /// Creates the entry for a change of the item with this partition key, unless the feed does not report it.
    pub fn of(pk: &str, change: ChangeKind, time: Timestamp) -> Option<Self> {
        let entry = |kind: String, subject: &str| Self { kind, subject: subject.to_owned(), time };
        if let Some(alert) = pk.strip_prefix("alerts/").filter(|_| change == ChangeKind::Created) {
            let (_, about) = alert.split_once('/')?;
            return Some(match WITH_CONTENT.iter().find(|(name, _)| *name == about) {
                Some((_, kind)) => entry((*kind).to_owned(), pk.rsplit_once('/')?.0),
                None => entry(REPLAYED.to_owned(), about),
            });
        }
        let resource = resources::parse_key(pk)?.resource;
        match change {
            ChangeKind::Created if resource.feed.created => Some(entry(format!("{}.created", resource.singular), pk)),
            ChangeKind::Updated if resource.feed.updated => Some(entry(format!("{}.updated", resource.singular), pk)),
            ChangeKind::Deleted if resource.feed.deleted => Some(entry(format!("{}.deleted", resource.singular), pk)),
            _ => None,
        }
    }

    /// Returns the key of the entry's record, or `None` for an alert that stores its content.
    pub fn record(&self) -> Option<Key> {
        resources::parse_key(&self.subject)
    }

    /// Returns the partition key of the entry's alert, if it is an alert that stores its content.
    pub fn alert(&self) -> Option<String> {
        let (about, _) = WITH_CONTENT.iter().find(|(_, kind)| *kind == self.kind)?;
        Some(format!("{}/{about}", self.subject))
    }

    /// Returns true if the entry has not expired.
    pub(super) fn is_active(&self, now: Timestamp) -> bool {
        self.time.checked_add(RETENTION).is_none_or(|end| now < end)
    }
}

impl Page {
    pub(super) fn numbered(self) -> impl Iterator<Item = (u64, Entry)> {
        (self.first..).zip(self.entries)
    }
}

/// Returns the partition key of the full page with this entry number.
pub fn page_key(number: u64) -> String {
    format!("feed/page/{}", number.saturating_sub(1) / PAGE_ENTRIES)
}

/// Returns the unexpired entries of a full page, by number.
pub fn page_entries(item: &Item, now: Timestamp) -> BTreeMap<u64, Entry> {
    let page = from_document(item).map(|PageItem { page, .. }| page).unwrap_or_default();
    page.numbered().filter(|(_, entry)| entry.is_active(now)).collect()
}

/// Returns true if two images of an item differ in a field that responses render. Hidden fields, such as copies of
/// another record's values, are ignored.
pub fn is_visible_change(before: &Item, after: &Item) -> bool {
    let record = |item: &Item| from_item(|name| item.get(name).cloned());
    let (Some(before), Some(after)) = (record(before), record(after)) else { return false };
    let rendered = after.key.resource.fields.iter().filter(|field| !field.hidden);
    rendered.into_iter().any(|field| before.value(field.name) != after.value(field.name))
}

/// Removes all but the last update of each record. Earlier updates are redundant: the record is rendered on reading.
pub fn coalesce_updates(changes: Vec<RecordChange>) -> Vec<RecordChange> {
    let is_update = |change: &RecordChange| change.entry.kind.ends_with(".updated");
    let last: BTreeMap<_, _> = changes
        .iter()
        .enumerate()
        .map(|(index, change)| ((change.entry.kind.clone(), change.entry.subject.clone()), index))
        .collect();
    let is_last = |index: usize, change: &RecordChange| {
        last.get(&(change.entry.kind.clone(), change.entry.subject.clone())) == Some(&index)
    };
    let remaining =
        changes.into_iter().enumerate().filter(|(index, change)| !is_update(change) || is_last(*index, change));
    remaining.map(|(_, change)| change).collect()
}

/// Adds the write of an alert. Without `content`, the alert replays a record.
///
/// # Errors
/// 422 if the content is too large for an item.
pub fn alert(id: Id, about: &str, content: Option<&str>, now: Timestamp, write_set: &mut WriteSet) -> Result<()> {
    let write = write_set.write_item(format!("alerts/{id}/{about}"));
    write.kind = WriteKind::Put;
    let content = content.map(|content| compress(content.as_bytes())).transpose()?;
    if content.as_ref().is_some_and(|compressed| compressed.len() > MAX_ALERT) {
        return Err(Error::record_too_large("", "The test event is too large. Send less."));
    }
    // The alert is stored a day longer than its entry.
    write.set = to_document(&AlertItem { content, expires_at: expiry_seconds(now, RETENTION + Duration::DAY) })?;
    write.require(Condition::Missing);
    Ok(())
}

/// Returns the content of an alert as JSON.
pub fn alert_content(item: &Item) -> Option<String> {
    let AlertItem { content, .. } = from_document(item)?;
    String::from_utf8(decompress(&content?).ok()?).ok()
}

pub(super) fn expiry_seconds(now: Timestamp, lifetime: Duration) -> i64 {
    now.checked_add(lifetime).unwrap_or(now).unix_seconds()
}
