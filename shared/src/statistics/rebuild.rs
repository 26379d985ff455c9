//! The rebuild of rollups, from all records or, for another time zone, from segments.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use super::records::{PAGE_SIZE, records};
use super::rollup::{Rollup, Summary, boards_key, key, segment_key, segment_of, users_keys};
use super::run::Refresh;
use super::stale::{ChangedSegments, Mark, SegmentWork};
use super::tallies::{Tallies, contribution};
use crate::error::Result;
use crate::resources;
use crate::schema::{SEGMENT_SECONDS, Step, Timestamp};
use crate::store::Store;
use crate::table::Range;

/// Number of segments marked per step.
const BATCH: usize = 100;

/// Reads the summaries of all periods in a tree by length: years, months, days, hours. Renews the lease of the refresh.
async fn levels(store: &Store, tree: u64, refresh: Option<&Refresh<'_>>) -> Result<Vec<BTreeMap<i64, Summary>>> {
    let mut levels: Vec<BTreeMap<i64, Summary>> = Vec::new();
    let mut starts = vec![store.calendar().period(Step::All, 0).from];
    for step in Step::ALL.into_iter().rev().filter(|step| step.child().is_some()) {
        let mut level = BTreeMap::new();
        for group in starts.chunks(BATCH) {
            if let Some(refresh) = refresh {
                refresh.renew().await?;
            }
            let keys: Vec<_> = group.iter().map(|start| key(tree, step, *start)).collect();
            for text in store.documents(&keys).await?.into_values() {
                level.extend(Rollup::decode(&text)?.children);
            }
        }
        starts = level.keys().copied().collect();
        levels.push(level);
    }
    Ok(levels)
}

impl Refresh<'_> {
    /// Marks segments if a rebuild is necessary: for a table without rollups, at the request of an operator, or for
    /// another time zone.
    pub(super) async fn prepare(&mut self) -> Result<()> {
        if self.store.requested_rebuild().await?.is_some() {
            // Segments that no longer have records are also marked.
            self.mark_tree(SegmentWork::Count).await?;
            self.head.begin_rebuild();
            self.save().await?;
            self.store.delete_request().await?;
        }
        if self.head.zone != self.calendar.name() {
            self.delete_retired().await?;
            if self.head.retired.is_some() {
                return Ok(());
            }
            self.mark_tree(SegmentWork::Merge).await?;
            self.head.retired = Some(self.head.tree);
            self.head.tree += 1;
            self.head.as_of = None;
            self.calendar.name().clone_into(&mut self.head.zone);
            self.save().await?;
        }
        self.mark_records().await
    }

    /// Marks every segment that has records, in chronological order. The next refresh continues an interrupted search.
    async fn mark_records(&mut self) -> Result<()> {
        while let Some(from) = self.head.marked_to.filter(|_| Instant::now() < self.deadline) {
            let (mut segments, mut next) = (Vec::new(), Some(from));
            while let Some(from) = next.filter(|_| segments.len() < BATCH) {
                // The first record from here on leads to the next segment, so each segment takes one read.
                let mut cursor = records(self.store, self.resource, Range { from: Some(from), to: None });
                let first = cursor.next(self.store, 1).await?.into_iter().next();
                let segment = first.map(|record| segment_of(record.primary_time().unix_seconds()));
                next = segment.and_then(|segment| Timestamp::from_unix_seconds(segment + SEGMENT_SECONDS));
                segments.extend(segment);
            }
            self.mark(segments, SegmentWork::Count).await?;
            self.head.marked_to = next;
            self.save().await?;
        }
        Ok(())
    }

    /// Marks the segments of every hour in the current tree.
    async fn mark_tree(&mut self, pending: SegmentWork) -> Result<()> {
        let levels = levels(self.store, self.head.tree, Some(self)).await?;
        let hours: Vec<_> = levels.last().into_iter().flat_map(BTreeMap::keys).copied().collect();
        for group in hours.chunks(BATCH) {
            self.renew().await?;
            let segments = group.iter().flat_map(|hour| (0..12).map(move |segment| hour + segment * SEGMENT_SECONDS));
            self.mark(segments.collect(), pending).await?;
        }
        Ok(())
    }

    /// Marks segments as never computed. The index already has their records, and the stream delivers later changes.
    async fn mark(&self, segments: Vec<i64>, pending: SegmentWork) -> Result<()> {
        let times = (Timestamp::first(), Timestamp::first());
        let marks: ChangedSegments = segments.into_iter().map(|segment| (segment, times)).collect();
        self.store.mark_stale(marks, pending).await
    }

    /// Deletes the tree of an earlier time zone. Longer periods lead to shorter ones, so the shortest are deleted
    /// first.
    pub(super) async fn delete_retired(&mut self) -> Result<()> {
        let Some(tree) = self.head.retired else { return Ok(()) };
        let levels = levels(self.store, tree, Some(self)).await?;
        for (level, step) in levels.iter().rev().zip(Step::ALL) {
            let periods: Vec<_> = level.iter().collect();
            for group in periods.chunks(BATCH) {
                if Instant::now() >= self.deadline {
                    return Ok(());
                }
                self.renew().await?;
                let documents = |(start, summary): &(&i64, &Summary)| {
                    let period = key(tree, step, **start);
                    users_keys(&period, summary.parts).chain([boards_key(&period), period]).collect::<Vec<_>>()
                };
                self.store.delete_documents(&group.iter().flat_map(documents).collect::<Vec<_>>()).await?;
            }
        }
        let root = key(tree, Step::All, self.calendar.period(Step::All, 0).from);
        let parts = self.store.document(&root).await?.map(|text| Rollup::decode(&text)).transpose()?;
        let parts = parts.map_or(0, |rollup| rollup.summary.parts);
        let root_documents: Vec<_> = users_keys(&root, parts).chain([boards_key(&root), root]).collect();
        self.store.delete_documents(&root_documents).await?;
        self.head.retired = None;
        self.save().await
    }
}

