//! The subscriptions of a session.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use event_capture::schema::Timestamp;
use futures_util::{StreamExt, stream};
use tokio::time::sleep;

use super::api::Outcome;
use super::identity::Failure;
use super::state::{Live, State};
use super::status::{FailedSubscription, Phase};
use crate::desired::DesiredSubscription;

/// Number of concurrent requests.
const CONCURRENCY: usize = 6;
/// Longest wait before subscriptions are tried again.
const MAX_WAIT: Duration = Duration::from_mins(1);

/// Identifier of the current session. It changes when Twitch moves the session to another server.
pub(super) type SessionId = Arc<Mutex<String>>;

/// Create the subscriptions that a session lacks, and try again until Twitch has accepted or refused each.
///
/// # Errors
/// If Twitch refuses the token. The text says why.
pub(super) async fn subscribe(state: Arc<State>, generation: u64, session: SessionId) -> Result<(), String> {
    let mut wait = Duration::from_secs(1);
    loop {
        let mut missing = state.desired();
        state.update(generation, |live| missing.retain(|desired| !is_settled(live, &desired.label())));
        let subscribing = stream::iter(missing).map(|desired| create(&state, generation, &session, desired));
        let mut subscribing = subscribing.buffer_unordered(CONCURRENCY);
        let mut is_complete = true;
        while let Some(outcome) = subscribing.next().await {
            is_complete &= outcome?;
        }
        state.update(generation, |live| {
            if is_complete || !live.status.active.is_empty() {
                connected(live);
                state.save(live);
            }
        });
        if is_complete {
            return Ok(());
        }
        sleep(wait).await;
        wait = (wait * 2).min(MAX_WAIT);
    }
}

fn connected(live: &mut Live) {
    if live.status.phase != Phase::Connected {
        live.status.phase = Phase::Connected;
        live.status.connected_at = Some(Timestamp::now());
        live.status.error = None;
        live.record.subscribed();
    }
}

/// True if Twitch holds a subscription, or has refused it for good.
fn is_settled(live: &Live, label: &String) -> bool {
    let is_final = |failed: &FailedSubscription| !failed.is_busy;
    live.status.active.contains(label) || live.status.failed.get(label).is_some_and(is_final)
}

/// Create a subscription, and note the outcome. Returns false if it has to be tried again.
async fn create(
    state: &Arc<State>,
    generation: u64,
    session: &SessionId,
    desired: DesiredSubscription,
) -> Result<bool, String> {
    let mut outcome = Outcome::Unauthorized;
    for is_last in [false, true] {
        let Some(token) = state.token(generation) else { return Ok(true) };
        let session = session.lock().unwrap_or_else(PoisonError::into_inner).clone();
        outcome = state.api.subscribe(&token, &desired, &session).await;
        if !matches!(outcome, Outcome::Unauthorized) || is_last {
            break;
        }
        match state.renew(generation, &token.access_token).await {
            Ok(_) => {}
            Err(Failure::Refused(_, reason)) => return Err(reason),
            Err(Failure::Unavailable(_)) => break,
        }
    }
    let (reason, is_forbidden, is_busy) = match outcome {
        Outcome::Active => (String::new(), false, false),
        Outcome::Forbidden(reason) => (reason, true, false),
        Outcome::Failed(reason) => (reason, false, false),
        Outcome::Busy(reason) => (reason, false, true),
        Outcome::Unauthorized => ("Twitch refuses the token. Trying again.".to_owned(), false, true),
    };
    let label = desired.label();
    state.update(generation, |live| {
        if reason.is_empty() {
            live.status.failed.remove(&label);
            live.status.active.push(label);
        } else {
            let failed = FailedSubscription { name: desired.name, reason, is_forbidden, is_busy };
            live.status.failed.insert(label, failed);
        }
    });
    Ok(!is_busy)
}
