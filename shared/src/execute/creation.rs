//! From drafts to a unit of work: the records of one request, what they have inside, and whom they join.

use std::collections::{BTreeMap, BTreeSet};

use super::Execution;
use super::membership::{Membership, missing, no_such};
use super::resolve::{Bound, absent};
use crate::body::Draft;
use crate::error::{Error, Result, Violation};
use crate::record::{Key, Record};
use crate::resource::{Field, Input, Kind, Resource, Shown};
use crate::store::{Changes, Condition, Loaded, StoredImage, Write, marker_key};
use crate::value::{Id, Timestamp, Value};

/// The field of a draft that must be unique, and the key of what reserves its value.
pub(super) fn unique_value(draft: &Draft) -> Option<(&'static str, String)> {
    let field = draft.resource.unique?;
    Some((field, marker_key(draft.resource, field, draft.text(field)?)))
}

/// The records that one request creates, on their way into a unit of work.
pub(super) struct Creation<'a> {
    pub(super) execution: &'a Execution,
    /// Whether the body is a list.
    pub(super) listed: bool,
    pub(super) bound: Option<Bound>,
    /// Where the image goes, and which record it is of.
    pub(super) upload: Option<&'a StoredImage>,
    pub(super) holders: BTreeMap<String, (Id, Timestamp)>,
    pub(super) loaded: Loaded,
    pub(super) changes: Changes,
    /// The records that the request names by their unique value, not by identifier.
    pub(super) upserted: BTreeSet<Key>,
    /// What is wrong with the drafts, all of it.
    pub(super) wrong: Vec<Violation>,
}

