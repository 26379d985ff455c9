//! A child's membership in its parent: it joins when it is created, leaves when it is deleted, and follows when
//! it moves.
//!
//! The parent's write carries the rule (it exists, it has room, its slot is free) as its condition, in the
//! same transaction as the child's own write.

use super::resolve::absent;
use crate::error::{Error, Violation};
use crate::record::{Key, Record};
use crate::resource::{Parent, Slot};
use crate::store::{Changes, Condition, Loaded};
use crate::value::{MAX_INTEGER, Value};

/// What a child is to its parent: who that is, what it keeps of the child, and whether the child counts now.
pub(super) struct Membership<'a> {
    child: &'a Record,
    rule: &'static Parent,
    parent: Key,
    held: bool,
    /// What of the request's body asks for it.
    asked_by: String,
}

impl<'a> Membership<'a> {
    /// The membership of a record; `None` for one without a parent.
    pub(super) fn of(child: &'a Record) -> Option<Self> {
        let rule = child.key.resource.parent.as_ref()?;
        let parent = Key::new(rule.resource, child.reference(rule.by)?);
        let held = rule.while_unset.is_none_or(|field| child.get(field).is_none());
        Some(Self { child, rule, parent, held, asked_by: format!("/{}", rule.by) })
    }

    /// The same membership, asked for at this pointer into the body.
    pub(super) fn asked_by(self, pointer: &str) -> Self {
        Self { asked_by: pointer.to_owned(), ..self }
    }

    /// Joins the parent. `missing` is what it means when there is no such parent: none where the request names
    /// the parent by something else, and has to look again. `loaded` knows the parent where its own parent
    /// repeats what it holds.
    pub(super) fn join(&self, changes: &mut Changes, loaded: &Loaded, missing: Option<Error>) {
        let resource = self.parent.resource;
        let id = self.child.key.id;
        let write = changes.write(self.parent).when_there();
        if let Some(missing) = missing {
            write.if_absent(missing);
        }
        match self.rule.slot {
            _ if !self.held => {}
            Slot::Nothing => {}
            Slot::One(field) => {
                write.when(Condition::Is(field.to_owned(), None)).if_present(self.occupied());
                write.set_field(resource, field, Some(&Value::Id(id)));
                for (own, repeated) in self.rule.mirrors {
                    write.set_field(resource, repeated, self.child.get(own));
                }
            }
            Slot::Many(field, most) => {
                write
                    .when(Condition::RoomFor(field.to_owned(), most))
                    .add_members(field, &[id])
                    .if_present(self.full(most));
                self.tell_grandparent(changes, loaded, field, true);
            }
            Slot::Sum(field, of) => {
                let amount = self.child.integer(of).unwrap_or_default();
                let within = if amount >= 0 {
                    Condition::AtMost(field.to_owned(), MAX_INTEGER - amount)
                } else {
                    Condition::AtLeast(field.to_owned(), -MAX_INTEGER - amount)
                };
                write.when(within).add_amount(field, amount).if_present(self.overdrawn(field, of));
            }
        }
    }

    /// Leaves the parent.
    pub(super) fn leave(&self, changes: &mut Changes, loaded: &Loaded) {
        let resource = self.parent.resource;
        let id = self.child.key.id;
        match self.rule.slot {
            _ if !self.held => {}
            Slot::Nothing | Slot::Sum(..) => {}
            Slot::One(field) => {
                let write = changes.write(self.parent).when_there();
                write.when(Condition::Is(field.to_owned(), Some(crate::store::stored(&Value::Id(id)))));
                for field in std::iter::once(&field).chain(self.rule.mirrors.iter().map(|(_, repeated)| repeated)) {
                    write.set_field(resource, field, None);
                }
            }
            Slot::Many(field, _) => {
                changes.write(self.parent).when_there().take_members(field, &[id]);
                self.tell_grandparent(changes, loaded, field, false);
            }
        }
    }

    /// Follows a change of the child that may move it.
    pub(super) fn follow(before: &Record, after: &Record, changes: &mut Changes, loaded: &Loaded, missing: Error) {
        let (Some(old), Some(new)) = (Membership::of(before), Membership::of(after)) else { return };
        if (old.parent, old.held) != (new.parent, new.held) {
            let moved = old.parent != new.parent;
            let reopened = new.rule.while_unset.filter(|_| !moved).map(|field| format!("/{field}"));
            let new = if let Some(pointer) = reopened { new.asked_by(&pointer) } else { new };
            if moved {
                // A parent that is being deleted takes its children along: none escapes.
                changes.write(old.parent).when_there();
            }
            old.leave(changes, loaded);
            new.join(changes, loaded, Some(missing));
        } else if new.held {
            new.mirror(before, changes);
        }
    }

    /// Tells the parent of changes in what it repeats.
    fn mirror(&self, before: &Record, changes: &mut Changes) {
        let Slot::One(slot) = self.rule.slot else { return };
        for (own, repeated) in self.rule.mirrors {
            if before.get(own) != self.child.get(own) {
                let write = changes.write(self.parent).when_there();
                write.when(Condition::Is(slot.to_owned(), Some(crate::store::stored(&Value::Id(self.child.key.id)))));
                write.set_field(self.parent.resource, repeated, self.child.get(own));
            }
        }
    }

    /// Where the parent's own parent repeats the set that changes, it changes there too.
    fn tell_grandparent(&self, changes: &mut Changes, loaded: &Loaded, field: &str, joins: bool) {
        let Some(parent) = loaded.get(&self.parent) else { return };
        let Some(rule) = &self.parent.resource.parent else { return };
        let Some((_, repeated)) = rule.mirrors.iter().find(|(own, _)| *own == field) else { return };
        changes.write(self.parent).when_as_in(parent, rule.by);
        if let Some(grandparent) = parent.reference(rule.by) {
            let write = changes.write(Key::new(rule.resource, grandparent)).when_there();
            let id = [self.child.key.id];
            if joins {
                write.add_members(repeated, &id)
            } else {
                write.take_members(repeated, &id)
            };
        }
    }

    fn occupied(&self) -> Error {
        let (child, parent) = (self.child.key.resource.singular, self.parent.resource.singular);
        let active = if self.rule.while_unset.is_some() { "active " } else { "" };
        let detail = format!(
            "The {parent} {} already has one {active}{child}: change or delete that one first.",
            self.parent.id
        );
        Error::conflict(Violation::at(&self.asked_by, detail))
    }

    fn overdrawn(&self, field: &str, of: &str) -> Error {
        let detail = format!("The {field} would leave ±(2^53−1): give an amount that keeps it within.");
        let child = self.asked_by.strip_suffix(self.rule.by).unwrap_or("/");
        Error::invalid(vec![Violation::at(format!("{child}{of}"), detail)])
    }

    fn full(&self, most: usize) -> Error {
        let (children, parent) = (self.child.key.resource.name, self.parent.resource.singular);
        let detail = format!("A {parent} has at most {most} {children} at a time, and this one would have more.");
        Error::invalid(vec![Violation::at(&self.asked_by, detail)])
    }
}

/// What it means when a parent is not there: 404 if the path names it, 422 if the body does.
pub(super) fn missing(parent: Key, named_by_path: bool, pointer: &str) -> Error {
    if named_by_path {
        return absent(parent);
    }
    Error::invalid(vec![no_such(parent, pointer)])
}

/// What is wrong with a reference to a record that is not there.
pub(super) fn no_such(key: Key, pointer: impl Into<String>) -> Violation {
    Violation::at(pointer, format!("There is no {} {}.", key.resource.singular, key.id))
}
