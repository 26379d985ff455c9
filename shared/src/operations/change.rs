//! PATCH of one record.

pub(super) mod plan;

use super::driver::{Plan, PlanContext, Preconditions, ResponseContent, Verb};
use super::resolver::ResolvedPath;
use super::{Execution, Response, run_blocking_if_large};
use crate::error::Result;
use crate::request::{Draft, EtagPreconditions, Path, SentImage, UnboundChange};
use crate::schema::{Depth, ParentData, Record, Resource, Value};
use crate::table::{CommitError, ReadSet, Snapshot, reads_to_render};

/// Change of a record.
struct Change<'a> {
    draft: &'a Draft,
}

impl Verb for Change<'_> {
    fn image(&self) -> Option<(&SentImage, &'static Resource)> {
        Some((self.draft.image.as_ref()?, self.draft.resource))
    }

    fn reads(&self, target: &ResolvedPath, read: &Snapshot) -> ReadSet {
        target.reads_for_record(read, |before| {
            // The changed record embeds the same records, except for references in the draft. They can be read before
            // the write, and the size limit includes the children.
            let mut moved = before.clone();
            for field in before.key.resource.belongs_to.iter().map(|relation| relation.foreign_key.name) {
                if let Some(reference) = self.draft.values.get(field) {
                    moved.put(field, reference.clone());
                }
            }
            let mut reads = reads_to_render(&moved, read, Depth::TopLevel);
            let parent = moved.parent().filter(|_| needs_parent(before, self.draft));
            reads.records.extend(parent.filter(|parent| !read.records.contains_key(parent)));
            reads
        })
    }

    fn plan(&self, target: &ResolvedPath, read: &mut Snapshot, context: &PlanContext<'_>) -> Result<Plan, CommitError> {
        let before = target.record(read)?;
        plan::check_not_anonymized(before, self.draft)?;
        let image = context.upload.map(|upload| upload.name.as_str());
        let plan::ChangePlan { after, write_set, tombstone } =
            plan::change(before, self.draft, image, read, context.now)?;
        Ok(Plan { write_set, content: ResponseContent::Record(after), tombstone })
    }
}

impl Execution {
    /// Executes PATCH.
    pub(super) async fn change(
        &self,
        path: &Path,
        change: UnboundChange,
        tags: Option<&EtagPreconditions>,
    ) -> Result<Response> {
        let (prefetched, draft) = self.bind(path, change).await?;
        let preconditions = Preconditions { tags, idempotent_request: None };
        Ok(self.execute_from(Some(prefetched), path, &Change { draft: &draft }, &preconditions).await?.response)
    }

    /// Reads the record of a PATCH, and parses the body by the record's fields. Also returns the path and the reads.
    ///
    /// # Errors
    /// 404 if the record does not exist, 422 for an invalid body.
    pub(crate) async fn bind(&self, path: &Path, change: UnboundChange) -> Result<((ResolvedPath, Snapshot), Draft)> {
        let target = self.resolve(path).await?;
        let (record, read) = self.read_target(&target, ReadSet::with_state).await?;
        match run_blocking_if_large(change.size(), move || change.bind(&record)).await? {
            Ok(draft) => Ok(((target, read), draft)),
            Err(invalid) => Err(self.invalid_body(invalid).await),
        }
    }
}

/// Returns true if the change may move the record, change whether it is active, or increase the parent's byte count.
fn needs_parent(before: &Record, draft: &Draft) -> bool {
    let Some(relation) = &before.key.resource.belongs_to else { return false };
    let membership_fields = [Some(relation.foreign_key.name), relation.while_unset.map(|attribute| attribute.name)];
    let is_counted = matches!(relation.parent_data, ParentData::Many { .. });
    let grows = draft.values.values().any(|value| matches!(value, Some(Value::Text(_) | Value::Object(_))));
    membership_fields.into_iter().flatten().any(|field| draft.values.contains_key(field)) || (is_counted && grows)
}
