//! Queries of statistics and leaderboards.

use time::Duration;

use crate::error::{Error, InvalidValue, Result, Rule, Violation};
use crate::request::query;
use crate::schema::scalar::{self, Scalar};
use crate::schema::{Calendar, Id, Period, Step, Timestamp, Value};

/// The maximum number of buckets in one response.
pub const MAX_BUCKETS: usize = 1_000;
/// The interval of a query without `from`.
const DEFAULT_INTERVAL: Duration = Duration::days(30);
/// The number of places of a leaderboard in a query without `limit`.
const DEFAULT_PLACES: usize = 10;

/// A query of statistics: the buckets of an interval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatisticsQuery {
    /// The buckets, the oldest first.
    pub buckets: Vec<Period>,
}

/// A query of a leaderboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardQuery {
    /// The first and the last second after the interval, in whole hours. None for all time.
    pub interval: Option<(i64, i64)>,
    /// The maximum number of places.
    pub limit: usize,
}

/// The values of the parameters that both queries share.
#[derive(Default)]
struct Parameters {
    from: Option<Timestamp>,
    to: Option<Timestamp>,
    violations: Vec<Violation>,
}

impl Parameters {
    /// Parses a query string. `own` takes the parameters that are not part of an interval, and returns `None` for an
    /// unknown one.
    fn parse(text: &str, known: &str, mut own: impl FnMut(&str, &str) -> Option<Result<(), InvalidValue>>) -> Self {
        let mut parsed = Self::default();
        for (name, value) in query::parameters(text) {
            let taken = value.and_then(|value| match name.as_str() {
                "from" => time(&value).map(|time| parsed.from = Some(time)),
                "to" => time(&value).map(|time| parsed.to = Some(time)),
                _ => own(&name, &value).unwrap_or_else(|| {
                    Err(Rule::UnknownField.violation(format!("Unknown parameter. This route takes {known}.")))
                }),
            });
            parsed.violations.extend(taken.err().map(|invalid| Violation::parameter(&name, invalid)));
        }
        parsed
    }

    fn refuse(&mut self, parameter: &str, detail: impl Into<String>) {
        self.violations.push(Violation::parameter(parameter, Rule::OutOfRange.violation(detail)));
    }

    /// Checks that an interval is not empty.
    fn check(&mut self, from: Timestamp, to: Timestamp) {
        if from >= to && self.violations.is_empty() {
            self.refuse("from", "Must be before `to`, which is now by default.");
        }
    }

    fn end<T>(self, query: impl FnOnce() -> T) -> Result<T> {
        if self.violations.is_empty() { Ok(query()) } else { Err(Error::invalid_parameters(self.violations)) }
    }
}

fn time(text: &str) -> Result<Timestamp, InvalidValue> {
    match (scalar::Time::CODEC.from_text)(text)? {
        Value::Time(time) => Ok(time),
        _ => Err(Rule::InvalidFormat.violation("Must be a time.")),
    }
}

/// Returns the first second after a time, or the time itself if it is a whole second.
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
        let mut parameters = Parameters::parse(text, "from, to and by", |name, value| {
            let named = Step::BUCKETS.into_iter().find(|step| step.name() == value);
            let invalid = || Rule::OutOfRange.violation("Must be hour, day, month or year.");
            (name == "by").then(|| named.map(|named| step = named).ok_or_else(invalid))
        });
        let to = parameters.to.unwrap_or(now);
        let from = parameters.from.or_else(|| to.shifted(-DEFAULT_INTERVAL)).unwrap_or_else(Timestamp::first);
        parameters.check(from, to);
        let of = |step| calendar.periods(step, from.unix_seconds(), ceiling(to), MAX_BUCKETS);
        let buckets = of(step);
        if buckets.is_none() && parameters.violations.is_empty() {
            let larger = Step::BUCKETS.into_iter().find(|larger| *larger > step && of(*larger).is_some());
            let advice = larger.map_or_else(|| "a shorter interval".to_owned(), |step| format!("by={}", step.name()));
            parameters.refuse("by", format!("There are more than {MAX_BUCKETS} buckets. Use {advice}."));
        }
        parameters.end(|| Self { buckets: buckets.unwrap_or_default() })
    }
}

impl BoardQuery {
    /// Parses a query string. A board without an interval is about the present.
    ///
    /// # Errors
    /// 400 with all violations.
    pub fn parse(text: &str, calendar: &Calendar, now: Timestamp, has_interval: bool) -> Result<Self> {
        let mut limit = DEFAULT_PLACES;
        let known = if has_interval { "from, to and limit" } else { "limit" };
        let mut parameters = Parameters::parse(text, known, |name, value| {
            let number = Id::parse(value).and_then(|number| usize::try_from(number.number()).ok());
            let number = number.filter(|number| *number <= super::MAX_PLACES);
            let invalid = || {
                Rule::of_integer(value).violation(format!("Must be an integer between 1 and {}.", super::MAX_PLACES))
            };
            (name == "limit").then(|| number.map(|number| limit = number).ok_or_else(invalid))
        });
        let (from, to) = (parameters.from, parameters.to);
        for (name, _) in [("from", from), ("to", to)].into_iter().filter(|(_, time)| time.is_some() && !has_interval) {
            parameters.refuse(name, "This leaderboard has the present values only. Leave the parameter out.");
        }
        let interval =
            (from.is_some() || to.is_some()).then(|| (from.unwrap_or_else(Timestamp::first), to.unwrap_or(now)));
        if let Some((from, to)) = interval {
            parameters.check(from, to);
        }
        let hour = |second| calendar.period(Step::Hour, second);
        let first = from.map_or_else(|| calendar.period(Step::All, 0).from, |from| hour(from.unix_seconds()).from);
        let hours = interval.map(|(_, to)| (first, hour(ceiling(to) - 1).to));
        parameters.end(|| Self { interval: hours, limit })
    }
}
