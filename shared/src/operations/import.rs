//! PUT of one record: stores a complete record under its identifier, or confirms that it is stored already. It never
//! changes a record, so it needs no key to be repeated.

mod plan;

use std::borrow::Cow;
use std::time::{Duration, Instant};

use super::create::Imported;
use super::create::references::{needed_to_create, references};
use super::rules::opted_out;
use super::{Attempts, Execution, Response, stored};
use crate::error::{Code, Error, Result};
use crate::request::{Draft, IdempotencyKey};
use crate::schema::{Depth, Key, Record};
use crate::store::Consistency;
use crate::table::{
    CommitError, Item, KeyedRequest, ReadSet, Reservation, Snapshot, State, WriteSet, counters_key, has_state,
    is_child_of, reservation,
};

/// Longest time that a request spends on the deletion of the record that it replaces.
const MAX_PASS: Duration = Duration::from_secs(10);

impl Execution {
    /// Execute PUT of one record.
    pub(super) async fn import(
        &self,
        key: Key,
        draft: &Draft,
        idempotency: Option<IdempotencyKey>,
    ) -> Result<Response> {
        let keyed = idempotency.map(|header| KeyedRequest::new(&self.caller, &header.key, &header.request));
        let keyed = keyed.as_ref();
        // Replays before the upload of an image, which would be useless for a repeated request.
        if let Some(keyed) = keyed.filter(|_| draft.image.is_some())
            && let Some(before) = self.replay(keyed).await?
        {
            return Ok(before);
        }
        let run = async {
            let mut attempts = Attempts::default();
            loop {
                match Box::pin(self.import_once(key, draft, keyed)).await {
                    Ok(reply) => return Ok(reply),
                    Err(refusal) => attempts.back_off(refusal).await?,
                }
            }
        };
        self.with_idempotency(keyed, run).await
    }

    async fn import_once(
        &self,
        key: Key,
        draft: &Draft,
        keyed: Option<&KeyedRequest>,
    ) -> Result<Response, CommitError> {
        // The record itself, and everything that it refers to.
        let drafts = std::slice::from_ref(draft);
        let mut read_set = needed_to_create(drafts);
        read_set.extend(ReadSet::one(key, true));
        let mut known = self.store.load(&read_set, Consistency::Strong).await?;
        if let Some(stored) = known.records.get(&key).cloned() {
            return self.confirm(&stored, draft, known, keyed).await;
        }
        let state = known.states.remove(&key);
        let missing = references(drafts, false).into_iter().map(|(reference, _)| reference);
        let missing = missing.filter(|reference| !known.records.contains_key(reference));
        self.check_no_deletion(key, state.clone(), missing).await?;
        let counters = self.counters_of_parent(draft).await?;
        let imported = Imported { key, references: known, state, counters };
        let created = Box::pin(self.create_imported(draft, imported, keyed)).await;
        if matches!(created, Err(CommitError::Conflict)) {
            // The key may have the mark of a record that must not come back, which no read returns as a record.
            let marked = self.store.find_existing(key).await?.filter(|existing| existing.record.is_none());
            if let Some(marked) = marked {
                return Err(gone(key, marked.is_redacted).into());
            }
        }
        created
    }

