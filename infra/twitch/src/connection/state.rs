//! Shared state of the connection's modules, and its changes.
//!
//! Each login has a number, its generation. Tasks of earlier logins change nothing, so a logout may happen at any time.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use capture_core::schema::Timestamp;
use capture_core::store::{Answer, Language};
use capture_core::webhooks::twitch::{SUBSCRIPTIONS, Settings};
use reqwest::Client;
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::AbortHandle;

use super::api::Api;
use super::delivery::{Entry, Message, Queue};
use super::folder::Folder;
use super::identity::{Failure, Identity, Token};
use super::record::{Channel, Outages, Record};
use super::retry::Limiter;
use super::socket::Envelope;
use super::status::{Phase, Status};
use crate::desired::{self, DesiredSubscription};

/// How long a failed renewal applies to all tasks that need the token.
const RENEWAL_PAUSE: Duration = Duration::from_secs(1);
/// Type of a message with a challenge.
const CHALLENGE: &str = "webhook_callback_verification";
/// Scopes that only app access tokens need.
const BOT_SCOPES: [&str; 2] = ["user:bot", "channel:bot"];

/// Scope that answers in the chat need.
pub(super) const ANSWERING: &str = "user:write:chat";

/// Configuration of the connection.
#[derive(Clone, Debug)]
pub struct Config {
    /// Base URL of the OAuth server.
    pub id_url: String,
    /// Base URL of the API.
    pub api_url: String,
    /// URL of the WebSocket server.
    pub eventsub_url: String,
    /// Client ID of the application.
    pub client_id: Option<String>,
    /// Twitch user ID of the broadcaster. If set, only this account may log in.
    pub broadcaster: Option<String>,
    /// Choice among subscription types that report the same events.
    pub settings: Settings,
    /// Data folder.
    pub folder: PathBuf,
    /// Language of the answers in the chat.
    pub language: Language,
}

/// Callback for the channel that the first login determines.
pub type SetChannel = Box<dyn Fn(&str) + Send + Sync>;

/// Mutable part of the state.
#[derive(Default)]
pub(super) struct MutableState {
    /// Number of the current login.
    pub generation: u64,
    pub status: Status,
    pub record: Record,
    pub outages: Outages,
    pub token: Option<Token>,
    /// Task that runs the login or the connection.
    pub task: Option<AbortHandle>,
    /// Whether the record differs from its file.
    pub is_unsaved: bool,
    /// Whether the token could not be written to its file.
    pub is_token_unsaved: bool,
}

/// A token renewal that failed because Twitch did not respond.
struct FailedRenewal {
    access_token: String,
    at: Instant,
    reason: String,
}

/// Shared state of the connection.
pub(super) struct State {
    pub config: Config,
    pub identity: Identity,
    pub api: Api,
    pub folder: Folder,
    /// Limit of connection attempts.
    pub limiter: Limiter,
    /// Limit of answers in the chat. Twitch allows an account 20 messages in 30 seconds.
    /// <https://dev.twitch.tv/docs/chat/#rate-limits>
    pub answer_limiter: Limiter,
    pub answers: UnboundedSender<Answer>,
    /// Start of this process.
    pub started_at: Timestamp,
    pub queue: Queue,
    pub set_channel: OnceLock<SetChannel>,
    live: Mutex<MutableState>,
    /// Held during a renewal. Contains the last failed one.
    renewing: tokio::sync::Mutex<Option<FailedRenewal>>,
}

