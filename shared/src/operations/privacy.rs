//! Privacy: what is known of a viewer is removed on demand, or after some days.

mod anonymize;
mod exclude;
pub(super) mod plan;
mod retention;

pub(super) use anonymize::Anonymize;
pub(super) use exclude::{exclude, needed_to_exclude};
pub use retention::has_expiring_text;
