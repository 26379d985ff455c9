//! The records that the statistics count.

use crate::error::Result;
use crate::resources;
use crate::schema::Resource;
use crate::store::{IndexCursor, Store};
use crate::table::{IndexQuery, Range};

/// Records per read.
pub(super) const PAGE_SIZE: usize = 1_000;

/// Creates a cursor over the counted records in a time range, earliest first.
pub(super) fn records(store: &Store, resource: &'static Resource, range: Range) -> IndexCursor {
    let query = IndexQuery::by_time(resource, range);
    IndexCursor::new(query, store.shards())
}

impl Store {
    /// Returns true if there are records to count.
    pub(super) async fn has_counted_records(&self) -> Result<bool> {
        let mut cursor = records(self, resources::counted_resource(), Range::default());
        Ok(!cursor.next(self, 1).await?.is_empty())
    }
}
