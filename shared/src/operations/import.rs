//! PUT of one record: stores a complete record under its identifier, or confirms that it is already stored.
//!
//! PUT changes nothing in a stored record except its status, and can be repeated without an `Idempotency-Key`.

mod plan;

use super::create::{Creation, Origin};
use super::driver::{Plan, PlanContext, ResponseContent, Verb};
use super::references::references;
use super::refusals::opted_out;
use super::resolver::ResolvedPath;
use crate::error::{Code, Error, Result};
use crate::request::{Draft, SentImage};
use crate::schema::{Depth, Key, Record, Resource};
use crate::table::{
    CommitError, Item, REDACTED, ReadSet, Reservation, Snapshot, Tombstone, WriteSet, has_state, is_child_of,
    reads_to_render,
};

/// Import of a complete record.
pub(super) struct Import<'a> {
    key: Key,
    creation: Creation<'a>,
    /// Partition key of the tombstone of a deleted record with the same key, if its children are deleted. The tombstone
    /// may remain: children found later have the generation of the deleted record.
    pub(super) completed: Option<String>,
}

impl<'a> Import<'a> {
    pub(super) fn new(key: Key, draft: &'a Draft) -> Self {
        Self { key, creation: Creation::of_one(draft, Origin::Import(key.id)), completed: None }
    }

    fn draft(&self) -> &'a Draft {
        &self.creation.drafts[0]
    }

    /// Lists the records that the draft refers to but that do not exist.
    fn missing(&self, read: &Snapshot) -> impl Iterator<Item = Key> {
        let references = references(self.creation.drafts, self.creation.shape).into_iter().map(|(key, _)| key);
        references.filter(|key| read.absent.contains(key))
    }

    /// Lists the deletions that the record has to wait for: of an earlier record with its key, and of missing records
    /// that it refers to. Each has the partition key of its tombstone, which exists until the deletion is complete.
    fn deletions(&self, read: &Snapshot) -> Vec<(Key, String)> {
        let keys = [self.key].into_iter().chain(self.missing(read));
        let tombstones = keys.filter_map(|key| Some((key, read.states.get(&key)?.tombstone()?.to_owned())));
        tombstones.filter(|(_, tombstone)| self.completed.as_ref() != Some(tombstone)).collect()
    }

    /// Checks that the stored record equals the imported one, or plans the status change that makes them equal.
    fn confirm(&self, stored: &Record, read: &Snapshot) -> Result<Plan, CommitError> {
        if let Some(parent) = stored.parent()
            && !read.records.get(&parent).is_some_and(|parent| is_child_of(stored, parent))
        {
            return Err(deletion_in_progress(parent).into());
        }
        let mut differing = plan::differing_fields(stored, self.draft());
        if let Some(image) = &self.draft().image {
            for (field, name) in images(stored) {
                // The image has been replaced or deleted since the record was read.
                let bytes = read.image_bytes.get(name).and_then(Option::as_ref).ok_or(CommitError::Outdated)?;
                differing.extend((*bytes != image.bytes).then_some(field));
            }
        }
        let (record, write_set) = match plan::transition(stored, self.draft(), &differing) {
            Some(changed) => changed,
            None if differing.is_empty() => (stored.clone(), WriteSet::default()),
            None => {
                self.check_not_excluded(read)?;
                return Err(plan::differs(self.key, &differing).into());
            }
        };
        if read.is_inconsistent(&record, Depth::TopLevel) {
            return Err(CommitError::Outdated);
        }
        Ok(Plan { write_set, content: ResponseContent::Record(record), tombstone: Tombstone::default() })
    }

    /// Checks that the unique value of the draft is not excluded by a record of another resource.
    fn check_not_excluded(&self, read: &Snapshot) -> Result<(), CommitError> {
        let resource = self.key.resource;
        let (Some(unique), Some(value)) = (resource.unique, self.draft().unique()) else { return Ok(()) };
        match read.reservation(resource, value)? {
            Some(Reservation::Excluded) if resource.excludes().is_none() => {
                Err(opted_out(format!("/{}", unique.attribute.name)).into())
            }
            _ => Ok(()),
        }
    }
}

