//! Responses with leaderboards.

use std::collections::BTreeMap;

use serde_json::json;

use super::head::Head;
use super::query::BoardQuery;
use super::rollup::{BOARD_USERS, Boards, Rollup, Summary, boards_key, period_key, users_keys};
use super::tallies::Tallies;
use crate::error::{Error, Result, Rule, Violation};
use crate::operations::{Execution, JsonArray, Reply, render};
use crate::resources;
use crate::schema::{Calendar, Depth, Id, Key, OnParent, Period, Resource, Step};
use crate::store::Consistency;
use crate::table::ReadSet;

/// The maximum number of places in one response.
pub const MOST_PLACES: usize = 1_000;
/// The read units that one leaderboard may cost.
const MOST_UNITS: f64 = 500.0;
/// The attempts to read the parts of periods that a refresh changes meanwhile.
const READS: u32 = 4;
/// The users that are read beyond the places, because some may be deleted.
const SPARE_USERS: usize = 10;

/// A leaderboard.
enum Board {
    /// The sum of a measure in an interval.
    Measure(&'static str),
    /// The present sum that a parent stores about its children.
    Sum(&'static str),
}

/// Returns the resource whose records have places: the parent of the counted one.
fn ranked() -> Result<&'static Resource> {
    resources::counted().belongs_to.as_ref().map(|relation| relation.to).ok_or_else(Error::fault)
}

/// Returns the leaderboards: the name and the description of each, and true if it has an interval.
pub fn boards() -> Vec<(&'static str, &'static str, bool)> {
    let measures = resources::counted().statistics.iter().flat_map(|statistics| statistics.measures);
    let measures = measures.map(|measure| (measure.name, measure.meaning, true));
    let sums = ranked().into_iter().flat_map(resources::children).filter_map(|child| match &child.relation.on_parent {
        OnParent::Sum { embedded, .. } => Some((embedded.field, embedded.meaning, false)),
        _ => None,
    });
    measures.chain(sums).collect()
}

impl Board {
    fn named(name: &str) -> Result<Self> {
        let measures = resources::counted().statistics.iter().flat_map(|statistics| statistics.measures);
        let measure = measures.map(|measure| measure.name).find(|measure| *measure == name).map(Self::Measure);
        let sum = resources::children(ranked()?).iter().find_map(|child| match &child.relation.on_parent {
            OnParent::Sum { embedded, .. } if embedded.field == name => Some(Self::Sum(embedded.field)),
            _ => None,
        });
        measure.or(sum).ok_or_else(|| {
            let names: Vec<_> = boards().into_iter().map(|(name, ..)| name).collect();
            Error::not_found(format!("Leaderboard not found. The leaderboards are {}.", names.join(", ")))
        })
    }
}

impl Execution {
    /// Executes GET of a leaderboard.
    ///
    /// # Errors
    /// 400 if the query is invalid or its interval costs too much, 404 if there is no such leaderboard, 503 if the
    /// rollups are being rebuilt.
    pub async fn leaderboard(&self, name: &str, query: &str) -> Result<Reply> {
        let board = Board::named(name)?;
        let calendar = self.store.calendar();
        let query = BoardQuery::parse(query, calendar, self.now, matches!(board, Board::Measure(_)))?;
        let (places, as_of) = match board {
            Board::Measure(measure) => {
                let (head, as_of) = self.store.current_rollups(self.now).await?;
                (self.measured(measure, query, &head).await?, as_of)
            }
            Board::Sum(field) => (self.summed(field, query.limit).await?, self.now),
        };
        let reply = Reply::with("application/json", places.to_json());
        Ok(Reply { headers: self.about(as_of), ..reply })
    }

    /// Returns the places by a present sum. If too many of the highest users are deleted, it reads more.
    async fn summed(&self, field: &str, limit: usize) -> Result<JsonArray> {
        let mut most = limit + SPARE_USERS;
        loop {
            let ranking = self.store.ranking(field, most).await?;
            let (places, is_whole) = self.places(&ranking, limit).await?;
            if is_whole || ranking.len() < most {
                return Ok(places);
            }
            most *= 2;
        }
    }

    /// Returns the places of a measure in an interval.
    async fn measured(&self, measure: &str, query: BoardQuery, head: &Head) -> Result<JsonArray> {
        let calendar = self.store.calendar();
        let periods = match query.interval {
            None => vec![calendar.period(Step::All, 0)],
            Some((from, to)) => cover(calendar, from, to),
        };
        if let [period] = periods[..] {
            let boards = self.store.document(&boards_key(&period_key(head.tree, period))).await?;
            let boards = boards.map(|text| serde_json::from_slice::<Boards>(&text)).transpose();
            let ranking = boards.map_err(|_| Error::fault())?.and_then(|mut boards| boards.remove(measure));
            let ranking: Vec<_> = ranking
                .into_iter()
                .flatten()
                .filter_map(|(user, value)| Some((Id::new(user)?, i128::from(value))))
                .collect();
            let (places, is_whole) = self.places(&ranking, query.limit).await?;
            // If users among the highest are deleted, others take their places.
            if is_whole || ranking.len() < BOARD_USERS {
                return Ok(places);
            }
        }
        let tallies = self.merged(head, &periods, query).await?;
        let ranking: Vec<_> =
            tallies.ranking(measure).into_iter().map(|(user, value)| (user, i128::from(value))).collect();
        Ok(self.places(&ranking, query.limit).await?.0)
    }

