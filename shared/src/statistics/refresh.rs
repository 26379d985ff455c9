//! The refresh: recomputes the rollups of marked segments, and everything that contains them.
//!
//! One refresh runs at a time: it has a lease, which it renews before it writes. A refresh that has lost its lease
//! overwrites nothing of its successor, because every item has the number of the refresh that wrote it. A mark is removed
//! last, so an interrupted refresh is repeated.
//!
//! A backlog is handled in several passes, in the order of the changes, so that `as-of` advances with each pass.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::head::{Head, INDEX_LAG};
use super::stale::Stale;
use crate::error::{Error, Result};
use crate::operations::Execution;
use crate::request::Direction;
use crate::resources;
use crate::schema::{Calendar, Resource, Role, Statistics, Timestamp};
use crate::store::{IndexCursor, Store};
use crate::table::{CommitError, IndexQuery, Range};

/// The time after which another refresh may take over from one that was interrupted. It is longer than `RENEWAL` and a
/// call to the store together, so that a refresh that has just looked at its lease has it until its next call ends.
pub const LEASE: Duration = Duration::from_secs(15);
/// The interval in which a refresh renews its lease.
const RENEWAL: Duration = Duration::from_secs(4);
/// The maximum number of marks in one pass. Each pass merges all time, so passes should be few.
const MAX_MARKS: usize = 20_000;
/// The number of marks up to which a pass handles also those that it cannot settle yet.
const FEW_MARKS: usize = 1_000;
/// The records in one read.
pub(super) const PAGE: usize = 1_000;

/// The results of a refresh.
#[derive(Debug, Default, Serialize)]
pub struct Refreshed {
    /// True if another refresh was running.
    pub busy: bool,
    /// The segments that were recomputed or merged, once for each pass.
    pub segments: usize,
    /// True if marks are left for the next refresh.
    pub left: bool,
    /// The time of acknowledgement before which all changes are in the rollups.
    pub as_of: Option<Timestamp>,
    /// The read units of the refresh.
    pub read_units: f64,
    /// The write units of the refresh.
    pub write_units: f64,
}

/// The result of a pass.
pub(super) struct Pass {
    /// The number of marks that were handled.
    pub(super) handled: usize,
    /// The marks for which there was no time.
    pub(super) rest: Vec<Stale>,
}

/// A refresh with its lease.
pub(super) struct Refresh<'a> {
    pub(super) store: &'a Store,
    pub(super) head: Head,
    pub(super) calendar: &'a Calendar,
    pub(super) resource: &'static Resource,
    pub(super) statistics: &'static Statistics,
    began: Instant,
    began_at: Timestamp,
    renewed: Mutex<Instant>,
    pub(super) deadline: Instant,
}

impl Execution {
    /// Recomputes the rollups of marked segments, those with the earliest changes first, until the deadline. Each pass
    /// stores the time up to which the rollups include all changes.
    ///
    /// # Errors
    /// 503 if the store fails. The next refresh does the rest.
    pub async fn refresh_statistics(&self, deadline: Instant) -> Result<Refreshed> {
        let Some(mut refresh) = Refresh::begin(self, deadline).await? else {
            return Ok(Refreshed { busy: true, ..Refreshed::default() });
        };
        let (mut now, mut segments) = (self.now, 0);
        // The heartbeats travel while the refresh looks for work.
        self.store.send_heartbeats(now).await?;
        refresh.prepare().await?;
        let left = loop {
            // 1. All changes before the heartbeats are marked, and the index has those that are older than its lag.
            let received = self.store.wait_for_heartbeats(now, deadline).await?;
            let covered = received.and_then(|received| received.min(now).shifted(-INDEX_LAG));
            // 2. The marks with the earliest changes are handled.
            let mut marks = self.store.stale(MAX_MARKS).await?;
            let unread = marks.last().filter(|_| marks.len() == MAX_MARKS).map(|mark| mark.since);
            let is_backlog = marks.len() > FEW_MARKS;
            let due = if is_backlog { marks.partition_point(|mark| mark.is_due(refresh.now())) } else { marks.len() };
            let young = marks.split_off(due);
            let Pass { handled, rest } = refresh.pass(marks).await?;
            segments += handled;
            // 3. The rollups include all changes before the first one that is open.
            let open = rest.iter().chain(&young).map(|mark| mark.since).chain(unread).min();
            refresh.include(covered, open);
            let left = !rest.is_empty() || unread.is_some();
            if !left || Instant::now() >= deadline {
                break left;
            }
            refresh.save().await?;
            now = refresh.now();
            self.store.send_heartbeats(now).await?;
        };
        refresh.end().await?;
        Ok(Refreshed {
            busy: false,
            segments,
            left,
            as_of: refresh.head.as_of,
            read_units: self.store.cost().read_units(),
            write_units: self.store.cost().write_units(),
        })
    }
}

