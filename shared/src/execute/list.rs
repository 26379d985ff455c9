//! Listing records: the plan of the filters, then pages of matches with everything embedded.
//!
//! A plan goes by the most selective index that the filters have, and tests the other filters on what it
//! finds. A page is filled with matches; reading stops when it is full.

use std::time::{Duration, Instant};

use aws_sdk_dynamodb::types::AttributeValue;
use serde_json::Value as Json;

use super::resolve::{Place, absent};
use super::view::view;
use super::{Execution, Reply};
use crate::error::{Error, Result};
use crate::query::{Condition, List, Operand};
use crate::record::{Key, Position, Record};
use crate::resource::{Access, Index, Kind, Test};
use crate::resources::BY_TIME;
use crate::route::Path;
use crate::store::{Consistency, Direction, Loaded, Scope, Walk, flag, in_parallel, lookup_value};
use crate::value::{Timestamp, Value};

/// The most JSON in one response, in bytes: the platform takes 6 MB.
const MAX_JSON: usize = 5_000_000;
/// The most that the JSON may take inside the platform's own JSON, where quotes and backslashes are escaped.
const MAX_ESCAPED: usize = 5_900_000;
/// How many records are looked at in one go where a page has no limit.
const CHUNK: usize = 1_000;
/// Up to so many matches of a time that is not the list's own are sorted; beyond, the list's own order is
/// walked and they are dense enough in it.
const MAX_SORTED: usize = 1_000;
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
                Some(bound) => self.store.get(bound.to).await?.map(drop).ok_or_else(|| absent(bound.to)),
                None => Ok(()),
            }
        };
        let ((), page) = tokio::try_join!(holder, self.page(&list))?;
        let next_page = page.more.then(|| page.last.map(|last| list.next_page(last))).flatten();
        Ok(Reply { next_page, ..Reply::ok(&Json::Null) }.with_list(&page.shown))
    }

    async fn page(&self, list: &List) -> Result<Page> {
        let mut page = Page::default();
        let started = Instant::now();
        let mut source = self.plan(list).await?;
        let mut wanted = list.limit.map_or(CHUNK, |limit| limit + 1);
        loop {
            let (found, known) = source.next(self, wanted).await?;
            if found.is_empty() {
                return Ok(page);
            }
            let reached = found.last().map(Record::position);
            let matching =
                found.into_iter().filter(|record| list.conditions.iter().all(|condition| condition.matches(record)));
            let mut matching: Vec<_> = matching.collect();
            let loaded = self.embed(&mut matching, known, Consistency::Eventual, true).await?;
            for record in &matching {
                let held = list.conditions.iter().all(|condition| holds(condition, record, &loaded));
                let Some(shown) = held.then(|| view(record, &loaded, true)).flatten() else { continue };
                if !page.add(shown.to_string(), record.position(), list.limit) {
                    return Ok(page);
                }
            }
            if started.elapsed() > LONGEST_SEARCH {
                return Ok(Page { more: true, last: reached, ..page });
            }
            // What is rare among the records is looked for in growing steps.
            wanted = (wanted * 2).min(CHUNK);
        }
    }

    /// How the matches of a list are found.
    async fn plan(&self, list: &List) -> Result<Source> {
        let order = bounds(list, |access| matches!(access, Access::Order));
        let scope = |index, resource, hash| Scope {
            index,
            resource,
            hash,
            from: order.0,
            to: order.1,
            direction: list.direction,
            after: list.after,
        };
        if let Some(id) = list.conditions.iter().find_map(key) {
            return Ok(Source::Found(self.found(list, Key::new(list.resource, id)).await?));
        }
        if let Some((condition, index)) = equality(list, |index| !index.sharded()) {
            return Ok(Source::Walk(Walk::new(scope(index, list.resource, hash(condition, index)))));
        }
        let through =
            list.conditions.iter().find_map(|condition| match (condition.filter.access, condition.filter.test) {
                (Access::Through(index), Test::Holds(held)) => Some((condition, index, held)),
                _ => None,
            });
        if let Some((condition, index, held)) = through {
            let holder = held.parent.as_ref().ok_or_else(Error::fault)?.by;
            let walk = Walk::new(scope(index, held, hash(condition, index)));
            return Ok(Source::Through { walk, holder, last: None });
        }
        if let Some(sorted) = self.sorted(list).await? {
            return Ok(Source::Found(sorted));
        }
        if let Some((condition, index)) = equality(list, Index::sharded) {
            return Ok(Source::Walk(Walk::new(scope(index, list.resource, hash(condition, index)))));
        }
        Ok(Source::Walk(Walk::new(scope(&BY_TIME, list.resource, Vec::new()))))
    }

    /// The record with the identifier that is asked for, unless a page before had it.
    async fn found(&self, list: &List, key: Key) -> Result<Vec<Record>> {
        let found = self.store.get(key).await?.filter(|record| comes_after(list, record.position()));
        Ok(found.into_iter().collect())
    }

    /// The matches of a range of a time with an order of its own, put into the list's order; `None` when
    /// there is no such range, or there are too many.
    async fn sorted(&self, list: &List) -> Result<Option<Vec<Record>>> {
        let index = list.conditions.iter().find_map(|condition| match condition.filter.access {
            Access::Range(index) => Some(index),
            _ => None,
        });
        let Some(index) = index else { return Ok(None) };
        let (from, to) = bounds(list, |access| matches!(access, Access::Range(_)));
        let (resource, hash) = (list.resource, Vec::new());
        let scope = Scope { index, resource, hash, from, to, direction: Direction::Descending, after: None };
        let mut records = Walk::new(scope).next(&self.store, MAX_SORTED + 1).await?;
        if records.len() > MAX_SORTED {
            return Ok(None);
        }
        records.retain(|record| comes_after(list, record.position()));
        records.sort_by_key(Record::position);
        if list.direction == Direction::Descending {
            records.reverse();
        }
        Ok(Some(records))
    }
}

