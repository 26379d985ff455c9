//! Scheduled maintenance: completes deletions, expires texts, deletes images without a record, refreshes statistics.
//!
//! Every step may safely run twice, or at the same time as a request that does the same.

use std::time::Instant;

use serde::Serialize;
use time::Duration;

use crate::error::{Error, Result};
use crate::operations::Execution;
use crate::schema::{Record, Timestamp};
use crate::statistics::{LEASE, RefreshReport};
use crate::store::{Checkpoint, Consistency, Store, StoredImage, SweepCursor, SweepProgress, in_parallel};
use crate::table::ReadSet;

/// Time that an upload may wait for its record. Longer than any request takes.
const UPLOAD_GRACE: Duration = Duration::minutes(1);
/// Minimum interval between two listings of the bucket.
const SWEEP_EVERY: Duration = Duration::hours(1);
/// Lease of a sweep. No run takes longer.
const SWEEP_LEASE: Duration = Duration::minutes(5);
/// Delay of the sweep at which an operator has to investigate.
const SWEEP_BEHIND: Duration = Duration::hours(6);
/// Number of images without a record that is plausible in one sweep. A tenth of the inspected images is also plausible.
/// More than both suggests that the table was restored or replaced.
const PLAUSIBLE: usize = 20;
/// Delay of the statistics at which an operator has to investigate.
const STATISTICS_BEHIND: Duration = Duration::minutes(15);
/// Age at which an operator has to investigate an incomplete deletion.
const OVERDUE: Duration = Duration::minutes(15);

/// The results of one run.
#[derive(Debug, Default, Serialize)]
pub struct UpkeepReport {
    /// Deletions that this run completed.
    pub deletions_completed: usize,
    /// Incomplete deletions, which the next run continues.
    pub deletions_left: usize,
    /// Incomplete deletions that an operator has to investigate.
    pub deletions_overdue: usize,
    /// Records with texts that this run removed because of their age.
    pub texts_expired: usize,
    /// Images that were deleted for lack of a record.
    pub images_removed: usize,
}

/// Runs all scheduled work. A failure of one part does not stop the others.
///
/// # Errors
/// The first error. The next run does the rest.
pub async fn run_scheduled(store: &Store, now: Timestamp, deadline: Instant) -> Result<UpkeepReport> {
    let (report, refreshed) = tokio::join!(run(store, now, deadline), refresh_or_take_over(store, now, deadline));
    refreshed?;
    report
}

/// Refreshes the statistics. If another refresh holds the lease, its process may have died. Waits until the lease
/// expires, which a live process would renew, and tries again.
async fn refresh_or_take_over(store: &Store, now: Timestamp, deadline: Instant) -> Result<RefreshReport> {
    let refreshed = refresh(store, now, deadline).await?;
    let later = Duration::try_from(LEASE).ok().and_then(|lease| now.checked_add(lease)).unwrap_or(now);
    if !refreshed.busy || Instant::now() + LEASE >= deadline {
        return Ok(refreshed);
    }
    tokio::time::sleep(LEASE).await;
    refresh(store, later, deadline).await
}

/// Continues every deletion, expires texts, and sweeps the images that were uploaded since the last run.
///
/// # Errors
/// If a store fails. The next run does the rest.
pub async fn run(store: &Store, now: Timestamp, deadline: Instant) -> Result<UpkeepReport> {
    let execution = Execution::in_background(store, now);
    let mut report = UpkeepReport::default();
    for pending in execution.store.pending_deletions().await? {
        let done = execution.resume(&pending, deadline).await.unwrap_or_else(|error| {
            // A deletion that fails must not block the others.
            tracing::error!(%error, pk = pending.pk, "could not complete a deletion");
            false
        });
        if done {
            report.deletions_completed += 1;
        } else {
            report.deletions_left += 1;
            report.deletions_overdue += usize::from(pending.since.checked_add(OVERDUE) < Some(execution.now));
        }
    }
    if report.deletions_overdue > 0 {
        // A metric filter counts this line. An error would only make Lambda retry immediately.
        tracing::error!(overdue_deletions = report.deletions_overdue, "deletions are overdue");
    }
    report.texts_expired = execution.apply_retention(deadline).await?;
    report.images_removed = sweep(&execution, deadline).await?;
    tracing::info!(?report, "upkeep");
    Ok(report)
}

