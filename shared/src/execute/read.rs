//! Showing one record, with everything embedded in it, as all of it was at one moment.

use headers::IfNoneMatch;
use serde_json::{Value as Json, json};

use super::resolve::Place;
use super::{Execution, Reply, is_known, tag_of};
use crate::error::{Error, Result};
use crate::plan::{self, Loaded, Wanted};
use crate::request::Path;
use crate::schema::Record;
use crate::store::Consistency;

/// How often a record is read again whose parts were read at different moments.
pub(super) const READS: u32 = 6;

impl Execution {
    /// GET of one record or value.
    pub(super) async fn read(&self, path: &Path, known: Option<&IfNoneMatch>) -> Result<Reply> {
        for _ in 0..READS {
            let place = self.resolve(path).await?;
            let (record, loaded) = self.at(&place, true).await?;
            if let Place::Sum { field, .. } = place {
                let sum = loaded.states.get(&record.key).map_or(0, |state| state.sum(field));
                return Ok(Reply::json(&json!({ field: sum })));
            }
            let loaded = self.load_to_show(std::slice::from_ref(&record), loaded, true, Consistency::Strong).await?;
            if !loaded.torn(&record, true) {
                let reply = Reply::json(&self.shown(&record, &loaded, true)?);
                // Only a URL of an image depends on the host.
                let has_url = reply.body.contains(&self.base);
                let etag = if has_url { Self::tag(&record, &loaded)? } else { tag_of(&reply.body) };
                return Ok(if is_known(known, &etag) { Reply::not_modified(etag) } else { reply.tagged(etag) });
            }
        }
        Err(Error::unavailable())
    }

    /// A record as a response, when all of it is read.
    pub(super) fn shown(&self, record: &Record, loaded: &Loaded, alone: bool) -> Result<Json> {
        plan::show(record, loaded, alone, &self.base).ok_or_else(|| Error::absent(record.key))
    }

    /// Returns the tag of a record, when all that a GET shows of it is read. It does not depend on the host by whose name
    /// the service was asked: image URLs count without it.
    pub(super) fn tag(record: &Record, loaded: &Loaded) -> Result<String> {
        let shown = plan::show(record, loaded, true, "").ok_or_else(|| Error::absent(record.key))?;
        Ok(tag_of(&shown.to_string()))
    }

    /// Reads everything that is embedded in records, round by round.
    pub(super) async fn load_to_show(
        &self,
        records: &[Record],
        loaded: Loaded,
        alone: bool,
        consistency: Consistency,
    ) -> Result<Loaded> {
        let needed = |loaded: &Loaded| {
            records.iter().map(|record| plan::needed_to_show(record, loaded, alone)).collect::<Wanted>()
        };
        self.load_rounds(loaded, consistency, needed).await
    }

    /// Reads what is needed in view of what is read, until that is nothing more. What is not there is asked for once.
    pub(super) async fn load_rounds(
        &self,
        mut loaded: Loaded,
        consistency: Consistency,
        needed: impl Fn(&Loaded) -> Wanted,
    ) -> Result<Loaded> {
        let mut asked = Wanted::default();
        loop {
            let wanted = needed(&loaded).without(&asked);
            if wanted.is_empty() {
                return Ok(loaded);
            }
            loaded.extend(self.store.load(&wanted, consistency).await?);
            asked.extend(wanted);
        }
    }
}
