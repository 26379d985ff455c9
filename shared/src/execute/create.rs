//! Creating records: reads that depend on nothing go out together with the image, then one transaction.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::creation::{Creation, unique_value};
use super::resolve::{Bound, Place};
use super::view::view;
use super::{Attempts, Execution, Reply};
use crate::body::{Draft, Image};
use crate::error::{Error, Result, Violation};
use crate::record::{Key, Record};
use crate::resource::Kind;
use crate::route::Path;
use crate::store::{Changes, Consistency, Loaded, Refusal, StoredImage};
use crate::twitch::Marker;
use crate::value::{Id, Timestamp};

impl Execution {
    /// POST.
    pub(super) async fn create(&self, path: &Path, draft: Draft) -> Result<Reply> {
        let created = Box::pin(self.create_all(path, &[draft], false, &[])).await?;
        let (key, shown) = created.into_iter().next().ok_or_else(Error::fault)?;
        Ok(Reply::created(&shown, Some(key)))
    }

    /// PUT of a list.
    pub(super) async fn create_many(&self, path: &Path, drafts: Vec<Draft>) -> Result<Reply> {
        let created = Box::pin(self.create_all(path, &drafts, true, &[])).await?;
        Ok(Reply::created(&created.into_iter().map(|(_, shown)| shown).collect(), None))
    }

    /// Creates the records of a body: one, or those `listed` in it; once, where there are markers to say that it was done.
    pub(super) async fn create_all(
        &self,
        path: &Path,
        drafts: &[Draft],
        listed: bool,
        markers: &[Marker],
    ) -> Result<Vec<(Key, Json)>> {
        let mut attempts = Attempts::default();
        loop {
            let place = self.resolve(path).await?;
            match Box::pin(self.create_once(drafts, listed, markers, &place)).await {
                Ok(created) => return Ok(created),
                Err(refusal) => attempts.again(refusal).await?,
            }
        }
    }

    async fn create_once(
        &self,
        drafts: &[Draft],
        listed: bool,
        markers: &[Marker],
        place: &Place,
    ) -> Result<Vec<(Key, Json)>, Refusal> {
        let (bound, known) = bound_by(place)?;
        let pictured = drafts.iter().find_map(pictured);
        let upload = pictured.map(|draft| StoredImage {
            record: Key::new(draft.resource, self.store.draw_id(self.now)),
            upload: self.store.draw_id(self.now),
        });
        let image = pictured.and_then(|draft| draft.image.as_ref()).zip(upload.as_ref());
        let created = Box::pin(async {
            let (loaded, holders, ()) =
                tokio::try_join!(self.parents(drafts, bound, known), self.holders(drafts), self.upload(image))?;
            let mut creation = Creation {
                execution: self,
                listed,
                bound,
                upload: upload.as_ref(),
                holders,
                loaded,
                changes: Changes::default(),
                upserted: BTreeSet::new(),
                wrong: Vec::new(),
            };
            let records = creation.records(drafts)?;
            creation.changes.once(markers);
            if let Place::Slot { holder, by, .. } = place {
                // It was vacant, and must be still, also for what would not fill it.
                creation.changes.write(holder.key).when_as_in(holder, by);
            }
            // The answer is made before, so that nothing can fail after.
            let shown = self.show_all(&records, creation.loaded).await?;
            if !records.is_empty() {
                self.store.commit(&creation.changes).await?;
            }
            Ok(shown)
        })
        .await;
        if let (Err(refusal), Some(upload)) = (&created, &upload) {
            self.take_back(upload, refusal).await;
        }
        created
    }

    /// New records as their response shows them.
    async fn show_all(&self, records: &[Record], known: Loaded) -> Result<Vec<(Key, Json)>> {
        let mut shown = records.to_vec();
        let alone = records.iter().all(|record| !record.key.resource.brief_when_written);
        let loaded = self.embed(&mut shown, known, Consistency::Strong, alone).await?;
        let view = |record| view(record, &loaded, alone).map(|shown| (record.key, shown)).ok_or_else(Error::fault);
        shown.iter().map(view).collect()
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
    pub(super) async fn upload(&self, image: Option<(&Image, &StoredImage)>) -> Result<()> {
        match image {
            Some((image, upload)) => {
                self.store.put_image(upload, image.format.content_type(), image.bytes.clone()).await
            }
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

/// What a place binds in new records, and what is known of it already.
fn bound_by(place: &Place) -> Result<(Option<Bound>, Loaded)> {
    match place {
        Place::Many { bound, .. } => Ok((*bound, Loaded::new())),
        Place::Slot { holder, to, filled_by: Some(_), .. } => {
            let (singular, id) = (holder.key.resource.singular, holder.key.id);
            let detail = format!("The {singular} {id} already has a {}: change or delete that one first.", to.singular);
            Err(Error::conflict(Violation::at("", detail)))
        }
        Place::Slot { holder, binds, .. } => {
            let bound = Bound { field: binds, to: holder.key };
            Ok((Some(bound), Loaded::from([(holder.key, (**holder).clone())])))
        }
        Place::One { .. } | Place::Value { .. } => Err(Error::no_route()),
    }
}

/// The draft that has an image: this one, or one inside it.
fn pictured(draft: &Draft) -> Option<&Draft> {
    if draft.image.is_some() { Some(draft) } else { draft.parts.values().flatten().find_map(pictured) }
}
