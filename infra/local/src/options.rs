//! The command-line options of the service, and the variables of the functions that follow from them.
//!
//! They are separate from the stack: tests and tools start it with different options.

use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};

use capture_core::schema::{Calendar, Timestamp};
use capture_core::store::{DEFAULT_SHARDS, Language};
use capture_core::webhooks::twitch::{Cheers, Settings};
use twitch::connection::Config;

use crate::sockets::SOCKET_PATH;
use crate::{Error, demo, remote, stores};

/// Address that only this machine can reach.
const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// Options of the service.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Port to listen on. 0 picks a free port.
    #[arg(long, env = "EVENT_CAPTURE_PORT", default_value_t = 3000)]
    pub port: u16,
    /// Address to listen on. Any address except loopback needs --require-token. Use 0.0.0.0 in a container.
    #[arg(long, value_name = "ADDRESS", env = "EVENT_CAPTURE_LISTEN", default_value_t = LOOPBACK)]
    pub listen: IpAddr,
    /// Folder that stores all data.
    #[arg(long, global = true, env = "EVENT_CAPTURE_DATA_DIR", default_value = ".data")]
    pub data_dir: PathBuf,
    /// Serve this table of a deployed service, such as a restored table, read-only and with your AWS credentials.
    #[arg(long, global = true, value_name = "NAME")]
    pub table: Option<String>,
    /// Bucket with the images of that table.
    #[arg(long, value_name = "NAME", default_value = "", requires = "table", hide_default_value = true)]
    pub bucket: String,
    /// Write every record and image to disk before acknowledging it, so a power failure loses nothing. Writes are
    /// several times slower.
    #[arg(long)]
    pub durable: bool,
    /// Require tokens, as the deployed service does.
    #[arg(long)]
    pub require_token: bool,
    /// Allow web pages of this origin to call the service. Can be repeated. `null` allows local files, and every page that
    /// hides its origin.
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    pub allow_origin: Vec<http::HeaderValue>,
    /// Serve the web pages in this folder at /pages/. They need no --allow-origin.
    #[arg(long, value_name = "FOLDER")]
    pub pages: Option<PathBuf>,
    /// Serve the modules and style sheets of the pages from this folder instead of the joined ones, such as `web` in a
    /// clone.
    #[arg(long, value_name = "FOLDER")]
    pub web_sources: Option<PathBuf>,
    /// Run the functions as separate processes, from the binaries that `sam build` put into this folder. Needs
    /// --dynamodb-endpoint, --s3-endpoint and `--features aws`.
    #[arg(
        long,
        value_name = "FOLDER",
        num_args = 0..=1,
        default_missing_value = "target/lambda",
        conflicts_with = "table"
    )]
    pub lambda: Option<PathBuf>,
    /// Use the table at this endpoint (plain HTTP) instead of the embedded one, for example Amazon's DynamoDB Local.
    /// Needs `--features aws`.
    #[arg(long, value_name = "URL", env = "EVENT_CAPTURE_DYNAMODB_ENDPOINT")]
    pub dynamodb_endpoint: Option<String>,
    /// Use the bucket event-capture-images at this endpoint instead of the embedded one. The credentials are
    /// `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`. Needs `--features aws`.
    #[arg(long, value_name = "URL", env = "EVENT_CAPTURE_S3_ENDPOINT")]
    pub s3_endpoint: Option<String>,
    /// Number of partitions to read for growing indexes. Can be increased, but never decreased.
    #[arg(long, default_value_t = DEFAULT_SHARDS, value_name = "NUMBER", hide = true)]
    pub shards: u64,
    /// Number of these partitions that receive new records. Defaults to all.
    #[arg(long, value_name = "NUMBER", hide = true)]
    pub write_shards: Option<u64>,
    /// Reject tokens that were created before this time. Use it after restoring the data folder from a backup.
    #[arg(long, value_name = "TIME", value_parser = timestamp)]
    pub tokens_not_before: Option<Timestamp>,
    /// Time zone of statistics and leaderboards, as an IANA name such as Europe/Berlin.
    #[arg(long, value_name = "ZONE", default_value = "UTC", value_parser = time_zone)]
    pub time_zone: Calendar,
    /// Number of days after which chat messages lose their text. 0 keeps it.
    #[arg(long, value_name = "DAYS", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=3650))]
    pub chat_retention_days: u16,
    /// Prefix of all paths, as with a custom domain that several services share.
    #[arg(long, value_name = "PATH", default_value = "", hide = true)]
    pub base_path: String,
    /// Maximum number of requests per token and minute. 0 means no limit.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub token_requests_per_minute: u32,
    /// Seconds without messages after which a socket connection is closed.
    #[arg(long, value_name = "SECONDS", default_value_t = 600, hide = true)]
    pub socket_silence: u64,
    /// Seconds after which a client that reads and sends nothing is disconnected.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, hide = true)]
    pub client_silence: u64,
    /// Seconds after which every socket connection is closed.
    #[arg(long, value_name = "SECONDS", default_value_t = 7_200, hide = true)]
    pub socket_life: u64,
    /// Language of the answers to chat commands: `en` or `de`.
    #[arg(long, value_name = "LANGUAGE", default_value = "en", value_parser = language)]
    pub language: Language,
    /// Options for Twitch.
    #[command(flatten)]
    pub twitch: TwitchOptions,
}

