//! Plans the change of a record.
//!
//! Only changed fields are written. The write is conditional on the fields that the plan depends on: they must still
//! have the values that were read. If two requests change the same field, the last write wins.

use crate::error::{Error, Violation, ViolationCode};
use crate::operations::refusals::{contradicted, reference_not_found, reservation_errors};
use crate::request::{ANONYMIZED, Draft};
use crate::resources;
use crate::schema::scalar::Kind;
use crate::schema::{BelongsTo, Field, Input, ParentData, Record, Resource, Timestamp, Value};
use crate::table::{
    CommitError, MAX_RECORD_BYTES, Membership, Snapshot, State, Tombstone, WriteSet, copy_parent_time,
    has_fields_in_state, join_generation, json_size, max_bytes, remaining_bytes, reservation_key, too_large,
};

/// A change, ready to be stored.
#[derive(Debug)]
pub struct ChangePlan {
    /// Record after the change.
    pub after: Record,
    /// Writes. Empty if the draft changes nothing.
    pub write_set: WriteSet,
    /// Replaced images, to be deleted after the commit.
    pub tombstone: Tombstone,
}

/// Plans the change of a record. If the change can move the record, `snapshot` must hold its old and its new parent.
/// `image` is the name of the new image, if the draft has one.
///
/// # Errors
/// 422 if the changed record breaks a rule or is too large, or if its new parent does not exist.
pub fn change(
    before: &Record,
    draft: &Draft,
    image: Option<&str>,
    snapshot: &Snapshot,
    now: Timestamp,
) -> Result<ChangePlan, CommitError> {
    let resource = before.key.resource;
    let mut after = before.clone();
    for (field, value) in &draft.values {
        after.put(field, value.clone());
    }
    let broken = resource.contradictions(&after).into_iter();
    let violations: Vec<_> = broken.map(|contradiction| contradicted(contradiction, "")).collect();
    if !violations.is_empty() {
        return Err(Error::invalid(violations).into());
    }
    for field in resource.fields.iter().filter(|field| field.is_image()) {
        if let Some(name) = image {
            after.put(field.name, Some(Value::Text(name.to_owned())));
        }
    }
    if after == *before {
        return Ok(ChangePlan { after, write_set: WriteSet::default(), tombstone: Tombstone::default() });
    }
    if let Some(reported_at) = resource.unique.and_then(|unique| unique.reported_at) {
        after.set(reported_at, now);
    }
    let is_set = |record: &Record, flag| record.value(flag) == Some(&Value::Boolean(true));
    for (field, flag) in times_of_flags(resource) {
        if is_set(&after, flag) && !is_set(before, flag) {
            after.put(field, Some(now.into()));
        }
    }
    check_size(before, &after, snapshot)?;
    let mut write_set = WriteSet::default();
    let pointer = pointer_of_move(before, &after);
    if let Some(parent) = after.parent().filter(|parent| Some(*parent) != before.parent()) {
        let Some(parent_record) = snapshot.records.get(&parent) else {
            return Err(Error::invalid(vec![reference_not_found(parent, &pointer)]).into());
        };
        join_generation(&mut after, parent_record);
    }
    let remaining =
        after.parent().and_then(|parent| snapshot.records.get(&parent)).map_or(MAX_RECORD_BYTES, remaining_bytes);
    copy_parent_time(&mut after, snapshot);
    Membership::update_parents(before, &after, &pointer, &mut write_set, remaining);
    move_unique(before, &after, &mut write_set);
    if has_fields_in_state(resource) {
        write_set.update_state(before, &mut after);
    }
    let images = resource.fields.iter().filter(|field| field.is_image());
    let replaced: Vec<_> = images.filter(|field| before.value(field.name) != after.value(field.name)).collect();
    let write = write_set.update(before, &after);
    for field in guarded_fields(before, &after).chain(replaced.iter().map(|field| field.name)) {
        write.require_unchanged(before, field);
    }
    let images = replaced.iter().filter_map(|field| before.text(field.name)).map(str::to_owned).collect();
    Ok(ChangePlan { after, write_set, tombstone: Tombstone { images, ..Tombstone::default() } })
}

