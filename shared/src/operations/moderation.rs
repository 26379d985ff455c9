//! Moderation: withdrawal of records that another service reported, and completion of records by later reports.

mod complete;
mod withdraw;

pub(crate) use withdraw::has_chat_text;
pub(super) use withdraw::redact_text;
