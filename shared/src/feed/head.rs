//! The head of the feed, and the plan of an append.
//!
//! Entries are stored in pages of [`PAGE_ENTRIES`]. The item `feed/head` contains the last number, the page that is not
//! full yet, and a [checkpoint](Checkpoint) for each shard of the table's stream. One write appends a batch of changes:
//! it writes the head and the pages that the batch fills. The write is conditional on the last number. If two writers
//! compete, one of them retries. A change at or before its shard's checkpoint was appended before and is skipped.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use time::Duration;

use super::entries::{
    Entry, PAGE_ENTRIES, Page, PageItem, RETENTION, RecordChange, SequenceNumber, expiry_seconds, json_text, page_key,
};
use crate::error::Result;
use crate::schema::Timestamp;
use crate::table::{Condition, Item, WriteKind, WriteSet, from_document, number, to_document};

/// Time that a checkpoint is stored after it has left the head. A stream keeps its records for one day.
const CHECKPOINT_RETENTION: Duration = Duration::days(2);
/// Partition key of the head.
pub const FEED_HEAD: &str = "feed/head";
/// Hours after which an unused checkpoint leaves the head. DynamoDB replaces each shard after about four hours.
const ACTIVE_HOURS: i64 = 5;
/// Maximum number of checkpoints in the head. A checkpoint outside costs a transaction whenever its shard changes.
const MAX_CHECKPOINTS: usize = 200;
/// Maximum number of changes in one transaction of 100 items: the head, a checkpoint that leaves it, and full pages.
pub const MAX_APPENDED: usize = 97 * 8;
/// Attribute that stores the number of the last entry.
const LAST: &str = "last";

/// The last appended change of a shard of the table's stream. Lambda first delivers a shard's changes in order, so a
/// change at or before the checkpoint was appended before
/// (<https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-windows.html>).
///
/// A checkpoint is stored in about 40 bytes: the digest, the number in base64 and the hour. The size matters, as every
/// append writes the checkpoints of all active shards, about 50 after a busy year.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "(String, String, i64)", into = "(String, String, i64)")]
pub struct Checkpoint {
    /// Digest of the shard's name.
    shard: String,
    sequence_number: SequenceNumber,
    /// Hour of the last append, since 1970.
    hour: i64,
}

impl From<(String, String, i64)> for Checkpoint {
    fn from((shard, number, hour): (String, String, i64)) -> Self {
        Self { shard, sequence_number: SequenceNumber::from_compact(&number), hour }
    }
}

impl From<Checkpoint> for (String, String, i64) {
    fn from(Checkpoint { shard, sequence_number, hour }: Checkpoint) -> Self {
        (shard, sequence_number.to_compact(), hour)
    }
}

/// Returns the first 48 bits of a digest of the shard's name. With 100 shards, two collide in 1 of 56 billion cases.
fn digest(shard: &str) -> String {
    URL_SAFE_NO_PAD.encode(&Sha256::digest(shard)[..6])
}

/// Item that stores a checkpoint after it has left the head.
#[derive(Serialize, Deserialize)]
struct CheckpointItem {
    sequence_number: SequenceNumber,
    expires_at: i64,
}

/// End of the feed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// Number of the last entry, or 0 if the feed is empty.
    pub last: u64,
    /// Page that is not full yet, up to the last entry.
    #[serde(with = "json_text")]
    page: Page,
    /// Checkpoints of the most recently changed shards, the latest at the end.
    #[serde(with = "json_text")]
    checkpoints: Vec<Checkpoint>,
}

impl Head {
    /// Loads the head from its item, or returns the head of an empty feed.
    pub fn load(item: Option<&Item>) -> Self {
        item.and_then(from_document).unwrap_or_default()
    }

    /// Returns the number of shards that have changed in the last few hours.
    pub fn shard_count(&self) -> usize {
        self.checkpoints.len()
    }

    /// Returns the checkpoint of a shard, if it is in the head.
    pub fn shard_checkpoint(&self, shard: &str) -> Option<&SequenceNumber> {
        let shard = digest(shard);
        let of_shard = self.checkpoints.iter().find(|checkpoint| checkpoint.shard == shard);
        of_shard.map(|checkpoint| &checkpoint.sequence_number)
    }

