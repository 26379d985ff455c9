//! The stores: a table, a bucket and the socket's connections, each behind a port. This layer decides which calls to
//! send and when to retry them; an adapter carries them out. [`aws`] has the adapters for DynamoDB, S3 and API Gateway,
//! `infra/embedded` those for a single machine.
//!
//! Goals:
//! - Only `aws` names the SDK, and only [`Refusal`] turns a fault of a store into an error for the client.
//! - A commit takes effect once, even if its response is lost: see `commit`.
//! - Retries and timeouts keep a call well within the gateway's 30 seconds. A client that gets no response does not
//!   know what to do next.

#![expect(clippy::missing_errors_doc, reason = "`Store` documents the errors of its functions")]

#[cfg(feature = "aws")]
pub mod aws;
mod bucket;
mod channel;
mod chat;
mod checkpoint;
mod commit;
mod cost;
mod fault;
mod get;
mod index_cursor;
mod index_items;
mod key_values;
mod retention;
mod retry;
mod sockets;
mod sweep;
mod table;
mod tokens;
mod tombstones;

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::{BoxFuture, try_join_all};
use tokio::time::timeout;

use crate::error::{Error, Result};
use crate::schema::{Calendar, Id, IdGenerator, Timestamp};

pub use bucket::{Bucket, BucketCall, StoredImage};
pub use channel::Channel;
pub use chat::{Answer, Chat, Language};
pub use checkpoint::{Checkpoint, Progress};
pub use cost::Cost;
pub use fault::{Fault, Refusal};
pub use index_cursor::IndexCursor;
pub use key_values::Expected;
pub use retention::RetentionProgress;
pub use sockets::{Listeners, OverlayConnections, SocketConnection, SocketSender};
pub use sweep::{SweepCursor, SweepProgress};
pub use table::{Call, Consistency, Reply, Table};
pub use tokens::{Scope, StoredToken, Token, TokenHash};
pub use tombstones::PendingDeletion;

/// Default number of shards of a growing index. DynamoDB takes 1,000 writes a second on each.
pub const DEFAULT_SHARDS: u64 = 2;

/// Timeout of the warm-up. The platform's limit for the init phase is 10 seconds.
const WARM_UP_TIMEOUT: Duration = Duration::from_secs(3);
/// Delay before the service first resends a call that was not carried out.
const FIRST_WAIT: Duration = Duration::from_millis(10);
const MAX_WAIT: Duration = Duration::from_millis(600);
/// Maximum number of parallel calls per request.
const MAX_PARALLEL: usize = 32;

/// A deployment's settings.
#[derive(Clone, Debug, Default)]
pub struct StoreSettings {
    pub shards: Shards,
    /// Creation time before which tokens are invalid. After a restore, revoked tokens would otherwise work again.
    pub tokens_not_before: Option<Timestamp>,
    /// Time zone of the statistics.
    pub calendar: Calendar,
    pub channel: Channel,
    /// Where answers to chat commands go. `None` without an account to answer with.
    pub chat: Option<Arc<dyn Chat>>,
    /// Days after which chat messages lose their text. `None` keeps it.
    pub chat_retention: Option<u16>,
}

/// Shard counts of growing indexes. Neither may ever be lowered. To raise them, raise `read` in one deployment and
/// `write` in the next: functions of the previous version must read every shard that this version writes.
#[derive(Clone, Copy, Debug)]
pub struct Shards {
    /// Shards that are read.
    pub read: u64,
    /// Shards that receive new records. At most `read`.
    pub write: u64,
}

impl Shards {
    /// Sets both numbers to the same value.
    pub fn both(count: u64) -> Self {
        Self { read: count, write: count }
    }
}

impl Default for Shards {
    fn default() -> Self {
        Self::both(DEFAULT_SHARDS)
    }
}

impl StoreSettings {
    /// Reads the variables that the template sets for every function: `READ_SHARDS`, `WRITE_SHARDS`, and optionally
    /// `TOKENS_NOT_BEFORE`, `TIME_ZONE`, `TWITCH_BROADCASTER_ID` and `CHAT_RETENTION_DAYS`.
    ///
    /// # Errors
    /// A message that names the invalid variable.
    pub fn from_env() -> Result<Self, String> {
        let optional = |variable: &str| std::env::var(variable).ok().filter(|text| !text.is_empty());
        let count = |variable: &str| match std::env::var(variable) {
            Ok(text) => text.parse().ok().filter(|count| *count > 0).ok_or(format!("{variable} must be at least 1")),
            Err(_) => Ok(DEFAULT_SHARDS),
        };
        let shards = Shards { read: count("READ_SHARDS")?, write: count("WRITE_SHARDS")? };
        if shards.write > shards.read {
            return Err(
                "WRITE_SHARDS must not exceed READ_SHARDS: lists omit records in shards that are not read".to_owned()
            );
        }
        let tokens_not_before = optional("TOKENS_NOT_BEFORE")
            .map(|time| Timestamp::parse(&time).ok_or("TOKENS_NOT_BEFORE must be an RFC 3339 timestamp"))
            .transpose()?;
        let calendar = optional("TIME_ZONE")
            .map(|zone| Calendar::named(&zone).ok_or("TIME_ZONE must be an IANA name, such as Europe/Berlin"))
            .transpose()?
            .unwrap_or_default();
        let chat_retention = optional("CHAT_RETENTION_DAYS")
            .map(|days| days.parse().map_err(|_| "CHAT_RETENTION_DAYS must be a number of days, or 0"))
            .transpose()?
            .filter(|days| *days > 0);
        let channel = Channel::new(optional("TWITCH_BROADCASTER_ID"));
        Ok(Self { shards, tokens_not_before, calendar, channel, chat: None, chat_retention })
    }
}

