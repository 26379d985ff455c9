//! Backoff for connection attempts: random waits that grow with each failure, and a limit of attempts per minute.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// Maximum wait between two attempts.
const MAX_DELAY: Duration = Duration::from_mins(1);
/// Range of the first wait, in milliseconds.
const FIRST_DELAY: std::ops::Range<u64> = 100..1_000;

/// Returns the wait after a number of consecutive failures. It is random, to keep clients from returning all at once.
pub(super) fn delay(failures: u32) -> Duration {
    if failures == 0 {
        return Duration::from_millis(fastrand::u64(FIRST_DELAY));
    }
    let longest = Duration::from_secs(1 << failures.min(6)).min(MAX_DELAY);
    longest.mul_f64(0.5 + fastrand::f64() / 2.0)
}

/// Rate limiter for what this process does.
#[derive(Debug)]
pub(super) struct Limiter {
    max: usize,
    period: Duration,
    times: Mutex<VecDeque<Instant>>,
}

impl Limiter {
    /// Allows a number of attempts in any period of this length.
    pub(super) fn new(max: usize, period: Duration) -> Self {
        Self { max, period, times: Mutex::default() }
    }

    /// Waits until an attempt is allowed, and counts it.
    pub(super) async fn wait(&self) {
        while let Some(allowed_at) = self.take(Instant::now()) {
            sleep_until(allowed_at).await;
        }
    }

    /// Counts an attempt if it is allowed. Otherwise, returns the time when it will be.
    fn take(&self, now: Instant) -> Option<Instant> {
        let mut attempts = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        while attempts.front().is_some_and(|attempt| *attempt + self.period <= now) {
            attempts.pop_front();
        }
        if attempts.len() < self.max {
            attempts.push_back(now);
            return None;
        }
        attempts.front().map(|attempt| *attempt + self.period)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_grow_from_a_second_to_a_minute() {
        for _ in 0..100 {
            assert!(delay(0) < Duration::from_secs(1));
            assert!((Duration::from_secs(1)..=Duration::from_secs(2)).contains(&delay(1)));
            assert!((Duration::from_secs(30)..=MAX_DELAY).contains(&delay(6)) && delay(60) <= MAX_DELAY);
        }
    }

    #[test]
    fn limiter_allows_ten_attempts_in_each_minute() {
        let (limiter, start) = (Limiter::new(10, Duration::from_mins(1)), Instant::now());
        let after = |seconds| start + Duration::from_secs(seconds);
        assert!((0..10).all(|second| limiter.take(after(second)).is_none()));
        assert_eq!(limiter.take(after(30)), Some(after(60)));
        assert!(limiter.take(after(60)).is_none());
        assert_eq!(limiter.take(after(60)), Some(after(61)));
    }
}
