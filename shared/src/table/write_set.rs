//! A write set: all writes of one request, stored together or not at all.
//!
//! Each write has its own conditions, and the error to report if one of them does not hold. A read only determines
//! which writes to attempt, as another request may write between the read and the commit. The store checks the
//! conditions when it writes.

use std::collections::BTreeMap;

use super::attributes::to_document;
use super::item::{
    CONTENT, DELETED, EXCLUDED_BY, EXPIRED, GENERATION, Item, REDACTED, RESERVED_BY, REVISION, TOMBSTONE, number,
    out_of_line_texts, reservation_key, state_key, to_item,
};
use super::snapshot::{State, state_names, stored_in_state};
use super::tombstone::{TOMBSTONES, Tombstone, TombstoneItem};
use super::write::{CommitError, Condition, Write, WriteKind};
use crate::error::{Code, Error, Result, Violation, ViolationCode};
use crate::schema::{Id, Key, Record, Resource, StoredValue, Timestamp, Value};

/// Attribute of the table's TTL: the time after which DynamoDB may delete an item, in seconds since 1970.
pub const EXPIRES_AT: &str = "expires_at";
/// Attribute with the time when a record was imported, in milliseconds since 1970. The feed does not report the
/// creation of an imported record, and an earlier deletion does not affect it.
pub const IMPORTED: &str = "imported";
/// Attribute with the source of a record's [`DedupKey`](super::DedupKey).
pub const REPORT_SOURCE: &str = "source";
/// Attribute with the identifiers of all records of a resource, if their number is limited.
pub(crate) const RECORD_IDS: &str = "ids";
/// Maximum number of items in a DynamoDB transaction.
const MAX_WRITES: usize = 100;
/// Lifetime of the mark of a withdrawn record. Reports of the record are repeated for a few minutes.
const MARK_LIFETIME: time::Duration = time::Duration::days(7);
/// Lifetime of a deleted parent's state. It is longer than any deletion takes. Until then, no child may join, and no
/// import may store the parent again.
const DELETED_STATE_LIFETIME: time::Duration = time::Duration::days(7);

/// Returns the key of the item with the identifiers of all records of a resource, if their number is limited.
pub(crate) fn directory_key(resource: &Resource) -> String {
    format!("{}/all", resource.name)
}

fn too_many(resource: &Resource, max: usize) -> Error {
    let detail = format!("There can be at most {max} {}. Delete one first.", resource.name);
    Error::invalid(vec![Violation::at_pointer("", ViolationCode::TooMany.invalid_value(detail))])
}

/// Errors of a reservation.
#[derive(Debug)]
pub struct ReservationErrors {
    /// Another record has the value.
    pub duplicate: Error,
    /// A record of another resource excludes the value.
    pub excluded: Error,
}

/// Writes that are stored together or not at all. Each item has at most one.
///
/// ```
/// use capture_core::table::{Condition, WriteSet};
///
/// let mut write_set = WriteSet::default();
/// let write = write_set.write_item("checkpoints/images".to_owned());
/// write.add.insert("runs".into(), 1);
/// // If the item does not exist, nothing is stored, and the caller reads again.
/// write.require(Condition::Exists);
/// assert_eq!(write_set.writes.len(), 1);
/// ```
#[derive(Debug, Default)]
pub struct WriteSet {
    /// Writes by partition key.
    pub writes: BTreeMap<String, Write>,
}

impl WriteSet {
    /// Returns the write to the record with this key. Adds it if needed.
    pub fn write(&mut self, key: Key) -> &mut Write {
        self.write_item(key.to_string())
    }

    /// Returns the write to the item with this partition key. Adds it if needed.
    pub fn write_item(&mut self, pk: String) -> &mut Write {
        self.writes.entry(pk).or_default()
    }

    /// Returns the write to a parent's state. Adds it if needed. Requires that the parent is not deleted.
    pub fn state(&mut self, parent: Key) -> &mut Write {
        self.write_item(state_key(parent)).require(Condition::Is(DELETED.to_owned(), None))
    }

