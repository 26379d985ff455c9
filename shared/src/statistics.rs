//! Statistics and leaderboards, from rollups of the counted resource (ADR 15).
//!
//! A *rollup* holds the counters of every user in a period. The rollups of five-minute *segments* are computed from the
//! records; those of hours, days, months, years and all time are merged from the next shorter periods. A rollup is
//! never updated in place but always recomputed. A lost, repeated or late change therefore cannot make it wrong for
//! long, and all rollups can be dropped and rebuilt.
//!
//! 1. `stale`: the sequencer marks the segments of each change in the table's stream.
//! 2. `refresh`: the upkeep recomputes marked segments and the rollups that contain them.
//! 3. `read` and `leaderboards` answer requests from rollups. `totals` adds the events that no rollup has yet.

mod documents;
mod head;
mod heartbeats;
mod interval;
mod leaderboards;
mod pass;
mod read;
mod rebuild;
mod records;
mod refresh;
mod rollup;
mod run;
mod stale;
mod tallies;
mod totals;

pub use head::Progress;
pub use heartbeats::{HEARTBEAT, HEARTBEATS};
pub use leaderboards::boards;
pub use refresh::RefreshReport;
pub use run::LEASE;
pub(crate) use stale::SegmentWork;
pub use stale::{ItemChange, changed_segments};
#[doc(hidden)] // For tests of single functions.
pub use tallies::Tallies;

/// Header with the time zone of the buckets.
pub const TIME_ZONE: &str = "time-zone";
/// Header with the time up to which a response includes all changes.
pub const AS_OF: &str = "as-of";
