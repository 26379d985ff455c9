//! Deleting a record and what belongs to it: the record of the intended deletion first, the rest after.

use std::time::{Duration, Instant};

use headers::IfMatch;
use tokio::time::timeout;

use super::resolve::Place;
use super::{Attempts, Execution, Reply};
use crate::error::Result;
use crate::plan::{self, Loaded, Refusal, children_of, needed_to_remove};
use crate::request::Path;
use crate::resources::{self, Child};
use crate::schema::{Key, Record};
use crate::store::{Consistency, Pending, Walk, in_parallel};

/// How long a request goes on deleting before it answers; the upkeep carries on after that.
const LONGEST_CASCADE: Duration = Duration::from_secs(18);
const PAGE: usize = 800;

impl Execution {
    /// DELETE.
    pub(super) async fn delete(&self, path: &Path, tags: Option<&IfMatch>) -> Result<Reply> {
        let deadline = Instant::now() + LONGEST_CASCADE;
        let mut attempts = Attempts::default();
        loop {
            let place = self.resolve(path).await?;
            match self.delete_once(&place, tags).await {
                Ok((shown, pending)) => {
                    if let Some(pending) = pending {
                        // It has taken effect: what takes too long is the upkeep's.
                        let left = deadline.saturating_duration_since(Instant::now());
                        let _ = timeout(left, self.finish(&pending, deadline)).await;
                    }
                    return Ok(shown);
                }
                Err(refusal) => attempts.again(refusal).await?,
            }
        }
    }

    async fn delete_once(&self, place: &Place, tags: Option<&IfMatch>) -> Result<(Reply, Option<Pending>), Refusal> {
        let (record, mut loaded) = self.at(place, true).await?;
        if let Some(tags) = tags {
            loaded = self.must_have(tags, &record, loaded).await?;
        }
        let loaded = self.load_to_show(std::slice::from_ref(&record), loaded, true, Consistency::Strong).await?;
        if loaded.torn_text(&record) {
            return Err(Refusal::Again);
        }
        let shown = self.shown(&record, &loaded, true)?;
        let pending = self.remove(&record, loaded, true, tags.is_some_and(|tags| !tags.is_any())).await?;
        Ok((Reply::json(&shown), pending))
    }

    /// Removes a record with all that it knows to belong to it; `leaves` unless its holder is gone; `as_shown` only if
    /// everything that it shows is as it was read.
    async fn remove(
        &self,
        record: &Record,
        loaded: Loaded,
        leaves: bool,
        as_shown: bool,
    ) -> Result<Option<Pending>, Refusal> {
        let loaded = self.load_rounds(loaded, Consistency::Strong, |loaded| needed_to_remove(record, loaded)).await?;
        let mut removal = plan::remove(record, &loaded, leaves, self.now);
        if as_shown {
            plan::only_as_shown(record, &loaded, &mut removal.work);
        }
        self.commit_leaving(removal.work, removal.left).await
    }

    /// Goes on with a deletion that has taken effect. Answers whether nothing is left that an index shows.
    pub async fn finish(&self, pending: &Pending, deadline: Instant) -> bool {
        let Some(holder) = pending.tombstone.holder.as_deref().and_then(resources::key) else { return true };
        let mut done = true;
        for child in resources::children(holder.resource) {
            match self.remove_children(*child, holder, deadline).await {
                Ok(all) => done &= all,
                Err(refusal) => {
                    tracing::warn!(?refusal, "a deletion was cut off: the upkeep carries it on");
                    done = false;
                }
            }
        }
        done
    }

    /// Removes the records of a resource that belong to a holder, in one pass over their index.
    async fn remove_children(&self, child: Child, holder: Key, deadline: Instant) -> Result<bool, Refusal> {
        let mut walk = Walk::new(children_of(holder, child), self.store.shards());
        loop {
            let page = walk.next(&self.store, PAGE).await?;
            if page.is_empty() {
                return Ok(true);
            }
            if Instant::now() > deadline {
                return Ok(false);
            }
            // What the index says may be outdated: each removal is conditional on what it says, and where that
            // fails the record itself is asked.
            in_parallel(page.iter().map(|record| self.remove_seen(record, holder))).await?;
        }
    }

    async fn remove_seen(&self, record: &Record, holder: Key) -> Result<(), Refusal> {
        match plan::remove_seen(record) {
            Some(removal) => match self.store.commit(&removal.work).await {
                Err(Refusal::Again) => self.remove_child(record.key, holder).await,
                committed => committed,
            },
            None => self.remove_child(record.key, holder).await,
        }
    }

    /// Removes a record if it is there and still belongs to the holder.
    async fn remove_child(&self, key: Key, holder: Key) -> Result<(), Refusal> {
        let mut attempts = Attempts::default();
        while let Some(record) = self.store.get(key).await? {
            if record.holder() != Some(holder) {
                break;
            }
            match self.remove(&record, Loaded::default(), false, false).await {
                Ok(_) => break,
                Err(refusal) => attempts.again(refusal).await?,
            }
        }
        Ok(())
    }
}
