//! Marks of segments with records that changed after the segment was computed.
//!
//! A mark covers changes acknowledged up to a time a few seconds ahead, so a busy segment is not written for every
//! batch of changes. A refresh removes a mark only if it started long enough after this time for the index to contain
//! all covered changes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use time::Duration;

use super::head::{INDEX_LAG, MARKS};
use super::rollup::segment_of;
use super::tallies::contribution;
use crate::error::Result;
use crate::operations::Backoff;
use crate::schema::{Id, Record, SEGMENT_SECONDS, Statistics, Timestamp, sortable};
use crate::store::{Store, in_parallel};
use crate::table::{CommitError, Condition, Item, Write, WriteKind, WriteSet, from_document, from_item, to_document};

/// Marks cover changes up to a multiple of this many seconds.
const COVERED_SECONDS: i64 = 10;
/// Maximum time from a change until a refresh settles its mark.
const SETTLING: Duration = Duration::seconds(COVERED_SECONDS).saturating_add(INDEX_LAG);

/// Acknowledgement times of the first and last change in each segment.
pub type ChangedSegments = BTreeMap<i64, (Timestamp, Timestamp)>;

/// A change of a record in the table's stream.
#[derive(Clone, Copy, Debug)]
pub struct ItemChange<'a> {
    /// Item before the change, if it existed.
    pub before: Option<&'a Item>,
    /// Item after the change, if it still exists.
    pub after: Option<&'a Item>,
    /// Acknowledgement time of the change.
    pub time: Timestamp,
}

/// A segment with changes that its rollup lacks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    resource: String,
    /// Number of the segment, which orders marks of the same time.
    #[serde(rename = "id")]
    number: i64,
    /// Acknowledgement time of the first change. During a rebuild, the first moment of the calendar.
    #[serde(rename = "time", with = "sortable")]
    pub since: Timestamp,
    /// Acknowledgement time up to which all changes are covered.
    #[serde(with = "sortable")]
    pub until: Timestamp,
    /// 1 if the records are unchanged and only the rollups that contain the segment have to be merged.
    pub merge_only: u8,
}

/// Work that a marked segment needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SegmentWork {
    /// Count its records again.
    Count,
    /// Merge the rollups that contain it. Its records are unchanged.
    Merge,
}

impl Mark {
    fn new(segment: i64, (since, until): (Timestamp, Timestamp), pending: SegmentWork) -> Self {
        let until = ceiling(until).max(since);
        let number = segment.div_euclid(SEGMENT_SECONDS);
        Self { resource: MARKS.to_owned(), number, since, until, merge_only: (pending == SegmentWork::Merge).into() }
    }

    /// Returns the first second of the segment.
    pub fn segment(&self) -> i64 {
        self.number * SEGMENT_SECONDS
    }

    /// Returns true if a refresh that starts now reads all covered changes.
    pub fn is_settled(&self, now: Timestamp) -> bool {
        self.until.checked_add(INDEX_LAG).is_some_and(|settled| settled.has_passed(now, SETTLING))
    }

    /// Returns true if a refresh that starts now settles the mark, unless there are later changes. An earlier refresh
    /// would have to be repeated.
    pub fn is_due(&self, now: Timestamp) -> bool {
        self.since.checked_add(SETTLING).is_some_and(|settled| settled.has_passed(now, SETTLING))
    }

    /// Returns a mark that also covers another.
    fn merged_with(&self, other: &Self) -> Self {
        Self {
            since: self.since.min(other.since),
            until: self.until.max(other.until),
            merge_only: self.merge_only.min(other.merge_only),
            ..self.clone()
        }
    }

    fn key(&self) -> String {
        format!("rollups/stale/{}", self.segment())
    }

    /// Makes a write conditional on the mark that was read.
    fn require_unchanged(&self, write: &mut Write) -> Result<()> {
        for (name, value) in to_document(self)? {
            write.require(Condition::Is(name, Some(value)));
        }
        Ok(())
    }
}

