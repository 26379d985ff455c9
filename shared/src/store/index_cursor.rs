//! Ordered reads of an index. All its shards are read in parallel and merged.

use std::collections::VecDeque;

use aws_sdk_dynamodb::types::{AttributeValue, ReturnConsumedCapacity};
use futures_util::future::try_join_all;

use super::attribute::{Attributes, number, text, to_attribute, to_item, to_record};
use super::fault::fault;
use super::{Store, in_parallel};
use crate::error::Result;
use crate::request::Direction;
use crate::schema::{Key, MAX_INTEGER, Operator, Order, Record, Role, SortKey, Stored, Value};
use crate::table::{IndexQuery, Item, PARENT_TIME};

/// The most items that one Query requests.
const MAX_QUERY: usize = 1_000;
/// The size of the text, in bytes, at which one read ends. No response holds more.
const HEAVIEST: usize = 6_000_000;

/// A cursor over an index. It reads ahead only as far as the merge requires.
pub struct IndexCursor {
    query: IndexQuery,
    shard_cursors: Vec<ShardCursor>,
}

/// The cursor over one shard of the index.
struct ShardCursor {
    shard: Option<u64>,
    read: VecDeque<Record>,
    next: Option<Attributes>,
    ended: bool,
}

impl IndexCursor {
    /// Creates a cursor at the start of a query, in a table with this number of shards.
    pub fn new(mut query: IndexQuery, shards: u64) -> Self {
        // Makes the time of the start key the bound of the range. The start key may be far from the original bound, and
        // a bound is found at no cost.
        if let Some(SortKey { order: Order::Time(time), .. }) = query.after {
            let bound = match query.direction {
                Direction::Descending => &mut query.range.to,
                Direction::Ascending => &mut query.range.from,
            };
            let tighter = match query.direction {
                Direction::Descending => bound.is_none_or(|to| time <= to),
                Direction::Ascending => bound.is_none_or(|from| time >= from),
            };
            // DynamoDB rejects a start key outside the range. The whole range comes after such a key.
            if tighter {
                *bound = Some(time);
            } else {
                query.after = None;
            }
        }
        let empty = matches!((query.range.from, query.range.to), (Some(from), Some(to)) if from > to);
        let shards: Vec<_> = if query.role.is_sharded() { (0..shards).map(Some).collect() } else { vec![None] };
        let lane = |shard| ShardCursor { shard, read: VecDeque::new(), next: start_key(&query, shard), ended: empty };
        Self { shard_cursors: shards.into_iter().map(lane).collect(), query }
    }

    /// Returns the query.
    pub fn query(&self) -> &IndexQuery {
        &self.query
    }

    /// Reads the shards whose next record is unknown, and with them those that run low, for about `count` records in
    /// all.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn read_ahead(&mut self, store: &Store, count: usize) -> Result<()> {
        if self.shard_cursors.iter().all(|lane| lane.ended || !lane.read.is_empty()) {
            return Ok(());
        }
        let limit = share(count, self.shard_cursors.len());
        let query = &self.query;
        let low = self.shard_cursors.iter_mut().filter(|lane| lane.read.len() < limit / 2 + 1 && !lane.ended);
        try_join_all(low.map(|lane| lane.fill(store, query, limit))).await?;
        Ok(())
    }

    /// Returns the number of records that are read and not yet returned. None if the index may have more.
    pub fn left(&self) -> Option<usize> {
        let ended = self.shard_cursors.iter().all(|lane| lane.ended);
        ended.then(|| self.shard_cursors.iter().map(|lane| lane.read.len()).sum())
    }

    /// Returns the position up to which all shards are read. None if all have ended.
    pub fn reach(&self) -> Option<SortKey> {
        let ends = self
            .shard_cursors
            .iter()
            .filter(|lane| !lane.ended)
            .filter_map(|lane| Some(self.position(lane.read.back()?)));
        match self.query.direction {
            Direction::Descending => ends.max(),
            Direction::Ascending => ends.min(),
        }
    }

    /// Returns the next `count` records in order. Returns fewer at the end of the index, or if their text is too
    /// large for one response. Empty only at the end.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn next(&mut self, store: &Store, count: usize) -> Result<Vec<Record>> {
        let (mut merged, mut weight) = (Vec::new(), 0);
        while merged.len() < count && weight < HEAVIEST {
            self.read_ahead(store, count - merged.len()).await?;
            let Some(record) = self.first().and_then(|lane| self.shard_cursors[lane].read.pop_front()) else { break };
            weight += record.weight();
            merged.push(record);
        }
        Ok(merged)
    }

    /// Returns the position of the shard with the first record.
    fn first(&self) -> Option<usize> {
        let heads = self.shard_cursors.iter().enumerate().filter_map(|(lane, ShardCursor { read, .. })| {
            Some(((self.position(read.front()?), read.front()?.key.id), lane))
        });
        let first = match self.query.direction {
            Direction::Descending => heads.max(),
            Direction::Ascending => heads.min(),
        };
        first.map(|(_, lane)| lane)
    }

    /// Returns the position of a record in the order of the index.
    fn position(&self, record: &Record) -> SortKey {
        let (time, id) = (record.primary_time(), record.key.id);
        let (order, id) = match (self.query.role, record.key.resource.secondary_time) {
            _ if self.query.through.is_some() => {
                let time = record.time(PARENT_TIME).unwrap_or(time);
                (Order::Time(time), record.parent().map_or(id, |parent| parent.id))
            }
            (Role::Name, _) => return list_position(record),
            (Role::OtherTime, Some(second)) => (Order::Time(record.get(second.attribute).unwrap_or(time)), id),
            _ => (Order::Time(time), id),
        };
        SortKey { order, id }
    }
}

