//! Login by device code: polls Twitch until the streamer has consented, and stores the token.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::identity::{Account, DeviceCode, Failure, Token};
use super::session;
use super::state::State;
use super::status::Phase;

/// Increase of the poll interval when Twitch asks to slow down (RFC 8628, section 3.5).
const SLOW_DOWN: Duration = Duration::from_secs(5);
/// Wait before validating a new token again, if Twitch does not respond.
const VALIDATION_RETRY: Duration = Duration::from_secs(1);
/// Maximum number of attempts to validate a new token.
const MAX_VALIDATIONS: u32 = 60;

/// Result of a poll.
enum PollResult {
    Waiting,
    SlowDown,
    LoggedIn,
    /// The login failed. Contains the reason and what to do.
    Failed(String),
}

/// Waits for the streamer to consent, then runs the connection.
pub(super) async fn run(state: Arc<State>, generation: u64, client_id: String, code: DeviceCode) {
    let expires_at = Instant::now() + Duration::from_secs(code.expires_in.into());
    let mut interval = Duration::from_secs(code.interval.max(1));
    loop {
        sleep(interval.min(expires_at.saturating_duration_since(Instant::now()))).await;
        if Instant::now() >= expires_at {
            return fail(&state, generation, "The code expired. Start again.".to_owned());
        }
        // A logout must not interrupt a poll, which may return a token that has to be revoked.
        let poll = poll(Arc::clone(&state), generation, client_id.clone(), code.device_code.clone());
        match tokio::spawn(poll).await {
            Ok(PollResult::Waiting) | Err(_) => {}
            Ok(PollResult::SlowDown) => interval += SLOW_DOWN,
            Ok(PollResult::Failed(reason)) => return fail(&state, generation, reason),
            Ok(PollResult::LoggedIn) => return session::run(state, generation).await,
        }
    }
}

/// Ends the login with an error.
fn fail(state: &State, generation: u64, reason: String) {
    state.update(generation, |live| {
        live.status.login = None;
        live.status.error = Some(reason);
    });
}

async fn poll(state: Arc<State>, generation: u64, client_id: String, device_code: String) -> PollResult {
    let scopes = state.scopes().join(" ");
    let token = match state.identity.token(&client_id, &scopes, &device_code).await {
        Ok(token) => token,
        Err(Failure::Unavailable(_)) => return PollResult::Waiting,
        Err(Failure::Refused(_, reason)) => {
            let normalized = reason.to_lowercase().replace(' ', "_");
            return match normalized.as_str() {
                "authorization_pending" => PollResult::Waiting,
                "slow_down" => PollResult::SlowDown,
                "access_denied" => PollResult::Failed("The login was refused at Twitch. Start again.".to_owned()),
                "expired_token" => PollResult::Failed("The code expired. Start again.".to_owned()),
                _ => PollResult::Failed("The login was refused, or its code has expired. Start again.".to_owned()),
            };
        }
    };
    let adopted = adopt(&state, generation, &token).await;
    if let Err(reason) = adopted {
        state.identity.revoke(&token).await;
        return PollResult::Failed(reason);
    }
    PollResult::LoggedIn
}

/// Checks the account of a new token, and stores both.
async fn adopt(state: &State, generation: u64, token: &Token) -> Result<(), String> {
    let account = validate(state, token).await?;
    let channel = state.lock().record.channel.clone();
    if let Some(channel) = channel.filter(|channel| channel.platform_id != account.user_id) {
        let expected = channel.name.unwrap_or(channel.platform_id);
        return Err(format!(
            "The account {} logged in, but the channel is {expected}. Log in with that account, or choose another folder \
             with --data-dir.",
            account.login
        ));
    }
    let name = state.api.display_name(token).await.unwrap_or_else(|| account.login.clone());
    if !state.store_token(generation, token) {
        return Err("The login has ended.".to_owned());
    }
    state.adopt(generation, &account.user_id, &name);
    state.check_scopes(generation, account.scopes.as_ref().unwrap_or(&token.scopes));
    state.update(generation, |live| {
        live.status.login = None;
        live.status.phase = Phase::Connecting;
        live.status.error = None;
        live.status.failed.clear();
        live.record.forbidden.clear();
        state.save(live);
    });
    Ok(())
}

/// Validates a new token, and returns its account.
async fn validate(state: &State, token: &Token) -> Result<Account, String> {
    for _ in 0..MAX_VALIDATIONS {
        match state.identity.validate(&token.access_token).await {
            Ok(account) => return Ok(account),
            Err(Failure::Refused(..)) => break,
            Err(Failure::Unavailable(_)) => sleep(VALIDATION_RETRY).await,
        }
    }
    Err("Twitch did not confirm the login. Start again.".to_owned())
}
