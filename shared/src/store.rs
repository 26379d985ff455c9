//! The table and the bucket: plans are carried out here, in DynamoDB's language and S3's. Above this layer nobody knows
//! either.

mod attribute;
mod bucket;
mod commit;
mod cost;
mod expression;
mod fault;
mod feed;
mod idempotency;
mod index_cursor;
mod read;
mod secrets;
mod sockets;
mod tokens;
mod tombstones;
mod values;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use aws_config::environment::EnvironmentVariableCredentialsProvider;
use aws_config::retry::RetryConfig;
use aws_config::timeout::TimeoutConfig;
use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_sdk_dynamodb::config::{SharedCredentialsProvider, SharedHttpClient};
#[cfg(feature = "tls")]
use aws_smithy_http_client::tls::{Provider, TlsContext, TrustStore, rustls_provider::CryptoMode};
use futures_util::future::try_join_all;
use tokio::time::timeout;

use crate::schema::{Id, Ids, Timestamp};

pub use bucket::StoredImage;
pub use cost::Cost;
pub use index_cursor::IndexCursor;
pub use read::Consistency;
pub use sockets::Connection;
pub use tokens::{Scope, StoredToken, Token, TokenHash};
pub use tombstones::{PendingDeletion, Rest, Sweep};
pub use values::Precondition;

/// How many partitions a growing index is spread over, unless a deployment says otherwise; DynamoDB takes 1,000 writes a
/// second on each.
pub const DEFAULT_SHARDS: u64 = 2;

/// Three tries within seconds: the gateway gives up after 30.
const ATTEMPTS: u32 = 3;
const FIRST_BACKOFF: Duration = Duration::from_millis(50);
const LONGEST_BACKOFF: Duration = Duration::from_secs(1);
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(4);
/// The platform gives an init 10 seconds.
const LONGEST_WARM_UP: Duration = Duration::from_secs(3);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
const OPERATION_TIMEOUT: Duration = Duration::from_secs(10);
/// The variable that says where connections of the socket are posted to.
pub const SOCKET_ENDPOINT: &str = "SOCKET_ENDPOINT";
/// What every endpoint of AWS can be verified with.
#[cfg(feature = "tls")]
const AMAZON_ROOTS: &[u8] = include_bytes!("store/amazon-roots.pem");
/// The first wait before what was not carried out is sent again.
const FIRST_WAIT: Duration = Duration::from_millis(10);
const LONGEST_WAIT: Duration = Duration::from_millis(600);

/// The names of what a deployment made.
#[derive(Clone, Debug)]
pub struct Names {
    /// The DynamoDB table.
    pub table: String,
    /// The S3 bucket.
    pub bucket: String,
    /// How many partitions growing indexes are spread over.
    pub shards: Shards,
    /// Tokens that were made before this do not work: after a restore, revoked ones would come back.
    pub tokens_not_before: Option<Timestamp>,
}

/// How many partitions growing indexes are spread over. Neither number may ever shrink. To raise them, raise `read` in one
/// deployment and `write` in the next: a function of the version before must read whatever this one writes.
#[derive(Clone, Copy, Debug)]
pub struct Shards {
    /// So many are read.
    pub read: u64,
    /// So many get new records; at most those that are read.
    pub write: u64,
}

impl Shards {
    /// As many are written as are read.
    pub fn both(count: u64) -> Self {
        Self { read: count, write: count }
    }
}

impl Names {
    /// The names of a table and a bucket, with the defaults of everything else.
    pub fn new(table: impl Into<String>, bucket: impl Into<String>) -> Self {
        let shards = Shards::both(DEFAULT_SHARDS);
        Self { table: table.into(), bucket: bucket.into(), shards, tokens_not_before: None }
    }

