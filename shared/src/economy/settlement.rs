//! PATCH of a purchase: fulfils or refunds it.

mod plan;

use self::plan::{Settlement, references};
use crate::error::Result;
use crate::operations::{Attempts, Execution, only_as_rendered};
use crate::request::{IfMatch, Path, UnboundChange};
use crate::resources::purchases::STATUS;
use crate::response::Response;
use crate::schema::{Depth, Record};
use crate::store::Consistency;
use crate::table::{CommitError, Snapshot, WriteSet};

impl Execution {
    /// Execute PATCH of a purchase, which changes only its status.
    pub(super) async fn settle(&self, path: &Path, change: UnboundChange, tags: Option<&IfMatch>) -> Result<Response> {
        let mut attempts = Attempts::default();
        let (mut before, mut snapshot) = self.record_at(path).await?;
        let draft = match change.bind(&before)? {
            Ok(draft) => draft,
            Err(invalid) => return Err(self.invalid_body(invalid).await),
        };
        loop {
            match Box::pin(self.settle_once(&before, snapshot, draft.get(&STATUS), tags)).await {
                Ok(response) => return Ok(response),
                Err(error) => attempts.back_off(error).await?,
            }
            (before, snapshot) = self.record_at(path).await?;
        }
    }

    async fn settle_once(
        &self,
        before: &Record,
        mut snapshot: Snapshot,
        status: Option<&str>,
        tags: Option<&IfMatch>,
    ) -> Result<Response, CommitError> {
        // Before the ETag: it must be that of the records that the write is conditional on.
        snapshot.extend(self.store.load(&references(before), Consistency::Strong).await?);
        if let Some(tags) = tags {
            snapshot = self.check_if_match(tags, before, snapshot).await?;
        }
        let user = before.parent().and_then(|parent| snapshot.records.get(&parent));
        let user = user.ok_or_else(|| before.key.not_found())?;
        let (after, mut write_set) = match status {
            Some(status) => {
                let settlement = Settlement { before, user, status, now: self.now };
                settlement.plan(&snapshot, self.store.next_id(self.now))?
            }
            None => (before.clone(), WriteSet::default()),
        };
        if tags.is_some_and(|tags| !tags.is_any) && !write_set.writes.is_empty() {
            only_as_rendered(before, &snapshot, &mut write_set);
        }
        let response = Response::record(self.rendered(&after, &snapshot, Depth::TopLevel)?);
        let response = response.tagged(Self::tag(&after, &snapshot)?);
        self.store.commit(&write_set).await?;
        Ok(response)
    }
}