/// Recomputes the statistics of changed events. Separate from [`run`], since each may take all the time of a run.
///
/// # Errors
/// If the store fails. The next run does the rest.
pub async fn refresh(store: &Store, now: Timestamp, deadline: Instant) -> Result<RefreshReport> {
    let execution = Execution::in_background(store, now);
    let refreshed = execution.refresh_statistics(deadline).await?;
    tracing::info!(?refreshed, "statistics");
    let behind = refreshed.as_of.is_some_and(|as_of| as_of.checked_add(STATISTICS_BEHIND) < Some(now));
    if behind {
        // A metric filter counts this line.
        tracing::error!(statistics_behind = 1, "the statistics are behind");
    }
    Ok(refreshed)
}

/// Inspects each image once after its upload, and deletes it if no record has it. Returns the number of deletions.
///
/// A sweep lists the entire bucket, so it runs at most once per [`SWEEP_EVERY`]. A sweep that runs out of time
/// continues in the next run. The first sweep covers only images from now on. Older images may belong to another table.
async fn sweep(execution: &Execution, deadline: Instant) -> Result<usize> {
    let store = &execution.store;
    let Some(upload_cutoff) = execution.now.checked_add(-UPLOAD_GRACE) else { return Ok(0) };
    let Some(mut checkpoint) = store.checkpoint::<SweepProgress>().await? else {
        return store.save(&mut Checkpoint::new(SweepProgress::to(execution.now))).await.map(|_| 0);
    };
    let swept_to = checkpoint.progress.swept_to;
    if swept_to.checked_add(SWEEP_BEHIND) < Some(execution.now) {
        // A metric filter counts this line.
        tracing::error!(sweeps_behind = 1, swept_to = %swept_to, "the sweep of images is behind");
    }
    let (until, mut after) = match checkpoint.progress.cursor.clone() {
        _ if checkpoint.leased_until > Some(execution.now) => return Ok(0),
        Some(rest) => (rest.until, Some(rest.last_checked)),
        None if swept_to.checked_add(SWEEP_EVERY) <= Some(upload_cutoff) => (upload_cutoff, None),
        None => return Ok(0),
    };
    checkpoint.leased_until = execution.now.checked_add(SWEEP_LEASE);
    if !store.save(&mut checkpoint).await? {
        return Ok(0);
    }
    let (mut more, mut inspected, mut unused) = (true, 0, Vec::new());
    while more && Instant::now() < deadline {
        let (page, is_more) = store.images_after(after.as_deref()).await?;
        more = is_more;
        after = page.last().map(|image| image.name.clone()).or(after);
        let due = page.into_iter().filter(|image| swept_to <= image.uploaded_at && image.uploaded_at < until);
        let due: Vec<_> = due.collect();
        inspected += due.len();
        unused.extend(orphans(store, &due).await?);
    }
    // Names are random, so a suspicious total may look small in each page of the bucket.
    let images = unused.len();
    if images > PLAUSIBLE.max(inspected / 10) {
        tracing::error!(images, inspected, suspicious_sweeps = 1, "too many images have no record: none was deleted");
        // Until an operator decides, another attempt in an hour is soon enough. An error would repeat it at once.
        checkpoint.leased_until = execution.now.checked_add(SWEEP_EVERY);
        return store.save(&mut checkpoint).await.map(|_| 0);
    }
    store.delete_images(&unused).await?;
    checkpoint.progress = match after {
        Some(last_checked) if more => {
            SweepProgress { cursor: Some(SweepCursor { until, last_checked }), ..SweepProgress::to(swept_to) }
        }
        // The time ran out before the first page.
        None if more => SweepProgress::to(swept_to),
        _ => SweepProgress::to(until),
    };
    checkpoint.leased_until = None;
    store.save(&mut checkpoint).await?;
    Ok(images)
}

/// Returns the names of the images that no record has.
async fn orphans(store: &Store, images: &[StoredImage]) -> Result<Vec<String>> {
    let lookups = images
        .iter()
        .map(|image| async move { Ok::<_, Error>((image.name.clone(), store.record_of_image(&image.name).await?)) });
    // Images of other applications stay.
    let ours: Vec<_> =
        in_parallel(lookups).await?.into_iter().filter_map(|(name, record)| Some((name, record?))).collect();
    let records = ours.iter().map(|(_, record)| *record).collect();
    let loaded = store.load(&ReadSet { records, ..ReadSet::default() }, Consistency::Strong).await?;
    let is_in_use = |name: &str| loaded.records.values().flat_map(images_of).any(|used| used == name);
    Ok(ours.into_iter().map(|(name, _)| name).filter(|name| !is_in_use(name)).collect())
}

/// Returns the names of a record's images.
fn images_of(record: &Record) -> impl Iterator<Item = &str> {
    let images = record.key.resource.fields.iter().filter(|field| field.is_image());
    images.filter_map(|field| record.text(field.name))
}
