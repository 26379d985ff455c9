//! DELETE of a record with its children. One transaction deletes the record and stores a tombstone; the rest follows.

pub(super) mod plan;

use self::plan::Deletion;
use super::Execution;
use super::driver::{Plan, PlanContext, ResponseContent, Verb};
use super::resolver::ResolvedPath;
use crate::error::Result;
use crate::schema::{Depth, Record};
use crate::store::Consistency;
use crate::table::{CommitError, ReadSet, Snapshot, reads_to_delete, reads_to_render};

/// Deletion of a record.
pub(super) struct Delete;

impl Verb for Delete {
    fn reads(&self, target: &ResolvedPath, read: &Snapshot) -> ReadSet {
        target.reads_for_record(read, |record| {
            let mut reads = reads_to_render(record, read, Depth::TopLevel);
            reads.extend(reads_to_delete(record, read));
            reads
        })
    }

    fn plan(&self, target: &ResolvedPath, read: &mut Snapshot, context: &PlanContext<'_>) -> Result<Plan, CommitError> {
        let record = target.record(read)?.clone();
        let mut removal = plan::plan_deletion(&record, read, context.now);
        removal.remove_from_parent(&record);
        let Deletion { write_set, tombstone } = removal;
        Ok(Plan { write_set, content: ResponseContent::Untagged(record, Depth::TopLevel), tombstone })
    }
}

impl Execution {
    /// Deletes a record and its listed children as a consequence of another write. `complete` may extend the removal.
    pub(super) async fn delete_record(
        &self,
        record: &Record,
        complete: impl FnOnce(&mut Deletion) + Send,
    ) -> Result<(), CommitError> {
        let needed = |read: &Snapshot| reads_to_delete(record, read);
        let read = self.store.load_rounds(Snapshot::default(), Consistency::Strong, needed).await?;
        let mut removal = plan::plan_deletion(record, &read, self.now);
        complete(&mut removal);
        self.commit_with_tombstone(removal.write_set, removal.tombstone).await?;
        Ok(())
    }
}
