//! Exclusions: a record of one resource excludes its unique value from another, as an opt-out excludes a viewer.
//!
//! The value's reservation stores the exclusion. Every creation of a record with the value is conditional on it, and
//! embedded records are looked up through it. The check is therefore atomic with the write and needs no additional
//! reads.

use super::anonymize::redaction_tombstone;
use super::plan;
use crate::error::Error;
use crate::operations::driver::PlanContext;
use crate::schema::{Depth, Key, Record, Resource};
use crate::table::{
    CommitError, ReadSet, Reservation, Snapshot, Tombstone, WriteSet, reads_to_render, reservation_key, reserved_by,
};

/// Collects what remains to be read to exclude a value: the record that has the value, which will be anonymized. The
/// value's reservation must be among the reads.
pub(in crate::operations) fn needed_to_exclude(resource: &'static Resource, value: &str, read: &Snapshot) -> ReadSet {
    let key = read.items.get(&reservation_key(resource, value)).and_then(|item| reserved_by(resource, item));
    match key.map(|key| (key, read.records.get(&key))) {
        Some((_, Some(record))) => reads_to_render(record, read, Depth::Embedded),
        Some((key, None)) => ReadSet::with_state(key),
        None => ReadSet::default(),
    }
}

/// Adds a new record's exclusion to its write set. If a record has the excluded value, it is anonymized by the same
/// write set, and the redaction of its children is left to the tombstone.
pub(in crate::operations) fn exclude(
    record: &Record,
    read: &Snapshot,
    context: &PlanContext<'_>,
    write_set: &mut WriteSet,
    tombstone: &mut Tombstone,
) -> Result<(), CommitError> {
    let Some(excluded) = record.key.resource.excludes() else { return Ok(()) };
    let unique = record.key.resource.unique.ok_or_else(Error::fault)?;
    let value = record.get(unique.attribute).ok_or_else(Error::fault)?;
    let pointer = format!("/{}", unique.attribute.name);
    plan::check_value(excluded, value, context.channel().as_deref(), &pointer)?;
    let mut reserved_by: Option<Key> = None;
    if let Some(Reservation::Held(anonymized)) = read.reservation(excluded, value)? {
        write_set.writes.extend(plan::redact(anonymized, read, context.now)?.write_set.writes);
        *tombstone = redaction_tombstone(anonymized.key, context);
        reserved_by = Some(anonymized.key);
    }
    write_set.exclude(excluded, record, value, reserved_by);
    Ok(())
}
