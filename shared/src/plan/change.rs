//! Changing a record: what differs is stored, on the condition that what the decision hung on is as it was read. Of two
//! changes of one field, the last wins.

use super::keep::{Place, room_in, too_large};
use super::loaded::Loaded;
use super::size::{LARGEST_RECORD, json_size, largest};
use super::tombstone::Tombstone;
use super::work::{Refusal, Work};
use crate::error::{Error, Violation};
use crate::request::Draft;
use crate::resources;
use crate::schema::scalar::Kind;
use crate::schema::{BelongsTo, Field, Kept, Key, Record, Timestamp, Value};

/// A change that is ready to be stored.
#[derive(Debug)]
pub struct Changed {
    /// The record as it will be.
    pub after: Record,
    /// What is to be stored; nothing, where nothing changes.
    pub work: Work,
    /// What is to be deleted after that.
    pub left: Tombstone,
}

/// Plans the change of a record. `loaded` has its holder, before and after, where the change may move it; `image` is the
/// name of the new image, where the draft has one.
///
/// # Errors
/// What rules say of the record as it would be.
pub fn change(
    before: &Record,
    draft: &Draft,
    image: Option<&str>,
    loaded: &Loaded,
    now: Timestamp,
) -> Result<Changed, Refusal> {
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
        return Ok(Changed { after, work: Work::default(), left: Tombstone::default() });
    }
    if let Some(as_of) = resource.as_of {
        after.set(as_of, now);
    }
    check_size(before, &after, loaded)?;
    let mut work = Work::default();
    let pointer = pointer_of_move(before, &after);
    if let Some(holder) = after.holder().filter(|holder| Some(*holder) != before.holder())
        && !loaded.records.contains_key(&holder)
    {
        return Err(Error::invalid(vec![no_such(holder, &pointer)]).into());
    }
    let room = after.holder().and_then(|holder| loaded.records.get(&holder)).map_or(LARGEST_RECORD, room_in);
    tell_time_of_holder(&mut after, loaded);
    Place::follow(before, &after, &pointer, &mut work, room);
    move_unique(before, &after, &mut work);
    let images = resource.fields.iter().filter(|field| field.is_image());
    let replaced: Vec<_> = images.filter(|field| before.value(field.name) != after.value(field.name)).collect();
    let write = work.update(before, &after);
    for field in decisive(before, &after).chain(replaced.iter().map(|field| field.name)) {
        write.when_as_in(before, field);
    }
    let images = replaced.iter().filter_map(|field| before.text(field.name)).map(str::to_owned).collect();
    Ok(Changed { after, work, left: Tombstone { images, ..Tombstone::default() } })
}

/// The fields that the decision hung on, and that must be as they were read.
fn decisive(before: &Record, after: &Record) -> impl Iterator<Item = &'static str> {
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
    let counted = |relation: &BelongsTo| matches!(relation.kept, Kept::Many { .. });
    let place = |record: &Record| (record.holder(), record.is_kept());
    let texts = resource.fields.iter().filter(|field| field.codec.kind == Kind::Text);
    let changed = |field: &Field| before.value(field.name) != after.value(field.name);
    resource.belongs_to.as_ref().is_some_and(counted)
        && (place(before) != place(after) || texts.into_iter().any(changed))
}

/// Refuses what would make the record larger than any may be, with all that it keeps.
fn check_size(before: &Record, after: &Record, loaded: &Loaded) -> Result<(), Refusal> {
    let (old, new) = (json_size(before), json_size(after));
    let embedded: i64 = resources::children(after.key.resource)
        .iter()
        .flat_map(|child| loaded.kept(after, *child).unwrap_or_default())
        .filter_map(|key| loaded.records.get(&key))
        .map(|kept| json_size(kept) + loaded.states.get(&kept.key).map_or(0, super::loaded::State::bytes))
        .sum();
    let kept = loaded.states.get(&after.key).map_or(0, super::loaded::State::bytes).max(embedded);
    if new > old && new + kept > largest(after.key.resource) {
        Err(too_large(after.key.resource, "").into())
    } else {
        Ok(())
    }
}

/// The field of the body that moves the record, or lets it be kept again.
fn pointer_of_move(before: &Record, after: &Record) -> String {
    let Some(relation) = &after.key.resource.belongs_to else { return String::new() };
    let reopened = relation.while_unset.filter(|_| before.holder() == after.holder());
    format!("/{}", reopened.map_or(relation.by.name, |attribute| attribute.name))
}

/// Repeats the time of the holder in what tells of it.
pub(super) fn tell_time_of_holder(record: &mut Record, loaded: &Loaded) {
    let tells = record.key.resource.belongs_to.as_ref().is_some_and(|relation| relation.tells.is_some());
    if let Some(holder) = record.holder().and_then(|holder| loaded.records.get(&holder)).filter(|_| tells) {
        record.put(super::item::HOLDER_TIME, Some(Value::Time(holder.position().time)));
    }
}

/// What is wrong with a reference to a record that is not there.
pub fn no_such(key: Key, pointer: impl Into<String>) -> Violation {
    Violation::at(pointer, format!("There is no {} {}.", key.resource.singular, key.id))
}

/// Frees the old unique value and reserves the new one.
fn move_unique(before: &Record, after: &Record, work: &mut Work) {
    let resource = after.key.resource;
    let Some(unique) = resource.unique else { return };
    if let (Some(old), Some(new)) = (before.get(unique), after.get(unique))
        && old != new
    {
        work.release(resource, old);
        work.reserve(new, after, Some(taken(after, &format!("/{}", unique.name))));
    }
}

/// 409: another record has the unique value.
pub(super) fn taken(record: &Record, pointer: &str) -> Error {
    let (singular, field) = (record.key.resource.singular, record.key.resource.unique.map_or("", |unique| unique.name));
    let detail = format!("Another {singular} has this {field}: change that one instead.");
    Error::conflict(Violation::at(pointer, detail))
}
