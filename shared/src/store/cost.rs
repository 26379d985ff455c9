//! The cost of a request: sequential round trips, and the capacity units that DynamoDB reports.
//!
//! Parallel calls take as long as one, so only sequential round trips are counted.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Instant;

/// Cost counters of one request. Units are counted in halves, DynamoDB's smallest step.
#[derive(Debug)]
pub struct Cost {
    started: Instant,
    /// Length of the longest chain of calls that each started after the previous one had ended.
    round_trips: AtomicU32,
    read_halves: AtomicU64,
    write_halves: AtomicU64,
}

/// One call to a store, from its start to its end.
pub(super) struct RoundTrip<'a> {
    cost: &'a Cost,
    depth: u32,
}

impl Default for Cost {
    fn default() -> Self {
        let (round_trips, read_halves, write_halves) = (AtomicU32::new(0), AtomicU64::new(0), AtomicU64::new(0));
        Self { started: Instant::now(), round_trips, read_halves, write_halves }
    }
}

impl Cost {
    /// Returns the time at which the request started.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// Starts a call. Its depth is one more than that of the deepest call that has ended.
    pub(super) fn start_trip(&self) -> RoundTrip<'_> {
        RoundTrip { cost: self, depth: self.round_trips.load(Ordering::Relaxed) + 1 }
    }

    pub(super) fn add_read(&self, units: f64) {
        self.read_halves.fetch_add(halves(units), Ordering::Relaxed);
    }

    pub(super) fn add_written(&self, units: f64) {
        self.write_halves.fetch_add(halves(units), Ordering::Relaxed);
    }

    /// Returns the number of sequential round trips to the stores.
    pub fn round_trips(&self) -> u32 {
        self.round_trips.load(Ordering::Relaxed)
    }

    /// Returns the total read request units.
    pub fn read_units(&self) -> f64 {
        as_units(&self.read_halves)
    }

    /// Returns the total write request units.
    pub fn write_units(&self) -> f64 {
        as_units(&self.write_halves)
    }
}

impl Drop for RoundTrip<'_> {
    fn drop(&mut self) {
        self.cost.round_trips.fetch_max(self.depth, Ordering::Relaxed);
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "units are small and never negative")]
fn halves(units: f64) -> u64 {
    (units * 2.0).round() as u64
}

#[expect(clippy::cast_precision_loss, reason = "units are small")]
fn as_units(halves: &AtomicU64) -> f64 {
    halves.load(Ordering::Relaxed) as f64 / 2.0
}
