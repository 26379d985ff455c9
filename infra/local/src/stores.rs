//! Access to the embedded stores. Each function has its own credentials.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_sdk_dynamodb::config::{Credentials, SharedCredentialsProvider, SharedHttpClient};
use event_capture::schema::{Calendar, Timestamp};
use event_capture::store::{Channel, Names, SOCKET_ENDPOINT, Shards, Store, Token};
use s3s::service::S3Service;

use crate::Error;
use crate::backend::{REGION, SharedBackend, bucket_client, table_config};
use crate::folder::{unusable, write_private};
use crate::sockets::Sockets;

/// Name of the bucket, and the first segment of its paths.
pub(crate) const BUCKET: &str = "event-capture-images";
/// File in the data folder that stores its secret.
pub(crate) const SECRET_FILE: &str = "secret";
/// Minimum length of a secret, in bytes: that of the digests which it signs.
const MIN_SECRET: usize = 32;
/// Access key of the owner, which is not a function and may do everything.
pub(crate) const OWNER: &str = "local";

/// Stores, and the secret that their clients sign with.
#[derive(Clone)]
pub(crate) struct Stores {
    /// Stores of a deployed service, which this one only reads. All functions use them in place of the embedded ones.
    pub(crate) deployed: Option<Store>,
    pub(crate) table: SharedBackend,
    /// Name of the table.
    pub(crate) name: String,
    pub(crate) bucket: S3Service,
    /// Endpoint of a bucket outside this process, if one is used.
    pub(crate) s3_endpoint: Option<String>,
    /// Address of the gateway.
    pub(crate) address: SocketAddr,
    pub(crate) secret: String,
    /// Identifier of this run of the service.
    pub(crate) run: String,
    pub(crate) shards: Shards,
    pub(crate) tokens_not_before: Option<Timestamp>,
    /// Time zone of the statistics.
    pub(crate) calendar: Calendar,
    /// Channel, which may log in later.
    pub(crate) channel: Channel,
    /// Days after which chat messages lose their texts. 0 keeps them.
    pub(crate) chat_retention_days: u16,
    /// Connections of the socket.
    pub(crate) sockets: Sockets,
}

/// Get the secret of a data folder, generated on first use. It signs the URLs of images, so that only clients with
/// such a URL can read them. The URLs remain valid after a restart.
pub(crate) fn secret(folder: &Path) -> Result<String, Error> {
    read_or_generate(folder, SECRET_FILE)
}

/// Get a secret in a file of a folder, generated on first use.
pub(crate) fn read_or_generate(folder: &Path, file: &str) -> Result<String, Error> {
    let path = folder.join(file);
    let stored = match std::fs::read_to_string(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(unusable(&path, &error)),
        stored => stored.unwrap_or_default(),
    };
    if stored.is_empty() {
        let secret = Token::generate()?.reveal();
        write_private(&path, secret.as_bytes())?;
        return Ok(secret);
    }
    if stored.trim().len() < MIN_SECRET {
        return Err(format!(
            "{} has a secret of less than {MIN_SECRET} bytes, which can be guessed. Either put back the original file, or delete it: the service then generates a new secret.",
            path.display()
        )
        .into());
    }
    Ok(stored)
}

impl Stores {
    /// Build the stores with the access of a function, or of the owner.
    pub(crate) fn store_for(&self, caller: &str) -> Store {
        if let Some(store) = &self.deployed {
            return store.for_request();
        }
        let (shards, tokens_not_before) = (self.shards, self.tokens_not_before);
        let calendar = self.calendar.clone();
        let channel = self.channel.clone();
        let chat_retention = Some(self.chat_retention_days).filter(|days| *days > 0);
        let names = Names::new(&self.name, BUCKET);
        let names = Names { shards, tokens_not_before, calendar, channel, chat_retention, ..names };
        let table = table_config(Arc::clone(&self.table), caller);
        let bucket = if let Some(endpoint) = &self.s3_endpoint {
            let variable = |name: &str| std::env::var(name).unwrap_or_default();
            let client = aws_smithy_http_client::Builder::new().build_http();
            sdk_config(endpoint, &variable("AWS_ACCESS_KEY_ID"), &variable("AWS_SECRET_ACCESS_KEY"), client)
        } else {
            let gateway = format!("http://{}", self.address);
            sdk_config(&gateway, caller, &self.secret, bucket_client(self.bucket.clone()))
        };
        let sockets = sdk_config("http://sockets", caller, &self.secret, self.sockets.client());
        Store::new(table, &bucket, names).with_socket(&sockets)
    }

    /// Describe the same access in the environment variables of a process.
    pub(crate) fn environment(&self, caller: &str) -> Vec<(String, String)> {
        // A separate process connects to the gateway's port. The secret in the path grants access, as long as this run
        // lasts: a function that outlives its service would repeat a transaction whose token the next run does not know.
        let endpoint = format!("http://{}/{}/{}", self.address, self.secret, self.run);
        let variables = [
            ("TABLE_NAME", self.name.clone()),
            ("BUCKET_NAME", BUCKET.to_owned()),
            ("READ_SHARDS", self.shards.read.to_string()),
            ("WRITE_SHARDS", self.shards.write.to_string()),
            ("TOKENS_NOT_BEFORE", self.tokens_not_before.map(|time| time.to_string()).unwrap_or_default()),
            ("TIME_ZONE", self.calendar.name().to_owned()),
            ("CHAT_RETENTION_DAYS", self.chat_retention_days.to_string()),
            ("AWS_REGION", REGION.to_owned()),
            ("AWS_ACCESS_KEY_ID", caller.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", self.secret.clone()),
            ("AWS_ENDPOINT_URL_DYNAMODB", endpoint.clone()),
            // There is no Secrets Manager here. The backend of the table receives its calls.
            ("AWS_ENDPOINT_URL_SECRETS_MANAGER", endpoint.clone()),
            ("AWS_ENDPOINT_URL_S3", self.s3_endpoint.clone().unwrap_or_else(|| format!("http://{}", self.address))),
            (SOCKET_ENDPOINT, endpoint),
            ("METRICS_STACK", "local".to_owned()),
        ];
        variables.map(|(name, value)| (name.to_owned(), value)).to_vec()
    }
}

/// Build the configuration of a client for this endpoint.
pub(crate) fn sdk_config(endpoint: &str, caller: &str, secret: &str, client: SharedHttpClient) -> SdkConfig {
    let credentials = Credentials::new(caller, secret, None, None, "local stack");
    SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::from_static(REGION))
        .credentials_provider(SharedCredentialsProvider::new(credentials))
        .endpoint_url(endpoint)
        .http_client(client)
        .build()
}
