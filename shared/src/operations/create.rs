//! Creation of records. References are read while the image is uploaded. Then everything is stored in one transaction.

pub(super) mod plan;
pub(super) mod references;
mod refresh;

pub use refresh::refresh;

use std::collections::{BTreeMap, BTreeSet};

use self::plan::{Created, Creation, Upload};
use self::references::needed_to_create;
use super::idempotency::stored;
use super::resolver::ResolvedPath;
use super::rules::opted_out;
use super::{Attempts, Execution, Response};
use crate::error::{Error, Result};
use crate::request::{Draft, IdempotencyKey, Image, Path};
use crate::schema::{Depth, Id, Key, OnParent, Record, Resource, Timestamp, Withdrawal};
use crate::store::{Consistency, in_parallel};
use crate::table::{self, CommitError, DedupKey, Item, KeyedRequest, Reservation, Snapshot, State, WriteSet};

/// Records to create, and the keys that make their creation idempotent.
struct Intent<'a> {
    drafts: &'a [Draft],
    /// True if the body, and therefore the response, is a list.
    is_list: bool,
    /// Deduplication key of an external event. A repeated event finds the record of the first.
    dedup_key: Option<DedupKey>,
    /// `Idempotency-Key` of the request, under which its response is stored.
    keyed_request: Option<&'a KeyedRequest>,
    /// Record to store under a given key, if this is an import.
    imported: Option<Imported>,
    /// Reservations of the other parents that the record names. None may be excluded.
    named: BTreeSet<String>,
}

/// A record that is stored under a given key.
pub(super) struct Imported {
    /// Key.
    pub(super) key: Key,
    /// Everything that the record refers to.
    pub(super) references: Snapshot,
    /// State that was read under the key, if records of the resource have one.
    pub(super) state: Option<State>,
    /// Counters of its parent, if it has any.
    pub(super) counters: Option<Item>,
}

impl Execution {
    /// Execute POST, and PUT of a list. A repeated request with an `Idempotency-Key` gets the stored response.
    pub(super) async fn create(
        &self,
        path: &Path,
        drafts: &[Draft],
        is_list: bool,
        key: Option<IdempotencyKey>,
    ) -> Result<Response> {
        let keyed_request = key.map(|key| KeyedRequest::new(&self.caller, &key.key, &key.request));
        // Replays before the upload of an image, which would be useless for a repeated request.
        if let Some(keyed_request) =
            keyed_request.as_ref().filter(|_| drafts.iter().any(|draft| draft.first_with_image().is_some()))
            && let Some(earlier) = self.replay(keyed_request).await?
        {
            return Ok(earlier);
        }
        let keyed = keyed_request.as_ref();
        let named = BTreeSet::new();
        let mut intent = Intent { drafts, is_list, dedup_key: None, keyed_request: keyed, imported: None, named };
        self.with_idempotency(keyed_request.as_ref(), self.create_all(path, &mut intent)).await
    }

    /// Create the record of an external event once. A repeated event finds the existing record. `named` are the unique
    /// values of other parents that the record names.
    ///
    /// # Errors
    /// [`Error::is_already_processed`] if the event was stored before; 409 if a named value is excluded. Otherwise the
    /// errors of a POST of the same record.
    pub async fn create_once(&self, draft: Draft, dedup_key: DedupKey, named: &BTreeSet<String>) -> Result<()> {
        let path = Path::to(draft.resource);
        let parent = draft.resource.belongs_to.as_ref().map(|relation| relation.to);
        let reservations = named.iter().filter_map(|value| Some(table::reservation(parent?, value)));
        let named = reservations.collect();
        let mut intent = Intent {
            drafts: &[draft],
            is_list: false,
            dedup_key: Some(dedup_key),
            keyed_request: None,
            imported: None,
            named,
        };
        Box::pin(self.create_all(&path, &mut intent)).await?;
        Ok(())
    }

