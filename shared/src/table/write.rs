//! A write of one item: its changes and its conditions.
//!
//! A condition has two forms, which must agree. DynamoDB checks [`Condition::render`]. The embedded table checks
//! [`Condition::holds`], which also finds the condition to report: DynamoDB only returns the item that failed.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::expression::Placeholders;
use super::item::{
    Item, RESERVED_BY, attribute, attribute_as_read, number, out_of_line_attribute, own_attribute, stored_value,
};
use crate::error::{Code, Error};
use crate::schema::{Id, Record, Resource, StoredValue, Value};

/// Reason why a commit failed.
#[derive(Debug)]
pub enum CommitError {
    /// A record was changed after it was read, or an identifier is in use. Read and try again.
    Outdated,
    /// The request is invalid, or the store failed.
    Failed(Error),
}

impl CommitError {
    /// Returns true if it is certain that nothing was stored. After a fault of the store, this is unknown: only its
    /// response may have been lost.
    pub fn is_certain(&self) -> bool {
        match self {
            Self::Outdated => true,
            Self::Failed(error) => error.status().is_client_error(),
        }
    }

    /// Returns the order in which errors are reported: a conflict first, then by code, and the longest wait first.
    pub(super) fn order(&self) -> Option<(Code, Reverse<Option<u32>>)> {
        match self {
            Self::Outdated => None,
            Self::Failed(error) => Some((error.code(), Reverse(error.retry_after()))),
        }
    }

    /// Converts to an error for a caller that does not try again. [`CommitError::Outdated`] becomes 503.
    pub fn into_error(self) -> Error {
        match self {
            Self::Outdated => Error::unavailable(),
            Self::Failed(error) => error,
        }
    }
}

