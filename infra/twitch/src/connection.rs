//! Connection to Twitch without a public address: login by device code, and EventSub over a WebSocket.
//!
//! Messages pass through `socket` → `session` (the loop) → `delivery` (a queue) → the service's webhook, which stores
//! them like any other. These modules share `state`.

mod answers;
mod api;
mod delivery;
mod folder;
mod identity;
mod login;
mod record;
mod retry;
mod session;
mod socket;
mod state;
mod status;
mod subscribe;
pub mod users;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use capture_core::error::{Error as Problem, Violation, ViolationCode};
use capture_core::schema::Timestamp;
use capture_core::store::{Answer, Chat, Language};
use capture_core::webhooks::twitch::connection;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{Instant, interval, sleep, timeout};

use crate::Error;
use delivery::{Entry, Queue};
pub use folder::FILES;
use identity::Failure;
pub use state::{Config, SetChannel};
use state::{MutableState, State};
use status::{PendingLogin, Phase};

/// Interval at which the time of the last message is saved. After a kill, a gap starts up to this much too early.
const SAVE_INTERVAL: Duration = Duration::from_secs(5);
/// Seconds before a client may retry, if Twitch does not respond.
const RETRY_AFTER: u32 = 10;
/// Timeout for starting a login, including the wait for concurrent requests.
const MAX_LOGIN_TIME: Duration = Duration::from_secs(29);
/// Timeout for storing received messages when the process stops.
const DRAIN: Duration = Duration::from_secs(10);

/// The process's connection to Twitch.
#[derive(Clone)]
pub struct Connection {
    state: Arc<State>,
    /// Receiving ends of the queues, until the connection starts.
    receiver: Arc<Mutex<Option<Receivers>>>,
    /// Held while a code is requested from Twitch.
    logging_in: Arc<tokio::sync::Mutex<()>>,
}

/// Receiving ends of the queues of messages and of answers.
type Receivers = (UnboundedReceiver<Entry>, UnboundedReceiver<Answer>);

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Do not print the token.
        f.debug_struct("Connection").field("folder", &self.state.folder).finish_non_exhaustive()
    }
}

/// Receiver of the messages: the service's webhook.
pub struct Webhook {
    /// URL of the webhook.
    pub url: String,
    /// Secret that signs messages from the socket.
    pub secret: String,
    /// Callback for the channel that the first login determines.
    pub set_channel: SetChannel,
}

impl Connection {
    /// Reads the login and the state from the data folder. Does not connect yet.
    ///
    /// # Errors
    /// If a file cannot be read or is damaged.
    pub fn open(config: Config) -> Result<Self, Error> {
        let (queue, receiver) = Queue::new();
        let (sender, answers) = unbounded_channel();
        let state = Arc::new(State::new(config, queue, sender)?);
        Ok(Self { state, receiver: Arc::new(Mutex::new(Some((receiver, answers)))), logging_in: Arc::default() })
    }

    /// Returns the channel's Twitch user ID, if it is known yet.
    pub fn channel(&self) -> Option<String> {
        self.state.lock().record.channel.as_ref().map(|channel| channel.platform_id.clone())
    }

