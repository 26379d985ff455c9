//! What must be done with nobody asking: deletions that were cut off, and images without a record.
//!
//! Runs on a schedule. Every step may run twice, or at the same time as a request that does the same.

use std::time::Instant;

use serde::Serialize;
use time::Duration;

use crate::error::{Error, Result};
use crate::execute::Execution;
use crate::plan::ReadSet;
use crate::schema::{Record, Timestamp};
use crate::store::{Consistency, PendingDeletion, Rest, Store, StoredImage, Sweep, in_parallel};

/// How long after a deletion its records may still be missing from an index: the tombstone of a user stays
/// until an inspection later than this has found nothing.
const INDEX_LAG: Duration = Duration::seconds(30);
/// How long an upload may wait for its record: longer than any request lives.
const UPLOAD_GRACE: Duration = Duration::minutes(1);
/// How often the bucket is listed, and how far behind a sweep may be before a person should look at it.
const SWEEP_EVERY: Duration = Duration::hours(1);
const SWEEP_BEHIND: Duration = Duration::hours(6);
/// So many images without a record, or a tenth of those that are looked at, are plausible in one sweep: more look like a
/// table that was restored or replaced.
const PLAUSIBLE: usize = 20;
/// A deletion that is not complete after this needs a person to look at it.
const OVERDUE: Duration = Duration::minutes(15);

/// What one run did.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// Deletions that are complete now.
    pub deletions_completed: usize,
    /// Deletions that the next run looks at again.
    pub deletions_left: usize,
    /// Of these, those that a person should look at.
    pub deletions_overdue: usize,
    /// Images that had no record.
    pub images_removed: usize,
}

/// Carries on every deletion, and sweeps the images that were uploaded since the last run.
///
/// # Errors
/// When a store fails; the next run does what this one did not.
pub async fn run(store: &Store, now: Timestamp, deadline: Instant) -> Result<Report> {
    let execution = Execution { store: store.for_request(), now, base: String::new(), caller: String::new() };
    let mut report = Report::default();
    for pending in execution.store.pending().await? {
        let done = carry_on(&execution, &pending, deadline).await.unwrap_or_else(|error| {
            // One that fails must not keep the others from being done.
            tracing::error!(%error, pk = pending.pk, "a deletion cannot be carried on");
            false
        });
        if done {
            report.deletions_completed += 1;
        } else {
            report.deletions_left += 1;
            report.deletions_overdue += usize::from(pending.since.shifted(OVERDUE) < Some(execution.now));
        }
    }
    if report.deletions_overdue > 0 {
        // A metric, by a filter of the log: to fail would only have the platform call again, at once.
        tracing::error!(overdue_deletions = report.deletions_overdue, "deletions are overdue");
    }
    report.images_removed = sweep(&execution, deadline).await?;
    tracing::info!(?report, "upkeep");
    Ok(report)
}

/// Carries on one deletion. Answers whether its tombstone is gone, too.
async fn carry_on(execution: &Execution, pending: &PendingDeletion, deadline: Instant) -> Result<bool> {
    if Instant::now() > deadline {
        return Ok(false);
    }
    execution.store.clear(&pending.tombstone).await?;
    let done = execution.finish(pending, deadline).await;
    let settled = pending.tombstone.parent.is_none() || pending.since.shifted(INDEX_LAG) < Some(execution.now);
    if done && settled {
        execution.store.remove_tombstone(pending).await?;
    }
    Ok(done && settled)
}

/// Looks once at each image after its upload, and removes it if no record has it. A sweep lists the whole bucket, so it runs
/// at most once in [`SWEEP_EVERY`]; one that has no time left goes on with the next run.
///
/// If nothing is known of a sweep before, it starts now: older images may belong to another table.
async fn sweep(execution: &Execution, deadline: Instant) -> Result<usize> {
    let store = &execution.store;
    let Some(young) = execution.now.shifted(-UPLOAD_GRACE) else { return Ok(0) };
    let Some(Sweep { swept_to, rest }) = store.sweep().await? else {
        return store.set_sweep(&Sweep::to(execution.now)).await.map(|()| 0);
    };
    if swept_to.shifted(SWEEP_BEHIND) < Some(execution.now) {
        // A metric, by a filter of the log.
        tracing::error!(sweeps_behind = 1, swept_to = %swept_to, "the sweep of images is behind");
    }
    let (until, mut after) = match rest {
        Some(rest) => (rest.until, Some(rest.after)),
        None if swept_to.shifted(SWEEP_EVERY) <= Some(young) => (young, None),
        None => return Ok(0),
    };
    let (mut more, mut looked_at, mut unused) = (true, 0, Vec::new());
    while more && Instant::now() < deadline {
        let (page, is_more) = store.images_after(after.as_deref()).await?;
        more = is_more;
        after = page.last().map(|image| image.name.clone()).or(after);
        let due = page.into_iter().filter(|image| swept_to <= image.uploaded_at && image.uploaded_at < until);
        let due: Vec<_> = due.collect();
        looked_at += due.len();
        unused.extend(orphans(store, &due).await?);
    }
    // Names are random: what is suspicious in all may be little in each page of the bucket.
    let images = unused.len();
    if images > PLAUSIBLE.max(looked_at / 10) {
        tracing::error!(images, looked_at, suspicious_sweeps = 1, "so many images have no record that none is removed");
        return Err(Error::unavailable());
    }
    store.delete_images(&unused).await?;
    match after {
        Some(after) if more => store.set_sweep(&Sweep { swept_to, rest: Some(Rest { until, after }) }).await?,
        // There was no time to begin.
        None if more => {}
        _ => store.set_sweep(&Sweep::to(until)).await?,
    }
    Ok(images)
}

/// The names that no record has.
async fn orphans(store: &Store, images: &[StoredImage]) -> Result<Vec<String>> {
    let of = images
        .iter()
        .map(|image| async move { Ok::<_, Error>((image.name.clone(), store.record_of_image(&image.name).await?)) });
    // What was uploaded by others is theirs.
    let ours: Vec<_> = in_parallel(of).await?.into_iter().filter_map(|(name, record)| Some((name, record?))).collect();
    let records = ours.iter().map(|(_, record)| *record).collect();
    let loaded = store.load(&ReadSet { records, ..ReadSet::default() }, Consistency::Strong).await?;
    let is_in_use = |name: &str| loaded.records.values().flat_map(images_of).any(|used| used == name);
    Ok(ours.into_iter().map(|(name, _)| name).filter(|name| !is_in_use(name)).collect())
}

/// The names of a record's images.
fn images_of(record: &Record) -> impl Iterator<Item = &str> {
    let images = record.key.resource.fields.iter().filter(|field| field.is_image());
    images.filter_map(|field| record.text(field.name))
}
