//! The refresh: recomputes the rollups of marked segments and everything that contains them.
//!
//! Only one refresh runs at a time. It holds a lease, which it renews before it writes. Every item has the number of
//! the refresh that wrote it, so a refresh that has lost its lease does not overwrite its successor's items. Marks are
//! removed last, so an interrupted refresh is repeated.
//!
//! A backlog is handled in several passes in the order of the changes, and `as-of` advances with each pass.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::head::{INDEX_LAG, RollupsHead};
use super::stale::Mark;
use crate::error::{Error, Result};
use crate::operations::Execution;
use crate::resources;
use crate::schema::{Calendar, Resource, Statistics, Timestamp};
use crate::store::{IndexCursor, Store};
use crate::table::{CommitError, IndexQuery, Range};

/// Time after which another refresh may take over from an interrupted one. It is longer than `RENEWAL` plus a call to
/// the store, so a refresh that has just checked its lease holds it until its next call ends.
pub const LEASE: Duration = Duration::from_secs(15);
/// Interval between renewals of the lease.
const RENEWAL: Duration = Duration::from_secs(4);
/// Maximum number of marks in one pass. Each pass merges all time, so passes should be few.
const MAX_MARKS: usize = 20_000;
/// Number of marks up to which a pass also handles those that it cannot settle yet.
const MAX_UNSETTLED_MARKS: usize = 1_000;
/// Records per read.
pub(super) const PAGE_SIZE: usize = 1_000;

/// Results of a refresh.
#[derive(Debug, Default, Serialize)]
pub struct Refreshed {
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

/// Result of a pass.
pub(super) struct Pass {
    /// Number of marks that were handled.
    pub(super) handled: usize,
    /// Marks that the pass had no time for.
    pub(super) unhandled: Vec<Mark>,
}

/// A refresh with its lease.
pub(super) struct Refresh<'a> {
    pub(super) store: &'a Store,
    pub(super) head: RollupsHead,
    pub(super) calendar: &'a Calendar,
    pub(super) resource: &'static Resource,
    pub(super) statistics: &'static Statistics,
    began: Instant,
    began_at: Timestamp,
    renewed: Mutex<Instant>,
    pub(super) deadline: Instant,
}

impl Execution {
    /// Recompute the rollups of marked segments until the deadline, those with the earliest changes first. Each pass
    /// stores the time up to which the rollups include all changes.
    ///
    /// # Errors
    /// 503 if the store fails. The next refresh continues.
    pub async fn refresh_statistics(&self, deadline: Instant) -> Result<Refreshed> {
        let Some(mut refresh) = Refresh::acquire(self, deadline).await? else {
            return Ok(Refreshed { busy: true, ..Refreshed::default() });
        };
        let (mut now, mut segments) = (self.now, 0);
        // The heartbeats travel while the refresh looks for work.
        self.store.send_heartbeats(now).await?;
        refresh.prepare().await?;
        let has_more = loop {
            // 1. All changes before the heartbeats are marked, and the index contains those older than its lag.
            let received = self.store.wait_for_heartbeats(now, deadline).await?;
            let covered = received.and_then(|received| received.shifted(-INDEX_LAG));
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
        refresh.release().await?;
        Ok(Refreshed {
            busy: false,
            segments,
            has_more,
            as_of: refresh.head.as_of,
            read_units: self.store.cost().read_units(),
            write_units: self.store.cost().write_units(),
        })
    }
}

impl<'a> Refresh<'a> {
    /// Take the lease. Returns `None` if another refresh holds it.
    async fn acquire(execution: &'a Execution, deadline: Instant) -> Result<Option<Self>> {
        let store = &execution.store;
        let head = store.rollups_head().await?;
        let leased_until = Timestamp::from_unix_millis(head.leased_until.into());
        if leased_until.is_some_and(|until| !until.has_passed(execution.now, LEASE.try_into().unwrap_or_default())) {
            return Ok(None);
        }
        let resource = resources::counted();
        let statistics = resource.statistics.as_ref().ok_or_else(Error::fault)?;
        let (began_at, now, calendar) = (execution.now, Instant::now(), store.calendar());
        let mut refresh = Self {
            store,
            head,
            calendar,
            resource,
            statistics,
            began: now,
            began_at,
            renewed: Mutex::new(now),
            deadline,
        };
        let last_run = refresh.head.run;
        refresh.head.run += 1;
        if last_run == 0 {
            // There are no rollups yet. The table may have records from an earlier version of the service.
            refresh.head.tree = 1;
            calendar.name().clone_into(&mut refresh.head.zone);
            refresh.head.begin_rebuild();
            if !store.has_counted_records().await? {
                // Nothing has to be built.
                (refresh.head.marked_to, refresh.head.as_of) = (None, execution.now.shifted(-INDEX_LAG));
            }
        }
        refresh.head.read_shards = store.shards();
        refresh.head.leased_until = refresh.restart_lease();
        match store.write_head(&refresh.head, last_run).await {
            Ok(()) => Ok(Some(refresh)),
            Err(CommitError::Outdated) => Ok(None),
            Err(CommitError::Failed(error)) => Err(error),
        }
    }

