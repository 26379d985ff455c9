//! Plans the update of an existing record from a newer report.

use time::Duration;

use crate::request::Draft;
use crate::schema::{Record, Timestamp};
use crate::table::WriteSet;

/// Maximum time that another service's clock may be ahead.
const MAX_AHEAD: Duration = Duration::minutes(1);

/// Plans the update of a record that was found by its unique value, from a draft that is valid as of `as_of`. Returns
/// `None` if the draft changes nothing or is older than the record.
///
/// A draft that is valid as of `now` is never older. If the time of the record is far ahead of `now`, it was set by a
/// clock that has been set back since, and is ignored.
///
/// The unique value is not updated. If it has changed since the record was read, the write fails and is retried.
pub fn refresh(
    before: &Record,
    draft: &Draft,
    [as_of, now]: [Timestamp; 2],
    write_set: &mut WriteSet,
) -> Option<Record> {
    let resource = before.key.resource;
    let reported_at = resource.unique.and_then(|unique| unique.reported_at);
    let is_newer = |reported_at: Timestamp| {
        as_of != now && as_of < reported_at && now.checked_add(MAX_AHEAD).is_some_and(|latest| reported_at <= latest)
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
        write.require_unchanged(before, field);
    }
    Some(after)
}
