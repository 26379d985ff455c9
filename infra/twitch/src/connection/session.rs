//! The connection loop: validate the token, open a socket, subscribe, receive messages, and start over.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, pending};
use serde_json::Value;
use tokio::time::{Instant, interval, sleep, timeout};

use super::identity::{Failure, advice};
use super::record::FailedSubscription;
use super::retry;
use super::socket::{Envelope, Socket, Welcome, with_keepalive};
use super::state::State;
use super::status::Phase;
use super::subscribe::{SessionId, subscribe};

/// Interval between token validations, as Twitch requires.
const VALIDATION_INTERVAL: Duration = Duration::from_hours(1);
/// Wait before the next validation, if Twitch did not respond.
const VALIDATION_RETRY: Duration = Duration::from_mins(1);
/// Interval between checks for a silent connection.
const TICK: Duration = Duration::from_millis(250);
/// How long the old socket is read after a reconnect.
const DRAIN: Duration = Duration::from_secs(3);

/// Remaining time for a replacement socket to open after the current one is lost.
const MOVE_TIMEOUT: Duration = Duration::from_millis(500);

/// Why a session ended.
enum SessionEnd {
    /// The socket was lost. Contains the reason.
    Lost(String),
    /// Twitch rejected the token. Contains the reason.
    Refused(String),
}

/// Result of a validation.
enum Validity {
    Valid,
    /// Twitch did not respond.
    Unknown,
    Refused(String),
    /// The token's account is not the channel's.
    WrongAccount,
}

/// Keeps a login connected until Twitch rejects its token.
pub(super) async fn run(state: Arc<State>, generation: u64) {
    let (mut failures, mut validate_at) = (0, Instant::now());
    loop {
        let end = connect(&state, generation, &mut validate_at).await;
        let was_connected = state.update(generation, |live| live.status.phase == Phase::Connected);
        match end {
            SessionEnd::Lost(reason) => {
                state.disconnect_with(generation, Phase::Connecting, format!("{reason} Connecting again."));
            }
            SessionEnd::Refused(reason) => return state.disconnect_with(generation, Phase::Reauthorize, reason),
        }
        match was_connected {
            Some(true) => failures = 0,
            Some(false) => {}
            None => return,
        }
        sleep(retry::delay(failures)).await;
        failures += 1;
    }
}

/// Opens a session and receives its messages until it ends.
async fn connect(state: &Arc<State>, generation: u64, validate_at: &mut Instant) -> SessionEnd {
    if *validate_at <= Instant::now()
        && let Some(end) = handle_validation(state, generation, validate(state, generation).await, validate_at)
    {
        return end;
    }
    state.limiter.wait().await;
    match Socket::open(&with_keepalive(&state.config.eventsub_url)).await {
        Ok((socket, welcome)) => {
            state.update(generation, |live| {
                live.status.active.clear();
                live.status.failed.retain(|_, failed| failed.is_forbidden);
            });
            state.welcome(generation, welcome.sent_at);
            Session::new(state, generation, socket, &welcome).run(validate_at).await
        }
        Err(reason) => SessionEnd::Lost(reason),
    }
}

/// Validates the token, and renews it if Twitch rejects it.
async fn validate(state: &Arc<State>, generation: u64) -> Validity {
    for is_last in [false, true] {
        let Some(token) = state.token(generation) else { return Validity::Unknown };
        match state.identity.validate(&token.access_token).await {
            Ok(account) => {
                let channel = state.lock().record.channel.clone();
                let is_named = channel.as_ref().is_some_and(|channel| channel.name.is_some());
                if channel.is_some_and(|channel| channel.platform_id != account.user_id) {
                    return Validity::WrongAccount;
                }
                if !is_named {
                    // The name is missing if the channel was set by an option, or its file was deleted.
                    let name = state.api.display_name(&token).await;
                    state.adopt(generation, &account.user_id, name.as_ref().unwrap_or(&account.login));
                }
                state.check_scopes(generation, &account.scopes.unwrap_or(token.scopes));
                return Validity::Valid;
            }
            Err(Failure::Refused(401, reason)) if is_last => return Validity::Refused(advice(&reason)),
            Err(Failure::Refused(401, _)) => {}
            Err(Failure::Refused(..) | Failure::Unavailable(_)) => {
                tracing::warn!("could not validate the token of Twitch; trying again");
                return Validity::Unknown;
            }
        }
        match state.renew(generation, &token.access_token).await {
            Ok(_) => {}
            Err(Failure::Refused(_, reason)) => return Validity::Refused(advice(&reason)),
            Err(Failure::Unavailable(_)) => return Validity::Unknown,
        }
    }
    Validity::Unknown
}

