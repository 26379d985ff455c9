//! The stores of one machine: the ports of `event_capture::store` on a SQLite database and a folder.
//!
//! The table behaves like DynamoDB as far as the service relies on it: conditions, transactions, sparse indexes, pages,
//! limits and units. It is stricter in one way, in that its indexes never lag. A differential test compares it with
//! Amazon's DynamoDB Local and with dynoxide (`tests/end_to_end/guarantees/two_tables.rs`).

mod bucket;
mod engine;
mod index;
mod item;
mod limits;
mod refusal;
mod table;
mod units;

pub use bucket::{Folder, Object};
pub use engine::{Change, Engine, OpenError};
pub use table::EmbeddedTable;

/// Failures that a stored record survives.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Durability {
    /// End of the process. A power failure may lose the writes of the last seconds.
    #[default]
    Process,
    /// A power failure: a write is on the disk before it is acknowledged.
    Power,
}
