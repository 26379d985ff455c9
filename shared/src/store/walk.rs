//! Walking an index in order: all its partitions at once, merged.

use std::collections::VecDeque;

use aws_sdk_dynamodb::types::{AttributeValue, ReturnConsumedCapacity};
use futures_util::future::try_join_all;

use super::fault::fault;
use super::item::{Item, from_item, number, text};
use super::{SHARDS, Store};
use crate::error::Result;
use crate::record::{Key, Position, Record};
use crate::resource::{Index, Resource};
use crate::value::{MAX_INTEGER, Timestamp};

/// The most items that one Query asks for.
const LARGEST_QUERY: usize = 1_000;

/// The text, in bytes, that is enough for one go: no response takes more.
const HEAVIEST: usize = 6_000_000;

/// Which end of a list comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Newest first.
    Descending,
    /// Oldest first.
    Ascending,
}

/// The part of an index that a walk passes over.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The index.
    pub index: &'static Index,
    /// The resource of its records.
    pub resource: &'static Resource,
    /// Its partition attributes but `resource` and `shard`.
    pub hash: Vec<(&'static str, AttributeValue)>,
    /// The first moment, inclusive.
    pub from: Option<Timestamp>,
    /// The last moment, inclusive.
    pub to: Option<Timestamp>,
    /// Which end comes first.
    pub direction: Direction,
    /// Where the walk goes on, exclusive.
    pub after: Option<Position>,
}

/// A walk in progress. It reads ahead no more than it must to merge.
pub struct Walk {
    scope: Scope,
    lanes: Vec<Lane>,
}

/// One partition of the index.
struct Lane {
    shard: Option<u64>,
    read: VecDeque<Record>,
    next: Option<Item>,
    ended: bool,
}

impl Walk {
    /// A walk over a scope, from its start.
    pub fn new(mut scope: Scope) -> Self {
        // The key to start after is far from the range's own bound: as the bound it costs nothing to find.
        if let Some(Position { time, .. }) = scope.after {
            let bound = match scope.direction {
                Direction::Descending => &mut scope.to,
                Direction::Ascending => &mut scope.from,
            };
            let tighter = match scope.direction {
                Direction::Descending => bound.is_none_or(|to| time <= to),
                Direction::Ascending => bound.is_none_or(|from| time >= from),
            };
            // DynamoDB refuses a key outside of the range; all of the range comes after such a one.
            if tighter {
                *bound = Some(time);
            } else {
                scope.after = None;
            }
        }
        let empty = matches!((scope.from, scope.to), (Some(from), Some(to)) if from > to);
        let shards: Vec<_> = if scope.index.sharded() { (0..SHARDS).map(Some).collect() } else { vec![None] };
        let lane = |shard| Lane { shard, read: VecDeque::new(), next: scope.start_key(shard), ended: empty };
        Self { lanes: shards.into_iter().map(lane).collect(), scope }
    }

    /// The next records in order, `wanted` of them unless the walk ends or they become too much before; none
    /// only at the end.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn next(&mut self, store: &Store, wanted: usize) -> Result<Vec<Record>> {
        let (mut merged, mut weight) = (Vec::new(), 0);
        while merged.len() < wanted && weight < HEAVIEST {
            self.fill(store, wanted - merged.len()).await?;
            let Some(record) = self.first().and_then(|lane| self.lanes[lane].read.pop_front()) else { break };
            weight += record.weight();
            merged.push(record);
        }
        Ok(merged)
    }

    /// Reads every partition whose next record is not known.
    async fn fill(&mut self, store: &Store, wanted: usize) -> Result<()> {
        let limit = share(wanted, self.lanes.len());
        let scope = &self.scope;
        let open = self.lanes.iter_mut().filter(|lane| lane.read.is_empty() && !lane.ended);
        try_join_all(open.map(|lane| lane.fill(store, scope, limit))).await?;
        Ok(())
    }

    /// The partition with the record that comes first.
    fn first(&self) -> Option<usize> {
        let heads = self
            .lanes
            .iter()
            .enumerate()
            .filter_map(|(lane, Lane { read, .. })| Some((read.front()?.position(), lane)));
        let first = match self.scope.direction {
            Direction::Descending => heads.max(),
            Direction::Ascending => heads.min(),
        };
        first.map(|(_, lane)| lane)
    }
}

