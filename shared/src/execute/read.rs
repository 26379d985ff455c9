//! Showing one record, with everything embedded in it, as all of it was at one moment.

use headers::IfNoneMatch;
use serde_json::{Value as Json, json};

use super::resolve::Place;
use super::{Execution, Reply, is_known, tag_of};
use crate::error::{Error, Result};
use crate::plan::{self, ReadSet, Snapshot};
use crate::request::Path;
use crate::schema::{Depth, Record};
use crate::store::Consistency;

/// How often a record is read again whose parts were read at different moments.
pub(super) const READS: u32 = 6;

impl Execution {
    /// GET of one record or value.
    pub(super) async fn read(&self, path: &Path, known: Option<&IfNoneMatch>) -> Result<Reply> {
        for _ in 0..READS {
            let position = self.resolve(path).await?;
            let (record, snapshot) = self.at(&position, true).await?;
            if let Place::Sum { field, .. } = position {
                let sum = snapshot.states.get(&record.key).map_or(0, |state| state.sum(field));
                return Ok(Reply::json(&json!({ field: sum })));
            }
            let snapshot = self
                .load_to_render(std::slice::from_ref(&record), snapshot, Depth::TopLevel, Consistency::Strong)
                .await?;
            if !snapshot.torn(&record, Depth::TopLevel) {
                let reply = Reply::json(&self.rendered(&record, &snapshot, Depth::TopLevel)?);
                // Only a URL of an image depends on the host.
                let has_url = reply.body.contains(&self.base);
                let etag = if has_url { Self::tag(&record, &snapshot)? } else { tag_of(&reply.body) };
                return Ok(if is_known(known, &etag) { Reply::not_modified(etag) } else { reply.tagged(etag) });
            }
        }
        Err(Error::unavailable())
    }

    /// A record as a response, when all of it is read.
    pub(super) fn rendered(&self, record: &Record, snapshot: &Snapshot, depth: Depth) -> Result<Json> {
        plan::render(record, snapshot, depth, &self.base).ok_or_else(|| Error::absent(record.key))
    }

    /// Returns the tag of a record, when all that a GET shows of it is read. It does not depend on the host by whose name
    /// the service was asked: image URLs count without it.
    pub(super) fn tag(record: &Record, snapshot: &Snapshot) -> Result<String> {
        let rendered = plan::render(record, snapshot, Depth::TopLevel, "").ok_or_else(|| Error::absent(record.key))?;
        Ok(tag_of(&rendered.to_string()))
    }

    /// Reads everything that is embedded in records, round by round.
    pub(super) async fn load_to_render(
        &self,
        records: &[Record],
        snapshot: Snapshot,
        depth: Depth,
        consistency: Consistency,
    ) -> Result<Snapshot> {
        let needed = |snapshot: &Snapshot| {
            records.iter().map(|record| plan::needed_to_render(record, snapshot, depth)).collect::<ReadSet>()
        };
        self.load_rounds(snapshot, consistency, needed).await
    }

    /// Reads what is needed in view of what is read, until that is nothing more. What is not there is asked for once.
    pub(super) async fn load_rounds(
        &self,
        mut snapshot: Snapshot,
        consistency: Consistency,
        needed: impl Fn(&Snapshot) -> ReadSet,
    ) -> Result<Snapshot> {
        let mut asked = ReadSet::default();
        loop {
            let read_set = needed(&snapshot).without(&asked);
            if read_set.is_empty() {
                return Ok(snapshot);
            }
            snapshot.extend(self.store.load(&read_set, consistency).await?);
            asked.extend(read_set);
        }
    }
}
