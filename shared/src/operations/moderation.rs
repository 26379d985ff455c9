//! Moderation: records that another service takes back, and those that a later report completes.

mod complete;
mod withdraw;

pub(super) use withdraw::clear;
pub(crate) use withdraw::is_chat_source;
