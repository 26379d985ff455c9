//! A pass of the refresh. It counts the marked segments, then merges each period that contains any of them once.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use super::records::{PAGE_SIZE, records};
use super::rollup::{
    Rollup, Summary, boards, boards_key, key, part_count, period_key, segment_key, segment_of, users_keys,
};
use super::run::Refresh;
use super::stale::Mark;
use super::tallies::{Tallies, contribution};
use crate::error::{Error, Result};
use crate::schema::{Period, SEGMENT_SECONDS, Step, Timestamp};
use crate::store::in_parallel;
use crate::table::Range;

/// Number of hours counted concurrently, and of periods merged concurrently.
const CONCURRENCY: usize = 8;
/// Time after which a pass counts no further hours. `as-of` does not advance during a pass.
const MAX_PASS: Duration = Duration::from_secs(40);

/// Stored texts of documents, by key.
type Documents = BTreeMap<String, Vec<u8>>;

/// Result of a pass.
pub(super) struct Pass {
    /// Number of marks that were handled.
    pub(super) handled: usize,
    /// Marks that the pass had no time for.
    pub(super) unhandled: Vec<Mark>,
}

/// Groups marked segments into ranges that are read together. A range has gaps only in a rebuild, where unmarked
/// segments are empty.
fn ranges(marks: &BTreeMap<i64, &Mark>) -> Vec<Vec<i64>> {
    let mut ranges: Vec<Vec<i64>> = Vec::new();
    for (segment, mark) in marks {
        let follows = |last: &i64| {
            let is_rebuild = |mark: &Mark| mark.since == Timestamp::first();
            *last + SEGMENT_SECONDS == *segment
                || is_rebuild(mark) && marks.get(last).is_some_and(|mark| is_rebuild(mark))
        };
        match ranges.last_mut() {
            Some(range) if range.last().is_some_and(follows) => range.push(*segment),
            _ => ranges.push(vec![*segment]),
        }
    }
    ranges
}

