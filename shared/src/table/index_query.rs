//! A query of one index, and its parameters for DynamoDB.
//!
//! A query describes all partitions of an index that have matches, and is rendered for each, because they are read in
//! parallel.

use std::collections::HashMap;

use super::attributes::attributes;
use super::expression::Placeholders;
use super::item::{NEAR_AFTER, NEAR_BEFORE, PARENT_TIME, number};
use crate::request::{Direction, List};
use crate::resources::Child;
use crate::schema::{Key, MAX_INTEGER, Operator, Record, Resource, Role, SortKey, SortValue, Stored, Timestamp};

/// A range of time with inclusive bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Range {
    /// First moment; unbounded if `None`.
    pub from: Option<Timestamp>,
    /// Last moment; unbounded if `None`.
    pub to: Option<Timestamp>,
}

/// A query of one index, in the order of the index.
///
/// ```
/// use event_capture::request::Direction;
/// use event_capture::resources::EVENTS;
/// use event_capture::table::{IndexQuery, Range};
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
    #[expect(missing_docs, reason = "the type says it")]
    pub role: Role,
    #[expect(missing_docs, reason = "the type says it")]
    pub resource: &'static Resource,
    /// Values to look up, each in partitions of its own. Empty if the index only orders records.
    pub lookups: Vec<Stored>,
    /// Range of the time that orders the index.
    pub range: Range,
    /// Beginning of the names that order the index. Empty if times order it.
    pub prefix: String,
    #[expect(missing_docs, reason = "the type says it")]
    pub direction: Direction,
    /// Sort key after which to start, exclusive.
    pub after: Option<SortKey>,
    /// Child relation, if the query finds children and the list has their parents.
    pub through: Option<ViaChild>,
}

/// A relation by which an index of children finds their parents.
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

    /// Compute the range of the primary time of records whose secondary time is in this range and near the primary
    /// time.
    pub(crate) fn near_primary(self) -> Self {
        let earlier = |from: Timestamp| from.shifted(-NEAR_AFTER).unwrap_or(from);
        let later = |to: Timestamp| to.shifted(NEAR_BEFORE).unwrap_or(to);
        // At the end of the calendar, a bound cannot be moved, so the range has no bound on that side.
        Self {
            from: self.from.map(earlier).filter(|bound| Some(*bound) != self.from),
            to: self.to.map(later).filter(|bound| Some(*bound) != self.to),
        }
    }
}

/// A partition of an index.
#[derive(Clone, Debug)]
pub(crate) struct Partition {
    key: Option<Stored>,
    shard: Option<u64>,
}

impl IndexQuery {
    /// Query all records of a resource in a range of time, the oldest first.
    pub fn by_time(resource: &'static Resource, range: Range) -> Self {
        let (role, direction) = (Role::Time, Direction::Ascending);
        Self { role, resource, lookups: vec![], range, prefix: String::new(), direction, after: None, through: None }
    }

    pub(crate) fn new(list: &List, role: Role, lookups: Vec<Stored>) -> Self {
        let (direction, after) = (list.direction, list.after.clone());
        Self { role, lookups, direction, after, ..Self::by_time(list.resource, Range::default()) }
    }

    /// List the partitions that may have matches, in a table with this number of shards.
    pub(crate) fn partitions(&self, shards: u64) -> Vec<Partition> {
        let keys: Vec<_> =
            if self.lookups.is_empty() { vec![None] } else { self.lookups.iter().cloned().map(Some).collect() };
        let shards: Vec<_> = if self.role.is_sharded() { (0..shards).map(Some).collect() } else { vec![None] };
        let of_key =
            |key: Option<Stored>| shards.iter().map(move |shard| Partition { key: key.clone(), shard: *shard });
        keys.into_iter().flat_map(of_key).collect()
    }

    /// Make the time of the start key the bound of the range, because the start key may be far from the original bound,
    /// and DynamoDB finds a bound at no cost. It rejects a start key outside the range; the whole range comes after
    /// such a key.
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