impl State {
    /// Loads the state from the data folder.
    pub(super) fn new(config: Config, queue: Queue, answers: UnboundedSender<Answer>) -> Result<Self, crate::Error> {
        let folder = Folder(config.folder.clone());
        let (mut record, token) = (folder.record()?, folder.token()?);
        if let Some(id) = &config.broadcaster
            && record.channel.as_ref().is_none_or(|channel| channel.platform_id != *id)
        {
            record.channel = Some(Channel { platform_id: id.clone(), name: None });
            folder.write_record(&record)?;
        }
        let (outages, last_message_at) = (Outages::since(&record), record.stored_until);
        let phase = if token.is_some() { Phase::Connecting } else { Phase::None };
        let failed = record.forbidden.iter().map(|failed| (failed.label.clone(), failed.clone())).collect();
        let status = Status { phase, failed, last_message_at, ..Status::default() };
        let live = MutableState { status, record, outages, token, ..MutableState::default() };
        crate::tls::install();
        // Share one client, since loading the system's certificates takes a while.
        let client = crate::tls::client(Client::builder)?;
        let (identity, api) = (Identity::new(&config.id_url, client.clone()), Api::new(&config.api_url, client));
        let (live, renewing) = (Mutex::new(live), tokio::sync::Mutex::default());
        let limiter = Limiter::new(10, Duration::from_mins(1));
        let answer_limiter = Limiter::new(20, Duration::from_secs(30));
        let (set_channel, started_at) = (OnceLock::new(), Timestamp::now());
        Ok(Self {
            config,
            identity,
            api,
            folder,
            limiter,
            answer_limiter,
            answers,
            started_at,
            queue,
            set_channel,
            live,
            renewing,
        })
    }

    /// Locks the mutable part.
    pub(super) fn lock(&self) -> MutexGuard<'_, MutableState> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state on behalf of a login. Returns `None` if the login has ended.
    pub(super) fn update<T>(&self, generation: u64, change: impl FnOnce(&mut MutableState) -> T) -> Option<T> {
        let mut live = self.lock();
        (live.generation == generation).then(|| change(&mut live))
    }

    /// Describes the connection for clients. The scope for answers is missing only while a command needs it.
    pub(super) fn describe(&self, has_commands: bool) -> Value {
        let live = self.lock();
        let mut description = self.describe_locked(&live);
        let missing = description["missing_scopes"].as_array_mut();
        if let Some(missing) = missing.filter(|_| has_commands && live.status.can_answer == Some(false)) {
            missing.push(ANSWERING.into());
        }
        description
    }

    /// Describes the connection while it is locked.
    pub(super) fn describe_locked(&self, live: &MutableState) -> Value {
        let next = self.config.client_id.as_deref().or(live.record.client_id.as_deref());
        let client_id = live.token.as_ref().map(|token| token.client_id.as_str()).or(next);
        live.status.describe(&live.record, client_id)
    }

    /// Sets the channel of the data folder, on behalf of a login.
    pub(super) fn adopt(&self, generation: u64, platform_id: &str, name: &str) {
        let is_current = self.update(generation, |live| {
            live.record.channel = Some(Channel { platform_id: platform_id.to_owned(), name: Some(name.to_owned()) });
            self.save(live);
        });
        if let (Some(()), Some(set_channel)) = (is_current, self.set_channel.get()) {
            set_channel(platform_id);
        }
    }

    /// Writes the record.
    pub(super) fn save(&self, live: &mut MutableState) {
        let written = self.folder.write_record(&live.record);
        live.is_unsaved = written.is_err();
        if live.is_token_unsaved {
            return;
        }
        live.status.storage_error = written.err().map(|error| {
            tracing::error!(%error, "could not write the state of the connection to Twitch; trying again");
            format!("Cannot store the state of the connection in the data folder ({error}). Free some disk space.")
        });
    }

    /// Writes the token.
    fn save_token(&self, live: &mut MutableState) {
        let written = live.token.as_ref().map_or(Ok(()), |token| self.folder.write_token(token));
        live.is_token_unsaved = written.is_err();
        live.status.storage_error = written.err().map(|error| {
            tracing::error!(%error, "could not store the token of Twitch; trying again");
            format!(
                "Cannot store the login in the data folder ({error}). Free some disk space: if the service stops \
                 first, it needs a new login."
            )
        });
    }

    /// Writes everything that has changed or could not be written before.
    pub(super) fn save_changes(&self) {
        let mut live = self.lock();
        if live.is_unsaved {
            self.save(&mut live);
        }
        if live.is_token_unsaved {
            self.save_token(&mut live);
        }
    }

    /// Returns the token of a login.
    pub(super) fn token(&self, generation: u64) -> Option<Token> {
        self.update(generation, |live| live.token.clone()).flatten()
    }

