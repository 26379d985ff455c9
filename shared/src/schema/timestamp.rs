//! Timestamps, and their formats in JSON and in the table. The texts in the table all have the same length, so they
//! sort by time.

use serde::{Deserialize, Serialize};
use std::fmt;

use time::format_description::BorrowedFormatItem;
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;
use time::{Duration, OffsetDateTime, UtcOffset};

/// Position of the colon before the seconds in RFC 3339.
const SECONDS: usize = 16;
/// Length of a date.
pub(super) const DATE: usize = 10;
/// RFC 3339 with nine fractional digits.
const SORTABLE: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:9]Z");
/// First moment of the year 1.
const FIRST: OffsetDateTime = time::macros::datetime!(0001-01-01 00:00 UTC);

/// Maximum difference between the clocks of two functions.
pub const MAX_CLOCK_SKEW: Duration = Duration::seconds(1);

/// Maximum time that a function runs.
const MAX_RUN: Duration = Duration::minutes(5);

/// A time in UTC with nanosecond precision, in the years 1 to 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Timestamp(OffsetDateTime);

impl From<Timestamp> for String {
    fn from(time: Timestamp) -> Self {
        time.to_string()
    }
}

impl TryFrom<String> for Timestamp {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("not a timestamp")
    }
}

impl Timestamp {
    /// Reads the system clock.
    pub fn now() -> Self {
        Self(OffsetDateTime::now_utc())
    }

    /// Returns the earliest time that a record can have.
    pub fn first() -> Self {
        Self(FIRST)
    }

    /// Parses RFC 3339 with any offset and at most nine fractional digits. This type cannot represent a leap second,
    /// which becomes the second before it.
    pub fn parse(text: &str) -> Option<Self> {
        // The library accepts any character between the date and the time.
        if !text.as_bytes().get(DATE).is_some_and(|separator| b"Tt ".contains(separator)) {
            return None;
        }
        let fraction = text.split_once('.').map_or(0, |(_, rest)| rest.bytes().take_while(u8::is_ascii_digit).count());
        if fraction > 9 {
            return None;
        }
        let moment = match text.split_at_checked(SECONDS) {
            Some((minute, rest)) if rest.starts_with(":60") => {
                OffsetDateTime::parse(&format!("{minute}:59{}", &rest[3..]), &Rfc3339)
            }
            _ => OffsetDateTime::parse(text, &Rfc3339),
        };
        let moment = moment.ok()?;
        Self::in_range(moment.checked_to_offset(UtcOffset::UTC)?)
    }

    /// Returns the milliseconds since 1970, for the time part of identifiers.
    pub fn unix_millis(self) -> i128 {
        self.0.unix_timestamp_nanos() / 1_000_000
    }

    /// Returns the nanoseconds since 1970, for comparisons in the table.
    pub fn unix_nanos(self) -> i128 {
        self.0.unix_timestamp_nanos()
    }

    /// Returns the whole seconds since 1970, the format of the table's TTL attribute.
    pub fn unix_seconds(self) -> i64 {
        self.0.unix_timestamp()
    }

    /// Converts seconds since 1970. `None` if the result is out of range.
    pub fn from_unix_seconds(seconds: i64) -> Option<Self> {
        Self::in_range(OffsetDateTime::from_unix_timestamp(seconds).ok()?)
    }

    /// Converts milliseconds since 1970. `None` if the result is out of range.
    pub fn from_unix_millis(millis: i128) -> Option<Self> {
        Self::in_range(OffsetDateTime::from_unix_timestamp_nanos(millis * 1_000_000).ok()?)
    }

    /// Returns true if a time that was set at most `wait` ahead has passed. If it is further ahead, the clock has been
    /// set back since, and the time counts as passed. `now` may be the time when a function was called.
    pub fn has_passed(self, now: Self, wait: Duration) -> bool {
        self < now || now.checked_add(wait + MAX_RUN).is_some_and(|latest| latest < self)
    }

    /// Adds one nanosecond. `None` if the result is out of range.
    pub fn successor(self) -> Option<Self> {
        self.checked_add(Duration::NANOSECOND)
    }

    /// Subtract one nanosecond. `None` if the result is out of range.
    pub fn predecessor(self) -> Option<Self> {
        self.checked_add(-Duration::NANOSECOND)
    }

    /// Adds a duration. `None` if the result is out of range.
    pub fn checked_add(self, by: Duration) -> Option<Self> {
        Self::in_range(self.0.checked_add(by)?)
    }

    /// Formats the time with nine fractional digits, so the texts sort by time.
    pub fn sortable(self) -> String {
        // Only years of more than four digits cannot be formatted.
        self.0.format(SORTABLE).unwrap_or_default()
    }

    fn in_range(moment: OffsetDateTime) -> Option<Self> {
        (1..=9999).contains(&moment.year()).then_some(Self(moment))
    }
}

/// Serialization of a timestamp as a text that sorts by time, for `#[serde(with = "sortable")]`.
pub mod sortable {
    use super::{Deserialize, Timestamp};
    use serde::{Deserializer, Serializer};

    /// Writes the timestamp with nine fractional digits.
    ///
    /// # Errors
    /// If the serializer fails.
    pub fn serialize<S: Serializer>(time: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&time.sortable())
    }

    /// Reads RFC 3339.
    ///
    /// # Errors
    /// If the text is not a timestamp.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
        Timestamp::deserialize(deserializer)
    }
}

/// Serialization of a timestamp as seconds since 1970, the format of the table's TTL attribute.
///
/// Use it with `#[serde(with = "unix_seconds")]`.
pub mod unix_seconds {
    use super::{Deserialize, Timestamp};
    use serde::de::Error;
    use serde::{Deserializer, Serialize, Serializer};

    /// Writes whole seconds.
    ///
    /// # Errors
    /// If the serializer fails.
    pub fn serialize<S: Serializer>(time: &Option<Timestamp>, serializer: S) -> Result<S::Ok, S::Error> {
        time.map(Timestamp::unix_seconds).serialize(serializer)
    }

    /// Reads whole seconds.
    ///
    /// # Errors
    /// If the seconds are out of range.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Timestamp>, D::Error> {
        let seconds = Option::<i64>::deserialize(deserializer)?;
        let time = Timestamp::from_unix_seconds;
        seconds.map(|seconds| time(seconds).ok_or_else(|| D::Error::custom("out of range"))).transpose()
    }
}

/// Format the time as in JSON, without trailing zeros in the fraction.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.format(&Rfc3339).map_err(|_| fmt::Error)?)
    }
}