/// How many records to ask of each of `lanes` partitions for `wanted` in all: their share, and four standard
/// deviations more, so that one round nearly always does.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "small counts"
)]
fn share(wanted: usize, lanes: usize) -> usize {
    let mean = wanted as f64 / lanes as f64;
    let generous = (4.0f64.mul_add(mean.sqrt(), mean)).ceil() as usize;
    generous.min(wanted).clamp(1, LARGEST_QUERY)
}

impl Lane {
    /// Reads on until there is a record or the partition ends.
    async fn fill(&mut self, store: &Store, scope: &Scope, limit: usize) -> Result<()> {
        while self.read.is_empty() && !self.ended {
            let (items, next) = store.query(scope, self.shard, self.next.take(), limit).await?;
            self.read.extend(items.iter().filter_map(from_item));
            self.ended = next.is_none();
            self.next = next;
        }
        Ok(())
    }
}

impl Scope {
    /// The key that a partition's walk starts after. It need not be any item's.
    fn start_key(&self, shard: Option<u64>) -> Option<Item> {
        let position = self.after?;
        // Where records of one holder lie together, the place after or before all of them.
        let beyond = match self.direction {
            Direction::Descending => 0,
            Direction::Ascending => MAX_INTEGER,
        };
        let range = self.index.range.iter().enumerate().map(|(place, name)| {
            let value = match place {
                0 => text(position.time.sortable()),
                1 => number(position.id),
                _ => number(beyond),
            };
            (*name, value)
        });
        // Where two keys of an index are equal, the table's own decides.
        let pk = text(Key::new(self.resource, position.id).to_string());
        let key = self.partition(shard).into_iter().chain(range).chain([("pk", pk)]);
        Some(key.map(|(name, value)| (name.to_owned(), value)).collect())
    }

    /// The attributes that must be equal.
    fn partition(&self, shard: Option<u64>) -> Vec<(&'static str, AttributeValue)> {
        let attribute = |name: &&'static str| match *name {
            "resource" => Some(("resource", text(self.resource.name))),
            "shard" => Some(("shard", number(shard?))),
            name => self.hash.iter().find(|(hashed, _)| *hashed == name).cloned(),
        };
        self.index.hash.iter().filter_map(attribute).collect()
    }

    fn condition(&self) -> String {
        let mut terms: Vec<_> = self.index.hash.iter().map(|name| format!("#{name} = :{name}")).collect();
        let time = self.index.range.first().copied().unwrap_or_default();
        match (self.from, self.to) {
            (Some(_), Some(_)) => terms.push(format!("#{time} BETWEEN :from AND :to")),
            (Some(_), None) => terms.push(format!("#{time} >= :from")),
            (None, Some(_)) => terms.push(format!("#{time} <= :to")),
            (None, None) => {}
        }
        terms.join(" AND ")
    }
}

impl Store {
    /// One page of one partition of an index, and the key of the next page.
    async fn query(
        &self,
        scope: &Scope,
        shard: Option<u64>,
        start: Option<Item>,
        limit: usize,
    ) -> Result<(Vec<Item>, Option<Item>)> {
        let _trip = self.cost.trip();
        let bounds = [(":from", scope.from), (":to", scope.to)];
        let bounds = bounds.into_iter().filter_map(|(name, time)| Some((name.to_owned(), text(time?.sortable()))));
        let hash = scope.partition(shard).into_iter();
        let values = hash.map(|(name, value)| (format!(":{name}"), value)).chain(bounds).collect();
        let bounded = scope.from.or(scope.to).and_then(|_| scope.index.range.first());
        let names =
            scope.index.hash.iter().chain(bounded).map(|name| (format!("#{name}"), (*name).to_owned())).collect();
        let request = self
            .clients
            .dynamo
            .query()
            .table_name(&self.clients.names.table)
            .index_name(scope.index.name)
            .key_condition_expression(scope.condition())
            .set_expression_attribute_names(Some(names))
            .set_expression_attribute_values(Some(values))
            .set_exclusive_start_key(start)
            .scan_index_forward(scope.direction == Direction::Ascending)
            .limit(i32::try_from(limit).unwrap_or(i32::MAX))
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        let page = request.send().await.map_err(|error| fault(&error))?;
        self.cost.read(page.consumed_capacity.as_slice());
        Ok((page.items.unwrap_or_default(), page.last_evaluated_key))
    }
}