/// A handle to the stores, cheap to clone. Each request has its own handle, which counts the request's cost.
///
/// # Errors
/// Unless documented otherwise, its functions fail only if a store does: with 503 if the store is unavailable, with 500
/// if the call was invalid. Reads can always be repeated; a [`CommitError`](crate::table::CommitError) says whether a
/// write can.
///
/// ```no_run
/// use capture_core::resources::USERS;
/// use capture_core::schema::{Id, Key};
/// use capture_core::store::Store;
///
/// # async fn example(store: Store) -> Result<(), Box<dyn std::error::Error>> {
/// let store = store.for_request();
/// let user = store.get(Key::new(&USERS, Id::new(5).ok_or("a positive number")?)).await?;
/// println!("{} for {} read units", user.is_some(), store.cost().read_units());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Store {
    table: Arc<dyn Table>,
    ports: Arc<Ports>,
    cost: Arc<Cost>,
}

/// Adapters of a process, and the state that its requests share.
#[derive(Debug)]
struct Ports {
    /// `None` if the program uses only the table.
    bucket: Option<Arc<dyn Bucket>>,
    /// `None` in a deployment without a socket.
    sender: Option<Arc<dyn SocketSender>>,
    /// `None` outside functions.
    secrets: Option<Arc<dyn Secrets>>,
    settings: StoreSettings,
    ids: IdGenerator,
    /// Numbers of the connection groups that this process has added to the directory.
    added_groups: Mutex<BTreeSet<Id>>,
}

/// The port for secrets.
pub trait Secrets: Send + Sync + Debug {
    /// Reads the text of the secret with this ARN.
    fn read<'a>(&'a self, arn: &'a str) -> BoxFuture<'a, Result<String, Refusal>>;
}

impl Store {
    /// Creates a store on these adapters.
    pub fn new(
        table: Arc<dyn Table>,
        bucket: Option<Arc<dyn Bucket>>,
        sender: Option<Arc<dyn SocketSender>>,
        settings: StoreSettings,
    ) -> Self {
        let (ids, added_groups) = (IdGenerator::default(), Mutex::default());
        let all = Ports { bucket, sender, secrets: None, settings, ids, added_groups };
        Self { table, ports: Arc::new(all), cost: Arc::default() }
    }

    /// Adds access to secrets.
    #[must_use]
    pub fn with_secrets(mut self, secrets: Arc<dyn Secrets>) -> Self {
        // Always succeeds: the new handle has not been cloned yet.
        if let Some(ports) = Arc::get_mut(&mut self.ports) {
            ports.secrets = Some(secrets);
        }
        self
    }

    /// Opens the connection to the table before the first request by reading an item that never exists. A failure is
    /// only logged.
    pub async fn warm_up(&self, pk: &str) {
        if !matches!(timeout(WARM_UP_TIMEOUT, self.get_item(pk)).await, Ok(Ok(_))) {
            tracing::warn!("could not connect to the table before the first request");
        }
    }

    /// Creates a handle to the same stores that counts its cost from zero.
    #[must_use]
    pub fn for_request(&self) -> Self {
        Self { cost: Arc::default(), ..self.clone() }
    }

    /// Returns the cost of this handle's calls so far.
    pub fn cost(&self) -> &Cost {
        &self.cost
    }

    /// Returns how many shards of a growing index are read.
    pub fn shards(&self) -> u64 {
        self.ports.settings.shards.read
    }

    /// Returns the calendar of the statistics.
    pub fn calendar(&self) -> &Calendar {
        &self.ports.settings.calendar
    }

    /// Returns the service's channel.
    pub fn channel(&self) -> &Channel {
        &self.ports.settings.channel
    }

    /// Returns where answers to chat commands go.
    pub(crate) fn chat(&self) -> Option<&dyn Chat> {
        self.ports.settings.chat.as_deref()
    }

    /// Returns the days after which chat messages lose their text. `None` keeps it.
    pub fn chat_retention(&self) -> Option<u16> {
        self.ports.settings.chat_retention
    }

    /// Generates an identifier.
    pub fn next_id(&self, now: Timestamp) -> Id {
        self.ports.ids.generate(now, fastrand::u64(..))
    }

    /// Reads the text of the secret with this ARN.
    pub async fn secret(&self, arn: &str) -> Result<String> {
        let secrets = self.ports.secrets.as_ref().ok_or_else(Error::fault)?;
        let _trip = self.cost.start_trip();
        retry::repeat(|| secrets.read(arn)).await.map_err(Refusal::into_error)
    }
}

/// Runs independent futures in batches that the connections can handle.
///
/// # Errors
/// The first error of any future.
pub async fn in_parallel<T, E, F: Future<Output = Result<T, E>>>(
    futures: impl Iterator<Item = F>,
) -> Result<Vec<T>, E> {
    let mut waiting: Vec<F> = futures.collect();
    let mut results = Vec::with_capacity(waiting.len());
    while !waiting.is_empty() {
        let later = waiting.split_off(waiting.len().min(MAX_PARALLEL));
        results.extend(try_join_all(std::mem::replace(&mut waiting, later)).await?);
    }
    Ok(results)
}

/// Waits before an attempt. The first one does not wait; later waits grow and have jitter.
async fn back_off(attempt: u32) {
    if let Some(repetition) = attempt.checked_sub(1) {
        let wait = (FIRST_WAIT * 2u32.pow(repetition)).min(MAX_WAIT);
        tokio::time::sleep(wait.mul_f64(0.5 + fastrand::f64())).await;
    }
}
