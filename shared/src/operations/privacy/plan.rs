//! Plans the redaction of a record.

use std::collections::BTreeSet;

use crate::error::{Error, Result, Violation, ViolationCode};
use crate::operations::change::plan::{ChangePlan, change};
use crate::request::Draft;
use crate::resources;
use crate::schema::scalar::Kind;
use crate::schema::{Input, Key, ParentData, Record, Redaction, Resource, Timestamp};
use crate::table::{CommitError, Snapshot};

/// Checks that a record may be anonymized. `channel` is the unique value of the channel's record.
///
/// # Errors
/// 422 for the channel's record, and for the record that represents all anonymous viewers.
pub fn check_allowed(record: &Record, channel: Option<&str>, pointer: &str) -> Result<()> {
    let value = record.key.resource.unique.and_then(|unique| record.get(unique.attribute));
    value.map_or(Ok(()), |value| check_value(record.key.resource, value, channel, pointer))
}

/// Checks that the record with a unique value may be anonymized.
///
/// # Errors
/// 422 for the value of the channel, and for the value that represents all anonymous viewers.
pub fn check_value(resource: &Resource, value: &str, channel: Option<&str>, pointer: &str) -> Result<()> {
    let is_exception = resource
        .fields
        .iter()
        .any(|field| matches!(field.redaction, Some(Redaction::Identify { except, .. }) if except == value));
    if !is_exception && channel != Some(value) {
        return Ok(());
    }
    let detail = if is_exception { "Must not be the anonymous user." } else { "Must not be the channel." };
    Err(Error::invalid(vec![Violation::at_pointer(pointer, ViolationCode::Reserved.invalid_value(detail))]))
}

/// Plans the redaction of a record's fields. The write set is empty if they are already redacted.
///
/// # Errors
/// As for a change of the record.
pub fn redact(record: &Record, snapshot: &Snapshot, now: Timestamp) -> Result<ChangePlan, CommitError> {
    redact_where(record, snapshot, now, |_| true)
}

/// Plans some of the redactions of a record's fields.
///
/// # Errors
/// As for a change of the record.
pub fn redact_where(
    record: &Record,
    snapshot: &Snapshot,
    now: Timestamp,
    is_included: impl Fn(Redaction) -> bool,
) -> Result<ChangePlan, CommitError> {
    let (redacted, mut draft) = (record.redacted(is_included), Draft::new(record.key.resource));
    for field in record.key.resource.fields {
        let value = redacted.value(field.name);
        if record.value(field.name) != value {
            draft.values.insert(field.name, value.cloned());
        }
    }
    change(record, &draft, None, snapshot, now)
}

/// Lists the records that the redaction of a record deletes.
pub fn records_to_delete(record: &Record) -> Vec<Key> {
    let resource = record.key.resource;
    let fields = resource.fields.iter().filter(|field| field.redaction == Some(Redaction::Delete));
    let slots = fields.filter_map(|field| {
        let child = resources::children(resource).iter().find(|child| match child.relation.parent_data {
            ParentData::One { slot, .. } => slot == field.name,
            _ => false,
        })?;
        Some(Key::new(child.resource, record.reference(field.name)?))
    });
    slots.collect()
}

/// Returns the parent of a record if it counts the bytes of its children, or an empty set.
pub fn parents_that_count(record: &Record) -> BTreeSet<Key> {
    let relation = record.key.resource.belongs_to.as_ref();
    let counts = relation.is_some_and(|relation| matches!(relation.parent_data, ParentData::Many { .. }));
    record.parent().into_iter().filter(|_| counts).collect()
}

/// Returns true if the record was created at or before `until`.
pub fn existed_at(record: &Record, until: Timestamp) -> bool {
    let is_creation = |input: &Input| matches!(input, Input::Assigned | Input::Now);
    let fields = record.key.resource.fields.iter().filter(|field| !field.hidden && field.codec.kind == Kind::Time);
    let created = fields.filter(|field| is_creation(&field.input)).find_map(|field| record.time(field.name));
    created.is_none_or(|created| created <= until)
}
