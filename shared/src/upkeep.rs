//! What must be done with nobody asking: deletions that were cut off, and images without a record.
//!
//! Runs on a schedule. Every step may run twice, or at the same time as a request that does the same.

use std::collections::BTreeSet;
use std::time::Instant;

use serde::Serialize;
use time::Duration;

use crate::error::{Error, Result};
use crate::execute::Execution;
use crate::ids;
use crate::record::Record;
use crate::resource::Kind;
use crate::store::{Consistency, Pending, Store, StoredImage};
use crate::value::Timestamp;

/// How long after a deletion its records may still be missing from an index: the tombstone of a user stays
/// until an inspection later than this has found nothing.
const INDEX_LAG: Duration = Duration::seconds(30);
/// How long an upload may wait for its record: longer than any request lives.
const UPLOAD_GRACE: Duration = Duration::minutes(1);

/// A deletion that is not complete after this needs a person to look at it.
const OVERDUE: Duration = Duration::minutes(15);

/// What one run did.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// Deletions that are complete now.
    pub deletions_completed: usize,
    /// Deletions that the next run looks at again.
    pub deletions_left: usize,
    /// Images that had no record.
    pub images_removed: usize,
}

/// Carries on every deletion, and sweeps the images that were uploaded since the last run.
///
/// # Errors
/// When a store fails, or a deletion is overdue; the next run does what this one did not.
pub async fn run(store: &Store, deadline: Instant) -> Result<Report> {
    let execution = Execution { store: store.for_request(), now: Timestamp::now() };
    let mut report = Report::default();
    let mut overdue = false;
    for pending in execution.store.pending().await? {
        match carry_on(&execution, &pending, deadline).await {
            Ok(true) => report.deletions_completed += 1,
            Ok(false) => {
                report.deletions_left += 1;
                overdue |= pending.since.shifted(OVERDUE) < Some(execution.now);
            }
            Err(error) => {
                // One that fails must not keep the others from being done.
                tracing::error!(%error, pk = pending.pk, "a deletion cannot be carried on");
                report.deletions_left += 1;
                overdue |= pending.since.shifted(OVERDUE) < Some(execution.now);
            }
        }
    }
    report.images_removed = sweep(&execution, deadline).await?;
    tracing::info!(?report, "upkeep");
    if overdue {
        tracing::error!("a deletion is overdue");
        return Err(Error::unavailable());
    }
    Ok(report)
}

/// Carries on one deletion. Answers whether its tombstone is gone, too.
async fn carry_on(execution: &Execution, pending: &Pending, deadline: Instant) -> Result<bool> {
    if Instant::now() > deadline {
        return Ok(false);
    }
    execution.store.clear(&pending.tombstone).await?;
    let done = execution.finish(pending, deadline).await;
    let settled = pending.tombstone.holder.is_none() || pending.since.shifted(INDEX_LAG) < Some(execution.now);
    if done && settled {
        execution.store.remove_tombstone(pending).await?;
    }
    Ok(done && settled)
}

/// Looks once at each image, some time after its upload, and removes it if no record has it.
async fn sweep(execution: &Execution, deadline: Instant) -> Result<usize> {
    let store = &execution.store;
    let young = execution.now.shifted(-UPLOAD_GRACE).map(|time| StoredImage::prefix(ids::first_at(time)));
    let mut swept_to = store.swept_to().await?;
    let mut removed = 0;
    while Instant::now() < deadline {
        let mut keys = store.images_after(swept_to.clone()).await?;
        keys.retain(|key| Some(key) < young.as_ref());
        let Some(last) = keys.last().cloned() else { break };
        let orphans = orphans(store, keys).await?;
        store.delete_images(&orphans).await?;
        removed += orphans.len();
        store.set_swept_to(&last).await?;
        swept_to = Some(last);
    }
    Ok(removed)
}

/// The keys that no record has.
async fn orphans(store: &Store, keys: Vec<String>) -> Result<Vec<String>> {
    let images = keys.iter().filter_map(|key| StoredImage::parse(key));
    let records = store.get_all(images.map(|image| image.record), Consistency::Strong).await?;
    let in_use: BTreeSet<_> = records.values().flat_map(images_of).collect();
    let ours = |key: &String| StoredImage::parse(key).is_some();
    Ok(keys.into_iter().filter(|key| ours(key) && !in_use.contains(key.as_str())).collect())
}

/// The keys of a record's images.
fn images_of(record: &Record) -> impl Iterator<Item = &str> {
    let images = record.key.resource.fields.iter().filter(|field| matches!(field.kind, Kind::Image));
    images.filter_map(|field| record.text(field.name))
}
