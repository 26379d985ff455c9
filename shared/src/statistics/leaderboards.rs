//! Responses with leaderboards.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::json;

use super::head::RollupsHead;
use super::interval::{Costs, MAX_UNITS, cover};
use super::read::counted_statistics;
use super::rollup::{BOARD_USERS, Boards, Rollup, Summary, boards_key, period_key, users_keys};
use super::tallies::Tallies;
use super::totals::{Counted, Pieces};
use crate::error::{Error, Result, Violation, ViolationCode};
use crate::operations::{Execution, JsonArray, render};
use crate::request::{BoardInterval, BoardQuery};
use crate::resources;
use crate::response::Response;
use crate::schema::{Depth, Id, Key, ParentData, Period, Resource, Step, Timestamp};
use crate::store::Consistency;
use crate::table::ReadSet;

/// Maximum number of attempts to read the parts of periods that a refresh is changing.
const MAX_ATTEMPTS: u32 = 4;
/// Additional users to read, in case some are deleted.
const SPARE_USERS: usize = 10;

/// A leaderboard.
enum Board {
    /// Sum of a measure over an interval.
    Measure(&'static str),
    /// Current sum that a parent stores about its children.
    Sum(&'static str),
}

/// Returns the resource that is ranked: the parent of the counted resource.
fn ranked_resource() -> Result<&'static Resource> {
    resources::counted_resource().belongs_to.as_ref().map(|relation| relation.parent).ok_or_else(Error::fault)
}

/// Returns the name and the description of each leaderboard, and true if it has an interval.
pub fn boards() -> Vec<(&'static str, &'static str, bool)> {
    let measures = resources::counted_resource().statistics.iter().flat_map(|statistics| statistics.measures);
    let measures = measures.map(|measure| (measure.name, measure.meaning, true));
    let sums = ranked_resource().into_iter().flat_map(resources::children).filter_map(|child| {
        match &child.relation.parent_data {
            ParentData::Sum { embedded, .. } => Some((embedded.field, embedded.meaning, false)),
            _ => None,
        }
    });
    measures.chain(sums).collect()
}

impl Board {
    fn named(name: &str) -> Result<Self> {
        let measures = resources::counted_resource().statistics.iter().flat_map(|statistics| statistics.measures);
        let measure = measures.map(|measure| measure.name).find(|measure| *measure == name).map(Self::Measure);
        let sum = resources::children(ranked_resource()?).iter().find_map(|child| match &child.relation.parent_data {
            ParentData::Sum { embedded, .. } if embedded.field == name => Some(Self::Sum(embedded.field)),
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
    /// 400 if the query is invalid or its interval costs too much, 404 if the leaderboard does not exist, 503 if the
    /// rollups are being rebuilt.
    pub async fn leaderboard(&self, name: &str, query: &str) -> Result<Response> {
        let board = Board::named(name)?;
        let calendar = self.store.calendar();
        let query = BoardQuery::parse(query, calendar, self.now, matches!(board, Board::Measure(_)))?;
        let (places, as_of) = match board {
            Board::Measure(measure) => {
                let (head, as_of) = self.store.current_rollups(self.now).await?;
                (self.places_by_measure(measure, query, &head, as_of).await?, as_of)
            }
            Board::Sum(field) => (self.places_by_sum(field, query.limit).await?, self.now),
        };
        let response = Response::new("application/json", places.to_json());
        Ok(Response { headers: self.freshness_headers(as_of), ..response })
    }

    /// Reads the places by a current sum. If too many of the highest users are deleted, more users are read.
    async fn places_by_sum(&self, field: &str, limit: usize) -> Result<JsonArray> {
        let mut count = limit + SPARE_USERS;
        loop {
            let ranking = self.store.ranking(field, count).await?;
            let (places, is_full) = self.places(&ranking, limit).await?;
            if is_full || ranking.len() < count {
                return Ok(places);
            }
            count *= 2;
        }
    }

    /// Reads the places by a measure in an interval.
    async fn places_by_measure(
        &self,
        measure: &'static str,
        query: BoardQuery,
        head: &RollupsHead,
        as_of: Timestamp,
    ) -> Result<JsonArray> {
        let calendar = self.store.calendar();
        let pieces = match query.interval {
            BoardInterval::All => Pieces::of(vec![calendar.period(Step::All, 0)]),
            BoardInterval::Hours(from, to) => Pieces::of(cover(calendar, from, to)),
            BoardInterval::Exact(interval) => {
                let counted = Counted::measure(measure, counted_statistics()?.totals);
                self.exact_pieces(interval, &[counted], as_of).await?
            }
        };
        if let ([period], 0) = (&pieces.periods[..], pieces.others.user_count()) {
            let period = *period;
            let boards = self.store.document(&boards_key(&period_key(head.tree, period))).await?;
            let boards = boards.map(|text| serde_json::from_slice::<Boards>(&text)).transpose();
            let ranking = boards.map_err(|_| Error::fault())?.and_then(|mut boards| boards.remove(measure));
            let ranking: Vec<_> = ranking
                .into_iter()
                .flatten()
                .filter_map(|(user, value)| Some((Id::new(user)?, i128::from(value))))
                .collect();
            let (places, is_full) = self.places(&ranking, query.limit).await?;
            // If some of the highest users are deleted, lower ones take their places.
            if is_full || ranking.len() < BOARD_USERS {
                return Ok(places);
            }
        }
        let ranking = self.ranking(measure, head, &pieces, query.limit).await?;
        let ranking: Vec<_> = ranking.into_iter().map(|(user, value)| (user, i128::from(value))).collect();
        Ok(self.places(&ranking, query.limit).await?.0)
    }

    /// Ranks the users by a measure in one period, or in several pieces that do not cost too much.
    async fn ranking(
        &self,
        measure: &str,
        head: &RollupsHead,
        Pieces { periods, others }: &Pieces,
        limit: usize,
    ) -> Result<Vec<(Id, u64)>> {
        let (all, calendar) = (0..periods.len(), self.store.calendar());
        for _ in 0..MAX_ATTEMPTS {
            // 1. The summaries show the cost of the parts.
            let summaries = &self.summaries_of_interval(head, periods).await?;
            let costs = Costs { periods, summaries, spent: self.store.cost().read_units(), limit };
            if periods.len() > 1 && !costs.allow(all.clone(), 0) {
                return Err(too_expensive(costs.nearest(calendar, |range| costs.max_users(range))));
            }
            // 2. The parts contain the users.
            let parts = |period: &Period| {
                let parts = summaries.get(period).map_or(0, |summary| summary.parts);
                users_keys(&period_key(head.tree, *period), parts).collect::<Vec<_>>()
            };
            let parts: Vec<_> = periods.iter().map(parts).collect();
            let documents = self.store.documents(&parts.concat()).await?;
            // A refresh has changed the number of parts.
            if documents.len() < parts.iter().map(Vec::len).sum() {
                continue;
            }
            let rank = |range: Range<usize>| {
                let mut tallies = others.clone();
                for key in parts[range].iter().flatten() {
                    tallies.merge(Tallies::decode(&documents[key])?);
                }
                Ok::<_, Error>(tallies.ranking(measure))
            };
            let ranking = rank(all.clone())?;
            if periods.len() <= 1 || costs.allow(all.clone(), ranking.len()) {
                return Ok(ranking);
            }
            let users = |range: Range<usize>| rank(range).map_or(usize::MAX, |ranking| ranking.len());
            return Err(too_expensive(costs.nearest(calendar, users)));
        }
        Err(Error::unavailable())
    }

    async fn summaries_of_interval(&self, head: &RollupsHead, periods: &[Period]) -> Result<BTreeMap<Period, Summary>> {
        match periods {
            [period] if period.step == Step::All => {
                let rollup = self.store.document(&period_key(head.tree, *period)).await?;
                let rollup = rollup.map(|text| Rollup::decode(&text)).transpose()?;
                Ok(rollup.map(|rollup| (*period, rollup.summary)).into_iter().collect())
            }
            periods => self.summaries(head, periods).await,
        }
    }

    /// Renders the first places of a ranking, skipping deleted and anonymized users. The flag is true if the response
    /// is full.
    async fn places(&self, ranking: &[(Id, i128)], limit: usize) -> Result<(JsonArray, bool)> {
        let resource = ranked_resource()?;
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
                let record = record.filter(|record| !record.is_anonymized());
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
        let is_full = places.len() >= limit;
        Ok((places, is_full))
    }
}

/// Builds the error for an interval that costs too much. It names the nearest interval that does not.
fn too_expensive(nearest: Period) -> Error {
    let detail = format!(
        "The interval would cost more than {MAX_UNITS} read units. The nearest affordable interval is from {} to {}.",
        nearest.from(),
        nearest.to()
    );
    Error::invalid_parameters(vec![Violation::parameter("from", ViolationCode::OutOfRange.invalid_value(detail))])
}
