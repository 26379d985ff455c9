//! The search plan of a list: the index queries that find its records.
//!
//! [`search`] turns the conditions of a list into a [`Source`]. `list/matches.rs` reads from the source with the
//! cursors of `store/index_cursor.rs`. `list.rs` tests the records and fills the page. All of it is described here.
//!
//! # Candidates
//!
//! A condition on the identifier, the unique value, or the identifier of the only child matches at most one record for
//! each value. Such a list needs no index: the records are read by key. Contradictory conditions need no reads.
//!
//! For any other list, each condition with an index [`Role`] yields a candidate: an [`IndexQuery`] that returns *all*
//! matches in list order, mixed with other records. Without such a condition, the only candidate is `by_time`, which
//! contains all records of the resource. Every candidate is limited to the range of the primary time (the time that
//! orders the list), and starts at the page's cursor. Its records are tested in memory against all conditions.
//!
//! # Choice
//!
//! If there are several candidates, their first pages are read concurrently: `limit + 1` records, at most 30. Then one
//! candidate is chosen, and the others are dropped:
//!
//! - Candidates that were read to their end win over the others. Among these, the one with the fewest records wins.
//! - If none was read to its end, the sparsest wins: its page reaches furthest into the list.
//!
//! # Merge of the shards
//!
//! All indexes except `by_owner` are spread over the shards, and each value of a filter has a partition in each shard.
//! A cursor sends one Query per partition and keeps a buffer for each. The next record is the first in all buffers, by
//! time and identifier, which is certain only while no buffer is empty. An empty buffer is therefore refilled first,
//! unless its partition has ended, together with the buffers that run low. A Query asks for the partition's share of
//! the records plus two standard deviations. Usually one round is enough.
//!
//! The index `by_part` lists children in the order of their parents. Each parent is read once by key.
//!
//! # Secondary time
//!
//! Some resources have a secondary time and an index in its order (`by_secondary_time`). If a list is filtered by a range
//! of the secondary time, up to 1,000 records in that range are read and sorted into list order. There are two cases:
//!
//! - `near_primary` (`created_at` of events): nearly all records have a secondary time from 1 minute before to 10
//!   minutes after the primary time. The index contains only the exceptions. The candidates find the rest: they are
//!   limited to the range, widened to 10 minutes earlier and 1 minute later. Both results are merged without
//!   duplicates.
//! - Otherwise (`forgotten_at` of specimens): only some records have a secondary time, never before the primary time.
//!   The index contains all matches.
//!
//! If the index contains more than 1,000 records in the range, they are not sorted. Instead, the candidates in
//! [`Secondary::fallback`] find all matches in list order. For `forgotten_at`, one of them is `by_state`, which
//! contains all forgotten specimens.
//!
//! # Pages
//!
//! A page first reads `limit + 1` records, then twice as many each time, up to 1,000. If it finds one match beyond the
//! limit, a next page exists. The page ends at its limit, at the last match, or at 5 MB of JSON. It ends early after
//! 450 read units for records that did not match, or after 20 seconds. The next page then starts after the last record
//! that was read. A page can therefore be short, or even empty, and still have a next page.
//!
//! # Example
//!
//! `GET /events?user_id=5&event_type=raid&limit=20`, in a table with two shards:
//!
//! 1. There are two candidates: `by_owner` for the user, and `by_state` for the type.
//! 2. The first page of each has 21 records. `by_owner` takes one Query for 21 records, `by_state` one for 17 in each
//!    shard.
//! 3. If the user has 12 events, `by_owner` is read to its end and wins. The page contains the raids among the 12
//!    events. If the user has thousands of events and there are as many raids, neither is read to its end. If the
//!    user's 21 events reach back one day and the raids reach back one month, `by_state` wins.

use crate::request::{ListCondition, ListQuery, Operand};
use crate::resources::{self, Child};
use crate::schema::scalar::{Identifier, Scalar};
use crate::schema::{Key, Operator, ParentData, Record, Resource, Role, StoredValue, Value, digest};
use crate::table::{IndexQuery, Range, Snapshot, ViaChild, flag, is_active_child};

