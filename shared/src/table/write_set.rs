//! A write set: all writes of one request, stored in one transaction.
//!
//! Each write has its own conditions, and the error to report if one of them does not hold. The store checks them when
//! it writes, so there is no gap between check and write. A read only decides which writes to attempt.

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

/// The attribute of the table's TTL: the time after which DynamoDB may delete an item, in seconds since 1970.
pub const EXPIRES_AT: &str = "expires_at";
/// The attribute with the source of a record's [`DedupKey`](super::DedupKey).
pub const SOURCE: &str = "source";
/// The most items in one DynamoDB transaction.
const LARGEST: usize = 100;
/// How long the state of a deleted parent stays, so that no child can join. It is longer than any request runs.
const STATE_STAYS: time::Duration = time::Duration::hours(1);

/// The error of a commit.
#[derive(Debug)]
pub enum CommitError {
    /// A record has changed since it was read, or an identifier was taken. Read and try again.
    Again,
    /// The request is invalid, or the store failed.
    Failed(Error),
}

impl CommitError {
    /// Returns true if certainly nothing was stored. A fault of the store leaves this open: only its response may have
    /// been lost.
    pub fn is_certain(&self) -> bool {
        match self {
            Self::Again => true,
            Self::Failed(error) => error.status().is_client_error(),
        }
    }

