//! Searching: which index finds the matches of a list.
//!
//! Every filter with an index role is a way to find all matches; the other filters are tested on what it finds. Which way
//! is the shortest is known only when the first page of each is read. A range of the second time has an index in its own
//! order, and bounds the order of the list where the two times are tied.

use super::item::{TIED_AFTER, TIED_BEFORE, flag, reservation};
use super::snapshot::Snapshot;
use crate::request::{Condition, Direction, List, Operand};
use crate::resources::{self, Child};
use crate::schema::{Key, OnParent, Position, Record, Resource, Role, Stored, Test, Timestamp, Value, digest};

/// A range of time, both ends inclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Range {
    /// The first moment.
    pub from: Option<Timestamp>,
    /// The last moment.
    pub to: Option<Timestamp>,
}

/// A part of an index, in its order.
#[derive(Clone, Debug)]
pub struct IndexQuery {
    /// The index.
    pub role: Role,
    /// The resource of its records.
    pub resource: &'static Resource,
    /// What it looks up; none where it only orders.
    pub key: Option<Stored>,
    /// The range of the time that orders it.
    pub range: Range,
    /// Which end comes first.
    pub direction: Direction,
    /// Where it goes on, exclusive.
    pub after: Option<Position>,
    /// Whether it leads to the holders of what it finds.
    pub through: Option<ViaChild>,
}

/// The records of an index stand for those that they belong to.
#[derive(Clone, Copy, Debug)]
pub struct ViaChild(pub Child);

/// Where the matches of a list are found.
#[derive(Clone, Debug)]
pub enum Source {
    /// Nowhere: the filters contradict one another.
    Nothing,
    /// At a key.
    Record(Key),
    /// At the key that a unique value is reserved for.
    Reserved(String),
    /// At the key that a record belongs to.
    HolderOf(Key),
    /// In an index.
    Index {
        /// Each finds all matches (all tied ones, where there are others).
        queries: Vec<IndexQuery>,
        /// The index of the second time, in its own order, where a filter asks for a range of that.
        second: Option<Secondary>,
    },
}

/// A search by the second time.
#[derive(Clone, Debug)]
pub struct Secondary {
    /// All that are in the index of the second time and in the range.
    pub query: IndexQuery,
    /// Whether there are others, which `queries` finds: those where the two times are tied.
    pub near_primary: bool,
    /// The scans, where the matches in the index of the second time are too many to be sorted.
    pub otherwise: Vec<IndexQuery>,
}

/// Plans the search for the matches of a list.
pub fn search(list: &List) -> Source {
    let own = range_of(list, list.resource.time.map(|time| time.name));
    let second = list.resource.secondary_time;
    let asked =
        second.map(|second| range_of(list, Some(second.attribute.name))).filter(|range| *range != Range::default());
    if own.is_empty() || asked.is_some_and(Range::is_empty) || contradicts(list) {
        return Source::Nothing;
    }
    if let Some(source) = list.conditions.iter().find_map(|condition| direct(list, condition)) {
        return source;
    }
    let otherwise = queries(list, own);
    let (Some(second), Some(asked)) = (second, asked) else {
        return Source::Index { queries: otherwise, second: None };
    };
    let query = IndexQuery { range: asked, after: None, ..IndexQuery::new(list, Role::OtherTime, None) };
    let bounded = own.and(if second.near_primary { asked.near_primary() } else { Range { from: None, to: asked.to } });
    let bounded = queries(list, bounded);
    let otherwise = if second.near_primary { otherwise } else { bounded.clone() };
    Source::Index { queries: bounded, second: Some(Secondary { query, near_primary: second.near_primary, otherwise }) }
}

/// The records of a resource that belong to a holder, oldest first.
pub fn children_of(parent: Key, child: Child) -> IndexQuery {
    IndexQuery {
        role: Role::Owner,
        resource: child.resource,
        key: Some(Value::Id(parent.id).to_stored()),
        range: Range::default(),
        direction: Direction::Ascending,
        after: None,
        through: None,
    }
}