    /// Deletes the state of a parent and marks the parent as deleted. Children can no longer join.
    pub fn mark_deleted(&mut self, parent: &Record, now: Timestamp) -> &mut Write {
        self.write(parent.key).require_unchanged(parent, GENERATION);
        let next = parent.integer(GENERATION).unwrap_or_default() + 1;
        let write = self.state(parent.key);
        let expires_at = now.checked_add(DELETED_STATE_LIFETIME).unwrap_or(now).unix_seconds();
        write.kind = WriteKind::Put;
        write.set = Item::from([
            (DELETED.to_owned(), number(1)),
            (GENERATION.to_owned(), number(next)),
            (EXPIRES_AT.to_owned(), number(expires_at)),
        ]);
        write
    }

    /// Removes the mark of a deleted parent. A record can then be stored under its key, and children of the next
    /// generation can join. Requires that the state is as read.
    pub fn replace_deleted(&mut self, parent: Key, state: &State) {
        let write = self.write_item(state_key(parent));
        let Some(generation) = state.generation().map(number) else {
            write.require(Condition::Missing);
            return;
        };
        for name in [DELETED, GENERATION, TOMBSTONE] {
            write.require(Condition::Is(name.to_owned(), state.0.get(name).cloned()));
        }
        write.kind = WriteKind::Put;
        write.set.insert(GENERATION.to_owned(), generation.clone());
        self.write(parent).set.insert(GENERATION.to_owned(), generation);
    }

    /// Creates a record. Requires that its key is free.
    pub fn create(&mut self, record: &Record) -> &mut Write {
        self.write_texts(None, Some(record));
        let write = self.write(record.key);
        (write.kind, write.sharded_by) = (WriteKind::Put, Some(record.key.id));
        write.set.extend(to_item(record));
        write.require(Condition::Missing);
        if let Some(max) = record.key.resource.limits.records {
            let directory = self.write_item(directory_key(record.key.resource));
            directory.add_members.entry(RECORD_IDS).or_default().insert(record.key.id);
            directory.require_or(Condition::MaxMembers(RECORD_IDS, max), too_many(record.key.resource, max));
        }
        self.write(record.key)
    }

    /// Reserves a unique value for a record. `errors` apply if the value is not free. `None` means to read
    /// and try again.
    pub fn reserve(&mut self, value: &str, record: &Record, errors: Option<ReservationErrors>) {
        let write = self.write_item(reservation_key(record.key.resource, value));
        write.kind = WriteKind::Put;
        write.set.insert(RESERVED_BY.to_owned(), number(record.key.id));
        // An excluded value also has an item. Its error takes precedence.
        let (excluded, duplicate) = errors.map(|errors| (errors.excluded, errors.duplicate)).unzip();
        write.add_condition(Condition::Is(EXCLUDED_BY.to_owned(), None), excluded);
        write.add_condition(Condition::Missing, duplicate);
    }

    /// Excludes a unique value: no record of a resource can have it while the excluding record exists. `reserved_by` is
    /// the record that has the value now and gives it up in this write set.
    pub fn exclude(&mut self, excluded: &'static Resource, excluding: &Record, value: &str, reserved_by: Option<Key>) {
        let write = self.write_item(reservation_key(excluded, value));
        *write = Write { kind: WriteKind::Put, ..Write::default() };
        write.set.insert(EXCLUDED_BY.to_owned(), number(excluding.key.id));
        let field = excluding.key.resource.unique.map_or("", |unique| unique.attribute.name);
        let code = excluding.key.resource.unique.map_or(Code::InternalError, |unique| unique.duplicate);
        let detail = format!("Another {} has this {field}.", excluding.key.resource.singular);
        write.require_or(
            Condition::Is(EXCLUDED_BY.to_owned(), None),
            Error::conflict(code, format!("/{field}"), detail),
        );
        write.require(Condition::Is(RESERVED_BY.to_owned(), reserved_by.map(|record| number(record.id))));
    }

    /// Allows a value again that a record excluded.
    pub fn lift_exclusion(&mut self, excluded: &Resource, excluding: &Record, value: &str) {
        let write = self.write_item(reservation_key(excluded, value));
        write.kind = WriteKind::Delete;
        write.require(Condition::Is(EXCLUDED_BY.to_owned(), Some(number(excluding.key.id))));
    }