    /// Responds to an import of a record that is stored.
    async fn confirm(
        &self,
        record: &Record,
        draft: &Draft,
        known: Snapshot,
        keyed: Option<&KeyedRequest>,
    ) -> Result<Response, CommitError> {
        self.check_parent_of(record, &known).await?;
        let mut differing = plan::differing_fields(record, draft);
        if let Some(image) = &draft.image {
            for field in record.key.resource.fields.iter().filter(|field| field.is_image()) {
                let name = record.text(field.name).ok_or_else(Error::fault)?;
                // The image has been replaced or deleted since the record was read.
                let Some(bytes) = self.store.image_bytes(name).await? else { return Err(CommitError::Conflict) };
                differing.extend((bytes != image.bytes).then_some(field.name));
            }
        }
        let (record, mut write_set) = match plan::transition(record, draft, &differing) {
            Some((after, write_set)) => (Cow::Owned(after), write_set),
            None if differing.is_empty() => (Cow::Borrowed(record), WriteSet::default()),
            None => {
                self.check_not_excluded(draft).await?;
                return Err(plan::differs(record.key, &differing).into());
            }
        };
        let record = record.as_ref();
        let snapshot =
            self.load_to_render(std::slice::from_ref(record), known, Depth::TopLevel, Consistency::Strong).await?;
        if snapshot.torn(record, Depth::TopLevel) {
            return Err(CommitError::Conflict);
        }
        let depth = if record.key.resource.minimal_write_response { Depth::Embedded } else { Depth::TopLevel };
        let reply = Response::record(self.rendered(record, &snapshot, depth)?).tagged(Self::tag(record, &snapshot)?);
        if let Some(keyed) = keyed {
            keyed.keep(&stored(&reply), self.now, &mut write_set)?;
        }
        self.store.commit(&write_set).await?;
        Ok(reply)
    }

    /// Read the counters that the parent of a new record keeps, if it keeps any.
    async fn counters_of_parent(&self, draft: &Draft) -> Result<Option<Item>> {
        let relation = draft.resource.belongs_to.as_ref().filter(|relation| relation.counters.is_some());
        match relation.and_then(|relation| Some(Key::new(relation.to, draft.get(relation.by)?))) {
            Some(parent) => self.store.get_item(&counters_key(parent)).await,
            None => Ok(None),
        }
    }

    /// Check that no record of another resource excludes the unique value of a draft.
    async fn check_not_excluded(&self, draft: &Draft) -> Result<()> {
        let (Some(unique), Some(value)) = (draft.resource.unique, draft.unique()) else { return Ok(()) };
        let reserved = self.store.reservation(draft.resource, &reservation(draft.resource, value)).await?;
        match reserved {
            Some(Reservation::Excluded) if draft.resource.excludes.is_none() => {
                Err(opted_out(format!("/{}", unique.attribute.name)))
            }
            _ => Ok(()),
        }
    }

    /// Check that the record's parent exists. Otherwise a deletion is about to reach the record.
    async fn check_parent_of(&self, record: &Record, known: &Snapshot) -> Result<()> {
        let Some(parent) = record.parent() else { return Ok(()) };
        let stored = match known.records.get(&parent) {
            Some(stored) => Some(stored.clone()),
            None => self.store.get(parent).await?,
        };
        let exists = stored.is_some_and(|stored| is_child_of(record, &stored));
        if exists { Ok(()) } else { Err(being_deleted(parent)) }
    }

    /// Check that neither the record nor a missing record that it refers to is being deleted: the tombstone that its
    /// state names does not exist. Of the record itself, deletes all children that remain. The tombstone may stay, because
    /// children that turn up later have the generation of the deleted record.
    async fn check_no_deletion(
        &self,
        key: Key,
        state: Option<State>,
        missing: impl Iterator<Item = Key>,
    ) -> Result<()> {
        let states = missing.filter(|key| has_state(key.resource)).collect();
        let of_missing = self.store.load(&ReadSet { states, ..ReadSet::default() }, Consistency::Strong).await?.states;
        for (deleted, state) in state.map(|state| (key, state)).into_iter().chain(of_missing) {
            let Some(tombstone) = state.tombstone() else { continue };
            let Some(pending) = self.store.pending_at(tombstone).await? else { continue };
            let is_free = deleted == key && self.pass(&pending, Instant::now() + MAX_PASS).await?;
            if !is_free {
                return Err(being_deleted(deleted));
            }
        }
        Ok(())
    }
}

fn being_deleted(key: Key) -> Error {
    let detail = format!("{} is being deleted. Send the request again when the deletion is complete.", key.title());
    Error::conflict(Code::DeletionInProgress, "", detail)
}

fn gone(key: Key, is_redacted: bool) -> Error {
    let reason = if is_redacted { "Its viewer was anonymized." } else { "Its reporter has withdrawn it." };
    let detail = format!("{} cannot be stored again. {reason}", key.title());
    Error::conflict(Code::RecordDiffers, "", detail)
}
