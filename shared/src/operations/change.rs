//! PATCH of one record.

pub(super) mod plan;

use super::driver::{Given, Planned, Preconditions, Shows, Verb};
use super::resolver::ResolvedPath;
use super::{Execution, Response, on_fitting_thread};
use crate::error::Result;
use crate::request::{Draft, IfTag, Path, SentImage, UnboundChange};
use crate::schema::{Depth, OnParent, Record, Resource, Value};
use crate::table::{CommitError, ReadSet, Snapshot, needed_to_render};

/// Change of a record.
struct Change<'a> {
    draft: &'a Draft,
}

impl Verb for Change<'_> {
    fn image(&self) -> Option<(&SentImage, &'static Resource)> {
        Some((self.draft.image.as_ref()?, self.draft.resource))
    }

    fn needs(&self, at: &ResolvedPath, read: &Snapshot) -> ReadSet {
        at.needs_record(read, |before| {
            // The changed record embeds the same records, except for references in the draft. They can be read before
            // the write, and the size limit includes the children.
            let mut moved = before.clone();
            for field in before.key.resource.belongs_to.iter().map(|relation| relation.by.name) {
                if let Some(reference) = self.draft.values.get(field) {
                    moved.put(field, reference.clone());
                }
            }
            let mut reads = needed_to_render(&moved, read, Depth::TopLevel);
            let parent = moved.parent().filter(|_| needs_parent(before, self.draft));
            reads.records.extend(parent.filter(|parent| !read.records.contains_key(parent)));
            reads
        })
    }

    fn plan(&self, at: &ResolvedPath, read: &mut Snapshot, given: &Given<'_>) -> Result<Planned, CommitError> {
        let before = at.record(read)?;
        plan::check_not_anonymized(before, self.draft)?;
        let image = given.upload.map(|upload| upload.name.as_str());
        let plan::Changed { after, write_set, tombstone } = plan::change(before, self.draft, image, read, given.now)?;
        Ok(Planned { write_set, shows: Shows::Record(after), tombstone })
    }
}

impl Execution {
    /// Execute PATCH.
    pub(super) async fn change(&self, path: &Path, change: UnboundChange, tags: Option<&IfTag>) -> Result<Response> {
        let (known, draft) = self.bind(path, change).await?;
        let preconditions = Preconditions { tags, keyed: None };
        Ok(self.drive_from(Some(known), path, &Change { draft: &draft }, &preconditions).await?.response)
    }

    /// Read the record of a PATCH, and parse the body by the record's fields. Also returns the path and the reads.
    ///
    /// # Errors
    /// 404 if the record does not exist, 422 for an invalid body.
    pub(crate) async fn bind(&self, path: &Path, change: UnboundChange) -> Result<((ResolvedPath, Snapshot), Draft)> {
        let at = self.resolve(path).await?;
        let (record, read) = self.at(&at, ReadSet::with_state).await?;
        match on_fitting_thread(change.size(), move || change.bind(&record)).await? {
            Ok(draft) => Ok(((at, read), draft)),
            Err(invalid) => Err(self.invalid_body(invalid).await),
        }
    }
}

/// Returns true if the change may move the record, change whether it is active, or increase the parent's byte count.
fn needs_parent(before: &Record, draft: &Draft) -> bool {
    let Some(relation) = &before.key.resource.belongs_to else { return false };
    let membership_fields = [Some(relation.by.name), relation.while_unset.map(|attribute| attribute.name)];
    let is_counted = matches!(relation.on_parent, OnParent::Many { .. });
    let grows = draft.values.values().any(|value| matches!(value, Some(Value::Text(_) | Value::Object(_))));
    membership_fields.into_iter().flatten().any(|field| draft.values.contains_key(field)) || (is_counted && grows)
}
