//! Compares an imported record with the stored one.

use crate::error::{Code, Error, Violation, ViolationCode};
use crate::request::Draft;
use crate::schema::scalar::Kind;
use crate::schema::{Field, Input, Key, Record, Value};
use crate::table::{WriteSet, release_counter};

/// Returns the names of the fields, except images, that differ between a stored record and an import. An omitted field
/// means its default value. An omitted time that the service would assign matches any value.
pub fn differing_fields(stored: &Record, draft: &Draft) -> Vec<&'static str> {
    let fields = stored.key.resource.fields.iter();
    let fields = fields.filter(|field| !field.hidden && !field.is_image() && !field.in_state);
    let fields = fields.filter(|field| field.name != stored.key.resource.id.name);
    fields.filter(|field| !matches_import(stored, draft, field)).map(|field| field.name).collect()
}

fn matches_import(stored: &Record, draft: &Draft, field: &Field) -> bool {
    let held = stored.value(field.name);
    let same = |given: &Value| held.is_some_and(|held| held.content_eq(given));
    match (draft.values.get(field.name), &field.input) {
        (Some(Some(given)), _) => same(given),
        (_, Input::Default(preset)) => same(&(*preset).into()),
        (_, Input::Now | Input::Assigned) if field.codec.kind == Kind::Time => true,
        _ => held.is_none(),
    }
}

/// Plans the transition of a stored record to the status of an import. Returns the record after the transition, or
/// `None` if the two differ in other fields or the transition is not allowed.
pub fn transition(before: &Record, draft: &Draft, differing: &[&str]) -> Option<(Record, WriteSet)> {
    let status = before.key.resource.status.as_ref()?;
    let sent = draft.values.get(status.field)?.as_ref()?;
    let Value::Text(to) = sent else { return None };
    let is_of_transition =
        |name: &&str| *name == status.field || status.fields_of_transition().any(|field| field == *name);
    if !differing.iter().all(is_of_transition) || !status.allows(before.text(status.field)?, to) {
        return None;
    }
    let mut after = before.clone();
    for field in status.fields_of_transition().chain([status.field]) {
        after.put(field, draft.values.get(field).cloned().flatten());
    }
    let mut write_set = WriteSet::default();
    release_counter(before, &after, &mut write_set);
    let write = write_set.update(before, &after);
    for field in status.fields_of_transition().chain([status.field]) {
        write.require_unchanged(before, field);
    }
    Some((after, write_set))
}

/// Returns the error (409) that lists each differing field.
pub fn differs(key: Key, fields: &[&str]) -> Error {
    let detail =
        format!("{} is stored with another value of {}. PUT does not change records.", key.title(), fields.join(", "));
    let violation = |field: &&str| {
        Violation::at_pointer(format!("/{field}"), ViolationCode::Duplicate.invalid_value("The stored value differs."))
    };
    Error::conflicts(Code::RecordDiffers, detail, fields.iter().map(violation).collect())
}
