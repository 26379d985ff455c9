//! Rules that the plans of several verbs share: references, unique values, and the parent's time.
//!
//! They stand apart from the verbs, because a plan that called the plan of another verb would tie both together.

use crate::error::{Code, Error, Rule, Violation};
use crate::schema::{Contradiction, Key, Record, Resource, Value};
use crate::table::{Counter, PARENT_TIME, ReservationErrors, Snapshot, WriteSet};

/// Report a reference to a record that does not exist.
pub fn reference_not_found(key: Key, pointer: impl Into<String>) -> Violation {
    Violation::at(pointer, Rule::ReferenceNotFound.violation(format!("{} not found.", key.title())))
}

/// Report fields that contradict each other, in the record at this pointer.
pub fn contradicted(contradiction: Contradiction, pointer: &str) -> Violation {
    let first = contradiction.fields.first().copied().unwrap_or_default();
    Violation::at(format!("{pointer}/{first}"), contradiction.invalid)
}

/// Report (409) that another record has the unique value of this one.
fn duplicate(record: &Record, pointer: &str) -> Error {
    let Resource { singular, unique, .. } = record.key.resource;
    let (field, code) =
        unique.as_ref().map_or(("", Code::InternalError), |unique| (unique.attribute.name, unique.duplicate));
    let detail = format!("Another {singular} has this {field}. Change that {singular} instead.");
    Error::conflict(code, pointer, detail)
}

/// Report (409) that an opt-out excludes the unique value of a record.
pub fn opted_out(pointer: impl Into<String>) -> Error {
    let detail = "This viewer has opted out of being stored. Delete the opt-out to store the viewer again.";
    Error::conflict(Code::OptedOut, pointer, detail)
}

/// Collect the errors of the reservation of a record's unique value, which the body has at the pointer.
pub fn reservation_errors(record: &Record, pointer: &str) -> ReservationErrors {
    ReservationErrors { duplicate: duplicate(record, pointer), excluded: opted_out(pointer) }
}

/// Copy the parent's time into the record, if the parent's list has a filter by this child.
pub fn repeat_time_of_parent(record: &mut Record, snapshot: &Snapshot) {
    let child_filter = record.key.resource.belongs_to.as_ref().is_some_and(|relation| relation.child_filter.is_some());
    if let Some(parent) = record.parent().and_then(|parent| snapshot.records.get(&parent)).filter(|_| child_filter) {
        record.put(PARENT_TIME, Some(Value::Time(parent.primary_time())));
    }
}

/// Count a record no longer on its parent, if its new status does not count.
pub fn release_counter(before: &Record, after: &Record, write_set: &mut WriteSet) {
    let is_counted = |record: &Record| Counter::of(record).is_some_and(|counter| counter.is_counted());
    if let Some(counter) = Counter::of(before).filter(|_| is_counted(before) && !is_counted(after)) {
        counter.remove(write_set);
    }
}
