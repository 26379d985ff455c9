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

use std::sync::Arc;

use capture_core::store::DEFAULT_SHARDS;
use capture_core::table::Item;

/// Settings of a table.
#[derive(Clone)]
pub struct TableSettings {
    pub durability: Durability,
    /// Number of shards of an index that new items use.
    pub write_shards: u64,
    /// Changes that the stream keeps. `None` keeps all.
    pub streamed: Option<ChangeFilter>,
}

/// Returns true if the stream keeps a change: of the item with a key, from its state before to its state after.
pub type ChangeFilter = Arc<dyn Fn(&str, Option<&Item>, Option<&Item>) -> bool + Send + Sync>;

impl Default for TableSettings {
    fn default() -> Self {
        Self { durability: Durability::default(), write_shards: DEFAULT_SHARDS, streamed: None }
    }
}

/// Failures that a stored record survives.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Durability {
    /// The process ends. A power failure may lose the last seconds of writes.
    #[default]
    Process,
    /// The power fails. A write is on disk before it is acknowledged.
    Power,
}
