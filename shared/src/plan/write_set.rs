//! A unit of work: everything that one request changes, stored whole or not at all.
//!
//! Each write carries the conditions under which it is right, and what it means when they do not hold. So nothing is
//! ever checked and then written: what was read only decides what to attempt.

use std::collections::{BTreeMap, BTreeSet};

use super::document::to_document;
use super::item::{
    CONTENT, DELETED, Item, as_stored, attribute, number, out_of_line_attribute, out_of_line_texts, reservation,
    state_key, to_item,
};
use super::snapshot::{State, state_names};
use super::tombstone::{TOMBSTONES, Tombstone, TombstoneItem};
use crate::error::{Error, Result};
use crate::schema::{Id, Key, Record, Resource, Stored, Timestamp, Value};

/// When the table may forget an item, in seconds since 1970: the attribute of its TTL.
pub const EXPIRES_AT: &str = "expires_at";
/// The attribute of what happened elsewhere and is stored once: what tells it from all else.
pub const SOURCE: &str = "source";
/// DynamoDB's limit for one transaction.
const LARGEST: usize = 100;
/// How long a deleted holder's state stays, to keep others from joining: longer than any request lives.
const STATE_STAYS: time::Duration = time::Duration::hours(1);

/// Why a unit of work was not stored.
#[derive(Debug)]
pub enum CommitError {
    /// What was read has changed since, or an identifier was taken: read and try again.
    Again,
    /// It can't be, or could not be, done.
    Failed(Error),
}

impl CommitError {
    /// Whether it is certain that nothing was stored. After a fault of the store it is not: the answer may have
    /// been lost on the way.
    pub fn is_certain(&self) -> bool {
        match self {
            Self::Again => true,
            Self::Failed(error) => error.status().is_client_error(),
        }
    }

    /// What it means to who does not try again.
    pub fn into_error(self) -> Error {
        match self {
            Self::Again => Error::unavailable(),
            Self::Failed(error) => error,
        }
    }
}

