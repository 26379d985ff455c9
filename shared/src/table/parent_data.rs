//! Data that a parent stores about its children: in its state, or in a field of the parent itself.
//!
//! The transaction that creates, changes or deletes a child also updates this data. A rule that spans the children,
//! such as their maximum number, is then a condition on the one item that all of them write.

use std::collections::BTreeSet;

use super::item::{GENERATION, PARENT_GENERATION, number};
use super::size::{json_size, max_bytes};
use super::snapshot::{CHILDREN_BYTES, has_state};
use super::write::{Condition, Write};
use super::write_set::WriteSet;
use crate::error::{Code, Error, Violation, ViolationCode};
use crate::schema::{BelongsTo, Id, Key, MAX_INTEGER, ParentData, Record, Resource, StoredValue, Value};

/// Membership of a child in its parent.
pub(crate) struct Membership<'a> {
    child: &'a Record,
    relation: &'static BelongsTo,
    pub(crate) parent: Key,
    /// Pointer to the field of the body that requests the membership.
    pointer: String,
    /// Pointer to the field of the body that determines the amount. `None` for the field of the child.
    amount_pointer: Option<&'static str>,
}

impl<'a> Membership<'a> {
    /// Returns the membership of a record. `None` for a record without a parent.
    pub(crate) fn of(child: &'a Record) -> Option<Self> {
        let relation = child.key.resource.belongs_to.as_ref()?;
        Some(Self {
            child,
            relation,
            parent: child.parent()?,
            pointer: format!("/{}", relation.foreign_key.name),
            amount_pointer: None,
        })
    }

    /// Sets the pointer to the field of the body that requests the membership.
    pub(crate) fn requested_at(self, pointer: &str) -> Self {
        Self { pointer: pointer.to_owned(), ..self }
    }

    /// Sets the pointer to the field of the body that determines the amount.
    pub(crate) fn amount_at(self, pointer: &'static str) -> Self {
        Self { amount_pointer: Some(pointer), ..self }
    }

