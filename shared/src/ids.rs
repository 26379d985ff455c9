//! Identifiers without a counter and without a round trip: 41 bits of milliseconds, 12 bits to tell apart
//! what happens within one.
//!
//! Two processes may draw the same number in the same millisecond; every creation is conditional on its key
//! being free, and draws again when it is not.

use std::sync::Mutex;

use crate::value::{Id, Timestamp};

/// 2025-01-01T00:00:00Z in milliseconds since 1970; 41 bits from here reach the year 2094.
const EPOCH_MILLIS: i128 = 1_735_689_600_000;
const LOW_BITS: u32 = 12;

/// Draws identifiers that grow with time, each one once.
#[derive(Debug, Default)]
pub struct Ids {
    last: Mutex<u64>,
}

impl Ids {
    /// An identifier for something that happens now, larger than all that came from here before.
    ///
    /// `chance` is any number; it decides the low bits, so that processes seldom meet.
    pub fn draw(&self, now: Timestamp, chance: u64) -> Id {
        let millis = u64::try_from(now.unix_millis() - EPOCH_MILLIS).unwrap_or_default();
        let candidate = (millis << LOW_BITS) | (chance & ((1 << LOW_BITS) - 1));
        let mut last = self.last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *last = candidate.max(*last + 1);
        first_of(*last)
    }
}

/// The millisecond in which an identifier was drawn.
pub fn time_of(id: Id) -> Timestamp {
    let millis = i128::from(id.number() >> LOW_BITS) + EPOCH_MILLIS;
    Timestamp::from_unix_millis(millis).unwrap_or_else(Timestamp::now)
}

/// The smallest identifier that a moment can draw, for walks that start in time.
pub fn first_at(time: Timestamp) -> Id {
    let millis = u64::try_from(time.unix_millis() - EPOCH_MILLIS).unwrap_or_default();
    first_of(millis << LOW_BITS)
}

fn first_of(number: u64) -> Id {
    let largest = crate::value::MAX_INTEGER.unsigned_abs();
    Id::new(number.clamp(1, largest)).unwrap_or_else(|| unreachable!("clamped into range"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_grow_even_within_one_millisecond() {
        let (ids, now) = (Ids::default(), Timestamp::now());
        let drawn: Vec<_> = (0..5000).map(|_| ids.draw(now, 4095)).collect();
        assert!(drawn.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn an_identifier_tells_its_millisecond() {
        let now = Timestamp::now();
        let id = Ids::default().draw(now, 7);
        assert_eq!(time_of(id).unix_millis(), now.unix_millis());
        assert!(first_at(now) <= id);
    }
}
