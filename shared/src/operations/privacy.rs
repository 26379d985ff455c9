//! Privacy: removes personal data of viewers on demand, or after a retention period.

mod anonymize;
mod exclude;
pub(super) mod plan;
mod retention;

pub(super) use anonymize::Anonymize;
pub(super) use exclude::{exclude, needed_to_exclude};
pub use retention::has_expiring_text;
