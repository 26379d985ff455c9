//! The matches of a list, in its order, from the indexes that the plan selects.

use std::cmp::Ordering;
use std::collections::VecDeque;

use super::plan::{self, Secondary, Source};
use crate::error::{Error, Result};
use crate::operations::Execution;
use crate::request::{Direction, List};
use crate::schema::{Key, Record, Resource};
use crate::store::{Consistency, IndexCursor, in_parallel};
use crate::table::{IndexQuery, ReadSet, Snapshot, ViaChild};

/// The most matches in the index of the secondary time that are sorted. More matches are dense enough to be found in
/// the list's own order.
const MAX_SORTED: usize = 1_000;
/// The number of records of a query that is enough to estimate the density of its matches.
const REPORTING: usize = 30;

impl Execution {
    /// Returns the source of the matches of a list.
    pub(in crate::operations) async fn find(&self, list: &List) -> Result<Matches> {
        match plan::search(list) {
            Source::Nothing => Ok(Matches::none()),
            Source::Record(key) => self.found(list, Some(key)).await,
            Source::Reserved(reservation) => {
                let record = self.store.reserved(list.resource, &reservation).await?;
                Ok(Matches::all(list, record))
            }
            Source::ParentOf(key) => {
                let parent = self.store.get(key).await?.and_then(|record| record.parent());
                self.found(list, parent).await
            }
            Source::Index { queries, second: None } => Ok(Matches::walk(self.shortest(list, queries).await?)),
            Source::Index { queries, second: Some(second) } => self.by_secondary_time(list, queries, second).await,
        }
    }

    async fn found(&self, list: &List, key: Option<Key>) -> Result<Matches> {
        let record = match key {
            Some(key) => self.store.get(key).await?,
            None => None,
        };
        Ok(Matches::all(list, record))
    }

    /// Finds the matches of a range of the secondary time. Those in the index of that time are sorted into the list's
    /// order, unless they are too many. The index contains only exceptions if the two times are nearly equal in most
    /// records; the other matches then come from the list's own order.
    async fn by_secondary_time(&self, list: &List, queries: Vec<IndexQuery>, second: Secondary) -> Result<Matches> {
        let mut walk =
            IndexCursor::new(IndexQuery { direction: Direction::Descending, ..second.query }, self.store.shards());
        let sorted = walk.next(&self.store, MAX_SORTED + 1);
        if !second.near_primary {
            let sorted = sorted.await?;
            if sorted.len() <= MAX_SORTED {
                return Ok(Matches::all(list, sorted));
            }
            return Ok(Matches::walk(self.shortest(list, second.otherwise).await?));
        }
        let near_primary = async {
            let mut walk = self.shortest(list, queries).await?;
            walk.read_ahead(&self.store, first_page(list)).await.map(|()| walk)
        };
        let (sorted, near_primary) = tokio::try_join!(sorted, near_primary)?;
        if sorted.len() > MAX_SORTED {
            return Ok(Matches::walk(self.shortest(list, second.otherwise).await?));
        }
        Ok(Matches { walk: Some(near_primary), ..Matches::all(list, sorted) })
    }

    /// Returns a cursor over the query with the fewest records, of several that each find all matches. Compares their
    /// first pages, which are read in parallel.
    async fn shortest(&self, list: &List, queries: Vec<IndexQuery>) -> Result<IndexCursor> {
        let mut walks: Vec<_> = queries.into_iter().map(|query| IndexCursor::new(query, self.store.shards())).collect();
        if walks.len() > 1 {
            let page = first_page(list);
            in_parallel(walks.iter_mut().map(|walk| walk.read_ahead(&self.store, page))).await?;
        }
        let descending = list.direction == Direction::Descending;
        let shortest = walks.into_iter().min_by(|one, two| match (one.remaining(), two.remaining()) {
            (Some(one), Some(two)) => one.cmp(&two),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            // If a page of the same number of records reaches further in time, its query has fewer records.
            (None, None) if descending => one.reach().cmp(&two.reach()),
            (None, None) => two.reach().cmp(&one.reach()),
        });
        shortest.ok_or_else(Error::fault)
    }
}

/// Returns the number of records to read for an estimate of a query's length.
fn first_page(list: &List) -> usize {
    list.limit.map_or(REPORTING, |limit| limit + 1).min(REPORTING)
}

