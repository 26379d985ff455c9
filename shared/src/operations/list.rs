//! Paginated lists of records, with all embedded records.
//!
//! A page costs the reads of the records that it returns, and at most [`BUDGET`] for records that do not match. Reading
//! stops when the page is full, when all records are read, or when the budget is spent.

mod matches;
pub(super) mod plan;

pub use plan::{Secondary, Source, search};

use std::borrow::Cow;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::json_array::{JsonArray, MAX_JSON};
use super::read::READ_ATTEMPTS;
use super::read::render::render;
use super::resolver::ResolvedPath;
use super::{Execution, Response};
use crate::error::{Error, Result};
use crate::request::{ListQuery, Path};
use crate::resources;
use crate::schema::{Depth, Key, Operator, Record, SortKey};
use crate::store::Consistency;
use crate::table::{self, ReadSet, Snapshot, json_size};

/// Number of records to examine in one step of a page without a limit.
const CHUNK: usize = 1_000;
/// Read units that a request may spend on records that it does not return. `docs/api.md` promises 500, which includes
/// reading ahead.
const BUDGET: f64 = 450.0;
/// Time after which a page ends early. The gateway times out soon after.
const MAX_SEARCH_TIME: Duration = Duration::from_secs(20);

impl Execution {
    /// Executes GET of a collection.
    pub(super) async fn list(&self, path: &Path, mut list: ListQuery) -> Result<Response> {
        let ResolvedPath::Collection { bound, .. } = self.resolve(path).await? else { return Err(Error::no_route()) };
        if let Some(bound) = bound {
            list.bind(bound.field, bound.to.id);
        }
        // The check that the parent exists runs in parallel with the first page.
        let parent = async {
            match bound {
                Some(bound) => self.store.get(bound.to).await?.map(drop).ok_or_else(|| bound.to.not_found()),
                None => Ok(()),
            }
        };
        let ((), page) = tokio::try_join!(parent, self.page(&list))?;
        let next_page = page.next.map(|sort_key| list.next_page(&sort_key));
        Ok(Response { next_page, ..Response::new("application/json", page.rendered.to_json()) })
    }

    async fn page(&self, list: &ListQuery) -> Result<ListPage> {
        let (mut page, started) = (ListPage::default(), Instant::now());
        let mut matches = self.find(list).await?;
        let mut pending = VecDeque::new();
        let mut budget = Budget::default();
        let mut count = list.limit.map_or(CHUNK, |limit| limit + 1);
        loop {
            let units_before = self.store.cost().read_units();
            let records = matches.next(self, budget.affordable(count)).await?;
            let Some(last_examined) = records.last().map(|record| list.sort_key(record)) else {
                self.fill(list, &mut page, &mut pending, &matches.states).await?;
                return Ok(page);
            };
            let examined = records.len();
            let matching = records.into_iter().filter(|record| list.matches(record));
            let pending_before = pending.len();
            pending.extend(matching);
            budget.spend(self.store.cost().read_units() - units_before, examined, pending.len() - pending_before);
            // One match beyond the limit proves that a next page exists.
            let is_enough = list.limit.is_none_or(|limit| page.rendered.len() + pending.len() > limit);
            if is_enough && self.fill(list, &mut page, &mut pending, &matches.states).await? {
                return Ok(page);
            }
            if budget.is_spent() || started.elapsed() > MAX_SEARCH_TIME {
                if !self.fill(list, &mut page, &mut pending, &matches.states).await? {
                    page.next = Some(last_examined);
                }
                return Ok(page);
            }
            // If matches are rare, the steps grow.
            count = (count * 2).min(CHUNK);
        }
    }