impl From<Error> for CommitError {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// What must hold of an item for a write to happen.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// There is such an item.
    Exists,
    /// There is none.
    Missing,
    /// The attribute has this value; none, for `None`.
    Is(String, Option<Stored>),
    /// There is none, or its attribute is a lesser number.
    MissingOrBefore(&'static str, i128),
    /// With what this write adds, the set has at most so many members.
    Room(&'static str, usize),
    /// With what this write adds, the number is from the first to the second.
    Within(&'static str, i64, i64),
}

/// What a write makes of its item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// What it was, with some attributes changed.
    #[default]
    Update,
    /// What the write says, and nothing else.
    Put,
    /// Nothing.
    Delete,
}

/// One write of a unit of work.
#[derive(Clone, Debug, Default)]
pub struct Write {
    /// What becomes of the item.
    pub kind: Kind,
    /// The record that is created, whose shard the store decides.
    pub created: Option<Id>,
    /// Attributes that are given a value.
    pub set: Item,
    /// Attributes that are taken away.
    pub remove: BTreeSet<String>,
    /// Numbers that are added to.
    pub add: BTreeMap<&'static str, i64>,
    /// Members that sets gain.
    pub join: BTreeMap<&'static str, BTreeSet<Id>>,
    /// Members that sets lose.
    pub leave: BTreeMap<&'static str, BTreeSet<Id>>,
    /// What must hold, and what it means where it does not: to read and try again, for `None`.
    pub conditions: Vec<(Condition, Option<Error>)>,
    /// The item as it was read; empty, where it does not matter what it was.
    pub before: Item,
}

impl Write {
    /// Makes the write conditional: where it does not hold, what was read is outdated.
    pub fn when(&mut self, condition: Condition) -> &mut Self {
        self.demand(condition, None)
    }

    /// Makes the write conditional: where it does not hold, that is what the client is told.
    pub fn or(&mut self, condition: Condition, error: Error) -> &mut Self {
        self.demand(condition, Some(error))
    }

    fn demand(&mut self, condition: Condition, error: Option<Error>) -> &mut Self {
        match self.conditions.iter_mut().find(|(known, _)| *known == condition) {
            // Of several that ask for the same, the last is the one that may be too many.
            Some((_, known)) => *known = error.or_else(|| known.take()),
            None => self.conditions.push((condition, error)),
        }
        self
    }

    /// Makes the write conditional on a field being as it was read.
    pub fn when_as_in(&mut self, seen: &Record, field: &'static str) -> &mut Self {
        let attribute = attribute(seen.key.resource, field).to_owned();
        let declared = seen.key.resource.field(field);
        let value =
            seen.value(field).map(|value| declared.map_or_else(|| value.clone(), |field| as_stored(field, value)));
        let (inside, out_of_line) = match value {
            Some(Value::OutOfLine(_)) => (None, value),
            value => (value, None),
        };
        if declared.is_some_and(|field| field.codec.out_of_line) {
            self.when(Condition::Is(out_of_line_attribute(field), out_of_line.as_ref().map(Value::to_stored)));
        }
        self.when(Condition::Is(attribute, inside.as_ref().map(Value::to_stored)))
    }

    /// Gives a field that no role looks up by its digest a value, or takes it away.
    pub fn put(&mut self, resource: &'static Resource, field: &'static str, value: Option<Stored>) -> &mut Self {
        self.put_attribute(attribute(resource, field), value)
    }

    /// Gives an attribute a value, or takes it away.
    pub fn put_attribute(&mut self, attribute: &str, value: Option<Stored>) -> &mut Self {
        match value {
            Some(value) => drop(self.set.insert(attribute.to_owned(), value)),
            None => drop(self.remove.insert(attribute.to_owned())),
        }
        self
    }

    /// The same write, for when it may have taken effect already: then others may have changed what it has changed, and it must
    /// not take effect again over theirs.
    #[must_use]
    pub fn again(&self) -> Self {
        let mut again = self.clone();
        let changed = self.set.keys().chain(&self.remove);
        for name in changed.filter(|_| self.kind == Kind::Update && !self.before.is_empty()) {
            again.when(Condition::Is(name.clone(), self.before.get(name).cloned()));
        }
        again
    }

    /// Whether an item is as this write leaves it: then it has taken effect, whatever became of the answer.
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

    /// What it means that the conditions do not hold of an item.
    fn refusal(&self, item: Option<&Item>) -> CommitError {
        let broken = self.conditions.iter().filter(|(condition, _)| !self.holds(condition, item));
        // What was based on an outdated read says nothing about the rest.
        let mut meanings: Vec<_> = broken.map(|(_, error)| error.clone()).collect();
        meanings.sort_by_key(Option::is_some);
        meanings.into_iter().next().flatten().map_or(CommitError::Again, CommitError::Failed)
    }

    fn holds(&self, condition: &Condition, item: Option<&Item>) -> bool {
        let value = |name: &str| item.and_then(|item| item.get(name));
        match condition {
            Condition::Exists => item.is_some(),
            Condition::Missing => item.is_none(),
            Condition::MissingOrBefore(name, number) => {
                let held = value(name).and_then(Stored::digits).and_then(|digits| digits.parse::<i128>().ok());
                item.is_none() || held.is_some_and(|held| held < *number)
            }
            Condition::Is(name, read_set) => value(name) == read_set.as_ref(),
            Condition::Room(name, most) => {
                let held = value(name).and_then(Stored::ids).map_or(0, BTreeSet::len);
                held + self.join.get(name).map_or(0, BTreeSet::len) <= *most
            }
            Condition::Within(name, least, most) => {
                let held = value(name).and_then(Stored::digits).and_then(|digits| digits.parse().ok()).unwrap_or(0i64);
                (*least..=*most).contains(&(held + self.add.get(name).copied().unwrap_or_default()))
            }
        }
    }
}

/// A unit of work: at most one write to each item.
#[derive(Debug, Default)]
pub struct WriteSet {
    /// The writes, by partition key.
    pub writes: BTreeMap<String, Write>,
}

impl WriteSet {
    /// The write to the record of this key.
    pub fn write(&mut self, key: Key) -> &mut Write {
        self.write_item(key.to_string())
    }

    /// The write to the item with this partition key.
    pub fn write_item(&mut self, pk: String) -> &mut Write {
        self.writes.entry(pk).or_default()
    }

    /// The write to a holder's state, as long as the holder is not deleted.
    pub fn state(&mut self, parent: Key) -> &mut Write {
        self.write_item(state_key(parent)).when(Condition::Is(DELETED.to_owned(), None))
    }

    /// Deletes what a holder keeps, and lets nothing join it any more.
    pub fn mark_deleted(&mut self, parent: Key, now: Timestamp) -> &mut Write {
        let write = self.state(parent);
        let until = now.shifted(STATE_STAYS).unwrap_or(now).unix_millis() / 1_000;
        write.kind = Kind::Put;
        write.set = Item::from([(DELETED.to_owned(), number(1)), (EXPIRES_AT.to_owned(), number(until))]);
        write
    }

    /// Stores a new record, whose key must be free.
    pub fn create(&mut self, record: &Record) -> &mut Write {
        self.keep_texts(None, Some(record));
        let write = self.write(record.key);
        (write.kind, write.created) = (Kind::Put, Some(record.key.id));
        write.set.extend(to_item(record));
        write.when(Condition::Missing)
    }

    /// Reserves a unique value for a record. `taken` is what it means when another has it; none, to look again.
    pub fn reserve(&mut self, value: &str, record: &Record, taken: Option<Error>) {
        let write = self.write_item(reservation(record.key.resource, value));
        write.kind = Kind::Put;
        write.set.insert("record".to_owned(), number(record.key.id));
        write.demand(Condition::Missing, taken);
    }

    /// Frees a unique value.
    pub fn release(&mut self, resource: &Resource, value: &str) {
        let write = self.write_item(reservation(resource, value));
        write.kind = Kind::Delete;
        write.when(Condition::Exists);
    }

    /// Stores what differs between two states of a record.
    pub fn update(&mut self, before: &Record, after: &Record) -> &mut Write {
        let (old, new) = (to_item(before), to_item(after));
        self.keep_texts(Some(before), Some(after));
        let write = self.write(after.key);
        // A long text and a short one have attributes of their own, and the long one an item besides: who changes the field must
        // know which it has.
        let out_of_line = after.key.resource.fields.iter().filter(|field| field.codec.out_of_line);
        for field in out_of_line.filter(|field| before.value(field.name) != after.value(field.name)) {
            write.when_as_in(before, field.name);
        }
        write.before.extend(old.clone());
        write.remove.extend(old.keys().filter(|name| !new.contains_key(*name)).cloned());
        write.set.extend(new.into_iter().filter(|(name, value)| old.get(name) != Some(value)));
        write.when(Condition::Exists)
    }

    /// Makes the write conditional on all that a response shows of a record's own fields, and of its state, if that is given.
    pub fn only_as_read(&mut self, seen: &Record, state: Option<&State>) {
        let write = self.write(seen.key);
        let rendered = seen.key.resource.fields.iter().filter(|field| !field.hidden);
        for field in rendered.filter(|field| field.name != seen.key.resource.id.name) {
            write.when_as_in(seen, field.name);
        }
        if let Some(state) = state {
            let write = self.state(seen.key);
            for name in state_names(seen.key.resource) {
                write.when(Condition::Is(name.to_owned(), state.0.get(name).cloned()));
            }
        }
    }

    /// Keeps the long texts of a record, as it will be, apart from it, and deletes those that it has no more.
    pub fn keep_texts(&mut self, before: Option<&Record>, after: Option<&Record>) {
        let old = before.map(out_of_line_texts).unwrap_or_default();
        let new = after.map(out_of_line_texts).unwrap_or_default();
        for pk in old.keys().filter(|pk| !new.contains_key(*pk)) {
            self.write_item(pk.clone()).kind = Kind::Delete;
        }
        for (pk, text) in new.into_iter().filter(|(pk, _)| !old.contains_key(pk)) {
            let Some(text) = text else { continue };
            let write = self.write_item(pk);
            write.kind = Kind::Put;
            write.set = Item::from([(CONTENT.to_owned(), Stored::Text(text.to_owned()))]);
        }
    }

    /// Deletes the record of this key.
    pub fn delete(&mut self, key: Key) -> &mut Write {
        let write = self.write(key);
        write.kind = Kind::Delete;
        write.when(Condition::Exists)
    }

    /// Stores a tombstone for what the unit of work leaves to be deleted. What of it fits goes at once.
    ///
    /// # Errors
    /// Never: a tombstone is plain text.
    pub fn leave(&mut self, mut tombstone: Tombstone, id: Id, now: Timestamp) -> Result<Option<(String, Tombstone)>> {
        let more = tombstone.items.iter().filter(|pk| !self.writes.contains_key(*pk)).count();
        if self.writes.len() + more < LARGEST {
            for pk in tombstone.items.drain(..) {
                self.write_item(pk).kind = Kind::Delete;
            }
        }
        if tombstone.is_empty() {
            return Ok(None);
        }
        let pk = format!("{TOMBSTONES}/{id}");
        let write = self.write_item(pk.clone());
        (write.kind, write.created) = (Kind::Put, Some(id));
        write.set = to_document(&TombstoneItem::new(&tombstone, id, now)?)?;
        write.when(Condition::Missing);
        Ok(Some((pk, tombstone)))
    }

    /// What it means that conditions did not hold: of each write, how its item was, where its own did not.
    pub fn refusal(&self, failed: &[(usize, Option<Item>)]) -> CommitError {
        let writes: Vec<_> = self.writes.values().collect();
        let meanings = failed.iter().filter_map(|(position, item)| Some(writes.get(*position)?.refusal(item.as_ref())));
        meanings.min_by_key(|refusal| matches!(refusal, CommitError::Failed(_))).unwrap_or(CommitError::Again)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Violation;

    fn taken() -> Error {
        Error::conflict(Violation::at("/x", "taken"))
    }

    #[test]
    fn what_was_outdated_says_nothing_about_the_rest() {
        let mut write = Write::default();
        write.or(Condition::Is("a".to_owned(), None), taken()).when(Condition::Exists);
        assert!(matches!(write.refusal(None), CommitError::Again));
        let item = Item::from([("a".to_owned(), number(1))]);
        assert!(matches!(write.refusal(Some(&item)), CommitError::Failed(_)));
    }

    #[test]
    fn room_and_sums_are_judged_with_what_the_write_adds() {
        let mut write = Write::default();
        write.add.insert("sum", 5);
        assert!(write.holds(&Condition::Within("sum", -10, 5), None));
        assert!(!write.holds(&Condition::Within("sum", -10, 4), None));
        let two: BTreeSet<_> = [1, 2].into_iter().filter_map(Id::new).collect();
        write.join.insert("ids", two.clone());
        let item = Item::from([("ids".to_owned(), Stored::Ids(two))]);
        assert!(write.holds(&Condition::Room("ids", 4), Some(&item)));
        assert!(!write.holds(&Condition::Room("ids", 3), Some(&item)));
    }

    #[test]
    fn a_write_whose_answer_was_lost_is_known_by_what_it_left() {
        let mut write = Write::default();
        write.put_attribute("a", Some(number(1))).put_attribute("b", None);
        assert!(write.is_done(Some(&Item::from([("a".to_owned(), number(1))]))));
        assert!(!write.is_done(Some(&Item::from([("a".to_owned(), number(2))]))));
        assert!(!write.is_done(None));
        assert!(Write { kind: Kind::Delete, ..Write::default() }.is_done(None));
    }
}