/// Handles the result of a validation. Returns a reason if the session must end.
fn handle_validation(
    state: &Arc<State>,
    generation: u64,
    validity: Validity,
    validate_at: &mut Instant,
) -> Option<SessionEnd> {
    *validate_at = Instant::now() + VALIDATION_INTERVAL;
    match validity {
        Validity::Valid => None,
        Validity::Unknown => {
            *validate_at = Instant::now() + VALIDATION_RETRY;
            None
        }
        Validity::Refused(reason) => Some(SessionEnd::Refused(reason)),
        Validity::WrongAccount => {
            let wrong = state.update(generation, |live| {
                live.generation += 1;
                live.status.phase = Phase::None;
                live.status.error = Some(
                    "The login was for another account, not the channel's, and was revoked. Log in again.".to_owned(),
                );
                if let Err(error) = state.folder.delete_token() {
                    tracing::error!(%error, "could not delete the token of Twitch");
                }
                live.token.take()
            });
            if let Some(token) = wrong.flatten() {
                let state = Arc::clone(state);
                tokio::spawn(async move { state.identity.revoke(&token).await });
            }
            Some(SessionEnd::Lost(String::new()))
        }
    }
}

/// Time since the last message. Unlike a monotonic clock, it includes time when the computer sleeps.
struct Silence {
    limit: Duration,
    since: (Instant, SystemTime),
}

impl Silence {
    fn new(keepalive: Duration) -> Self {
        Self { limit: keepalive * 2, since: (Instant::now(), SystemTime::now()) }
    }

    fn reset(&mut self) {
        self.since = (Instant::now(), SystemTime::now());
    }

    fn is_too_long(&self) -> bool {
        self.since.0.elapsed() > self.limit || self.since.1.elapsed().is_ok_and(|elapsed| elapsed > self.limit)
    }
}

/// A future that may not exist.
type Maybe<T> = Option<BoxFuture<'static, T>>;

/// Waits for a future and removes it when it is ready. Waits forever if there is none.
async fn ready<T>(future: &mut Maybe<T>) -> T {
    let Some(running) = future else { return pending().await };
    let value = running.await;
    *future = None;
    value
}

/// Opens a replacement socket with a timeout.
async fn open_with_timeout(
    limit: Duration,
    opening: BoxFuture<'static, Result<(Socket, Welcome), String>>,
) -> Result<(Socket, Welcome), String> {
    timeout(limit, opening).await.unwrap_or_else(|_| Err("Twitch did not open a new connection in time.".to_owned()))
}

/// An open session.
struct Session<'a> {
    state: &'a Arc<State>,
    generation: u64,
    socket: Socket,
    id: SessionId,
    silence: Silence,
    subscribing: Maybe<Result<(), String>>,
    validating: Maybe<Validity>,
    /// Replacement socket that Twitch has requested.
    replacement: Maybe<Result<(Socket, Welcome), String>>,
    /// Why the socket was lost, while its replacement is being opened.
    loss_reason: Option<String>,
}

impl<'a> Session<'a> {
    fn new(state: &'a Arc<State>, generation: u64, socket: Socket, welcome: &Welcome) -> Self {
        let id = Arc::new(Mutex::new(welcome.id.clone()));
        let silence = Silence::new(welcome.keepalive());
        let subscribing = Some(subscribe(Arc::clone(state), generation, Arc::clone(&id)).boxed());
        let (validating, moving, lost) = (None, None, None);
        Self { state, generation, socket, id, silence, subscribing, validating, replacement: moving, loss_reason: lost }
    }

    /// Receives messages until the session ends.
    async fn run(mut self, validate_at: &mut Instant) -> SessionEnd {
        let mut ticks = interval(TICK);
        loop {
            let end = tokio::select! {
                message = self.socket.next(), if self.loss_reason.is_none() => self.message(message),
                opened = ready(&mut self.replacement) => self.switch_socket(opened),
                subscribed = ready(&mut self.subscribing) => subscribed.err().map(|reason| SessionEnd::Refused(advice(&reason))),
                validity = ready(&mut self.validating) => {
                    let is_valid = matches!(validity, Validity::Valid);
                    let end = handle_validation(self.state, self.generation, validity, validate_at);
                    if is_valid {
                        self.subscribe_again();
                    }
                    end
                }
                _ = ticks.tick() => {
                    if *validate_at <= Instant::now() && self.validating.is_none() {
                        self.validate();
                    }
                    let is_dead = self.silence.is_too_long() && self.replacement.is_none();
                    is_dead.then(|| SessionEnd::Lost("Twitch sent nothing for too long.".to_owned()))
                }
            };
            if let Some(end) = end {
                return end;
            }
        }
    }

