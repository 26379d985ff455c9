//! Deleting a record with all that it knows to belong to it: the record of the intended deletion first, the rest after.

use super::item::{apart_attribute, as_kept};
use super::keep::{Place, ids_as_read};
use super::loaded::{Loaded, has_contents, has_state};
use super::tombstone::Tombstone;
use super::work::{Condition, Work, Write};
use crate::resources;
use crate::schema::{Kept, Record, Timestamp, Value};

/// A deletion that is ready to be stored.
#[derive(Debug, Default)]
pub struct Removal {
    /// What is to be stored.
    pub work: Work,
    /// What is to be deleted after that.
    pub left: Tombstone,
}

/// Plans the removal of a record; `leaves` unless its holder is gone. `loaded` has all that
/// [`needed_to_remove`](super::needed_to_remove) asks for.
pub fn remove(record: &Record, loaded: &Loaded, leaves: bool, now: Timestamp) -> Removal {
    let resource = record.key.resource;
    let mut removal = Removal::default();
    if let Some(place) = Place::of(record).filter(|_| leaves) {
        place.leave(&mut removal.work);
    }
    if let Some(value) = resource.unique.and_then(|unique| record.get(unique)) {
        removal.work.release(resource, value);
    }
    if resources::is_unbounded(resource) {
        removal.left.holder = Some(record.key.to_string());
    }
    removal.with_contents(record, loaded, now);
    removal
}

/// Plans the removal of a record that an index shows with its holder, which is gone, on the condition that it is as the
/// index says. `None` for one that has more to take along, and must be read first.
pub fn remove_seen(record: &Record) -> Option<Removal> {
    let resource = record.key.resource;
    let children = resources::children(resource);
    let mut removal = Removal::default();
    removal.work.keep_texts(Some(record), None);
    let write = removal.work.delete(record.key);
    as_seen(write, record);
    if let Some(relation) = &resource.belongs_to {
        write.when_as_in(record, relation.by.name);
    }
    for child in children {
        match child.relation.kept {
            Kept::One { slot, .. } if resource.field(slot).is_some() && record.reference(slot).is_none() => {
                write.when_as_in(record, slot);
            }
            _ => return None,
        }
    }
    let pictured = resource.fields.iter().any(crate::schema::Field::is_image);
    (!pictured).then_some(removal)
}

/// Makes a deletion conditional on the record's long texts being those that are deleted with it.
fn as_seen(write: &mut Write, record: &Record) {
    for field in record.key.resource.fields.iter().filter(|field| field.codec.apart) {
        let apart = record.value(field.name).map(|value| as_kept(field, value));
        let apart = apart.filter(|value| matches!(value, Value::Apart(_))).map(|value| value.to_stored());
        write.when(Condition::Is(apart_attribute(field.name), apart));
    }
}

impl Removal {
    /// The record itself, its state, its images, and what belongs to it, each as it was read.
    fn with_contents(&mut self, record: &Record, loaded: &Loaded, now: Timestamp) {
        let resource = record.key.resource;
        self.work.keep_texts(Some(record), None);
        let write = self.work.delete(record.key);
        as_seen(write, record);
        if let Some(unique) = resource.unique {
            write.when_as_in(record, unique.name);
        }
        if let Some(relation) = &resource.belongs_to {
            let decisive = [Some(relation.by.name), relation.while_unset.map(|attribute| attribute.name)];
            for field in decisive.into_iter().flatten() {
                write.when_as_in(record, field);
            }
            if let Kept::Many { .. } = relation.kept {
                // The holder counts what it loses.
                for field in resource.fields.iter().filter(|field| field.changeable && !field.is_image()) {
                    if record.is_kept() && field.codec.kind == crate::schema::scalar::Kind::Text {
                        write.when_as_in(record, field.name);
                    }
                }
            }
        }
        for field in resource.fields.iter().filter(|field| field.is_image()) {
            write.when_as_in(record, field.name);
            self.left.images.extend(record.text(field.name).map(str::to_owned));
        }
        self.children(record, loaded, now);
        if has_state(resource) {
            self.work.bury(record.key, now);
        }
    }

    fn children(&mut self, record: &Record, loaded: &Loaded, now: Timestamp) {
        for child in resources::children(record.key.resource).iter().filter(|child| child.relation.is_complete()) {
            let keys = loaded.kept(record, *child).unwrap_or_default();
            match child.relation.kept {
                Kept::One { slot, .. } if record.key.resource.field(slot).is_some() => {
                    self.work.write(record.key).when_as_in(record, slot);
                }
                Kept::One { slot, .. } => {
                    let as_read = keys.first().map(|key| super::item::number(key.id));
                    self.work.state(record.key).when(Condition::Is(slot.to_owned(), as_read));
                }
                Kept::Many { ids, .. } => {
                    let as_read = ids_as_read(keys.iter().map(|key| key.id).collect());
                    self.work.state(record.key).when(Condition::Is(ids.to_owned(), as_read));
                }
                Kept::Nothing | Kept::Sum { .. } => {}
            }
            for key in keys {
                match loaded.records.get(&key).filter(|_| has_contents(key.resource)) {
                    Some(kept) => self.with_contents(kept, loaded, now),
                    None => self.left.items.push(key.to_string()),
                }
            }
        }
    }
}
