//! A query of one index.

use super::item::{NEAR_AFTER, NEAR_BEFORE};
use crate::request::{Direction, List};
use crate::resources::Child;
use crate::schema::{Resource, Role, SortKey, Stored, Timestamp};

/// A range of time with inclusive bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Range {
    /// The first moment; unbounded if `None`.
    pub from: Option<Timestamp>,
    /// The last moment; unbounded if `None`.
    pub to: Option<Timestamp>,
}

/// A query of one index, in the order of the index.
///
/// ```
/// use event_capture::request::Direction;
/// use event_capture::resources::EVENTS;
/// use event_capture::schema::Role;
/// use event_capture::table::{IndexQuery, Range};
///
/// // All events, the newest first.
/// let query = IndexQuery {
///     role: Role::Time,
///     resource: &EVENTS,
///     key: None,
///     range: Range::default(),
///     prefix: String::new(),
///     direction: Direction::Descending,
///     after: None,
///     through: None,
/// };
/// assert_eq!(query.role.index().name, "by_time");
/// ```
#[derive(Clone, Debug)]
pub struct IndexQuery {
    /// The index.
    pub role: Role,
    /// The resource of its records.
    pub resource: &'static Resource,
    /// The value to look up. `None` if the index only orders records.
    pub key: Option<Stored>,
    /// The range of the time that orders the index.
    pub range: Range,
    /// The beginning of the names in the range. Empty if times order the index.
    pub prefix: String,
    /// The direction in which to read.
    pub direction: Direction,
    /// The position after which to start, exclusive.
    pub after: Option<SortKey>,
    /// The child relation, if the query finds children and the list has their parents.
    pub through: Option<ViaChild>,
}

/// The relation by which an index of children finds their parents.
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

    /// Returns the range of the primary time of records whose secondary time is in this range and near the primary
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

impl IndexQuery {
    pub(crate) fn new(list: &List, role: Role, key: Option<Stored>) -> Self {
        let (resource, direction, after) = (list.resource, list.direction, list.after.clone());
        Self { role, resource, key, range: Range::default(), prefix: String::new(), direction, after, through: None }
    }
}
