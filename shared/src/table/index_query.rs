//! A query of one index, with a range for each partition that may have matches. The ranges are read in parallel.

use super::index_range::{IndexRange, Position};
use super::item::{MAX_NEAR_ADVANCE, MAX_NEAR_DELAY, PARENT_TIME, number};
use crate::request::{Direction, ListQuery};
use crate::resources::Child;
use crate::schema::{
    Key, MAX_INTEGER, Operator, Record, Resource, Role, SortKey, SortValue, StoredValue, Timestamp, digest,
};

/// A range of time with inclusive bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Range {
    /// First moment. Unbounded if `None`.
    pub from: Option<Timestamp>,
    /// Last moment. Unbounded if `None`.
    pub to: Option<Timestamp>,
}

/// A query of one index, in the order of the index.
///
/// ```
/// use capture_core::request::Direction;
/// use capture_core::resources::EVENTS;
/// use capture_core::table::{IndexQuery, Range};
///
/// // All events, the newest first.
/// let query = IndexQuery {
///     direction: Direction::Descending,
///     ..IndexQuery::by_time(&EVENTS, Range::default())
/// };
/// assert_eq!(query.role.index().name, "by_time");
/// ```
#[derive(Clone, Debug)]
pub struct IndexQuery {
    pub role: Role,
    pub resource: &'static Resource,
    /// Values to look up, each in separate partitions. Empty if the index only orders records.
    pub lookups: Vec<StoredValue>,
    /// Range of the time that orders the index.
    pub range: Range,
    /// Prefix of the names that order the index. Empty if times order it.
    pub prefix: String,
    pub direction: Direction,
    /// Exclusive sort key to start after.
    pub after: Option<SortKey>,
    /// Child relation, if the query finds children and the list contains their parents.
    pub through: Option<ViaChild>,
}

/// A relation by which an index of children finds the parents.
#[derive(Clone, Copy, Debug)]
pub struct ViaChild(pub Child);

impl Range {
    pub(crate) fn is_empty(self) -> bool {
        matches!((self.from, self.to), (Some(from), Some(to)) if from > to)
    }

    pub(crate) fn and(self, other: Self) -> Self {
        let from = [self.from, other.from].into_iter().flatten().max();
        Self { from, to: [self.to, other.to].into_iter().flatten().min() }
    }

    /// Returns the range of primary times for records with a secondary time that is in this range and near the primary
    /// time.
    pub(crate) fn near_primary(self) -> Self {
        let earlier = |from: Timestamp| from.checked_add(-MAX_NEAR_DELAY).unwrap_or(from);
        let later = |to: Timestamp| to.checked_add(MAX_NEAR_ADVANCE).unwrap_or(to);
        // At the end of the calendar, a bound cannot be moved. The range is then unbounded on that side.
        Self {
            from: self.from.map(earlier).filter(|bound| Some(*bound) != self.from),
            to: self.to.map(later).filter(|bound| Some(*bound) != self.to),
        }
    }
}

impl IndexQuery {
    /// Queries all records of a resource in a range of time, oldest first.
    pub fn by_time(resource: &'static Resource, range: Range) -> Self {
        let (role, direction) = (Role::Time, Direction::Ascending);
        Self { role, resource, lookups: vec![], range, prefix: String::new(), direction, after: None, through: None }
    }

    /// Queries the records with this value of the attribute with a role, in a range of time, the oldest first.
    pub(crate) fn by_value(resource: &'static Resource, role: Role, value: &str, range: Range) -> Self {
        let value = if role.is_digest() { digest(value) } else { value.to_owned() };
        Self { role, lookups: vec![StoredValue::Text(value)], ..Self::by_time(resource, range) }
    }

    pub(crate) fn new(list: &ListQuery, role: Role, lookups: Vec<StoredValue>) -> Self {
        let (direction, after) = (list.direction, list.after.clone());
        Self { role, lookups, direction, after, ..Self::by_time(list.resource, Range::default()) }
    }

    /// Returns the ranges of the partitions that may have matches, in a table with this number of shards.
    pub(crate) fn ranges(&self, shards: u64) -> Vec<IndexRange> {
        let keys = if self.lookups.is_empty() { vec![None] } else { self.lookups.iter().map(Some).collect() };
        let shards = if self.role.is_sharded() { (0..shards).map(Some).collect() } else { vec![None] };
        let of_key = |key| shards.iter().map(move |shard| self.range(key, *shard));
        keys.into_iter().flat_map(of_key).collect()
    }

    fn range(&self, key: Option<&StoredValue>, shard: Option<u64>) -> IndexRange {
        let value = |name: &&'static str| match *name {
            "resource" => Some(StoredValue::Text(self.resource.name.to_owned())),
            "shard" => Some(number(shard?)),
            _ => key.cloned(),
        };
        let partition = self.role.index().hash.iter().filter_map(value).collect();
        let sortable = |time: Timestamp| time.sortable();
        let (lower, upper) = (self.range.from.map(sortable), self.range.to.map(sortable));
        let prefix = if lower.is_none() && upper.is_none() { self.prefix.clone() } else { String::new() };
        IndexRange { role: self.role, partition, lower, upper, prefix }
    }

    /// Uses the time of the start key as the bound of the range. DynamoDB finds a bound at no cost, even if the start
    /// key is far from the original bound. It rejects a start key outside the range, so such a key is dropped. The
    /// entire range follows it.
    #[must_use]
    pub(crate) fn bounded_by_start(mut self) -> Self {
        let Some(SortKey { order: SortValue::Time(time), .. }) = self.after else { return self };
        let is_inside = match self.direction {
            Direction::Descending => self.range.to.is_none_or(|to| time <= to),
            Direction::Ascending => self.range.from.is_none_or(|from| time >= from),
        };
        match self.direction {
            _ if !is_inside => self.after = None,
            Direction::Descending => self.range.to = Some(time),
            Direction::Ascending => self.range.from = Some(time),
        }
        self
    }

    /// Returns the sort key of a record in the order of the index.
    pub(crate) fn sort_key(&self, record: &Record) -> SortKey {
        let (time, id) = (record.primary_time(), record.key.id);
        let (time, id) = match (self.role, record.key.resource.secondary_time) {
            _ if self.through.is_some() => {
                (record.time(PARENT_TIME).unwrap_or(time), record.parent().map_or(id, |parent| parent.id))
            }
            (Role::Name, _) => {
                let by_name = record.key.resource.filters.iter().find(|filter| filter.operator == Operator::NamePrefix);
                return by_name.map_or_else(|| record.sort_key(), |filter| record.sort_key_by_name(filter.field));
            }
            (Role::SecondaryTime, Some(secondary)) => (record.get(secondary.attribute).unwrap_or(time), id),
            _ => (time, id),
        };
        SortKey { order: SortValue::Time(time), id }
    }

    /// Returns the position after which the query starts, in each of its partitions.
    pub(crate) fn start(&self) -> Option<Position> {
        let start = self.after.as_ref()?;
        // In an index that groups the children of a parent, this is before or after all of them.
        let beyond = match self.direction {
            Direction::Descending => 0,
            Direction::Ascending => MAX_INTEGER,
        };
        let range = [StoredValue::Text(start.order.sortable()), number(start.id), number(beyond)];
        let sort_values = range.into_iter().take(self.role.index().range.len()).collect();
        // If two keys of an index are equal, the primary key of the table determines the order.
        Some(Position { sort_values, pk: Key::new(self.resource, start.id).to_string() })
    }
}
