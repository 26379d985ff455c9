//! Listing records: what was found, in pages, with everything embedded.
//!
//! A page costs what it shows, and at most [`BUDGET`] besides: reading stops when the page is full, when nothing is left,
//! or when so much was read that does not match.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::json_array::{JsonArray, MAX_JSON};
use super::read::READS;
use super::resolve::Place;
use super::{Execution, Reply};
use crate::error::{Error, Result};
use crate::plan::{self, ReadSet, Snapshot, json_size};
use crate::request::{List, Path};
use crate::resources;
use crate::schema::{Depth, Key, Position, Record, Test};
use crate::store::Consistency;

/// How many records are looked at in one go where a page has no limit.
const CHUNK: usize = 1_000;
/// The read units that one request spends on what it does not show: the contract's 500, less what is read ahead.
const BUDGET: f64 = 450.0;
/// After this long a page ends as it is: the gateway would give up soon.
const LONGEST_SEARCH: Duration = Duration::from_secs(20);

impl Execution {
    /// GET of many records.
    pub(super) async fn list(&self, path: &Path, mut list: List) -> Result<Reply> {
        let Place::Many { bound, .. } = self.resolve(path).await? else { return Err(Error::no_route()) };
        if let Some(bound) = bound {
            list.bind(bound.field, bound.to.id);
        }
        // Whether the holder is there is read along with the list.
        let parent = async {
            match bound {
                Some(bound) => self.store.get(bound.to).await?.map(drop).ok_or_else(|| Error::absent(bound.to)),
                None => Ok(()),
            }
        };
        let ((), page) = tokio::try_join!(parent, self.page(&list))?;
        let next_page = page.next.map(|position| list.next_page(position));
        Ok(Reply { next_page, ..Reply::with("application/json", page.rendered.to_json()) })
    }

    async fn page(&self, list: &List) -> Result<Page> {
        let (mut page, started) = (Page::default(), Instant::now());
        let mut found = self.find(list).await?;
        let mut pending = VecDeque::new();
        let mut budget = Budget::default();
        let mut read_set = list.limit.map_or(CHUNK, |limit| limit + 1);
        loop {
            let before = self.store.cost().read_units();
            let records = found.next(self, budget.affordable(read_set)).await?;
            let Some(reached) = records.last().map(Record::position) else {
                self.fill(list, &mut page, &mut pending, &found.known).await?;
                return Ok(page);
            };
            let looked_at = records.len();
            let matching = records.into_iter().filter(|record| list.conditions.iter().all(|one| one.matches(record)));
            let already = pending.len();
            pending.extend(matching);
            budget.spend(self.store.cost().read_units() - before, looked_at, pending.len() - already);
            // One more than is shown tells that there is more.
            let is_enough = list.limit.is_none_or(|limit| page.rendered.len() + pending.len() > limit);
            if is_enough && self.fill(list, &mut page, &mut pending, &found.known).await? {
                return Ok(page);
            }
            if budget.is_spent() || started.elapsed() > LONGEST_SEARCH {
                if !self.fill(list, &mut page, &mut pending, &found.known).await? {
                    page.next = Some(reached);
                }
                return Ok(page);
            }
            // What is rare among the records is looked for in growing steps.
            read_set = (read_set * 2).min(CHUNK);
        }
    }

