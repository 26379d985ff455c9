//! The layout of rollups in the table.
//!
//! | Key | Document |
//! | --- | --- |
//! | `rollups/segment/<start>` | the counters of all users in five minutes |
//! | `rollups/<tree>/<step>/<start>` | the [`Rollup`] of a period: its summary, and those of the periods in it |
//! | `rollups/<tree>/<step>/<start>/boards` | the highest users of each measure |
//! | `rollups/<tree>/<step>/<start>/users/<parts>/<part>` | the counters of the users in a part |
//!
//! A change of the time zone begins a new *tree*, because hours and all longer periods depend on it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::documents::READ_UNIT_BYTES;
use super::tallies::{Counters, Tallies};
use crate::error::{Error, Result};
use crate::schema::{Id, Period, SEGMENT_SECONDS, Statistics, Step};

/// Users that the document of boards has for each measure.
pub const BOARD_USERS: usize = 1_000;
/// Size of a part to aim at, in bytes. A read of a user's statistics reads one part of each period, and a refresh
/// writes the parts of users with a new event.
const PART_BYTES: usize = 4_096;
/// Approximate size of a user and of a counter in a part, in bytes, compressed.
const USER_BYTES: usize = 8;
const COUNTER_BYTES: usize = 3;

/// Sums of a period.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Number of parts with users.
    pub parts: u64,
    /// Size of all parts, each rounded up to whole read units, in bytes.
    pub bytes: u64,
    /// Number of different users.
    pub users: u64,
    /// Sums of all users' counters.
    pub totals: Counters,
}

/// A period: its own summary, and those of the next shorter periods in it, by their first second.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rollup {
    /// Summary of the whole period.
    pub summary: Summary,
    /// Summaries of the periods in it that have records.
    pub children: BTreeMap<i64, Summary>,
}

impl Rollup {
    /// Parse the stored form.
    ///
    /// # Errors
    /// 500 if it is not one.
    pub fn decode(text: &[u8]) -> Result<Self> {
        serde_json::from_slice(text).map_err(|_| Error::fault())
    }

    /// Serialize the stored form.
    ///
    /// # Errors
    /// 500 if JSON cannot be written, which does not happen.
    pub fn encode(&self) -> Result<Vec<u8>> {
        serde_json::to_vec(self).map_err(|_| Error::fault())
    }
}

impl Summary {
    /// Get the read units of all parts, read strongly.
    pub fn read_units(&self) -> u64 {
        // Earlier versions did not round the sizes.
        self.bytes.div_ceil(READ_UNIT_BYTES as u64).max(self.parts)
    }
}

/// Highest users of each measure, by its name. Each user is an identifier and a value.
pub type Boards = BTreeMap<String, Vec<(u64, u64)>>;

/// List the boards of a period.
pub fn boards(statistics: &Statistics, tallies: &Tallies) -> Boards {
    let board = |name: &str| {
        let ranking = tallies.ranking(name).into_iter().take(BOARD_USERS);
        ranking.map(|(user, value): (Id, u64)| (user.number(), value)).collect()
    };
    statistics.measures.iter().map(|measure| (measure.name.to_owned(), board(measure.name))).collect()
}

/// Choose the number of parts for the users of a period, a power of two. A number that is still suitable stays.
pub fn part_count(tallies: &Tallies, before: u64) -> u64 {
    let bytes = tallies.user_count() * USER_BYTES + tallies.counters() * COUNTER_BYTES;
    let ideal = bytes.div_ceil(PART_BYTES).next_power_of_two() as u64;
    if before == ideal * 2 || before * 2 == ideal && before > 1 { before } else { ideal }
}

/// Compute the first second of the segment of a second.
pub fn segment_of(second: i64) -> i64 {
    second.div_euclid(SEGMENT_SECONDS) * SEGMENT_SECONDS
}

/// Build the key of a segment.
pub fn segment_key(start: i64) -> String {
    format!("rollups/segment/{start}")
}

/// Build the key of the period of this length with this first second.
pub fn key(tree: u64, step: Step, start: i64) -> String {
    format!("rollups/{tree}/{}/{start}", step.name())
}

/// Build the key of a period.
pub fn period_key(tree: u64, period: Period) -> String {
    key(tree, period.step, period.from)
}

/// Build the key of the boards of a period.
pub fn boards_key(period: &str) -> String {
    format!("{period}/boards")
}

/// Build the key of a part with users of a period.
pub fn users_key(period: &str, parts: u64, part: u64) -> String {
    format!("{period}/users/{parts}/{part}")
}

/// List the keys of all parts with users of a period.
pub fn users_keys(period: &str, parts: u64) -> impl Iterator<Item = String> + use<> {
    let period = period.to_owned();
    (0..parts).map(move |part| users_key(&period, parts, part))
}
