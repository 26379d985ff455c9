//! The stores of a single machine: the ports of `capture_core::store` on a SQLite database and a folder.
//!
//! The table behaves like DynamoDB as far as the service relies on it: conditions, transactions, sparse indexes, pages,
//! limits and units. It is stricter in one respect: its indexes never lag. A differential test compares it with
//! Amazon's DynamoDB Local and with dynoxide (`tests/end_to_end/guarantees/two_tables.rs`).

mod bucket;
mod engine;
mod index;
mod item;
mod limits;
mod refusal;
mod table;
mod units;

pub use bucket::{EmbeddedBucket, Object};
pub use engine::{Change, Engine, OpenError};
pub use table::EmbeddedTable;

/// Failures that a stored record survives.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Durability {
    /// The process ends. A power failure may lose the last seconds of writes.
    #[default]
    Process,
    /// The power fails. A write is on disk before it is acknowledged.
    Power,
}