    /// Shows pending matches until the page is full, which it answers, or none is left.
    async fn fill(
        &self,
        list: &List,
        page: &mut Page,
        pending: &mut VecDeque<Record>,
        known: &Snapshot,
    ) -> Result<bool> {
        while !pending.is_empty() {
            let room = list.limit.map_or(CHUNK, |limit| limit - page.rendered.len());
            if room == 0 {
                page.next = page.last;
                return Ok(true);
            }
            let batch = pending.drain(..room.min(pending.len())).collect();
            let (batch, rest, snapshot) = self.load_batch(list, page, batch, known).await?;
            rest.into_iter().rev().for_each(|record| pending.push_front(record));
            for record in batch {
                // An index may lag, and what the record embeds was read later: a record whose parts do not fit is read again.
                let torn = snapshot.torn(&record, Depth::TopLevel);
                let Some((record, snapshot)) = self.whole(&record, &snapshot, torn).await? else { continue };
                let is_match = plan::is_matched(list, &record, &snapshot);
                let Some(rendered) =
                    is_match.then(|| plan::render(&record, &snapshot, Depth::TopLevel, &self.base)).flatten()
                else {
                    continue;
                };
                if !page.add(rendered.to_string(), record.position()) {
                    page.next = page.last;
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// A record with all that it shows, as all of it was at one moment: read anew where it is torn; `None` when it is gone.
    pub(super) async fn whole<'a>(
        &self,
        record: &'a Record,
        snapshot: &'a Snapshot,
        torn: bool,
    ) -> Result<Option<(Cow<'a, Record>, Cow<'a, Snapshot>)>> {
        if !torn {
            return Ok(Some((Cow::Borrowed(record), Cow::Borrowed(snapshot))));
        }
        for _ in 0..READS {
            let Some(record) = self.store.get(record.key).await? else { return Ok(None) };
            let records = std::slice::from_ref(&record);
            let snapshot =
                self.load_to_render(records, Snapshot::default(), Depth::TopLevel, Consistency::Strong).await?;
            if !snapshot.torn(&record, Depth::TopLevel) {
                return Ok(Some((Cow::Owned(record), Cow::Owned(snapshot))));
            }
        }
        Err(Error::unavailable())
    }

    /// As many records as the page may have room for, with what is embedded in them, and the rest: how much it is is known
    /// before all of it is read.
    async fn load_batch(
        &self,
        list: &List,
        page: &Page,
        mut batch: Vec<Record>,
        known: &Snapshot,
    ) -> Result<(Vec<Record>, Vec<Record>, Snapshot)> {
        let read_set: ReadSet =
            batch.iter().map(|record| plan::needed_to_render(record, known, Depth::TopLevel)).collect();
        let mut snapshot = known.clone();
        snapshot.extend(self.store.load(&read_set, Consistency::Eventual).await?);
        let asks_parts = list.conditions.iter().any(|one| one.filter.test == Test::HasPart);
        let mut size = page.rendered.json;
        let fits = batch.iter().take_while(|record| {
            size += usize::try_from(least_size(record, &snapshot)).unwrap_or(usize::MAX);
            asks_parts || size <= MAX_JSON
        });
        let fitting = fits.count().max(1).min(batch.len());
        let rest = batch.split_off(fitting);
        let snapshot = self.load_to_render(&batch, snapshot, Depth::TopLevel, Consistency::Eventual).await?;
        Ok((batch, rest, snapshot))
    }
}

/// How much JSON a record is at least, with what it keeps: sizes are counted from above, and no more than twice too large.
fn least_size(record: &Record, snapshot: &Snapshot) -> i64 {
    let bytes = |key: &Key| snapshot.states.get(key).map_or(0, plan::State::bytes);
    let embedded = resources::children(record.key.resource).iter();
    let embedded = embedded.filter_map(|child| snapshot.slot(record, *child).flatten());
    (json_size(record) + bytes(&record.key) + embedded.map(|key| bytes(&key)).sum::<i64>()) / 2
}

/// What one request may spend on what it does not show.
#[derive(Default)]
struct Budget {
    spent: f64,
    /// What one record has cost, as far as is known.
    each: f64,
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "counts of at most some thousands"
)]
impl Budget {
    /// As many of the wanted records as are left to be paid for, should none of them match.
    fn affordable(&self, read_set: usize) -> usize {
        if self.each == 0.0 {
            return read_set;
        }
        let most = ((BUDGET - self.spent) / self.each).max(1.0);
        read_set.min(most as usize)
    }

    fn spend(&mut self, units: f64, looked_at: usize, matching: usize) {
        self.each = units / looked_at.max(1) as f64;
        self.spent += self.each * (looked_at - matching.min(looked_at)) as f64;
    }

    fn is_spent(&self) -> bool {
        self.spent + self.each >= BUDGET
    }
}

/// A page being filled.
#[derive(Default)]
struct Page {
    rendered: JsonArray,
    last: Option<Position>,
    /// Where the next page starts, if there is one.
    next: Option<Position>,
}

impl Page {
    /// Adds a match, unless it would be too much.
    fn add(&mut self, json: String, position: Position) -> bool {
        if !self.rendered.add(json) {
            return false;
        }
        self.last = Some(position);
        true
    }
}