    /// Create a record under an identifier that derives from its cause, so that a repetition finds it. Reads nothing but
    /// what the draft refers to and `snapshot` lacks. Returns false if a record has the identifier already.
    ///
    /// # Errors
    /// Those of a POST of the same record.
    pub async fn create_under(&self, id: Id, draft: &Draft, snapshot: &Snapshot) -> Result<bool> {
        let (key, drafts, reserved) = (Key::new(draft.resource, id), std::slice::from_ref(draft), BTreeMap::new());
        let (mut attempts, mut snapshot) = (Attempts::default(), snapshot.clone());
        loop {
            let creation = Creation {
                bound: None,
                is_list: false,
                upload: None,
                reserved: &reserved,
                dedup_key: None,
                withdrawal: None,
                id: Some(id),
                is_import: false,
                counters: None,
                now: self.now,
                dry_run: false,
            };
            let read = self.load_references(&creation, drafts, std::mem::take(&mut snapshot)).await?;
            let created = creation.plan(drafts, read, &mut || id)?;
            match self.store.commit(&created.write_set).await {
                Ok(()) => return Ok(true),
                Err(CommitError::Conflict) if self.store.get(key).await?.is_some() => return Ok(false),
                // The next attempt reads everything again.
                Err(error) => attempts.back_off(error).await?,
            }
        }
    }

