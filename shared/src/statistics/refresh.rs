//! The refresh: recomputes the rollups of marked segments and everything that contains them.
//!
//! Marks are removed last, so an interrupted refresh is repeated.
//!
//! A backlog is handled in several passes in the order of the changes, and `as-of` advances with each pass.

use std::time::Instant;

use serde::Serialize;

use super::head::INDEX_LAG;
use super::pass::Pass;
use super::run::Refresh;
use crate::error::Result;
use crate::operations::Execution;
use crate::schema::Timestamp;

/// Maximum number of marks in one pass. Each pass merges all time, so passes should be few.
const MAX_MARKS: usize = 20_000;
/// Number of marks up to which a pass also handles those that it cannot settle yet.
const MAX_UNSETTLED_MARKS: usize = 1_000;

/// Results of a refresh.
#[derive(Debug, Default, Serialize)]
pub struct RefreshReport {
    /// Whether another refresh was running.
    pub busy: bool,
    /// Number of segments recomputed or merged, counted in each pass.
    pub segments: usize,
    /// Whether the next refresh has more marks to handle.
    pub has_more: bool,
    /// Acknowledgement time before which all changes are in the rollups.
    pub as_of: Option<Timestamp>,
    /// Read units of the refresh.
    pub read_units: f64,
    /// Write units of the refresh.
    pub write_units: f64,
}

impl Execution {
    /// Recomputes the rollups of marked segments until the deadline, those with the earliest changes first. Each pass
    /// stores the time up to which the rollups include all changes.
    ///
    /// # Errors
    /// 503 if the store fails. The next refresh continues.
    pub async fn refresh_statistics(&self, deadline: Instant) -> Result<RefreshReport> {
        let Some(mut refresh) = Refresh::acquire(self, deadline).await? else {
            return Ok(RefreshReport { busy: true, ..RefreshReport::default() });
        };
        let (mut now, mut segments) = (self.now, 0);
        // The heartbeats travel while the refresh looks for work.
        self.store.send_heartbeats(now).await?;
        refresh.prepare().await?;
        let has_more = loop {
            // 1. All changes before the heartbeats are marked, and the index contains those older than its lag.
            let received = self.store.wait_for_heartbeats(now, deadline).await?;
            let covered = received.and_then(|received| received.checked_add(-INDEX_LAG));
            // 2. Handle the marks with the earliest changes.
            let mut marks = self.store.marks(MAX_MARKS).await?;
            let unread = marks.last().filter(|_| marks.len() == MAX_MARKS).map(|mark| mark.since);
            let is_backlog = marks.len() > MAX_UNSETTLED_MARKS;
            let due_count =
                if is_backlog { marks.partition_point(|mark| mark.is_due(refresh.now())) } else { marks.len() };
            let not_due = marks.split_off(due_count);
            let Pass { handled, unhandled } = refresh.run_pass(marks).await?;
            segments += handled;
            // 3. The rollups include all changes before the first open one.
            let first_open = unhandled.iter().chain(&not_due).map(|mark| mark.since).chain(unread).min();
            refresh.advance_as_of(covered, first_open);
            let has_more = !unhandled.is_empty() || unread.is_some();
            if !has_more || Instant::now() >= deadline {
                break has_more;
            }
            refresh.save().await?;
            now = refresh.now();
            self.store.send_heartbeats(now).await?;
        };
        if refresh.head.as_of.is_some() {
            refresh.delete_retired().await?;
        }
        refresh.release().await?;
        Ok(RefreshReport {
            busy: false,
            segments,
            has_more,
            as_of: refresh.head.as_of,
            read_units: self.store.cost().read_units(),
            write_units: self.store.cost().write_units(),
        })
    }
}

impl Refresh<'_> {
    /// Records that the rollups include all changes before a time, except those from the first open change on.
    fn advance_as_of(&mut self, covered: Option<Timestamp>, first_open: Option<Timestamp>) {
        let is_rebuilding = self.head.marked_to.is_some() || first_open == Some(Timestamp::first());
        if !is_rebuilding {
            let included = covered.map(|covered| first_open.map_or(covered, |open| open.min(covered)));
            // A rollup never loses a change, so the time goes back only with the clock.
            let before = self.head.as_of.filter(|as_of| *as_of <= self.now());
            self.head.as_of = before.max(included);
        }
    }
}
