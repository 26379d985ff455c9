//! Creates the subscriptions of a session.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use capture_core::schema::Timestamp;
use futures_util::{StreamExt, stream};
use serde_json::json;
use tokio::time::sleep;

use super::api::SubscribeResult;
use super::identity::{Failure, advice};
use super::record::FailedSubscription;
use super::state::{MutableState, State};
use super::status::Phase;
use crate::desired::DesiredSubscription;

/// Maximum number of concurrent requests.
const CONCURRENCY: usize = 6;
/// Maximum wait before failed subscriptions are retried.
const MAX_WAIT: Duration = Duration::from_mins(1);

/// ID of the current session. It changes when Twitch moves the session to another server.
pub(super) type SessionId = Arc<Mutex<String>>;

/// Creates the missing subscriptions of a session, and retries until Twitch has accepted or rejected each.
///
/// # Errors
/// Returns the reason if Twitch rejects the token.
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
        let is_new =
            state.update(generation, |live| (is_complete || !live.status.active.is_empty()) && connected(live));
        if is_new == Some(true) {
            state.record_subscribed(generation);
        }
        if is_complete {
            return Ok(());
        }
        sleep(wait).await;
        wait = (wait * 2).min(MAX_WAIT);
    }
}

/// Switches to the `Connected` phase. Returns false if this is the current phase.
fn connected(live: &mut MutableState) -> bool {
    if live.status.phase == Phase::Connected {
        return false;
    }
    live.status.phase = Phase::Connected;
    live.status.connected_at = Some(Timestamp::now());
    live.status.error = None;
    true
}

/// Returns true if a subscription is active or was rejected permanently.
fn is_settled(live: &MutableState, label: &String) -> bool {
    let is_final = |failed: &FailedSubscription| !failed.is_busy;
    live.status.active.contains(label) || live.status.failed.get(label).is_some_and(is_final)
}

/// Creates a subscription and records the outcome. Returns false if it has to be retried.
async fn create(
    state: &Arc<State>,
    generation: u64,
    session: &SessionId,
    desired: DesiredSubscription,
) -> Result<bool, String> {
    let (mut outcome, mut session_id) = (SubscribeResult::Unauthorized, String::new());
    for is_last in [false, true] {
        let Some(token) = state.token(generation) else { return Ok(true) };
        session.lock().unwrap_or_else(PoisonError::into_inner).clone_into(&mut session_id);
        outcome = state.api.subscribe(&token, &desired, &session_id).await;
        if !matches!(outcome, SubscribeResult::Unauthorized) || is_last {
            break;
        }
        match state.renew(generation, &token.access_token).await {
            Ok(_) => {}
            Err(Failure::Refused(_, reason)) => return Err(advice(&reason)),
            Err(Failure::Unavailable(_)) => break,
        }
    }
    let label = desired.label();
    let (reason, is_forbidden, is_busy) = match outcome {
        SubscribeResult::Active(id) => {
            state.update(generation, |live| {
                live.status.failed.remove(&label);
                live.status.active.push(label.clone());
            });
            let id = id.unwrap_or_else(|| format!("{session_id}/{label}"));
            state.notify_subscribed(
                generation,
                &json!({"type": desired.name, "id": id, "condition": desired.condition}),
            );
            return Ok(true);
        }
        SubscribeResult::Forbidden => {
            ("Twitch forbids it: the login lacks a scope, or the account lacks a role. Log in again.", true, false)
        }
        SubscribeResult::Failed(reason) => (reason, false, false),
        SubscribeResult::Busy(reason) => (reason, false, true),
        SubscribeResult::Unauthorized => ("Twitch refuses the token. Trying again.", false, true),
    };
    state.update(generation, |live| {
        let (name, reason) = (desired.name.to_owned(), reason.to_owned());
        let failed = FailedSubscription { label: label.clone(), name, reason, is_forbidden, is_busy };
        if is_forbidden {
            // Store this: a restart must not retry it, only a new login.
            live.record.forbidden.retain(|earlier| earlier.label != label);
            live.record.forbidden.push(failed.clone());
            state.save(live);
        }
        live.status.failed.insert(label, failed);
    });
    Ok(!is_busy)
}