impl Store {
    /// Checks the service: find the unmarked segments with a rollup that differs from their records. Returns the first
    /// second of each segment.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn inconsistent_segments(&self) -> Result<Vec<i64>> {
        let resource = resources::counted_resource();
        let Some(statistics) = &resource.statistics else { return Ok(Vec::new()) };
        let mut counted_segments: BTreeMap<i64, Tallies> = BTreeMap::new();
        let mut cursor = records(self, resource, Range::default());
        loop {
            let page = cursor.next(self, PAGE_SIZE).await?;
            if page.is_empty() {
                break;
            }
            for record in page {
                let tallies = counted_segments.entry(segment_of(record.primary_time().unix_seconds())).or_default();
                record
                    .parent()
                    .into_iter()
                    .for_each(|parent| tallies.add(parent.id, &contribution(statistics, &record)));
            }
        }
        let tree = self.rollups_head().await?.tree;
        let levels = levels(self, tree, None).await?;
        let hours = levels.last().into_iter().flat_map(BTreeMap::keys);
        let in_tree = hours.flat_map(|hour| (0..12).map(move |segment| hour + segment * SEGMENT_SECONDS));
        let segments: BTreeSet<_> = counted_segments.keys().copied().chain(in_tree).collect();
        let keys: BTreeMap<_, _> = segments.iter().map(|segment| (segment_key(*segment), *segment)).collect();
        let stored = self.documents(&keys.keys().cloned().collect::<Vec<_>>()).await?;
        let marked: BTreeSet<_> = self.marks(usize::MAX).await?.iter().map(Mark::segment).collect();
        let mut inconsistent = Vec::new();
        for (key, segment) in keys.into_iter().filter(|(_, segment)| !marked.contains(segment)) {
            let expected = counted_segments.get(&segment).map(|tallies| tallies.encode(1)).transpose()?;
            if stored.get(&key) != expected.and_then(|mut parts| parts.pop()).as_ref() {
                inconsistent.push(segment);
            }
        }
        inconsistent.sort_unstable();
        Ok(inconsistent)
    }
}