/// Returns the position of a record in the order of names.
fn list_position(record: &Record) -> SortKey {
    let by_name = record.key.resource.filters.iter().find(|filter| filter.operator == Operator::Prefix);
    by_name.map_or_else(|| record.sort_key(), |filter| record.sort_key_by_name(filter.field))
}

/// Returns the number of records to request from each of `shard_cursors` shards for `count` in all. It is their share and
/// two standard deviations more, so that one round is usually enough.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "small counts"
)]
fn share(count: usize, shard_cursors: usize) -> usize {
    let mean = count as f64 / shard_cursors as f64;
    let generous = (2.0f64.mul_add(mean.sqrt(), mean)).ceil() as usize;
    generous.min(count).clamp(1, MAX_QUERY)
}

impl ShardCursor {
    /// Reads until at least one more record is known or the shard ends.
    async fn fill(&mut self, store: &Store, query: &IndexQuery, limit: usize) -> Result<()> {
        let before = self.read.len();
        while self.read.len() == before && !self.ended {
            let (records, next) = store.query(query, self.shard, self.next.take(), limit).await?;
            self.read.extend(records);
            self.ended = next.is_none();
            self.next = next;
        }
        Ok(())
    }
}

/// Returns the exclusive start key of a shard. No item needs to have this key.
fn start_key(query: &IndexQuery, shard: Option<u64>) -> Option<Attributes> {
    let position = query.after.as_ref()?;
    // In an index that groups the children of a parent, this comes before or after all of them.
    let beyond = match query.direction {
        Direction::Descending => 0,
        Direction::Ascending => MAX_INTEGER,
    };
    let range = query.role.index().range.iter().enumerate().map(|(part, name)| {
        let value = match part {
            0 => text(position.order.sortable()),
            1 => number(position.id),
            _ => number(beyond),
        };
        (*name, value)
    });
    // If two keys of an index are equal, the primary key of the table decides the order.
    let pk = text(Key::new(query.resource, position.id).to_string());
    let key = partition(query, shard).into_iter().chain(range).chain([("pk", pk)]);
    Some(key.map(|(name, value)| (name.to_owned(), value)).collect())
}

/// Returns the values of the index's partition key.
fn partition(query: &IndexQuery, shard: Option<u64>) -> Vec<(&'static str, AttributeValue)> {
    let attribute = |name: &&'static str| {
        let value = match *name {
            "resource" => text(query.resource.name),
            "shard" => number(shard?),
            _ => to_attribute(query.key.as_ref()?),
        };
        Some((*name, value))
    };
    query.role.index().hash.iter().filter_map(attribute).collect()
}

fn condition(query: &IndexQuery) -> String {
    let index = query.role.index();
    let mut terms: Vec<_> = index.hash.iter().map(|name| format!("#{name} = :{name}")).collect();
    let first = index.range.first().copied().unwrap_or_default();
    match (query.range.from, query.range.to) {
        (Some(_), Some(_)) => terms.push(format!("#{first} BETWEEN :from AND :to")),
        (Some(_), None) => terms.push(format!("#{first} >= :from")),
        (None, Some(_)) => terms.push(format!("#{first} <= :to")),
        (None, None) if !query.prefix.is_empty() => terms.push(format!("begins_with(#{first}, :prefix)")),
        (None, None) => {}
    }
    terms.join(" AND ")
}

