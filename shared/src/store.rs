//! The stores: DynamoDB, S3, and what else needs a call to AWS. This layer sends what `table` has rendered.
//!
//! Goals:
//! - Only this layer names the SDK, because a fault of a store then becomes an error for the client in one place, and
//!   all calls are counted.
//! - A commit takes effect once, because any response may be lost: see `commit`.
//! - A call has retries and timeouts well inside the gateway's 30 seconds, because a client that gets no response does
//!   not know what to do next.

#![expect(clippy::missing_errors_doc, reason = "`Store` documents the errors of its functions")]

mod bucket;
mod channel;
mod commit;
mod cost;
mod fault;
mod get;
mod index_cursor;
mod index_items;
mod key_values;
mod retention;
mod sockets;
mod tokens;
mod tombstones;

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use aws_config::environment::EnvironmentVariableCredentialsProvider;
use aws_config::retry::RetryConfig;
use aws_config::timeout::TimeoutConfig;
use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_sdk_dynamodb::config::{Builder, SharedCredentialsProvider, SharedHttpClient, StalledStreamProtectionConfig};
#[cfg(feature = "tls")]
use aws_smithy_http_client::tls::{Provider, TlsContext, TrustStore, rustls_provider::CryptoMode};
use futures_util::future::try_join_all;
use tokio::time::timeout;

use crate::error::{Error, Result};
use crate::schema::{Calendar, Id, Ids, Timestamp};

pub use bucket::StoredImage;
pub use channel::Channel;
pub use cost::Cost;
pub use get::Consistency;
pub use index_cursor::IndexCursor;
pub use key_values::Precondition;
pub use retention::RetentionProgress;
pub use sockets::{Listeners, OverlayConnections, SocketConnection};
pub use tokens::{Scope, StoredToken, Token, TokenHash};
pub use tombstones::{PendingDeletion, Rest, Sweep};

/// Default number of shards of a growing index. DynamoDB takes 1,000 writes a second on each.
pub const DEFAULT_SHARDS: u64 = 2;

/// Attempts of a call by the SDK, all within seconds. The gateway times out after 30.
const ATTEMPTS: u32 = 3;
const FIRST_BACKOFF: Duration = Duration::from_millis(50);
const MAX_BACKOFF: Duration = Duration::from_secs(1);
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(4);
/// Timeout of the warm-up. The platform's limit for the init phase is 10 seconds.
const WARM_UP_TIMEOUT: Duration = Duration::from_secs(3);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
const OPERATION_TIMEOUT: Duration = Duration::from_secs(10);
/// Environment variable with the endpoint for posts to socket connections.
pub const SOCKET_ENDPOINT: &str = "SOCKET_ENDPOINT";
/// Root certificates that verify every endpoint of AWS.
#[cfg(feature = "tls")]
const AMAZON_ROOTS: &[u8] = include_bytes!("store/amazon-roots.pem");
/// Wait before the service itself repeats a call that was not carried out.
const FIRST_WAIT: Duration = Duration::from_millis(10);
const MAX_WAIT: Duration = Duration::from_millis(600);
/// Parallel calls of one request.
const MAX_PARALLEL: usize = 32;

/// Names and settings of a deployment's resources.
#[derive(Clone, Debug)]
pub struct Names {
    #[expect(missing_docs, reason = "the name says it")]
    pub table: String,
    #[expect(missing_docs, reason = "the name says it")]
    pub bucket: String,
    #[expect(missing_docs, reason = "the type says it")]
    pub shards: Shards,
    /// Time before which tokens are invalid, because after a restore, revoked tokens would work again.
    pub tokens_not_before: Option<Timestamp>,
    /// Time zone of the statistics.
    pub calendar: Calendar,
    #[expect(missing_docs, reason = "the type says it")]
    pub channel: Channel,
    /// Days after which chat messages lose their texts. `None` keeps them.
    pub chat_retention: Option<u16>,
}

/// Numbers of shards of growing indexes. Neither number may ever shrink. To raise them, raise `read` in one
/// deployment and `write` in the next: a function of the previous version must read every shard that this version
/// writes.
#[derive(Clone, Copy, Debug)]
pub struct Shards {
    /// Shards that are read.
    pub read: u64,
    /// Shards that get new records. At most `read`.
    pub write: u64,
}

impl Shards {
    /// Set both numbers to the same value.
    pub fn both(count: u64) -> Self {
        Self { read: count, write: count }
    }
}

