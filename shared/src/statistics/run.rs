//! The run of a refresh: its lease and its clock.
//!
//! Only one refresh runs at a time. It holds a lease, which it renews before it writes. Every item has the number of
//! the refresh that wrote it, so a refresh that has lost its lease does not overwrite its successor's items.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::head::{INDEX_LAG, RollupsHead};
use crate::error::{Error, Result};
use crate::operations::Execution;
use crate::resources;
use crate::schema::{Calendar, Resource, Statistics, Timestamp};
use crate::store::Store;
use crate::table::CommitError;

/// Time after which another refresh may take over from an interrupted one. It is longer than `RENEWAL` plus a call to
/// the store, so a refresh that has just checked its lease holds it until its next call ends.
pub const LEASE: Duration = Duration::from_secs(15);
/// Interval between renewals of the lease.
const RENEWAL: Duration = Duration::from_secs(4);

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

impl<'a> Refresh<'a> {
    /// Takes the lease. Returns `None` if another refresh holds it.
    pub(super) async fn acquire(execution: &'a Execution, deadline: Instant) -> Result<Option<Self>> {
        let store = &execution.store;
        let head = store.rollups_head().await?;
        let leased_until = Timestamp::from_unix_millis(head.leased_until.into());
        if leased_until.is_some_and(|until| !until.has_passed(execution.now, LEASE.try_into().unwrap_or_default())) {
            return Ok(None);
        }
        let resource = resources::counted_resource();
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
            // Before the first rollups, records may already be stored.
            refresh.head.tree = 1;
            calendar.name().clone_into(&mut refresh.head.zone);
            refresh.head.begin_rebuild();
            if !store.has_counted_records().await? {
                // Nothing has to be built.
                (refresh.head.marked_to, refresh.head.as_of) = (None, execution.now.checked_add(-INDEX_LAG));
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

    /// Restarts the lease. Returns its end, in milliseconds since 1970.
    fn restart_lease(&self) -> i64 {
        let until = LEASE.try_into().ok().and_then(|lease| self.now().checked_add(lease)).unwrap_or(self.began_at);
        *self.renewed.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        i64::try_from(until.unix_millis()).unwrap_or_default()
    }

    /// Returns the current time by the refresh's clock.
    pub(super) fn now(&self) -> Timestamp {
        let elapsed = self.began.elapsed().try_into().unwrap_or_default();
        self.began_at.checked_add(elapsed).unwrap_or(self.began_at)
    }

    /// Stores the head and extends the lease.
    pub(super) async fn save(&mut self) -> Result<()> {
        self.head.leased_until = self.restart_lease();
        self.store.write_head(&self.head, self.head.run).await.map_err(CommitError::into_error)
    }

    /// Extends the lease if part of it has passed.
    pub(super) async fn renew(&self) -> Result<()> {
        let renewed = *self.renewed.lock().unwrap_or_else(PoisonError::into_inner);
        if renewed.elapsed() < RENEWAL {
            return Ok(());
        }
        self.store.extend_lease(self.head.run, self.restart_lease()).await
    }

    /// Ends the lease.
    pub(super) async fn release(&mut self) -> Result<()> {
        self.head.leased_until = 0;
        self.store.write_head(&self.head, self.head.run).await.map_err(CommitError::into_error)
    }
}