    /// Marks a record as expired: its texts were removed because of their age.
    pub fn mark_expired(&mut self, key: Key) {
        self.write(key).put_attribute(EXPIRED, Some(number(1))).put_attribute(REDACTED, Some(number(1)));
    }

    /// Marks a record as redacted.
    pub fn mark_redacted(&mut self, key: Key) {
        self.write(key).put_attribute(REDACTED, Some(number(1)));
    }

    /// Releases a unique value.
    pub fn release(&mut self, resource: &Resource, value: &str) {
        let write = self.write_item(reservation_key(resource, value));
        write.kind = WriteKind::Delete;
        write.require(Condition::Exists);
    }

    /// Updates a record. Stores the fields that differ between two versions, and moves values to the roles that their
    /// fields gained after the record was stored.
    pub fn update(&mut self, before: &Record, after: &Record) -> &mut Write {
        let mut in_roles = after.clone();
        in_roles.stored_without_role.clear();
        let (item_before, item_after) = (to_item(before), to_item(&in_roles));
        self.write_texts(Some(before), Some(after));
        let write = self.write(after.key);
        // Short and long texts have different attributes, and a long text also has a separate item. The change must
        // know which of them is stored.
        let out_of_line = after.key.resource.fields.iter().filter(|field| field.codec.out_of_line);
        for field in out_of_line.filter(|field| before.value(field.name) != after.value(field.name)) {
            write.require_unchanged(before, field.name);
        }
        // A value that moves must still be as read.
        for field in &before.stored_without_role {
            write.require_unchanged(before, field);
        }
        write.remove.extend(item_before.keys().filter(|name| !item_after.contains_key(*name)).cloned());
        write.set.extend(item_after.into_iter().filter(|(name, value)| item_before.get(name) != Some(value)));
        write.before.extend(item_before);
        write.require(Condition::Exists)
    }

    /// Requires that all rendered fields of a record are as read, and so is its state, if any.
    pub fn require_unchanged_record(&mut self, record: &Record, state: Option<&State>) {
        let write = self.write(record.key);
        let rendered = record.key.resource.fields.iter().filter(|field| !field.hidden);
        for field in rendered.filter(|field| field.name != record.key.resource.id.name && !field.in_state) {
            write.require_unchanged(record, field.name);
        }
        if let Some(state) = state {
            let write = self.state(record.key);
            for name in state_names(record.key.resource) {
                write.require(Condition::Is(name.to_owned(), state.0.get(name).cloned()));
            }
        }
    }

    /// Stores the revision of a new record in its state, and the fields that the state stores.
    pub fn create_state(&mut self, record: &Record) {
        let Some(revision) = record.value(REVISION) else { return };
        let write = self.write_item(state_key(record.key));
        write.set.extend(stored_in_state(record).filter_map(|(name, value)| Some((name.to_owned(), value?))));
        write.set.insert(REVISION.to_owned(), revision.to_stored());
    }

    /// Updates the fields in the state of a changed record. The record and the state get the next revision.
    pub fn update_state(&mut self, before: &Record, after: &mut Record) {
        let revision = before.integer(REVISION).unwrap_or_default() + 1;
        after.put(REVISION, Some(Value::Integer(revision)));
        let old: BTreeMap<_, _> = stored_in_state(before).collect();
        let write = self.state(before.key);
        write.require(Condition::Is(REVISION.to_owned(), before.value(REVISION).map(Value::to_stored)));
        for (name, value) in stored_in_state(after).filter(|(name, value)| old.get(name) != Some(value)) {
            write.put_attribute(name, value);
        }
        for field in before.key.resource.fields {
            if before.value(field.name).is_some() != after.value(field.name).is_some() {
                write.remove.extend(field.resets_attribute.map(str::to_owned));
            }
        }
        write.put_attribute(REVISION, Some(number(revision)));
    }