/// Returns the next multiple of `COVERED_SECONDS` after a time.
fn ceiling(time: Timestamp) -> Timestamp {
    let seconds = (time.unix_seconds().div_euclid(COVERED_SECONDS) + 1) * COVERED_SECONDS;
    Timestamp::from_unix_seconds(seconds).unwrap_or(time)
}

/// Finds the segments with counters that the changes affect.
pub fn changed_segments(statistics: &Statistics, changes: &[ItemChange<'_>]) -> ChangedSegments {
    let mut segments = ChangedSegments::new();
    for change in changes {
        let record = |item: Option<&Item>| {
            let item = item?;
            from_item(|name| item.get(name).cloned()).filter(|record| record.key.resource.statistics.is_some())
        };
        let contribution = |record: &Record| (record.parent(), record.primary_time(), contribution(statistics, record));
        let (before, after) = (record(change.before), record(change.after));
        if before.as_ref().map(contribution) == after.as_ref().map(contribution) {
            continue;
        }
        for record in [before, after].into_iter().flatten() {
            let segment = segment_of(record.primary_time().unix_seconds());
            let (first, last) = segments.entry(segment).or_insert((change.time, change.time));
            (*first, *last) = ((*first).min(change.time), (*last).max(change.time));
        }
    }
    segments
}

impl Store {
    /// Marks segments. A segment with a mark that already covers the changes is not written.
    ///
    /// # Errors
    /// Only if the store fails. The call can be repeated.
    pub(crate) async fn mark_stale(&self, segments: ChangedSegments, pending: SegmentWork) -> Result<()> {
        let marks: Vec<_> = segments.into_iter().map(|(segment, times)| Mark::new(segment, times, pending)).collect();
        let keys: Vec<_> = marks.iter().map(Mark::key).collect();
        let stored = self.get_items(&keys).await?;
        in_parallel(marks.into_iter().map(|mark| {
            let stored = stored.get(&mark.key()).and_then(from_document);
            self.add_mark(mark, stored)
        }))
        .await?;
        Ok(())
    }

    async fn add_mark(&self, mark: Mark, mut stored: Option<Mark>) -> Result<()> {
        let mut attempts = Backoff::default();
        loop {
            let merged = stored.as_ref().map_or_else(|| mark.clone(), |stored| stored.merged_with(&mark));
            if stored.as_ref() == Some(&merged) {
                return Ok(());
            }
            let mut write_set = WriteSet::default();
            let write = write_set.write_item(mark.key());
            // The store derives the shard from an identifier.
            (write.kind, write.sharded_by) = (WriteKind::Put, Id::new(mark.number.unsigned_abs() + 1));
            write.set = to_document(&merged)?;
            match &stored {
                Some(stored) => stored.require_unchanged(write)?,
                None => _ = write.require(Condition::Missing),
            }
            match self.commit(&write_set).await {
                Ok(()) => return Ok(()),
                Err(error) => attempts.back_off(error).await?,
            }
            stored = self.get_item(&mark.key()).await?.as_ref().and_then(from_document);
        }
    }

    /// Reads the marks with the earliest changes, in order.
    pub(super) async fn marks(&self, limit: usize) -> Result<Vec<Mark>> {
        let items = self.items_by_time(MARKS, limit).await?;
        Ok(items.iter().filter_map(|(_, item)| from_document(item)).collect())
    }

    /// Removes a mark, unless it has changed since it was read.
    pub(super) async fn delete_mark(&self, mark: &Mark) -> Result<()> {
        let mut write_set = WriteSet::default();
        let write = write_set.write_item(mark.key());
        write.kind = WriteKind::Delete;
        mark.require_unchanged(write)?;
        match self.commit(&write_set).await {
            Ok(()) | Err(CommitError::Outdated) => Ok(()),
            Err(CommitError::Failed(error)) => Err(error),
        }
    }
}
