//! PATCH of a purchase: fulfilment or refund.

mod plan;

use self::plan::references;
use crate::error::Result;
use crate::operations::{Plan, PlanContext, ResolvedPath, ResponseContent, Verb};
use crate::schema::Depth;
use crate::table::{CommitError, ReadSet, Snapshot, Tombstone, WriteSet, reads_to_render};

/// Change of a purchase's status. Without a status, nothing changes.
pub(super) struct Settlement<'a> {
    pub(super) status: Option<&'a str>,
}

impl Verb for Settlement<'_> {
    fn reads(&self, target: &ResolvedPath, read: &Snapshot) -> ReadSet {
        target.reads_for_record(read, |before| {
            let mut reads = references(before);
            reads.extend(reads_to_render(before, read, Depth::TopLevel));
            reads
        })
    }

    fn plan(&self, target: &ResolvedPath, read: &mut Snapshot, context: &PlanContext<'_>) -> Result<Plan, CommitError> {
        let before = target.record(read)?;
        let user = before.parent().and_then(|parent| read.records.get(&parent));
        let user = user.ok_or_else(|| before.key.not_found())?;
        let (after, write_set) = match self.status {
            Some(status) => {
                plan::StatusChange { before, user, status, now: context.now }.plan(read, context.next_id())?
            }
            None => (before.clone(), WriteSet::default()),
        };
        Ok(Plan { write_set, content: ResponseContent::Record(after), tombstone: Tombstone::default() })
    }
}