/// Source of a list's matches.
#[derive(Clone, Debug)]
pub enum Source {
    /// No records: the filters contradict each other.
    Nothing,
    /// Records with these keys.
    Records(Vec<Key>),
    /// Record with this unique value.
    Unique(String),
    /// Parents of the records with these keys.
    ParentsOf(Vec<Key>),
    /// An index.
    Index {
        /// Candidates. Each finds all matches except those that [`Secondary::query`] finds.
        queries: Vec<IndexQuery>,
        /// Search by the secondary time, if the list is filtered by a range of it.
        secondary: Option<Secondary>,
    },
}

/// A search by the secondary time.
#[derive(Clone, Debug)]
pub struct Secondary {
    /// Records of the index `by_secondary_time` in the range.
    pub query: IndexQuery,
    /// Whether `query` omits records with a secondary time near the primary time. The source's `queries` find those.
    pub near_primary: bool,
    /// Candidates to use if `query` has too many matches to sort. Each finds all matches.
    pub fallback: Vec<IndexQuery>,
}

/// Plans the search for the matches of a list.
pub fn search(list: &ListQuery) -> Source {
    let primary_range = range_of(list, list.resource.time.map(|time| time.name));
    let secondary_time = list.resource.secondary_time;
    let secondary_range =
        secondary_time.map(|time| range_of(list, Some(time.attribute.name))).filter(|range| *range != Range::default());
    if primary_range.is_empty() || secondary_range.is_some_and(Range::is_empty) || contradicts(list) {
        return Source::Nothing;
    }
    if let Some(source) = list.conditions.iter().find_map(|condition| by_key(list, condition)) {
        return source;
    }
    let unbounded = queries(list, primary_range);
    let (Some(secondary_time), Some(secondary_range)) = (secondary_time, secondary_range) else {
        return Source::Index { queries: unbounded, secondary: None };
    };
    let near_primary = secondary_time.near_primary;
    let query =
        IndexQuery { range: secondary_range, after: None, ..IndexQuery::new(list, Role::SecondaryTime, vec![]) };
    // No record has a secondary time before its primary time.
    let implied_range =
        if near_primary { secondary_range.near_primary() } else { Range { from: None, to: secondary_range.to } };
    let bounded = queries(list, primary_range.and(implied_range));
    let fallback = if near_primary { unbounded } else { bounded.clone() };
    Source::Index { queries: bounded, secondary: Some(Secondary { query, near_primary, fallback }) }
}

/// Returns the query for a parent's children in a relation, oldest first.
pub fn children_of(parent: Key, child: Child) -> IndexQuery {
    IndexQuery {
        role: Role::Owner,
        lookups: vec![Value::Id(parent.id).to_stored()],
        ..IndexQuery::by_time(child.resource, Range::default())
    }
}

/// Returns true if the record has children that match the list's conditions on children.
pub fn matches_child_conditions(list: &ListQuery, record: &Record, snapshot: &Snapshot) -> bool {
    list.conditions.iter().all(|condition| {
        let (Some(child), Operand::Value(operand)) =
            (resources::child_of_filter(list.resource, &condition.filter), &condition.operand)
        else {
            return true;
        };
        snapshot.children(record, child).unwrap_or_default().iter().any(|key| {
            let child_record =
                snapshot.records.get(key).filter(|child_record| is_active_child(child_record, record.key));
            child_record
                .and_then(|child_record| child_record.value(condition.filter.field))
                .is_some_and(|value| value.content_eq(operand))
        })
    })
}

/// Returns the range of a time field that the filters allow.
fn range_of(list: &ListQuery, field: Option<&str>) -> Range {
    let times = |operator| {
        let conditions = list.conditions.iter().filter(move |condition| condition.filter.operator == operator);
        conditions
            .filter(|condition| Some(condition.filter.field) == field)
            .filter_map(ListCondition::time)
            .collect::<Vec<_>>()
    };
    // The calendar's last moment has no successor, and its first no predecessor. The test of each record excludes it.
    let from = times(Operator::After).into_iter().max().map(|time| time.successor().unwrap_or(time));
    let to = times(Operator::Before).into_iter().min().map(|time| time.predecessor().unwrap_or(time));
    Range { from, to }
}

