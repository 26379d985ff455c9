//! The cascade: the work that a stored tombstone requires.
//!
//! Verbs only plan tombstones. A request processes its tombstone as far as time allows, and the upkeep does the rest.

use std::time::{Duration, Instant};

use tokio::time::timeout_at;

use super::Execution;
use super::delete::plan;
use super::driver::Backoff;
use super::list::plan::children_of;
use crate::error::Result;
use crate::resources::{self, Child};
use crate::schema::{Key, Record};
use crate::store::{Consistency, IndexCursor, PendingDeletion, in_parallel};
use crate::table::{CommitError, DeletedParent, ReadSet, State};

/// Time since the start of a request after which it leaves its tombstone to the upkeep and responds.
const MAX_CASCADE: Duration = Duration::from_secs(22);
/// Maximum time that an import spends on deleting the record that it replaces.
const MAX_PASS: Duration = Duration::from_secs(10);
const PAGE: usize = 800;

impl Execution {
    /// Processes the tombstone of a committed request. A redaction is repeated until nothing remains, since the
    /// response confirms that the viewer's texts are gone.
    pub(super) async fn process_tombstone(&self, pending: &PendingDeletion) {
        let deadline = self.store.cost().started() + MAX_CASCADE;
        let is_redaction = pending.tombstone.redacted.is_some();
        let passes = async {
            let mut attempts = Backoff::default();
            while !self.cascade_or_log(pending, deadline).await && is_redaction {
                if Instant::now() > deadline || attempts.back_off(CommitError::Outdated).await.is_err() {
                    break;
                }
            }
        };
        let _ = timeout_at(deadline.into(), passes).await;
    }

    /// Deletes the remaining children of a deleted record with this key. Returns the partition key of its tombstone, or
    /// `None` if the tombstone does not exist or some children still remain.
    pub(super) async fn complete_deletion(&self, key: Key) -> Result<Option<String>> {
        let snapshot = self.store.load(&ReadSet::with_state(key), Consistency::Strong).await?;
        let Some(pk) = snapshot.states.get(&key).and_then(State::tombstone) else { return Ok(None) };
        let Some(pending) = self.store.pending_deletion(pk).await? else { return Ok(Some(pk.to_owned())) };
        let is_complete = self.run_pass(&pending, Instant::now() + MAX_PASS).await?;
        Ok(is_complete.then_some(pending.pk))
    }

    /// Continues a deletion that was interrupted, or that may have missed records not yet listed by an index. When the
    /// deletion is complete, also deletes its tombstone and returns true.
    ///
    /// # Errors
    /// If a store fails. The call can be repeated.
    pub async fn resume(&self, pending: &PendingDeletion, deadline: Instant) -> Result<bool> {
        let done = self.run_pass(pending, deadline).await? && pending.is_settled(self.now);
        if done {
            self.store.delete_tombstone(pending).await?;
        }
        Ok(done)
    }

    /// Deletes everything that a tombstone names, except the tombstone itself. Returns true if no index lists more.
    ///
    /// # Errors
    /// If a store fails. The call can be repeated.
    async fn run_pass(&self, pending: &PendingDeletion, deadline: Instant) -> Result<bool> {
        if Instant::now() > deadline {
            return Ok(false);
        }
        self.store.delete_named(pending).await?;
        Ok(self.cascade_or_log(pending, deadline).await)
    }

    /// Continues a committed deletion. Returns true if no index lists remaining children.
    async fn cascade_or_log(&self, pending: &PendingDeletion, deadline: Instant) -> bool {
        let mut done = self.withdraw_listed(&pending.tombstone, deadline).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "withdrawal deferred to the upkeep");
            false
        });
        done &= self.redact_children(pending, deadline).await.unwrap_or_else(|error| {
            tracing::warn!(?error, "redaction deferred to the upkeep");
            false
        });
        let Some(parent) = pending.tombstone.deleted_parent() else { return done };
        for child in resources::children(parent.key.resource) {
            match self.delete_children(*child, parent, deadline).await {
                Ok(all) => done &= all,
                Err(error) => {
                    tracing::warn!(?error, "deletion deferred to the upkeep");
                    done = false;
                }
            }
        }
        done
    }

    /// Deletes the children of a deleted parent in one pass over their index. Returns false if the deadline passes.
    async fn delete_children(
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
            // The index may lag. Each deletion is conditional on the index entry. If that fails, the record is read.
            let children = page.iter().filter(|record| parent.has(record));
            in_parallel(children.map(|record| self.delete_as_listed(record, parent))).await?;
        }
    }

    async fn delete_as_listed(&self, record: &Record, parent: DeletedParent) -> Result<(), CommitError> {
        if let Some(removal) = plan::plan_deletion_as_listed(record) {
            match self.store.commit(&removal.write_set).await {
                // The index is outdated.
                Err(CommitError::Outdated) => {}
                committed => return committed,
            }
        }
        let remove = async |record: Record| {
            if parent.has(&record) { self.delete_record(&record, |_| ()).await } else { Ok(()) }
        };
        Ok(self.write_current(record.key, None, remove).await?)
    }
}
