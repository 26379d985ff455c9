//! Moderation: withdrawal of records that another service reported, and completion of records by later reports.

mod complete;
mod withdraw;

pub(super) use withdraw::clear;
pub(crate) use withdraw::has_chat_text;
