//! PATCH: read, plan what the body says, store it; again, where others were quicker.

use std::time::Duration;

use headers::{ETag, IfMatch};
use tokio::time::timeout;

use super::{Attempts, Execution, Reply};
use crate::error::{Error, Result};
use crate::plan::{self, CommitError, ReadSet, Snapshot, Tombstone, Upload, WriteSet};
use crate::request::{Draft, Path, Payload, body};
use crate::schema::{Depth, OnParent, Record, Value};
use crate::store::{Consistency, PendingDeletion};

/// How long a request goes on clearing up after it has taken effect; the upkeep carries on after that.
const LONGEST_CLEARING: Duration = Duration::from_secs(5);

/// How many records another may embed to be written with `If-Match`: each is an item of the transaction, which has at most
/// 100.
const MOST_EMBEDDED: usize = 90;

impl Execution {
    /// PATCH.
    pub(super) async fn change(&self, path: &Path, payload: Payload, tags: Option<&IfMatch>) -> Result<Reply> {
        let mut attempts = Attempts::default();
        let (mut before, mut snapshot) = self.to_change(path).await?;
        let (seen, bound) = (before.clone(), path.bound_on_change());
        let draft = match body::run_blocking(move || body::to_change(&seen, payload, bound)).await? {
            Ok(draft) => draft,
            Err(broken) => return Err(self.refusal(broken).await),
        };
        loop {
            match self.change_once(&before, snapshot, &draft, tags).await {
                Ok(reply) => return Ok(reply),
                Err(refusal) => attempts.again(refusal).await?,
            }
            (before, snapshot) = self.to_change(path).await?;
        }
    }

    async fn to_change(&self, path: &Path) -> Result<(Record, Snapshot)> {
        // What it keeps counts for how large it may become.
        self.at(&self.resolve(path).await?, true).await
    }

    async fn change_once(
        &self,
        before: &Record,
        snapshot: Snapshot,
        draft: &Draft,
        tags: Option<&IfMatch>,
    ) -> Result<Reply, CommitError> {
        let resource = before.key.resource;
        let snapshot = match tags {
            Some(tags) => self.must_have(tags, before, snapshot).await?,
            None => snapshot,
        };
        let depth = if resource.minimal_write_response { Depth::Embedded } else { Depth::TopLevel };
        // What it shows now is what it will show, but for what the draft says: so it is read before.
        let mut seen = before.clone();
        for field in resource.belongs_to.iter().map(|relation| relation.by.name) {
            if let Some(moved) = draft.values.get(field) {
                seen.put(field, moved.clone());
            }
        }
        // Also what the answer does not show: its tag is that of what a GET shows.
        let mut snapshot =
            self.load_to_render(std::slice::from_ref(&seen), snapshot, Depth::TopLevel, Consistency::Strong).await?;
        if snapshot.torn_text(before) {
            return Err(CommitError::Again);
        }
        let parent =
            seen.parent().filter(|parent| must_know_holder(before, draft) && !snapshot.records.contains_key(parent));
        let read_set = ReadSet { records: parent.into_iter().collect(), ..ReadSet::default() };
        snapshot.extend(self.store.load(&read_set, Consistency::Strong).await?);

        let upload = draft.image.as_ref().map(|_| self.upload_for(resource)).transpose()?;
        let upload = upload.map(|upload| Upload { record: before.key, ..upload });
        self.upload(draft.image.as_ref().zip(upload.as_ref())).await?;
        let name = upload.as_ref().map(|upload| upload.name.as_str());
        let stored = async {
            let mut changed = plan::change(before, draft, name, &snapshot, self.now)?;
            if tags.is_some_and(|tags| !tags.is_any()) && !changed.write_set.writes.is_empty() {
                plan::only_as_rendered(before, &snapshot, &mut changed.write_set);
            }
            // The answer is made before, so that nothing can fail after.
            let reply = Reply::json(&self.rendered(&changed.after, &snapshot, depth)?);
            let reply = reply.tagged(Self::tag(&changed.after, &snapshot)?);
            self.commit_leaving(changed.write_set, changed.left).await?;
            Ok(reply)
        }
        .await;
        if let (Err(refusal), Some(upload)) = (&stored, &upload) {
            self.delete_upload(upload, refusal).await;
        }
        stored
    }

    /// Refuses the request if the record has none of these tags. Reads everything that the record shows. The write must then
    /// be conditional on all of it, so the record may embed at most [`MOST_EMBEDDED`] others.
    pub(super) async fn must_have(
        &self,
        tags: &IfMatch,
        record: &Record,
        snapshot: Snapshot,
    ) -> Result<Snapshot, CommitError> {
        if tags.is_any() {
            return Ok(snapshot);
        }
        let snapshot =
            self.load_to_render(std::slice::from_ref(record), snapshot, Depth::TopLevel, Consistency::Strong).await?;
        if snapshot.torn(record, Depth::TopLevel) {
            return Err(CommitError::Again);
        }
        if plan::embedded(record, &snapshot, Depth::TopLevel).len() > MOST_EMBEDDED {
            return Err(Error::too_many_embedded(MOST_EMBEDDED).into());
        }
        let tag: ETag = Self::tag(record, &snapshot)?.parse().map_err(|_| Error::fault())?;
        if tags.precondition_passes(&tag) { Ok(snapshot) } else { Err(Error::outdated().into()) }
    }

    /// Commits a unit of work together with the record of what it leaves to be deleted, and deletes that.
    pub(super) async fn commit_leaving(
        &self,
        mut write_set: WriteSet,
        left: Tombstone,
    ) -> Result<Option<PendingDeletion>, CommitError> {
        let Some((pk, tombstone)) = write_set.leave(left, self.store.next_id(self.now), self.now)? else {
            self.store.commit(&write_set).await?;
            return Ok(None);
        };
        self.store.commit(&write_set).await?;
        // From here on the request has taken effect: what fails is carried on by the upkeep.
        let pending = PendingDeletion { pk, since: self.now, tombstone };
        let cleared = timeout(LONGEST_CLEARING, self.store.clear(&pending.tombstone)).await;
        if matches!(cleared, Ok(Ok(()))) && pending.tombstone.parent.is_none() {
            let _ = self.store.remove_tombstone(&pending).await;
        }
        Ok(Some(pending))
    }
}

/// Whether a change moves the record, or lets it be kept, or makes it larger there: then its holder decides, too.
fn must_know_holder(before: &Record, draft: &Draft) -> bool {
    let Some(relation) = &before.key.resource.belongs_to else { return false };
    let moves = [Some(relation.by.name), relation.while_unset.map(|attribute| attribute.name)];
    let is_counted = matches!(relation.on_parent, OnParent::Many { .. });
    let grows = draft.values.values().any(|value| matches!(value, Some(Value::Text(_))));
    moves.into_iter().flatten().any(|field| draft.values.contains_key(field)) || (is_counted && grows)
}
