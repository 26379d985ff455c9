//! Creating records: reads that depend on nothing go out together with the image, then one transaction.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::creation::{Creation, unique_value};
use super::resolve::{Bound, Place};
use super::{Attempts, Execution, Reply};
use crate::body::{Draft, Image};
use crate::error::{Error, Result};
use crate::record::{Key, Record};
use crate::resource::Kind;
use crate::route::Path;
use crate::store::{Changes, Consistency, Loaded, Refusal, StoredImage};
use crate::value::{Id, Timestamp};

impl Execution {
    /// POST.
    pub(super) async fn create(&self, path: &Path, draft: Draft) -> Result<Reply> {
        let brief = draft.resource.brief_when_written;
        let (records, known) = Box::pin(self.create_all(path, &[draft], false)).await?;
        let [record] = &records[..] else { return Err(Error::fault()) };
        Ok(Reply::created(&self.show(record, known, !brief).await?, Some(record.key)))
    }

    /// PUT of a list.
    pub(super) async fn create_many(&self, path: &Path, drafts: Vec<Draft>) -> Result<Reply> {
        let (records, known) = Box::pin(self.create_all(path, &drafts, true)).await?;
        let mut shown = Vec::with_capacity(records.len());
        for record in &records {
            shown.push(self.show(record, known.clone(), true).await?);
        }
        Ok(Reply::created(&Json::Array(shown), None))
    }

    /// Creates the records of a body: one, or those `listed` in it.
    async fn create_all(&self, path: &Path, drafts: &[Draft], listed: bool) -> Result<(Vec<Record>, Loaded)> {
        let mut attempts = Attempts::default();
        loop {
            let (bound, known) = match self.resolve(path).await? {
                Place::Many { bound, .. } => (bound, Loaded::new()),
                Place::Slot { holder, binds, .. } => {
                    (Some(Bound { field: binds, to: holder.key }), Loaded::from([(holder.key, *holder)]))
                }
                Place::One { .. } | Place::Value { .. } => return Err(Error::no_route()),
            };
            match Box::pin(self.create_once(drafts, listed, bound, known)).await {
                Ok(created) => return Ok(created),
                Err(refusal) => attempts.again(refusal).await?,
            }
        }
    }

    async fn create_once(
        &self,
        drafts: &[Draft],
        listed: bool,
        bound: Option<Bound>,
        known: Loaded,
    ) -> Result<(Vec<Record>, Loaded), Refusal> {
        let image = drafts.iter().find_map(image_in);
        let upload = StoredImage { document: self.store.draw_id(self.now), upload: self.store.draw_id(self.now) };
        let created = Box::pin(async {
            let (loaded, holders, ()) = tokio::try_join!(
                self.parents(drafts, bound, known),
                self.holders(drafts),
                self.upload(image, &upload)
            )?;
            let mut creation = Creation {
                execution: self,
                listed,
                bound,
                upload: &upload,
                holders,
                loaded,
                changes: Changes::default(),
                upserted: BTreeSet::new(),
                wrong: Vec::new(),
            };
            let records = creation.records(drafts)?;
            if !records.is_empty() {
                self.store.commit(&creation.changes).await?;
            }
            Ok((records, creation.loaded))
        })
        .await;
        if let (Err(refusal), Some(_)) = (&created, image) {
            self.take_back(&upload, refusal).await;
        }
        created
    }

    /// The records that the drafts refer to, as they are now.
    async fn parents(&self, drafts: &[Draft], bound: Option<Bound>, mut known: Loaded) -> Result<Loaded> {
        let bound = bound.map(|bound| bound.to);
        let given = drafts.iter().flat_map(|draft| {
            let references = draft.resource.fields.iter().filter_map(|field| match field.kind {
                Kind::Reference(to) => Some(Key::new(to, draft.reference(field.name)?)),
                _ => None,
            });
            references.collect::<Vec<_>>()
        });
        let keys: Vec<_> = given.chain(bound).filter(|key| !known.contains_key(key)).collect();
        known.extend(self.store.get_all(keys, Consistency::Strong).await?);
        Ok(known)
    }

    /// Who holds the unique values of the records given inside: they are updated, not created.
    async fn holders(&self, drafts: &[Draft]) -> Result<BTreeMap<String, (Id, Timestamp)>> {
        let mut holders = BTreeMap::new();
        for part in drafts.iter().flat_map(|draft| draft.parts.values().flatten()) {
            if let Some((_, marker)) = unique_value(part) {
                let holder = self.store.holder(&marker).await?;
                holders.extend(holder.map(|holder| (marker, holder)));
            }
        }
        Ok(holders)
    }

    /// Stores an image before its record: a crash leaves an image too many, never one too few.
    pub(super) async fn upload(&self, image: Option<&Image>, upload: &StoredImage) -> Result<()> {
        match image {
            Some(image) => self.store.put_image(upload, image.format.content_type(), image.bytes.clone()).await,
            None => Ok(()),
        }
    }

    /// Removes the image of a record that was certainly not stored. Where that is not certain, or this fails,
    /// the sweep looks again.
    pub(super) async fn take_back(&self, upload: &StoredImage, refusal: &Refusal) {
        if refusal.is_certain() {
            let _ = self.store.delete_images(&[upload.key()]).await;
        }
    }
}

fn image_in(draft: &Draft) -> Option<&Image> {
    draft.image.as_ref().or_else(|| draft.parts.values().flatten().find_map(image_in))
}