/// Where the records of a list come from, in its order.
enum Source {
    /// They are here already.
    Found(Vec<Record>),
    /// From an index in the list's order.
    Walk(Walk),
    /// From an index of the records that they hold, which refer to them by `holder`.
    Through { walk: Walk, holder: &'static str, last: Option<Key> },
}

impl Source {
    /// The next records, about as many as wanted, and what was read along with them. None at the end.
    async fn next(&mut self, execution: &Execution, wanted: usize) -> Result<(Vec<Record>, Loaded)> {
        match self {
            Self::Found(records) => Ok((records.drain(..wanted.min(records.len())).collect(), Loaded::new())),
            Self::Walk(walk) => Ok((walk.next(&execution.store, wanted).await?, Loaded::new())),
            Self::Through { walk, holder, last } => loop {
                let held = walk.next(&execution.store, wanted).await?;
                let mut keys: Vec<_> = held.iter().filter_map(|held| holder_of(held, holder)).collect();
                keys.dedup();
                keys.retain(|key| Some(*key) != *last);
                *last = keys.last().copied().or(*last);
                let found = execution.holders_in_order(keys).await?;
                // What holds them may be gone already, and the walk not yet at its end.
                if !found.0.is_empty() || held.is_empty() {
                    return Ok(found);
                }
            },
        }
    }
}

impl Execution {
    /// Records by key, in this order, together with what each holds: found by index, as their own list of it
    /// would take another round trip.
    async fn holders_in_order(&self, keys: Vec<Key>) -> Result<(Vec<Record>, Loaded)> {
        let held = in_parallel(keys.iter().map(|key| self.held_by(*key)));
        let (mut records, held) = tokio::try_join!(self.store.get_all(keys.clone(), Consistency::Eventual), held)?;
        let known = held.into_iter().flatten().map(|record| (record.key, record)).collect();
        Ok((keys.iter().filter_map(|key| records.remove(key)).collect(), known))
    }

