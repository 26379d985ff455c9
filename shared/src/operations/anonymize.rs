//! Anonymizing: the record of a viewer loses what identifies the viewer, and its children lose the viewer's texts.
//!
//! The record changes in one transaction with a tombstone, so that the redaction of the children continues if the process
//! stops. A request that began earlier may still store a child. The upkeep looks again until no such request runs.

pub(super) mod plan;

use std::time::{Duration, Instant};

use tokio::time::timeout;

use super::change::plan::Changed;
use super::{Attempts, Execution, Response, stored};
use crate::error::{Error, Result};
use crate::operations::list::plan::children_of;
use crate::request::{IdempotencyKey, Path};
use crate::resources::{self, Child};
use crate::schema::{Depth, Key, Record, Resource, Timestamp};
use crate::store::{Consistency, IndexCursor, PendingDeletion, in_parallel};
use crate::table::{CommitError, KeyedRequest, ReadSet, RedactedParent, Snapshot, Tombstone};

/// Longest time that a request redacts children before it responds. The upkeep redacts the rest.
const MAX_REDACTION: Duration = Duration::from_secs(24);
/// Time by which the clocks of two functions may differ.
const MAX_CLOCK_SKEW: time::Duration = time::Duration::seconds(1);
const PAGE: usize = 800;
/// Number of records that are redacted at a time.
const PARALLEL: usize = 32;

impl Execution {
    /// Execute POST of the action that anonymizes a record.
    pub(super) async fn anonymize(&self, path: &Path, key: Option<IdempotencyKey>) -> Result<Response> {
        let keyed = key.map(|key| KeyedRequest::new(&self.caller, &key.key, &key.request));
        let run = async {
            let (mut attempts, started) = (Attempts::default(), Instant::now());
            loop {
                let target = self.resolve(path).await?;
                let (record, snapshot) = self.at(&target, true).await?;
                match Box::pin(self.anonymize_once(&record, snapshot, keyed.as_ref(), started)).await {
                    Ok((response, pending)) => {
                        if let Some(pending) = pending {
                            self.redact_in_request(&pending).await;
                        }
                        // The redaction changes children that the record embeds, and thereby its tag.
                        return Ok(self.render_anonymized(record.key).await.unwrap_or(response));
                    }
                    Err(error) => attempts.back_off(error).await?,
                }
            }
        };
        self.with_idempotency(keyed.as_ref(), run).await
    }

    async fn anonymize_once(
        &self,
        record: &Record,
        snapshot: Snapshot,
        keyed: Option<&KeyedRequest>,
        started: Instant,
    ) -> Result<(Response, Option<PendingDeletion>), CommitError> {
        plan::check_allowed(record, self.store.channel().get().as_deref(), "")?;
        let snapshot =
            self.load_to_render(std::slice::from_ref(record), snapshot, Depth::TopLevel, Consistency::Strong).await?;
        let Changed { after, mut write_set, .. } = plan::redact(record, &snapshot, self.now)?;
        let depth = if record.key.resource.minimal_write_response { Depth::Embedded } else { Depth::TopLevel };
        let response = Response::record(self.rendered(&after, &snapshot, depth)?);
        if let Some(keyed) = keyed {
            keyed.keep(&stored(&response), self.now, &mut write_set)?;
        }
        let pending = self.commit_with_tombstone(write_set, self.redaction_of(record.key, started)).await?;
        Ok((response, pending))
    }

    /// Render a record after the redaction of its children, with its tag.
    async fn render_anonymized(&self, key: Key) -> Result<Response> {
        let snapshot = self.store.load(&ReadSet::one(key, true), Consistency::Strong).await?;
        let record = snapshot.records.get(&key).cloned().ok_or_else(Error::fault)?;
        let snapshot =
            self.load_to_render(std::slice::from_ref(&record), snapshot, Depth::TopLevel, Consistency::Strong).await?;
        let depth = if key.resource.minimal_write_response { Depth::Embedded } else { Depth::TopLevel };
        Ok(Response::record(self.rendered(&record, &snapshot, depth)?).tagged(Self::tag(&record, &snapshot)?))
    }

