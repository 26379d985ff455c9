//! PATCH of a purchase: fulfilment or refund.

mod plan;

use self::plan::references;
use crate::error::Result;
use crate::operations::{Given, Planned, ResolvedPath, Shows, Verb};
use crate::schema::Depth;
use crate::table::{CommitError, ReadSet, Snapshot, Tombstone, WriteSet, needed_to_render};

/// Change of a purchase's status. Without a status, nothing changes.
pub(super) struct Settlement<'a> {
    pub(super) status: Option<&'a str>,
}

impl Verb for Settlement<'_> {
    fn needs(&self, at: &ResolvedPath, read: &Snapshot) -> ReadSet {
        at.needs_record(read, |before| {
            let mut reads = references(before);
            reads.extend(needed_to_render(before, read, Depth::TopLevel));
            reads
        })
    }

    fn plan(&self, at: &ResolvedPath, read: &mut Snapshot, given: &Given<'_>) -> Result<Planned, CommitError> {
        let before = at.record(read)?;
        let user = before.parent().and_then(|parent| read.records.get(&parent));
        let user = user.ok_or_else(|| before.key.not_found())?;
        let (after, write_set) = match self.status {
            Some(status) => plan::StatusChange { before, user, status, now: given.now }.plan(read, given.next_id())?,
            None => (before.clone(), WriteSet::default()),
        };
        Ok(Planned { write_set, shows: Shows::Record(after), tombstone: Tombstone::default() })
    }
}
