//! Queries of statistics and leaderboards.

use time::Duration;

use super::query;
use crate::error::{Error, InvalidValue, Result, Violation, ViolationCode};
use crate::schema::scalar::{self, Scalar};
use crate::schema::{Calendar, Id, Period, Step, Timestamp, Value};

/// Maximum number of buckets in one response.
pub const MAX_BUCKETS: usize = 1_000;
/// Interval of a query without `from`.
const DEFAULT_INTERVAL: Duration = Duration::days(30);
/// Maximum number of places of a leaderboard.
pub const MAX_PLACES: usize = 1_000;
/// Number of places of a leaderboard in a query without `limit`.
const DEFAULT_PLACES: usize = 10;

/// A query for statistics: the buckets of an interval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatisticsQuery {
    /// Buckets, oldest first.
    pub buckets: Vec<Period>,
}

/// A query for a leaderboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardQuery {
    pub interval: BoardInterval,
    /// Maximum number of places.
    pub limit: usize,
}

/// The interval of a leaderboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardInterval {
    /// All time.
    All,
    /// Whole hours: the first second, and the first one after the interval.
    Hours(i64, i64),
    /// An interval that is not rounded.
    Exact(ExactInterval),
}

/// An interval that is not rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactInterval {
    /// First moment.
    pub from: Timestamp,
    /// First moment after the interval; unbounded if `None`.
    pub to: Option<Timestamp>,
}

impl ExactInterval {
    /// Parses a query string with nothing but an exact interval.
    ///
    /// # Errors
    /// 400 with all violations.
    pub fn parse(text: &str) -> Result<Self> {
        IntervalParameters::parse(text, "from and to", |_, _| None).exact()
    }
}

/// Values of the parameters that both queries share.
#[derive(Default)]
struct IntervalParameters {
    from: Option<Timestamp>,
    to: Option<Timestamp>,
    /// Whether the query has `from`, valid or not.
    has_from: bool,
    violations: Vec<Violation>,
}

impl IntervalParameters {
    /// Parses a query string. `parse_other` parses the parameters other than the interval, and returns `None` for an
    /// unknown parameter.
    fn parse(
        text: &str,
        accepted: &str,
        mut parse_other: impl FnMut(&str, &str) -> Option<Result<(), InvalidValue>>,
    ) -> Self {
        let mut parsed = Self::default();
        for (name, value) in query::parameters(text) {
            parsed.has_from |= name == "from";
            let result = value.and_then(|value| match name.as_str() {
                "from" => time(&value).map(|time| parsed.from = Some(time)),
                "to" => time(&value).map(|time| parsed.to = Some(time)),
                _ => parse_other(&name, &value).unwrap_or_else(|| {
                    Err(ViolationCode::UnknownField
                        .invalid_value(format!("Unknown parameter. This route takes {accepted}.")))
                }),
            });
            parsed.violations.extend(result.err().map(|invalid| Violation::parameter(&name, invalid)));
        }
        parsed
    }

    fn reject(&mut self, parameter: &str, detail: impl Into<String>) {
        self.violations.push(Violation::parameter(parameter, ViolationCode::OutOfRange.invalid_value(detail)));
    }

    /// Checks that an interval is not empty.
    fn check_interval(&mut self, from: Timestamp, to: Timestamp) {
        if from >= to && self.violations.is_empty() {
            self.reject("from", "Must be before `to`, which defaults to now.");
        }
    }

    /// Returns the interval if it is valid and complete.
    fn exact(mut self) -> Result<ExactInterval> {
        match (self.from, self.to) {
            (None, _) if !self.has_from => {
                let missing =
                    ViolationCode::Required.invalid_value("Required: an exact interval needs a first moment.");
                self.violations.push(Violation::parameter("from", missing));
            }
            (Some(from), Some(to)) => self.check_interval(from, to),
            _ => {}
        }
        let (from, to) = (self.from.unwrap_or_else(Timestamp::first), self.to);
        self.finish(|| ExactInterval { from, to })
    }

    fn finish<T>(self, query: impl FnOnce() -> T) -> Result<T> {
        if self.violations.is_empty() { Ok(query()) } else { Err(Error::invalid_parameters(self.violations)) }
    }
}

