//! Responses with statistics.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json};

use super::head::RollupsHead;
use super::rollup::{Rollup, Summary, period_key, users_key};
use super::tallies::{Counters, Tallies, part_of};
use super::{AS_OF, TIME_ZONE};
use crate::error::{Error, Result, Violation, ViolationCode};
use crate::operations::{Execution, JsonArray};
use crate::request::{Path, StatisticsQuery};
use crate::resources;
use crate::response::Response;
use crate::schema::{Id, Period, Statistics, Timestamp};

/// Maximum number of attempts to read the parts of periods that a refresh is changing.
const MAX_ATTEMPTS: u32 = 4;

impl Execution {
    /// Executes GET of the channel's statistics.
    ///
    /// # Errors
    /// 400 if the query is invalid, 503 if the rollups are being rebuilt.
    pub async fn statistics(&self, query: &str) -> Result<Response> {
        let StatisticsQuery { buckets } = StatisticsQuery::parse(query, self.store.calendar(), self.now)?;
        let (head, as_of) = self.store.current_rollups(self.now).await?;
        let summaries = self.summaries(&head, &buckets).await?;
        let empty = Summary::default();
        let rows = buckets.into_iter().map(|bucket| {
            let summary = summaries.get(&bucket).unwrap_or(&empty);
            (bucket, &summary.totals, Some(summary.users))
        });
        Ok(Response { headers: self.freshness_headers(as_of), ..render_buckets(rows)? })
    }

    /// Returns the headers of a response that includes all changes before a time.
    pub(super) fn freshness_headers(&self, as_of: Timestamp) -> Vec<(&'static str, String)> {
        vec![(AS_OF, as_of.to_string()), (TIME_ZONE, self.store.calendar().name().to_owned())]
    }

    /// Executes GET of the statistics of the user at the end of a path.
    ///
    /// # Errors
    /// As [`Self::statistics`], and 404 if a record in the path does not exist.
    pub async fn user_statistics(&self, path: &Path, query: &str) -> Result<Response> {
        let buckets = match StatisticsQuery::parse(query, self.store.calendar(), self.now) {
            Ok(StatisticsQuery { buckets }) if path.violations.is_empty() => buckets,
            Ok(_) => return Err(Error::invalid_parameters(path.violations.clone())),
            Err(error) => return Err(error.with_violations(path.violations.clone())),
        };
        let (user, rollups) = tokio::join!(self.existing_key(path), self.store.current_rollups(self.now));
        let (user, (head, as_of)) = (user?.id, rollups?);
        let counters = self.user_counters(user, &head, &buckets).await?;
        let empty = Counters::new();
        let rows = buckets.into_iter().map(|bucket| (bucket, counters.get(&bucket).unwrap_or(&empty), None));
        Ok(Response { headers: self.freshness_headers(as_of), ..render_buckets(rows)? })
    }

    /// Reads the summaries of the periods that have records.
    pub(super) async fn summaries(&self, head: &RollupsHead, periods: &[Period]) -> Result<BTreeMap<Period, Summary>> {
        let calendar = self.store.calendar();
        let parent = |period: &Period| Some(period_key(head.tree, calendar.period(period.step.parent()?, period.from)));
        let parents: BTreeSet<_> = periods.iter().filter_map(parent).collect();
        let documents = self.store.documents(&Vec::from_iter(parents)).await?;
        let rollups = documents.iter().map(|(key, text)| Ok((key, Rollup::decode(text)?)));
        let mut rollups: BTreeMap<_, _> = rollups.collect::<Result<_>>()?;
        let summary =
            |period: &Period| Some((*period, rollups.get_mut(&parent(period)?)?.children.remove(&period.from)?));
        Ok(periods.iter().filter_map(summary).collect())
    }

    /// Reads a user's counters in the periods that have any.
    async fn user_counters(
        &self,
        user: Id,
        head: &RollupsHead,
        periods: &[Period],
    ) -> Result<BTreeMap<Period, Counters>> {
        for _ in 0..MAX_ATTEMPTS {
            let summaries = self.summaries(head, periods).await?;
            let part = |(period, summary): (&Period, &Summary)| {
                let key = users_key(&period_key(head.tree, *period), summary.parts, part_of(user, summary.parts));
                (key, *period)
            };
            let parts: BTreeMap<_, _> = summaries.iter().map(part).collect();
            let documents = self.store.documents(&parts.keys().cloned().collect::<Vec<_>>()).await?;
            if documents.len() == parts.len() {
                let counters = documents.iter().map(|(key, text)| Ok((parts[key], Tallies::decode(text)?.of(user))));
                return counters.collect();
            }
        }
        Err(Error::unavailable())
    }
}

/// Returns the statistics that the counted resource declares.
pub(super) fn counted_statistics() -> Result<&'static Statistics> {
    resources::counted_resource().statistics.as_ref().ok_or_else(Error::fault)
}

/// Renders buckets, each with its counters and its number of distinct users.
fn render_buckets<'a>(rows: impl Iterator<Item = (Period, &'a Counters, Option<u64>)>) -> Result<Response> {
    let statistics = counted_statistics()?;
    let mut buckets = JsonArray::default();
    for (period, counters, users) in rows {
        if !buckets.add(render_bucket(statistics, period, counters, users).to_string()) {
            let detail = "The response would exceed 5 MB of JSON. Ask for a shorter interval.";
            return Err(Error::invalid_parameters(vec![Violation::parameter(
                "from",
                ViolationCode::OutOfRange.invalid_value(detail),
            )]));
        }
    }
    Ok(Response::new("application/json", buckets.to_json()))
}

fn render_bucket(statistics: &Statistics, period: Period, counters: &Counters, users: Option<u64>) -> Json {
    let counter = |name: &str| counters.get(name).copied().unwrap_or_default();
    let mut bucket = Map::new();
    bucket.insert("from".to_owned(), period.from().to_string().into());
    bucket.insert("to".to_owned(), period.to().to_string().into());
    for count in statistics.counts {
        let always =
            count.always.iter().map(|value| ((*value).to_owned(), counter(&format!("{}/{value}", count.member))));
        let by_value = counters.iter().filter_map(|(name, number)| {
            let value = name.strip_prefix(count.member)?.strip_prefix('/')?;
            Some((value.to_owned(), *number))
        });
        let mut values: Map<_, _> = always.map(|(value, number)| (value, Json::from(number))).collect();
        by_value.for_each(|(value, number)| drop(values.insert(value, number.into())));
        bucket.insert(count.member.to_owned(), values.into());
    }
    for measure in statistics.measures.iter().filter(|measure| measure.is_sum()) {
        bucket.insert(measure.name.to_owned(), counter(measure.name).into());
    }
    bucket.extend(users.map(|users| (statistics.distinct.0.to_owned(), users.into())));
    bucket.into()
}
