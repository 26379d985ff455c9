//! A write set: all writes of one request, stored in one transaction.
//!
//! Each write has its own conditions, and the error to report if one of them does not hold. The store checks them when
//! it writes, so there is no gap between check and write. A read only decides which writes to attempt.

use std::collections::BTreeMap;

use super::document::to_document;
use super::item::{
    CONTENT, DELETED, GENERATION, Item, TOMBSTONE, number, out_of_line_texts, reservation, state_key, to_item,
};
use super::snapshot::{State, state_names};
use super::tombstone::{TOMBSTONES, Tombstone, TombstoneItem};
use super::write::{CommitError, Condition, Kind, Write};
use crate::error::{Error, Result};
use crate::schema::{Id, Key, Record, Resource, Stored, Timestamp};

/// The attribute of the table's TTL: the time after which DynamoDB may delete an item, in seconds since 1970.
pub const EXPIRES_AT: &str = "expires_at";
/// The attribute with the time at which a record was imported, in milliseconds since 1970. The feed does not report the
/// creation of an imported record, and a deletion that began before leaves it.
pub const IMPORTED: &str = "imported";
/// The attribute with the source of a record's [`DedupKey`](super::DedupKey).
pub const SOURCE: &str = "source";
/// The most items in one DynamoDB transaction.
const LARGEST: usize = 100;
/// How long the mark of a withdrawn record stays. Reports of the record are repeated for some minutes.
const MARK_STAYS: time::Duration = time::Duration::days(7);
/// How long the state of a deleted parent stays, so that no child can join, and no import can store the parent again
/// during its deletion. It is longer than any deletion takes.
const STATE_STAYS: time::Duration = time::Duration::days(7);

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
    pub fn mark_deleted(&mut self, parent: &Record, now: Timestamp) -> &mut Write {
        self.write(parent.key).when_as_in(parent, GENERATION);
        let next = parent.integer(GENERATION).unwrap_or_default() + 1;
        let write = self.state(parent.key);
        let until = now.shifted(STATE_STAYS).unwrap_or(now).unix_millis() / 1_000;
        write.kind = Kind::Put;
        write.set = Item::from([
            (DELETED.to_owned(), number(1)),
            (GENERATION.to_owned(), number(next)),
            (EXPIRES_AT.to_owned(), number(until)),
        ]);
        write
    }

    /// Stores a record under a key that a deleted record may have had, on the condition that its state is as read. The
    /// mark of the deleted parent is removed, so that children can join again: those of the next generation.
    pub fn replace_deleted(&mut self, parent: Key, seen: &State) {
        let write = self.write_item(state_key(parent));
        if seen.0.is_empty() {
            write.when(Condition::Missing);
            return;
        }
        for name in [DELETED, GENERATION, TOMBSTONE] {
            write.when(Condition::Is(name.to_owned(), seen.0.get(name).cloned()));
        }
        // Earlier versions deleted without a generation.
        let generation = number(seen.generation().unwrap_or(1));
        write.kind = Kind::Put;
        write.set = Item::from([(GENERATION.to_owned(), generation.clone())]);
        self.write(parent).set.insert(GENERATION.to_owned(), generation);
    }

    /// Creates a record, on the condition that its key is free.
    pub fn create(&mut self, record: &Record) -> &mut Write {
        self.write_texts(None, Some(record));
        let write = self.write(record.key);
        (write.kind, write.sharded_by) = (Kind::Put, Some(record.key.id));
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

    /// Puts a mark in place of a record that its reporter has withdrawn. The mark is in no index. While it exists, a late
    /// or repeated report of the record is recognized by its source, and not stored.
    pub fn withdraw(&mut self, key: Key, source: &str, now: Timestamp) -> &mut Write {
        let write = self.write(key);
        write.kind = Kind::Put;
        write.set = Item::from([
            ("resource".to_owned(), Stored::Text(key.resource.name.to_owned())),
            (SOURCE.to_owned(), Stored::Text(source.to_owned())),
            (EXPIRES_AT.to_owned(), number(now.shifted(MARK_STAYS).unwrap_or(now).unix_seconds())),
        ]);
        write
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
        for write in self.writes.values_mut().filter(|write| write.set.contains_key(DELETED)) {
            write.set.insert(TOMBSTONE.to_owned(), Stored::Text(pk.clone()));
        }
        let write = self.write_item(pk.clone());
        (write.kind, write.sharded_by) = (Kind::Put, Some(id));
        write.set = to_document(&TombstoneItem::new(&tombstone, id, now)?)?;
        write.when(Condition::Missing);
        Ok(Some((pk, tombstone)))
    }

    /// Returns the error of a transaction whose conditions did not hold. `failed` has the position of each write that
    /// failed, and its item at that time.
    pub fn refusal(&self, failed: &[(usize, Option<Item>)]) -> CommitError {
        let writes: Vec<_> = self.writes.values().collect();
        let meanings = failed.iter().filter_map(|(position, item)| Some(writes.get(*position)?.refusal(item.as_ref())));
        meanings.min_by_key(|refusal| matches!(refusal, CommitError::Failed(_))).unwrap_or(CommitError::Conflict)
    }
}