    /// Starts to deliver messages, and connects if an account is logged in.
    pub fn start(&self, webhook: Webhook) {
        let Webhook { url, secret, set_channel } = webhook;
        let state = Arc::clone(&self.state);
        if let Some((receiver, answers)) = self.receiver.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let stored = {
                let state = Arc::clone(&state);
                move |entry: &Entry| state.record_stored(entry)
            };
            tokio::spawn(answers::send(Arc::clone(&state), answers));
            tokio::spawn(delivery::deliver(receiver, state.queue.counter(), url, secret, stored));
        }
        let _ = state.set_channel.set(set_channel);
        tokio::spawn(save_regularly(Arc::clone(&state)));
        let mut live = state.lock();
        if live.token.is_some() {
            let task = tokio::spawn(session::run(Arc::clone(&state), live.generation));
            live.task = Some(task.abort_handle());
        }
    }

    /// Closes the socket, and waits until all received messages are stored.
    pub async fn stop(&self) {
        if let Some(task) = self.state.lock().task.take() {
            task.abort();
        }
        let deadline = Instant::now() + DRAIN;
        while !self.state.queue.is_empty() && Instant::now() < deadline {
            sleep(Duration::from_millis(10)).await;
        }
        self.state.save_changes();
    }

    /// Checks that a login may start. Returns the connection's description if a login is already pending.
    fn pending(&self, live: &MutableState) -> Result<Option<Value>, Problem> {
        match (&live.status.login, live.status.phase) {
            (Some(_), _) => Ok(Some(self.state.describe_locked(live))),
            (None, Phase::Connecting | Phase::Connected) => Err(Problem::connection_exists()),
            (None, Phase::None | Phase::Reauthorize) => Ok(None),
        }
    }

    /// Starts a login. Concurrent requests share one code.
    async fn log_in(&self, client_id: Option<String>) -> Result<Value, Problem> {
        let request = async {
            let _lock = self.logging_in.lock().await;
            self.request_code(client_id).await
        };
        timeout(MAX_LOGIN_TIME, request).await.unwrap_or_else(|_| Err(Problem::platform_unavailable(RETRY_AFTER)))
    }

    async fn request_code(&self, client_id: Option<String>) -> Result<Value, Problem> {
        let pending = self.pending(&self.state.lock())?;
        if let Some(description) = pending {
            return Ok(description);
        }
        let next = || self.state.config.client_id.clone().or_else(|| self.state.lock().record.client_id.clone());
        let Some(client_id) = client_id.or_else(next) else {
            let detail =
                "Required. Register an application of the type Public in Twitch's console, and send its client ID.";
            return Err(Problem::invalid(vec![Violation::at_pointer(
                "/client_id",
                ViolationCode::Required.invalid_value(detail),
            )]));
        };
        let scopes = self.state.scopes().join(" ");
        let code = match self.state.identity.device_code(&client_id, &scopes).await {
            Ok(code) => code,
            Err(Failure::Unavailable(_)) => return Err(Problem::platform_unavailable(RETRY_AFTER)),
            Err(Failure::Refused(..)) => {
                let detail = "Twitch refuses this client ID. Copy the client ID of an application of the type Public from \
                              Twitch's console.";
                let violation =
                    Violation::at_pointer("/client_id", ViolationCode::ReferenceNotFound.invalid_value(detail));
                return Err(Problem::invalid(vec![violation]));
            }
        };
        let mut live = self.state.lock();
        live.generation += 1;
        let expires_at = Timestamp::now().checked_add(time::Duration::seconds(code.expires_in.into()));
        live.status.login = Some(PendingLogin { client_id: client_id.clone(), code: code.clone(), expires_at });
        live.status.error = None;
        live.record.client_id = Some(client_id.clone());
        self.state.save(&mut live);
        let login = login::run(Arc::clone(&self.state), live.generation, client_id, code);
        live.task = Some(tokio::spawn(login).abort_handle());
        Ok(self.state.describe_locked(&live))
    }

    async fn log_out(&self) -> Value {
        let (description, token) = {
            let mut live = self.state.lock();
            let description = self.state.describe_locked(&live);
            live.generation += 1;
            if let Some(task) = live.task.take() {
                task.abort();
            }
            let is_away = matches!(live.status.phase, Phase::Connecting | Phase::Reauthorize);
            let live = &mut *live;
            live.outages.logout(&mut live.record, is_away);
            live.status = status::Status::default();
            if let Err(error) = self.state.folder.delete_token() {
                tracing::error!(%error, "could not delete the token of Twitch");
            }
            self.state.save(live);
            live.is_token_unsaved = false;
            (description, live.token.take())
        };
        if let Some(token) = token {
            self.state.identity.revoke(&token).await;
        }
        description
    }
}

impl connection::Connection for Connection {
    fn describe(&self, has_commands: bool) -> Value {
        self.state.describe(has_commands)
    }

    fn connect(&self, client_id: Option<String>) -> BoxFuture<'_, Result<Value, Problem>> {
        self.log_in(client_id).boxed()
    }

    fn disconnect(&self) -> BoxFuture<'_, Value> {
        self.log_out().boxed()
    }
}

impl Chat for Connection {
    fn language(&self) -> Language {
        self.state.config.language
    }

    fn answers_since(&self) -> Timestamp {
        self.state.started_at
    }

    fn account(&self) -> Option<String> {
        self.state.answering_account().map(|(_, _, channel)| channel)
    }

    fn answer(&self, answer: Answer) {
        // Fails only while the process stops.
        let _ = self.state.answers.send(answer);
    }
}

/// Periodically saves the time of the last message, and anything that could not be written before.
async fn save_regularly(state: Arc<State>) {
    let mut ticks = interval(SAVE_INTERVAL);
    loop {
        ticks.tick().await;
        state.save_changes();
    }
}
