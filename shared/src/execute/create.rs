//! Creating records: what they refer to is read together with the upload of their image, then all is stored at once.

use std::collections::BTreeMap;

use http::StatusCode;

use super::resolve::Place;
use super::{Attempts, Execution, Reply};
use crate::error::{Error, Result, Violation};
use crate::plan::{
    self, CommitError, Created, Creation, DedupKey, KeyedRequest, Snapshot, StoredResponse, Upload, WriteSet,
};
use crate::request::{Draft, IdempotencyKey, Image, Path};
use crate::schema::{Depth, Key, Record, Resource, Timestamp};
use crate::store::{Consistency, in_parallel};

/// What is to be created, and how often.
struct Intent<'a> {
    drafts: &'a [Draft],
    /// Whether the body, and so the answer, is a list.
    listed: bool,
    /// What happened elsewhere, and meets itself when it comes again.
    once: Option<DedupKey>,
    /// The key of the request, whose answer is kept.
    keyed: Option<KeyedRequest>,
}

impl Execution {
    /// POST, and PUT of a list. A request with a key that has come before is answered as it was then.
    pub(super) async fn create(
        &self,
        path: &Path,
        drafts: &[Draft],
        listed: bool,
        key: Option<IdempotencyKey>,
    ) -> Result<Reply> {
        let keyed = key.map(|key| KeyedRequest::new(&self.caller, &key.key, &key.request));
        // An image would be uploaded for nothing.
        if let Some(keyed) = keyed.as_ref().filter(|_| drafts.iter().any(|draft| draft.with_image().is_some()))
            && let Some(before) = self.replay(keyed).await?
        {
            return Ok(before);
        }
        let mut intent = Intent { drafts, listed, once: None, keyed };
        match Box::pin(self.create_all(path, &mut intent)).await {
            // What is refused now may be because it was done then.
            Err(error) if error.status().is_client_error() => match &intent.keyed {
                Some(keyed) => self.replay(keyed).await?.ok_or(error),
                None => Err(error),
            },
            created => created,
        }
    }

    /// What a request with this key was answered with, if it has come before.
    pub(super) async fn replay(&self, keyed: &KeyedRequest) -> Result<Option<Reply>> {
        let Some(known) = self.store.response(keyed, self.now).await? else { return Ok(None) };
        if known.0 != keyed.request {
            return Err(Error::of_another_request());
        }
        let StoredResponse { status, location, etag, body } = known.1;
        let status = StatusCode::from_u16(status).map_err(|_| Error::fault())?;
        Ok(Some(Reply { status, location, etag, replayed: true, ..Reply::with("application/json", body) }))
    }

    /// Creates a record of what has happened elsewhere; what comes again meets itself.
    ///
    /// # Errors
    /// [`Error::is_repeated`], when it has come before; what a POST of the same would be refused with.
    pub async fn create_once(&self, draft: Draft, once: DedupKey) -> Result<()> {
        let path = Path::to(draft.resource);
        let mut intent = Intent { drafts: &[draft], listed: false, once: Some(once), keyed: None };
        Box::pin(self.create_all(&path, &mut intent)).await?;
        Ok(())
    }