    /// Returns the unexpired entries of the page that is not full yet, by number.
    pub fn entries(&self, now: Timestamp) -> BTreeMap<u64, Entry> {
        self.page.clone().numbered().filter(|(_, entry)| entry.is_active(now)).collect()
    }

    /// Adds the write of the head, on the condition that the last number is still `last_read`.
    fn write(&self, last_read: u64, write_set: &mut WriteSet) -> Result<()> {
        let head = write_set.write_item(FEED_HEAD.to_owned());
        head.set = to_document(self)?;
        head.require(Condition::Is(LAST.to_owned(), (last_read > 0).then(|| number(last_read))));
        Ok(())
    }
}

/// Returns the partition key of a checkpoint that has left the head.
pub fn checkpoint_key(shard: &str) -> String {
    checkpoint_key_of(&digest(shard))
}

fn checkpoint_key_of(digest: &str) -> String {
    format!("feed/shard/{digest}")
}

/// Returns the checkpoint in the item of a checkpoint that has left the head.
pub fn stored_checkpoint(item: &Item) -> Option<SequenceNumber> {
    from_document(item).map(|CheckpointItem { sequence_number, .. }| sequence_number)
}

/// Returns the changes after a checkpoint, without duplicates.
pub fn changes_after(changes: &[RecordChange], checkpoint: Option<SequenceNumber>) -> Vec<&RecordChange> {
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

/// Plans the append of a shard's changes to the feed. Without a shard, no checkpoint is written.
///
/// # Errors
/// 500 if an entry cannot be serialized as JSON, which does not happen.
pub fn append(read: &Head, shard: Option<&str>, changes: &[&RecordChange], now: Timestamp) -> Result<WriteSet> {
    let (mut head, mut write_set) = (read.clone(), WriteSet::default());
    // Entries are added to the page in the head. A full page becomes a separate item.
    for change in changes {
        head.last += 1;
        head.page.entries.push(change.entry.clone());
        if head.last.is_multiple_of(PAGE_ENTRIES) {
            let page = std::mem::replace(&mut head.page, Page { first: head.last + 1, entries: Vec::new() });
            let write = write_set.write_item(page_key(head.last));
            write.kind = WriteKind::Put;
            write.set = to_document(&PageItem { page, expires_at: expiry_seconds(now, RETENTION) })?;
        }
    }
    // The shard's checkpoint moves to the end. The first leaves the head if its shard has ended or the head is full.
    if let (Some(shard), Some(last)) = (shard, changes.last()) {
        let (shard, hour) = (digest(shard), now.unix_seconds() / 3_600);
        head.checkpoints.retain(|checkpoint| checkpoint.shard != shard);
        head.checkpoints.push(Checkpoint { shard, sequence_number: last.sequence_number.clone(), hour });
        let has_ended = head.checkpoints[0].hour < hour - ACTIVE_HOURS;
        if has_ended || head.checkpoints.len() > MAX_CHECKPOINTS {
            let Checkpoint { shard, sequence_number, .. } = head.checkpoints.remove(0);
            let write = write_set.write_item(checkpoint_key_of(&shard));
            write.kind = WriteKind::Put;
            write.set = to_document(&CheckpointItem {
                sequence_number,
                expires_at: expiry_seconds(now, CHECKPOINT_RETENTION),
            })?;
        }
    }
    head.write(read.last, &mut write_set)?;
    Ok(write_set)
}

/// Plans to advance the last number by `by` without entries. After a restore, this skips numbers that clients have
/// seen.
///
/// # Errors
/// 500 if the head cannot be serialized as JSON, which does not happen.
pub fn advance(read: &Head, by: u64) -> Result<WriteSet> {
    let mut write_set = WriteSet::default();
    let last = read.last + by;
    let page = Page { first: last + 1, entries: Vec::new() };
    Head { last, page, checkpoints: read.checkpoints.clone() }.write(read.last, &mut write_set)?;
    Ok(write_set)
}
