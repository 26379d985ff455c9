//! Plans the creation of records: turns drafts, with their children and parents, into a write set.

use std::collections::{BTreeMap, BTreeSet};

use super::refresh::refresh;
use super::{Creation, Origin};
use crate::error::{Error, Result, Violation};
use crate::operations::driver::PlanContext;
use crate::operations::moderation;
use crate::operations::refusals::{contradicted, opted_out, reference_not_found, reservation_errors};
use crate::operations::resolver::PathReference;
use crate::request::Draft;
use crate::resources::{self, Member};
use crate::schema::{BelongsTo, Field, Id, Input, Key, ParentData, Record, StoredValue, Timestamp, Value};
use crate::table::{
    CHILDREN_BYTES, CommitError, Condition, Counter, GENERATION, IMPORTED, MESSAGES, Membership, PARENT_TIME,
    REPORT_SOURCE, REVISION, Reservation, Snapshot, State, WriteSet, copy_parent_time, has_fields_in_state, has_state,
    join_generation, json_size, max_bytes, number, remaining_bytes, too_large,
};

/// Plans the records of a creation, each with its parent and children. `path_reference` is the field that the path
/// sets, and the parent that it refers to. Adds the new records to `read`. Without a record if the reported event is
/// withdrawn and consists only of its text.
///
/// # Errors
/// 404 if the parent in the path does not exist. 422 with all violations that depend on stored records. 409 if a child
/// already belongs to another record.
pub fn plan(
    creation: &Creation<'_>,
    path_reference: Option<PathReference>,
    read: &mut Snapshot,
    context: PlanContext<'_>,
) -> Result<(Vec<Record>, WriteSet), CommitError> {
    if let Some(PathReference { to: parent, .. }) = path_reference.filter(|path| !read.records.contains_key(&path.to)) {
        return Err(parent.not_found().into());
    }
    let mut planning = Planning {
        creation,
        path_reference,
        context,
        read,
        write_set: WriteSet::default(),
        violations: Vec::new(),
        conflict: None,
        found_by_unique: BTreeMap::new(),
    };
    let mut records = Vec::with_capacity(creation.drafts.len());
    for (index, draft) in creation.drafts.iter().enumerate() {
        records.extend(planning.plan_record(draft, &creation.shape.pointer(index))?);
    }
    planning.require_parents(&records);
    let Planning { write_set, violations, conflict, .. } = planning;
    if !violations.is_empty() {
        return Err(Error::invalid(violations).into());
    }
    conflict.map_or(Ok((records, write_set)), Err)
}

struct Planning<'a> {
    creation: &'a Creation<'a>,
    path_reference: Option<PathReference>,
    context: PlanContext<'a>,
    read: &'a mut Snapshot,
    write_set: WriteSet,
    violations: Vec<Violation>,
    /// A conflict with stored records. Violations are reported instead, if there are any.
    conflict: Option<CommitError>,
    /// Parents found by their unique values, as read.
    found_by_unique: BTreeMap<Key, Record>,
}

