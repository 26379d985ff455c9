//! The data that a parent stores about its children. A child joins its parent when it is created, leaves it when it is
//! deleted, and updates the data when it changes.
//!
//! The data is in the parent's state, or in a field of the parent itself. The same transaction writes the child and the
//! data. The rule of the relation, such as a maximum of children, is a condition of that write.

use std::collections::BTreeSet;

use super::item::{GENERATION, PARENT_GENERATION, number};
use super::size::{json_size, largest};
use super::snapshot::BYTES;
use super::write::{Condition, Write};
use super::write_set::WriteSet;
use crate::error::{Code, Error, Rule, Violation};
use crate::schema::{BelongsTo, Key, MAX_INTEGER, OnParent, Record, Resource, Stored, Value};

/// The membership of a child in its parent.
pub(crate) struct Membership<'a> {
    child: &'a Record,
    relation: &'static BelongsTo,
    /// The parent of the child.
    pub(crate) parent: Key,
    /// The pointer to the field of the body that requests the membership.
    pointer: String,
}

impl<'a> Membership<'a> {
    /// Returns the membership of a record, or `None` if it has no parent.
    pub(crate) fn of(child: &'a Record) -> Option<Self> {
        let relation = child.key.resource.belongs_to.as_ref()?;
        Some(Self { child, relation, parent: child.parent()?, pointer: format!("/{}", relation.by.name) })
    }

    /// Sets the pointer to the field of the body that requests the membership.
    pub(crate) fn asked_by(self, pointer: &str) -> Self {
        Self { pointer: pointer.to_owned(), ..self }
    }