    /// Return the sort key of a record in the order of the index.
    pub(crate) fn sort_key(&self, record: &Record) -> SortKey {
        let (time, id) = (record.primary_time(), record.key.id);
        let (time, id) = match (self.role, record.key.resource.secondary_time) {
            _ if self.through.is_some() => {
                (record.time(PARENT_TIME).unwrap_or(time), record.parent().map_or(id, |parent| parent.id))
            }
            (Role::Name, _) => {
                let by_name = record.key.resource.filters.iter().find(|filter| filter.operator == Operator::Prefix);
                return by_name.map_or_else(|| record.sort_key(), |filter| record.sort_key_by_name(filter.field));
            }
            (Role::OtherTime, Some(secondary)) => (record.get(secondary.attribute).unwrap_or(time), id),
            _ => (time, id),
        };
        SortKey { order: SortValue::Time(time), id }
    }

    /// Render the condition that selects the items of one partition.
    pub(crate) fn key_condition(&self, partition: &Partition) -> KeyCondition {
        let mut placeholders = Placeholders::default();
        let partition = self.partition_key(partition).into_iter();
        let mut terms: Vec<_> = partition.map(|(name, value)| placeholders.term(name, "=", &value)).collect();
        let sort_key = self.role.index().range.first().copied().unwrap_or_default();
        let sortable = |time: Timestamp| Stored::Text(time.sortable());
        match (self.range.from.map(sortable), self.range.to.map(sortable)) {
            (Some(from), Some(to)) => {
                let from = placeholders.term(sort_key, "BETWEEN", &from);
                terms.push(format!("{from} AND {}", placeholders.value(&to)));
            }
            (Some(from), None) => terms.push(placeholders.term(sort_key, ">=", &from)),
            (None, Some(to)) => terms.push(placeholders.term(sort_key, "<=", &to)),
            (None, None) if !self.prefix.is_empty() => {
                let prefix = placeholders.value(&Stored::Text(self.prefix.clone()));
                terms.push(format!("begins_with({}, {prefix})", placeholders.name(sort_key)));
            }
            (None, None) => {}
        }
        KeyCondition::new(self.role, &terms, placeholders)
    }

    /// Build the exclusive start key of a partition. No item needs to have this key.
    pub(crate) fn start_key(&self, partition: &Partition) -> Option<serde_dynamo::Item> {
        let start = self.after.as_ref()?;
        // In an index that groups the children of a parent, this comes before or after all of them.
        let beyond = match self.direction {
            Direction::Descending => 0,
            Direction::Ascending => MAX_INTEGER,
        };
        let range = [Stored::Text(start.order.sortable()), number(start.id), number(beyond)];
        let range = self.role.index().range.iter().copied().zip(range);
        // If two keys of an index are equal, the primary key of the table decides the order.
        let pk = Stored::Text(Key::new(self.resource, start.id).to_string());
        let key = self.partition_key(partition).into_iter().chain(range).chain([("pk", pk)]);
        Some(attributes(&key.map(|(name, value)| (name.to_owned(), value)).collect()))
    }

    /// List the values of the index's partition key.
    fn partition_key(&self, partition: &Partition) -> Vec<(&'static str, Stored)> {
        let attribute = |name: &&'static str| {
            let value = match *name {
                "resource" => Stored::Text(self.resource.name.to_owned()),
                "shard" => number(partition.shard?),
                _ => partition.key.clone()?,
            };
            Some((*name, value))
        };
        self.role.index().hash.iter().filter_map(attribute).collect()
    }
}

/// Parameters of a Query that select its items.
pub(crate) struct KeyCondition {
    /// Name of the index.
    pub(crate) index: &'static str,
    pub(crate) expression: String,
    /// Attribute names by placeholder.
    pub(crate) names: Option<HashMap<String, String>>,
    /// Attribute values by placeholder.
    pub(crate) values: Option<serde_dynamo::Item>,
}

impl KeyCondition {
    /// Select all items of one shard of an index whose partition key has two attributes: this value and the shard.
    pub(crate) fn of_shard(role: Role, value: &str, shard: u64) -> Self {
        let mut placeholders = Placeholders::default();
        let values = [Stored::Text(value.to_owned()), number(shard)];
        let partition = role.index().hash.iter().zip(&values);
        let terms: Vec<_> = partition.map(|(name, value)| placeholders.term(name, "=", value)).collect();
        Self::new(role, &terms, placeholders)
    }

    fn new(role: Role, terms: &[String], placeholders: Placeholders) -> Self {
        let (names, values) = placeholders.into_parameters();
        Self { index: role.index().name, expression: terms.join(" AND "), names, values }
    }
}
