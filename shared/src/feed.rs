//! The feed: all changes in a fixed order, numbered without gaps.
//!
//! `lambda/sequencer` receives the changes from the table's stream, `append` numbers them, and `read` returns them.
//! `entries` and `head` define the layout in the table, and `stored` reads it. Clients append alerts.

mod alerts;
mod append;
pub mod entries;
pub mod head;
mod read;
mod stored;

/// Path of the feed.
pub const FEED: &str = "/feed";

/// Formats a sequence number with 16 digits. Text order then equals numeric order.
pub fn zero_padded(number: u64) -> String {
    format!("{number:016}")
}