    /// All that a record holds many of.
    async fn held_by(&self, key: Key) -> Result<Vec<Record>> {
        let held = key.resource.fields.iter().find_map(|field| match field.kind {
            Kind::Many { resource, .. } => Some(resource),
            _ => None,
        });
        let Some(mut walk) = held.and_then(|held| super::delete::children(held, key)) else { return Ok(Vec::new()) };
        walk.next(&self.store, CHUNK).await
    }
}

fn holder_of(held: &Record, by: &str) -> Option<Key> {
    let rule = held.key.resource.parent.as_ref()?;
    Some(Key::new(rule.resource, held.reference(by)?))
}

/// The identifier that a condition asks for.
fn key(condition: &Condition) -> Option<crate::value::Id> {
    match (condition.filter.access, &condition.operand) {
        (Access::Key, Operand::Value(Value::Id(id))) => Some(*id),
        _ => None,
    }
}

/// The first condition of equality whose index fits; filters are declared the most selective first.
fn equality(list: &List, fits: impl Fn(&Index) -> bool) -> Option<(&Condition, &'static Index)> {
    list.resource.filters.iter().find_map(|filter| match filter.access {
        Access::Index(index) if fits(index) => {
            let condition = list.conditions.iter().find(|condition| std::ptr::eq(condition.filter, filter))?;
            Some((condition, index))
        }
        _ => None,
    })
}

/// What an index looks up for a condition.
fn hash(condition: &Condition, index: &'static Index) -> Vec<(&'static str, AttributeValue)> {
    let value = match &condition.operand {
        Operand::Value(value) => lookup_value(condition.filter, index, value),
        Operand::Flag(truth) => flag(*truth),
    };
    index.key_attribute().map(|name| (name, value)).into_iter().collect()
}

/// The first and the last moment, both inclusive, that the filters of one kind of access leave.
fn bounds(list: &List, of: impl Fn(Access) -> bool) -> (Option<Timestamp>, Option<Timestamp>) {
    let times = |test| {
        let tested = list.conditions.iter().filter(move |condition| condition.filter.test == test);
        tested.filter(|condition| of(condition.filter.access)).filter_map(Condition::time).collect::<Vec<_>>()
    };
    // Past the last moment there is nothing after, and the test of the condition itself says so.
    let from = times(Test::After).into_iter().max().map(|time| time.successor().unwrap_or(time));
    let to = times(Test::Before).into_iter().min().map(|time| time.predecessor().unwrap_or(time));
    (from, to)
}

fn comes_after(list: &List, position: Position) -> bool {
    list.after.is_none_or(|after| match list.direction {
        Direction::Descending => position < after,
        Direction::Ascending => position > after,
    })
}

/// Whether a record holds one that a condition asks for; true for every other condition.
fn holds(condition: &Condition, record: &Record, loaded: &Loaded) -> bool {
    let (Test::Holds(held), Operand::Value(wanted)) = (condition.filter.test, &condition.operand) else { return true };
    let held_in = record.key.resource.fields.iter().find_map(|field| match field.kind {
        Kind::Many { resource, ids } if resource == held => Some(ids),
        _ => None,
    });
    let mut keys = record.references(held_in.unwrap_or_default()).map(|id| Key::new(held, id));
    keys.any(|key| loaded.get(&key).is_some_and(|held| held.get(condition.filter.field) == Some(wanted)))
}

/// A page being filled.
#[derive(Default)]
struct Page {
    shown: Vec<String>,
    json: usize,
    escaped: usize,
    last: Option<Position>,
    more: bool,
}

impl Page {
    /// Adds a match, unless the page is full without it: then there is more.
    fn add(&mut self, json: String, position: Position, limit: Option<usize>) -> bool {
        let size = json.len() + 1;
        let escapes = json.bytes().filter(|byte| matches!(byte, b'"' | b'\\')).count();
        let too_much = self.json + size > MAX_JSON || self.escaped + size + escapes > MAX_ESCAPED;
        if limit == Some(self.shown.len()) || (too_much && !self.shown.is_empty()) {
            self.more = true;
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
