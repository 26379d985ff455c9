//! Anonymization: removes what identifies a viewer from the viewer's record, and the viewer's texts from its children.
//!
//! One transaction changes the record and stores a tombstone, and the redaction of the children continues even if the
//! process stops. Requests that started earlier may still store a child. The upkeep checks again until none can be
//! running.

use std::time::Instant;

use super::plan;
use crate::error::Result;
use crate::operations::Execution;
use crate::operations::change::plan::ChangePlan;
use crate::operations::driver::{Plan, PlanContext, ResponseContent, Verb};
use crate::operations::list::plan::children_of;
use crate::operations::read::render::write_response_depth;
use crate::operations::resolver::ResolvedPath;
use crate::resources::{self, Child};
use crate::schema::{Depth, Key, MAX_CLOCK_SKEW, Record, Resource, Timestamp};
use crate::store::{Consistency, IndexCursor, PendingDeletion, in_parallel};
use crate::table::{CommitError, ReadSet, RedactedParent, Snapshot, Tombstone, reads_to_render};

const PAGE: usize = 800;
/// Number of records to redact in parallel.
const PARALLEL: usize = 32;

/// Action that anonymizes a record.
pub(in crate::operations) struct Anonymize;

impl Verb for Anonymize {
    fn reads(&self, target: &ResolvedPath, read: &Snapshot) -> ReadSet {
        target.reads_for_record(read, |record| reads_to_render(record, read, Depth::TopLevel))
    }

    fn plan(&self, target: &ResolvedPath, read: &mut Snapshot, context: &PlanContext<'_>) -> Result<Plan, CommitError> {
        let record = target.record(read)?;
        plan::check_allowed(record, context.channel().as_deref(), "")?;
        let ChangePlan { after, write_set, .. } = plan::redact(record, read, context.now)?;
        // The redaction of the children changes what the record embeds, and with it the ETag.
        let response = ResponseContent::Untagged(after, write_response_depth(record.key.resource));
        Ok(Plan { write_set, content: response, tombstone: redaction_tombstone(record.key, context) })
    }
}

/// Creates the tombstone of a redaction. It also covers requests that read the parent before the commit.
pub(super) fn redaction_tombstone(parent: Key, context: &PlanContext<'_>) -> Tombstone {
    let until = context.current_time().checked_add(MAX_CLOCK_SKEW).unwrap_or(context.now);
    Tombstone { redacted: Some(RedactedParent { parent: parent.to_string(), until }), ..Tombstone::default() }
}

impl Execution {
    /// Redacts the children of an anonymized parent in one pass over their indexes. Returns false if the deadline
    /// passes.
    pub(in crate::operations) async fn redact_children(
        &self,
        pending: &PendingDeletion,
        deadline: Instant,
    ) -> Result<bool, CommitError> {
        let Some(RedactedParent { parent, until }) = &pending.tombstone.redacted else { return Ok(true) };
        let Some(parent) = resources::parse_key(parent) else { return Ok(true) };
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
                let children = part.iter().filter(|record| plan::existed_at(record, until));
                let redact = async |record: &Record| {
                    let write = async |record: Record| self.redact(&record, parent).await;
                    self.write_current(record.key, Some(record.clone()), write).await
                };
                in_parallel(children.map(redact)).await?;
            }
        }
    }

    async fn redact(&self, record: &Record, parent: Key) -> Result<(), CommitError> {
        if record.parent() != Some(parent) {
            return Ok(());
        }
        for attached in plan::records_to_delete(record) {
            self.delete_attached_child(attached, record.key).await?;
        }
        let snapshot = self.store.load(&ReadSet::of(plan::parents_that_count(record)), Consistency::Strong).await?;
        let ChangePlan { mut write_set, .. } = plan::redact(record, &snapshot, self.now)?;
        if write_set.writes.is_empty() {
            return Ok(());
        }
        write_set.mark_redacted(record.key);
        self.store.commit(&write_set).await
    }

    /// Deletes the only child of a redacted record. A mark remains to prevent imports from storing it again.
    async fn delete_attached_child(&self, key: Key, parent: Key) -> Result<()> {
        self.write_current(key, None, async |record| {
            if record.parent() != Some(parent) {
                return Ok(());
            }
            self.delete_record(&record, |removal| {
                removal.remove_from_parent(&record);
                removal.write_set.replace_with_redaction_mark(key);
            })
            .await
        })
        .await
    }
}

fn has_redaction(resource: &Resource) -> bool {
    resource.fields.iter().any(|field| field.redaction.is_some())
}