    /// Returns the write of the item with the slot: the parent itself or its state.
    fn write<'w>(&self, write_set: &'w mut WriteSet, slot: &str) -> &'w mut Write {
        let is_field = self.parent.resource.field(slot).is_some();
        if is_field { write_set.write(self.parent).require(Condition::Exists) } else { self.state(write_set) }
    }

    /// Returns the write of the parent's state. Requires that it is the state of the child's parent, not of a parent
    /// that was stored under the same key since.
    fn state<'w>(&self, write_set: &'w mut WriteSet) -> &'w mut Write {
        let generation = self.child.value(PARENT_GENERATION).map(Value::to_stored);
        write_set.state(self.parent).require(Condition::Is(GENERATION.to_owned(), generation))
    }

    /// Adds the child to the parent's data. `max_bytes` is the maximum JSON of all children of the parent.
    pub(crate) fn add_to_parent(&self, write_set: &mut WriteSet, max_bytes: i64) {
        if !self.child.is_active() {
            return;
        }
        let id = self.child.key.id;
        match &self.relation.parent_data {
            ParentData::Nothing => {}
            ParentData::One { slot, mirrors, occupied, .. } => {
                let unoccupied = Condition::Is((*slot).to_owned(), None);
                let write = self.write(write_set, slot).require_or(unoccupied, self.slot_occupied(*occupied));
                write.put_attribute(slot, Some(number(id)));
                self.copy_mirrored(write, mirrors, Some(self.child));
            }
            ParentData::Many { ids, max, .. } => {
                let write = self.state(write_set);
                write.add_members.entry(ids).or_default().insert(id);
                *write.add.entry(CHILDREN_BYTES.into()).or_default() += json_size(self.child);
                write.require_or(Condition::MaxMembers(ids, *max), self.too_many(*max));
                write.require_or(Condition::Within(CHILDREN_BYTES.into(), 0, max_bytes), self.parent_too_large());
            }
            ParentData::Sum { embedded, addend } => {
                let write = self.state(write_set);
                *write.add.entry(embedded.field.into()).or_default() += self.child.get(addend).unwrap_or_default();
                index_by_sum(write, self.parent, embedded.field);
                let in_range = Condition::Within(embedded.field.into(), -MAX_INTEGER, MAX_INTEGER);
                write.require_or(in_range, self.sum_out_of_range(embedded.field, addend.name));
            }
        }
    }

    /// Removes the child from the parent's data.
    pub(crate) fn remove_from_parent(&self, write_set: &mut WriteSet) {
        if !self.child.is_active() {
            return;
        }
        let id = self.child.key.id;
        match &self.relation.parent_data {
            ParentData::Nothing | ParentData::Sum { .. } => {}
            ParentData::One { slot, mirrors, .. } => {
                let write = self.write(write_set, slot).require(Condition::Is((*slot).to_owned(), Some(number(id))));
                write.put_attribute(slot, None);
                self.copy_mirrored(write, mirrors, None);
            }
            ParentData::Many { ids, .. } => {
                let write = self.state(write_set);
                write.remove_members.entry(ids).or_default().insert(id);
                *write.add.entry(CHILDREN_BYTES.into()).or_default() -= json_size(self.child);
            }
        }
    }

    /// Updates the parents' data after a change to the child. The change may move the child to another parent.
    pub(crate) fn update_parents(
        before: &Record,
        after: &Record,
        pointer: &str,
        write_set: &mut WriteSet,
        max_bytes: i64,
    ) {
        let (Some(old), Some(new)) = (Membership::of(before), Membership::of(after)) else { return };
        if old.parent != new.parent {
            // A parent that is being deleted deletes all its children. None may move away.
            for membership in [&old, &new] {
                if has_state(membership.parent.resource) {
                    membership.state(write_set);
                }
            }
        }
        if (old.parent, before.is_active()) == (new.parent, after.is_active()) {
            if after.is_active() {
                new.update_parent(before, write_set, max_bytes);
            }
            return;
        }
        old.remove_from_parent(write_set);
        new.requested_at(pointer).add_to_parent(write_set, max_bytes);
    }

    /// Updates the mirrored fields and the byte count of a parent that stays the same.
    fn update_parent(&self, before: &Record, write_set: &mut WriteSet, max_bytes: i64) {
        match &self.relation.parent_data {
            ParentData::One { slot, mirrors, .. } => {
                if mirrors.iter().any(|(field, _)| before.value(field) != self.child.value(field)) {
                    let id = self.child.key.id;
                    let write =
                        self.write(write_set, slot).require(Condition::Is((*slot).to_owned(), Some(number(id))));
                    self.copy_mirrored(write, mirrors, Some(self.child));
                }
            }
            ParentData::Many { .. } => {
                let growth = json_size(self.child) - json_size(before);
                if growth != 0 {
                    let write = self.state(write_set);
                    *write.add.entry(CHILDREN_BYTES.into()).or_default() += growth;
                    if growth > 0 {
                        write.require_or(
                            Condition::Within(CHILDREN_BYTES.into(), 0, max_bytes),
                            self.parent_too_large(),
                        );
                    }
                }
            }
            ParentData::Nothing | ParentData::Sum { .. } => {}
        }
    }

    /// Copies the mirrored fields of the child to its parent. Without a child, removes them.
    fn copy_mirrored(&self, write: &mut Write, mirrors: &[(&'static str, &'static str)], child: Option<&Record>) {
        for (of_child, of_parent) in mirrors {
            let value = child.and_then(|child| child.value(of_child)).map(Value::to_stored);
            write.put(self.parent.resource, of_parent, value);
        }
    }

    fn slot_occupied(&self, code: Code) -> Error {
        let active = if self.relation.while_unset.is_some() { "an active " } else { "a " };
        let child = self.child.key.resource.singular;
        let detail = format!("{} already has {active}{child}. Change or delete it first.", self.parent.title());
        Error::conflict(code, &self.pointer, detail)
    }

    fn sum_out_of_range(&self, field: &str, of: &str) -> Error {
        let detail = format!("The {field} would exceed ±9007199254740991. Send a smaller amount.");
        let child = self.pointer.strip_suffix(self.relation.foreign_key.name).unwrap_or("/");
        let pointer = self.amount_pointer.map_or_else(|| format!("{child}{of}"), str::to_owned);
        Error::invalid(vec![Violation::at_pointer(pointer, ViolationCode::OutOfRange.invalid_value(detail))])
    }

    fn too_many(&self, max: usize) -> Error {
        let (children, parent) = (self.child.key.resource.name, self.parent.resource.singular);
        let detail = format!("A {parent} can have at most {max} {children} at a time.");
        Error::invalid(vec![Violation::at_pointer(&self.pointer, ViolationCode::TooMany.invalid_value(detail))])
    }

    fn parent_too_large(&self) -> Error {
        too_large(self.parent.resource, &self.pointer)
    }
}

/// Adds the state of a parent to the index by its sum.
fn index_by_sum(write: &mut Write, parent: Key, sum: &'static str) {
    write.put_attribute("summed", Some(StoredValue::Text(sum.to_owned()))).put_attribute("id", Some(number(parent.id)));
    write.sharded_by = Some(parent.id);
}

/// Returns the maximum JSON of a record's children, in bytes.
pub(crate) fn remaining_bytes(parent: &Record) -> i64 {
    max_bytes(parent.key.resource) - json_size(parent)
}

/// Creates the 422 error for a request that would make a record too large.
pub(crate) fn too_large(resource: &Resource, pointer: &str) -> Error {
    let (singular, max) = (resource.singular, max_bytes(resource));
    let detail =
        format!("The {singular} would exceed {max} bytes of JSON. Send less, or delete something that it embeds.");
    Error::record_too_large(pointer, detail)
}

/// Converts a set of identifiers to its stored form. DynamoDB does not have empty sets, so an empty set is `None`.
pub(crate) fn stored_ids(ids: BTreeSet<Id>) -> Option<StoredValue> {
    (!ids.is_empty()).then_some(StoredValue::Ids(ids))
}
