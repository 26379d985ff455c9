//! A write of one item: its changes and its conditions.
//!
//! Each condition is defined once: [`Condition::expression`] renders it for DynamoDB, and [`Condition::holds`] evaluates
//! it on the item that a refusal returns, to find the error to report.

use std::collections::{BTreeMap, BTreeSet};

use super::item::{Item, attribute, number, out_of_line_attribute, stored_value};
use crate::error::Error;
use crate::schema::{Id, Record, Resource, Stored, Value};

/// The error of a commit.
#[derive(Debug)]
pub enum CommitError {
    /// A record has changed since it was read, or an identifier was taken. Read and try again.
    Conflict,
    /// The request is invalid, or the store failed.
    Failed(Error),
}

impl CommitError {
    /// Returns true if certainly nothing was stored. A fault of the store leaves this open: only its response may have
    /// been lost.
    pub fn is_certain(&self) -> bool {
        match self {
            Self::Conflict => true,
            Self::Failed(error) => error.status().is_client_error(),
        }
    }

    /// Returns the error for a caller that does not try again. [`CommitError::Conflict`] becomes 503.
    pub fn into_error(self) -> Error {
        match self {
            Self::Conflict => Error::unavailable(),
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
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// The item exists.
    Exists,
    /// The item does not exist.
    Missing,
    /// The attribute has this value. `None` means that the item does not have the attribute.
    Is(String, Option<Stored>),
    /// The item does not exist, or its attribute is less than this number.
    MissingOrBefore(&'static str, i128),
    /// The item does not have the attribute, or the attribute is less than this number.
    UnsetOrBefore(&'static str, i128),
    /// The set has at most this many members, with those that this write adds.
    Room(&'static str, usize),
    /// The number is within these inclusive bounds, with the amount that this write adds.
    Within(&'static str, i64, i64),
}

/// The names and values of the expressions of one write, by placeholder.
#[derive(Debug, Default)]
pub struct Placeholders {
    /// The attribute names.
    pub names: BTreeMap<String, String>,
    /// The attribute values.
    pub values: BTreeMap<String, Stored>,
}

impl Placeholders {
    /// Returns the placeholder of an attribute name.
    pub fn name(&mut self, attribute: &str) -> String {
        let placeholder = format!("#{attribute}");
        self.names.insert(placeholder.clone(), attribute.to_owned());
        placeholder
    }

    /// Returns the placeholder of a value.
    pub fn value(&mut self, value: Stored) -> String {
        let placeholder = format!(":v{}", self.values.len());
        self.values.insert(placeholder.clone(), value);
        placeholder
    }

    /// Returns a term of an attribute and a value.
    pub fn pair(&mut self, attribute: &str, between: &str, value: Stored) -> String {
        format!("{} {between} {}", self.name(attribute), self.value(value))
    }
}

impl Condition {
    /// Evaluates the condition of a write on an item.
    fn holds(&self, write: &Write, item: Option<&Item>) -> bool {
        let value = |name: &str| item.and_then(|item| item.get(name));
        match self {
            Self::Exists => item.is_some(),
            Self::Missing => item.is_none(),
            Self::Is(name, expected) => value(name) == expected.as_ref(),
            Self::MissingOrBefore(name, number) => item.is_none() || is_before(value(name), *number),
            Self::UnsetOrBefore(name, number) => value(name).is_none() || is_before(value(name), *number),
            Self::Room(name, most) => {
                let held = value(name).and_then(Stored::ids).map_or(0, BTreeSet::len);
                held + write.joining(name) <= *most
            }
            // An absent sum counts as 0.
            Self::Within(name, least, most) => {
                let held = value(name).and_then(Stored::digits).and_then(|digits| digits.parse().ok()).unwrap_or(0i64);
                (*least..=*most).contains(&(held + write.added(name)))
            }
        }
    }

    /// Renders the condition of a write as a DynamoDB expression.
    pub fn expression(&self, write: &Write, placeholders: &mut Placeholders) -> String {
        match self {
            Self::Exists => format!("attribute_exists({})", placeholders.name("pk")),
            Self::Missing => format!("attribute_not_exists({})", placeholders.name("pk")),
            Self::Is(name, None) => format!("attribute_not_exists({})", placeholders.name(name)),
            Self::Is(name, Some(value)) => placeholders.pair(name, "=", value.clone()),
            Self::MissingOrBefore(name, most) => {
                let pk = placeholders.name("pk");
                format!("(attribute_not_exists({pk}) OR {})", placeholders.pair(name, "<", number(most)))
            }
            Self::UnsetOrBefore(name, most) => {
                let unset = placeholders.name(name);
                format!("(attribute_not_exists({unset}) OR {})", placeholders.pair(name, "<", number(most)))
            }
            Self::Room(name, most) => {
                let (name, room) =
                    (placeholders.name(name), placeholders.value(number(most.saturating_sub(write.joining(name)))));
                format!("(attribute_not_exists({name}) OR size({name}) <= {room})")
            }
            Self::Within(name, least, most) => {
                let (added, name) = (write.added(name), placeholders.name(name));
                let [least_held, most_held] = [least, most].map(|bound| placeholders.value(number(bound - added)));
                let range = format!("{name} BETWEEN {least_held} AND {most_held}");
                let absent = format!("attribute_not_exists({name})");
                if (*least..=*most).contains(&added) { format!("({absent} OR {range})") } else { range }
            }
        }
    }
}

/// The kind of a write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Changes some attributes.
    #[default]
    Update,
    /// Replaces the whole item.
    Put,
    /// Deletes the item.
    Delete,
}

/// One write of a [`WriteSet`](super::WriteSet).
#[derive(Clone, Debug, Default)]
pub struct Write {
    /// The kind of the write.
    pub kind: Kind,
    /// The identifier from which the store derives the shard. None if the item is in no sharded index, or is there already.
    pub sharded_by: Option<Id>,
    /// Attributes to set.
    pub set: Item,
    /// Attributes to remove.
    pub remove: BTreeSet<String>,
    /// Amounts to add to numbers.
    pub add: BTreeMap<&'static str, i64>,
    /// Members to add to sets.
    pub join: BTreeMap<&'static str, BTreeSet<Id>>,
    /// Members to remove from sets.
    pub leave: BTreeMap<&'static str, BTreeSet<Id>>,
    /// The conditions, each with the error if it does not hold. `None` means to read and try again.
    pub conditions: Vec<(Condition, Option<Error>)>,
    /// The item that was read. Empty if its old content does not matter.
    pub before: Item,
}

impl Write {
    /// Adds a condition on data that was read. If it does not hold, the operation reads and tries again.
    pub fn when(&mut self, condition: Condition) -> &mut Self {
        self.demand(condition, None)
    }

    /// Adds a condition with the error that is returned to the client if it does not hold.
    pub fn or(&mut self, condition: Condition, error: Error) -> &mut Self {
        self.demand(condition, Some(error))
    }

    pub(super) fn demand(&mut self, condition: Condition, error: Option<Error>) -> &mut Self {
        match self.conditions.iter_mut().find(|(known, _)| *known == condition) {
            // If several children share a condition, the last child is the one that exceeds the limit.
            Some((_, known)) => *known = error.or_else(|| known.take()),
            None => self.conditions.push((condition, error)),
        }
        self
    }

    /// Makes the write conditional on a field: it must still have the value that was read.
    pub fn when_as_in(&mut self, seen: &Record, field: &'static str) -> &mut Self {
        let attribute = attribute(seen.key.resource, field).to_owned();
        let declared = seen.key.resource.field(field);
        let value = declared.map_or_else(|| seen.value(field).cloned(), |_| stored_value(seen, field));
        let (inside, out_of_line) = match value {
            Some(Value::OutOfLine(_)) => (None, value),
            value => (value, None),
        };
        if declared.is_some_and(|field| field.codec.out_of_line) {
            self.when(Condition::Is(out_of_line_attribute(field), out_of_line.as_ref().map(Value::to_stored)));
        }
        self.when(Condition::Is(attribute, inside.as_ref().map(Value::to_stored)))
    }

    /// Sets a field, or removes it. The field must not be one that an index looks up by its digest.
    pub fn put(&mut self, resource: &'static Resource, field: &'static str, value: Option<Stored>) -> &mut Self {
        self.put_attribute(attribute(resource, field), value)
    }

    /// Sets an attribute, or removes it.
    pub fn put_attribute(&mut self, attribute: &str, value: Option<Stored>) -> &mut Self {
        match value {
            Some(value) => drop(self.set.insert(attribute.to_owned(), value)),
            None => drop(self.remove.insert(attribute.to_owned())),
        }
        self
    }

    /// Returns the write for a second attempt, if the first may have succeeded. Another request may have changed the
    /// same attributes since, and the second attempt must not overwrite that change. So each attribute must still have
    /// the value that was read.
    #[must_use]
    pub fn again(&self) -> Self {
        let mut again = self.clone();
        let changed = self.set.keys().chain(&self.remove);
        for name in changed.filter(|_| self.kind == Kind::Update && !self.before.is_empty()) {
            again.when(Condition::Is(name.clone(), self.before.get(name).cloned()));
        }
        again
    }

    /// Returns true if an item is as this write leaves it. Then the write has succeeded, even if its response was lost.
    pub fn is_done(&self, item: Option<&Item>) -> bool {
        match item {
            None => self.kind == Kind::Delete,
            Some(item) => {
                let certain =
                    self.kind != Kind::Delete && self.add.is_empty() && self.join.is_empty() && self.leave.is_empty();
                certain
                    && self.set.iter().all(|(name, value)| item.get(name) == Some(value))
                    && !self.remove.iter().any(|name| item.contains_key(name))
            }
        }
    }

    /// Returns the error for the conditions that do not hold for an item.
    pub(super) fn refusal(&self, item: Option<&Item>) -> CommitError {
        let broken = self.conditions.iter().filter(|(condition, _)| !condition.holds(self, item));
        // After an outdated read, the other conditions mean nothing, so a condition without an error comes first.
        let mut meanings: Vec<_> = broken.map(|(_, error)| error.clone()).collect();
        meanings.sort_by_key(Option::is_some);
        meanings.into_iter().next().flatten().map_or(CommitError::Conflict, CommitError::Failed)
    }

    /// Returns the amount that the write adds to a number.
    fn added(&self, name: &str) -> i64 {
        self.add.get(name).copied().unwrap_or_default()
    }

    /// Returns the number of members that the write adds to a set.
    fn joining(&self, name: &str) -> usize {
        self.join.get(name).map_or(0, BTreeSet::len)
    }
}

fn is_before(held: Option<&Stored>, number: i128) -> bool {
    let held = held.and_then(Stored::digits).and_then(|digits| digits.parse::<i128>().ok());
    held.is_some_and(|held| held < number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Code;

    fn taken() -> Error {
        Error::conflict(Code::DuplicatePlatformId, "/x", "taken")
    }

    #[test]
    fn outdated_snapshot_is_retried_before_other_errors() {
        let mut write = Write::default();
        write.or(Condition::Is("a".to_owned(), None), taken()).when(Condition::Exists);
        assert!(matches!(write.refusal(None), CommitError::Conflict));
        let item = Item::from([("a".to_owned(), number(1))]);
        assert!(matches!(write.refusal(Some(&item)), CommitError::Failed(_)));
    }

    #[test]
    fn room_and_sum_conditions_include_the_written_values() {
        let mut write = Write::default();
        write.add.insert("sum", 5);
        assert!(Condition::Within("sum", -10, 5).holds(&write, None));
        assert!(!Condition::Within("sum", -10, 4).holds(&write, None));
        let two: BTreeSet<_> = [1, 2].into_iter().filter_map(Id::new).collect();
        write.join.insert("ids", two.clone());
        let item = Item::from([("ids".to_owned(), Stored::Ids(two))]);
        assert!(Condition::Room("ids", 4).holds(&write, Some(&item)));
        assert!(!Condition::Room("ids", 3).holds(&write, Some(&item)));
    }

    #[test]
    fn write_with_a_lost_response_is_recognized_by_its_item() {
        let mut write = Write::default();
        write.put_attribute("a", Some(number(1))).put_attribute("b", None);
        assert!(write.is_done(Some(&Item::from([("a".to_owned(), number(1))]))));
        assert!(!write.is_done(Some(&Item::from([("a".to_owned(), number(2))]))));
        assert!(!write.is_done(None));
        assert!(Write { kind: Kind::Delete, ..Write::default() }.is_done(None));
    }
}