    /// What the template passes to every function: `TABLE_NAME`, `BUCKET_NAME`, `READ_SHARDS`, `WRITE_SHARDS`, and perhaps
    /// `TOKENS_NOT_BEFORE`.
    ///
    /// # Errors
    /// Says which of them is missing or wrong.
    pub fn from_env() -> Result<Self, String> {
        let name =
            |variable: &str| std::env::var(variable).map_err(|_| format!("set {variable}, as template.yaml does"));
        let count = |variable: &str| match std::env::var(variable) {
            Ok(count) => {
                count.parse().ok().filter(|count| *count > 0).ok_or(format!("{variable} is a number from 1 on"))
            }
            Err(_) => Ok(DEFAULT_SHARDS),
        };
        let shards = Shards { read: count("READ_SHARDS")?, write: count("WRITE_SHARDS")? };
        if shards.write > shards.read {
            return Err(
                "WRITE_SHARDS is at most READ_SHARDS: records in shards that are not read are in no list".to_owned()
            );
        }
        let not_before = std::env::var("TOKENS_NOT_BEFORE").ok().filter(|time| !time.is_empty());
        let tokens_not_before = not_before
            .map(|time| Timestamp::parse(&time).ok_or("TOKENS_NOT_BEFORE is a timestamp (RFC 3339)"))
            .transpose()?;
        Ok(Self { shards, tokens_not_before, ..Self::new(name("TABLE_NAME")?, name("BUCKET_NAME")?) })
    }
}

/// A handle to the stores, cheap to clone. Each request has its own, which counts what the request costs.
#[derive(Clone, Debug)]
pub struct Store {
    clients: Arc<Clients>,
    cost: Arc<Cost>,
}

#[derive(Debug)]
struct Clients {
    dynamo: aws_sdk_dynamodb::Client,
    /// The same, but that it sends each call once: whoever sends a single write again must know.
    unrepeated: aws_sdk_dynamodb::Client,
    s3: aws_sdk_s3::Client,
    /// What reads a secret is made of this when one is read: most functions never do.
    secrets: SdkConfig,
    /// Posts to the socket's connections; none, where there is no socket.
    sockets: Option<Socket>,
    names: Names,
    ids: Ids,
}

/// A client of the socket's connections, made when it posts for the first time: most functions never do.
#[derive(Debug)]
struct Socket {
    config: SdkConfig,
    client: OnceLock<aws_sdk_apigatewaymanagement::Client>,
    /// The numbers of groups that this process knows to be in the directory.
    groups: Mutex<BTreeSet<Id>>,
}

impl Socket {
    fn client(&self) -> &aws_sdk_apigatewaymanagement::Client {
        self.client.get_or_init(|| aws_sdk_apigatewaymanagement::Client::new(&self.config))
    }
}

impl Store {
    /// Clients of both stores and of what keeps secrets, with retries and timeouts well inside the gateway's 30 seconds.
    pub fn new(dynamo: &SdkConfig, s3: &SdkConfig, secrets: &SdkConfig, names: Names) -> Self {
        let (dynamo, s3) = (bounded(dynamo), bounded(s3));
        // Buckets are addressed by path where an endpoint is given: a loopback address has no subdomains.
        let path_style = s3.endpoint_url().is_some();
        let s3 = aws_sdk_s3::config::Builder::from(&s3).force_path_style(path_style).build();
        Self {
            clients: Arc::new(Clients {
                dynamo: aws_sdk_dynamodb::Client::new(&dynamo),
                unrepeated: aws_sdk_dynamodb::Client::from_conf(
                    aws_sdk_dynamodb::config::Builder::from(&dynamo).retry_config(RetryConfig::disabled()).build(),
                ),
                s3: aws_sdk_s3::Client::from_conf(s3),
                secrets: bounded(secrets),
                sockets: None,
                names,
                ids: Ids::default(),
            }),
            cost: Arc::default(),
        }
    }

    /// The same, which posts to the connections of a socket, too.
    #[must_use]
    pub fn with_socket(mut self, sockets: &SdkConfig) -> Self {
        // Nobody has it yet.
        if let Some(clients) = Arc::get_mut(&mut self.clients) {
            clients.sockets =
                Some(Socket { config: bounded(sockets), client: OnceLock::new(), groups: Mutex::default() });
        }
        self
    }