/// Checks that the record was not anonymized after the draft was bound to it (422).
pub fn check_not_anonymized(before: &Record, draft: &Draft) -> Result<(), Error> {
    let is_fixed = |field: &&Field| field.redaction.is_some() && draft.values.contains_key(field.name);
    let fixed = before.key.resource.fields.iter().filter(is_fixed).filter(|_| before.is_anonymized());
    let violation = |field: &Field| {
        Violation::at_pointer(format!("/{}", field.name), ViolationCode::NotSettable.invalid_value(ANONYMIZED))
    };
    let violations: Vec<_> = fixed.map(violation).collect();
    if violations.is_empty() { Ok(()) } else { Err(Error::invalid(violations)) }
}

/// Lists the fields that the plan depends on. They must still have the values that were read.
fn guarded_fields(before: &Record, after: &Record) -> impl Iterator<Item = &'static str> {
    let resource = after.key.resource;
    let relation = resource.belongs_to.as_ref();
    let by = relation.map(|relation| relation.foreign_key.name);
    let ending = relation.and_then(|relation| relation.while_unset).map(|attribute| attribute.name);
    let unique = resource.unique.as_ref().map(|unique| unique.attribute.name);
    // The parent's byte count is adjusted from the values that were read.
    let is_counted = counts_bytes(before, after);
    let counted = resource.fields.iter().filter(move |field| is_counted && field.changeable).map(|field| field.name);
    let flags = times_of_flags(resource).map(|(_, flag)| flag);
    // A concurrent request may change a field so that it contradicts a changed one.
    let contradicting = resource.fields.iter().filter(|field| resource.contradictions.is_some() && field.changeable);
    [by, ending, unique].into_iter().flatten().chain(flags).chain(counted).chain(contradicting.map(|field| field.name))
}

/// Lists the fields that store the time when a flag was set, each with its flag.
fn times_of_flags(resource: &Resource) -> impl Iterator<Item = (&'static str, &'static str)> {
    resource.fields.iter().filter_map(|field| match field.input {
        Input::Since(flag) => Some((field.name, flag)),
        _ => None,
    })
}

/// Returns true if the change affects the bytes that the parent counts: it moves the record, or changes a text. This
/// includes a text of the same length, which a concurrent request may also change.
fn counts_bytes(before: &Record, after: &Record) -> bool {
    let resource = before.key.resource;
    let counted = |relation: &BelongsTo| matches!(relation.parent_data, ParentData::Many { .. });
    let membership = |record: &Record| (record.parent(), record.is_active());
    let texts = resource.fields.iter().filter(|field| field.codec.kind == Kind::Text);
    let changed = |field: &Field| before.value(field.name) != after.value(field.name);
    resource.belongs_to.as_ref().is_some_and(counted)
        && (membership(before) != membership(after) || texts.into_iter().any(changed))
}

/// Checks that the change does not make the record, with its children, exceed the maximum size (422).
fn check_size(before: &Record, after: &Record, snapshot: &Snapshot) -> Result<(), CommitError> {
    let (size_before, size_after) = (json_size(before), json_size(after));
    let embedded: i64 = resources::children(after.key.resource)
        .iter()
        .flat_map(|child| snapshot.children(after, *child).unwrap_or_default())
        .filter_map(|key| snapshot.records.get(&key))
        .map(|child| json_size(child) + snapshot.states.get(&child.key).map_or(0, State::bytes))
        .sum();
    let bytes = snapshot.states.get(&after.key).map_or(0, State::bytes).max(embedded);
    if size_after > size_before && size_after + bytes > max_bytes(after.key.resource) {
        Err(too_large(after.key.resource, "").into())
    } else {
        Ok(())
    }
}

/// Returns the pointer to the field that moves the record or makes it active again.
fn pointer_of_move(before: &Record, after: &Record) -> String {
    let Some(relation) = &after.key.resource.belongs_to else { return String::new() };
    let reopened = relation.while_unset.filter(|_| before.parent() == after.parent());
    format!("/{}", reopened.map_or(relation.foreign_key.name, |attribute| attribute.name))
}

/// Releases the old unique value and reserves the new one.
fn move_unique(before: &Record, after: &Record, write_set: &mut WriteSet) {
    let resource = after.key.resource;
    let Some(unique) = resource.unique.as_ref().map(|unique| unique.attribute) else { return };
    if let (Some(old), Some(new)) = (before.get(unique), after.get(unique))
        && reservation_key(resource, old) != reservation_key(resource, new)
    {
        write_set.release(resource, old);
        write_set.reserve(new, after, Some(reservation_errors(after, &format!("/{}", unique.name))));
    }
}