impl Creation<'_> {
    /// The records of the request itself, each a member of its parent.
    pub(super) fn records(&mut self, drafts: &[Draft]) -> Result<Vec<Record>> {
        if let Some(Bound { to, .. }) = self.bound.filter(|bound| !self.loaded.contains_key(&bound.to)) {
            return Err(absent(to));
        }
        let mut records = Vec::with_capacity(drafts.len());
        for (place, draft) in drafts.iter().enumerate() {
            let at = if self.listed { format!("/{place}") } else { String::new() };
            let mut record = self.record_of(draft);
            if let Some(Bound { field, to }) = self.bound {
                record.set(field, Some(to.id.into()));
            }
            self.parts(&mut record, draft, &at)?;
            self.join_parent(&mut record, &at);
            if let Some((field, marker)) = unique_value(draft) {
                let detail = format!("Another {} has this {field}: change that one instead.", draft.resource.singular);
                let taken = Error::conflict(Violation::at(format!("{at}/{field}"), detail));
                self.changes.reserve(marker, &record).if_present(taken);
            }
            self.wrong.extend((draft.resource.rules)(&record));
            self.changes.create(&record);
            records.push(record);
        }
        if self.wrong.is_empty() { Ok(records) } else { Err(Error::invalid(std::mem::take(&mut self.wrong))) }
    }

    /// The record itself: what the draft says, and what the service assigns.
    fn record_of(&self, draft: &Draft) -> Record {
        let execution = self.execution;
        let pictured = self.upload.filter(|_| draft.image.is_some());
        let drawn = || Key::new(draft.resource, execution.store.draw_id(execution.now));
        let mut record = Record::new(pictured.map_or_else(drawn, |upload| upload.record));
        for field in draft.resource.fields {
            let given = draft.values.get(field.name).cloned().flatten();
            let value = match field.kind {
                Kind::Own => continue,
                Kind::Image => pictured.map(|upload| Value::Text(upload.key())),
                _ => given.or_else(|| self.assigned(field)),
            };
            record.set(field.name, value);
        }
        record
    }

    /// What a field is where the body says nothing.
    fn assigned(&self, field: &Field) -> Option<Value> {
        match (&field.input, &field.kind) {
            (Input::Now, _) => Some(self.execution.now.into()),
            (Input::Default(number), _) => Some((*number).into()),
            (Input::Never, Kind::Time) if field.shown != Shown::Never => Some(self.execution.now.into()),
            (Input::Never, Kind::Integer(_)) if field.shown != Shown::Never => Some(0.into()),
            _ => None,
        }
    }

    /// Everything that the draft has inside, and what it refers to that has to know of it.
    fn parts(&mut self, record: &mut Record, draft: &Draft, at: &str) -> Result<()> {
        for field in draft.resource.fields {
            match field.kind {
                Kind::One { resource, by, .. } if belongs_to(resource, record) => {
                    self.child(record, draft, field, by, at)?;
                }
                Kind::One { by, .. } => {
                    if let Some(part) = draft.part(field.name) {
                        let known = self.upsert(part);
                        record.set(by, Some(known.key.id.into()));
                        self.upserted.insert(known.key);
                        self.loaded.insert(known.key, known);
                    }
                }
                Kind::Many { ids, .. } => self.children(record, draft, field, ids),
                _ => {}
            }
        }
        Ok(())
    }

    /// A part that is given by its unique value: updated if somebody has it, created otherwise.
    fn upsert(&mut self, part: &Draft) -> Record {
        let mut record = self.record_of(part);
        let Some((unique, marker)) = unique_value(part) else { return record };
        let Some((id, since)) = self.holders.get(&marker).copied() else {
            self.changes.reserve(marker, &record);
            self.changes.create(&record);
            return record;
        };
        let resource = part.resource;
        let mut known = Record::new(Key::new(resource, id));
        let write = self.changes.write(known.key).when(Condition::Exists).when_as_in(&record, unique);
        for field in resource.fields.iter().filter(|field| field.changeable && field.name != unique) {
            write.set_field(resource, field.name, record.get(field.name));
        }
        if let Some(time) = resource.time {
            record.set(time, Some(since.into()));
        }
        for field in resource.fields.iter().filter(|field| !matches!(field.kind, Kind::Own)) {
            known.set(field.name, record.get(field.name).cloned());
        }
        known
    }

    /// A record that belongs to the new one: given inside, or existing and free.
    fn child(&mut self, record: &mut Record, draft: &Draft, field: &Field, by: &'static str, at: &str) -> Result<()> {
        let child = if let Some(part) = draft.part(field.name) {
            let mut child = self.record_of(part);
            self.parts(&mut child, part, at)?;
            set_parent(&mut child, record.key);
            self.changes.create(&child);
            child
        } else if let (Some(id), Kind::One { resource, .. }) = (record.reference(by), &field.kind) {
            match self.attach(Key::new(resource, id), record.key, &format!("{at}/{by}"))? {
                Some(child) => child,
                None => return Ok(()),
            }
        } else {
            return Ok(());
        };
        record.set(by, Some(child.key.id.into()));
        for (own, repeated) in child.key.resource.parent.iter().flat_map(|rule| rule.mirrors) {
            record.set(repeated, child.get(own).cloned());
        }
        self.loaded.insert(child.key, child);
        Ok(())
    }

    /// An existing record that comes to belong to the new one, if it is there and belongs to none.
    fn attach(&mut self, key: Key, parent: Key, pointer: &str) -> Result<Option<Record>> {
        let (Some(child), Some(rule)) = (self.loaded.get(&key), &key.resource.parent) else {
            self.wrong.push(no_such(key, pointer));
            return Ok(None);
        };
        if child.reference(rule.by).is_some() {
            let detail = format!(
                "The {} {} belongs to another {} already: give one that belongs to none.",
                key.resource.singular, key.id, parent.resource.singular
            );
            return Err(Error::conflict(Violation::at(pointer, detail)));
        }
        let write: &mut Write = self.changes.write(key).when(Condition::Exists).when_as_in(child, rule.by);
        for (own, _) in rule.mirrors {
            write.when_as_in(child, own);
        }
        write.set_field(key.resource, rule.by, Some(&parent.id.into()));
        let mut child = child.clone();
        set_parent(&mut child, parent);
        Ok(Some(child))
    }

    /// Records given inside that the new one holds many of.
    fn children(&mut self, record: &mut Record, draft: &Draft, field: &Field, ids: &'static str) {
        let parts = draft.parts.get(field.name).map(Vec::as_slice).unwrap_or_default();
        let mut held = BTreeSet::new();
        for part in parts {
            let mut child = self.record_of(part);
            set_parent(&mut child, record.key);
            inherit(&mut child, record);
            self.changes.create(&child);
            held.insert(child.key.id);
            self.loaded.insert(child.key, child);
        }
        record.set(ids, (!held.is_empty()).then_some(Value::Ids(held)));
    }

    /// Makes the record a member of its parent.
    fn join_parent(&mut self, record: &mut Record, at: &str) {
        let Some(rule) = &record.key.resource.parent else { return };
        let Some(id) = record.reference(rule.by) else { return };
        let parent = Key::new(rule.resource, id);
        let by_path = self.bound.is_some_and(|bound| bound.to == parent);
        let pointer = if by_path { at.to_owned() } else { format!("{at}/{}", rule.by) };
        let Some(known) = self.loaded.get(&parent) else {
            self.wrong.push(no_such(parent, pointer));
            return;
        };
        inherit(record, known);
        let missing = (!self.upserted.contains(&parent)).then(|| missing(parent, by_path, &pointer));
        if let Some(membership) = Membership::of(record) {
            membership.asked_by(&pointer).join(&mut self.changes, &self.loaded, missing);
        }
    }
}

/// Whether records of a resource belong to this one, rather than this one to them.
fn belongs_to(resource: &Resource, record: &Record) -> bool {
    resource.parent.as_ref().is_some_and(|rule| rule.resource == record.key.resource)
}

fn set_parent(child: &mut Record, parent: Key) {
    if let Some(rule) = &child.key.resource.parent {
        child.set(rule.by, Some(parent.id.into()));
    }
}

/// Repeats in a child what its parent decides for good.
pub(super) fn inherit(child: &mut Record, parent: &Record) {
    for (of, own) in child.key.resource.parent.iter().flat_map(|rule| rule.inherits) {
        child.set(own, parent.get(of).cloned());
    }
}