impl Planning<'_> {
    /// Plans one of the requested records. `None` if nothing would be left of it.
    fn plan_record(&mut self, draft: &Draft, pointer: &str) -> Result<Option<Record>, CommitError> {
        let resource = draft.resource;
        let id = match self.creation.origin {
            Origin::Cause(id) | Origin::Import(id) => Some(id),
            Origin::Report { dedup_key, .. } => Some(dedup_key.id()),
            Origin::Request | Origin::Test => None,
        };
        let mut record = self.build_record(draft, id);
        let is_withdrawn = self.creation.dedup_key().is_some_and(|dedup_key| dedup_key.is_withdrawn(self.read));
        if is_withdrawn && !moderation::redact_text(&mut record, None) {
            return Ok(None);
        }
        if let Some(PathReference { field, to: parent }) = self.path_reference {
            record.put(field, Some(parent.id.into()));
        }
        self.plan_embedded_parent(&mut record, draft, pointer)?;
        self.plan_embedded_children(&mut record, draft, pointer)?;
        self.join(&mut record, pointer, sent_parent(draft));
        if let (Some(unique), Some(value)) = (&resource.unique, draft.unique()) {
            let errors = reservation_errors(&record, &format!("{pointer}/{}", unique.attribute.name));
            self.write_set.reserve(value, &record, Some(errors));
        }
        let broken = resource.contradictions(&record).into_iter();
        self.violations.extend(broken.map(|contradiction| contradicted(contradiction, pointer)));
        if self.size(&record) > max_bytes(resource) {
            return Err(too_large(resource, pointer).into());
        }
        self.create(&record);
        self.write_set.create_state(&record);
        if let (Some(counter), Some(pk)) = (Counter::of(&record), self.creation.counters(draft)) {
            counter.import(&mut self.write_set, record.primary_time().unix_nanos(), self.read.items.get(&pk));
        }
        if has_state(resource) {
            self.read.states.entry(record.key).or_default();
        }
        self.read.insert(record.clone());
        Ok(Some(record))
    }

    /// Adds the write of a record. An imported record is marked as such. With a deduplication key, the item also stores
    /// the key's source, which identifies repeated reports.
    fn create(&mut self, record: &Record) {
        let write = self.write_set.create(record);
        if let Origin::Import(_) = self.creation.origin {
            write.set.insert(IMPORTED.to_owned(), number(self.context.now.unix_millis()));
        }
        if let Some(dedup_key) = self.creation.dedup_key() {
            write.set.insert(REPORT_SOURCE.to_owned(), StoredValue::Text(dedup_key.source.clone()));
            let message = dedup_key.message.clone().map(|message| (MESSAGES.to_owned(), StoredValue::Text(message)));
            write.set.extend(message);
        }
    }

    /// Creates a record from the values of the draft and the values that the service assigns.
    fn build_record(&mut self, draft: &Draft, id: Option<Id>) -> Record {
        let with_image = self.context.upload.filter(|_| draft.image.is_some());
        let key = match (with_image, id) {
            (Some(upload), _) => upload.record,
            (None, Some(id)) => Key::new(draft.resource, id),
            (None, None) => Key::new(draft.resource, self.context.next_id()),
        };
        let mut record = Record::new(key);
        for field in draft.resource.fields.iter().filter(|field| field.name != draft.resource.id.name) {
            let value = if field.is_image() {
                with_image.map(|upload| Value::Text(upload.name.clone()))
            } else {
                let sent = draft.values.get(field.name).cloned().flatten();
                sent.or_else(|| draft.initial.get(field.name).cloned()).or_else(|| self.assigned(draft, field))
            };
            record.put(field.name, value);
        }
        // With a revision, a record that was deleted between the reads does not match its state.
        record.put(REVISION, has_fields_in_state(draft.resource).then_some(Value::Integer(1)));
        record
    }

    /// Returns the value of a field that the draft does not set.
    fn assigned(&self, draft: &Draft, field: &Field) -> Option<Value> {
        let reported_at = draft.resource.unique.and_then(|unique| unique.reported_at);
        match &field.input {
            // A record with assumed values lacks the time of a report, so any report is newer.
            _ if reported_at.is_some_and(|reported_at| reported_at.name == field.name) => {
                draft.initial.is_empty().then(|| self.as_of().into())
            }
            Input::Now | Input::Since(_) => Some(self.context.now.into()),
            Input::Default(preset) => Some((*preset).into()),
            Input::Assigned if !field.hidden && field.codec.kind == crate::schema::scalar::Kind::Time => {
                Some(self.context.now.into())
            }
            _ => None,
        }
    }

    fn as_of(&self) -> Timestamp {
        self.creation.dedup_key().map_or(self.context.now, |dedup_key| dedup_key.as_of)
    }

    /// Plans the parent that the draft embeds: update the record with its unique value, or create the parent.
    fn plan_embedded_parent(&mut self, record: &mut Record, draft: &Draft, pointer: &str) -> Result<(), CommitError> {
        let Some(relation) = &draft.resource.belongs_to else { return Ok(()) };
        let Some(embedded) = &relation.embedded else { return Ok(()) };
        let Some(part) = draft.embedded(embedded.field) else { return Ok(()) };
        let reservation = part.unique().map(|value| self.read.reservation(part.resource, value)).transpose()?.flatten();
        let parent = match reservation {
            Some(Reservation::Held(found)) => {
                let stored = self.found_by_unique.entry(found.key).or_insert_with(|| found.clone()).clone();
                self.update(stored, part)
            }
            Some(Reservation::Excluded) if !matches!(self.creation.origin, Origin::Test) => {
                let field = part.resource.unique.map_or("", |unique| unique.attribute.name);
                // Planning continues: violations take precedence over the conflict.
                self.conflict = Some(opted_out(format!("{pointer}/{}/{field}", embedded.field)).into());
                self.new_parent(part)
            }
            _ => self.new_parent(part),
        };
        record.set(relation.foreign_key, parent.key.id);
        self.read.insert(parent);
        Ok(())
    }

    fn new_parent(&mut self, part: &Draft) -> Record {
        let record = self.build_record(part, None);
        if let Some(value) = part.unique() {
            self.write_set.reserve(value, &record, None);
        }
        self.write_set.create(&record);
        self.read.states.insert(record.key, State::default());
        record
    }

    /// Updates an existing record from a draft, unless the draft is older.
    fn update(&mut self, before: Record, part: &Draft) -> Record {
        refresh(&before, part, [self.as_of(), self.context.now], &mut self.write_set).unwrap_or(before)
    }

    /// Plans the children of a new record. The draft embeds them, or refers to existing records without a parent.
    fn plan_embedded_children(&mut self, record: &mut Record, draft: &Draft, pointer: &str) -> Result<()> {
        for member in resources::members(draft.resource) {
            let Member::OnParent(child, embedded) = member else { continue };
            match child.relation.parent_data {
                ParentData::One { slot, mirrors, .. } => {
                    let child = match (draft.embedded(embedded.field), record.reference(slot)) {
                        (Some(part), _) => Some(self.plan_child(
                            record,
                            part,
                            child.relation,
                            &format!("{pointer}/{}", embedded.field),
                        )?),
                        (None, Some(id)) => {
                            self.attach(Key::new(child.resource, id), record.key, &format!("{pointer}/{slot}"))
                        }
                        (None, None) => None,
                    };
                    if let Some(child) = child {
                        record.put(slot, Some(child.key.id.into()));
                        for (own, repeated) in mirrors {
                            record.put(repeated, child.value(own).cloned());
                        }
                        self.read.insert(child);
                    }
                }
                ParentData::Many { ids, .. } => {
                    let parts = draft.embedded.get(embedded.field).map(Vec::as_slice).unwrap_or_default();
                    self.plan_children(record, parts, child.relation, ids)?;
                }
                ParentData::Nothing | ParentData::Sum { .. } => {}
            }
        }
        Ok(())
    }

    /// Plans an embedded child and its children.
    fn plan_child(&mut self, parent: &Record, part: &Draft, relation: &BelongsTo, pointer: &str) -> Result<Record> {
        let mut child = self.build_record(part, None);
        child.set(relation.foreign_key, parent.key.id);
        self.plan_embedded_children(&mut child, part, pointer)?;
        self.write_set.create(&child);
        Ok(child)
    }

    /// Plans embedded children in a relation where the state of the new record stores their identifiers.
    fn plan_children(
        &mut self,
        parent: &Record,
        parts: &[Draft],
        relation: &BelongsTo,
        ids: &'static str,
    ) -> Result<()> {
        let mut state = State::default();
        if parts.is_empty() {
            self.read.states.entry(parent.key).or_insert(state);
            return Ok(());
        }
        let (mut child_ids, mut bytes) = (BTreeSet::new(), 0);
        for part in parts {
            let mut child = self.plan_child(parent, part, relation, "")?;
            if relation.child_filter.is_some() {
                // The index of children is ordered by parent.
                child.put(PARENT_TIME, Some(Value::Time(parent.primary_time())));
                self.write_set.create(&child);
            }
            bytes += json_size(&child);
            child_ids.insert(child.key.id);
            self.read.insert(child);
        }
        let write = self.write_set.state(parent.key);
        write.add_members.insert(ids, child_ids.clone());
        write.add.insert(CHILDREN_BYTES.into(), bytes);
        state.0.insert(ids.to_owned(), StoredValue::Ids(child_ids));
        state.0.insert(CHILDREN_BYTES.to_owned(), number(bytes));
        self.read.states.insert(parent.key, state);
        Ok(())
    }

    /// Attaches an existing record as a child. Reports a violation if it is missing, and a conflict if it has a parent.
    fn attach(&mut self, key: Key, parent: Key, pointer: &str) -> Option<Record> {
        let (Some(child), Some(relation)) = (self.read.records.get(&key), &key.resource.belongs_to) else {
            self.violations.push(reference_not_found(key, pointer));
            return None;
        };
        if child.get(relation.foreign_key).is_some() && !matches!(self.creation.origin, Origin::Test) {
            let ParentData::One { attached, .. } = relation.parent_data else { return None };
            let detail = format!(
                "{} is attached to another {}. Send one that is not attached.",
                key.title(),
                parent.resource.singular
            );
            let conflict = Error::conflict(attached, pointer, detail).into();
            // The child of an earlier record with this key was read before both were deleted.
            let is_own = child.get(relation.foreign_key) == Some(parent.id);
            self.conflict = Some(if is_own { CommitError::Outdated } else { conflict });
            return None;
        }
        let mut after = child.clone();
        after.set(relation.foreign_key, parent.id);
        let write = self.write_set.update(child, &after);
        write.require_unchanged(child, relation.foreign_key.name);
        if let ParentData::One { mirrors, .. } = relation.parent_data {
            for (own, _) in mirrors {
                write.require_unchanged(child, own);
            }
        }
        Some(after)
    }

    /// Adds the record to what its parent stores about children. `sent` is the field of the body that names the parent.
    fn join(&mut self, record: &mut Record, pointer: &str, sent: &str) {
        let Some(parent) = record.parent() else { return };
        let by_path = self.path_reference.is_some_and(|path| path.to == parent);
        let pointer = if by_path { pointer.to_owned() } else { format!("{pointer}/{sent}") };
        let Some(parent_record) = self.read.records.get(&parent) else {
            self.violations.push(reference_not_found(parent, pointer));
            return;
        };
        let remaining = remaining_bytes(parent_record);
        join_generation(record, parent_record);
        copy_parent_time(record, self.read);
        if let Some(membership) = Membership::of(record) {
            membership.requested_at(&pointer).add_to_parent(&mut self.write_set, remaining);
        }
    }

    /// Adds conditions on the parents: each must still exist, and must not have been deleted and stored again. A parent
    /// that was found by its unique value must still have the value.
    ///
    /// A write set with a single write gets no such conditions. If its parent is deleted at the same time, no response
    /// renders the new record, and the deletion removes it when it reads the index again.
    fn require_parents(&mut self, records: &[Record]) {
        if self.write_set.writes.len() <= 1 {
            return;
        }
        for parent in records.iter().filter(|record| !is_counted(record)).filter_map(Record::parent) {
            if !self.write_set.writes.contains_key(&parent.to_string()) {
                self.write_set.write(parent).require(Condition::Exists);
            }
            if let Some(parent_record) = self.read.records.get(&parent) {
                self.write_set.write(parent).require_unchanged(parent_record, GENERATION);
            }
        }
        for (key, record) in &self.found_by_unique {
            if let Some(unique) = key.resource.unique {
                self.write_set.write(*key).require_unchanged(record, unique.attribute.name);
            }
        }
    }

    /// Returns the JSON size of a new record with its children, in bytes.
    fn size(&self, record: &Record) -> i64 {
        let children = resources::children(record.key.resource).iter();
        let keys = children.flat_map(|child| self.read.children(record, *child).unwrap_or_default());
        let sizes = keys
            .filter_map(|key| self.read.records.get(&key))
            .map(|child| json_size(child) + self.read.states.get(&child.key).map_or(0, State::bytes));
        json_size(record) + sizes.sum::<i64>()
    }
}

/// Returns the field where a draft names its parent: the reference or the embedded record.
fn sent_parent(draft: &Draft) -> &'static str {
    let Some(relation) = &draft.resource.belongs_to else { return "" };
    let embedded = relation.embedded.as_ref().filter(|embedded| draft.embedded(embedded.field).is_some());
    embedded.map_or(relation.foreign_key.name, |embedded| embedded.field)
}

/// Returns true if the parent stores data about the record. Both are then written together.
fn is_counted(record: &Record) -> bool {
    let relation = record.key.resource.belongs_to.as_ref();
    record.is_active() && relation.is_some_and(|relation| !matches!(relation.parent_data, ParentData::Nothing))
}