    /// Stores the long texts of the new version out of line, and deletes those that only the old version has.
    pub fn write_texts(&mut self, before: Option<&Record>, after: Option<&Record>) {
        let old = before.map(out_of_line_texts).unwrap_or_default();
        let new = after.map(out_of_line_texts).unwrap_or_default();
        for pk in old.keys().filter(|pk| !new.contains_key(*pk)) {
            self.write_item(pk.clone()).kind = WriteKind::Delete;
        }
        for (pk, text) in new.into_iter().filter(|(pk, _)| !old.contains_key(pk)) {
            let Some(text) = text else { continue };
            let write = self.write_item(pk);
            write.kind = WriteKind::Put;
            write.set = Item::from([(CONTENT.to_owned(), StoredValue::Text(text.to_owned()))]);
        }
    }

    /// Puts a mark in place of a record that its reporter has withdrawn. No index contains the mark. While it exists, a
    /// late or repeated report of the record is recognized by its source and not stored.
    pub fn withdraw(&mut self, key: Key, source: &str, now: Timestamp) -> &mut Write {
        let write = self.write(key);
        write.kind = WriteKind::Put;
        write.set = Item::from([
            ("resource".to_owned(), StoredValue::Text(key.resource.name.to_owned())),
            (REPORT_SOURCE.to_owned(), StoredValue::Text(source.to_owned())),
            (EXPIRES_AT.to_owned(), number(now.checked_add(MARK_LIFETIME).unwrap_or(now).unix_seconds())),
        ]);
        write
    }

    /// Replaces the deletion of a record with a mark that it was redacted.
    pub fn replace_with_redaction_mark(&mut self, key: Key) {
        let write = self.write(key);
        write.kind = WriteKind::Put;
        write.set = Item::from([
            ("resource".to_owned(), StoredValue::Text(key.resource.name.to_owned())),
            (REDACTED.to_owned(), number(1)),
        ]);
    }

    /// Requires that no record excludes the value with this reservation.
    pub fn require_included(&mut self, reservation: &str, error: Error) {
        self.write_item(reservation.to_owned()).require_or(Condition::Is(EXCLUDED_BY.to_owned(), None), error);
    }

    /// Deletes the record with this key. Requires that it exists.
    pub fn delete(&mut self, key: Key) -> &mut Write {
        if key.resource.limits.records.is_some() {
            let directory = self.write_item(directory_key(key.resource));
            directory.remove_members.entry(RECORD_IDS).or_default().insert(key.id);
        }
        let write = self.write(key);
        write.kind = WriteKind::Delete;
        write.require(Condition::Exists)
    }

    /// Stores a tombstone for the deletions that remain after the commit. If all items fit into this transaction, it
    /// deletes them. Returns the tombstone and its partition key, or `None` if nothing remains.
    ///
    /// # Errors
    /// 500 if the tombstone cannot be serialized, which does not happen.
    pub fn add_tombstone(
        &mut self,
        mut tombstone: Tombstone,
        id: Id,
        now: Timestamp,
    ) -> Result<Option<(String, Tombstone)>> {
        let additional = tombstone.items.iter().filter(|pk| !self.writes.contains_key(*pk)).count();
        if self.writes.len() + additional < MAX_WRITES {
            for pk in tombstone.items.drain(..) {
                self.write_item(pk).kind = WriteKind::Delete;
            }
        }
        if tombstone.is_empty() {
            return Ok(None);
        }
        let pk = format!("{TOMBSTONES}/{id}");
        for write in self.writes.values_mut().filter(|write| write.set.contains_key(DELETED)) {
            write.set.insert(TOMBSTONE.to_owned(), StoredValue::Text(pk.clone()));
        }
        let write = self.write_item(pk.clone());
        (write.kind, write.sharded_by) = (WriteKind::Put, Some(id));
        write.set = to_document(&TombstoneItem::new(&tombstone, id, now)?)?;
        write.require(Condition::Missing);
        Ok(Some((pk, tombstone)))
    }

    /// Returns the error of a transaction with conditions that did not hold. `failed` has the index of each write that
    /// failed, and its item at that time.
    pub fn failure(&self, failed: &[(usize, Option<Item>)]) -> CommitError {
        let writes: Vec<_> = self.writes.values().collect();
        let errors = failed.iter().filter_map(|(index, item)| Some(writes.get(*index)?.failure(item.as_ref())));
        // The codes are in the order of reporting.
        errors.min_by_key(CommitError::order).unwrap_or(CommitError::Outdated)
    }
}
