//! The matches of a list, in list order, read from the indexes that the plan selects.

use std::cmp::Ordering;
use std::collections::VecDeque;

use super::plan::{self, Secondary, Source};
use crate::error::{Error, Result};
use crate::operations::Execution;
use crate::request::{Direction, ListQuery};
use crate::schema::{Key, Record, Resource};
use crate::store::{Consistency, IndexCursor, in_parallel};
use crate::table::{IndexQuery, ReadSet, Snapshot, ViaChild};

/// Maximum number of matches in the index of the secondary time to sort. More are found fast enough in list order.
const MAX_SORTED: usize = 1_000;
/// Number of records that is enough to estimate the density of a query's matches.
const FIRST_BATCH: usize = 30;

impl Execution {
    /// Finds the matches of a list.
    pub(in crate::operations) async fn find(&self, list: &ListQuery) -> Result<Matches> {
        match plan::search(list) {
            Source::Nothing => Ok(Matches::none()),
            Source::Records(keys) => self.records(list, keys).await,
            Source::Unique(value) => {
                let record = self.store.find_by_unique_value(list.resource, &value).await?;
                Ok(Matches::all(list, record))
            }
            Source::ParentsOf(keys) => {
                let children = self.store.load(&ReadSet::of(keys), Consistency::Strong).await?;
                self.records(list, children.records.values().filter_map(Record::parent).collect()).await
            }
            Source::Index { queries, secondary: None } => {
                Ok(Matches::cursor(self.shortest_query(list, queries).await?))
            }
            Source::Index { queries, secondary: Some(secondary) } => {
                self.by_secondary_time(list, queries, secondary).await
            }
        }
    }

    async fn records(&self, list: &ListQuery, keys: Vec<Key>) -> Result<Matches> {
        let read = self.store.load(&ReadSet::of(keys), Consistency::Strong).await?;
        Ok(Matches::all(list, read.records.into_values()))
    }

    /// Finds the matches in a range of the secondary time. Those in the index of that time are sorted into list order,
    /// unless there are too many. If the two times are nearly equal in most records, this index contains only the
    /// exceptions, and the other matches are found in list order.
    async fn by_secondary_time(
        &self,
        list: &ListQuery,
        queries: Vec<IndexQuery>,
        secondary: Secondary,
    ) -> Result<Matches> {
        let mut cursor =
            IndexCursor::new(IndexQuery { direction: Direction::Descending, ..secondary.query }, self.store.shards());
        let sorted = cursor.next(&self.store, MAX_SORTED + 1);
        if !secondary.near_primary {
            let sorted = sorted.await?;
            if sorted.len() <= MAX_SORTED {
                return Ok(Matches::all(list, sorted));
            }
            return Ok(Matches::cursor(self.shortest_query(list, secondary.fallback).await?));
        }
        let near_primary = async {
            let mut cursor = self.shortest_query(list, queries).await?;
            cursor.read_ahead(&self.store, sample_size(list)).await.map(|()| cursor)
        };
        let (sorted, near_primary) = tokio::try_join!(sorted, near_primary)?;
        if sorted.len() > MAX_SORTED {
            return Ok(Matches::cursor(self.shortest_query(list, secondary.fallback).await?));
        }
        Ok(Matches { cursor: Some(near_primary), ..Matches::all(list, sorted) })
    }

    /// Chooses the query with the fewest records from several that each find all matches, and returns its cursor. Their
    /// first pages are read in parallel and compared.
    async fn shortest_query(&self, list: &ListQuery, queries: Vec<IndexQuery>) -> Result<IndexCursor> {
        let mut cursors: Vec<_> =
            queries.into_iter().map(|query| IndexCursor::new(query, self.store.shards())).collect();
        if cursors.len() > 1 {
            let page = sample_size(list);
            in_parallel(cursors.iter_mut().map(|cursor| cursor.read_ahead(&self.store, page))).await?;
        }
        let descending = list.direction == Direction::Descending;
        let shortest_query = cursors.into_iter().min_by(|one, two| match (one.remaining(), two.remaining()) {
            (Some(one), Some(two)) => one.cmp(&two),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            // If a page with the same number of records reaches further in time, its query is sparser.
            (None, None) if descending => one.reach().cmp(&two.reach()),
            (None, None) => two.reach().cmp(&one.reach()),
        });
        shortest_query.ok_or_else(Error::fault)
    }
}

/// Returns the number of records to read in order to estimate a query's length.
fn sample_size(list: &ListQuery) -> usize {
    list.limit.map_or(FIRST_BATCH, |limit| limit + 1).min(FIRST_BATCH)
}

