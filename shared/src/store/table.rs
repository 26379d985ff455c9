//! The port of the table: every call that the service makes, in its own types. `aws` carries the calls out on DynamoDB, and
//! `infra/embedded` on SQLite.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::get::Consistency;
use super::retry::repeat;
use super::{Refusal, Store};
use crate::request::Direction;
use crate::table::{IndexRange, Item, Position, Write};

/// A call to the table. Its limits are DynamoDB's.
#[derive(Clone, Copy, Debug)]
pub enum Call<'a> {
    /// Read 1 to 100 distinct items by their partition keys.
    Get {
        #[expect(missing_docs, reason = "the name says it")]
        pks: &'a [String],
        #[expect(missing_docs, reason = "the type says it")]
        consistency: Consistency,
    },
    /// Read one page of one partition of an index.
    Query {
        #[expect(missing_docs, reason = "the type says it")]
        range: &'a IndexRange,
        #[expect(missing_docs, reason = "the type says it")]
        direction: Direction,
        /// Most items of the page.
        limit: usize,
        /// Position after which the page starts. No item needs to be there.
        start: Option<&'a Position>,
    },
    /// Write one item, if its conditions hold.
    Write {
        #[expect(missing_docs, reason = "the name says it")]
        pk: &'a str,
        #[expect(missing_docs, reason = "the type says it")]
        write: &'a Write,
    },
    /// Write 2 to 100 items, or none of them if a condition does not hold.
    Transact {
        /// Writes by partition key.
        writes: &'a BTreeMap<String, Write>,
        /// Identifies the call for ten minutes, in which its repetitions have no effect.
        token: &'a str,
    },
    /// Delete 1 to 25 items, without conditions.
    Delete {
        #[expect(missing_docs, reason = "the name says it")]
        pks: &'a [String],
    },
}

/// The answer to a call that was carried out.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// Items that were read, each with its partition key.
    pub items: Vec<(String, Item)>,
    /// Position of the last item of a page. `None` if the partition has no more.
    pub next: Option<Position>,
    /// Partition keys that were not processed.
    pub unprocessed: Vec<String>,
    /// Capacity units, of reads or of writes.
    pub units: f64,
}

/// A table.
pub trait Table: Send + Sync + Debug {
    /// Send a call once.
    fn send<'a>(&'a self, call: Call<'a>) -> BoxFuture<'a, Result<Reply, Refusal>>;

    /// Tell if a call has found the table damaged.
    fn is_damaged(&self) -> bool {
        false
    }

    /// Get a view that shows the table to all queries as it is at the first one. `None` if the table has no such view.
    fn pinned(&self) -> Option<Arc<dyn Table>> {
        None
    }
}

impl Call<'_> {
    /// Name the operation of DynamoDB that carries the call out.
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
    /// Tell if a call has found the table damaged.
    pub fn is_damaged(&self) -> bool {
        self.table.is_damaged()
    }

    /// Create a handle whose queries show the table as it is at the first one, as far as the table can.
    #[must_use]
    pub(super) fn pinned(&self) -> Self {
        Self { table: self.table.pinned().unwrap_or_else(|| Arc::clone(&self.table)), ..self.clone() }
    }

    /// Send a call that may be repeated, and count its cost.
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
