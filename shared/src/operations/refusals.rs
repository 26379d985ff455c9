//! The refusals that the plans of several verbs share: of references, and of unique values.
//!
//! They stand apart from the verbs, because a plan that called the plan of another verb would tie both together.

use crate::error::{Code, Error, Violation, ViolationCode};
use crate::schema::{Contradiction, Key, Record, Resource};
use crate::table::ReservationErrors;

/// Report a reference to a record that does not exist.
pub fn reference_not_found(key: Key, pointer: impl Into<String>) -> Violation {
    Violation::at(pointer, ViolationCode::ReferenceNotFound.violation(format!("{} not found.", key.title())))
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
