//! The layout of rollups in the table.
//!
//! | Key | Document |
//! | --- | --- |
//! | `rollups/segment/<start>` | the counters of all users in five minutes |
//! | `rollups/<tree>/<step>/<start>` | the [`Rollup`] of a period: its summary, and those of the periods in it |
//! | `rollups/<tree>/<step>/<start>/boards` | the highest users of each measure |
//! | `rollups/<tree>/<step>/<start>/users/<parts>/<part>` | the counters of the users in a part |
//!
//! A change of the time zone starts a new *tree*, since hours and all longer periods depend on it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::documents::READ_UNIT_BYTES;
use super::tallies::{Counters, Tallies};
use crate::error::{Error, Result};
use crate::schema::{Id, Period, SEGMENT_SECONDS, Statistics, Step};

/// Number of users per measure in the boards document.
pub const BOARD_USERS: usize = 1_000;
/// Target size of a part, in bytes. Reading a user's statistics reads one part of each period, and a refresh writes the
/// parts of users with a new event.
const PART_BYTES: usize = 4_096;
/// Approximate compressed size of a user and of a counter in a part, in bytes.
const USER_BYTES: usize = 8;
const COUNTER_BYTES: usize = 3;

/// Sums of a period.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Number of parts that hold the users.
    pub parts: u64,
    /// Total size of the parts in bytes, each rounded up to whole read units.
    pub bytes: u64,
    /// Number of distinct users.
    pub users: u64,
    /// Sums of all users' counters.
    pub totals: Counters,
}

/// A period's summary, and those of the next shorter periods in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rollup {
    /// Summary of the period.
    pub summary: Summary,
    /// Summaries of the shorter periods that have records, by their first second.
    pub children: BTreeMap<i64, Summary>,
}

impl Rollup {
    /// Parses the stored form.
    ///
    /// # Errors
    /// 500 if it is malformed.
    pub fn decode(text: &[u8]) -> Result<Self> {
        serde_json::from_slice(text).map_err(|_| Error::fault())
    }

    /// Serializes the stored form.
    ///
    /// # Errors
    /// 500 if JSON cannot be written, which does not happen.
    pub fn encode(&self) -> Result<Vec<u8>> {
        serde_json::to_vec(self).map_err(|_| Error::fault())
    }
}

impl Summary {
    /// Returns the read units of all parts in a strongly consistent read.
    pub fn read_units(&self) -> u64 {
        self.bytes / READ_UNIT_BYTES as u64
    }
}

/// Highest users of each measure, by the measure's name. Each user is an identifier and a value.
pub type Boards = BTreeMap<String, Vec<(u64, u64)>>;

/// Returns the boards of a period.
pub fn boards(statistics: &Statistics, tallies: &Tallies) -> Boards {
    let board = |name: &str| {
        let ranking = tallies.ranking(name).into_iter().take(BOARD_USERS);
        ranking.map(|(user, value): (Id, u64)| (user.number(), value)).collect()
    };
    statistics.measures.iter().map(|measure| (measure.name.to_owned(), board(measure.name))).collect()
}

/// Chooses the number of parts for a period's users, a power of two. A number that is still suitable is kept.
pub fn part_count(tallies: &Tallies, before: u64) -> u64 {
    let bytes = tallies.user_count() * USER_BYTES + tallies.counter_count() * COUNTER_BYTES;
    let ideal = bytes.div_ceil(PART_BYTES).next_power_of_two() as u64;
    if before == ideal * 2 || before * 2 == ideal && before > 1 { before } else { ideal }
}

/// Returns the first second of the segment that contains a second.
pub fn segment_of(second: i64) -> i64 {
    second.div_euclid(SEGMENT_SECONDS) * SEGMENT_SECONDS
}

/// Returns the key of a segment.
pub fn segment_key(start: i64) -> String {
    format!("rollups/segment/{start}")
}

/// Returns the key of the period with this length and first second.
pub fn key(tree: u64, step: Step, start: i64) -> String {
    format!("rollups/{tree}/{}/{start}", step.name())
}

/// Returns the key of a period.
pub fn period_key(tree: u64, period: Period) -> String {
    key(tree, period.step, period.from)
}

/// Returns the key of a period's boards.
pub fn boards_key(period: &str) -> String {
    format!("{period}/boards")
}

/// Returns the key of one part of a period's users.
pub fn users_key(period: &str, parts: u64, part: u64) -> String {
    format!("{period}/users/{parts}/{part}")
}

/// Returns the keys of all parts of a period's users.
pub fn users_keys(period: &str, parts: u64) -> impl Iterator<Item = String> + use<> {
    let period = period.to_owned();
    (0..parts).map(move |part| users_key(&period, parts, part))
}
