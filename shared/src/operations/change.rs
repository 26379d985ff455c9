//! PATCH: reads the record, plans the change and stores it. If another request was faster, it starts over.

pub(super) mod plan;

use std::time::Duration;

use tokio::time::timeout;

use super::create::plan::Upload;
use super::read::render::{embedded, only_as_rendered};
use super::{Attempts, Execution, Response, parse_body};
use crate::error::{Error, Result};
use crate::request::{Draft, IfMatch, Path, UnboundChange};
use crate::schema::{Depth, OnParent, Record, Value};
use crate::store::{Consistency, PendingDeletion};
use crate::table::{CommitError, ReadSet, Snapshot, Tombstone, WriteSet};

/// Longest time that a request spends on deleting leftovers after it has taken effect. The upkeep deletes the rest.
const MAX_CLEARING_TIME: Duration = Duration::from_secs(5);

/// Largest number of records that a record may embed to be written with `If-Match`. Each is an item of the
/// transaction, which has at most 100.
const MAX_EMBEDDED: usize = 90;

impl Execution {
    /// Execute PATCH.
    pub(super) async fn change(&self, path: &Path, change: UnboundChange, tags: Option<&IfMatch>) -> Result<Response> {
        let mut attempts = Attempts::default();
        let (mut before, mut snapshot) = self.load_to_change(path).await?;
        let stored = before.clone();
        let draft = match parse_body(change.size(), move || change.bind(&stored)).await? {
            Ok(draft) => draft,
            Err(invalid) => return Err(self.invalid_body(invalid).await),
        };
        loop {
            match self.change_once(&before, snapshot, &draft, tags).await {
                Ok(response) => return Ok(response),
                Err(error) => attempts.back_off(error).await?,
            }
            (before, snapshot) = self.load_to_change(path).await?;
            plan::check_not_anonymized(&before, &draft)?;
        }
    }

    async fn load_to_change(&self, path: &Path) -> Result<(Record, Snapshot)> {
        // The size limit of the record includes its children, so its state is read as well.
        self.at(&self.resolve(path).await?, true).await
    }

    async fn change_once(
        &self,
        before: &Record,
        snapshot: Snapshot,
        draft: &Draft,
        tags: Option<&IfMatch>,
    ) -> Result<Response, CommitError> {
        let resource = before.key.resource;
        let snapshot = match tags {
            Some(tags) => self.check_if_match(tags, before, snapshot).await?,
            None => snapshot,
        };
        let depth = if resource.minimal_write_response { Depth::Embedded } else { Depth::TopLevel };
        // The changed record embeds the same records, except for references in the draft. So they can be read before
        // the write.
        let mut moved = before.clone();
        for field in resource.belongs_to.iter().map(|relation| relation.by.name) {
            if let Some(reference) = draft.values.get(field) {
                moved.put(field, reference.clone());
            }
        }
        // Reads everything that GET renders, even if this response renders less: the ETag is that of GET.
        let mut snapshot =
            self.load_to_render(std::slice::from_ref(&moved), snapshot, Depth::TopLevel, Consistency::Strong).await?;
        if snapshot.torn_text(before) || snapshot.is_outdated(before) {
            return Err(CommitError::Conflict);
        }
        let parent =
            moved.parent().filter(|parent| needs_parent(before, draft) && !snapshot.records.contains_key(parent));
        let read_set = ReadSet { records: parent.into_iter().collect(), ..ReadSet::default() };
        snapshot.extend(self.store.load(&read_set, Consistency::Strong).await?);

        let upload = draft.image.as_ref().map(|_| self.upload_for(resource)).transpose()?;
        let upload = upload.map(|upload| Upload { record: before.key, ..upload });
        self.upload(draft.image.as_ref().zip(upload.as_ref())).await?;
        let name = upload.as_ref().map(|upload| upload.name.as_str());
        let result = async {
            let mut changed = plan::change(before, draft, name, &snapshot, self.now)?;
            if tags.is_some_and(|tags| !tags.is_any) && !changed.write_set.writes.is_empty() {
                only_as_rendered(before, &snapshot, &mut changed.write_set);
            }
            // Renders the response before the commit, so that nothing can fail after the commit.
            let response = Response::record(self.rendered(&changed.after, &snapshot, depth)?);
            let response = response.tagged(Self::tag(&changed.after, &snapshot)?);
            self.commit_with_tombstone(changed.write_set, changed.tombstone).await?;
            Ok(response)
        }
        .await;
        if let (Err(error), Some(upload)) = (&result, &upload) {
            self.delete_upload(upload, error).await;
        }
        result
    }

    /// Check that the record has one of these ETags (412). Reads everything that GET renders of
    /// the record. The write must then be conditional on all of it, so the record may embed at most [`MAX_EMBEDDED`]
    /// others.
    pub(crate) async fn check_if_match(
        &self,
        tags: &IfMatch,
        record: &Record,
        snapshot: Snapshot,
    ) -> Result<Snapshot, CommitError> {
        if tags.is_any {
            return Ok(snapshot);
        }
        let snapshot =
            self.load_to_render(std::slice::from_ref(record), snapshot, Depth::TopLevel, Consistency::Strong).await?;
        if snapshot.torn(record, Depth::TopLevel) {
            return Err(CommitError::Conflict);
        }
        if embedded(record, &snapshot, Depth::TopLevel).len() > MAX_EMBEDDED {
            return Err(Error::too_many_embedded(MAX_EMBEDDED).into());
        }
        tags.check(&Self::tag(record, &snapshot)?)?;
        Ok(snapshot)
    }

    /// Commit a write set together with a tombstone for everything that must be deleted after it. Then deletes that.
    pub(super) async fn commit_with_tombstone(
        &self,
        mut write_set: WriteSet,
        tombstone: Tombstone,
    ) -> Result<Option<PendingDeletion>, CommitError> {
        let Some((pk, tombstone)) = write_set.add_tombstone(tombstone, self.store.next_id(self.now), self.now)? else {
            self.store.commit(&write_set).await?;
            return Ok(None);
        };
        self.store.commit(&write_set).await?;
        // The request has taken effect. If a deletion fails from here on, the upkeep continues it.
        let pending = PendingDeletion { pk, since: self.now, tombstone };
        let cleared = timeout(MAX_CLEARING_TIME, self.store.clear(&pending)).await;
        let has_children = pending.tombstone.parent.is_some() || pending.tombstone.redacted.is_some();
        if matches!(cleared, Ok(Ok(()))) && !has_children {
            let _ = self.store.remove_tombstone(&pending).await;
        }
        Ok(Some(pending))
    }
}

/// True if the change needs the parent. It moves the record, changes whether it is active, or may enlarge it on the
/// parent.
fn needs_parent(before: &Record, draft: &Draft) -> bool {
    let Some(relation) = &before.key.resource.belongs_to else { return false };
    let membership_fields = [Some(relation.by.name), relation.while_unset.map(|attribute| attribute.name)];
    let is_counted = matches!(relation.on_parent, OnParent::Many { .. });
    let grows = draft.values.values().any(|value| matches!(value, Some(Value::Text(_) | Value::Object(_))));
    membership_fields.into_iter().flatten().any(|field| draft.values.contains_key(field)) || (is_counted && grows)
}