/// Whether a record has the parts that conditions ask for.
pub fn is_matched(list: &List, record: &Record, snapshot: &Snapshot) -> bool {
    list.conditions.iter().all(|condition| {
        let (Some(child), Operand::Value(operand)) =
            (resources::child_of_filter(list.resource, &condition.filter), &condition.operand)
        else {
            return true;
        };
        snapshot.children(record, child).unwrap_or_default().iter().any(|key| {
            let part = snapshot.records.get(key).filter(|part| super::render::is_of(part, record.key));
            part.and_then(|part| part.value(condition.filter.field)).is_some_and(|value| value.is(operand))
        })
    })
}

impl Range {
    fn is_empty(self) -> bool {
        matches!((self.from, self.to), (Some(from), Some(to)) if from > to)
    }

    fn and(self, other: Self) -> Self {
        let from = [self.from, other.from].into_iter().flatten().max();
        Self { from, to: [self.to, other.to].into_iter().flatten().min() }
    }

    /// The range of the list's own time, where the second time is in this range and the two are tied.
    fn near_primary(self) -> Self {
        let earlier = |from: Timestamp| from.shifted(-TIED_AFTER).unwrap_or(from);
        let later = |to: Timestamp| to.shifted(TIED_BEFORE).unwrap_or(to);
        // Where the calendar ends, there is nothing beyond: the range is not bounded on that side.
        Self {
            from: self.from.map(earlier).filter(|bound| Some(*bound) != self.from),
            to: self.to.map(later).filter(|bound| Some(*bound) != self.to),
        }
    }
}

impl IndexQuery {
    fn new(list: &List, role: Role, key: Option<Stored>) -> Self {
        let (resource, direction, after) = (list.resource, list.direction, list.after);
        Self { role, resource, key, range: Range::default(), direction, after, through: None }
    }
}

/// The range of a time that the filters leave.
fn range_of(list: &List, field: Option<&str>) -> Range {
    let times = |test| {
        let asked = list.conditions.iter().filter(move |condition| condition.filter.test == test);
        asked.filter(|condition| Some(condition.filter.field) == field).filter_map(Condition::time).collect::<Vec<_>>()
    };
    // Past the last moment there is nothing after, and the test of the condition itself says so.
    let from = times(Test::After).into_iter().max().map(|time| time.successor().unwrap_or(time));
    let to = times(Test::Before).into_iter().min().map(|time| time.predecessor().unwrap_or(time));
    Range { from, to }
}

/// Whether a field is to have no value, and to be in a range.
fn contradicts(list: &List) -> bool {
    let ranged = |field| list.conditions.iter().any(|other| other.filter.field == field && other.time().is_some());
    list.conditions.iter().any(|condition| is_asked_to_be_empty(condition) && ranged(condition.filter.field))
}

fn is_asked_to_be_empty(condition: &Condition) -> bool {
    matches!(
        (condition.filter.test, &condition.operand),
        (Test::IsSet, Operand::Flag(false)) | (Test::IsUnset, Operand::Flag(true))
    )
}

/// The one record that a condition can find.
fn direct(list: &List, condition: &Condition) -> Option<Source> {
    let (filter, resource) = (condition.filter, list.resource);
    if filter.test != Test::Equals || filter.role.is_some() {
        return None;
    }
    match &condition.operand {
        Operand::Value(Value::Id(id)) if filter.name == resource.id.name => {
            Some(Source::Record(Key::new(resource, *id)))
        }
        Operand::Value(Value::Text(text)) => Some(Source::Reserved(reservation(resource, text))),
        Operand::Value(Value::Id(id)) => {
            let keeps =
                |child: &&Child| matches!(child.relation.on_parent, OnParent::One { slot, .. } if slot == filter.field);
            let child = resources::children(resource).iter().find(keeps)?;
            Some(Source::HolderOf(Key::new(child.resource, *id)))
        }
        _ => None,
    }
}

/// Every way to find the matches, all in the list's own order.
fn queries(list: &List, range: Range) -> Vec<IndexQuery> {
    let mut queries: Vec<_> = list.conditions.iter().filter_map(|condition| by_equality(list, condition)).collect();
    queries.extend(implied(list));
    if queries.is_empty() {
        queries.push(IndexQuery::new(list, Role::Time, None));
    }
    queries.into_iter().map(|query| IndexQuery { range, ..query }).collect()
}

