//! Reads of one record with all embedded records, consistent at one moment.

pub(super) mod render;

use headers::IfNoneMatch;
use serde_json::json;

use self::render::written_depth;
use super::resolver::ResolvedPath;
use super::{Execution, etag_of};
use crate::error::{Error, Result};
use crate::request::Path;
use crate::response::{Response, if_none_match_matches};
use crate::schema::{Depth, Record};
use crate::store::Consistency;
use crate::table::{self, ReadSet, Snapshot};

/// Number of attempts to read a record and its embedded records at one moment.
pub(super) const READ_ATTEMPTS: u32 = 6;

impl Execution {
    /// Execute GET of one record or value.
    pub(super) async fn read(&self, path: &Path, if_none_match: Option<&IfNoneMatch>) -> Result<Response> {
        for _ in 0..READ_ATTEMPTS {
            let target = self.resolve(path).await?;
            let (record, snapshot) = self.at(&target, true).await?;
            if let ResolvedPath::Sum { field, .. } = target {
                let sum = snapshot.states.get(&record.key).map_or(0, |state| state.sum(field));
                return Ok(Response::json(&json!({ field: sum })));
            }
            let snapshot = self
                .load_to_render(std::slice::from_ref(&record), snapshot, Depth::TopLevel, Consistency::Strong)
                .await?;
            if !snapshot.torn(&record, Depth::TopLevel) {
                let response = Response::record(self.rendered(&record, &snapshot, Depth::TopLevel)?);
                // Only image URLs depend on the host.
                let has_url = response.body.contains(&self.base);
                let etag = if has_url { Self::tag(&record, &snapshot)? } else { etag_of(&response.body) };
                return Ok(if if_none_match_matches(if_none_match, &etag) {
                    Response::not_modified(etag)
                } else {
                    response.tagged(etag)
                });
            }
        }
        Err(Error::unavailable())
    }

    /// Render the record at the end of a path as the response to a write does.
    pub(super) async fn read_written(&self, path: &Path) -> Result<Response> {
        let (record, snapshot) = self.at(&self.resolve(path).await?, true).await?;
        let snapshot =
            self.load_to_render(std::slice::from_ref(&record), snapshot, Depth::TopLevel, Consistency::Strong).await?;
        let response = Response::record(self.rendered(&record, &snapshot, written_depth(record.key.resource))?);
        Ok(response.tagged(Self::tag(&record, &snapshot)?))
    }

    /// Render a record. The snapshot must contain everything that the response renders.
    pub(crate) fn rendered(&self, record: &Record, snapshot: &Snapshot, depth: Depth) -> Result<String> {
        render::render(record, snapshot, depth, &self.base).ok_or_else(|| record.key.not_found())
    }

    /// Compute the ETag of a record. The snapshot must contain everything that GET renders. The ETag covers image URLs
    /// without the host, because a record has the same ETag at each address of the service.
    pub(crate) fn tag(record: &Record, snapshot: &Snapshot) -> Result<String> {
        let rendered = render::render(record, snapshot, Depth::TopLevel, "").ok_or_else(|| record.key.not_found())?;
        Ok(etag_of(&rendered))
    }

    /// Read everything that is embedded in records, round by round.
    pub(crate) async fn load_to_render(
        &self,
        records: &[Record],
        snapshot: Snapshot,
        depth: Depth,
        consistency: Consistency,
    ) -> Result<Snapshot> {
        let needed = |snapshot: &Snapshot| {
            records.iter().map(|record| table::needed_to_render(record, snapshot, depth)).collect::<ReadSet>()
        };
        self.load_rounds(snapshot, consistency, needed).await
    }

    /// Load in rounds. Each round reads what `needed` returns for the snapshot so far, until that is nothing new. An
    /// absent item is requested once.
    pub(super) async fn load_rounds(
        &self,
        mut snapshot: Snapshot,
        consistency: Consistency,
        needed: impl Fn(&Snapshot) -> ReadSet,
    ) -> Result<Snapshot> {
        let mut requested = ReadSet::default();
        loop {
            let read_set = needed(&snapshot).without(&requested);
            if read_set.is_empty() {
                return Ok(snapshot);
            }
            snapshot.extend(self.store.load(&read_set, consistency).await?);
            requested.extend(read_set);
        }
    }
}