fn time(text: &str) -> Result<Timestamp, InvalidValue> {
    match (scalar::Time::CODEC.from_text)(text)? {
        Value::Time(time) => Ok(time),
        _ => Err(ViolationCode::InvalidFormat.invalid_value("Must be a time.")),
    }
}

/// Rounds a time up to a full second.
fn ceiling(time: Timestamp) -> i64 {
    let seconds = time.unix_seconds();
    seconds + i64::from(Timestamp::from_unix_seconds(seconds) != Some(time))
}

impl StatisticsQuery {
    /// Parses a query string.
    ///
    /// # Errors
    /// 400 with all violations.
    pub fn parse(text: &str, calendar: &Calendar, now: Timestamp) -> Result<Self> {
        let mut step = Step::Day;
        let mut parameters = IntervalParameters::parse(text, "from, to and by", |name, value| {
            let parsed = Step::BUCKETS.into_iter().find(|step| step.name() == value);
            let invalid = || ViolationCode::OutOfRange.invalid_value("Must be hour, day, month or year.");
            (name == "by").then(|| parsed.map(|parsed| step = parsed).ok_or_else(invalid))
        });
        let to = parameters.to.unwrap_or(now);
        let from = parameters.from.or_else(|| to.checked_add(-DEFAULT_INTERVAL)).unwrap_or_else(Timestamp::first);
        parameters.check_interval(from, to);
        let buckets_by = |step| calendar.periods(step, from.unix_seconds(), ceiling(to), MAX_BUCKETS);
        let buckets = buckets_by(step);
        if buckets.is_none() && parameters.violations.is_empty() {
            let larger = Step::BUCKETS.into_iter().find(|larger| *larger > step && buckets_by(*larger).is_some());
            let advice = larger.map_or_else(|| "a shorter interval".to_owned(), |step| format!("by={}", step.name()));
            parameters.reject("by", format!("There are more than {MAX_BUCKETS} buckets. Use {advice}."));
        }
        parameters.finish(|| Self { buckets: buckets.unwrap_or_default() })
    }
}

impl BoardQuery {
    /// Parses a query string. A leaderboard without intervals is about the present.
    ///
    /// # Errors
    /// 400 with all violations.
    pub fn parse(text: &str, calendar: &Calendar, now: Timestamp, has_interval: bool) -> Result<Self> {
        let (mut limit, mut is_exact) = (DEFAULT_PLACES, false);
        let accepted = if has_interval { "from, to, exact and limit" } else { "limit" };
        let mut parameters = IntervalParameters::parse(text, accepted, |name, value| match name {
            "limit" => {
                let number = Id::parse(value).and_then(|number| usize::try_from(number.number()).ok());
                let number = number.filter(|number| *number <= MAX_PLACES);
                let invalid = || {
                    let code = ViolationCode::of_integer(value);
                    code.invalid_value(format!("Must be an integer between 1 and {MAX_PLACES}."))
                };
                Some(number.map(|number| limit = number).ok_or_else(invalid))
            }
            "exact" if has_interval => {
                let invalid = |_| ViolationCode::InvalidFormat.invalid_value("Must be true or false.");
                Some(value.parse().map(|flag| is_exact = flag).map_err(invalid))
            }
            _ => None,
        });
        if is_exact {
            return Ok(Self { interval: BoardInterval::Exact(parameters.exact()?), limit });
        }
        let (from, to) = (parameters.from, parameters.to);
        let times = [("from", from), ("to", to)].into_iter().filter(|(_, time)| time.is_some());
        for (name, _) in times.filter(|_| !has_interval) {
            parameters.reject(name, "This leaderboard has only current values. Omit the parameter.");
        }
        if from.is_none() && to.is_none() {
            return parameters.finish(|| Self { interval: BoardInterval::All, limit });
        }
        let end = to.unwrap_or(now);
        parameters.check_interval(from.unwrap_or_else(Timestamp::first), end);
        let hour = |second| calendar.period(Step::Hour, second);
        let first = from.map_or_else(|| calendar.period(Step::All, 0).from, |from| hour(from.unix_seconds()).from);
        let interval = BoardInterval::Hours(first, hour(ceiling(end) - 1).to);
        parameters.finish(|| Self { interval, limit })
    }
}
