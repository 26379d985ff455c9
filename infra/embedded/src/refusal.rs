//! Refusals of the table.

use capture_core::store::{Fault, Refusal};
use rusqlite::ErrorCode;
use rusqlite::types::Type;

/// Returns the refusal of an invalid call. The reason is logged.
pub(crate) fn invalid(reason: &str) -> Refusal {
    Refusal::Invalid(Fault::coded("ValidationException", reason))
}

/// Fault code of a damaged file.
pub(crate) const DAMAGED: &str = "DatabaseDamaged";

/// Converts a SQLite error. If the database is busy, nothing was stored.
pub(crate) fn sqlite_refusal(error: &rusqlite::Error) -> Refusal {
    let fault = |code| Fault::coded(code, &error.to_string());
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Refusal::Busy(fault("Database")),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Refusal::Unknown(fault(DAMAGED)),
        None if matches!(error, rusqlite::Error::FromSqlConversionFailure(..)) => Refusal::Unknown(fault(DAMAGED)),
        _ => Refusal::Unknown(fault("Database")),
    }
}

/// Returns the error for an item that cannot be decoded because the file is damaged.
pub(crate) fn undecodable(error: postcard::Error) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, Type::Blob, error.into())
}
