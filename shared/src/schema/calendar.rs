//! Hours, days, months and years in the time zone of a deployment.
//!
//! All boundaries are multiples of five minutes, like all offsets from UTC. Offsets from before time zones are rounded.
//!
//! ```
//! use capture_core::schema::{Calendar, Step, Timestamp};
//!
//! let berlin = Calendar::named("Europe/Berlin").expect("a time zone");
//! let noon = Timestamp::parse("2026-10-25T12:00:00Z").expect("a time");
//! let day = berlin.period(Step::Day, noon.unix_seconds());
//! assert_eq!(day.from().to_string(), "2026-10-24T22:00:00Z");
//! assert_eq!(day.to - day.from, 25 * 3_600, "clocks are set back by an hour");
//! ```

use jiff::tz::TimeZone;
use time::{Date, Duration, Month};

use super::Timestamp;

/// Length of a segment, in seconds. Every offset from UTC is a multiple of it.
pub const SEGMENT_SECONDS: i64 = 300;
const HOUR_SECONDS: i64 = 3_600;
const DAY_SECONDS: i64 = 86_400;
/// First second that a [`Timestamp`] can have, and the first second after its range, since 1970.
const FIRST_SECOND: i64 = -62_135_596_800;
const END_SECOND: i64 = 253_402_300_800;
/// Bounds of all time. Local days can start up to a day before the first second and end up to a day after the last.
const ALL_TIME: (i64, i64) = (FIRST_SECOND - 2 * DAY_SECONDS, END_SECOND + 2 * DAY_SECONDS);
/// Julian day number of 1970-01-01.
const JULIAN_1970: i64 = 2_440_588;

/// The calendar of a time zone.
#[derive(Clone, Debug)]
pub struct Calendar {
    name: String,
    zone: TimeZone,
}

/// Length of a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// An hour on the clock. It is shorter if the clocks change by half an hour.
    Hour,
    /// A day. It has 23 to 25 hours if the clocks change.
    Day,
    /// A month.
    Month,
    /// A year.
    Year,
    /// All time.
    All,
}

/// An interval of a calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Period {
    pub step: Step,
    /// First second, since 1970.
    pub from: i64,
    /// First second after the period, since 1970.
    pub to: i64,
}

impl Step {
    /// Every length, shortest first.
    pub const ALL: [Self; 5] = [Self::Hour, Self::Day, Self::Month, Self::Year, Self::All];

    /// Lengths that a client can request, shortest first.
    pub const BUCKETS: [Self; 4] = [Self::Hour, Self::Day, Self::Month, Self::Year];

    /// Returns the name that queries and keys use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hour => "hour",
            Self::Day => "day",
            Self::Month => "month",
            Self::Year => "year",
            Self::All => "all",
        }
    }

    /// Returns the next shorter length. `None` for an hour.
    pub fn child(self) -> Option<Self> {
        Self::ALL.into_iter().rfind(|step| *step < self)
    }

    /// Returns the next longer length. `None` for all time.
    pub fn parent(self) -> Option<Self> {
        Self::ALL.into_iter().find(|step| *step > self)
    }
}

impl Period {
    /// Returns the start of the period.
    pub fn from(self) -> Timestamp {
        moment(self.from)
    }

    /// Returns the exclusive end of the period. At the end of the year 9999, this is the last moment before it.
    pub fn to(self) -> Timestamp {
        moment(self.to)
    }
}

impl Default for Calendar {
    fn default() -> Self {
        Self { name: "UTC".to_owned(), zone: TimeZone::UTC }
    }
}

impl Calendar {
    /// Loads the calendar of a time zone by its IANA name, such as `Europe/Berlin`. `None` if the name is unknown.
    pub fn named(name: &str) -> Option<Self> {
        let zone = TimeZone::get(name).ok()?;
        Some(Self { name: zone.iana_name().unwrap_or(name).to_owned(), zone })
    }

    /// Returns the IANA name of the time zone.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the period of this length that contains a second.
    pub fn period(&self, step: Step, second: i64) -> Period {
        let second = second.clamp(FIRST_SECOND, END_SECOND - 1);
        let (from, to) = match step {
            Step::Hour => self.hour(second),
            Step::Day => {
                let day = self.day_of(second);
                (self.start_of(day), self.start_of(day + 1))
            }
            Step::Month | Step::Year => {
                let date = date(self.day_of(second));
                let first = if step == Step::Month { date.month() } else { Month::January };
                let next = match (step, first) {
                    (Step::Month, Month::December) | (Step::Year, _) => (date.year() + 1, Month::January),
                    _ => (date.year(), first.next()),
                };
                (self.month_start(date.year(), first), self.month_start(next.0, next.1))
            }
            Step::All => ALL_TIME,
        };
        // The first and the last period of each length extend to the bounds of all time.
        let from = if from <= FIRST_SECOND { ALL_TIME.0 } else { from };
        let to = if to >= END_SECOND { ALL_TIME.1 } else { to };
        Period { step, from, to }
    }