impl<'a> Refresh<'a> {
    /// Takes the lease. Returns `None` if another refresh has it.
    async fn begin(execution: &'a Execution, deadline: Instant) -> Result<Option<Self>> {
        let store = &execution.store;
        let head = store.rollups_head().await?;
        if i128::from(head.leased_until) > execution.now.unix_millis() {
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
        let before = refresh.head.run;
        refresh.head.run += 1;
        if before == 0 {
            // There are no rollups yet. The table may have records from an earlier version of the service.
            refresh.head.tree = 1;
            calendar.name().clone_into(&mut refresh.head.zone);
            refresh.head.begin_rebuild();
            if !store.has_counted_records().await? {
                // Nothing is to be built.
                (refresh.head.marked_to, refresh.head.as_of) = (None, execution.now.shifted(-INDEX_LAG));
            }
        }
        refresh.head.leased_until = refresh.lease();
        match store.write_head(&refresh.head, before).await {
            Ok(()) => Ok(Some(refresh)),
            Err(CommitError::Conflict) => Ok(None),
            Err(CommitError::Failed(error)) => Err(error),
        }
    }

    /// Returns the end of a lease that begins now, in milliseconds since 1970.
    fn lease(&self) -> i64 {
        let until = LEASE.try_into().ok().and_then(|lease| self.now().shifted(lease)).unwrap_or(self.began_at);
        *self.renewed.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        i64::try_from(until.unix_millis()).unwrap_or_default()
    }

    /// Returns the current time by the clock of the refresh.
    pub(super) fn now(&self) -> Timestamp {
        let elapsed = self.began.elapsed().try_into().unwrap_or_default();
        self.began_at.shifted(elapsed).unwrap_or(self.began_at)
    }

    /// Stores the head, and extends the lease.
    pub(super) async fn save(&mut self) -> Result<()> {
        self.head.leased_until = self.lease();
        self.store.write_head(&self.head, self.head.run).await.map_err(CommitError::into_error)
    }

    /// Extends the lease if a part of it has passed.
    pub(super) async fn renew(&self) -> Result<()> {
        let renewed = *self.renewed.lock().unwrap_or_else(PoisonError::into_inner);
        if renewed.elapsed() < RENEWAL {
            return Ok(());
        }
        self.store.extend_lease(self.head.run, self.lease()).await
    }

    /// Notes that the rollups include all changes before a time, without those from the first open one on.
    fn include(&mut self, covered: Option<Timestamp>, open: Option<Timestamp>) {
        let Head { marked_to, ranked_to, .. } = self.head;
        let is_rebuilding = marked_to.is_some() || ranked_to.is_some() || open == Some(Timestamp::first());
        if !is_rebuilding {
            let included = covered.map(|covered| open.map_or(covered, |open| open.min(covered)));
            // A rollup never loses a change, so the time never goes back.
            self.head.as_of = self.head.as_of.max(included);
        }
    }

    /// Ends the lease.
    async fn end(&mut self) -> Result<()> {
        if self.head.as_of.is_some() {
            self.delete_retired().await?;
        }
        self.head.leased_until = 0;
        self.store.write_head(&self.head, self.head.run).await.map_err(CommitError::into_error)
    }
}

/// Returns a cursor over the counted records in a range of time, the earliest first.
pub(super) fn records(store: &Store, resource: &'static Resource, range: Range) -> IndexCursor {
    let query = IndexQuery {
        role: Role::Time,
        resource,
        key: None,
        range,
        prefix: String::new(),
        direction: Direction::Ascending,
        after: None,
        through: None,
    };
    IndexCursor::new(query, store.shards())
}

impl Store {
    /// Returns true if there are records to count.
    pub(super) async fn has_counted_records(&self) -> Result<bool> {
        let mut cursor = records(self, resources::counted(), Range::default());
        Ok(!cursor.next(self, 1).await?.is_empty())
    }
}
