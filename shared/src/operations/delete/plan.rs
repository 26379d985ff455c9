//! Plans the deletion of a record with its children.
//!
//! The write set deletes the record. A tombstone lists images and other items to delete afterwards.

use crate::resources;
use crate::schema::{ParentData, Record, Timestamp, Value};
use crate::table::{
    Condition, Membership, PARENT_GENERATION, Snapshot, Tombstone, Write, WriteKind, WriteSet, counters_key,
    has_contents, has_state, number, out_of_line_attribute, stored_ids, stored_value,
};

/// A deletion, ready to be stored.
#[derive(Debug, Default)]
pub struct Deletion {
    /// Writes that delete the record.
    pub write_set: WriteSet,
    /// Items and images to delete after the commit.
    pub tombstone: Tombstone,
}

/// Plans the deletion of a record. [`Deletion::remove_from_parent`] also removes it from its parent. `snapshot` must
/// contain the read set of [`reads_to_delete`](crate::table::reads_to_delete).
pub fn plan_deletion(record: &Record, snapshot: &Snapshot, now: Timestamp) -> Deletion {
    let resource = record.key.resource;
    let mut removal = Deletion::default();
    if let Some(value) = resource.unique.and_then(|unique| record.get(unique.attribute)) {
        removal.write_set.release(resource, value);
        if let Some(excluded) = resource.excludes() {
            removal.write_set.lift_exclusion(excluded, record, value);
        }
    }
    if resources::is_unbounded(resource) {
        removal.tombstone.set_parent(record);
    }
    removal.add_record_with_children(record, snapshot, now);
    removal
}

/// Plans the deletion of a deleted parent's child from its index entry. The deletion is conditional on the record
/// matching the entry. Returns `None` if the record may have an image or children, and must be read first.
pub fn plan_deletion_as_listed(record: &Record) -> Option<Deletion> {
    let resource = record.key.resource;
    let children = resources::children(resource);
    let mut removal = Deletion::default();
    removal.write_set.write_texts(Some(record), None);
    let write = removal.write_set.delete(record.key);
    require_listed_texts(write, record);
    if let Some(relation) = &resource.belongs_to {
        write.require_unchanged(record, relation.foreign_key.name).require_unchanged(record, PARENT_GENERATION);
    }
    for child in children {
        match child.relation.parent_data {
            ParentData::One { slot, .. } if resource.field(slot).is_some() && record.reference(slot).is_none() => {
                write.require_unchanged(record, slot);
            }
            _ => return None,
        }
    }
    let with_image = resource.fields.iter().any(crate::schema::Field::is_image);
    (!with_image).then_some(removal)
}

/// Makes a deletion conditional on the record's long texts: they must still be the ones that the write set deletes.
fn require_listed_texts(write: &mut Write, record: &Record) {
    for field in record.key.resource.fields.iter().filter(|field| field.codec.out_of_line) {
        let out_of_line = stored_value(record, field.name);
        let out_of_line =
            out_of_line.filter(|value| matches!(value, Value::OutOfLine(_))).map(|value| value.to_stored());
        write.require(Condition::Is(out_of_line_attribute(field.name), out_of_line));
    }
}

impl Deletion {
    /// Removes the record from its parent, which is not deleted.
    pub fn remove_from_parent(&mut self, record: &Record) {
        if let Some(membership) = Membership::of(record) {
            membership.remove_from_parent(&mut self.write_set);
        }
    }

    /// Adds the deletion of the record, its state, its images and its children, each conditional on its content as
    /// read.
    fn add_record_with_children(&mut self, record: &Record, snapshot: &Snapshot, now: Timestamp) {
        let resource = record.key.resource;
        self.write_set.write_texts(Some(record), None);
        let write = self.write_set.delete(record.key);
        require_listed_texts(write, record);
        if let Some(unique) = resource.unique {
            write.require_unchanged(record, unique.attribute.name);
        }
        if let Some(relation) = &resource.belongs_to {
            let ending = relation.while_unset.map(|attribute| attribute.name);
            for field in [relation.foreign_key.name, PARENT_GENERATION].into_iter().chain(ending) {
                write.require_unchanged(record, field);
            }
            if let ParentData::Many { .. } = relation.parent_data {
                // The parent's byte count is reduced by the size of the texts that were read.
                for field in resource.fields.iter().filter(|field| field.changeable && !field.is_image()) {
                    if record.is_active() && field.codec.kind == crate::schema::scalar::Kind::Text {
                        write.require_unchanged(record, field.name);
                    }
                }
            }
        }
        for field in resource.fields.iter().filter(|field| field.is_image()) {
            write.require_unchanged(record, field.name);
            self.tombstone.images.extend(record.text(field.name).map(str::to_owned));
        }
        self.children(record, snapshot, now);
        if has_state(resource) {
            self.write_set.mark_deleted(record, now);
        }
    }

    fn children(&mut self, record: &Record, snapshot: &Snapshot, now: Timestamp) {
        if resources::children(record.key.resource).iter().any(|child| child.relation.counters.is_some()) {
            self.write_set.write_item(counters_key(record.key)).kind = WriteKind::Delete;
        }
        for child in resources::children(record.key.resource).iter().filter(|child| child.relation.is_complete()) {
            let keys = snapshot.children(record, *child).unwrap_or_default();
            match child.relation.parent_data {
                ParentData::One { slot, .. } if record.key.resource.field(slot).is_some() => {
                    self.write_set.write(record.key).require_unchanged(record, slot);
                }
                ParentData::One { slot, .. } => {
                    let as_read = keys.first().map(|key| number(key.id));
                    self.write_set.state(record.key).require(Condition::Is(slot.to_owned(), as_read));
                }
                ParentData::Many { ids, .. } => {
                    let as_read = stored_ids(keys.iter().map(|key| key.id).collect());
                    self.write_set.state(record.key).require(Condition::Is(ids.to_owned(), as_read));
                }
                ParentData::Nothing | ParentData::Sum { .. } => {}
            }
            for key in keys {
                match snapshot.records.get(&key).filter(|_| has_contents(key.resource)) {
                    Some(record_in_slot) => self.add_record_with_children(record_in_slot, snapshot, now),
                    None => self.tombstone.items.push(key.to_string()),
                }
            }
        }
    }
}