impl Store {
    /// Returns items that are not records, by partition key: the `most` with the earliest times of each shard, the
    /// earliest of all first.
    ///
    /// # Errors
    /// Only if the store fails.
    pub(crate) async fn items_by_time(&self, resource: &str, most: usize) -> Result<Vec<(String, Item)>> {
        let shards = in_parallel((0..self.shards()).map(|shard| self.items_in(resource, shard, most))).await?;
        let mut items: Vec<_> = shards.into_iter().flatten().collect();
        let position = |item: &Item| {
            let id = item.get("id").and_then(|id| id.digits()?.parse::<i64>().ok());
            (item.get("time").and_then(Stored::text).unwrap_or_default().to_owned(), id)
        };
        items.sort_by_cached_key(|(_, item)| position(item));
        items.truncate(most);
        Ok(items)
    }

    async fn items_in(&self, resource: &str, shard: u64, most: usize) -> Result<Vec<(String, Item)>> {
        let (mut items, mut next) = (Vec::new(), None);
        loop {
            let missing = most - items.len();
            let (read, more) =
                self.query_shard(Role::Time, resource, shard, Direction::Ascending, missing, next).await?;
            let read = read.into_iter();
            items.extend(read.filter_map(|item| Some((item.get("pk")?.as_s().ok()?.clone(), to_item(item)))));
            next = more;
            if next.is_none() || items.len() >= most {
                return Ok(items);
            }
        }
    }

    /// Reads one page of items that are not records, from one shard of an index with two attributes in its partition
    /// key: `value` and the shard. Returns the start key of the next page.
    pub(super) async fn query_shard(
        &self,
        role: Role,
        value: &str,
        shard: u64,
        direction: Direction,
        most: usize,
        start: Option<Attributes>,
    ) -> Result<(Vec<Attributes>, Option<Attributes>)> {
        let _trip = self.cost.trip();
        let index = role.index();
        let limit = most.clamp(1, MAX_QUERY);
        let request = self.clients.dynamo.query().table_name(&self.clients.names.table).index_name(index.name);
        let page = request
            .key_condition_expression("#value = :value AND #shard = :shard")
            .expression_attribute_names("#value", index.hash.first().copied().unwrap_or_default())
            .expression_attribute_names("#shard", "shard")
            .expression_attribute_values(":value", text(value))
            .expression_attribute_values(":shard", number(shard))
            .scan_index_forward(direction == Direction::Ascending)
            .limit(i32::try_from(limit).unwrap_or(i32::MAX))
            .set_exclusive_start_key(start)
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        let page = page.send().await.map_err(|error| fault(&error))?;
        self.cost.read(page.consumed_capacity.as_slice());
        Ok((page.items.unwrap_or_default(), page.last_evaluated_key))
    }

    /// Reads one page of one shard of an index, and returns the start key of the next page.
    async fn query(
        &self,
        query: &IndexQuery,
        shard: Option<u64>,
        start: Option<Attributes>,
        limit: usize,
    ) -> Result<(Vec<Record>, Option<Attributes>)> {
        let _trip = self.cost.trip();
        let index = query.role.index();
        let bounds = [(":from", query.range.from), (":to", query.range.to)];
        let bounds = bounds.into_iter().filter_map(|(name, time)| Some((name.to_owned(), text(time?.sortable()))));
        let hash = partition(query, shard).into_iter();
        let prefix = (!query.prefix.is_empty()).then(|| (":prefix".to_owned(), text(query.prefix.clone())));
        let values =
            hash.map(|(name, value)| (format!(":{name}"), value)).chain(bounds).chain(prefix.clone()).collect();
        let is_bounded = query.range.from.or(query.range.to).is_some() || prefix.is_some();
        let bounded = index.range.first().filter(|_| is_bounded);
        let names = index.hash.iter().chain(bounded).map(|name| (format!("#{name}"), (*name).to_owned())).collect();
        let request = self
            .clients
            .dynamo
            .query()
            .table_name(&self.clients.names.table)
            .index_name(index.name)
            .key_condition_expression(condition(query))
            .set_expression_attribute_names(Some(names))
            .set_expression_attribute_values(Some(values))
            .set_exclusive_start_key(start)
            .scan_index_forward(query.direction == Direction::Ascending)
            .limit(i32::try_from(limit).unwrap_or(i32::MAX))
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        let page = request.send().await.map_err(|error| fault(&error))?;
        self.cost.read(page.consumed_capacity.as_slice());
        let items = page.items.unwrap_or_default();
        Ok((items.into_iter().filter_map(to_record).collect(), page.last_evaluated_key))
    }
}

impl Record {
    /// Returns the approximate size of the record's text, in bytes.
    fn weight(&self) -> usize {
        let text = |value: &Value| if let Value::Text(text) | Value::Object(text) = value { text.len() } else { 0 };
        let fields = self.key.resource.fields.iter();
        fields.filter_map(|field| self.value(field.name)).map(text).sum()
    }
}
