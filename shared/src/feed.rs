//! The feed: all changes in one order that never changes, numbered without gaps.
//!
//! `lambda/sequencer` receives the changes of the table's stream, `append` numbers them, and `read` returns them.
//! `entries` and `head` have the layout in the table, and `stored` reads it. Alerts are entries that a client appends.

mod alerts;
mod append;
pub mod entries;
pub mod head;
mod read;
mod stored;

/// Path of the feed.
pub const FEED: &str = "/feed";

/// Formats a sequence number with 16 digits. In this form, text order equals numeric order.
pub fn zero_padded(number: u64) -> String {
    format!("{number:016}")
}
