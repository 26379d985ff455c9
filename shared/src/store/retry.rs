//! Repeats calls that fail for a reason that may pass. The adapters repeat nothing, so each attempt is seen and counted
//! here, and a test that injects a fault meets the same attempts as a fault on AWS.

use std::time::Duration;

use futures_util::future::BoxFuture;

use super::Refusal;

/// Attempts of a call. With an adapter's time limit of 3 s, they end within 10 s, inside the gateway's 30.
const ATTEMPTS: u32 = 3;
const FIRST_WAIT: Duration = Duration::from_millis(50);
const MAX_WAIT: Duration = Duration::from_secs(1);

/// Send a call until it succeeds or is refused for good, at most three times.
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
