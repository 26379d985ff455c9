//! Deletion of a record with its children. The tombstone is stored with the first deletion, and the remaining items
//! follow.

pub(super) mod plan;

use std::time::{Duration, Instant};

use tokio::time::timeout;

use super::read::render::only_as_rendered;
use super::resolver::ResolvedPath;
use super::{Attempts, Execution, Response};
use crate::error::Result;
use crate::operations::list::plan::children_of;
use crate::request::{IfMatch, Path};
use crate::resources::{self, Child};
use crate::schema::{Depth, Key, Record};
use crate::store::{Consistency, IndexCursor, PendingDeletion, in_parallel};
use crate::table::{CommitError, DeletedParent, Snapshot, needed_to_remove};

/// Longest time that a request deletes children before it responds. The upkeep deletes the rest.
const MAX_CASCADE: Duration = Duration::from_secs(18);
const PAGE: usize = 800;

impl Execution {
    /// Execute DELETE.
    pub(super) async fn delete(&self, path: &Path, tags: Option<&IfMatch>) -> Result<Response> {
        let deadline = Instant::now() + MAX_CASCADE;
        let mut attempts = Attempts::default();
        loop {
            let target = self.resolve(path).await?;
            match self.delete_once(&target, tags).await {
                Ok((rendered, pending)) => {
                    if let Some(pending) = pending {
                        // The deletion has taken effect. The upkeep continues it after the timeout.
                        let remaining = deadline.saturating_duration_since(Instant::now());
                        let _ = timeout(remaining, self.resume_or_log(&pending, deadline)).await;
                    }
                    return Ok(rendered);
                }
                Err(error) => attempts.back_off(error).await?,
            }
        }
    }

    async fn delete_once(
        &self,
        target: &ResolvedPath,
        tags: Option<&IfMatch>,
    ) -> Result<(Response, Option<PendingDeletion>), CommitError> {
        let (record, mut snapshot) = self.at(target, true).await?;
        if let Some(tags) = tags {
            snapshot = self.check_if_match(tags, &record, snapshot).await?;
        }
        let snapshot =
            self.load_to_render(std::slice::from_ref(&record), snapshot, Depth::TopLevel, Consistency::Strong).await?;
        if snapshot.torn_text(&record) {
            return Err(CommitError::Conflict);
        }
        let rendered = self.rendered(&record, &snapshot, Depth::TopLevel)?;
        let pending = self.remove(&record, snapshot, true, tags.is_some_and(|tags| !tags.is_any)).await?;
        Ok((Response::record(rendered), pending))
    }

    /// Delete a record with the children that it or its state names. `leaves` is true unless its parent is deleted.
    /// With `as_rendered`, the deletion succeeds only if everything that GET renders of the record is unchanged.
    async fn remove(
        &self,
        record: &Record,
        snapshot: Snapshot,
        leaves: bool,
        as_rendered: bool,
    ) -> Result<Option<PendingDeletion>, CommitError> {
        let snapshot =
            self.load_rounds(snapshot, Consistency::Strong, |snapshot| needed_to_remove(record, snapshot)).await?;
        let mut removal = plan::remove(record, &snapshot, leaves, self.now);
        if as_rendered {
            only_as_rendered(record, &snapshot, &mut removal.write_set);
        }
        self.commit_with_tombstone(removal.write_set, removal.tombstone).await
    }

    /// Delete a record with its children. A mark remains, so that no import stores the record again.
    pub(super) async fn remove_for_good(&self, record: &Record) -> Result<Option<PendingDeletion>, CommitError> {
        let needed = |snapshot: &Snapshot| needed_to_remove(record, snapshot);
        let snapshot = self.load_rounds(Snapshot::default(), Consistency::Strong, needed).await?;
        let mut removal = plan::remove(record, &snapshot, true, self.now);
        removal.write_set.leave_mark(record.key);
        self.commit_with_tombstone(removal.write_set, removal.tombstone).await
    }

    /// Continue a deletion that was interrupted, or whose records may still be missing from an index. Returns true if it is
    /// complete, and its tombstone is removed, too.
    ///
    /// # Errors
    /// If a store fails. The whole call can be repeated.
    pub async fn resume(&self, pending: &PendingDeletion, deadline: Instant) -> Result<bool> {
        let done = self.pass(pending, deadline).await? && pending.is_settled(self.now);
        if done {
            self.store.remove_tombstone(pending).await?;
        }
        Ok(done)
    }

    /// Delete everything that a tombstone names, but not the tombstone itself. Returns true if the indexes list nothing
    /// more.
    ///
    /// # Errors
    /// If a store fails. The whole call can be repeated.
    pub(super) async fn pass(&self, pending: &PendingDeletion, deadline: Instant) -> Result<bool> {
        if Instant::now() > deadline {
            return Ok(false);
        }
        self.store.clear(pending).await?;
        Ok(self.resume_or_log(pending, deadline).await)
    }

    /// Continue a deletion that has taken effect. Returns true if no index lists any remaining children.
    pub async fn resume_or_log(&self, pending: &PendingDeletion, deadline: Instant) -> bool {
        let mut done = self.resume_withdrawal(pending, deadline).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "withdrawal deferred to the upkeep");
            false
        });
        done &= self.redact_children(pending, deadline).await.unwrap_or_else(|error| {
            tracing::warn!(?error, "redaction deferred to the upkeep");
            false
        });
        let Some(parent) = pending.tombstone.deleted_parent() else { return done };
        for child in resources::children(parent.key.resource) {
            match self.remove_children(*child, parent, deadline).await {
                Ok(all) => done &= all,
                Err(error) => {
                    tracing::warn!(?error, "deletion deferred to the upkeep");
                    done = false;
                }
            }
        }
        done
    }

    /// Delete the children of a deleted parent in one pass over their index. Returns false if the deadline passed.
    async fn remove_children(
        &self,
        child: Child,
        parent: DeletedParent,
        deadline: Instant,
    ) -> Result<bool, CommitError> {
        let mut children_in_index = IndexCursor::new(children_of(parent.key, child), self.store.shards());
        loop {
            let page = children_in_index.next(&self.store, PAGE).await?;
            if page.is_empty() {
                return Ok(true);
            }
            if Instant::now() > deadline {
                return Ok(false);
            }
            // The index may be outdated. So each deletion is conditional on the index entry, and if that fails, the
            // record itself is read.
            let children = page.iter().filter(|record| parent.has(record));
            in_parallel(children.map(|record| self.remove_seen(record, parent))).await?;
        }
    }

    async fn remove_seen(&self, record: &Record, parent: DeletedParent) -> Result<(), CommitError> {
        match plan::remove_seen(record) {
            Some(removal) => match self.store.commit(&removal.write_set).await {
                Err(CommitError::Conflict) => self.remove_child(record.key, parent).await,
                committed => committed,
            },
            None => self.remove_child(record.key, parent).await,
        }
    }

    /// Delete a record if it exists and still belongs to the deleted parent.
    async fn remove_child(&self, key: Key, parent: DeletedParent) -> Result<(), CommitError> {
        let mut attempts = Attempts::default();
        while let Some(record) = self.store.get(key).await? {
            if !parent.has(&record) {
                break;
            }
            match self.remove(&record, Snapshot::default(), false, false).await {
                Ok(_) => break,
                Err(error) => attempts.back_off(error).await?,
            }
        }
        Ok(())
    }
}
