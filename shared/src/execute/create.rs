//! Creating records: what they refer to is read together with the upload of their image, then all is stored at once.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::resolve::Place;
use super::{Attempts, Execution, Reply};
use crate::error::{Error, Result, Violation};
use crate::plan::{self, Created, Creation, Loaded, Once, Refusal, Upload, Work};
use crate::request::{Draft, Image, Path};
use crate::schema::{Key, Record, Resource, Timestamp};
use crate::store::{Consistency, in_parallel};

impl Execution {
    /// POST.
    pub(super) async fn create(&self, path: &Path, draft: Draft) -> Result<Reply> {
        let created = Box::pin(self.create_all(path, &[draft], false, None)).await?;
        let (key, shown) = created.into_iter().next().ok_or_else(Error::fault)?;
        Ok(Reply::created(&shown, Some(format!("/{key}"))))
    }

    /// PUT of a list.
    pub(super) async fn create_many(&self, path: &Path, drafts: Vec<Draft>) -> Result<Reply> {
        let created = Box::pin(self.create_all(path, &drafts, true, None)).await?;
        Ok(Reply::created(&created.into_iter().map(|(_, shown)| shown).collect(), None))
    }

    /// Creates a record of what has happened elsewhere; what comes again meets itself.
    ///
    /// # Errors
    /// [`Error::is_repeated`], when it has come before; what a POST of the same would be refused with.
    pub async fn create_once(&self, draft: Draft, once: Once) -> Result<()> {
        let path = Path::to(draft.resource);
        Box::pin(self.create_all(&path, &[draft], false, Some(once))).await?;
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
            let mut work = Work::default();
            if known.is_none_or(|known| plan::refresh(&known, draft, as_of, &mut work).is_none()) {
                return Ok(());
            }
            match self.store.commit(&work).await {
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

    async fn create_all(
        &self,
        path: &Path,
        drafts: &[Draft],
        listed: bool,
        mut once: Option<Once>,
    ) -> Result<Vec<(Key, Json)>> {
        let mut attempts = Attempts::default();
        loop {
            let place = self.resolve(path).await?;
            match Box::pin(self.create_at(&place, drafts, listed, once.as_ref())).await {
                Ok(created) => return Ok(created),
                Err(refusal) => attempts.again(refusal).await?,
            }
            if let Some(once) = &mut once {
                self.step_aside(drafts, once).await?;
            }
        }
    }

    /// Looks at what something that happens once has met. If it is itself, it adds what it knows more; if it is another, it
    /// takes the next identifier.
    async fn step_aside(&self, drafts: &[Draft], once: &mut Once) -> Result<()> {
        let Some((draft, key)) = drafts.first().and_then(|draft| Some((draft, once.key(draft.resource)?))) else {
            return Ok(());
        };
        let mut attempts = Attempts::default();
        while let Some(met) = self.store.met(key).await? {
            if !once.is(&met) {
                return Ok(());
            }
            let mut work = Work::default();
            plan::complete(&met.record, draft, &mut work);
            match self.store.commit(&work).await {
                Ok(()) => return Err(Error::repeated()),
                Err(refusal) => attempts.again(refusal).await?,
            }
        }
        Ok(())
    }

    async fn create_at(
        &self,
        place: &Place,
        drafts: &[Draft],
        listed: bool,
        once: Option<&Once>,
    ) -> Result<Vec<(Key, Json)>, Refusal> {
        let (bound, known) = bound_by(place)?;
        let pictured = drafts.iter().find_map(Draft::pictured);
        let upload = pictured.map(|draft| self.upload_for(draft.resource)).transpose()?;
        let image = pictured.and_then(|draft| draft.image.as_ref()).zip(upload.as_ref());
        let reservations = BTreeMap::new();
        let creation =
            Creation { bound, listed, upload: upload.as_ref(), reserved: &reservations, once, now: self.now };
        let created = Box::pin(async {
            let (loaded, reserved, ()) =
                tokio::try_join!(self.referred(&creation, drafts, known), self.reserved(drafts), self.upload(image))?;
            let creation = Creation { reserved: &reserved, ..creation };
            let created = creation.plan(drafts, loaded, &mut || self.store.draw_id(self.now))?;
            // The answer is made before, so that nothing can fail after.
            let shown = self.show_created(&created).await?;
            self.store.commit(&created.work).await?;
            Ok(shown)
        })
        .await;
        if let (Err(refusal), Some(upload)) = (&created, &upload) {
            self.take_back(upload, refusal).await;
        }
        created
    }

    /// New records as their response shows them.
    async fn show_created(&self, created: &Created) -> Result<Vec<(Key, Json)>> {
        let Created { records, loaded, .. } = created;
        let alone = records.iter().all(|record| !record.key.resource.brief_when_written);
        let loaded = self.load_to_show(records, loaded.clone(), alone, Consistency::Strong).await?;
        records.iter().map(|record| Ok((record.key, self.shown(record, &loaded, alone)?))).collect()
    }

    /// The records that the drafts refer to, as they are now.
    async fn referred(&self, creation: &Creation<'_>, drafts: &[Draft], mut known: Loaded) -> Result<Loaded> {
        let mut wanted = creation.needs(drafts);
        wanted.records.retain(|key| !known.records.contains_key(key));
        known.extend(self.store.load(&wanted, Consistency::Strong).await?);
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
        let record = Key::new(resource, self.store.draw_id(self.now));
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
    pub(super) async fn take_back(&self, upload: &Upload, refusal: &Refusal) {
        if refusal.is_certain() {
            let _ = self.store.delete_images(std::slice::from_ref(&upload.name)).await;
        }
    }
}

/// What a place decides of new records: the field that it binds, and to whom; and what is known of that.
fn bound_by(place: &Place) -> Result<(Option<(&'static str, Key)>, Loaded)> {
    match place {
        Place::Many { bound, .. } => Ok((bound.map(|bound| (bound.field, bound.to)), Loaded::default())),
        Place::Slot { holder, child, filled_by: Some(_) } => {
            let (singular, id, kept) = (holder.key.resource.singular, holder.key.id, child.resource.singular);
            let detail = format!("The {singular} {id} already has a {kept}: change or delete that one first.");
            Err(Error::conflict(Violation::at("", detail)))
        }
        Place::Slot { holder, child, .. } => {
            let mut known = Loaded::default();
            known.insert((**holder).clone());
            Ok((Some((child.relation.by.name, holder.key)), known))
        }
        Place::One { .. } | Place::Sum { .. } => Err(Error::no_route()),
    }
}
