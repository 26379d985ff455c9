//! The matches of a list, in its order: found by the indexes that the plan names.

use std::cmp::Ordering;
use std::collections::VecDeque;

use super::Execution;
use crate::error::{Error, Result};
use crate::plan::{self, Loaded, Scan, Second, Source, Through, Wanted};
use crate::request::{Direction, List};
use crate::schema::{Key, Record, Resource};
use crate::store::{Consistency, Walk, in_parallel};

/// Up to so many matches in the index of the second time are sorted; beyond, they are dense enough in the list's own order.
const MAX_SORTED: usize = 1_000;
/// So many records of a search tell how dense its matches are.
const TELLING: usize = 30;

impl Execution {
    /// Where the matches of a list come from.
    pub(super) async fn find(&self, list: &List) -> Result<Found> {
        match plan::search(list) {
            Source::Nothing => Ok(Found::none()),
            Source::Record(key) => self.found(list, Some(key)).await,
            Source::Reserved(reservation) => {
                let record = self.store.reserved(list.resource, &reservation).await?;
                Ok(Found::all(list, record))
            }
            Source::HolderOf(key) => {
                let holder = self.store.get(key).await?.and_then(|record| record.holder());
                self.found(list, holder).await
            }
            Source::Index { scans, second: None } => Ok(Found::walk(self.shortest(list, scans).await?)),
            Source::Index { scans, second: Some(second) } => self.by_second_time(list, scans, second).await,
        }
    }

    async fn found(&self, list: &List, key: Option<Key>) -> Result<Found> {
        let record = match key {
            Some(key) => self.store.get(key).await?,
            None => None,
        };
        Ok(Found::all(list, record))
    }

    /// The matches of a range of the second time: those of its own index are sorted into the list's order, unless they are
    /// too many; those where the two times are tied come from the list's own order.
    async fn by_second_time(&self, list: &List, scans: Vec<Scan>, second: Second) -> Result<Found> {
        let mut walk = Walk::new(Scan { direction: Direction::Descending, ..second.scan }, self.store.shards());
        let sorted = walk.next(&self.store, MAX_SORTED + 1);
        if !second.tied {
            let sorted = sorted.await?;
            if sorted.len() <= MAX_SORTED {
                return Ok(Found::all(list, sorted));
            }
            return Ok(Found::walk(self.shortest(list, second.otherwise).await?));
        }
        let tied = async {
            let mut walk = self.shortest(list, scans).await?;
            walk.read_ahead(&self.store, first_page(list)).await.map(|()| walk)
        };
        let (sorted, tied) = tokio::try_join!(sorted, tied)?;
        if sorted.len() > MAX_SORTED {
            return Ok(Found::walk(self.shortest(list, second.otherwise).await?));
        }
        Ok(Found { walk: Some(tied), ..Found::all(list, sorted) })
    }

    /// Of several ways to all matches the one with the fewest records: read side by side, a page of each tells.
    async fn shortest(&self, list: &List, scans: Vec<Scan>) -> Result<Walk> {
        let mut walks: Vec<_> = scans.into_iter().map(|scan| Walk::new(scan, self.store.shards())).collect();
        if walks.len() > 1 {
            let page = first_page(list);
            in_parallel(walks.iter_mut().map(|walk| walk.read_ahead(&self.store, page))).await?;
        }
        let descending = list.direction == Direction::Descending;
        let shortest = walks.into_iter().min_by(|one, two| match (one.left(), two.left()) {
            (Some(one), Some(two)) => one.cmp(&two),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            // The page that reaches further has fewer records to the time.
            (None, None) if descending => one.reach().cmp(&two.reach()),
            (None, None) => two.reach().cmp(&one.reach()),
        });
        shortest.ok_or_else(Error::fault)
    }
}

/// How many records tell how many there may be.
fn first_page(list: &List) -> usize {
    list.limit.map_or(TELLING, |limit| limit + 1).min(TELLING)
}

/// Where matches come from, in the order of the list.
pub(super) struct Found {
    /// Some of them, which are here already.
    sorted: VecDeque<Record>,
    /// The others, in an index.
    walk: Option<Walk>,
    /// What was read of it and comes after the next of those.
    ahead: VecDeque<Record>,
    direction: Direction,
    /// The one that was told last.
    last: Option<Key>,
    /// What was read along with them.
    pub(super) known: Loaded,
}

impl Found {
    fn none() -> Self {
        Self {
            sorted: VecDeque::new(),
            walk: None,
            ahead: VecDeque::new(),
            direction: Direction::Descending,
            last: None,
            known: Loaded::default(),
        }
    }

    /// Records that are here, in any order, but for those that a page before had.
    fn all(list: &List, records: impl IntoIterator<Item = Record>) -> Self {
        let mut sorted: Vec<_> = records.into_iter().filter(|record| list.is_ahead(record.position())).collect();
        sorted.sort_by_key(Record::position);
        if list.direction == Direction::Descending {
            sorted.reverse();
        }
        Self { sorted: sorted.into(), direction: list.direction, ..Self::none() }
    }

    fn walk(walk: Walk) -> Self {
        Self { direction: walk.scan().direction, walk: Some(walk), ..Self::none() }
    }

    /// The next records, about as many as wanted. None at the end.
    pub(super) async fn next(&mut self, execution: &Execution, wanted: usize) -> Result<Vec<Record>> {
        let Some(walk) = &mut self.walk else {
            return Ok(self.sorted.drain(..wanted.min(self.sorted.len())).collect());
        };
        if let Some(Through(child)) = walk.scan().through {
            let (records, known) = through(walk, child.relation.to, &mut self.last, execution, wanted).await?;
            self.known = known;
            return Ok(records);
        }
        loop {
            let walk = self.walk.as_mut().ok_or_else(Error::fault)?;
            if self.ahead.len() < wanted {
                self.ahead.extend(walk.next(&execution.store, wanted - self.ahead.len()).await?);
            }
            let is_over = walk.left() == Some(0);
            let merged = self.merge(wanted, is_over);
            if !merged.is_empty() || (is_over && self.ahead.is_empty()) {
                return Ok(merged);
            }
        }
    }

    /// The next of both, in order; what both have comes once. Where the walk goes on, no further than it has come.
    fn merge(&mut self, wanted: usize, is_over: bool) -> Vec<Record> {
        let mut merged: Vec<Record> = Vec::new();
        while merged.len() < wanted {
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

/// The records that those of a walk belong to, each once, and what they keep.
async fn through(
    walk: &mut Walk,
    to: &'static Resource,
    last: &mut Option<Key>,
    execution: &Execution,
    wanted: usize,
) -> Result<(Vec<Record>, Loaded)> {
    loop {
        let parts = walk.next(&execution.store, wanted).await?;
        let mut keys: Vec<_> = parts.iter().filter_map(Record::holder).filter(|key| key.resource == to).collect();
        keys.dedup();
        keys.retain(|key| Some(*key) != *last);
        *last = keys.last().copied().or(*last);
        let wanted: Wanted = keys.iter().map(|key| Wanted::one(*key, true)).collect();
        let mut loaded = execution.store.load(&wanted, Consistency::Eventual).await?;
        let found: Vec<_> = keys.iter().filter_map(|key| loaded.records.remove(key)).collect();
        // What they belong to may be gone already, and the walk not yet at its end.
        if !found.is_empty() || parts.is_empty() {
            return Ok((found, loaded));
        }
    }
}
