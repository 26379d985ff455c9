//! The refresh: recomputes the rollups of marked segments, and everything that contains them.
//!
//! One refresh runs at a time: it has a lease, which it renews before it writes. A refresh that has lost its lease
//! overwrites nothing of its successor, because every item has the number of the refresh that wrote it. A mark is removed last, so an interrupted
//! refresh is repeated.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::head::Head;
use super::rollup::{
    Rollup, Summary, boards, boards_key, key, part_count, period_key, segment_key, segment_of, users_keys,
};
use super::stale::{INDEX_LAG, Stale};
use super::tallies::{Tallies, counted};
use crate::error::{Error, Result};
use crate::operations::Execution;
use crate::request::Direction;
use crate::resources;
use crate::schema::{Calendar, Period, Resource, Role, SEGMENT_SECONDS, Statistics, Step, Timestamp};
use crate::store::{IndexCursor, Precondition, Store, in_parallel};
use crate::table::{CommitError, IndexQuery, Range};

/// The time after which another refresh may take over from one that was interrupted.
const LEASE: time::Duration = time::Duration::seconds(30);
/// The interval in which a refresh renews its lease.
const RENEWAL: Duration = Duration::from_secs(8);
/// The marks that one pass handles. Each pass recomputes all time, so passes should be few.
const LARGEST_PASS: usize = 1_000;
/// The ranges of records that are read at once, and the periods that are merged at once.
const AT_ONCE: usize = 8;
/// The records in one read.
pub(super) const PAGE: usize = 1_000;
/// The most segments that are read at once.
const LONGEST_RANGE: usize = 12;

/// The number of heartbeats. The stream of a table has several shards, and each heartbeat shows the delay of one.
pub const HEARTBEATS: u64 = 4;
/// The beginning of the keys of heartbeats.
pub const HEARTBEAT: &str = "rollups/heartbeat/";
/// The key of the heartbeats that the sequencer has received.
const RECEIVED: &str = "rollups/received";
const TIME: &str = "time";
/// The longest wait for the sequencer to receive the heartbeats.
const LONGEST_WAIT: Duration = Duration::from_secs(10);
/// The first wait. It doubles, because each look is a read.
const FIRST_WAIT: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// The results of a refresh.
#[derive(Debug, Default, Serialize)]
pub struct Refreshed {
    /// True if another refresh was running.
    pub busy: bool,
    /// The segments that were recomputed or merged.
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

/// A refresh with its lease.
pub(super) struct Refresh<'a> {
    pub(super) store: &'a Store,
    pub(super) head: Head,
    pub(super) calendar: &'a Calendar,
    pub(super) resource: &'static Resource,
    statistics: &'static Statistics,
    began: Instant,
    began_at: Timestamp,
    renewed: Mutex<Instant>,
    pub(super) deadline: Instant,
}