    /// Create the tombstone of a redaction. It covers children of requests that began before its commit, because these may
    /// have read the parent as it was before.
    pub(super) fn redaction_of(&self, parent: Key, started: Instant) -> Tombstone {
        let elapsed = time::Duration::try_from(started.elapsed()).unwrap_or_default();
        let until = self.now.shifted(elapsed + MAX_CLOCK_SKEW).unwrap_or(self.now);
        Tombstone { redacted: Some(RedactedParent { parent: parent.to_string(), until }), ..Tombstone::default() }
    }

    /// Redact children, as far as the time of a request allows. The tombstone is stored, so that the upkeep continues.
    pub(super) async fn redact_in_request(&self, pending: &PendingDeletion) {
        let deadline = Instant::now() + MAX_REDACTION;
        let finish = async {
            let mut attempts = Attempts::default();
            while !self.resume_or_log(pending, deadline).await {
                if Instant::now() > deadline || attempts.back_off(CommitError::Conflict).await.is_err() {
                    break;
                }
            }
        };
        let _ = timeout(MAX_REDACTION, finish).await;
    }

    /// Redact the children of an anonymized parent in one pass over their indexes. Returns false if the deadline passed.
    pub(super) async fn redact_children(
        &self,
        pending: &PendingDeletion,
        deadline: Instant,
    ) -> Result<bool, CommitError> {
        let Some(RedactedParent { parent, until }) = &pending.tombstone.redacted else { return Ok(true) };
        let Some(parent) = resources::key(parent) else { return Ok(true) };
        let mut is_complete = true;
        for child in resources::children(parent.resource) {
            if has_redaction(child.resource) {
                is_complete &= self.redact_children_of(*child, parent, *until, deadline).await?;
            }
        }
        Ok(is_complete)
    }

    async fn redact_children_of(
        &self,
        child: Child,
        parent: Key,
        until: Timestamp,
        deadline: Instant,
    ) -> Result<bool, CommitError> {
        let mut cursor = IndexCursor::new(children_of(parent, child), self.store.shards());
        loop {
            let page = cursor.next(&self.store, PAGE).await?;
            if page.is_empty() {
                return Ok(true);
            }
            for part in page.chunks(PARALLEL) {
                if Instant::now() > deadline {
                    return Ok(false);
                }
                let children = part.iter().filter(|record| plan::is_before(record, until));
                in_parallel(children.map(|record| self.redact(record, parent))).await?;
            }
        }
    }

    /// Redact a child that an index lists. If the index is outdated, reads the record first.
    async fn redact(&self, listed: &Record, parent: Key) -> Result<(), CommitError> {
        let (mut attempts, mut current) = (Attempts::default(), Some(listed.clone()));
        while let Some(record) = current.filter(|record| record.parent() == Some(parent)) {
            match self.redact_once(&record).await {
                Ok(()) => break,
                Err(error) => attempts.back_off(error).await?,
            }
            current = self.store.get(record.key).await?;
        }
        Ok(())
    }

    async fn redact_once(&self, record: &Record) -> Result<(), CommitError> {
        for attached in plan::records_to_delete(record) {
            self.remove_attached(attached, record.key).await?;
        }
        let parents = plan::parents_that_count(record);
        let snapshot =
            self.store.load(&ReadSet { records: parents, ..ReadSet::default() }, Consistency::Strong).await?;
        let Changed { mut write_set, .. } = plan::redact(record, &snapshot, self.now)?;
        if write_set.writes.is_empty() {
            return Ok(());
        }
        write_set.mark_redacted(record.key);
        self.store.commit(&write_set).await
    }

    /// Delete the only child of a redacted record.
    async fn remove_attached(&self, key: Key, parent: Key) -> Result<(), CommitError> {
        let mut attempts = Attempts::default();
        while let Some(record) = self.store.get(key).await?.filter(|record| record.parent() == Some(parent)) {
            match self.remove_for_good(&record).await {
                Ok(_) => break,
                Err(error) => attempts.back_off(error).await?,
            }
        }
        Ok(())
    }
}

fn has_redaction(resource: &Resource) -> bool {
    resource.fields.iter().any(|field| field.redaction.is_some())
}