impl Refresh<'_> {
    /// Recomputes the marked segments and everything that contains them, then removes the settled marks. The hours with
    /// the earliest changes are handled first, as many as time allows.
    pub(super) async fn run_pass(&self, marks: Vec<Mark>) -> Result<Pass> {
        // 1. Count the hours from their records.
        let (began_at, began) = (self.now(), Instant::now());
        let end = began + MAX_PASS.min(self.deadline.saturating_duration_since(began) / 2);
        let (mut handled, mut unhandled) = (Vec::new(), Vec::new());
        for group in self.by_hour(marks).chunks(CONCURRENCY) {
            let marks = group.iter().flat_map(|(_, marks)| marks).cloned();
            if began >= self.deadline || Instant::now() >= end && !handled.is_empty() {
                unhandled.extend(marks);
            } else {
                in_parallel(group.iter().map(|(hour, marks)| self.recompute_hour(*hour, marks))).await?;
                handled.extend(marks);
            }
        }
        // 2. Merge everything that contains them, the shortest periods first.
        let mut starts: BTreeSet<_> =
            handled.iter().map(|mark| self.calendar.period(Step::Hour, mark.segment()).from).collect();
        for step in Step::ALL.into_iter().filter(|step| step.child().is_some()) {
            let mut periods: BTreeMap<Period, BTreeSet<i64>> = BTreeMap::new();
            for start in starts {
                periods.entry(self.calendar.period(step, start)).or_default().insert(start);
            }
            let changed_periods: Vec<_> = periods.iter().collect();
            for group in changed_periods.chunks(CONCURRENCY) {
                in_parallel(group.iter().map(|(period, changed)| self.merge_period(**period, changed))).await?;
            }
            starts = periods.keys().map(|period| period.from).collect();
        }
        // 3. Remove the settled marks. A later change marks the segment again.
        let settled = handled.iter().filter(|mark| mark.is_settled(began_at));
        in_parallel(settled.map(|mark| self.store.delete_mark(mark))).await?;
        Ok(Pass { handled: handled.len(), unhandled })
    }

    /// Groups marks by hour, in the order of each hour's first change.
    fn by_hour(&self, marks: Vec<Mark>) -> Vec<(Period, Vec<Mark>)> {
        let mut hours: BTreeMap<Period, Vec<Mark>> = BTreeMap::new();
        for mark in marks {
            hours.entry(self.calendar.period(Step::Hour, mark.segment())).or_default().push(mark);
        }
        let mut hours: Vec<_> = hours.into_iter().collect();
        hours.sort_by_key(|(_, marks)| marks.iter().map(|mark| mark.since).min());
        hours
    }

    /// Counts the records in the marked segments of an hour, and merges the hour from all its segments.
    async fn recompute_hour(&self, hour: Period, marks: &[Mark]) -> Result<()> {
        self.renew().await?;
        // 1. Read the stored segments and count those with changed records.
        let starts = (0..(hour.to - hour.from) / SEGMENT_SECONDS).map(|number| hour.from + number * SEGMENT_SECONDS);
        let hour_key = period_key(self.head.tree, hour);
        let keys: Vec<_> = starts.map(segment_key).chain([hour_key.clone()]).collect();
        let mut stored = self.store.documents(&keys).await?;
        let previous = stored.remove(&hour_key).map_or_else(|| Ok(Rollup::default()), |text| Rollup::decode(&text))?;
        let changed = marks.iter().filter(|mark| mark.merge_only == 0).map(|mark| (mark.segment(), mark)).collect();
        let counted = in_parallel(ranges(&changed).iter().map(|range| self.count_records(range))).await?;
        // 2. Write the segments that differ.
        let (mut filled, mut emptied) = (Vec::new(), Vec::new());
        for (segment, tallies) in counted.into_iter().flatten() {
            let key = segment_key(segment);
            if tallies.user_count() > 0 {
                filled.push((key, tallies.encode(1)?.pop().unwrap_or_default()));
            } else if stored.remove(&key).is_some() {
                emptied.push(key);
            }
        }
        self.renew().await?;
        self.store.write_documents(self.head.run, &stored, filled.clone()).await?;
        self.store.delete_documents(&emptied).await?;
        // 3. Merge the hour from all its segments.
        stored.extend(filled);
        self.write_rollup(&hour_key, &previous.summary, &merged(&stored)?, BTreeMap::new()).await
    }

    /// Counts the records of segments with no other records between them.
    async fn count_records(&self, segments: &[i64]) -> Result<BTreeMap<i64, Tallies>> {
        let mut counters: BTreeMap<_, _> = segments.iter().map(|segment| (*segment, Tallies::default())).collect();
        let (Some(first), Some(last)) = (segments.first(), segments.last()) else { return Ok(counters) };
        let to = Timestamp::from_unix_seconds(last + SEGMENT_SECONDS).and_then(Timestamp::predecessor);
        let range = Range { from: Timestamp::from_unix_seconds(*first), to };
        let mut cursor = records(self.store, self.resource, range);
        loop {
            let page = cursor.next(self.store, PAGE_SIZE).await?;
            if page.is_empty() {
                return Ok(counters);
            }
            self.renew().await?;
            for record in page {
                let tallies = counters.get_mut(&segment_of(record.primary_time().unix_seconds()));
                let (Some(tallies), Some(parent)) = (tallies, record.parent()) else { continue };
                tallies.add(parent.id, &contribution(self.statistics, &record));
            }
        }
    }

    /// Recomputes a period's rollup from the next shorter periods in it, some of which have changed.
    async fn merge_period(&self, period: Period, changed: &BTreeSet<i64>) -> Result<()> {
        self.renew().await?;
        // 1. Read the rollups of the period and of the changed periods in it.
        let (tree, merged_key) = (self.head.tree, period_key(self.head.tree, period));
        let step = period.step.child().ok_or_else(Error::fault)?;
        let keys: BTreeMap<_, _> = changed.iter().map(|start| (*start, key(tree, step, *start))).collect();
        let mut stored = self.store.documents(&keys.values().chain([&merged_key]).cloned().collect::<Vec<_>>()).await?;
        let Rollup { summary: previous, mut children } =
            stored.remove(&merged_key).map_or_else(|| Ok(Rollup::default()), |text| Rollup::decode(&text))?;
        for (start, key) in keys {
            match stored.remove(&key) {
                Some(text) => drop(children.insert(start, Rollup::decode(&text)?.summary)),
                None => drop(children.remove(&start)),
            }
        }
        // 2. Merge the counters of the users in all of them.
        let user_parts = |(start, child): (&i64, &Summary)| users_keys(&key(tree, step, *start), child.parts);
        let parts: Vec<_> = children.iter().flat_map(user_parts).collect();
        let tallies = merged(&self.store.documents(&parts).await?)?;
        self.write_rollup(&merged_key, &previous, &tallies, children).await
    }

    /// Writes a period's rollup, or deletes it if it is empty.
    async fn write_rollup(
        &self,
        key: &str,
        previous: &Summary,
        tallies: &Tallies,
        children: BTreeMap<i64, Summary>,
    ) -> Result<()> {
        // A deletion is not conditional on the run.
        self.renew().await?;
        let (store, run) = (self.store, self.head.run);
        if tallies.user_count() == 0 {
            let documents: Vec<_> = users_keys(key, previous.parts).chain([boards_key(key), key.to_owned()]).collect();
            return store.delete_documents(&documents).await;
        }
        let parts = part_count(tallies, previous.parts);
        let keys: Vec<_> = users_keys(key, parts).chain([boards_key(key), key.to_owned()]).collect();
        let stored = store.documents(&keys).await?;
        let bytes = store.write_documents(run, &stored, users_keys(key, parts).zip(tallies.encode(parts)?)).await?;
        let boards = serde_json::to_vec(&boards(self.statistics, tallies)).map_err(|_| Error::fault())?;
        let summary = Summary { parts, bytes, users: tallies.user_count() as u64, totals: tallies.totals() };
        let rollup = Rollup { summary, children }.encode()?;
        store.write_documents(run, &stored, [(boards_key(key), boards), (key.to_owned(), rollup)]).await?;
        let outdated = if previous.parts == parts { 0 } else { previous.parts };
        store.delete_documents(&users_keys(key, outdated).collect::<Vec<_>>()).await
    }
}

/// Merges stored counters.
fn merged(documents: &Documents) -> Result<Tallies> {
    let mut tallies = Tallies::default();
    for text in documents.values() {
        tallies.merge(Tallies::decode(text)?);
    }
    Ok(tallies)
}
