//! The port of the table: every call that the service makes, in its own types. `aws` implements it on DynamoDB,
//! `infra/embedded` on SQLite.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::retry::repeat;
use super::{Refusal, Store};
use crate::request::Direction;
use crate::table::{IndexRange, Item, Position, Write};

/// Consistency of a read. A strong read costs twice as much as an eventual one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consistency {
    /// Includes every acknowledged write.
    Strong,
    /// May lag by a moment, like an index.
    Eventual,
}

/// A call to the table. Its limits are DynamoDB's.
#[derive(Clone, Copy, Debug)]
pub enum Call<'a> {
    /// Read 1 to 100 distinct items by their partition keys.
    Get { pks: &'a [String], consistency: Consistency },
    /// Read one page of an index partition.
    Query {
        range: &'a IndexRange,
        direction: Direction,
        /// Maximum number of items.
        limit: usize,
        /// Position after which the page starts. It need not hold an item.
        start: Option<&'a Position>,
    },
    /// Write one item, if its conditions hold.
    Write { pk: &'a str, write: &'a Write },
    /// Write 2 to 100 items, or none of them if a condition does not hold.
    Transact {
        /// Writes by partition key.
        writes: &'a BTreeMap<String, Write>,
        /// Identifies the call for ten minutes. During that time, repetitions have no effect.
        token: &'a str,
    },
    /// Delete 1 to 25 items, without conditions.
    Delete { pks: &'a [String] },
}

/// The response to a call that was carried out.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// Items that were read, each with its partition key.
    pub items: Vec<(String, Item)>,
    /// Position of the last item of a page. `None` at the end of the partition.
    pub next: Option<Position>,
    /// Partition keys that were not processed.
    pub unprocessed: Vec<String>,
    /// Capacity units, of reads or of writes.
    pub units: f64,
}

/// A table.
pub trait Table: Send + Sync + Debug {
    /// Sends a call once.
    fn send<'a>(&'a self, call: Call<'a>) -> BoxFuture<'a, Result<Reply, Refusal>>;

    /// Returns true if a call has found the table damaged.
    fn is_damaged(&self) -> bool {
        false
    }

    /// Returns a view of the table that is fixed at its first query. `None` if the table cannot provide one.
    fn pinned(&self) -> Option<Arc<dyn Table>> {
        None
    }
}

impl Call<'_> {
    /// Returns the name of the DynamoDB operation for this call.
    pub fn operation(&self) -> &'static str {
        match self {
            Self::Get { pks: [_], .. } => "GetItem",
            Self::Get { .. } => "BatchGetItem",
            Self::Query { .. } => "Query",
            Self::Write { write, .. } => write.action().permission(),
            Self::Transact { .. } => "TransactWriteItems",
            Self::Delete { .. } => "BatchWriteItem",
        }
    }

    /// Returns true if the call may change items.
    pub fn writes(&self) -> bool {
        !matches!(self, Self::Get { .. } | Self::Query { .. })
    }
}

impl Store {
    /// Returns true if a call has found the table damaged.
    pub fn is_damaged(&self) -> bool {
        self.table.is_damaged()
    }

    /// Creates a handle with the table fixed at its first query, if the table supports it.
    #[must_use]
    pub(super) fn pinned(&self) -> Self {
        Self { table: self.table.pinned().unwrap_or_else(|| Arc::clone(&self.table)), ..self.clone() }
    }

    /// Sends a call that may be repeated, and counts its cost.
    pub(super) async fn send(&self, call: Call<'_>) -> Result<Reply, Refusal> {
        let _trip = self.cost.start_trip();
        let reply = repeat(|| self.table.send(call)).await?;
        if call.writes() {
            self.cost.add_written(reply.units);
        } else {
            self.cost.add_read(reply.units);
        }
        Ok(reply)
    }
}