    /// Handles a message or the loss of the socket.
    fn message(&mut self, message: Result<Envelope, String>) -> Option<SessionEnd> {
        let envelope = match message {
            Ok(envelope) => envelope,
            Err(reason) if self.replacement.is_some() => {
                // Give the replacement little more time, as it is otherwise time for the first retry.
                self.replacement =
                    self.replacement.take().map(|opening| open_with_timeout(MOVE_TIMEOUT, opening).boxed());
                self.loss_reason = Some(reason);
                return None;
            }
            Err(reason) => return Some(SessionEnd::Lost(reason)),
        };
        self.silence.reset();
        match envelope.metadata.message_type.as_str() {
            "session_reconnect" => {
                if let Some(url) = envelope.reconnect_url() {
                    self.replacement = Some(async move { Socket::open(&url).await }.boxed());
                }
            }
            "revocation" => self.revoked(&envelope),
            _ => {}
        }
        if self.state.receive(self.generation, envelope) {
            return None;
        }
        Some(SessionEnd::Lost("The service could not store messages as fast as Twitch sent them.".to_owned()))
    }

    /// Switches to the replacement socket, which has the session's subscriptions.
    fn switch_socket(&mut self, opened: Result<(Socket, Welcome), String>) -> Option<SessionEnd> {
        let (socket, welcome) = match (opened, self.loss_reason.take()) {
            (Ok(opened), None) => opened,
            (Ok(opened), Some(_)) => {
                // Messages that Twitch sent between the two sockets are lost.
                self.state.record_gap(self.generation, opened.1.sent_at);
                opened
            }
            (Err(_), None) => return None,
            (Err(_), Some(reason)) => return Some(SessionEnd::Lost(reason)),
        };
        self.id.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&welcome.id);
        self.silence = Silence::new(welcome.keepalive());
        let mut old = std::mem::replace(&mut self.socket, socket);
        let (state, generation) = (Arc::clone(self.state), self.generation);
        tokio::spawn(timeout(DRAIN, async move {
            old.close().await;
            while let Ok(envelope) = old.next().await {
                state.receive(generation, envelope);
            }
        }));
        None
    }

    /// Records that Twitch has ended a subscription. If the account has withdrawn its consent, the token is invalid as
    /// well and must be validated.
    fn revoked(&mut self, envelope: &Envelope) {
        let payload: Value = serde_json::from_str(envelope.payload.get()).unwrap_or_default();
        let ended = &payload["subscription"];
        let (is_withdrawn, reason) = match ended["status"].as_str() {
            Some("authorization_revoked") => (true, "The account has withdrawn its consent. Log in again."),
            Some("user_removed") => (false, "Twitch has removed the account."),
            Some("version_removed") => (false, "Twitch has withdrawn this version. Update the service."),
            _ => (false, "Twitch has ended the subscription. Restart the service."),
        };
        let is_ended = |field: &str, value: &Value| ended["condition"].get(field) == Some(value);
        let mut all = self.state.desired().into_iter().filter(|desired| ended["type"] == desired.name);
        let found = all.find(|desired| desired.condition.iter().all(|(field, value)| is_ended(field, value)));
        if let Some(desired) = found {
            let label = desired.label();
            self.state.update(self.generation, |live| {
                live.status.active.retain(|active| *active != label);
                let (label, name, reason) = (label, desired.name.to_owned(), reason.to_owned());
                let failed = FailedSubscription { label, name, reason, is_forbidden: false, is_busy: is_withdrawn };
                live.status.failed.insert(failed.label.clone(), failed);
            });
        }
        if is_withdrawn {
            self.validate();
        }
    }

    fn validate(&mut self) {
        let (state, generation) = (Arc::clone(self.state), self.generation);
        self.validating = Some(async move { validate(&state, generation).await }.boxed());
    }

    /// Recreates subscriptions that ended although the token is valid.
    fn subscribe_again(&mut self) {
        if self.subscribing.is_none() {
            let (state, id) = (Arc::clone(self.state), Arc::clone(&self.id));
            self.subscribing = Some(subscribe(state, self.generation, id).boxed());
        }
    }
}