impl Names {
    /// Create the names of a table and a bucket, with defaults for all other settings.
    pub fn new(table: impl Into<String>, bucket: impl Into<String>) -> Self {
        Self {
            table: table.into(),
            bucket: bucket.into(),
            shards: Shards::both(DEFAULT_SHARDS),
            tokens_not_before: None,
            calendar: Calendar::default(),
            channel: Channel::default(),
            chat_retention: None,
        }
    }

    /// Read the variables that the template sets for every function: `TABLE_NAME`, `BUCKET_NAME`, `READ_SHARDS`,
    /// `WRITE_SHARDS`, and optionally `TOKENS_NOT_BEFORE`, `TIME_ZONE`, `TWITCH_BROADCASTER_ID` and
    /// `CHAT_RETENTION_DAYS`.
    ///
    /// # Errors
    /// A message that names the missing or invalid variable.
    pub fn from_env() -> Result<Self, String> {
        let required =
            |variable: &str| std::env::var(variable).map_err(|_| format!("set {variable}, as template.yaml does"));
        let optional = |variable: &str| std::env::var(variable).ok().filter(|text| !text.is_empty());
        let count = |variable: &str| match std::env::var(variable) {
            Ok(text) => text.parse().ok().filter(|count| *count > 0).ok_or(format!("{variable} is a number from 1 on")),
            Err(_) => Ok(DEFAULT_SHARDS),
        };
        let shards = Shards { read: count("READ_SHARDS")?, write: count("WRITE_SHARDS")? };
        if shards.write > shards.read {
            return Err(
                "WRITE_SHARDS is at most READ_SHARDS: records in shards that are not read are in no list".to_owned()
            );
        }
        let tokens_not_before = optional("TOKENS_NOT_BEFORE")
            .map(|time| Timestamp::parse(&time).ok_or("TOKENS_NOT_BEFORE is a timestamp (RFC 3339)"))
            .transpose()?;
        let calendar = optional("TIME_ZONE")
            .map(|zone| Calendar::named(&zone).ok_or("TIME_ZONE is an IANA name, such as Europe/Berlin"))
            .transpose()?
            .unwrap_or_default();
        let chat_retention = optional("CHAT_RETENTION_DAYS")
            .map(|days| days.parse().map_err(|_| "CHAT_RETENTION_DAYS is a number of days, or 0"))
            .transpose()?
            .filter(|days| *days > 0);
        let channel = Channel::new(optional("TWITCH_BROADCASTER_ID"));
        let names = Self::new(required("TABLE_NAME")?, required("BUCKET_NAME")?);
        Ok(Self { shards, tokens_not_before, calendar, channel, chat_retention, ..names })
    }
}

/// A handle to the stores, cheap to clone. Each request has its own handle, which counts the cost of the request.
///
/// # Errors
/// Its functions fail only if a store fails, unless they say more: with 503 if the store is unavailable, with 500 if
/// the call was invalid. Reads can be repeated in any case; a [`CommitError`](crate::table::CommitError) says if a
/// write can.
///
/// ```no_run
/// use event_capture::resources::USERS;
/// use event_capture::schema::{Id, Key};
/// use event_capture::store::{Names, Store};
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let store = Store::in_function(Names::from_env()?).for_request();
/// let user = store.get(Key::new(&USERS, Id::new(5).ok_or("a positive number")?)).await?;
/// println!("{} for {} read units", user.is_some(), store.cost().read_units());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Store {
    clients: Arc<Clients>,
    cost: Arc<Cost>,
}

/// A client that is created at its first call, because creating all would lengthen the start of every function.
type Lazy<T> = LazyLock<T, Box<dyn FnOnce() -> T + Send>>;

#[derive(Debug)]
struct Clients {
    dynamo: aws_sdk_dynamodb::Client,
    /// Same client without retries, because the repetition of a single write must know of every attempt.
    unrepeated: Lazy<aws_sdk_dynamodb::Client>,
    s3: Lazy<aws_sdk_s3::Client>,
    /// Configuration of Secrets Manager in a function. The client is created for each secret, because most functions
    /// never read one.
    #[cfg(feature = "tls")]
    secrets: Option<SdkConfig>,
    /// `None` if the deployment has no socket.
    sockets: Option<Socket>,
    names: Names,
    ids: Ids,
}

/// Socket of a deployment.
#[derive(Debug)]
struct Socket {
    client: Lazy<aws_sdk_apigatewaymanagement::Client>,
    /// Numbers of the groups that this process has added to the directory.
    added_groups: Mutex<BTreeSet<Id>>,
}