    /// Gives the record that has a draft's unique value, if there is one, what the draft says as of a time.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn refresh(&self, draft: &Draft, as_of: Timestamp) -> Result<()> {
        let mut attempts = Attempts::default();
        loop {
            let known = self.reserved_by(draft).await?;
            let mut write_set = WriteSet::default();
            if known.is_none_or(|known| plan::refresh(&known, draft, as_of, &mut write_set).is_none()) {
                return Ok(());
            }
            match self.store.commit(&write_set).await {
                Ok(()) => return Ok(()),
                Err(refusal) => attempts.again(refusal).await?,
            }
        }
    }

    async fn reserved_by(&self, draft: &Draft) -> Result<Option<Record>> {
        match draft.unique() {
            Some(value) => self.store.reserved(draft.resource, &plan::reservation(draft.resource, value)).await,
            None => Ok(None),
        }
    }

    async fn create_all(&self, path: &Path, intent: &mut Intent<'_>) -> Result<Reply> {
        let mut attempts = Attempts::default();
        loop {
            let position = self.resolve(path).await?;
            match Box::pin(self.create_at(&position, intent)).await {
                Ok(reply) => return Ok(reply),
                Err(refusal) => attempts.again(refusal).await?,
            }
            if let Some(once) = &mut intent.once {
                self.step_aside(intent.drafts, once).await?;
            }
        }
    }

    /// Looks at what something that happens once has met. If it is itself, it adds what it knows more; if it is another, it
    /// takes the next identifier.
    async fn step_aside(&self, drafts: &[Draft], once: &mut DedupKey) -> Result<()> {
        let Some((draft, key)) = drafts.first().and_then(|draft| Some((draft, once.key(draft.resource)?))) else {
            return Ok(());
        };
        let mut attempts = Attempts::default();
        while let Some(met) = self.store.met(key).await? {
            if !once.is_or_moves_on(&met) {
                return Ok(());
            }
            let mut write_set = WriteSet::default();
            plan::complete(&met, draft, once, &mut write_set);
            match self.store.commit(&write_set).await {
                Ok(()) => return Err(Error::repeated()),
                Err(refusal) => attempts.again(refusal).await?,
            }
        }
        Ok(())
    }

    async fn create_at(&self, position: &Place, intent: &Intent<'_>) -> Result<Reply, CommitError> {
        let Intent { drafts, listed, once, keyed } = intent;
        let (bound, known) = bound_by(position)?;
        let with_image = drafts.iter().find_map(Draft::with_image);
        let upload = with_image.map(|draft| self.upload_for(draft.resource)).transpose()?;
        let image = with_image.and_then(|draft| draft.image.as_ref()).zip(upload.as_ref());
        let reservations = BTreeMap::new();
        let (listed, once) = (*listed, once.as_ref());
        let creation = Creation {
            bound,
            listed,
            upload: upload.as_ref(),
            reserved: &reservations,
            once,
            now: self.now,
            dry_run: false,
        };
        let created = Box::pin(async {
            let (mut created, reply) = self.prepare(creation, drafts, known, image).await?;
            if let Some(keyed) = keyed {
                keyed.keep(&outcome(&reply), self.now, &mut created.write_set)?;
            }
            self.store.commit(&created.write_set).await?;
            Ok(reply)
        })
        .await;
        if let (Err(refusal), Some(upload)) = (&created, &upload) {
            self.delete_upload(upload, refusal).await;
        }
        created
    }

    /// What creates records, and the answer to it: made before, so that nothing can fail after.
    async fn prepare(
        &self,
        creation: Creation<'_>,
        drafts: &[Draft],
        known: Snapshot,
        image: Option<(&Image, &Upload)>,
    ) -> Result<(Created, Reply), CommitError> {
        let (snapshot, reserved, ()) =
            tokio::try_join!(self.referred(&creation, drafts, known), self.reserved(drafts), self.upload(image))?;
        let creation = Creation { reserved: &reserved, ..creation };
        let created = creation.plan(drafts, snapshot, &mut || self.store.next_id(self.now))?;
        let reply = self.answer(&created, creation.listed).await?;
        Ok((created, reply))
    }

    /// What the creation of a record would be answered with. Nothing is stored.
    pub(super) async fn preview(&self, draft: &Draft) -> Result<String> {
        let mut attempts = Attempts::default();
        loop {
            let reserved = BTreeMap::new();
            let (reserved, now) = (&reserved, self.now);
            let creation =
                Creation { bound: None, listed: false, upload: None, reserved, once: None, now, dry_run: true };
            let prepared = self.prepare(creation, std::slice::from_ref(draft), Snapshot::default(), None);
            match Box::pin(prepared).await {
                Ok((_, reply)) => return Ok(reply.body),
                Err(refusal) => attempts.again(refusal).await?,
            }
        }
    }

    /// New records as their response shows them.
    async fn answer(&self, created: &Created, listed: bool) -> Result<Reply, CommitError> {
        let Created { records, snapshot, .. } = created;
        // Also what the answer does not show: its tag is that of what a GET shows.
        let snapshot = self.load_to_render(records, snapshot.clone(), Depth::TopLevel, Consistency::Strong).await?;
        if records.iter().any(|record| snapshot.torn_text(record)) {
            return Err(CommitError::Again);
        }
        let is_minimal = records.iter().any(|record| record.key.resource.minimal_write_response);
        let depth = if is_minimal { Depth::Embedded } else { Depth::TopLevel };
        let rendered: Vec<_> =
            records.iter().map(|record| self.rendered(record, &snapshot, depth)).collect::<Result<_>>()?;
        if listed {
            return Ok(Reply::created(&rendered.into(), None));
        }
        let (record, rendered) = records.iter().zip(&rendered).next().ok_or_else(Error::fault)?;
        let reply = Reply::created(rendered, Some(format!("/{}", record.key)));
        Ok(reply.tagged(Self::tag(record, &snapshot)?))
    }

    /// The records that the drafts refer to, as they are now.
    async fn referred(&self, creation: &Creation<'_>, drafts: &[Draft], mut known: Snapshot) -> Result<Snapshot> {
        let mut read_set = creation.needs(drafts);
        read_set.records.retain(|key| !known.records.contains_key(key));
        known.extend(self.store.load(&read_set, Consistency::Strong).await?);
        Ok(known)
    }

    /// Who has the unique values of the records given inside.
    async fn reserved(&self, drafts: &[Draft]) -> Result<BTreeMap<String, Record>> {
        let found = Creation::reservations(drafts).into_iter().map(|(resource, reservation)| async move {
            let record: Option<Record> = self.store.reserved(resource, &reservation).await?;
            Ok::<_, Error>(record.map(|record| (reservation, record)))
        });
        Ok(in_parallel(found).await?.into_iter().flatten().collect())
    }

    /// What the image of a new record will be called.
    pub(super) fn upload_for(&self, resource: &'static Resource) -> Result<Upload> {
        let record = Key::new(resource, self.store.next_id(self.now));
        Ok(Upload { record, name: self.store.draw_image_name()? })
    }

    /// Stores an image before its record: a crash leaves an image too many, never one too few.
    pub(super) async fn upload(&self, image: Option<(&Image, &Upload)>) -> Result<()> {
        let Some((image, upload)) = image else { return Ok(()) };
        let content_type = image.format.content_type();
        self.store.put_image(&upload.name, upload.record, content_type, image.bytes.clone()).await
    }

    /// Removes the image of a record that was certainly not stored. Where that is not certain, or this fails,
    /// the sweep looks again.
    pub(super) async fn delete_upload(&self, upload: &Upload, refusal: &CommitError) {
        if refusal.is_certain() {
            let _ = self.store.delete_images(std::slice::from_ref(&upload.name)).await;
        }
    }
}

/// What is kept of an answer.
pub(super) fn outcome(reply: &Reply) -> StoredResponse {
    let Reply { status, location, etag, body, .. } = reply;
    StoredResponse { status: status.as_u16(), location: location.clone(), etag: etag.clone(), body: body.clone() }
}

/// What a place decides of new records: the field that it binds, and to whom; and what is known of that.
fn bound_by(position: &Place) -> Result<(Option<(&'static str, Key)>, Snapshot)> {
    match position {
        Place::Many { bound, .. } => Ok((bound.map(|bound| (bound.field, bound.to)), Snapshot::default())),
        Place::Slot { parent, child, filled_by: Some(_) } => {
            let (singular, id, singular_of_child) =
                (parent.key.resource.singular, parent.key.id, child.resource.singular);
            let detail =
                format!("The {singular} {id} already has a {singular_of_child}: change or delete that one first.");
            Err(Error::conflict(Violation::at("", detail)))
        }
        Place::Slot { parent, child, .. } => {
            let mut known = Snapshot::default();
            known.insert((**parent).clone());
            Ok((Some((child.relation.by.name, parent.key)), known))
        }
        Place::One { .. } | Place::Sum { .. } => Err(Error::no_route()),
    }
}
