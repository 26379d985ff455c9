//! The ports on AWS. Only this folder names the SDK.
//!
//! A client never retries: `retry` does, above the port.

mod bucket;
mod fault;
mod posts;
#[cfg(feature = "tls")]
mod secrets;
mod table;

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use aws_config::environment::EnvironmentVariableCredentialsProvider;
use aws_config::retry::RetryConfig;
use aws_config::timeout::TimeoutConfig;
use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_sdk_dynamodb::config::{Credentials, SharedCredentialsProvider, SharedHttpClient};
#[cfg(feature = "tls")]
use aws_smithy_http_client::tls::{Provider, TlsContext, TrustStore, rustls_provider::CryptoMode};

use super::{Store, StoreSettings};

pub use bucket::S3;
pub use posts::Connections;
pub use table::DynamoDb;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
const CALL_TIMEOUT: Duration = Duration::from_secs(3);
/// Environment variable with the endpoint for posts to socket connections.
pub const SOCKET_ENDPOINT: &str = "SOCKET_ENDPOINT";
/// Root certificates that verify every endpoint of AWS.
#[cfg(feature = "tls")]
const AMAZON_ROOTS: &[u8] = include_bytes!("aws/amazon-roots.pem");

/// A client that is created at its first call. Creating all of them would slow down the start of every function.
type Lazy<T> = LazyLock<T, Box<dyn FnOnce() -> T + Send>>;

/// Creates all stores of a function from the environment variables of the platform and the template.
///
/// # Errors
/// A message that names the missing or invalid variable.
pub fn from_env() -> Result<Store, String> {
    let (settings, http_client) = (StoreSettings::from_env()?, http_client());
    let table = table_from_env(&settings, &http_client)?;
    let bucket = S3::new(&config_from_env("AWS_ENDPOINT_URL_S3", &http_client), required("BUCKET_NAME")?);
    let has_socket = std::env::var(SOCKET_ENDPOINT).is_ok_and(|endpoint| !endpoint.is_empty());
    let posts = || Arc::new(Connections::new(config_from_env(SOCKET_ENDPOINT, &http_client))) as _;
    let store = Store::new(Arc::new(table), Some(Arc::new(bucket)), has_socket.then(posts), settings);
    #[cfg(feature = "tls")]
    let store = {
        let config = config_from_env("AWS_ENDPOINT_URL_SECRETS_MANAGER", &http_client);
        store.with_secrets(Arc::new(secrets::SecretsManager(config)))
    };
    Ok(store)
}

/// Creates a function's store that uses only the table. The other clients would make its binary larger and its start
/// slower.
///
/// # Errors
/// A message that names the missing or invalid variable.
pub fn table_only_from_env() -> Result<Store, String> {
    let settings = StoreSettings::from_env()?;
    let table = table_from_env(&settings, &http_client())?;
    Ok(Store::new(Arc::new(table), None, None, settings))
}

fn table_from_env(settings: &StoreSettings, http_client: &SharedHttpClient) -> Result<DynamoDb, String> {
    let config = config_from_env("AWS_ENDPOINT_URL_DYNAMODB", http_client);
    Ok(DynamoDb::new(&config, required("TABLE_NAME")?, settings.shards.write))
}

/// Builds a client's configuration from the platform's variables. The SDK's own search would find nothing else and slow
/// down every cold start.
fn config_from_env(endpoint: &str, http_client: &SharedHttpClient) -> SdkConfig {
    let region = std::env::var("AWS_REGION").ok().map(Region::new);
    let mut config = SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .credentials_provider(SharedCredentialsProvider::new(EnvironmentVariableCredentialsProvider::new()))
        .http_client(http_client.clone());
    config.set_region(region).set_endpoint_url(std::env::var(endpoint).ok());
    bounded(&config.build())
}

fn required(variable: &str) -> Result<String, String> {
    std::env::var(variable).map_err(|_| format!("set {variable}, as template.yaml does"))
}

/// Creates the stores of a deployed service on a developer's machine, with the credentials of the SDK's default chain.
///
/// # Errors
/// A message if this binary is built without HTTPS.
pub async fn from_default_chain(table: &str, bucket: &str, settings: StoreSettings) -> Result<Store, String> {
    // An emulator is reached without HTTPS.
    let is_emulator = std::env::var("AWS_ENDPOINT_URL_DYNAMODB").is_ok_and(|url| url.starts_with("http://"));
    if cfg!(not(feature = "tls")) && !is_emulator {
        return Err("this was built without HTTPS, which AWS needs: build it with `--features deployed`".to_owned());
    }
    let config = bounded(&aws_config::defaults(BehaviorVersion::latest()).http_client(http_client()).load().await);
    let table = DynamoDb::new(&config, table.to_owned(), settings.shards.write);
    Ok(Store::new(Arc::new(table), Some(Arc::new(S3::new(&config, bucket.to_owned()))), None, settings))
}

/// Builds the client configuration for an emulator at an endpoint. The access key names the caller.
pub fn emulator(endpoint: &str, access_key: &str, secret: &str) -> SdkConfig {
    let credentials = Credentials::new(access_key, secret, None, None, "emulator");
    let config = SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::from_static("us-east-1"))
        .credentials_provider(SharedCredentialsProvider::new(credentials))
        .endpoint_url(endpoint)
        .http_client(aws_smithy_http_client::Builder::new().build_http());
    bounded(&config.build())
}

/// Creates the HTTP client of all SDK clients. Its TLS library, ring, builds in half the time of the SDK's default and
/// starts as fast. It trusts only five root certificates: loading the machine's 145 would take 2 ms of every cold
/// start. `SSL_CERT_FILE` replaces them.
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

/// Creates the HTTP client of all SDK clients, for loopback endpoints only.
#[cfg(not(feature = "tls"))]
fn http_client() -> SharedHttpClient {
    aws_smithy_http_client::Builder::new().build_http()
}

/// Sets attempts and timeouts explicitly. The SDK's defaults change.
fn bounded(config: &SdkConfig) -> SdkConfig {
    let timeouts = TimeoutConfig::builder().connect_timeout(CONNECT_TIMEOUT).operation_attempt_timeout(CALL_TIMEOUT);
    config.to_builder().retry_config(RetryConfig::disabled()).timeout_config(timeouts.build()).build()
}