impl Verb for Import<'_> {
    fn image(&self) -> Option<(&SentImage, &'static Resource)> {
        self.creation.image()
    }

    fn stores_image(&self, _: &ResolvedPath, read: &Snapshot) -> bool {
        let is_over = |(_, tombstone): (Key, String)| read.items.get(&tombstone).is_some_and(Item::is_empty);
        read.absent.contains(&self.key) && self.deletions(read).into_iter().all(is_over)
    }

    fn reads(&self, target: &ResolvedPath, read: &Snapshot) -> ReadSet {
        let draft = self.draft();
        let Some(stored) = read.records.get(&self.key) else {
            let mut reads = ReadSet::with_state(self.key);
            reads.extend(self.creation.reads(target, read));
            reads.states.extend(self.missing(read).filter(|key| has_state(key.resource)));
            reads.items.extend(self.deletions(read).into_iter().map(|(_, tombstone)| tombstone));
            return reads;
        };
        let mut reads = reads_to_render(stored, read, Depth::TopLevel);
        reads.records.extend(stored.parent().filter(|parent| !read.records.contains_key(parent)));
        if draft.image.is_some() {
            reads.image_names.extend(images(stored).map(|(_, name)| name.to_owned()));
        }
        if let Some(value) = draft.unique().filter(|_| !plan::differing_fields(stored, draft).is_empty()) {
            reads.follow_reservation(self.key.resource, value, read);
        }
        reads
    }

    fn plan(&self, _: &ResolvedPath, read: &mut Snapshot, context: &PlanContext<'_>) -> Result<Plan, CommitError> {
        if let Some(stored) = read.records.get(&self.key) {
            return self.confirm(stored, read);
        }
        let is_pending =
            |(_, tombstone): &(Key, String)| read.items.get(tombstone).is_some_and(|item| !item.is_empty());
        if let Some((deleted, _)) = self.deletions(read).into_iter().find(is_pending) {
            return Err(deletion_in_progress(deleted).into());
        }
        // A missing record with a state that is not marked as deleted was stored between the two reads.
        let is_stored =
            |key: Key| read.states.get(&key).is_some_and(|state| !state.0.is_empty() && !state.is_deleted());
        if self.missing(read).any(is_stored) {
            return Err(CommitError::Outdated);
        }
        let state = read.states.remove(&self.key);
        let mark = read.items.get(&self.key.to_string()).map(|mark| mark.contains_key(REDACTED));
        let mut plan = self.creation.plan_below(None, read, context)?;
        if let Some(is_redacted) = mark {
            return Err(not_storable_again(self.key, is_redacted).into());
        }
        if let Some(state) = state {
            plan.write_set.replace_deleted(self.key, &state);
        }
        if let ResponseContent::Created(record) = plan.content {
            plan.content = ResponseContent::Imported(record);
        }
        Ok(plan)
    }
}

/// Lists the images of a record, each with its field and name.
fn images(record: &Record) -> impl Iterator<Item = (&'static str, &str)> {
    let fields = record.key.resource.fields.iter().filter(|field| field.is_image());
    fields.filter_map(|field| Some((field.name, record.text(field.name)?)))
}

fn deletion_in_progress(key: Key) -> Error {
    let detail = format!("{} is being deleted. Send the request again when the deletion is complete.", key.title());
    Error::conflict(Code::DeletionInProgress, "", detail)
}

fn not_storable_again(key: Key, is_redacted: bool) -> Error {
    let reason = if is_redacted { "Its viewer was anonymized." } else { "Its reporter has withdrawn it." };
    let detail = format!("{} cannot be stored again. {reason}", key.title());
    Error::conflict(Code::RecordDiffers, "", detail)
}
