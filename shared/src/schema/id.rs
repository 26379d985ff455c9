//! Identifiers, generated without a counter or a round trip. A counter would serialize all writers.
//!
//! An identifier has 41 bits of milliseconds and 12 bits that distinguish identifiers within a millisecond. Two
//! processes may generate the same number in the same millisecond. Every creation therefore requires that its key is
//! free, and otherwise generates another identifier.

use std::fmt;
use std::sync::Mutex;

use serde::{Deserialize, Serialize};

use super::Timestamp;
use super::digest::digest;

/// Largest integer in JSON: 2^53−1, the largest that a JavaScript number represents exactly.
pub const MAX_INTEGER: i64 = (1 << 53) - 1;

/// 2025-01-01T00:00:00Z in milliseconds since 1970. 41 bits from here last until the year 2094.
const EPOCH_MILLIS: i128 = 1_735_689_600_000;
const LOW_BITS: u32 = 12;

/// Identifier of a record: 1 … 2^53−1, unique within its resource and never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct Id(u64);

impl TryFrom<u64> for Id {
    type Error = &'static str;

    fn try_from(number: u64) -> Result<Self, Self::Error> {
        Self::new(number).ok_or("an identifier is between 1 and 9007199254740991")
    }
}

impl From<Id> for u64 {
    fn from(id: Id) -> Self {
        id.0
    }
}

impl Id {
    /// Creates the identifier with this number. `None` if it is out of range.
    pub fn new(number: u64) -> Option<Self> {
        (1..=MAX_INTEGER.unsigned_abs()).contains(&number).then_some(Self(number))
    }

    /// Parses the decimal digits of a path segment or a query value. Signs and leading zeros are rejected.
    pub fn parse(text: &str) -> Option<Self> {
        let is_canonical = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
        is_canonical.then(|| text.parse().ok().and_then(Self::new))?
    }

    /// Derives an identifier from a text: 53 bits of its hash.
    pub fn derived(text: &str) -> Self {
        let number = u64::from_str_radix(&digest(text)[..16], 16).unwrap_or_default() >> 11;
        Self(number.max(1))
    }

    pub fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A generator of identifiers that increase with time and never repeat.
#[derive(Debug, Default)]
pub struct IdGenerator {
    last: Mutex<u64>,
}

impl IdGenerator {
    /// Generates an identifier for the current time, larger than all previous identifiers of this generator.
    ///
    /// The random number fills the low bits, so collisions between processes are rare.
    pub fn generate(&self, now: Timestamp, random: u64) -> Id {
        let millis = u64::try_from(now.unix_millis() - EPOCH_MILLIS).unwrap_or_default();
        let candidate = (millis << LOW_BITS) | (random & ((1 << LOW_BITS) - 1));
        let mut last = self.last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *last = candidate.max(*last + 1);
        nearest(*last)
    }
}

/// Returns the time when an identifier was generated, to the millisecond.
pub fn time_of(id: Id) -> Timestamp {
    let millis = i128::from(id.number() >> LOW_BITS) + EPOCH_MILLIS;
    Timestamp::from_unix_millis(millis).unwrap_or_else(Timestamp::now)
}

fn nearest(number: u64) -> Id {
    Id::new(number.clamp(1, MAX_INTEGER.unsigned_abs())).unwrap_or_else(|| unreachable!("clamped into range"))
}