    /// Returns the write of the item with the slot: the parent itself or its state.
    fn write<'w>(&self, write_set: &'w mut WriteSet, slot: &str) -> &'w mut Write {
        if self.is_field(slot) { write_set.write(self.parent).when(Condition::Exists) } else { self.state(write_set) }
    }

    /// Returns the write of the parent's state, on the condition that it is the state of the child's own parent, and not
    /// of one that was stored under the same key since.
    fn state<'w>(&self, write_set: &'w mut WriteSet) -> &'w mut Write {
        let generation = self.child.value(PARENT_GENERATION).map(Value::to_stored);
        write_set.state(self.parent).when(Condition::Is(GENERATION.to_owned(), generation))
    }

    fn is_field(&self, slot: &str) -> bool {
        self.parent.resource.field(slot).is_some()
    }

    /// Adds the child to the parent's data. `room` is the most JSON that all children of the parent may have, in bytes.
    pub(crate) fn join(&self, write_set: &mut WriteSet, room: i64) {
        if !self.child.is_active() {
            return;
        }
        let id = self.child.key.id;
        match &self.relation.on_parent {
            OnParent::Nothing => {}
            OnParent::One { slot, mirrors, occupied, .. } => {
                let occupied = self.occupied(*occupied);
                let write = self.write(write_set, slot).or(Condition::Is((*slot).to_owned(), None), occupied);
                write.put_attribute(slot, Some(number(id)));
                self.mirror(write, mirrors, Some(self.child));
            }
            OnParent::Many { ids, max: most, .. } => {
                let (full, heavy) = (self.full(*most), self.heavy());
                let write = self.state(write_set);
                write.join.entry(ids).or_default().insert(id);
                *write.add.entry(BYTES).or_default() += json_size(self.child);
                write.or(Condition::Room(ids, *most), full).or(Condition::Within(BYTES, 0, room), heavy);
            }
            OnParent::Sum { embedded, of } => {
                let overdrawn = self.overdrawn(embedded.field, of.name);
                let write = self.state(write_set);
                *write.add.entry(embedded.field).or_default() += self.child.get(of).unwrap_or_default();
                rank(write, self.parent, embedded.field);
                write.or(Condition::Within(embedded.field, -MAX_INTEGER, MAX_INTEGER), overdrawn);
            }
        }
    }

    /// Removes the child from the parent's data.
    pub(crate) fn leave(&self, write_set: &mut WriteSet) {
        if !self.child.is_active() {
            return;
        }
        let id = self.child.key.id;
        match &self.relation.on_parent {
            OnParent::Nothing | OnParent::Sum { .. } => {}
            OnParent::One { slot, mirrors, .. } => {
                let write = self.write(write_set, slot).when(Condition::Is((*slot).to_owned(), Some(number(id))));
                write.put_attribute(slot, None);
                self.mirror(write, mirrors, None);
            }
            OnParent::Many { ids, .. } => {
                let write = self.state(write_set);
                write.leave.entry(ids).or_default().extend(BTreeSet::from([id]));
                *write.add.entry(BYTES).or_default() -= json_size(self.child);
            }
        }
    }

    /// Updates the parents' data after a change of the child. The change may move the child to another parent.
    pub(crate) fn follow(before: &Record, after: &Record, pointer: &str, write_set: &mut WriteSet, room: i64) {
        let (Some(old), Some(new)) = (Membership::of(before), Membership::of(after)) else { return };
        if old.parent != new.parent {
            // A parent that is being deleted deletes all its children. None may move away.
            for membership in [&old, &new] {
                if super::snapshot::has_state(membership.parent.resource) {
                    membership.state(write_set);
                }
            }
        }
        if (old.parent, before.is_active()) == (new.parent, after.is_active()) {
            if after.is_active() {
                new.stay(before, write_set, room);
            }
            return;
        }
        old.leave(write_set);
        new.asked_by(pointer).join(write_set, room);
    }

    /// Updates the mirrored fields and the byte count of a parent that stays the same.
    fn stay(&self, before: &Record, write_set: &mut WriteSet, room: i64) {
        match &self.relation.on_parent {
            OnParent::One { slot, mirrors, .. } => {
                let changed = mirrors.iter().any(|(own, _)| before.value(own) != self.child.value(own));
                if changed {
                    let id = self.child.key.id;
                    let write = self.write(write_set, slot).when(Condition::Is((*slot).to_owned(), Some(number(id))));
                    self.mirror(write, mirrors, Some(self.child));
                }
            }
            OnParent::Many { .. } => {
                let more = json_size(self.child) - json_size(before);
                if more != 0 {
                    let heavy = self.heavy();
                    let write = self.state(write_set);
                    *write.add.entry(BYTES).or_default() += more;
                    if more > 0 {
                        write.or(Condition::Within(BYTES, 0, room), heavy);
                    }
                }
            }
            OnParent::Nothing | OnParent::Sum { .. } => {}
        }
    }

    /// Copies the mirrored fields of the child to its parent. Without a child, removes them.
    fn mirror(&self, write: &mut Write, mirrors: &[(&'static str, &'static str)], child: Option<&Record>) {
        for (own, repeated) in mirrors {
            let value = child.and_then(|child| child.value(own)).map(Value::to_stored);
            write.put(self.parent.resource, repeated, value);
        }
    }

    fn occupied(&self, code: Code) -> Error {
        let active = if self.relation.while_unset.is_some() { "an active " } else { "a " };
        let child = self.child.key.resource.singular;
        let detail = format!("{} already has {active}{child}. Change or delete it first.", self.parent.title());
        Error::conflict(code, &self.pointer, detail)
    }

    fn overdrawn(&self, field: &str, of: &str) -> Error {
        let detail = format!("The {field} would exceed ±9007199254740991. Send a smaller amount.");
        let child = self.pointer.strip_suffix(self.relation.by.name).unwrap_or("/");
        Error::invalid(vec![Violation::at(format!("{child}{of}"), Rule::OutOfRange.violation(detail))])
    }

    fn full(&self, most: usize) -> Error {
        let (children, parent) = (self.child.key.resource.name, self.parent.resource.singular);
        let detail = format!("A {parent} has at most {most} {children} at a time.");
        Error::invalid(vec![Violation::at(&self.pointer, Rule::TooMany.violation(detail))])
    }

    fn heavy(&self) -> Error {
        too_large(self.parent.resource, &self.pointer)
    }
}

/// Puts the state of a parent into the index by its sum.
pub(crate) fn rank(write: &mut Write, parent: Key, sum: &'static str) {
    write.put_attribute("summed", Some(Stored::Text(sum.to_owned()))).put_attribute("id", Some(number(parent.id)));
    write.sharded_by = Some(parent.id);
}

/// Returns the most JSON that the children of a record may have, in bytes.
pub(crate) fn room_in(parent: &Record) -> i64 {
    largest(parent.key.resource) - json_size(parent)
}

/// Returns 422: the request would make a record larger than allowed.
pub(crate) fn too_large(resource: &Resource, pointer: &str) -> Error {
    let (singular, most) = (resource.singular, largest(resource));
    let detail =
        format!("The {singular} would exceed {most} bytes of JSON. Send less, or delete something that it embeds.");
    Error::record_too_large(pointer, detail)
}

/// Returns the stored form of a set of identifiers, for a condition. DynamoDB has no empty sets, so an empty set is
/// `None`.
pub(crate) fn ids_as_read(ids: BTreeSet<crate::schema::Id>) -> Option<Stored> {
    (!ids.is_empty()).then_some(Stored::Ids(ids))
}
