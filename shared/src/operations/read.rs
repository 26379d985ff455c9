//! GET of one record with all embedded records, as a consistent snapshot.

pub(super) mod render;

use headers::IfNoneMatch;
use serde_json::json;

use self::render::write_response_depth;
use super::Execution;
use super::resolver::ResolvedPath;
use crate::error::{Error, Result};
use crate::request::Path;
use crate::response::{Response, if_none_match_matches};
use crate::schema::{Depth, Key};
use crate::store::Consistency;
use crate::table::ReadSet;

/// Maximum number of attempts to read a consistent snapshot of a record and its embedded records.
pub(super) const READ_ATTEMPTS: u32 = 6;

impl Execution {
    /// Executes GET of one record or value.
    pub(super) async fn read(&self, path: &Path, if_none_match: Option<&IfNoneMatch>) -> Result<Response> {
        for _ in 0..READ_ATTEMPTS {
            let target = self.resolve(path).await?;
            let (record, snapshot) = self.read_target(&target, ReadSet::with_state).await?;
            if let ResolvedPath::Sum { field, .. } = target {
                let sum = snapshot.states.get(&record.key).map_or(0, |state| state.sum(field));
                return Ok(Response::json(&json!({ field: sum })));
            }
            let snapshot = self
                .store
                .load_to_render(std::slice::from_ref(&record), snapshot, Depth::TopLevel, Consistency::Strong)
                .await?;
            if !snapshot.is_inconsistent(&record, Depth::TopLevel) {
                let (rendered, etag) = self.render_tagged(&record, &snapshot, Depth::TopLevel)?;
                return Ok(if if_none_match_matches(if_none_match, &etag) {
                    Response::not_modified(etag)
                } else {
                    Response::record(rendered).with_etag(etag)
                });
            }
        }
        Err(Error::unavailable())
    }

    /// Reads a record, and renders it like the response to a write.
    pub(super) async fn read_written(&self, key: Key) -> Result<Response> {
        let (record, snapshot) =
            self.read_target(&ResolvedPath::Record { key, bound: None }, ReadSet::with_state).await?;
        let snapshot = self
            .store
            .load_to_render(std::slice::from_ref(&record), snapshot, Depth::TopLevel, Consistency::Strong)
            .await?;
        let (rendered, etag) = self.render_tagged(&record, &snapshot, write_response_depth(record.key.resource))?;
        Ok(Response::record(rendered).with_etag(etag))
    }
}