impl From<Error> for CommitError {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// A condition on an item. The write happens only if it holds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Condition {
    Exists,
    Missing,
    /// The attribute has this value. `None` means that the item does not have the attribute.
    Is(String, Option<StoredValue>),
    /// The item has the attribute.
    Has(&'static str),
    /// The item does not exist, or its attribute is less than this number.
    MissingOrBefore(&'static str, i128),
    /// The item does not have the attribute, or the attribute is less than this number.
    UnsetOrBefore(&'static str, i128),
    /// The set has at most this many members, including those that this write adds.
    MaxMembers(&'static str, usize),
    /// The number is within these inclusive bounds, including the amount that this write adds.
    Within(Cow<'static, str>, i64, i64),
    /// The item does not have the attribute, or the time is not in this period: after one time and until another,
    /// inclusive, in nanoseconds since 1970.
    NotWithin(Cow<'static, str>, i128, i128),
}

impl Condition {
    /// Returns true if the condition of a write holds for an item.
    pub fn holds(&self, write: &Write, item: Option<&Item>) -> bool {
        let value = |name: &str| item.and_then(|item| item.get(name));
        match self {
            Self::Exists => item.is_some(),
            Self::Missing => item.is_none(),
            Self::Has(name) => value(name).is_some(),
            Self::Is(name, expected) => value(name) == expected.as_ref(),
            Self::MissingOrBefore(name, number) => item.is_none() || is_before(value(name), *number),
            Self::UnsetOrBefore(name, number) => value(name).is_none() || is_before(value(name), *number),
            Self::MaxMembers(name, max) => {
                let members = value(name).and_then(StoredValue::ids).map_or(0, BTreeSet::len);
                members + write.new_members(name) <= *max
            }
            Self::Within(name, min, max) => {
                // An absent sum counts as 0.
                let sum = value(name).map_or(Some(0), |value| value.digits()?.parse::<i128>().ok());
                let range = i128::from(*min)..=i128::from(*max);
                sum.is_some_and(|sum| range.contains(&(sum + i128::from(write.amount(name)))))
            }
            Self::NotWithin(name, after, until) => {
                integer_of(value(name)).is_none_or(|time| time <= *after || *until < time)
            }
        }
    }

    /// Renders the condition of a write as a DynamoDB expression.
    pub(super) fn render(&self, write: &Write, placeholders: &mut Placeholders) -> String {
        match self {
            Self::Exists => format!("attribute_exists({})", placeholders.name("pk")),
            Self::Missing => format!("attribute_not_exists({})", placeholders.name("pk")),
            Self::Has(name) => format!("attribute_exists({})", placeholders.name(name)),
            Self::Is(name, None) => format!("attribute_not_exists({})", placeholders.name(name)),
            Self::Is(name, Some(value)) => placeholders.term(name, "=", value),
            Self::MissingOrBefore(name, bound) => {
                let pk = placeholders.name("pk");
                format!("(attribute_not_exists({pk}) OR {})", placeholders.term(name, "<", &number(bound)))
            }
            Self::UnsetOrBefore(name, bound) => {
                let unset = placeholders.name(name);
                format!("(attribute_not_exists({unset}) OR {})", placeholders.term(name, "<", &number(bound)))
            }
            Self::MaxMembers(name, max) => {
                let (new, name) = (write.new_members(name), placeholders.name(name));
                let max_before = max.checked_sub(new);
                let max_before = max_before.map_or_else(|| number(-1), number);
                let range = format!("size({name}) <= {}", placeholders.value(&max_before));
                if new <= *max { format!("(attribute_not_exists({name}) OR {range})") } else { range }
            }
            Self::Within(name, min, max) => {
                let (amount, name) = (write.amount(name), placeholders.name(name));
                let [min_before, max_before] = [min, max].map(|bound| placeholders.value(&number(bound - amount)));
                let range = format!("{name} BETWEEN {min_before} AND {max_before}");
                let is_valid_alone = (*min..=*max).contains(&amount);
                if is_valid_alone { format!("(attribute_not_exists({name}) OR {range})") } else { range }
            }
            Self::NotWithin(name, after, until) => {
                let unset = placeholders.name(name);
                let [before, later] = [("<=", after), (">", until)]
                    .map(|(operator, bound)| placeholders.term(name, operator, &number(bound)));
                format!("(attribute_not_exists({unset}) OR {before} OR {later})")
            }
        }
    }
}

/// Kind of change that a write makes to its item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WriteKind {
    /// Change some attributes.
    #[default]
    Update,
    /// Replace all attributes.
    Put,
    Delete,
}

/// The DynamoDB action of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Replace the item.
    Put,
    /// Change some of its attributes.
    Update,
    Delete,
    /// Only check the conditions.
    Check,
}

impl Action {
    /// Returns the permission that the action needs, without its prefix.
    pub fn permission(self) -> &'static str {
        match self {
            Self::Put => "PutItem",
            Self::Update => "UpdateItem",
            Self::Delete => "DeleteItem",
            Self::Check => "ConditionCheckItem",
        }
    }
}

/// A write of a [`WriteSet`](super::WriteSet).
#[derive(Clone, Debug, Default)]
pub struct Write {
    pub kind: WriteKind,
    /// Identifier that determines the shard. `None` if the item is not in a sharded index, or already has a shard.
    pub sharded_by: Option<Id>,
    /// Attributes to set.
    pub set: Item,
    /// Attributes to remove.
    pub remove: BTreeSet<String>,
    /// Amounts to add to numbers.
    pub add: BTreeMap<Cow<'static, str>, i64>,
    /// Members to add to sets.
    pub add_members: BTreeMap<&'static str, BTreeSet<Id>>,
    /// Members to remove from sets.
    pub remove_members: BTreeMap<&'static str, BTreeSet<Id>>,
    /// Conditions, each with the error if it does not hold. `None` means to read and try again.
    pub conditions: Vec<(Condition, Option<Error>)>,
    /// Item as read. Empty if its old content does not matter.
    pub before: Item,
}

impl Write {
    /// Returns the action of the write on its item.
    pub fn action(&self) -> Action {
        let is_check = self.set.is_empty()
            && self.sharded_by.is_none()
            && self.remove.is_empty()
            && self.add.is_empty()
            && self.add_members.is_empty()
            && self.remove_members.is_empty();
        match self.kind {
            WriteKind::Put => Action::Put,
            WriteKind::Delete => Action::Delete,
            WriteKind::Update if is_check => Action::Check,
            WriteKind::Update => Action::Update,
        }
    }

    /// Returns the attributes to set, including the shard. `shards` is the number of shards that get new records.
    pub fn values(&self, shards: u64) -> Item {
        let mut values = self.set.clone();
        values.extend(self.sharded_by.map(|id| ("shard".to_owned(), number(shard(id, shards)))));
        values
    }

    /// Adds a condition on data that was read. If it does not hold, the operation reads and tries again.
    pub fn require(&mut self, condition: Condition) -> &mut Self {
        self.add_condition(condition, None)
    }

    /// Adds a condition with the error that is returned to the client if it does not hold.
    pub fn require_or(&mut self, condition: Condition, error: Error) -> &mut Self {
        self.add_condition(condition, Some(error))
    }

    pub(super) fn add_condition(&mut self, condition: Condition, error: Option<Error>) -> &mut Self {
        match self.conditions.iter_mut().find(|(present, _)| *present == condition) {
            // If several children share a condition, the last child is the one that exceeds the limit.
            Some((_, last_error)) => *last_error = error.or_else(|| last_error.take()),
            None => self.conditions.push((condition, error)),
        }
        self
    }

    /// Requires that a field still has the value that was read.
    pub fn require_unchanged(&mut self, record: &Record, field: &'static str) -> &mut Self {
        let attribute = attribute_as_read(record, field).to_owned();
        let declared = record.key.resource.field(field);
        let value = declared.map_or_else(|| record.value(field).cloned(), |_| stored_value(record, field));
        let (inline, out_of_line) = match value {
            Some(Value::OutOfLine(_)) => (None, value),
            value => (value, None),
        };
        if declared.is_some_and(|field| field.codec.out_of_line) {
            self.require(Condition::Is(out_of_line_attribute(field), out_of_line.as_ref().map(Value::to_stored)));
        }
        self.require(Condition::Is(attribute, inline.as_ref().map(Value::to_stored)))
    }

    /// Sets or removes a field. An index must not look up the field by its digest.
    pub fn put(&mut self, resource: &'static Resource, field: &'static str, value: Option<StoredValue>) -> &mut Self {
        self.remove.extend(own_attribute(resource, field).map(str::to_owned));
        self.put_attribute(attribute(resource, field), value)
    }

    /// Sets or removes an attribute.
    pub fn put_attribute(&mut self, attribute: &str, value: Option<StoredValue>) -> &mut Self {
        match value {
            Some(value) => drop(self.set.insert(attribute.to_owned(), value)),
            None => drop(self.remove.insert(attribute.to_owned())),
        }
        self
    }

    /// Returns the write for a second attempt, if the first may have succeeded. Each attribute must still have the
    /// value that was read. Otherwise, the second attempt could overwrite a change that another request made since.
    #[must_use]
    pub fn for_retry(&self) -> Self {
        let mut retry = self.clone();
        let changed = self.set.keys().chain(&self.remove);
        for name in changed.filter(|_| self.kind == WriteKind::Update && !self.before.is_empty()) {
            retry.require(Condition::Is(name.clone(), self.before.get(name).cloned()));
        }
        retry
    }

    /// Returns true if an item is as this write leaves it. The write has then succeeded, even if its response was lost.
    pub fn is_done(&self, item: Option<&Item>) -> bool {
        match item {
            None => self.kind == WriteKind::Delete,
            Some(item) => {
                // An item does not show whether an amount or a member was added.
                let is_absolute = self.add.is_empty() && self.add_members.is_empty() && self.remove_members.is_empty();
                is_absolute
                    && self.kind != WriteKind::Delete
                    && self.set.iter().all(|(name, value)| item.get(name) == Some(value))
                    && !self.remove.iter().any(|name| item.contains_key(name))
            }
        }
    }

    /// Returns the error of the conditions that do not hold for an item. A condition without an error takes precedence:
    /// after an outdated read, the other conditions mean nothing.
    pub fn failure(&self, item: Option<&Item>) -> CommitError {
        let failed = self.conditions.iter().filter(|(condition, _)| !condition.holds(self, item));
        let Some((condition, Some(error))) = failed.min_by_key(|(_, error)| error.is_some()) else {
            return CommitError::Outdated;
        };
        let error = match condition {
            Condition::NotWithin(name, after, _) => {
                let time = integer_of(item.and_then(|item| item.get(name.as_ref())));
                let nanoseconds = time.map_or(0, |time| time - after);
                let seconds = u32::try_from((nanoseconds + 999_999_999) / 1_000_000_000).unwrap_or(u32::MAX);
                error.clone().with_retry_after(seconds)
            }
            _ => error.clone(),
        };
        // A reservation has the identifier of the record that has the value.
        let record = item.and_then(|item| item.get(RESERVED_BY)).and_then(StoredValue::digits);
        CommitError::Failed(match record {
            Some(id) => error.with_hint(&format!("Its identifier is {id}.")),
            None => error,
        })
    }

    /// Returns the amount that the write adds to a number.
    fn amount(&self, name: &str) -> i64 {
        self.add.get(name).copied().unwrap_or_default()
    }

    /// Returns the number of members that the write adds to a set.
    fn new_members(&self, name: &str) -> usize {
        self.add_members.get(name).map_or(0, BTreeSet::len)
    }
}

/// Returns the shard of a new record in a growing index. The record stays there when the number of shards grows.
///
/// Identifiers that are generated together are consecutive. A multiplicative hash (Knuth, TAOCP 6.4) keeps them from
/// alternating between shards.
fn shard(id: Id, shards: u64) -> u64 {
    (id.number().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) % shards
}

/// Reads an integer, such as a time in nanoseconds since 1970.
fn integer_of(value: Option<&StoredValue>) -> Option<i128> {
    value.and_then(StoredValue::digits).and_then(|digits| digits.parse().ok())
}

fn is_before(value: Option<&StoredValue>, bound: i128) -> bool {
    integer_of(value).is_some_and(|number| number < bound)
}