    /// Update the fields of the record that has the draft's unique value, as of a time. Does nothing if
    /// no record has it.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn refresh(&self, draft: &Draft, as_of: Timestamp) -> Result<()> {
        let mut attempts = Attempts::default();
        loop {
            let stored = self.find_by_unique(draft).await?;
            let mut write_set = WriteSet::default();
            if stored.is_none_or(|stored| refresh::refresh(&stored, draft, as_of, &mut write_set).is_none()) {
                return Ok(());
            }
            match self.store.commit(&write_set).await {
                Ok(()) => return Ok(()),
                Err(error) => attempts.back_off(error).await?,
            }
        }
    }

    async fn find_by_unique(&self, draft: &Draft) -> Result<Option<Record>> {
        match draft.unique() {
            Some(value) => self.store.reserved(draft.resource, &table::reservation(draft.resource, value)).await,
            None => Ok(None),
        }
    }

    async fn create_all(&self, path: &Path, intent: &mut Intent<'_>) -> Result<Response> {
        let mut attempts = Attempts::default();
        loop {
            let target = self.resolve(path).await?;
            match Box::pin(self.create_at(&target, intent)).await {
                Ok(response) => return Ok(response),
                Err(error) => attempts.back_off(error).await?,
            }
            if let Some(dedup_key) = &mut intent.dedup_key {
                self.resolve_collision(intent.drafts, dedup_key).await?;
            }
        }
    }

    /// Resolve a collision with a record that has the identifier of an external event. If the record is of the same event, adds the
    /// fields that only the event has. Otherwise moves the event on to its next identifier.
    async fn resolve_collision(&self, drafts: &[Draft], dedup_key: &mut DedupKey) -> Result<()> {
        let Some((draft, key)) = drafts.first().and_then(|draft| Some((draft, dedup_key.key(draft.resource)?))) else {
            return Ok(());
        };
        // Only a message that may complete the record needs to know.
        let completing = Some(&*dedup_key).filter(|dedup_key| dedup_key.message.is_some());
        let withdrawal = self.withdrawal(Some(draft.resource), completing).await?;
        let withdrawn = withdrawal.map(|withdrawal| withdrawal.clears.name);
        let mut attempts = Attempts::default();
        while let Some(existing) = self.store.find_existing(key).await? {
            if !dedup_key.identifies_or_advances(&existing) {
                return Ok(());
            }
            let mut write_set = WriteSet::default();
            table::fill_missing_fields(&existing, draft, dedup_key, withdrawn, &mut write_set);
            match self.store.commit(&write_set).await {
                Ok(()) => return Err(Error::already_processed()),
                Err(error) => attempts.back_off(error).await?,
            }
        }
        Ok(())
    }

    /// Create a record under a given key. The response has no location, because the client knows it.
    pub(super) async fn create_imported(
        &self,
        draft: &Draft,
        imported: Imported,
        keyed_request: Option<&KeyedRequest>,
    ) -> Result<Response, CommitError> {
        let target = ResolvedPath::Many { resource: draft.resource, bound: None };
        let drafts = std::slice::from_ref(draft);
        let (imported, named) = (Some(imported), BTreeSet::new());
        let intent = Intent { drafts, is_list: false, dedup_key: None, keyed_request, imported, named };
        self.create_at(&target, &intent).await
    }

    async fn create_at(&self, target: &ResolvedPath, intent: &Intent<'_>) -> Result<Response, CommitError> {
        let Intent { drafts, is_list, dedup_key, keyed_request, imported, named } = intent;
        let (bound, mut snapshot) = bound_by(target)?;
        snapshot.extend(imported.as_ref().map(|imported| imported.references.clone()).unwrap_or_default());
        let imported_key = imported.as_ref().map(|imported| imported.key);
        let with_image = drafts.iter().find_map(Draft::first_with_image);
        let upload = with_image.map(|draft| self.upload_for(draft.resource)).transpose()?;
        let upload = upload.map(|upload| Upload { record: imported_key.unwrap_or(upload.record), ..upload });
        let image = with_image.and_then(|draft| draft.image.as_ref()).zip(upload.as_ref());
        let reservations = BTreeMap::new();
        let (is_list, dedup_key) = (*is_list, dedup_key.as_ref());
        let creation = Creation {
            bound,
            is_list,
            upload: upload.as_ref(),
            reserved: &reservations,
            dedup_key,
            withdrawal: None,
            id: imported_key.map(|key| key.id),
            is_import: imported.is_some(),
            counters: imported.as_ref().and_then(|imported| imported.counters.as_ref()),
            now: self.now,
            dry_run: false,
        };
        let created = Box::pin(async {
            let (mut created, mut response) = Box::pin(self.prepare(creation, drafts, snapshot, image)).await?;
            if let Some(imported) = imported {
                response.location = None;
                if let Some(state) = &imported.state {
                    created.write_set.replace_deleted(imported.key, state);
                }
            }
            if let Some(keyed_request) = keyed_request {
                keyed_request.keep(&stored(&response), self.now, &mut created.write_set)?;
            }
            for reservation in named {
                created.write_set.require_included(reservation, opted_out("/details"));
            }
            let tombstone = self.exclude(&created.records, &mut created.write_set).await?;
            let pending = self.commit_with_tombstone(created.write_set, tombstone).await?;
            if let Some(pending) = pending {
                self.redact_in_request(&pending).await;
            }
            Ok(response)
        })
        .await;
        if let (Err(error), Some(upload)) = (&created, &upload) {
            self.delete_upload(upload, error).await;
        }
        created
    }

    /// Plan the creation of records and render the response. Rendering comes before the commit, so that nothing can
    /// fail after the commit.
    async fn prepare(
        &self,
        creation: Creation<'_>,
        drafts: &[Draft],
        snapshot: Snapshot,
        image: Option<(&Image, &Upload)>,
    ) -> Result<(Created, Response), CommitError> {
        let resource = drafts.first().map(|draft| draft.resource);
        let (snapshot, reserved, withdrawal, ()) = tokio::try_join!(
            self.load_references(&creation, drafts, snapshot),
            self.load_reserved(drafts),
            self.withdrawal(resource, creation.dedup_key),
            self.upload(image)
        )?;
        let creation = Creation { reserved: &reserved, withdrawal, ..creation };
        let created = creation.plan(drafts, snapshot, &mut || self.store.next_id(self.now))?;
        let response = self.render_created(&created, creation.is_list).await?;
        Ok((created, response))
    }

    /// Render the response that the creation of a record would have. Stores nothing.
    pub(crate) async fn preview(&self, draft: &Draft) -> Result<String> {
        let mut attempts = Attempts::default();
        loop {
            let reserved = BTreeMap::new();
            let (reserved, now) = (&reserved, self.now);
            let creation = Creation {
                bound: None,
                is_list: false,
                upload: None,
                reserved,
                dedup_key: None,
                withdrawal: None,
                id: None,
                is_import: false,
                counters: None,
                now,
                dry_run: true,
            };
            let prepared = self.prepare(creation, std::slice::from_ref(draft), Snapshot::default(), None);
            match Box::pin(prepared).await {
                Ok((_, response)) => return Ok(response.body),
                Err(error) => attempts.back_off(error).await?,
            }
        }
    }

    /// Render the response to the creation of records.
    async fn render_created(&self, created: &Created, is_list: bool) -> Result<Response, CommitError> {
        let Created { records, snapshot, .. } = created;
        // Reads everything that GET renders, even if this response renders less: the ETag is that of GET.
        let snapshot = self.load_to_render(records, snapshot.clone(), Depth::TopLevel, Consistency::Strong).await?;
        if records.iter().any(|record| snapshot.torn_text(record)) {
            return Err(CommitError::Conflict);
        }
        let is_minimal = records.iter().any(|record| record.key.resource.minimal_write_response);
        let depth = if is_minimal { Depth::Embedded } else { Depth::TopLevel };
        let rendered: Vec<_> =
            records.iter().map(|record| self.rendered(record, &snapshot, depth)).collect::<Result<_>>()?;
        if is_list {
            return Ok(Response::created(format!("[{}]", rendered.join(",")), None));
        }
        let (record, rendered) = records.iter().zip(rendered).next().ok_or_else(Error::fault)?;
        let response = Response::created(rendered, Some(format!("/{}", record.key)));
        Ok(response.tagged(Self::tag(record, &snapshot)?))
    }

    /// Read the current versions of the records that the drafts refer to.
    async fn load_references(
        &self,
        creation: &Creation<'_>,
        drafts: &[Draft],
        mut snapshot: Snapshot,
    ) -> Result<Snapshot> {
        let mut read_set = needed_to_create(drafts);
        read_set.records.extend(creation.bound.map(|(_, parent)| parent));
        read_set.records.retain(|key| !snapshot.records.contains_key(key));
        snapshot.extend(self.store.load(&read_set, Consistency::Strong).await?);
        Ok(snapshot)
    }

    /// Find what a record loses, if the other service has withdrawn it before it came.
    pub(super) async fn withdrawal(
        &self,
        resource: Option<&'static Resource>,
        dedup_key: Option<&DedupKey>,
    ) -> Result<Option<Withdrawal>> {
        let author = dedup_key.and_then(|dedup_key| Some((dedup_key.author.as_ref()?, dedup_key.as_of)));
        let (Some(resource), Some(((author, text), sent_at))) = (resource, author) else { return Ok(None) };
        let is_withdrawn = self.store.is_withdrawn(author, text.as_deref(), sent_at).await?;
        Ok(resource.withdrawal.filter(|_| is_withdrawn))
    }

    /// Read the reservations of the unique values of the embedded drafts, without those that are free.
    async fn load_reserved(&self, drafts: &[Draft]) -> Result<BTreeMap<String, Reservation>> {
        let loads = Creation::reservations(drafts).into_iter().map(|(resource, reservation)| async move {
            let reserved = self.store.reservation(resource, &reservation).await?;
            Ok::<_, Error>(reserved.map(|reserved| (reservation, reserved)))
        });
        Ok(in_parallel(loads).await?.into_iter().flatten().collect())
    }

    /// Generate the key of a new record and the name of its image.
    pub(super) fn upload_for(&self, resource: &'static Resource) -> Result<Upload> {
        let record = Key::new(resource, self.store.next_id(self.now));
        Ok(Upload { record, name: self.store.next_image_name()? })
    }

    /// Upload an image before its record is stored. A crash leaves an unused image, never a record without its image.
    pub(super) async fn upload(&self, image: Option<(&Image, &Upload)>) -> Result<()> {
        let Some((image, upload)) = image else { return Ok(()) };
        let content_type = image.format.content_type();
        self.store.put_image(&upload.name, upload.record, content_type, image.bytes.clone()).await
    }

    /// Delete the image of a record that was certainly not stored. If that is uncertain, or the deletion fails, the
    /// sweep finds the image later.
    pub(super) async fn delete_upload(&self, upload: &Upload, error: &CommitError) {
        if error.is_certain() {
            let _ = self.store.delete_images(std::slice::from_ref(&upload.name)).await;
        }
    }
}

/// Get the reference that a path sets in new records, and a snapshot of the records that are already read.
fn bound_by(target: &ResolvedPath) -> Result<(Option<(&'static str, Key)>, Snapshot)> {
    match target {
        ResolvedPath::Many { bound, .. } => Ok((bound.map(|bound| (bound.field, bound.to)), Snapshot::default())),
        ResolvedPath::Slot { parent, child, filled_by: Some(_) } => {
            let OnParent::One { occupied, .. } = child.relation.on_parent else { return Err(Error::fault()) };
            let detail =
                format!("{} already has a {}. Change or delete it first.", parent.key.title(), child.resource.singular);
            Err(Error::conflict(occupied, "", detail))
        }
        ResolvedPath::Slot { parent, child, .. } => {
            let mut snapshot = Snapshot::default();
            snapshot.insert((**parent).clone());
            Ok((Some((child.relation.by.name, parent.key)), snapshot))
        }
        ResolvedPath::One { .. } | ResolvedPath::Sum { .. } => Err(Error::no_route()),
    }
}
