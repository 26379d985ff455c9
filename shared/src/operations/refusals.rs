//! Errors that the plans of several verbs share: for references, contradictions and unique values.

use crate::error::{Code, Error, Violation, ViolationCode};
use crate::schema::{Contradiction, Key, Record, Resource};
use crate::table::ReservationErrors;

/// Returns the violation for a reference to a record that does not exist.
pub fn reference_not_found(key: Key, pointer: impl Into<String>) -> Violation {
    Violation::at_pointer(
        pointer,
        ViolationCode::ReferenceNotFound.invalid_value(format!("{} not found.", key.title())),
    )
}

/// Returns the violation for contradictory fields of the record at `pointer`.
pub fn contradicted(contradiction: Contradiction, pointer: &str) -> Violation {
    let first = contradiction.fields.first().copied().unwrap_or_default();
    Violation::at_pointer(format!("{pointer}/{first}"), contradiction.invalid)
}

/// Returns the error (409) for a unique value that another record has.
fn duplicate(record: &Record, pointer: &str) -> Error {
    let Resource { singular, unique, .. } = record.key.resource;
    let (field, code) =
        unique.as_ref().map_or(("", Code::InternalError), |unique| (unique.attribute.name, unique.duplicate));
    let detail = format!("Another {singular} has this {field}. Change that {singular} instead.");
    Error::conflict(code, pointer, detail)
}

/// Returns the error (409) for a unique value that an opt-out excludes.
pub fn opted_out(pointer: impl Into<String>) -> Error {
    let detail = "This viewer has opted out of being stored. Delete the opt-out to store the viewer again.";
    Error::conflict(Code::OptedOut, pointer, detail)
}

/// Returns the errors for a failed reservation of a record's unique value, which the body has at `pointer`.
pub fn reservation_errors(record: &Record, pointer: &str) -> ReservationErrors {
    ReservationErrors { duplicate: duplicate(record, pointer), excluded: opted_out(pointer) }
}
