//! Moderation: records that another service takes back, and those that a later report completes.

mod complete;
mod withdraw;

pub(super) use withdraw::clear;
pub(crate) use withdraw::has_chat_text;
