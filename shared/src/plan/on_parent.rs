//! What a holder keeps of a record that belongs to it: the record joins when it is created, leaves when it is deleted,
//! and follows when it changes.
//!
//! The holder's state (or the holder itself, for what it shows as a field of its own) carries the rule as a condition,
//! in the same unit of work as the record's own write.

use std::collections::BTreeSet;

use super::item::number;
use super::size::{json_size, largest};
use super::snapshot::BYTES;
use super::write_set::{Condition, Write, WriteSet};
use crate::error::{Error, Violation};
use crate::schema::{BelongsTo, Key, MAX_INTEGER, OnParent, Record, Resource, Stored};

/// A record's place with its holder.
pub(super) struct Place<'a> {
    child: &'a Record,
    relation: &'static BelongsTo,
    /// Whom it belongs to.
    pub(super) parent: Key,
    /// What of the request's body asks for it.
    pointer: String,
}

impl<'a> Place<'a> {
    /// The place of a record; `None` for one that belongs to nobody.
    pub(super) fn of(child: &'a Record) -> Option<Self> {
        let relation = child.key.resource.belongs_to.as_ref()?;
        Some(Self { child, relation, parent: child.parent()?, pointer: format!("/{}", relation.by.name) })
    }

    /// The same place, asked for at this pointer into the body.
    pub(super) fn asked_by(self, pointer: &str) -> Self {
        Self { pointer: pointer.to_owned(), ..self }
    }

    /// The write to what the holder keeps.
    fn write<'w>(&self, write_set: &'w mut WriteSet, slot: &str) -> &'w mut Write {
        if self.is_field(slot) {
            write_set.write(self.parent).when(Condition::Exists)
        } else {
            write_set.state(self.parent)
        }
    }

    fn is_field(&self, slot: &str) -> bool {
        self.parent.resource.field(slot).is_some()
    }

    /// Joins the holder. `room` is how much JSON the holder may still gain, at most, besides what it keeps already.
    pub(super) fn join(&self, write_set: &mut WriteSet, room: i64) {
        if !self.child.is_active() {
            return;
        }
        let id = self.child.key.id;
        match &self.relation.on_parent {
            OnParent::Nothing => {}
            OnParent::One { slot, mirrors, .. } => {
                let occupied = self.occupied();
                let write = self.write(write_set, slot).or(Condition::Is((*slot).to_owned(), None), occupied);
                write.put_attribute(slot, Some(number(id)));
                self.mirror(write, mirrors, Some(self.child));
            }
            OnParent::Many { ids, most, .. } => {
                let (full, heavy) = (self.full(*most), self.heavy());
                let write = write_set.state(self.parent);
                write.join.entry(ids).or_default().insert(id);
                *write.add.entry(BYTES).or_default() += json_size(self.child);
                write.or(Condition::Room(ids, *most), full).or(Condition::Within(BYTES, 0, room), heavy);
            }
            OnParent::Sum { embedded, of } => {
                let overdrawn = self.overdrawn(embedded.field, of.name);
                let write = write_set.state(self.parent);
                *write.add.entry(embedded.field).or_default() += self.child.get(of).unwrap_or_default();
                write.or(Condition::Within(embedded.field, -MAX_INTEGER, MAX_INTEGER), overdrawn);
            }
        }
    }

    /// Leaves the holder.
    pub(super) fn leave(&self, write_set: &mut WriteSet) {
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
                let write = write_set.state(self.parent);
                write.leave.entry(ids).or_default().extend(BTreeSet::from([id]));
                *write.add.entry(BYTES).or_default() -= json_size(self.child);
            }
        }
    }

    /// Follows a change of the record that may move it, or change what the holder repeats and counts.
    pub(super) fn follow(before: &Record, after: &Record, pointer: &str, write_set: &mut WriteSet, room: i64) {
        let (Some(old), Some(new)) = (Place::of(before), Place::of(after)) else { return };
        if old.parent != new.parent {
            // A holder that is being deleted takes its own along: none escapes.
            for parent in [old.parent, new.parent] {
                if super::snapshot::has_state(parent.resource) {
                    write_set.state(parent);
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

    /// Tells the holder of changes in what it repeats and counts.
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
                    let write = write_set.state(self.parent);
                    *write.add.entry(BYTES).or_default() += more;
                    if more > 0 {
                        write.or(Condition::Within(BYTES, 0, room), heavy);
                    }
                }
            }
            OnParent::Nothing | OnParent::Sum { .. } => {}
        }
    }

    /// Repeats fields of the record in its holder, or takes them away.
    fn mirror(&self, write: &mut Write, mirrors: &[(&'static str, &'static str)], child: Option<&Record>) {
        for (own, repeated) in mirrors {
            let value = child.and_then(|child| child.value(own)).map(crate::schema::Value::to_stored);
            write.put(self.parent.resource, repeated, value);
        }
    }

    fn occupied(&self) -> Error {
        let (child, parent) = (self.child.key.resource.singular, self.parent.resource.singular);
        let active = if self.relation.while_unset.is_some() { "active " } else { "" };
        let detail = format!(
            "The {parent} {} already has one {active}{child}: change or delete that one first.",
            self.parent.id
        );
        Error::conflict(Violation::at(&self.pointer, detail))
    }

    fn overdrawn(&self, field: &str, of: &str) -> Error {
        let detail = format!("The {field} would leave ±(2^53−1): give an amount that keeps it within.");
        let child = self.pointer.strip_suffix(self.relation.by.name).unwrap_or("/");
        Error::invalid(vec![Violation::at(format!("{child}{of}"), detail)])
    }

    fn full(&self, most: usize) -> Error {
        let (children, parent) = (self.child.key.resource.name, self.parent.resource.singular);
        let detail = format!("A {parent} has at most {most} {children} at a time, and this one would have more.");
        Error::invalid(vec![Violation::at(&self.pointer, detail)])
    }

    fn heavy(&self) -> Error {
        too_large(self.parent.resource, &self.pointer)
    }
}

/// How much JSON what a record keeps may be, besides its own.
pub(super) fn room_in(parent: &Record) -> i64 {
    largest(parent.key.resource) - json_size(parent)
}

/// 422: with this, a record would be larger than any may be.
pub(super) fn too_large(resource: &Resource, pointer: &str) -> Error {
    let (singular, most) = (resource.singular, largest(resource));
    let detail = format!(
        "With this, the {singular} would show more than {most} bytes of JSON: send less, or delete something of it."
    );
    Error::invalid(vec![Violation::at(pointer, detail)])
}

/// Identifiers as they are stored, for conditions on what was read: an empty set is not.
pub(super) fn ids_as_read(ids: BTreeSet<crate::schema::Id>) -> Option<Stored> {
    (!ids.is_empty()).then_some(Stored::Ids(ids))
}