fn by_equality(list: &List, condition: &Condition) -> Option<IndexQuery> {
    let filter = condition.filter;
    let role = filter.role?;
    let key = match &condition.operand {
        Operand::Flag(truth) => flag(*truth),
        Operand::Value(Value::Text(text)) if role.is_digest() => Stored::Text(digest(text)),
        Operand::Value(value) => value.to_stored(),
    };
    let query = IndexQuery::new(list, role, Some(key));
    match resources::child_of_filter(list.resource, &filter) {
        Some(child) => Some(IndexQuery { resource: child.resource, through: Some(ViaChild(child)), ..query }),
        None => Some(query),
    }
}

/// Those with a value, where a filter asks for a range of it and another could ask whether there is one.
fn implied(list: &List) -> Option<IndexQuery> {
    let second = list.resource.secondary_time.filter(|second| !second.near_primary)?.attribute.name;
    let is_ranged =
        list.conditions.iter().any(|condition| condition.filter.field == second && condition.time().is_some());
    let filter = list.resource.filters.iter().find(|filter| filter.field == second && filter.is_flag());
    let filter =
        filter.filter(|filter| is_ranged && !list.conditions.iter().any(|other| other.filter.name == filter.name))?;
    Some(IndexQuery::new(list, filter.role?, Some(flag(filter.test == Test::IsSet))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::query::parameters;
    use crate::resources::{DOCUMENTS, EVENTS, SPECIMENS, USERS};

    fn plan(resource: &'static Resource, query: &str) -> Source {
        let list = List::new(resource, "/").with(parameters(query).expect("a query"), None).expect("a list");
        search(&list)
    }

    fn roles(source: &Source) -> Vec<Role> {
        match source {
            Source::Index { queries, .. } => queries.iter().map(|query| query.role).collect(),
            other => panic!("{other:?} is no index"),
        }
    }

    #[test]
    fn each_filter_with_a_role_is_a_way_to_find_all_matches() {
        assert_eq!(roles(&plan(&EVENTS, "")), [Role::Time]);
        assert_eq!(roles(&plan(&EVENTS, "occurred_after=2026-01-01T00:00:00Z")), [Role::Time]);
        assert_eq!(roles(&plan(&EVENTS, "user_id=5&event_type=raid")), [Role::Owner, Role::State]);
        assert_eq!(roles(&plan(&DOCUMENTS, "seal=1&stamp_type=x")), [Role::Number, Role::Part]);
    }

    #[test]
    fn what_a_key_answers_needs_no_index() {
        assert!(
            matches!(plan(&EVENTS, "event_id=7&event_type=raid"), Source::Record(key) if key.to_string() == "events/7")
        );
        assert!(matches!(plan(&EVENTS, "document_id=7"), Source::HolderOf(key) if key.to_string() == "documents/7"));
        assert!(matches!(plan(&USERS, "platform_id=x"), Source::Reserved(_)));
    }

    #[test]
    fn a_contradiction_reads_nothing() {
        for query in [
            "forgotten=false&forgotten_after=2026-01-01T00:00:00Z",
            "born_after=2026-01-02T00:00:00Z&born_before=2026-01-01T00:00:00Z",
            "born_after=2026-01-01T00:00:00Z&born_before=2026-01-01T00:00:00Z",
            "forgotten_after=2026-01-02T00:00:00Z&forgotten_before=2026-01-01T00:00:00Z",
        ] {
            assert!(matches!(plan(&SPECIMENS, query), Source::Nothing), "{query}");
        }
    }

    #[test]
    fn a_range_of_the_second_time_bounds_the_order_where_the_two_are_tied() {
        let Source::Index { queries, second: Some(second) } = plan(&EVENTS, "created_after=2026-01-01T00:20:00Z")
        else {
            panic!("a range goes by an index");
        };
        assert_eq!(second.query.role, Role::OtherTime);
        assert_eq!(queries[0].range.from, Timestamp::parse("2026-01-01T00:10:00.000000001Z"));
        assert_eq!((queries[0].range.to, second.otherwise[0].range), (None, Range::default()));
    }

    #[test]
    fn a_range_of_a_time_that_only_some_have_implies_that_they_have_it() {
        let source = plan(&SPECIMENS, "forgotten_before=2026-01-01T00:00:00Z");
        assert_eq!(roles(&source), [Role::State]);
        let Source::Index { queries, second: Some(second) } = source else { panic!("a range goes by an index") };
        assert_eq!(queries[0].key, Some(flag(true)));
        // Nothing is forgotten before it is born.
        assert_eq!(queries[0].range.to, second.query.range.to);
    }
}