/// A source of matches, in the order of the list.
pub(in crate::operations) struct Matches {
    /// The matches that are already read and sorted.
    sorted: VecDeque<Record>,
    /// The cursor over the index with the other matches.
    walk: Option<IndexCursor>,
    /// The records that the cursor has returned and that are not merged yet.
    ahead: VecDeque<Record>,
    direction: Direction,
    /// The key of the record that was returned last.
    last: Option<Key>,
    /// The states that were read together with the records.
    pub(in crate::operations) known: Snapshot,
}

impl Matches {
    fn none() -> Self {
        Self {
            sorted: VecDeque::new(),
            walk: None,
            ahead: VecDeque::new(),
            direction: Direction::Descending,
            last: None,
            known: Snapshot::default(),
        }
    }

    /// Creates a source from records in any order, without those of earlier pages.
    fn all(list: &List, records: impl IntoIterator<Item = Record>) -> Self {
        let mut sorted: Vec<_> = records.into_iter().filter(|record| list.is_ahead(&list.position(record))).collect();
        sorted.sort_by_cached_key(|record| list.position(record));
        if list.direction == Direction::Descending {
            sorted.reverse();
        }
        Self { sorted: sorted.into(), direction: list.direction, ..Self::none() }
    }

    fn walk(walk: IndexCursor) -> Self {
        Self { direction: walk.query().direction, walk: Some(walk), ..Self::none() }
    }

    /// Returns the next records, about `count` of them. Empty only at the end.
    pub(in crate::operations) async fn next(&mut self, execution: &Execution, count: usize) -> Result<Vec<Record>> {
        let Some(walk) = &mut self.walk else {
            return Ok(self.sorted.drain(..count.min(self.sorted.len())).collect());
        };
        if let Some(ViaChild(child)) = walk.query().through {
            let (records, known) = through(walk, child.relation.to, &mut self.last, execution, count).await?;
            self.known = known;
            return Ok(records);
        }
        loop {
            let walk = self.walk.as_mut().ok_or_else(Error::fault)?;
            if self.ahead.len() < count {
                self.ahead.extend(walk.next(&execution.store, count - self.ahead.len()).await?);
            }
            let is_over = walk.remaining() == Some(0);
            let merged = self.merge(count, is_over);
            if !merged.is_empty() || (is_over && self.ahead.is_empty()) {
                return Ok(merged);
            }
        }
    }

    /// Returns the next records of both sources in order, without duplicates. While the cursor has more records, the
    /// result ends at the last record that it has returned.
    fn merge(&mut self, count: usize, is_over: bool) -> Vec<Record> {
        let mut merged: Vec<Record> = Vec::new();
        while merged.len() < count {
            let is_sorted_first = match (self.sorted.front(), self.ahead.front()) {
                (Some(sorted), Some(ahead)) => match self.direction {
                    Direction::Descending => sorted.position() >= ahead.position(),
                    Direction::Ascending => sorted.position() <= ahead.position(),
                },
                (Some(_), None) if is_over => true,
                (_, Some(_)) => false,
                (_, None) => break,
            };
            let next = if is_sorted_first { self.sorted.pop_front() } else { self.ahead.pop_front() };
            if let Some(next) = next.filter(|record| Some(record.key) != self.last) {
                self.last = Some(next.key);
                merged.push(next);
            }
        }
        merged
    }
}

/// Returns the parents of a cursor's next records, each once, and the states of the parents.
async fn through(
    walk: &mut IndexCursor,
    to: &'static Resource,
    last: &mut Option<Key>,
    execution: &Execution,
    count: usize,
) -> Result<(Vec<Record>, Snapshot)> {
    loop {
        let parts = walk.next(&execution.store, count).await?;
        let mut keys: Vec<_> = parts.iter().filter_map(Record::parent).filter(|key| key.resource == to).collect();
        keys.dedup();
        keys.retain(|key| Some(*key) != *last);
        *last = keys.last().copied().or(*last);
        let count: ReadSet = keys.iter().map(|key| ReadSet::one(*key, true)).collect();
        let mut snapshot = execution.store.load(&count, Consistency::Eventual).await?;
        let found: Vec<_> = keys.iter().filter_map(|key| snapshot.records.remove(key)).collect();
        // All parents in a page may already be deleted although the cursor has not ended.
        if !found.is_empty() || parts.is_empty() {
            return Ok((found, snapshot));
        }
    }
}
