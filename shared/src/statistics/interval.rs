//! Intervals of leaderboards: the periods that make them up, and their cost.

use std::collections::BTreeMap;
use std::ops::Range;

use super::rollup::Summary;
use crate::schema::{Calendar, Period, Step};

/// Maximum number of read units for a leaderboard of several periods.
pub const MAX_UNITS: f64 = 500.0;

/// Cost of a leaderboard of several periods.
pub struct Costs<'a> {
    /// Periods in chronological order.
    pub periods: &'a [Period],
    /// Sums of the periods.
    pub summaries: &'a BTreeMap<Period, Summary>,
    /// Read units spent before the parts of the periods are read.
    pub spent: f64,
    /// Maximum number of users to read.
    pub limit: usize,
}

impl Costs<'_> {
    /// Returns true if a leaderboard of these periods, with at most `user_count` users, does not cost too much.
    pub fn allow(&self, range: Range<usize>, user_count: usize) -> bool {
        let parts = |period: &Period| self.summaries.get(period).map_or(0, Summary::read_units);
        let parts: u64 = self.periods[range].iter().map(parts).sum();
        let users = user_count.min(self.limit) as u64;
        f64::from(u32::try_from(parts + users).unwrap_or(u32::MAX)) + self.spent <= MAX_UNITS
    }

    /// Returns the maximum number of users in a range of the periods.
    pub fn max_users(&self, range: Range<usize>) -> usize {
        let users = |period: &Period| self.summaries.get(period).map_or(0, |summary| summary.users);
        usize::try_from(self.periods[range].iter().map(users).sum::<u64>()).unwrap_or(usize::MAX)
    }

    /// Finds the interval nearest to all periods that does not cost too much. `count_users` returns the number of users
    /// in a range of the periods. The interval ends earlier, starts later, or is a calendar period at one of the ends.
    pub fn nearest(&self, calendar: &Calendar, count_users: impl Fn(Range<usize>) -> usize) -> Period {
        let count = self.periods.len();
        let fits = |range: Range<usize>| self.allow(range.clone(), count_users(range));
        let lengths: Vec<_> = (1..count).collect();
        let start_length = lengths.partition_point(|length| fits(0..*length));
        let end_length = lengths.partition_point(|length| fits(count - length..count));
        let (from, to) = (self.periods[0].from, self.periods[count - 1].to);
        let shorter = [
            self.periods[..start_length].last().map(|end| Period { from, ..*end }),
            self.periods[count - end_length..].first().map(|start| Period { to, ..*start }),
        ];
        let calendar_periods =
            Step::ALL.into_iter().flat_map(|step| [calendar.period(step, from), calendar.period(step, to - 1)]);
        let distance = |period: &Period| (period.from - from).abs() + (period.to - to).abs();
        let nearest = shorter.into_iter().flatten().chain(calendar_periods).min_by_key(distance);
        nearest.unwrap_or_else(|| calendar.period(Step::All, 0))
    }
}

/// Finds the fewest periods that make up an interval of whole hours.
pub fn cover(calendar: &Calendar, from: i64, to: i64) -> Vec<Period> {
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
