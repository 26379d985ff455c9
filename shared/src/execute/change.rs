//! Changing a record: read, apply what the body says, store what differs, on the condition that what the decision
//! hung on is as it was read. Of two changes of one field, the last wins.

use std::time::Duration;

use serde_json::Value as Json;
use tokio::time::timeout;

use super::creation::inherit;
use super::membership::{Membership, missing};
use super::{Attempts, Execution, Reply};
use crate::body::{self, Draft, Payload};
use crate::error::{Error, Result, Violation};
use crate::operation::aside;
use crate::record::{Key, Record};
use crate::resource::Kind;
use crate::route::Path;
use crate::store::{Changes, Consistency, Loaded, Refusal, StoredImage, Tombstone, marker_key};
use crate::value::Value;

/// How long a request goes on clearing up after it has taken effect; the upkeep carries on after that.
const LONGEST_CLEARING: Duration = Duration::from_secs(5);

impl Execution {
    /// PATCH.
    pub(super) async fn change(&self, path: &Path, payload: Payload) -> Result<Reply> {
        let mut attempts = Attempts::default();
        let mut before = self.at(&self.resolve(path).await?).await?;
        let (seen, bound) = (before.clone(), path.bound_on_change());
        let draft = aside(move || body::to_change(&seen, payload, bound)).await?;
        loop {
            match self.change_once(&before, &draft).await {
                Ok(shown) => return Ok(Reply::ok(&shown)),
                Err(refusal) => attempts.again(refusal).await?,
            }
            before = self.at(&self.resolve(path).await?).await?;
        }
    }

    async fn change_once(&self, before: &Record, draft: &Draft) -> Result<Json, Refusal> {
        let brief = before.key.resource.brief_when_written;
        let mut after = before.clone();
        for (field, value) in &draft.values {
            after.set(field, value.clone());
        }
        if let Some(wrong) = (after.key.resource.rules)(&after) {
            return Err(Error::invalid(vec![wrong]).into());
        }
        let upload = StoredImage { upload: self.store.draw_id(self.now), record: after.key };
        if let Some(image) = &draft.image {
            self.upload(Some((image, &upload))).await?;
            set_image(&mut after, &upload);
        }
        let stored = self.store_change(before, &mut after).await;
        if let (Err(refusal), Some(_)) = (&stored, &draft.image) {
            self.take_back(&upload, refusal).await;
        }
        stored?;
        Ok(self.show(&after, Loaded::new(), !brief).await?)
    }

    async fn store_change(&self, before: &Record, after: &mut Record) -> Result<(), Refusal> {
        if before == after {
            return Ok(());
        }
        let resource = after.key.resource;
        let mut changes = Changes::default();
        let loaded = self.both_parents(before, after).await?;
        let mut guarded: Vec<&'static str> = resource.unique.into_iter().collect();
        if let Some(rule) = &resource.parent {
            let missing = after
                .reference(rule.by)
                .map(|id| missing(Key::new(rule.resource, id), false, &format!("/{}", rule.by)));
            if let Some(parent) = after.reference(rule.by).and_then(|id| loaded.get(&Key::new(rule.resource, id))) {
                inherit(after, parent);
            }
            Membership::follow(before, after, &mut changes, &loaded, missing.unwrap_or_else(Error::fault));
            guarded.extend([rule.by].into_iter().chain(rule.while_unset));
        }
        Self::move_unique(before, after, &mut changes);
        let replaced = replaced_images(before, after);
        guarded.extend(replaced.iter().map(|(field, _)| *field));
        let write = changes.update(before, after);
        for field in guarded {
            write.when_as_in(before, field);
        }
        let tombstone =
            Tombstone { images: replaced.into_iter().map(|(_, key)| key).collect(), ..Tombstone::default() };
        self.commit_with(changes, tombstone).await.map(drop)
    }

    /// The parents that a move is from and to, where they have parents of their own to tell.
    async fn both_parents(&self, before: &Record, after: &Record) -> Result<Loaded> {
        let Some(rule) = &after.key.resource.parent else { return Ok(Loaded::new()) };
        if before.reference(rule.by) == after.reference(rule.by) || !rule.is_repeated() {
            return Ok(Loaded::new());
        }
        let ids = [before, after].into_iter().filter_map(|record| record.reference(rule.by));
        self.store.get_all(ids.map(|id| Key::new(rule.resource, id)), Consistency::Strong).await
    }

    /// Frees the old unique value and reserves the new one.
    fn move_unique(before: &Record, after: &Record, changes: &mut Changes) {
        let resource = after.key.resource;
        let Some(field) = resource.unique else { return };
        if let (Some(old), Some(new)) = (before.text(field), after.text(field))
            && old != new
        {
            let detail = format!("Another {} has this {field}.", resource.singular);
            let taken = Error::conflict(Violation::at(format!("/{field}"), detail));
            changes.delete_item(marker_key(resource, field, old));
            changes.reserve(marker_key(resource, field, new), after).if_present(taken);
        }
    }

    /// Commits changes together with the record of what they leave to be deleted, and deletes that.
    pub(super) async fn commit_with(
        &self,
        mut changes: Changes,
        mut tombstone: Tombstone,
    ) -> Result<Option<crate::store::Pending>, Refusal> {
        // What fits goes at once; images are never in the table.
        if tombstone.records.len() < changes.room() {
            tombstone.records.drain(..).for_each(|pk| changes.clear_item(pk));
        }
        if tombstone.is_empty() {
            self.store.commit(&changes).await?;
            return Ok(None);
        }
        let pending = changes.add_tombstone(self.store.draw_id(self.now), self.now, tombstone);
        self.store.commit(&changes).await?;
        // From here on the request has taken effect: what fails is carried on by the upkeep.
        let cleared = timeout(LONGEST_CLEARING, self.store.clear(&pending.tombstone)).await;
        if matches!(cleared, Ok(Ok(()))) && pending.tombstone.holder.is_none() {
            let _ = self.store.remove_tombstone(&pending).await;
        }
        Ok(Some(pending))
    }
}

fn set_image(record: &mut Record, upload: &StoredImage) {
    for field in record.key.resource.fields.iter().filter(|field| matches!(field.kind, Kind::Image)) {
        record.set(field.name, Some(Value::Text(upload.key())));
    }
}

/// The images that a change leaves without a record: field and key.
fn replaced_images(before: &Record, after: &Record) -> Vec<(&'static str, String)> {
    let images = after.key.resource.fields.iter().filter(|field| matches!(field.kind, Kind::Image));
    let replaced = images.filter(|field| before.get(field.name) != after.get(field.name));
    replaced.filter_map(|field| Some((field.name, before.text(field.name)?.to_owned()))).collect()
}
