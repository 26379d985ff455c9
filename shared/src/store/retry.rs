//! Retries of calls that fail for a reason that may pass. The adapters never retry, so every attempt is visible here,
//! and a fault that a test injects causes the same attempts as a fault on AWS.

use std::time::Duration;

use futures_util::future::BoxFuture;

use super::Refusal;

/// Attempts of a call. With an adapter's timeout of 3 s, they end within 10 s, well inside the gateway's 30 s.
const ATTEMPTS: u32 = 3;
const FIRST_WAIT: Duration = Duration::from_millis(50);
const MAX_WAIT: Duration = Duration::from_secs(1);

/// Sends a call until it succeeds or fails permanently, at most three times.
pub(super) async fn repeat<'a, T>(call: impl Fn() -> BoxFuture<'a, Result<T, Refusal>>) -> Result<T, Refusal> {
    for attempt in 1..ATTEMPTS {
        match call().await {
            Err(refusal) if refusal.is_transient() => {
                let longest = (FIRST_WAIT * 2u32.pow(attempt - 1)).min(MAX_WAIT);
                tokio::time::sleep(longest.mul_f64(fastrand::f64())).await;
            }
            answer => return answer,
        }
    }
    call().await
}