/// Twitch's servers.
const TWITCH_ID_URL: &str = "https://id.twitch.tv";
const TWITCH_API_URL: &str = "https://api.twitch.tv/helix";
const TWITCH_EVENTSUB_URL: &str = "wss://eventsub.wss.twitch.tv/ws";

/// Options for Twitch: the webhook, and the connection without a public address. A missing secret is generated.
#[derive(Clone, Debug, clap::Args)]
pub struct TwitchOptions {
    /// Secret that Twitch signs messages with.
    #[arg(long, value_name = "SECRET", env = "TWITCH_SECRET", hide_env_values = true)]
    pub twitch_secret: Option<String>,
    /// Previous secret, which remains valid during a rotation.
    #[arg(long, value_name = "SECRET", env = "TWITCH_PREVIOUS_SECRET", hide_env_values = true)]
    pub twitch_previous_secret: Option<String>,
    /// Twitch ID of the broadcaster to store events of. Without it, the first account that logs in decides.
    #[arg(long, value_name = "ID", env = "TWITCH_BROADCASTER_ID")]
    pub twitch_broadcaster_id: Option<String>,
    /// ARN of the secret in Secrets Manager, as in the deployed function.
    #[arg(long, value_name = "ARN", hide = true)]
    pub twitch_secret_arn: Option<String>,
    /// Client ID of the Twitch application, for the connection without a public address.
    #[arg(long, value_name = "ID", env = "TWITCH_CLIENT_ID")]
    pub twitch_client_id: Option<String>,
    /// Server that logs in Twitch accounts.
    #[arg(long, value_name = "URL", env = "TWITCH_ID_URL", default_value = TWITCH_ID_URL)]
    pub twitch_id_url: String,
    /// Server of Twitch's API.
    #[arg(long, value_name = "URL", env = "TWITCH_API_URL", default_value = TWITCH_API_URL)]
    pub twitch_api_url: String,
    /// Server of Twitch's WebSocket.
    #[arg(long, value_name = "URL", env = "TWITCH_EVENTSUB_URL", default_value = TWITCH_EVENTSUB_URL)]
    pub twitch_eventsub_url: String,
    /// Subscription type to take cheers from: `cheer`, `bits`, `none`, or `subscribed` for every subscribed type.
    #[arg(long, value_name = "TYPE", env = "TWITCH_CHEERS")]
    pub twitch_cheers: Option<String>,
    /// Store chat messages: `true` or `false`.
    #[arg(long, value_name = "BOOL", env = "TWITCH_CHAT")]
    pub twitch_chat: Option<String>,
}

impl Options {
    /// Rejects options that need features or other options that are missing.
    pub(crate) fn check_features(&self) -> Result<(), Error> {
        let needs_aws = self.lambda.is_some() || self.dynamodb_endpoint.is_some() || self.s3_endpoint.is_some();
        if needs_aws {
            remote::check_sdk()?;
        }
        if self.lambda.is_some() && (self.dynamodb_endpoint.is_none() || self.s3_endpoint.is_none()) {
            let missing = "--lambda needs --dynamodb-endpoint and --s3-endpoint";
            return Err(format!("{missing}: a separate process cannot use the embedded stores.").into());
        }
        Ok(())
    }

    /// Returns the environment variables that the template's parameters set for the functions.
    pub(crate) fn variables(&self) -> Vec<(String, String)> {
        let variables = [
            ("BASE_PATH", self.base_path.clone()),
            ("SOCKET_URL", SOCKET_PATH.to_owned()),
            ("TOKEN_REQUESTS_PER_MINUTE", self.token_requests_per_minute.to_string()),
        ];
        let sources = self.web_sources.iter().map(|folder| ("WEB_SOURCES", folder.to_string_lossy().into_owned()));
        let variables = variables.into_iter().chain(sources).map(|(name, value)| (name.to_owned(), value));
        self.twitch.variables().into_iter().chain(variables).collect()
    }
}

impl TwitchOptions {
    /// Generates a secret if none is set. The demo signs its notifications with it.
    pub(crate) fn with_secret(&self, folder: &Path) -> Result<Self, Error> {
        if self.twitch_secret.is_some() || self.twitch_secret_arn.is_some() {
            return Ok(self.clone());
        }
        let secret = stores::read_or_generate(folder, demo::SECRET_FILE)?;
        Ok(Self { twitch_secret: Some(secret), ..self.clone() })
    }

