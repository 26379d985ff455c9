//! The head of the rollups: their time zone, the time up to which they include all changes, and the lease of the
//! refresh that writes them.

use serde::{Deserialize, Serialize};
use time::Duration;

use crate::error::{Error, Result};
use crate::schema::Timestamp;
use crate::store::Store;
use crate::table::{CommitError, Condition, WriteKind, WriteSet, from_document, number, to_document};

/// Key of the head.
pub const HEAD: &str = "rollups/head";
/// Key of a request to rebuild all rollups.
const REQUEST: &str = "rollups/request";
const RUN: &str = "run";
/// Name under which the index by time lists the marks of stale segments.
pub(super) const MARKS: &str = "stale";
/// Time after which the index by time contains a change.
pub const INDEX_LAG: Duration = Duration::seconds(20);
const LEASED_UNTIL: &str = "leased_until";

/// State of all rollups. Only the refresh with the lease writes it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RollupsHead {
    /// Number of the last refresh that took the lease. 0 before the first refresh.
    pub run: u64,
    /// End of the lease, in milliseconds since 1970.
    pub leased_until: i64,
    /// Number of the current tree of rollups.
    pub tree: u64,
    /// Time zone of the current tree.
    pub zone: String,
    /// Acknowledgement time before which all changes are in the rollups. `None` during a rebuild.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Timestamp>,
    /// Time before which all records are marked for a rebuild. `None` if no rebuild has to mark records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marked_to: Option<Timestamp>,
    /// Number of shards of growing indexes that the last refresh read. Tools on the operator's machine, which lacks the
    /// functions' variables, read the same number.
    #[serde(default)]
    pub read_shards: u64,
    /// Number of a tree that is being deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retired: Option<u64>,
}

/// Progress of a rebuild.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Acknowledgement time before which all changes are in the rollups. `None` during a rebuild.
    pub as_of: Option<Timestamp>,
    /// Time before which all records are marked. `None` if all are.
    pub marked_to: Option<Timestamp>,
    /// Number of marked segments that have not been recomputed yet.
    pub remaining: usize,
}

/// Item of a request to rebuild.
#[derive(Serialize, Deserialize)]
struct RebuildRequest {
    requested_at: Timestamp,
}

impl RollupsHead {
    /// Records that all records must be marked.
    pub(super) fn begin_rebuild(&mut self) {
        self.as_of = None;
        self.marked_to = Some(Timestamp::first());
    }
}

impl Store {
    /// Reads the number of shards of growing indexes that the table's functions read. `None` if no refresh has run.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn functions_read_shards(&self) -> Result<Option<u64>> {
        let shards = self.rollups_head().await?.read_shards;
        Ok((shards > 0).then_some(shards))
    }

    /// Reads the head, or a new one if there are no rollups yet.
    ///
    /// # Errors
    /// Only if the store fails.
    pub(super) async fn rollups_head(&self) -> Result<RollupsHead> {
        Ok(self.get_item(HEAD).await?.as_ref().and_then(from_document).unwrap_or_default())
    }

    /// Replaces the head if `run` is still the last refresh that took the lease.
    pub(super) async fn write_head(&self, head: &RollupsHead, run: u64) -> Result<(), CommitError> {
        let mut write_set = WriteSet::default();
        let write = write_set.write_item(HEAD.to_owned());
        write.kind = WriteKind::Put;
        write.set = to_document(head)?;
        write.require(Condition::Is(RUN.to_owned(), (run > 0).then(|| number(run))));
        self.commit(&write_set).await
    }

    /// Sets the end of the lease of a run, in milliseconds since 1970.
    ///
    /// # Errors
    /// 503 if another refresh has taken the lease, or the store fails.
    pub(super) async fn extend_lease(&self, run: u64, until: i64) -> Result<()> {
        let mut write_set = WriteSet::default();
        let write = write_set.write_item(HEAD.to_owned());
        write.put_attribute(LEASED_UNTIL, Some(number(until)));
        write.require(Condition::Is(RUN.to_owned(), Some(number(run))));
        self.commit(&write_set).await.map_err(CommitError::into_error)
    }

    /// Reads the head for a response at `now`, and the time before which its rollups include all changes.
    ///
    /// # Errors
    /// 503 if the rollups are being rebuilt, or the store fails.
    pub(super) async fn current_rollups(&self, now: Timestamp) -> Result<(RollupsHead, Timestamp)> {
        let head = self.rollups_head().await?;
        if let Some(as_of) = head.as_of.filter(|_| head.zone == self.calendar().name()) {
            // After the clock was set back, `as_of` may be in the future until the next refresh.
            return Ok((head, now.checked_add(-INDEX_LAG).map_or(as_of, |latest| as_of.min(latest))));
        }
        // Without records, nothing has to be built and the head is empty.
        match now.checked_add(-INDEX_LAG) {
            Some(as_of) if !self.has_counted_records().await? => Ok((RollupsHead::default(), as_of)),
            _ => Err(Error::rebuilding()),
        }
    }

    /// Asks the upkeep to rebuild all rollups.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn request_rebuild(&self, now: Timestamp) -> Result<()> {
        let mut write_set = WriteSet::default();
        let write = write_set.write_item(REQUEST.to_owned());
        write.kind = WriteKind::Put;
        write.set = to_document(&RebuildRequest { requested_at: now })?;
        self.commit(&write_set).await.map_err(CommitError::into_error)
    }

    /// Reads the time of a rebuild request that no refresh has taken yet.
    pub(super) async fn requested_rebuild(&self) -> Result<Option<Timestamp>> {
        let request: Option<RebuildRequest> = self.get_item(REQUEST).await?.as_ref().and_then(from_document);
        Ok(request.map(|request| request.requested_at))
    }

    /// Deletes a rebuild request after the head has recorded the rebuild.
    pub(super) async fn delete_request(&self) -> Result<()> {
        self.delete_all(&[REQUEST.to_owned()]).await
    }

    /// Reads the progress of a rebuild. `None` if a rebuild is requested but has not started.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn rebuild_progress(&self) -> Result<Option<Progress>> {
        if self.requested_rebuild().await?.is_some() {
            return Ok(None);
        }
        let RollupsHead { as_of, marked_to, .. } = self.rollups_head().await?;
        let remaining = self.items_by_time(MARKS, usize::MAX).await?.len();
        Ok(Some(Progress { as_of, marked_to, remaining }))
    }
}