    /// Returns the counters of all users in one period, or in several that do not cost too much.
    async fn merged(&self, head: &Head, periods: &[Period], query: BoardQuery) -> Result<Tallies> {
        for _ in 0..READS {
            let summaries = self.own_summaries(head, periods).await?;
            if periods.len() > 1 {
                self.check_cost(periods, &summaries, query)?;
            }
            let parts =
                |(period, summary): (&Period, &Summary)| users_keys(&period_key(head.tree, *period), summary.parts);
            let parts: Vec<_> = summaries.iter().flat_map(parts).collect();
            let documents = self.store.documents(&parts).await?;
            if documents.len() == parts.len() {
                let mut tallies = Tallies::default();
                documents.values().try_for_each(|text| Tallies::decode(text).map(|part| tallies.merge(part)))?;
                return Ok(tallies);
            }
        }
        Err(Error::unavailable())
    }

    async fn own_summaries(&self, head: &Head, periods: &[Period]) -> Result<BTreeMap<Period, Summary>> {
        match periods {
            [period] if period.step == Step::All => {
                let rollup = self.store.document(&period_key(head.tree, *period)).await?;
                let rollup = rollup.map(|text| Rollup::decode(&text)).transpose()?;
                Ok(rollup.map(|rollup| (*period, rollup.summary)).into_iter().collect())
            }
            periods => self.summaries(head, periods).await,
        }
    }

    /// Refuses an interval that costs too much, and names the nearest one that does not.
    fn check_cost(&self, periods: &[Period], summaries: &BTreeMap<Period, Summary>, query: BoardQuery) -> Result<()> {
        let users: u64 = summaries.values().map(|summary| summary.users).sum();
        let others = units(users.min(query.limit as u64)) + self.store.cost().read_units();
        let cost = |period: &Period| summaries.get(period).map_or(0, Summary::read_units);
        if units(periods.iter().map(cost).sum()) + others <= MOST_UNITS {
            return Ok(());
        }
        let affordable = |period: &Period, sum: &mut u64| {
            *sum += cost(period);
            (units(*sum) + others <= MOST_UNITS).then_some(*period)
        };
        // The interval is shortened at its end or at its beginning, or is one of the periods at its ends.
        let first = periods.iter().scan(0, |sum, period| affordable(period, sum));
        let last = periods.iter().rev().scan(0, |sum, period| affordable(period, sum));
        let (from, to) = query.interval.unwrap_or_default();
        let calendar = self.store.calendar();
        let whole = Step::ALL.into_iter().flat_map(|step| [calendar.period(step, from), calendar.period(step, to - 1)]);
        let shorter = [first.last().map(|end| Period { from, ..end }), last.last().map(|start| Period { to, ..start })];
        let distance = |period: &Period| (period.from - from).abs() + (period.to - to).abs();
        let nearest = shorter.into_iter().flatten().chain(whole).min_by_key(distance);
        let nearest = nearest.unwrap_or_else(|| calendar.period(Step::All, 0));
        let detail = format!(
            "The interval would cost more than {MOST_UNITS} read units. The nearest one that does not is from {} to {}.",
            nearest.from(),
            nearest.to()
        );
        Err(Error::invalid_parameters(vec![Violation::parameter("from", Rule::OutOfRange.broken(detail))]))
    }

    /// Returns the first places of a ranking, without users that are deleted. The flag is true if there are as many as
    /// asked for.
    async fn places(&self, ranking: &[(Id, i128)], limit: usize) -> Result<(JsonArray, bool)> {
        let resource = ranked()?;
        let (mut places, mut last) = (JsonArray::default(), None);
        let mut rest = ranking;
        while places.len() < limit && !rest.is_empty() {
            let (group, others) = rest.split_at(rest.len().min(limit - places.len()));
            rest = others;
            let keys = group.iter().map(|(user, _)| Key::new(resource, *user)).collect();
            let read_set = ReadSet { records: keys, ..ReadSet::default() };
            let snapshot = self.store.load(&read_set, Consistency::Strong).await?;
            for (user, value) in group {
                let record = snapshot.records.get(&Key::new(resource, *user));
                let Some(user) = record.and_then(|record| render(record, &snapshot, Depth::Embedded, &self.base))
                else {
                    continue;
                };
                let rank = match last {
                    Some((rank, other)) if other == *value => rank,
                    _ => places.len() + 1,
                };
                last = Some((rank, *value));
                let head = json!({"rank": rank}).to_string();
                let head = head.trim_end_matches('}');
                if !places.add(format!("{head},\"value\":{value},\"{}\":{user}}}", resource.singular)) {
                    return Ok((places, true));
                }
            }
        }
        let is_whole = places.len() >= limit;
        Ok((places, is_whole))
    }
}

/// Returns a number of read units.
fn units(count: u64) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Returns the fewest periods that make up an interval of whole hours.
fn cover(calendar: &Calendar, from: i64, to: i64) -> Vec<Period> {
    let all = calendar.period(Step::All, 0);
    if from <= all.from && to >= all.to {
        return vec![all];
    }
    let (mut periods, mut start) = (Vec::new(), from);
    while start < to {
        let mut longest = Step::BUCKETS.into_iter().rev().map(|step| calendar.period(step, start));
        let longest = longest.find(|period| period.from == start && period.to <= to);
        let period = longest.unwrap_or_else(|| calendar.period(Step::Hour, start));
        start = period.to;
        periods.push(period);
    }
    periods
}
