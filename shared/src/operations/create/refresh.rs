//! Plans the update of an existing record to a newer report of it.

use time::Duration;

use crate::request::Draft;
use crate::schema::{Record, Timestamp};
use crate::table::WriteSet;

/// Time by which the clock of another service may be ahead.
const MAX_AHEAD: Duration = Duration::minutes(1);

/// Plan the update of a record to a draft. The record was found by its unique value; the draft is valid as of a time.
/// Returns `None` if the draft has nothing new or is older than the record. What is valid now is never older, and a record that
/// is far ahead of now is of a clock that was set back since.
///
/// The unique value itself stays: it changes only together with its reservation. If it has changed since the record was
/// read, the write fails and the request starts over.
pub fn refresh(
    before: &Record,
    draft: &Draft,
    [as_of, now]: [Timestamp; 2],
    write_set: &mut WriteSet,
) -> Option<Record> {
    let resource = before.key.resource;
    let reported_at = resource.unique.and_then(|unique| unique.reported_at);
    let is_newer = |reported_at: Timestamp| {
        as_of != now && as_of < reported_at && now.shifted(MAX_AHEAD).is_some_and(|latest| reported_at <= latest)
    };
    if reported_at.and_then(|field| before.get(field)).is_some_and(is_newer) {
        return None;
    }
    let mut after = before.clone();
    let unique = resource.unique.map(|unique| unique.attribute.name);
    for field in resource.fields.iter().filter(|field| field.changeable && Some(field.name) != unique) {
        if let Some(value) = draft.values.get(field.name) {
            after.put(field.name, value.clone());
        }
    }
    if after == *before {
        return None;
    }
    if let Some(field) = reported_at {
        after.set(field, as_of);
    }
    let write = write_set.update(before, &after);
    for field in [unique, reported_at.map(|field| field.name)].into_iter().flatten() {
        write.when_as_in(before, field);
    }
    Some(after)
}