/// Returns true if the filters require a field to be both null and in a range, or in an empty range of integers.
fn contradicts(list: &ListQuery) -> bool {
    let bounds = |operator| {
        let conditions = list.conditions.iter().filter(move |condition| condition.filter.operator == operator);
        conditions.filter_map(|condition| Some((condition.filter.field, condition.integer()?)))
    };
    let is_empty = |(field, least): (&str, i64)| {
        bounds(Operator::AtMost).any(|(other_field, most)| other_field == field && least > most)
    };
    if bounds(Operator::AtLeast).any(is_empty) {
        return true;
    }
    let ranged = |field| list.conditions.iter().any(|other| other.filter.field == field && other.time().is_some());
    list.conditions.iter().any(|condition| requires_null(condition) && ranged(condition.filter.field))
}

fn requires_null(condition: &ListCondition) -> bool {
    matches!(
        (condition.filter.operator, &condition.operand),
        (Operator::IsSet, Operand::Flag(false)) | (Operator::IsUnset, Operand::Flag(true))
    )
}

/// Returns the source for a condition that matches at most one record for each of its values.
fn by_key(list: &ListQuery, condition: &ListCondition) -> Option<Source> {
    let (filter, resource) = (condition.filter, list.resource);
    if filter.operator != Operator::Equals || filter.role.is_some() {
        return None;
    }
    match &condition.operand {
        Operand::AnyOf(values) if filter.name == resource.id.name => Some(Source::Records(keys(resource, values))),
        Operand::Value(Value::Text(text)) => Some(Source::Unique(text.clone())),
        Operand::AnyOf(values) => {
            let has_slot = |child: &&Child| matches!(child.relation.parent_data, ParentData::One { slot, .. } if slot == filter.field);
            let child = resources::children(resource).iter().find(has_slot)?;
            Some(Source::ParentsOf(keys(child.resource, values)))
        }
        _ => None,
    }
}

fn keys(resource: &'static Resource, operands: &[Value]) -> Vec<Key> {
    operands.iter().filter_map(Identifier::view).map(|id| Key::new(resource, id)).collect()
}

/// Returns the candidates, all in list order.
fn queries(list: &ListQuery, range: Range) -> Vec<IndexQuery> {
    // Only one index is ordered by name.
    if let Some((_, prefix)) = list.name_prefix() {
        return vec![IndexQuery { prefix, ..IndexQuery::new(list, Role::Name, vec![]) }];
    }
    let mut queries: Vec<_> = list.conditions.iter().filter_map(|condition| by_equality(list, condition)).collect();
    queries.extend(implied_by_range(list));
    if queries.is_empty() {
        queries.push(IndexQuery::new(list, Role::Time, vec![]));
    }
    queries.into_iter().map(|query| IndexQuery { range, ..query }).collect()
}

fn by_equality(list: &ListQuery, condition: &ListCondition) -> Option<IndexQuery> {
    let filter = condition.filter;
    let role = filter.role?;
    let values = match &condition.operand {
        Operand::Flag(truth) => return Some(IndexQuery::new(list, role, vec![flag(*truth)])),
        Operand::Value(value) => std::slice::from_ref(value),
        Operand::AnyOf(values) => values,
    };
    let key = |value: &Value| match value {
        Value::Text(text) if !filter.is_indexed(text) => None,
        Value::Text(text) if role.is_digest() => Some(StoredValue::Text(digest(text))),
        value => Some(value.to_stored()),
    };
    // If a value is not indexed, the index does not find all matches.
    let query = IndexQuery::new(list, role, values.iter().map(key).collect::<Option<_>>()?);
    match resources::child_of_filter(list.resource, &filter) {
        Some(child) => Some(IndexQuery { resource: child.resource, through: Some(ViaChild(child)), ..query }),
        None => Some(query),
    }
}

/// Returns the query for records that have a secondary time, if the list is filtered by a range of it. It uses the
/// index of the filter that tests whether the field is set.
fn implied_by_range(list: &ListQuery) -> Option<IndexQuery> {
    let field = list.resource.secondary_time.filter(|time| !time.near_primary)?.attribute.name;
    let is_ranged =
        list.conditions.iter().any(|condition| condition.filter.field == field && condition.time().is_some());
    let filter = list.resource.filters.iter().find(|filter| filter.field == field && filter.is_flag());
    let filter =
        filter.filter(|filter| is_ranged && !list.conditions.iter().any(|other| other.filter.name == filter.name))?;
    Some(IndexQuery::new(list, filter.role?, vec![flag(filter.operator == Operator::IsSet)]))
}
