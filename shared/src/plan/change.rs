//! Changing a record: what differs is stored, on the condition that what the decision hung on is as it was read. Of two
//! changes of one field, the last wins.

use super::on_parent::{Place, room_in, too_large};
use super::size::{LARGEST_RECORD, json_size, largest};
use super::snapshot::Snapshot;
use super::tombstone::Tombstone;
use super::write_set::{CommitError, WriteSet};
use crate::error::{Error, Violation};
use crate::request::Draft;
use crate::resources;
use crate::schema::scalar::Kind;
use crate::schema::{BelongsTo, Field, Key, OnParent, Record, Timestamp, Value};

/// A change that is ready to be stored.
#[derive(Debug)]
pub struct Changed {
    /// The record as it will be.
    pub after: Record,
    /// What is to be stored; nothing, where nothing changes.
    pub write_set: WriteSet,
    /// What is to be deleted after that.
    pub left: Tombstone,
}

/// Plans the change of a record. `snapshot` has its holder, before and after, where the change may move it; `image` is the
/// name of the new image, where the draft has one.
///
/// # Errors
/// What rules say of the record as it would be.
pub fn change(
    before: &Record,
    draft: &Draft,
    image: Option<&str>,
    snapshot: &Snapshot,
    now: Timestamp,
) -> Result<Changed, CommitError> {
    let resource = before.key.resource;
    let mut after = before.clone();
    for (field, value) in &draft.values {
        after.put(field, value.clone());
    }
    if let Some((field, detail)) = (resource.rules)(&after) {
        return Err(Error::invalid(vec![Violation::at(format!("/{field}"), detail)]).into());
    }
    for field in resource.fields.iter().filter(|field| field.is_image()) {
        if let Some(name) = image {
            after.put(field.name, Some(Value::Text(name.to_owned())));
        }
    }
    if after == *before {
        return Ok(Changed { after, write_set: WriteSet::default(), left: Tombstone::default() });
    }
    if let Some(as_of) = resource.as_of {
        after.set(as_of, now);
    }
    check_size(before, &after, snapshot)?;
    let mut write_set = WriteSet::default();
    let pointer = pointer_of_move(before, &after);
    if let Some(parent) = after.parent().filter(|parent| Some(*parent) != before.parent())
        && !snapshot.records.contains_key(&parent)
    {
        return Err(Error::invalid(vec![no_such(parent, &pointer)]).into());
    }
    let room = after.parent().and_then(|parent| snapshot.records.get(&parent)).map_or(LARGEST_RECORD, room_in);
    tell_time_of_holder(&mut after, snapshot);
    Place::follow(before, &after, &pointer, &mut write_set, room);
    move_unique(before, &after, &mut write_set);
    let images = resource.fields.iter().filter(|field| field.is_image());
    let replaced: Vec<_> = images.filter(|field| before.value(field.name) != after.value(field.name)).collect();
    let write = write_set.update(before, &after);
    for field in guarded_fields(before, &after).chain(replaced.iter().map(|field| field.name)) {
        write.when_as_in(before, field);
    }
    let images = replaced.iter().filter_map(|field| before.text(field.name)).map(str::to_owned).collect();
    Ok(Changed { after, write_set, left: Tombstone { images, ..Tombstone::default() } })
}

/// The fields that the decision hung on, and that must be as they were read.
fn guarded_fields(before: &Record, after: &Record) -> impl Iterator<Item = &'static str> {
    let resource = after.key.resource;
    let relation = resource.belongs_to.as_ref();
    let by = relation.map(|relation| relation.by.name);
    let ending = relation.and_then(|relation| relation.while_unset).map(|attribute| attribute.name);
    let unique = resource.unique.map(|unique| unique.name);
    // What the holder counts is counted from what was read.
    let is_counted = counts_bytes(before, after);
    let counted = resource.fields.iter().filter(move |field| is_counted && field.changeable).map(|field| field.name);
    [by, ending, unique].into_iter().flatten().chain(counted)
}

/// Whether the change is of what the holder counts the size of, also where the size stays: another may change it meanwhile.
fn counts_bytes(before: &Record, after: &Record) -> bool {
    let resource = before.key.resource;
    let counted = |relation: &BelongsTo| matches!(relation.on_parent, OnParent::Many { .. });
    let position = |record: &Record| (record.parent(), record.is_active());
    let texts = resource.fields.iter().filter(|field| field.codec.kind == Kind::Text);
    let changed = |field: &Field| before.value(field.name) != after.value(field.name);
    resource.belongs_to.as_ref().is_some_and(counted)
        && (position(before) != position(after) || texts.into_iter().any(changed))
}

/// Refuses what would make the record larger than any may be, with all that it keeps.
fn check_size(before: &Record, after: &Record, snapshot: &Snapshot) -> Result<(), CommitError> {
    let (old, new) = (json_size(before), json_size(after));
    let embedded: i64 = resources::children(after.key.resource)
        .iter()
        .flat_map(|child| snapshot.children(after, *child).unwrap_or_default())
        .filter_map(|key| snapshot.records.get(&key))
        .map(|child| json_size(child) + snapshot.states.get(&child.key).map_or(0, super::snapshot::State::bytes))
        .sum();
    let bytes = snapshot.states.get(&after.key).map_or(0, super::snapshot::State::bytes).max(embedded);
    if new > old && new + bytes > largest(after.key.resource) {
        Err(too_large(after.key.resource, "").into())
    } else {
        Ok(())
    }
}

/// The field of the body that moves the record, or lets it be kept again.
fn pointer_of_move(before: &Record, after: &Record) -> String {
    let Some(relation) = &after.key.resource.belongs_to else { return String::new() };
    let reopened = relation.while_unset.filter(|_| before.parent() == after.parent());
    format!("/{}", reopened.map_or(relation.by.name, |attribute| attribute.name))
}

/// Repeats the time of the holder in what tells of it.
pub(super) fn tell_time_of_holder(record: &mut Record, snapshot: &Snapshot) {
    let child_filter = record.key.resource.belongs_to.as_ref().is_some_and(|relation| relation.child_filter.is_some());
    if let Some(parent) = record.parent().and_then(|parent| snapshot.records.get(&parent)).filter(|_| child_filter) {
        record.put(super::item::PARENT_TIME, Some(Value::Time(parent.position().time)));
    }
}

/// What is wrong with a reference to a record that is not there.
pub fn no_such(key: Key, pointer: impl Into<String>) -> Violation {
    Violation::at(pointer, format!("There is no {} {}.", key.resource.singular, key.id))
}

/// Frees the old unique value and reserves the new one.
fn move_unique(before: &Record, after: &Record, write_set: &mut WriteSet) {
    let resource = after.key.resource;
    let Some(unique) = resource.unique else { return };
    if let (Some(old), Some(new)) = (before.get(unique), after.get(unique))
        && old != new
    {
        write_set.release(resource, old);
        write_set.reserve(new, after, Some(taken(after, &format!("/{}", unique.name))));
    }
}

/// 409: another record has the unique value.
pub(super) fn taken(record: &Record, pointer: &str) -> Error {
    let (singular, field) = (record.key.resource.singular, record.key.resource.unique.map_or("", |unique| unique.name));
    let detail = format!("Another {singular} has this {field}: change that one instead.");
    Error::conflict(Violation::at(pointer, detail))
}