    /// Returns the configuration of the connection to Twitch.
    pub(crate) fn connection(&self, folder: &Path, language: Language) -> Result<Config, Error> {
        let cheers = match self.twitch_cheers.as_deref().map(Cheers::named) {
            // The service accepts both types, but a subscription must choose one.
            None | Some(Some(Cheers::Subscribed)) => Cheers::Bits,
            Some(Some(chosen)) => chosen,
            Some(None) => return Err("--twitch-cheers must be subscribed, cheer, bits or none.".into()),
        };
        let non_empty = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        Ok(Config {
            id_url: self.twitch_id_url.clone(),
            api_url: self.twitch_api_url.clone(),
            eventsub_url: self.twitch_eventsub_url.clone(),
            client_id: non_empty(&self.twitch_client_id),
            broadcaster: non_empty(&self.twitch_broadcaster_id),
            settings: Settings { cheers, chat: self.twitch_chat.as_deref() != Some("false") },
            folder: folder.to_owned(),
            language,
        })
    }

    /// Returns these options as a function's environment variables.
    fn variables(&self) -> Vec<(String, String)> {
        let variables = [
            ("TWITCH_SECRET", &self.twitch_secret),
            ("TWITCH_PREVIOUS_SECRET", &self.twitch_previous_secret),
            ("TWITCH_SECRET_ARN", &self.twitch_secret_arn),
            ("TWITCH_BROADCASTER_ID", &self.twitch_broadcaster_id),
            ("TWITCH_CHEERS", &self.twitch_cheers),
            ("TWITCH_CHAT", &self.twitch_chat),
        ];
        variables.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value.clone()?))).collect()
    }
}

impl Default for TwitchOptions {
    fn default() -> Self {
        Self {
            twitch_secret: None,
            twitch_previous_secret: None,
            twitch_broadcaster_id: None,
            twitch_secret_arn: None,
            twitch_client_id: None,
            twitch_id_url: TWITCH_ID_URL.to_owned(),
            twitch_api_url: TWITCH_API_URL.to_owned(),
            twitch_eventsub_url: TWITCH_EVENTSUB_URL.to_owned(),
            twitch_cheers: None,
            twitch_chat: None,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            port: 3000,
            listen: LOOPBACK,
            data_dir: PathBuf::from(".data"),
            table: None,
            bucket: String::new(),
            durable: false,
            require_token: false,
            allow_origin: Vec::new(),
            pages: None,
            web_sources: None,
            lambda: None,
            dynamodb_endpoint: None,
            s3_endpoint: None,
            shards: DEFAULT_SHARDS,
            write_shards: None,
            tokens_not_before: None,
            time_zone: Calendar::default(),
            language: Language::default(),
            chat_retention_days: 0,
            base_path: String::new(),
            token_requests_per_minute: 0,
            client_silence: 30,
            socket_silence: 600,
            socket_life: 7_200,
            twitch: TwitchOptions::default(),
        }
    }
}

/// Parses an origin as browsers send it, without the default port of its scheme (RFC 6454, section 6.2).
fn origin(text: &str) -> Result<http::HeaderValue, String> {
    let parse = || {
        let uri: http::Uri = text.parse().ok().filter(|_| !text.ends_with('/'))?;
        let (scheme, authority) = (uri.scheme_str()?, uri.authority()?);
        let has_default_port = matches!((scheme, authority.port_u16()), ("https", Some(443)) | ("http", Some(80)));
        let is_canonical = format!("{scheme}://{authority}") == text && !authority.as_str().contains('@');
        (is_canonical && !has_default_port && text == text.to_ascii_lowercase()).then_some(())
    };
    // Pages with an opaque origin, such as files, send `null`.
    let is_origin = text == "null" || parse().is_some();
    let value = text.parse().ok().filter(|_| is_origin);
    value.ok_or_else(|| {
        "browsers send origins without a path, such as https://overlay.example or http://localhost:8080".to_owned()
    })
}

/// Parses a timestamp in the service's format.
fn timestamp(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse(text).ok_or_else(|| "expected a timestamp such as 2026-11-20T16:53:02Z".to_owned())
}

/// Parses a time zone name.
fn time_zone(text: &str) -> Result<Calendar, String> {
    Calendar::named(text).ok_or_else(|| "expected an IANA name such as Europe/Berlin".to_owned())
}

/// Parses a language.
fn language(text: &str) -> Result<Language, String> {
    match text {
        "en" => Ok(Language::English),
        "de" => Ok(Language::German),
        _ => Err("expected en or de".to_owned()),
    }
}