    /// Stores a login's token, before anything uses it. Returns false if the login has ended.
    pub(super) fn store_token(&self, generation: u64, token: &Token) -> bool {
        self.update(generation, |live| {
            live.token = Some(token.clone());
            self.save_token(live);
        })
        .is_some()
    }

    /// Renews a token that Twitch rejects, unless another task already has. A logout does not interrupt the renewal,
    /// which would lose a valid token.
    pub(super) async fn renew(self: &Arc<Self>, generation: u64, refused: &str) -> Result<Token, Failure> {
        let (state, refused) = (Arc::clone(self), refused.to_owned());
        let renewal = tokio::spawn(async move {
            let mut failed = state.renewing.lock().await;
            let ended = || Failure::Unavailable("The login has ended.".to_owned());
            let token = state.token(generation).ok_or_else(ended)?;
            if token.access_token != refused {
                return Ok(token);
            }
            // All tasks that wait for this renewal share its failure.
            let is_recent =
                |failed: &&FailedRenewal| failed.access_token == refused && failed.at.elapsed() < RENEWAL_PAUSE;
            if let Some(FailedRenewal { reason, .. }) = failed.as_ref().filter(is_recent) {
                return Err(Failure::Unavailable(reason.clone()));
            }
            let refreshed = state.identity.refresh(&token).await;
            if let Err(Failure::Unavailable(reason)) = &refreshed {
                *failed = Some(FailedRenewal { access_token: refused, at: Instant::now(), reason: reason.clone() });
            }
            let next = refreshed?;
            if state.store_token(generation, &next) {
                return Ok(next);
            }
            state.identity.revoke(&next).await;
            Err(ended())
        });
        renewal.await.unwrap_or_else(|_| Err(Failure::Unavailable("The renewal of the token failed.".to_owned())))
    }

    /// Returns the channel's required subscriptions.
    pub(super) fn desired(&self) -> Vec<DesiredSubscription> {
        let channel = self.lock().record.channel.as_ref().map(|channel| channel.platform_id.clone());
        let broadcaster = channel.unwrap_or_default();
        let channel = desired::Channel { broadcaster: &broadcaster, reader: &broadcaster };
        desired::desired(channel, self.config.settings, "")
    }