    /// Restart the lease. Returns its end, in milliseconds since 1970.
    fn restart_lease(&self) -> i64 {
        let until = LEASE.try_into().ok().and_then(|lease| self.now().shifted(lease)).unwrap_or(self.began_at);
        *self.renewed.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        i64::try_from(until.unix_millis()).unwrap_or_default()
    }

    /// Returns the current time by the refresh's clock.
    pub(super) fn now(&self) -> Timestamp {
        let elapsed = self.began.elapsed().try_into().unwrap_or_default();
        self.began_at.shifted(elapsed).unwrap_or(self.began_at)
    }

    /// Store the head and extend the lease.
    pub(super) async fn save(&mut self) -> Result<()> {
        self.head.leased_until = self.restart_lease();
        self.store.write_head(&self.head, self.head.run).await.map_err(CommitError::into_error)
    }

    /// Extend the lease if part of it has passed.
    pub(super) async fn renew(&self) -> Result<()> {
        let renewed = *self.renewed.lock().unwrap_or_else(PoisonError::into_inner);
        if renewed.elapsed() < RENEWAL {
            return Ok(());
        }
        self.store.extend_lease(self.head.run, self.restart_lease()).await
    }

    /// Record that the rollups include all changes before a time, except those from the first open change on.
    fn advance_as_of(&mut self, covered: Option<Timestamp>, first_open: Option<Timestamp>) {
        let RollupsHead { marked_to, ranked_to, .. } = self.head;
        let is_rebuilding = marked_to.is_some() || ranked_to.is_some() || first_open == Some(Timestamp::first());
        if !is_rebuilding {
            let included = covered.map(|covered| first_open.map_or(covered, |open| open.min(covered)));
            // A rollup never loses a change, so the time goes back only with the clock.
            let before = self.head.as_of.filter(|as_of| *as_of <= self.now());
            self.head.as_of = before.max(included);
        }
    }

    /// End the lease.
    async fn release(&mut self) -> Result<()> {
        if self.head.as_of.is_some() {
            self.delete_retired().await?;
        }
        self.head.leased_until = 0;
        self.store.write_head(&self.head, self.head.run).await.map_err(CommitError::into_error)
    }
}

/// Create a cursor over the counted records in a time range, earliest first.
pub(super) fn records(store: &Store, resource: &'static Resource, range: Range) -> IndexCursor {
    let query = IndexQuery::by_time(resource, range);
    IndexCursor::new(query, store.shards())
}

impl Store {
    /// Returns true if there are records to count.
    pub(super) async fn has_counted_records(&self) -> Result<bool> {
        let mut cursor = records(self, resources::counted(), Range::default());
        Ok(!cursor.next(self, 1).await?.is_empty())
    }
}