    /// Returns the periods of this length that overlap an interval, oldest first. `None` if there are more than `max`.
    pub fn periods(&self, step: Step, from: i64, to: i64, max: usize) -> Option<Vec<Period>> {
        let (mut periods, mut second) = (Vec::new(), from.max(FIRST_SECOND));
        while second < to.min(END_SECOND) {
            if periods.len() == max {
                return None;
            }
            let period = self.period(step, second);
            second = period.to;
            periods.push(period);
        }
        Some(periods)
    }

    /// Returns the offset of local time from UTC, in seconds. It is constant within each five minutes.
    fn offset(&self, second: i64) -> i64 {
        let second = second.div_euclid(SEGMENT_SECONDS) * SEGMENT_SECONDS;
        let (min, max) = (jiff::Timestamp::MIN.as_second(), jiff::Timestamp::MAX.as_second());
        let moment = jiff::Timestamp::from_second(second.clamp(min, max)).unwrap_or_default();
        let exact = i64::from(self.zone.to_offset(moment).seconds());
        (exact + SEGMENT_SECONDS / 2).div_euclid(SEGMENT_SECONDS) * SEGMENT_SECONDS
    }

    /// Returns the bounds of the hour that contains a second. A change of the offset ends an hour.
    fn hour(&self, second: i64) -> (i64, i64) {
        let offset = self.offset(second);
        let from = (second + offset).div_euclid(HOUR_SECONDS) * HOUR_SECONDS - offset;
        let segment = second.div_euclid(SEGMENT_SECONDS) * SEGMENT_SECONDS;
        let has_offset = |start: &i64| self.offset(*start) == offset;
        let steps = || 0..HOUR_SECONDS / SEGMENT_SECONDS;
        let before = steps().map(|step| segment - step * SEGMENT_SECONDS).take_while(|start| *start >= from);
        let after =
            steps().map(|step| segment + step * SEGMENT_SECONDS).take_while(|start| *start < from + HOUR_SECONDS);
        let first = before.take_while(has_offset).last().unwrap_or(segment);
        let last = after.take_while(has_offset).last().unwrap_or(segment);
        (first, last + SEGMENT_SECONDS)
    }

    /// Returns the number of the local day since 1970-01-01.
    fn day_of(&self, second: i64) -> i64 {
        let day = self.local_day(second);
        // If the clocks are set back across midnight, the later day has already started.
        if self.start_of(day + 1) <= second { day + 1 } else { day }
    }

    fn local_day(&self, second: i64) -> i64 {
        (second + self.offset(second)).div_euclid(DAY_SECONDS)
    }

    /// Returns the first second of a local day: the first with this date or a later one.
    fn start_of(&self, day: i64) -> i64 {
        let utc = day * DAY_SECONDS;
        let mut start = utc - self.offset(utc - DAY_SECONDS / 2);
        while self.local_day(start - SEGMENT_SECONDS) >= day {
            start -= SEGMENT_SECONDS;
        }
        while self.local_day(start) < day {
            start += SEGMENT_SECONDS;
        }
        start
    }

    /// Returns the first second of a month. All time starts with the first month of the year 1 and ends with the last
    /// month of the year 9999.
    fn month_start(&self, year: i32, month: Month) -> i64 {
        match Date::from_calendar_date(year, month, 1) {
            Ok(date) if (year, u8::from(month)) > (1, 1) => {
                self.start_of(i64::from(date.to_julian_day()) - JULIAN_1970)
            }
            Ok(_) => ALL_TIME.0,
            Err(_) => ALL_TIME.1,
        }
    }
}

/// Converts a number of days since 1970-01-01 to a date, clamped to the years 1 to 9999.
fn date(day: i64) -> Date {
    let first = Date::from_calendar_date(1, Month::January, 1).unwrap_or(Date::MIN);
    let day = i32::try_from(day + JULIAN_1970).unwrap_or_default();
    Date::from_julian_day(day.clamp(first.to_julian_day(), Date::MAX.to_julian_day())).unwrap_or(first)
}

/// Converts a second to a time, clamped to the range of a timestamp.
fn moment(second: i64) -> Timestamp {
    let last = || Timestamp::from_unix_seconds(END_SECOND - 1)?.checked_add(Duration::nanoseconds(999_999_999));
    Timestamp::from_unix_seconds(second.max(FIRST_SECOND))
        .or_else(last)
        .unwrap_or_else(|| unreachable!("both bounds are in range"))
}