    /// Returns the scopes of a login.
    pub(super) fn scopes(&self) -> Vec<&'static str> {
        let mut scopes = self.subscription_scopes();
        scopes.push(ANSWERING);
        scopes
    }

    /// Returns the scopes that the subscriptions need.
    fn subscription_scopes(&self) -> Vec<&'static str> {
        let mut scopes = Vec::new();
        for (scope, _) in self.desired().iter().flat_map(|desired| desired.scopes) {
            if !BOT_SCOPES.contains(scope) && !scopes.contains(scope) {
                scopes.push(*scope);
            }
        }
        scopes
    }

    /// Returns the login that answers in the chat, its token and its account, if the token allows it.
    pub(super) fn answering_account(&self) -> Option<(u64, Token, String)> {
        let live = self.lock();
        let channel = live.record.channel.as_ref()?.platform_id.clone();
        Some((live.generation, live.token.clone().filter(|_| live.status.can_answer != Some(false))?, channel))
    }

    /// Records which scopes a token lacks.
    pub(super) fn check_scopes(&self, generation: u64, granted: &[String]) {
        let can_answer = granted.iter().any(|granted| granted == ANSWERING);
        self.update(generation, |live| live.status.can_answer = Some(can_answer));
        let missing =
            self.subscription_scopes().into_iter().filter(|scope| !granted.iter().any(|granted| granted == scope));
        let missing: Vec<_> = missing.map(str::to_owned).collect();
        self.update(generation, |live| live.status.missing_scopes = missing);
    }

    /// Switches to a phase without subscriptions, and records why.
    pub(super) fn disconnect_with(&self, generation: u64, phase: Phase, error: String) {
        self.update(generation, |live| {
            live.status.phase = phase;
            live.status.error = Some(error);
            live.status.connected_at = None;
            live.status.active.clear();
            live.status.failed.retain(|_, failed| failed.is_forbidden);
        });
    }

    /// Records the welcome of a new session, which has no subscriptions yet. `at` is Twitch's time.
    pub(super) fn welcome(&self, generation: u64, at: Option<Timestamp>) {
        let sent_at = self.update(generation, |live| {
            let sent_at = at.unwrap_or_else(|| live.outages.now());
            live.status.last_message_at = Some(Timestamp::now());
            live.outages.welcome(&mut live.record, sent_at);
            self.save(live);
            sent_at
        });
        if let Some(sent_at) = sent_at {
            self.queue.push(Entry { generation, sent_at, message: None, may_start_gap: false });
            self.enqueue_own(generation, SUBSCRIPTIONS, &json!({"subscriptions": []}));
        }
    }

    /// Records that a lost socket was replaced by another of the same session, which keeps its subscriptions. Messages
    /// from the time in between are lost. `at` is Twitch's time.
    pub(super) fn record_gap(&self, generation: u64, at: Option<Timestamp>) {
        self.update(generation, |live| {
            let sent_at = at.unwrap_or_else(|| live.outages.now());
            live.status.last_message_at = Some(Timestamp::now());
            live.outages.welcome(&mut live.record, sent_at);
            live.outages.subscribed(&mut live.record);
            self.save(live);
        });
    }

    /// Records that Twitch has responded for each subscription of the session.
    pub(super) fn record_subscribed(&self, generation: u64) {
        let sent_at = self.update(generation, |live| {
            let sent_at = live.outages.subscribed(&mut live.record);
            self.save(live);
            sent_at
        });
        if let Some(sent_at) = sent_at.flatten() {
            // Queue this after earlier messages, which may not be stored yet.
            self.queue.push(Entry { generation, sent_at, message: None, may_start_gap: true });
        }
    }

    /// Notifies the service of a new subscription, in place of the challenge that a webhook receives. If several types
    /// report the same events, the service then stores them from one type only.
    pub(super) fn notify_subscribed(&self, generation: u64, subscription: &Value) {
        self.enqueue_own(generation, CHALLENGE, &json!({"challenge": "", "subscription": subscription}));
    }

    /// Queues a message from this process, in order with Twitch's messages.
    fn enqueue_own(&self, generation: u64, kind: &str, body: &Value) {
        let sent_at = self.lock().outages.now();
        let message = Message {
            id: format!("event-capture-{:032x}", fastrand::u128(..)),
            kind: kind.to_owned(),
            subscription_type: String::new(),
            timestamp: sent_at.to_string(),
            body: body.to_string(),
        };
        self.queue.push(Entry { generation, sent_at, message: Some(message), may_start_gap: false });
    }

    /// Records a message, and queues it if the service handles its type. Returns false if the queue is full.
    pub(super) fn receive(&self, generation: u64, envelope: Envelope) -> bool {
        let Envelope { metadata, payload } = envelope;
        let sent_at = self.update(generation, |live| {
            live.status.last_message_at = Some(Timestamp::now());
            metadata.sent_at().unwrap_or_else(|| live.outages.now())
        });
        let Some(sent_at) = sent_at else { return true };
        let is_notification = metadata.message_type == "notification";
        let is_handled = ["notification", "revocation"].contains(&metadata.message_type.as_str());
        let message = is_handled.then(|| Message {
            id: metadata.message_id,
            kind: metadata.message_type,
            subscription_type: metadata.subscription_type,
            timestamp: Some(metadata.message_timestamp)
                .filter(|time| !time.is_empty())
                .unwrap_or_else(|| sent_at.to_string()),
            body: payload.get().to_owned(),
        });
        let is_queued = self.queue.push(Entry { generation, sent_at, message, may_start_gap: is_notification });
        if is_queued {
            self.update(generation, |live| live.outages.message(sent_at, is_notification));
        }
        is_queued
    }

    /// Records that everything up to an entry is stored.
    pub(super) fn record_stored(&self, entry: &Entry) {
        self.update(entry.generation, |live| {
            live.is_unsaved = true;
            if live.record.advance_stored_until(entry.sent_at, entry.may_start_gap) {
                // Save now: from here on, a kill must leave a gap.
                self.save(live);
            }
        });
    }
}