impl Execution {
    /// Recomputes the rollups of marked segments, the oldest marks first, until the deadline.
    ///
    /// # Errors
    /// 503 if the store fails. The next refresh does the rest.
    pub async fn refresh_statistics(&self, deadline: Instant) -> Result<Refreshed> {
        let Some(mut refresh) = Refresh::begin(self, deadline).await? else {
            return Ok(Refreshed { busy: true, ..Refreshed::default() });
        };
        // The heartbeats travel while the refresh looks for work.
        self.store.send_heartbeats(self.now).await?;
        refresh.prepare().await?;
        let received = self.store.wait_for_heartbeats(self.now, deadline).await?;
        let (mut segments, mut unsettled) = (0, BTreeSet::new());
        let left = loop {
            let marks = self.store.stale(LARGEST_PASS + unsettled.len()).await?;
            // A mark that stays after it was handled is for the next refresh, even if it has changed since.
            let due = marks.into_iter().filter(|mark| !unsettled.contains(&mark.segment()));
            let due: Vec<_> = due.take(LARGEST_PASS).collect();
            let first = due.first().map(|mark| mark.since);
            if due.is_empty() || Instant::now() >= deadline {
                break first;
            }
            let (handled, stay) = refresh.pass(due).await?;
            segments += handled;
            unsettled.extend(stay);
        };
        let as_of = received.and_then(|received| received.min(self.now).shifted(-INDEX_LAG));
        refresh.end(left, as_of).await?;
        Ok(Refreshed {
            busy: false,
            segments,
            left: left.is_some(),
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
        let until = self.now().shifted(LEASE).unwrap_or(self.began_at);
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

    /// Recomputes the segments of marks, and merges what contains them. Removes the marks that are settled. Returns the
    /// number of segments that were handled, and those of them whose marks stay. It handles at least one, and as many as
    /// half of the remaining time is enough for.
    async fn pass(&self, marks: Vec<Stale>) -> Result<(usize, Vec<i64>)> {
        // 1. Segments are counted from their records.
        let began_at = self.now();
        let half = Instant::now() + self.deadline.saturating_duration_since(Instant::now()) / 2;
        let (mut done, changed): (Vec<_>, Vec<_>) = marks.into_iter().partition(|mark| mark.merge_only == 1);
        let changed: BTreeMap<_, _> = changed.into_iter().map(|mark| (mark.segment(), mark)).collect();
        for group in ranges(&changed).chunks(AT_ONCE) {
            if Instant::now() >= half && !done.is_empty() {
                break;
            }
            in_parallel(group.iter().map(|range| self.count(range))).await?;
            done.extend(group.iter().flatten().map(|segment| changed[segment].clone()));
        }
        // 2. Everything that contains them is merged, the shortest periods first.
        let mut starts: BTreeSet<_> = done.iter().map(Stale::segment).collect();
        for step in Step::ALL {
            let mut periods: BTreeMap<Period, BTreeSet<i64>> = BTreeMap::new();
            for start in starts {
                periods.entry(self.calendar.period(step, start)).or_default().insert(start);
            }
            let all: Vec<_> = periods.iter().collect();
            for group in all.chunks(AT_ONCE) {
                in_parallel(group.iter().map(|(period, changed)| self.merge(**period, changed))).await?;
            }
            starts = periods.keys().map(|period| period.from).collect();
        }
        // 3. A change that comes later marks the segment again.
        let (settled, unsettled): (Vec<_>, Vec<_>) = done.iter().partition(|mark| mark.is_settled(began_at));
        in_parallel(settled.into_iter().map(|mark| self.store.remove_mark(mark))).await?;
        Ok((done.len(), unsettled.into_iter().map(Stale::segment).collect()))
    }

    /// Counts the records of segments that no other record lies between.
    async fn count(&self, segments: &[i64]) -> Result<()> {
        self.renew().await?;
        let (Some(first), Some(last)) = (segments.first(), segments.last()) else { return Ok(()) };
        let to = Timestamp::from_unix_seconds(last + SEGMENT_SECONDS).and_then(Timestamp::predecessor);
        let range = Range { from: Timestamp::from_unix_seconds(*first), to };
        let mut cursor = records(self.store, self.resource, range);
        let mut counters: BTreeMap<_, _> = segments.iter().map(|segment| (*segment, Tallies::default())).collect();
        loop {
            let page = cursor.next(self.store, PAGE).await?;
            if page.is_empty() {
                break;
            }
            self.renew().await?;
            for record in page {
                let tallies = counters.get_mut(&segment_of(record.primary_time().unix_seconds()));
                let (Some(tallies), Some(parent)) = (tallies, record.parent()) else { continue };
                tallies.add(parent.id, &counted(self.statistics, &record));
            }
        }
        self.renew().await?;
        let (filled, empty): (Vec<_>, Vec<_>) = counters.into_iter().partition(|(_, tallies)| tallies.len() > 0);
        let documents = filled
            .into_iter()
            .map(|(segment, tallies)| Ok((segment_key(segment), tallies.encode(1)?.pop().unwrap_or_default())));
        self.store.write_documents(self.head.run, documents.collect::<Result<_>>()?).await?;
        let empty: Vec<_> = empty.into_iter().map(|(segment, _)| segment_key(segment)).collect();
        self.store.delete_documents(&empty).await
    }

    /// Recomputes the rollup of a period from the next shorter periods in it, of which some have changed.
    async fn merge(&self, period: Period, changed: &BTreeSet<i64>) -> Result<()> {
        self.renew().await?;
        let (tree, own) = (self.head.tree, period_key(self.head.tree, period));
        let before =
            self.store.document(&own).await?.map_or_else(|| Ok(Rollup::default()), |text| Rollup::decode(&text))?;
        let mut children = before.children;
        let parts = match period.step.child() {
            None => {
                let count = (period.to - period.from) / SEGMENT_SECONDS;
                (0..count).map(|number| segment_key(period.from + number * SEGMENT_SECONDS)).collect::<Vec<_>>()
            }
            Some(step) => {
                let keys: BTreeMap<_, _> = changed.iter().map(|start| (*start, key(tree, step, *start))).collect();
                let mut documents = self.store.documents(&keys.values().cloned().collect::<Vec<_>>()).await?;
                for (start, key) in keys {
                    match documents.remove(&key) {
                        Some(text) => drop(children.insert(start, Rollup::decode(&text)?.summary)),
                        None => drop(children.remove(&start)),
                    }
                }
                let of = |(start, child): (&i64, &Summary)| users_keys(&key(tree, step, *start), child.parts);
                children.iter().flat_map(of).collect()
            }
        };
        let mut tallies = Tallies::default();
        for text in self.store.documents(&parts).await?.into_values() {
            tallies.merge(Tallies::decode(&text)?);
        }
        self.write(&own, &before.summary, &tallies, children).await
    }

    /// Writes the rollup of a period. Deletes it if it has no users.
    async fn write(
        &self,
        key: &str,
        before: &Summary,
        tallies: &Tallies,
        children: BTreeMap<i64, Summary>,
    ) -> Result<()> {
        // A deletion has no condition on the run.
        self.renew().await?;
        let (store, run) = (self.store, self.head.run);
        let outdated = |parts: u64| if before.parts == parts { 0 } else { before.parts };
        if tallies.len() == 0 {
            let all: Vec<_> = users_keys(key, before.parts).chain([boards_key(key), key.to_owned()]).collect();
            return store.delete_documents(&all).await;
        }
        let parts = part_count(tallies, before.parts);
        let users = users_keys(key, parts).zip(tallies.encode(parts)?).collect();
        let boards = serde_json::to_vec(&boards(self.statistics, tallies)).map_err(|_| Error::fault())?;
        let bytes = store.write_documents(run, users).await?;
        let summary = Summary { parts, bytes, users: tallies.len() as u64, totals: tallies.totals() };
        let rollup = Rollup { summary, children }.encode()?;
        store.write_documents(run, vec![(boards_key(key), boards), (key.to_owned(), rollup)]).await?;
        store.delete_documents(&users_keys(key, outdated(parts)).collect::<Vec<_>>()).await
    }

    /// Ends the lease. `left` is the time of the first change that the rollups do not have, and `as_of` the time up to
    /// which all changes are marked.
    async fn end(&mut self, left: Option<Timestamp>, as_of: Option<Timestamp>) -> Result<()> {
        let is_rebuilding =
            self.head.marked_to.is_some() || self.head.ranked_to.is_some() || left == Some(Timestamp::first());
        if !is_rebuilding {
            let included = as_of.map(|as_of| left.map_or(as_of, |left| left.min(as_of)));
            // A rollup never loses a change, so the time never goes back.
            self.head.as_of = self.head.as_of.max(included);
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

/// Groups marked segments into ranges that are read at once. A range is without gaps, except in a rebuild: then a segment
/// without a mark has no records.
fn ranges(marks: &BTreeMap<i64, Stale>) -> Vec<Vec<i64>> {
    let mut ranges: Vec<Vec<i64>> = Vec::new();
    for (segment, mark) in marks {
        let follows = |last: &i64| {
            let is_rebuild = |mark: &Stale| mark.since == Timestamp::first();
            *last + SEGMENT_SECONDS == *segment || is_rebuild(mark) && marks.get(last).is_some_and(is_rebuild)
        };
        match ranges.last_mut() {
            Some(range) if range.len() < LONGEST_RANGE && range.last().is_some_and(follows) => range.push(*segment),
            _ => ranges.push(vec![*segment]),
        }
    }
    ranges
}

impl Store {
    /// Writes the heartbeats, which the stream of the table carries to the sequencer behind all earlier changes.
    async fn send_heartbeats(&self, now: Timestamp) -> Result<()> {
        let send = |number| async move {
            let key = format!("{HEARTBEAT}{number}");
            self.put_if(&key, TIME, Precondition::Any, &now.to_string()).await
        };
        in_parallel((0..HEARTBEATS).map(send)).await.map(drop)
    }

    /// Stores that the sequencer has received a heartbeat, and marked the segments of all earlier changes of its shard.
    ///
    /// # Errors
    /// Only if the store fails.
    pub(crate) async fn receive_heartbeat(&self, number: &str, time: &str) -> Result<()> {
        self.put_if(RECEIVED, number, Precondition::Any, time).await
    }

    /// Waits briefly for the heartbeats of a time. Returns the time before which all heartbeats were received.
    async fn wait_for_heartbeats(&self, sent: Timestamp, deadline: Instant) -> Result<Option<Timestamp>> {
        let (end, mut wait) = (deadline.min(Instant::now() + LONGEST_WAIT), FIRST_WAIT);
        loop {
            let received = self.get_values(RECEIVED).await?;
            let times = (0..HEARTBEATS).map(|number| Timestamp::parse(received.get(&number.to_string())?));
            let first = times.collect::<Option<Vec<_>>>().and_then(|times| times.into_iter().min());
            if first >= Some(sent) || Instant::now() >= end {
                return Ok(first);
            }
            tokio::time::sleep(wait).await;
            wait = (wait * 2).min(LONGEST_PAUSE);
        }
    }
}