impl Store {
    /// Create clients of both stores.
    pub fn new(dynamo: Builder, s3: &SdkConfig, names: Names) -> Self {
        let (dynamo, s3) = (dynamo.retry_config(retries()).timeout_config(timeouts()), bounded(s3));
        // A response is at most some megabytes, and its time is limited as a whole.
        let dynamo = dynamo.stalled_stream_protection(StalledStreamProtectionConfig::disabled());
        // Uses path-style addressing with a custom endpoint: a loopback address has no subdomains.
        let path_style = s3.endpoint_url().is_some();
        let s3 = aws_sdk_s3::config::Builder::from(&s3).force_path_style(path_style).build();
        let unrepeated = dynamo.clone().retry_config(RetryConfig::disabled()).build();
        Self {
            clients: Arc::new(Clients {
                dynamo: aws_sdk_dynamodb::Client::from_conf(dynamo.build()),
                unrepeated: Lazy::new(Box::new(move || aws_sdk_dynamodb::Client::from_conf(unrepeated))),
                s3: Lazy::new(Box::new(move || aws_sdk_s3::Client::from_conf(s3))),
                #[cfg(feature = "tls")]
                secrets: None,
                sockets: None,
                names,
                ids: Ids::default(),
            }),
            cost: Arc::default(),
        }
    }

    /// Add a client of socket connections.
    #[must_use]
    pub fn with_socket(mut self, sockets: &SdkConfig) -> Self {
        // Always succeeds, because the new handle has no clones yet.
        if let Some(clients) = Arc::get_mut(&mut self.clients) {
            let config = bounded(sockets);
            let client = Lazy::new(Box::new(move || aws_sdk_apigatewaymanagement::Client::new(&config)));
            clients.sockets = Some(Socket { client, added_groups: Mutex::default() });
        }
        self
    }

    /// Add access to Secrets Manager.
    #[cfg(feature = "tls")]
    fn with_secrets(mut self, secrets: &SdkConfig) -> Self {
        // Always succeeds, because the new handle has no clones yet.
        if let Some(clients) = Arc::get_mut(&mut self.clients) {
            clients.secrets = Some(bounded(secrets));
        }
        self
    }

    /// Create clients in a function, from the environment variables of the platform. The SDK's own search for
    /// configuration would find nothing else and would lengthen every cold start.
    pub fn in_function(names: Names) -> Self {
        let http_client = http_client();
        let config = |endpoint: &str| {
            let region = std::env::var("AWS_REGION").ok().map(Region::new);
            let mut config = SdkConfig::builder()
                .behavior_version(BehaviorVersion::latest())
                .credentials_provider(SharedCredentialsProvider::new(EnvironmentVariableCredentialsProvider::new()))
                .http_client(http_client.clone());
            config.set_region(region).set_endpoint_url(std::env::var(endpoint).ok());
            config.build()
        };
        let dynamo = Builder::from(&config("AWS_ENDPOINT_URL_DYNAMODB"));
        let store = Self::new(dynamo, &config("AWS_ENDPOINT_URL_S3"), names);
        #[cfg(feature = "tls")]
        let store = store.with_secrets(&config("AWS_ENDPOINT_URL_SECRETS_MANAGER"));
        let has_socket = std::env::var(SOCKET_ENDPOINT).is_ok_and(|endpoint| !endpoint.is_empty());
        if has_socket { store.with_socket(&config(SOCKET_ENDPOINT)) } else { store }
    }

    /// Create clients on a developer's machine, with the credentials of the SDK's default chain.
    ///
    /// # Errors
    /// A message if this binary is built without HTTPS.
    pub async fn from_default_chain(names: Names) -> Result<Self, String> {
        // An emulator is reached without HTTPS.
        let is_emulator = std::env::var("AWS_ENDPOINT_URL_DYNAMODB").is_ok_and(|url| url.starts_with("http://"));
        if cfg!(not(feature = "tls")) && !is_emulator {
            return Err("this was built without HTTPS, which AWS needs: build it with `--features deployed`".to_owned());
        }
        let config = aws_config::defaults(BehaviorVersion::latest()).http_client(http_client()).load().await;
        Ok(Self::new(Builder::from(&config), &config, names))
    }