/// A source of matches in list order.
pub(in crate::operations) struct Matches {
    /// Matches that have been read and sorted.
    sorted: VecDeque<Record>,
    /// Cursor over the index that contains the other matches.
    cursor: Option<IndexCursor>,
    /// Records returned by the cursor that are not merged yet.
    unmerged: VecDeque<Record>,
    direction: Direction,
    /// Key of the last returned record.
    last: Option<Key>,
    /// States read together with the records.
    pub(in crate::operations) states: Snapshot,
}

impl Matches {
    fn none() -> Self {
        Self {
            sorted: VecDeque::new(),
            cursor: None,
            unmerged: VecDeque::new(),
            direction: Direction::Descending,
            last: None,
            states: Snapshot::default(),
        }
    }

    /// Creates a source from records in any order. Drops those of earlier pages.
    fn all(list: &ListQuery, records: impl IntoIterator<Item = Record>) -> Self {
        let mut sorted: Vec<_> = records.into_iter().filter(|record| list.is_ahead(&list.sort_key(record))).collect();
        sorted.sort_by_cached_key(|record| list.sort_key(record));
        if list.direction == Direction::Descending {
            sorted.reverse();
        }
        Self { sorted: sorted.into(), direction: list.direction, ..Self::none() }
    }

    fn cursor(cursor: IndexCursor) -> Self {
        Self { direction: cursor.query().direction, cursor: Some(cursor), ..Self::none() }
    }

    /// Returns about `count` more records. The result is empty only at the end.
    pub(in crate::operations) async fn next(&mut self, execution: &Execution, count: usize) -> Result<Vec<Record>> {
        let Some(cursor) = &mut self.cursor else {
            return Ok(self.sorted.drain(..count.min(self.sorted.len())).collect());
        };
        if let Some(ViaChild(child)) = cursor.query().through {
            let (records, states) =
                next_parents(cursor, child.relation.parent, &mut self.last, execution, count).await?;
            self.states = states;
            return Ok(records);
        }
        loop {
            let cursor = self.cursor.as_mut().ok_or_else(Error::fault)?;
            if self.unmerged.len() < count {
                self.unmerged.extend(cursor.next(&execution.store, count - self.unmerged.len()).await?);
            }
            let is_over = cursor.remaining() == Some(0);
            let merged = self.merge(count, is_over);
            if !merged.is_empty() || (is_over && self.unmerged.is_empty()) {
                return Ok(merged);
            }
        }
    }

    /// Merges the next records of both sources in order, without duplicates. While the cursor has more records, the
    /// result ends at the last record that the cursor has returned.
    fn merge(&mut self, count: usize, is_over: bool) -> Vec<Record> {
        let mut merged: Vec<Record> = Vec::new();
        while merged.len() < count {
            let is_sorted_first = match (self.sorted.front(), self.unmerged.front()) {
                (Some(sorted), Some(unmerged)) => match self.direction {
                    Direction::Descending => sorted.sort_key() >= unmerged.sort_key(),
                    Direction::Ascending => sorted.sort_key() <= unmerged.sort_key(),
                },
                (Some(_), None) if is_over => true,
                (_, Some(_)) => false,
                (_, None) => break,
            };
            let next = if is_sorted_first { self.sorted.pop_front() } else { self.unmerged.pop_front() };
            if let Some(next) = next.filter(|record| Some(record.key) != self.last) {
                self.last = Some(next.key);
                merged.push(next);
            }
        }
        merged
    }
}

/// Reads the parents of a cursor's next records, without duplicates, together with their states.
async fn next_parents(
    cursor: &mut IndexCursor,
    to: &'static Resource,
    last: &mut Option<Key>,
    execution: &Execution,
    count: usize,
) -> Result<(Vec<Record>, Snapshot)> {
    loop {
        let children = cursor.next(&execution.store, count).await?;
        let mut keys: Vec<_> = children.iter().filter_map(Record::parent).filter(|key| key.resource == to).collect();
        keys.dedup();
        keys.retain(|key| Some(*key) != *last);
        *last = keys.last().copied().or(*last);
        let reads: ReadSet = keys.iter().map(|key| ReadSet::with_state(*key)).collect();
        let mut snapshot = execution.store.load(&reads, Consistency::Eventual).await?;
        let parents: Vec<_> = keys.iter().filter_map(|key| snapshot.records.remove(key)).collect();
        // All parents in a page may be deleted even though the cursor has not reached its end.
        if !parents.is_empty() || children.is_empty() {
            return Ok((parents, snapshot));
        }
    }
}