    /// Renders pending matches into the page. Returns true if the page is full, or false if no matches remain.
    async fn fill(
        &self,
        list: &ListQuery,
        page: &mut ListPage,
        pending: &mut VecDeque<Record>,
        states: &Snapshot,
    ) -> Result<bool> {
        while !pending.is_empty() {
            let remaining = list.limit.map_or(CHUNK, |limit| limit - page.rendered.len());
            // A filter by children is tested below. Before that, pending records do not prove a next page.
            let by_child = filters_by_child(list);
            if remaining == 0 && !by_child {
                page.next.clone_from(&page.last);
                return Ok(true);
            }
            let batch_size = if by_child { pending.len() } else { remaining.min(pending.len()) };
            let batch = pending.drain(..batch_size).collect();
            let (batch, rest, snapshot) = self.load_batch(list, page, batch, states).await?;
            rest.into_iter().rev().for_each(|record| pending.push_front(record));
            for mut record in batch {
                snapshot.complete(&mut record);
                // An index may lag, and embedded records are read later. If they are inconsistent, all are read again.
                let is_inconsistent = snapshot.is_inconsistent(&record, Depth::TopLevel);
                let Some((record, snapshot)) = self.reload_if_inconsistent(&record, &snapshot, is_inconsistent).await?
                else {
                    continue;
                };
                let is_match = plan::matches_child_conditions(list, &record, &snapshot);
                let Some(rendered) =
                    is_match.then(|| render(&record, &snapshot, Depth::TopLevel, &self.base)).flatten()
                else {
                    continue;
                };
                let is_full = list.limit.is_some_and(|limit| page.rendered.len() == limit);
                if is_full || !page.add(rendered, list.sort_key(&record)) {
                    page.next.clone_from(&page.last);
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Reads an inconsistent record again, with everything that GET renders, until the reads are consistent. Returns
    /// `None` if the record no longer exists.
    pub(crate) async fn reload_if_inconsistent<'a>(
        &self,
        record: &'a Record,
        snapshot: &'a Snapshot,
        is_inconsistent: bool,
    ) -> Result<Option<(Cow<'a, Record>, Cow<'a, Snapshot>)>> {
        if !is_inconsistent {
            return Ok(Some((Cow::Borrowed(record), Cow::Borrowed(snapshot))));
        }
        for _ in 0..READ_ATTEMPTS {
            let Some(mut record) = self.store.get(record.key).await? else { return Ok(None) };
            let records = std::slice::from_ref(&record);
            let snapshot =
                self.store.load_to_render(records, Snapshot::default(), Depth::TopLevel, Consistency::Strong).await?;
            snapshot.complete(&mut record);
            if !snapshot.is_inconsistent(&record, Depth::TopLevel) {
                return Ok(Some((Cow::Owned(record), Cow::Owned(snapshot))));
            }
        }
        Err(Error::unavailable())
    }

    /// Splits a batch into the records that may fit into the page and the rest. Only the embedded records of the first
    /// part are read, as sizes can be estimated without these reads.
    async fn load_batch(
        &self,
        list: &ListQuery,
        page: &ListPage,
        mut batch: Vec<Record>,
        states: &Snapshot,
    ) -> Result<(Vec<Record>, Vec<Record>, Snapshot)> {
        let reads: ReadSet =
            batch.iter().map(|record| table::reads_to_render(record, states, Depth::TopLevel)).collect();
        let mut snapshot = states.clone();
        snapshot.extend(self.store.load(&reads, Consistency::Eventual).await?);
        let mut size = page.rendered.json;
        let fits = batch.iter().take_while(|record| {
            size += usize::try_from(min_size(record, &snapshot)).unwrap_or(usize::MAX);
            filters_by_child(list) || size <= MAX_JSON
        });
        let fitting_count = fits.count().max(1).min(batch.len());
        let rest = batch.split_off(fitting_count);
        let snapshot = self.store.load_to_render(&batch, snapshot, Depth::TopLevel, Consistency::Eventual).await?;
        Ok((batch, rest, snapshot))
    }
}

fn filters_by_child(list: &ListQuery) -> bool {
    list.conditions.iter().any(|condition| condition.filter.operator == Operator::HasChild)
}

/// Estimates a lower bound of a record's rendered size, in bytes. The counted sizes are at most twice the actual sizes.
fn min_size(record: &Record, snapshot: &Snapshot) -> i64 {
    let bytes = |key: &Key| snapshot.states.get(key).map_or(0, table::State::bytes);
    let embedded = resources::children(record.key.resource).iter();
    let embedded = embedded.filter_map(|child| snapshot.slot(record, *child).key());
    (json_size(record) + bytes(&record.key) + embedded.map(|key| bytes(&key)).sum::<i64>()) / 2
}

/// Read units that a request spends on records that it does not return.
#[derive(Default)]
struct Budget {
    spent: f64,
    /// Read units per record in the last read, or zero before the first.
    per_record: f64,
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "counts of at most some thousands"
)]
impl Budget {
    /// Returns how many of `count` records the remaining budget covers if none of them matches.
    fn affordable(&self, count: usize) -> usize {
        if self.per_record == 0.0 {
            return count;
        }
        let affordable = ((BUDGET - self.spent) / self.per_record).max(1.0);
        count.min(affordable as usize)
    }

    fn spend(&mut self, units: f64, examined: usize, matching: usize) {
        self.per_record = units / examined.max(1) as f64;
        self.spent += self.per_record * (examined - matching.min(examined)) as f64;
    }

    fn is_spent(&self) -> bool {
        self.spent + self.per_record >= BUDGET
    }
}

/// A page under construction.
#[derive(Default)]
struct ListPage {
    rendered: JsonArray,
    last: Option<SortKey>,
    /// Sort key after which the next page starts, or `None` for the last page.
    next: Option<SortKey>,
}

impl ListPage {
    /// Adds a match unless the page would become too large. Returns true if it was added.
    fn add(&mut self, json: String, sort_key: SortKey) -> bool {
        if !self.rendered.add(json) {
            return false;
        }
        self.last = Some(sort_key);
        true
    }
}