    /// Open the connection to the table before the first request, by a read of an item that never exists. A failure is
    /// logged and has no other effect.
    pub async fn warm_up(&self, pk: &str) {
        if !matches!(timeout(WARM_UP_TIMEOUT, self.get_item(pk)).await, Ok(Ok(_))) {
            tracing::warn!("could not connect to the table before the first request");
        }
    }

    /// Create a handle to the same stores whose cost starts at zero.
    #[must_use]
    pub fn for_request(&self) -> Self {
        Self { clients: Arc::clone(&self.clients), cost: Arc::default() }
    }

    /// Cost of this handle's calls so far.
    pub fn cost(&self) -> &Cost {
        &self.cost
    }

    /// Number of shards of growing indexes that are read.
    pub fn shards(&self) -> u64 {
        self.clients.names.shards.read
    }

    /// Calendar of the statistics.
    pub fn calendar(&self) -> &Calendar {
        &self.clients.names.calendar
    }

    /// Channel of the service.
    pub fn channel(&self) -> &Channel {
        &self.clients.names.channel
    }

    /// Days after which chat messages lose their texts. `None` keeps them.
    pub fn chat_retention(&self) -> Option<u16> {
        self.clients.names.chat_retention
    }

    /// Generate an identifier.
    pub fn next_id(&self, now: Timestamp) -> Id {
        self.clients.ids.generate(now, fastrand::u64(..))
    }

    /// Read the text of the secret with this ARN. Only a function has Secrets Manager.
    #[cfg(feature = "tls")]
    pub async fn secret(&self, arn: &str) -> Result<String> {
        let _trip = self.cost.start_trip();
        let client = aws_sdk_secretsmanager::Client::new(self.clients.secrets.as_ref().ok_or_else(Error::fault)?);
        let request = client.get_secret_value().secret_id(arn);
        let secret = request.send().await.map_err(|error| fault::fault(&error))?;
        secret.secret_string.ok_or_else(Error::unavailable)
    }

    /// Fail: without HTTPS, this is no function.
    #[cfg(not(feature = "tls"))]
    #[expect(clippy::unused_async, reason = "a function reads it over the network")]
    pub async fn secret(&self, _: &str) -> Result<String> {
        Err(Error::fault())
    }
}

/// Create the HTTP client of all SDK clients. Its TLS library is ring, which builds in half the time of the SDK's
/// default and starts as fast. It trusts five root certificates. Loading the machine's 145 takes 2 ms of every cold
/// start. `SSL_CERT_FILE` replaces these roots.
#[cfg(feature = "tls")]
fn http_client() -> SharedHttpClient {
    let roots = match std::env::var_os("SSL_CERT_FILE") {
        Some(_) => TrustStore::default(),
        None => TrustStore::empty().with_pem_certificate(AMAZON_ROOTS),
    };
    let context = TlsContext::builder().with_trust_store(roots).build();
    let builder = aws_smithy_http_client::Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring));
    // This cannot fail: the roots are part of the source, and its tests parse them.
    context.map_or_else(|_| builder.clone().build_https(), |context| builder.clone().tls_context(context).build_https())
}

/// Create the HTTP client of all SDK clients, for the loopback.
#[cfg(not(feature = "tls"))]
fn http_client() -> SharedHttpClient {
    aws_smithy_http_client::Builder::new().build_http()
}

/// Run independent futures, in batches that the connections can serve.
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

/// Wait before a repeated call. The first attempt does not wait, and later waits grow and have jitter.
async fn back_off(attempt: u32) {
    if let Some(repetition) = attempt.checked_sub(1) {
        let wait = (FIRST_WAIT * 2u32.pow(repetition)).min(MAX_WAIT);
        tokio::time::sleep(wait.mul_f64(0.5 + fastrand::f64())).await;
    }
}

/// Set explicit retries and timeouts, because the SDK's defaults change.
fn bounded(config: &SdkConfig) -> SdkConfig {
    config.to_builder().retry_config(retries()).timeout_config(timeouts()).build()
}

fn retries() -> RetryConfig {
    let retries = RetryConfig::standard().with_max_attempts(ATTEMPTS);
    retries.with_initial_backoff(FIRST_BACKOFF).with_max_backoff(MAX_BACKOFF)
}

fn timeouts() -> TimeoutConfig {
    let timeouts = TimeoutConfig::builder().connect_timeout(CONNECT_TIMEOUT);
    timeouts.operation_attempt_timeout(ATTEMPT_TIMEOUT).operation_timeout(OPERATION_TIMEOUT).build()
}