    /// Clients in a function, from the variables that the platform sets; there is nothing else to look for, and the
    /// SDK's own search takes a part of every cold start.
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
        let secrets = config("AWS_ENDPOINT_URL_SECRETS_MANAGER");
        let store = Self::new(&config("AWS_ENDPOINT_URL_DYNAMODB"), &config("AWS_ENDPOINT_URL_S3"), &secrets, names);
        let has_socket = std::env::var(SOCKET_ENDPOINT).is_ok_and(|endpoint| !endpoint.is_empty());
        if has_socket { store.with_socket(&config(SOCKET_ENDPOINT)) } else { store }
    }

    /// Clients on the machine of who has deployed it, wherever that keeps its credentials.
    ///
    /// # Errors
    /// When this is built without HTTPS.
    pub async fn from_default_chain(names: Names) -> Result<Self, String> {
        if cfg!(not(feature = "tls")) {
            return Err("this was built without HTTPS, which AWS needs: build it with `--features deployed`".to_owned());
        }
        let config = aws_config::defaults(BehaviorVersion::latest()).http_client(http_client()).load().await;
        Ok(Self::new(&config, &config, &config, names))
    }

    /// Opens the connection to the table, so that the first request finds it open: reads an item that never is there.
    /// It is no matter if this fails.
    pub async fn warm_up(&self, pk: &str) {
        if !matches!(timeout(LONGEST_WARM_UP, self.get_item(pk)).await, Ok(Ok(_))) {
            tracing::warn!("the connection to the table could not be opened ahead of the first request");
        }
    }

    /// The same stores, counting from zero.
    #[must_use]
    pub fn for_request(&self) -> Self {
        Self { clients: Arc::clone(&self.clients), cost: Arc::default() }
    }

    /// What this handle's requests have cost so far.
    pub fn cost(&self) -> &Cost {
        &self.cost
    }

    /// How many partitions growing indexes are read.
    pub fn shards(&self) -> u64 {
        self.clients.names.shards.read
    }

    /// A new identifier.
    pub fn next_id(&self, now: Timestamp) -> Id {
        self.clients.ids.generate(now, fastrand::u64(..))
    }
}

/// What both clients speak through. Ring, for it builds in half the time of the SDK's default and starts as fast;
/// and five roots instead of the machine's 145, which take 2 ms of every cold start. `SSL_CERT_FILE` names others.
#[cfg(feature = "tls")]
fn http_client() -> SharedHttpClient {
    let roots = match std::env::var_os("SSL_CERT_FILE") {
        Some(_) => TrustStore::default(),
        None => TrustStore::empty().with_pem_certificate(AMAZON_ROOTS),
    };
    let context = TlsContext::builder().with_trust_store(roots).build();
    let builder = aws_smithy_http_client::Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring));
    // The roots are part of the source, and its tests read them: there is nothing that could fail.
    context.map_or_else(|_| builder.clone().build_https(), |context| builder.clone().tls_context(context).build_https())
}

/// What both clients speak through, on the loopback.
#[cfg(not(feature = "tls"))]
fn http_client() -> SharedHttpClient {
    aws_smithy_http_client::Builder::new().build_http()
}

/// How many calls of one request are under way at the same time.
const PARALLEL: usize = 32;

/// Carries out what does not depend on one another, so much of it at a time that the connections suffice.
///
/// # Errors
/// The first that any of it met.
pub async fn in_parallel<T, E, F: Future<Output = Result<T, E>>>(work: impl Iterator<Item = F>) -> Result<Vec<T>, E> {
    let mut work: Vec<F> = work.collect();
    let mut done = Vec::with_capacity(work.len());
    while !work.is_empty() {
        let rest = work.split_off(work.len().min(PARALLEL));
        done.extend(try_join_all(std::mem::replace(&mut work, rest)).await?);
    }
    Ok(done)
}

/// Waits before what was not carried out is sent again: not before the first attempt, then longer each time, and not all
/// at once.
async fn back_off(attempt: u32) {
    if let Some(before) = attempt.checked_sub(1) {
        tokio::time::sleep((FIRST_WAIT * 2u32.pow(before)).min(LONGEST_WAIT).mul_f64(0.5 + fastrand::f64())).await;
    }
}

/// The same configuration, with retries and timeouts said explicitly: the SDK's defaults change.
fn bounded(config: &SdkConfig) -> SdkConfig {
    let timeouts = TimeoutConfig::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        .operation_attempt_timeout(ATTEMPT_TIMEOUT)
        .operation_timeout(OPERATION_TIMEOUT);
    config
        .to_builder()
        .retry_config(
            RetryConfig::standard()
                .with_max_attempts(ATTEMPTS)
                .with_initial_backoff(FIRST_BACKOFF)
                .with_max_backoff(LONGEST_BACKOFF),
        )
        .timeout_config(timeouts.build())
        .build()
}