    /// Returns the error for a caller that does not try again. [`CommitError::Again`] becomes 503.
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
    /// The set has at most this many members, with those that this write adds.
    Room(&'static str, usize),
    /// The number is within these inclusive bounds, with the amount that this write adds.
    Within(&'static str, i64, i64),
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

/// One write of a [`WriteSet`].
#[derive(Clone, Debug, Default)]
pub struct Write {
    /// The kind of the write.
    pub kind: Kind,
    /// The identifier of a new record. The store derives the shard from it.
    pub created: Option<Id>,
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

    fn demand(&mut self, condition: Condition, error: Option<Error>) -> &mut Self {
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
    fn refusal(&self, item: Option<&Item>) -> CommitError {
        let broken = self.conditions.iter().filter(|(condition, _)| !self.holds(condition, item));
        // After an outdated read, the other conditions mean nothing, so a condition without an error comes first.
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
            Condition::Is(name, expected) => value(name) == expected.as_ref(),
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

/// The writes of one transaction. Each item has at most one.
///
/// ```
/// use event_capture::table::{Condition, WriteSet};
///
/// let mut write_set = WriteSet::default();
/// let write = write_set.write_item("checkpoints/images".to_owned());
/// write.add.insert("runs", 1);
/// // If the item does not exist, nothing is stored, and the caller reads again.
/// write.when(Condition::Exists);
/// assert_eq!(write_set.writes.len(), 1);
/// ```
#[derive(Debug, Default)]
pub struct WriteSet {
    /// The writes, by partition key.
    pub writes: BTreeMap<String, Write>,
}

impl WriteSet {
    /// Returns the write to the record with this key. Adds it if there is none yet.
    pub fn write(&mut self, key: Key) -> &mut Write {
        self.write_item(key.to_string())
    }

    /// Returns the write to the item with this partition key. Adds it if there is none yet.
    pub fn write_item(&mut self, pk: String) -> &mut Write {
        self.writes.entry(pk).or_default()
    }

    /// Returns the write to a parent's state, on the condition that the parent is not deleted.
    pub fn state(&mut self, parent: Key) -> &mut Write {
        self.write_item(state_key(parent)).when(Condition::Is(DELETED.to_owned(), None))
    }

    /// Deletes the state of a parent and marks the parent as deleted, so that no child can join.
    pub fn mark_deleted(&mut self, parent: Key, now: Timestamp) -> &mut Write {
        let write = self.state(parent);
        let until = now.shifted(STATE_STAYS).unwrap_or(now).unix_millis() / 1_000;
        write.kind = Kind::Put;
        write.set = Item::from([(DELETED.to_owned(), number(1)), (EXPIRES_AT.to_owned(), number(until))]);
        write
    }

    /// Creates a record, on the condition that its key is free.
    pub fn create(&mut self, record: &Record) -> &mut Write {
        self.write_texts(None, Some(record));
        let write = self.write(record.key);
        (write.kind, write.created) = (Kind::Put, Some(record.key.id));
        write.set.extend(to_item(record));
        write.when(Condition::Missing)
    }

    /// Reserves a unique value for a record. `taken` is the error if another record has the value. `None` means to read
    /// and try again.
    pub fn reserve(&mut self, value: &str, record: &Record, taken: Option<Error>) {
        let write = self.write_item(reservation(record.key.resource, value));
        write.kind = Kind::Put;
        write.set.insert("record".to_owned(), number(record.key.id));
        write.demand(Condition::Missing, taken);
    }

    /// Releases a unique value.
    pub fn release(&mut self, resource: &Resource, value: &str) {
        let write = self.write_item(reservation(resource, value));
        write.kind = Kind::Delete;
        write.when(Condition::Exists);
    }

    /// Updates a record: stores the fields that differ between two versions.
    pub fn update(&mut self, before: &Record, after: &Record) -> &mut Write {
        let (old, new) = (to_item(before), to_item(after));
        self.write_texts(Some(before), Some(after));
        let write = self.write(after.key);
        // A short text and a long one have different attributes, and a long one also has an item of its own. The change
        // must know which of them is stored.
        let out_of_line = after.key.resource.fields.iter().filter(|field| field.codec.out_of_line);
        for field in out_of_line.filter(|field| before.value(field.name) != after.value(field.name)) {
            write.when_as_in(before, field.name);
        }
        write.before.extend(old.clone());
        write.remove.extend(old.keys().filter(|name| !new.contains_key(*name)).cloned());
        write.set.extend(new.into_iter().filter(|(name, value)| old.get(name) != Some(value)));
        write.when(Condition::Exists)
    }

    /// Makes the write conditional on all fields of a record that responses render, and on its state, if one is given.
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

    /// Stores the long texts of the new version out of line, and deletes those that only the old version has.
    pub fn write_texts(&mut self, before: Option<&Record>, after: Option<&Record>) {
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

    /// Deletes the record with this key, on the condition that it exists.
    pub fn delete(&mut self, key: Key) -> &mut Write {
        let write = self.write(key);
        write.kind = Kind::Delete;
        write.when(Condition::Exists)
    }

    /// Stores a tombstone for the deletions that remain after the commit. If the items fit into this transaction, it
    /// deletes them. Returns the tombstone and its partition key, or `None` if nothing remains.
    ///
    /// # Errors
    /// 500 if the tombstone cannot be written as JSON, which does not happen.
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

    /// Returns the error of a transaction whose conditions did not hold. `failed` has the position of each write that
    /// failed, and its item at that time.
    pub fn refusal(&self, failed: &[(usize, Option<Item>)]) -> CommitError {
        let writes: Vec<_> = self.writes.values().collect();
        let meanings = failed.iter().filter_map(|(position, item)| Some(writes.get(*position)?.refusal(item.as_ref())));
        meanings.min_by_key(|refusal| matches!(refusal, CommitError::Failed(_))).unwrap_or(CommitError::Again)
    }
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
        assert!(matches!(write.refusal(None), CommitError::Again));
        let item = Item::from([("a".to_owned(), number(1))]);
        assert!(matches!(write.refusal(Some(&item)), CommitError::Failed(_)));
    }

    #[test]
    fn room_and_sum_conditions_include_the_written_values() {
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
    fn write_with_a_lost_response_is_recognized_by_its_item() {
        let mut write = Write::default();
        write.put_attribute("a", Some(number(1))).put_attribute("b", None);
        assert!(write.is_done(Some(&Item::from([("a".to_owned(), number(1))]))));
        assert!(!write.is_done(Some(&Item::from([("a".to_owned(), number(2))]))));
        assert!(!write.is_done(None));
        assert!(Write { kind: Kind::Delete, ..Write::default() }.is_done(None));
    }
}
