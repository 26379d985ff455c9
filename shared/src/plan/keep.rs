//! What a holder keeps of a record that belongs to it: the record joins when it is created, leaves when it is deleted,
//! and follows when it changes.
//!
//! The holder's state (or the holder itself, for what it shows as a field of its own) carries the rule as a condition,
//! in the same unit of work as the record's own write.

use std::collections::BTreeSet;

use super::item::number;
use super::loaded::BYTES;
use super::size::{json_size, largest};
use super::work::{Condition, Work, Write};
use crate::error::{Error, Violation};
use crate::schema::{BelongsTo, Kept, Key, MAX_INTEGER, Record, Resource, Stored};

/// A record's place with its holder.
pub(super) struct Place<'a> {
    child: &'a Record,
    relation: &'static BelongsTo,
    /// Whom it belongs to.
    pub(super) holder: Key,
    /// What of the request's body asks for it.
    pointer: String,
}

impl<'a> Place<'a> {
    /// The place of a record; `None` for one that belongs to nobody.
    pub(super) fn of(child: &'a Record) -> Option<Self> {
        let relation = child.key.resource.belongs_to.as_ref()?;
        Some(Self { child, relation, holder: child.holder()?, pointer: format!("/{}", relation.by.name) })
    }

    /// The same place, asked for at this pointer into the body.
    pub(super) fn asked_by(self, pointer: &str) -> Self {
        Self { pointer: pointer.to_owned(), ..self }
    }

    /// The write to what the holder keeps.
    fn write<'w>(&self, work: &'w mut Work, slot: &str) -> &'w mut Write {
        if self.is_field(slot) { work.write(self.holder).when(Condition::Exists) } else { work.state(self.holder) }
    }

    fn is_field(&self, slot: &str) -> bool {
        self.holder.resource.field(slot).is_some()
    }

    /// Joins the holder. `room` is how much JSON the holder may still gain, at most, besides what it keeps already.
    pub(super) fn join(&self, work: &mut Work, room: i64) {
        if !self.child.is_kept() {
            return;
        }
        let id = self.child.key.id;
        match &self.relation.kept {
            Kept::Nothing => {}
            Kept::One { slot, mirrors, .. } => {
                let occupied = self.occupied();
                let write = self.write(work, slot).or(Condition::Is((*slot).to_owned(), None), occupied);
                write.put_attribute(slot, Some(number(id)));
                self.mirror(write, mirrors, Some(self.child));
            }
            Kept::Many { ids, most, .. } => {
                let (full, heavy) = (self.full(*most), self.heavy());
                let write = work.state(self.holder);
                write.join.entry(ids).or_default().insert(id);
                *write.add.entry(BYTES).or_default() += json_size(self.child);
                write.or(Condition::Room(ids, *most), full).or(Condition::Within(BYTES, 0, room), heavy);
            }
            Kept::Sum { embedded, of } => {
                let overdrawn = self.overdrawn(embedded.field, of.name);
                let write = work.state(self.holder);
                *write.add.entry(embedded.field).or_default() += self.child.get(of).unwrap_or_default();
                write.or(Condition::Within(embedded.field, -MAX_INTEGER, MAX_INTEGER), overdrawn);
            }
        }
    }

    /// Leaves the holder.
    pub(super) fn leave(&self, work: &mut Work) {
        if !self.child.is_kept() {
            return;
        }
        let id = self.child.key.id;
        match &self.relation.kept {
            Kept::Nothing | Kept::Sum { .. } => {}
            Kept::One { slot, mirrors, .. } => {
                let write = self.write(work, slot).when(Condition::Is((*slot).to_owned(), Some(number(id))));
                write.put_attribute(slot, None);
                self.mirror(write, mirrors, None);
            }
            Kept::Many { ids, .. } => {
                let write = work.state(self.holder);
                write.leave.entry(ids).or_default().extend(BTreeSet::from([id]));
                *write.add.entry(BYTES).or_default() -= json_size(self.child);
            }
        }
    }

    /// Follows a change of the record that may move it, or change what the holder repeats and counts.
    pub(super) fn follow(before: &Record, after: &Record, pointer: &str, work: &mut Work, room: i64) {
        let (Some(old), Some(new)) = (Place::of(before), Place::of(after)) else { return };
        if old.holder != new.holder {
            // A holder that is being deleted takes its own along: none escapes.
            for holder in [old.holder, new.holder] {
                if super::loaded::has_state(holder.resource) {
                    work.state(holder);
                }
            }
        }
        if (old.holder, before.is_kept()) == (new.holder, after.is_kept()) {
            if after.is_kept() {
                new.stay(before, work, room);
            }
            return;
        }
        old.leave(work);
        new.asked_by(pointer).join(work, room);
    }

    /// Tells the holder of changes in what it repeats and counts.
    fn stay(&self, before: &Record, work: &mut Work, room: i64) {
        match &self.relation.kept {
            Kept::One { slot, mirrors, .. } => {
                let changed = mirrors.iter().any(|(own, _)| before.value(own) != self.child.value(own));
                if changed {
                    let id = self.child.key.id;
                    let write = self.write(work, slot).when(Condition::Is((*slot).to_owned(), Some(number(id))));
                    self.mirror(write, mirrors, Some(self.child));
                }
            }
            Kept::Many { .. } => {
                let more = json_size(self.child) - json_size(before);
                if more != 0 {
                    let heavy = self.heavy();
                    let write = work.state(self.holder);
                    *write.add.entry(BYTES).or_default() += more;
                    if more > 0 {
                        write.or(Condition::Within(BYTES, 0, room), heavy);
                    }
                }
            }
            Kept::Nothing | Kept::Sum { .. } => {}
        }
    }

    /// Repeats fields of the record in its holder, or takes them away.
    fn mirror(&self, write: &mut Write, mirrors: &[(&'static str, &'static str)], child: Option<&Record>) {
        for (own, repeated) in mirrors {
            let value = child.and_then(|child| child.value(own)).map(crate::schema::Value::to_stored);
            write.put(self.holder.resource, repeated, value);
        }
    }

    fn occupied(&self) -> Error {
        let (child, holder) = (self.child.key.resource.singular, self.holder.resource.singular);
        let active = if self.relation.while_unset.is_some() { "active " } else { "" };
        let detail = format!(
            "The {holder} {} already has one {active}{child}: change or delete that one first.",
            self.holder.id
        );
        Error::conflict(Violation::at(&self.pointer, detail))
    }

    fn overdrawn(&self, field: &str, of: &str) -> Error {
        let detail = format!("The {field} would leave ±(2^53−1): give an amount that keeps it within.");
        let child = self.pointer.strip_suffix(self.relation.by.name).unwrap_or("/");
        Error::invalid(vec![Violation::at(format!("{child}{of}"), detail)])
    }

    fn full(&self, most: usize) -> Error {
        let (children, holder) = (self.child.key.resource.name, self.holder.resource.singular);
        let detail = format!("A {holder} has at most {most} {children} at a time, and this one would have more.");
        Error::invalid(vec![Violation::at(&self.pointer, detail)])
    }

    fn heavy(&self) -> Error {
        too_large(self.holder.resource, &self.pointer)
    }
}

/// How much JSON what a record keeps may be, besides its own.
pub(super) fn room_in(holder: &Record) -> i64 {
    largest(holder.key.resource) - json_size(holder)
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
