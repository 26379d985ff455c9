//! Listing records: the matches of a search, in pages, with everything embedded.
//!
//! A page costs what it shows, and at most [`BUDGET`] besides: reading stops when the page is full, when nothing is left,
//! or when so much was read that does not match.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use super::resolve::Place;
use super::{Execution, Reply};
use crate::error::{Error, Result};
use crate::plan::{self, Loaded, Scan, Second, Source, Through, Wanted, json_size};
use crate::request::{Direction, List, Path};
use crate::resources;
use crate::schema::{Key, Position, Record, Resource, Test};
use crate::store::{Consistency, Walk, in_parallel};

/// The most JSON in one response, in bytes: the platform takes 6 MB.
const MAX_JSON: usize = 5_000_000;
/// The most that the JSON may take inside the platform's own JSON, where quotes and backslashes are escaped.
const MAX_ESCAPED: usize = 5_900_000;
/// How many records are looked at in one go where a page has no limit.
const CHUNK: usize = 1_000;
/// Up to so many matches in the index of the second time are sorted; beyond, they are dense enough in the list's own order.
const MAX_SORTED: usize = 1_000;
/// So many records of a search tell how dense its matches are.
const TELLING: usize = 30;
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
        let holder = async {
            match bound {
                Some(bound) => self.store.get(bound.to).await?.map(drop).ok_or_else(|| Error::absent(bound.to)),
                None => Ok(()),
            }
        };
        let ((), page) = tokio::try_join!(holder, self.page(&list))?;
        let next_page = page.next.map(|position| list.next_page(position));
        Ok(Reply { next_page, ..Reply::json(&Json::Null) }.with_list(&page.shown))
    }

    async fn page(&self, list: &List) -> Result<Page> {
        let (mut page, started) = (Page::default(), Instant::now());
        let mut found = self.find(list).await?;
        let mut pending = VecDeque::new();
        let mut budget = Budget::default();
        let mut wanted = list.limit.map_or(CHUNK, |limit| limit + 1);
        loop {
            let before = self.store.cost().read_units();
            let records = found.next(self, budget.affordable(wanted)).await?;
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
            let is_enough = list.limit.is_none_or(|limit| page.shown.len() + pending.len() > limit);
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
            wanted = (wanted * 2).min(CHUNK);
        }
    }

    /// Shows pending matches until the page is full, which it answers, or none is left.
    async fn fill(&self, list: &List, page: &mut Page, pending: &mut VecDeque<Record>, known: &Loaded) -> Result<bool> {
        while !pending.is_empty() {
            let room = list.limit.map_or(CHUNK, |limit| limit - page.shown.len());
            if room == 0 {
                page.next = page.last;
                return Ok(true);
            }
            let batch = pending.drain(..room.min(pending.len())).collect();
            let (batch, rest, loaded) = self.load_batch(list, page, batch, known).await?;
            rest.into_iter().rev().for_each(|record| pending.push_front(record));
            for record in batch {
                let is_match = plan::is_matched(list, &record, &loaded);
                let Some(shown) = is_match.then(|| plan::show(&record, &loaded, true, &self.base)).flatten() else {
                    continue;
                };
                if !page.add(shown.to_string(), record.position()) {
                    page.next = page.last;
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// As many records as the page may have room for, with what is embedded in them, and the rest: how much it is is known
    /// before all of it is read.
    async fn load_batch(
        &self,
        list: &List,
        page: &Page,
        mut batch: Vec<Record>,
        known: &Loaded,
    ) -> Result<(Vec<Record>, Vec<Record>, Loaded)> {
        let wanted: Wanted = batch.iter().map(|record| plan::needed_to_show(record, known, true)).collect();
        let mut loaded = known.clone();
        loaded.extend(self.store.load(&wanted, Consistency::Eventual).await?);
        let asks_parts = list.conditions.iter().any(|one| one.filter.test == Test::HasPart);
        let mut size = page.json;
        let fits = batch.iter().take_while(|record| {
            size += usize::try_from(least_size(record, &loaded)).unwrap_or(usize::MAX);
            asks_parts || size <= MAX_JSON
        });
        let fitting = fits.count().max(1).min(batch.len());
        let rest = batch.split_off(fitting);
        let loaded = self.load_to_show(&batch, loaded, true, Consistency::Eventual).await?;
        Ok((batch, rest, loaded))
    }

    /// Where the matches of a list come from.
    async fn find(&self, list: &List) -> Result<Found> {
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
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            // The page that reaches further has fewer records to the time.
            (None, None) if descending => one.reach().cmp(&two.reach()),
            (None, None) => two.reach().cmp(&one.reach()),
        });
        shortest.ok_or_else(Error::fault)
    }
}

/// How much JSON a record is at least, with what it keeps: sizes are counted from above, and no more than twice too large.
fn least_size(record: &Record, loaded: &Loaded) -> i64 {
    let bytes = |key: &Key| loaded.states.get(key).map_or(0, plan::State::bytes);
    let kept = resources::children(record.key.resource).iter();
    let kept = kept.filter_map(|child| loaded.slot(record, *child).flatten());
    (json_size(record) + bytes(&record.key) + kept.map(|key| bytes(&key)).sum::<i64>()) / 2
}

/// How many records tell how many there may be.
fn first_page(list: &List) -> usize {
    list.limit.map_or(TELLING, |limit| limit + 1).min(TELLING)
}

/// Where matches come from, in the order of the list.
struct Found {
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
    known: Loaded,
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
    async fn next(&mut self, execution: &Execution, wanted: usize) -> Result<Vec<Record>> {
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
    fn affordable(&self, wanted: usize) -> usize {
        if self.each == 0.0 {
            return wanted;
        }
        let most = ((BUDGET - self.spent) / self.each).max(1.0);
        wanted.min(most as usize)
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
    shown: Vec<String>,
    json: usize,
    escaped: usize,
    last: Option<Position>,
    /// Where the next page starts, if there is one.
    next: Option<Position>,
}

impl Page {
    /// Adds a match, unless it would be too much.
    fn add(&mut self, json: String, position: Position) -> bool {
        let size = json.len() + 1;
        let escapes = json.bytes().filter(|byte| matches!(byte, b'"' | b'\\')).count();
        let too_much = self.json + size > MAX_JSON || self.escaped + size + escapes > MAX_ESCAPED;
        if too_much && !self.shown.is_empty() {
            return false;
        }
        self.json += size;
        self.escaped += size + escapes;
        self.shown.push(json);
        self.last = Some(position);
        true
    }
}

impl Reply {
    fn with_list(self, shown: &[String]) -> Self {
        Self { body: format!("[{}]", shown.join(",")), ..self }
    }
}
