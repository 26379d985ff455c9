//! Ordered reads of an index. Each partition holds only the records of one shard and one filter value, so all
//! partitions are read in parallel and merged.

use std::collections::VecDeque;

use futures_util::future::try_join_all;

use super::Store;
use super::index_items::MAX_QUERY_ITEMS;
use crate::error::Result;
use crate::request::Direction;
use crate::schema::{Key, Record, SortKey, Value};
use crate::table::{IndexQuery, IndexRange, Position, record_from};

/// Bytes of text after which a read ends. No response holds more.
const MAX_READ_BYTES: usize = 6_000_000;

/// A cursor over an index. It reads ahead only as far as the merge requires.
pub struct IndexCursor {
    query: IndexQuery,
    partitions: Vec<PartitionCursor>,
    /// Key of the record returned last.
    last: Option<Key>,
    /// Pinned store for a query by several values. It shows a record that moves between two partitions in only one of
    /// them.
    pinned: Option<Store>,
}

/// A cursor over one partition of the index.
struct PartitionCursor {
    range: IndexRange,
    /// Records that were read but not yet returned.
    records: VecDeque<Record>,
    /// Position of the last record read, or the start of the query.
    start: Option<Position>,
    has_ended: bool,
}

impl IndexCursor {
    /// Creates a cursor at the start of a query, in a table with this many shards.
    pub fn new(query: IndexQuery, shards: u64) -> Self {
        let query = query.bounded_by_start();
        let has_ended = query.range.is_empty();
        let start = query.start();
        let cursor = |range| PartitionCursor { range, records: VecDeque::new(), start: start.clone(), has_ended };
        Self { partitions: query.ranges(shards).into_iter().map(cursor).collect(), query, last: None, pinned: None }
    }

    pub fn query(&self) -> &IndexQuery {
        &self.query
    }

    /// Reads the partitions without a ready record, together with those that run low, for about `count` records in
    /// total.
    pub async fn read_ahead(&mut self, store: &Store, count: usize) -> Result<()> {
        if self.partitions.iter().all(|cursor| cursor.has_ended || !cursor.records.is_empty()) {
            return Ok(());
        }
        let is_by_values = self.query.lookups.len() > 1;
        let store = if is_by_values { &*self.pinned.get_or_insert_with(|| store.pinned()) } else { store };
        let limit = share(count, self.partitions.len());
        let direction = self.query.direction;
        let runs_low = |cursor: &&mut PartitionCursor| cursor.records.len() < limit / 2 + 1 && !cursor.has_ended;
        let low = self.partitions.iter_mut().filter(runs_low);
        try_join_all(low.map(|cursor| cursor.read_more(store, direction, limit))).await?;
        Ok(())
    }

    /// Returns the number of records that were read but not yet returned. `None` if the index may have more.
    pub fn remaining(&self) -> Option<usize> {
        let has_ended = self.partitions.iter().all(|cursor| cursor.has_ended);
        has_ended.then(|| self.partitions.iter().map(|cursor| cursor.records.len()).sum())
    }

    /// Returns the sort key up to which all partitions have been read. `None` if all have ended.
    pub fn reach(&self) -> Option<SortKey> {
        let open = self.partitions.iter().filter(|cursor| !cursor.has_ended);
        let last_read = open.filter_map(|cursor| Some(self.query.sort_key(cursor.records.back()?)));
        match self.query.direction {
            Direction::Descending => last_read.max(),
            Direction::Ascending => last_read.min(),
        }
    }

    /// Returns the next `count` records in order: fewer at the end of the index or if their text is too large for one
    /// response, and none only at the end.
    pub async fn next(&mut self, store: &Store, count: usize) -> Result<Vec<Record>> {
        let (mut merged, mut bytes) = (Vec::new(), 0);
        while merged.len() < count && bytes < MAX_READ_BYTES {
            self.read_ahead(store, count - merged.len()).await?;
            let first = self.first_partition().and_then(|index| self.partitions[index].records.pop_front());
            let Some(record) = first else { break };
            // A record that changes its value during the reads may be in the partitions of both values.
            if self.last.replace(record.key) == Some(record.key) {
                continue;
            }
            bytes += text_bytes(&record);
            merged.push(record);
        }
        Ok(merged)
    }

    /// Finds the partition with the first record.
    fn first_partition(&self) -> Option<usize> {
        let heads = self.partitions.iter().enumerate().filter_map(|(index, cursor)| {
            let record = cursor.records.front()?;
            Some((self.query.sort_key(record), record.key.id, index))
        });
        let first = match self.query.direction {
            Direction::Descending => heads.max(),
            Direction::Ascending => heads.min(),
        };
        first.map(|(.., index)| index)
    }
}

impl PartitionCursor {
    /// Reads until there is at least one more record or the partition ends.
    async fn read_more(&mut self, store: &Store, direction: Direction, limit: usize) -> Result<()> {
        let before = self.records.len();
        while self.records.len() == before && !self.has_ended {
            let (items, next) = store.query_page(&self.range, direction, limit, self.start.as_ref()).await?;
            self.records.extend(items.into_iter().filter_map(|(_, item)| record_from(item)));
            self.has_ended = next.is_none();
            self.start = next;
        }
        Ok(())
    }
}

/// Returns the number of records to request from each partition for `count` in total: its share plus two standard
/// deviations, so one round is usually enough.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "small counts"
)]
fn share(count: usize, partitions: usize) -> usize {
    let mean = count as f64 / partitions as f64;
    let generous = (2.0f64.mul_add(mean.sqrt(), mean)).ceil() as usize;
    generous.min(count).clamp(1, MAX_QUERY_ITEMS)
}

/// Returns the bytes of a record's texts, which make up most of its size.
fn text_bytes(record: &Record) -> usize {
    let bytes = |value: &Value| if let Value::Text(text) | Value::Object(text) = value { text.len() } else { 0 };
    let fields = record.key.resource.fields.iter();
    fields.filter_map(|field| record.value(field.name)).map(bytes).sum()
}
