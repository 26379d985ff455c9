//! Totals and leaderboards of exact intervals, which are not rounded and may end now.
//!
//! The rollups cover the complete segments that are old enough. The events at both ends are counted one by one. An event
//! that arrives later than [`MAX_DELAY`] counts once it is in the rollups.

use std::collections::BTreeMap;

use serde_json::Value as Json;
use time::Duration;

use super::interval::cover;
use super::read::counted_statistics;
use super::rollup::{segment_key, segment_of};
use super::tallies::{Counters, Tallies, contribution};
use crate::error::{Error, Result, Violation, ViolationCode};
use crate::operations::Execution;
use crate::request::ExactInterval;
use crate::resources;
use crate::response::Response;
use crate::schema::{Period, Role, SEGMENT_SECONDS, Step, Timestamp, Total};
use crate::store::{IndexCursor, in_parallel};
use crate::table::{IndexQuery, Range};

/// Maximum usual time from an event until it is stored. The rollups may lack events of younger segments.
const MAX_DELAY: Duration = Duration::minutes(10);
/// Maximum number of events that are counted one by one, for each counter and end. Without chat messages, it is only exceeded
/// if the rollups are far behind.
const MAX_EVENTS: usize = 10_000;
/// Events in one read.
const PAGE_SIZE: usize = 1_000;

/// The parts of an interval.
pub(super) struct Pieces {
    /// Periods that the rollups have.
    pub(super) periods: Vec<Period>,
    /// Counters of the rest: single segments, and events.
    pub(super) others: Tallies,
}

/// A counter whose events are counted one by one at the ends of an interval.
#[derive(Clone, Copy)]
pub(super) struct Counted {
    counter: &'static str,
    /// Index and value that find the counted events. `None` reads all events.
    index: Option<(Role, &'static str)>,
}

impl Counted {
    /// The counter of a total.
    fn total(total: &Total) -> Self {
        Self { counter: total.counter, index: Some((total.role, total.value)) }
    }

    /// The counter of a measure.
    pub(super) fn measure(name: &'static str, totals: &[Total]) -> Self {
        let total = totals.iter().find(|total| total.name == name);
        total.map_or(Self { counter: name, index: None }, Self::total)
    }
}

impl Pieces {
    /// An interval of complete periods.
    pub(super) fn of(periods: Vec<Period>) -> Self {
        Self { periods, others: Tallies::default() }
    }
}

impl Execution {
    /// Executes GET of the totals of an exact interval.
    ///
    /// # Errors
    /// 400 if the query is invalid, 503 if the rollups are being rebuilt or far behind.
    pub async fn totals(&self, query: &str) -> Result<Response> {
        let interval = ExactInterval::parse(query)?;
        let (head, as_of) = self.store.current_rollups(self.now).await?;
        let totals = counted_statistics()?.totals;
        let counted: Vec<_> = totals.iter().map(Counted::total).collect();
        let pieces = self.exact_pieces(interval, &counted, as_of).await?;
        let summaries = self.summaries(&head, &pieces.periods).await?;
        let others = pieces.others.totals();
        let counters: Vec<&Counters> = summaries.values().map(|summary| &summary.totals).chain([&others]).collect();
        let sum = |total: &Total| counters.iter().filter_map(|counters| counters.get(total.counter)).sum::<u64>();
        let members: BTreeMap<_, Json> = totals.iter().map(|total| (total.name, sum(total).into())).collect();
        Ok(Response { headers: self.freshness_headers(as_of), ..Response::json(&serde_json::json!(members)) })
    }

    /// Splits an exact interval. Counts the events that are not in a period.
    pub(super) async fn exact_pieces(
        &self,
        ExactInterval { from, to }: ExactInterval,
        counted: &[Counted],
        as_of: Timestamp,
    ) -> Result<Pieces> {
        // 1. The complete segments that are old enough.
        let settled = as_of.checked_add(-MAX_DELAY).unwrap_or(as_of);
        let first = segment_of(from.predecessor().unwrap_or(from).unix_seconds()) + SEGMENT_SECONDS;
        let end = segment_of(to.map_or(settled, |to| to.min(settled)).unix_seconds());
        let before = |moment: Timestamp| moment.predecessor();
        let start_of = |segment| Timestamp::from_unix_seconds(segment);
        let last = to.and_then(before);
        if first >= end {
            let others = self.count_each(counted, &[Range { from: Some(from), to: last }]).await?;
            return Ok(Pieces { periods: vec![], others });
        }
        // 2. Their complete hours are in periods.
        let hour = |second| self.store.calendar().period(Step::Hour, second);
        let first_hour = if hour(first).from == first { first } else { hour(first).to };
        let end_hour = hour(end).from;
        let segments =
            |from: i64, to: i64| (0..(to - from) / SEGMENT_SECONDS).map(move |number| from + number * SEGMENT_SECONDS);
        let (periods, segments): (_, Vec<_>) = if first_hour < end_hour {
            let periods = cover(self.store.calendar(), first_hour, end_hour);
            (periods, segments(first, first_hour).chain(segments(end_hour, end)).collect())
        } else {
            (vec![], segments(first, end).collect())
        };
        // 3. The remaining segments are read, and the events at both ends.
        let keys: Vec<_> = segments.into_iter().map(segment_key).collect();
        let ends =
            [Range { from: Some(from), to: start_of(first).and_then(before) }, Range { from: start_of(end), to: last }];
        let (segments, others) = tokio::join!(self.store.documents(&keys), self.count_each(counted, &ends));
        let mut others = others?;
        for text in segments?.values() {
            others.merge(Tallies::decode(text)?);
        }
        Ok(Pieces { periods, others })
    }

    /// Counts events in ranges of time, one by one.
    async fn count_each(&self, counted: &[Counted], ranges: &[Range]) -> Result<Tallies> {
        let of_range = |range: &Range| counted.iter().map(|each| self.count(*each, *range)).collect::<Vec<_>>();
        let counts: Vec<_> = ranges.iter().flat_map(of_range).collect();
        let mut all = Tallies::default();
        for tallies in in_parallel(counts.into_iter()).await? {
            all.merge(tallies);
        }
        Ok(all)
    }

    /// Counts events in a range of time.
    async fn count(&self, Counted { counter, index }: Counted, range: Range) -> Result<Tallies> {
        let resource = resources::counted_resource();
        let query = index.map_or_else(
            || IndexQuery::by_time(resource, range),
            |(role, value)| IndexQuery::by_value(resource, role, value, range),
        );
        let mut cursor = IndexCursor::new(query, self.store.shards());
        let (statistics, mut tallies, mut count) = (counted_statistics()?, Tallies::default(), 0);
        loop {
            let page = cursor.next(&self.store, PAGE_SIZE).await?;
            count += page.len();
            if page.is_empty() {
                return Ok(tallies);
            }
            if count > MAX_EVENTS {
                return Err(if index.is_some() { Error::rebuilding() } else { too_many() });
            }
            for record in page {
                let contributed = contribution(statistics, &record).remove_entry(counter);
                if let (Some(user), Some(contributed)) = (record.parent(), contributed) {
                    tallies.add(user.id, &Counters::from([contributed]));
                }
            }
        }
    }
}

/// Builds the error for an interval with too much chat at its ends.
fn too_many() -> Error {
    let detail = format!(
        "There are more than {MAX_EVENTS} events near the ends of the interval. Omit the parameter to round it to whole hours."
    );
    Error::invalid_parameters(vec![Violation::parameter("exact", ViolationCode::OutOfRange.invalid_value(detail))])
}
