//! Runs the whole service in one process: gateway, functions, table and bucket.
//!
//! The code of the functions is the deployed code. The gateway and the table follow `template.yaml`. Only the endpoints
//! differ: a DynamoDB-compatible store and a bucket are embedded, and store their data in one folder.

pub mod backend;
mod bodies;
mod bucket;
mod connections;
mod demo;
mod engine;
mod feed;
mod folder;
mod functions;
mod gateway;
pub mod memory;
mod objects;
mod origins;
mod problems;
mod remote;
mod rollups;
pub mod runtime;
mod schedule;
mod sockets;
mod stores;
mod stream;
mod table;
pub mod template;
pub mod tokens;
mod tools;

use std::fs::File;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use event_capture::lambda::http::base_path;
use event_capture::schema::{Calendar, Timestamp, digest};
use event_capture::store::{DEFAULT_SHARDS, Shards, Store};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{Notify, watch};
use tokio::time::timeout;

use crate::functions::Functions;
use backend::SharedBackend;
use folder::{lock_folder, make_folder, unusable};
use objects::Objects;
use sockets::{SOCKET_PATH, Sockets};
use stores::{Durability, Stores, TABLE};
use stream::Follower;
use template::Template;

/// The time that requests in flight have to finish at shutdown: the longest time that any request may take.
const MAX_GOODBYE: Duration = Duration::from_secs(28);

/// Any error that ends the process.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// Run the event capture service on this machine.
#[derive(clap::Parser)]
#[command(name = "event-capture", version, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    tool: Option<Tool>,
}

#[derive(clap::Subcommand)]
enum Tool {
    Token(tokens::Options),
    Feed(feed::Options),
    Rollups(rollups::Options),
    Export(transfer::ExportOptions),
    Import(transfer::ImportOptions),
    /// Load demo data into a running service.
    Demo(demo::Options),
}

/// Options of the service.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Port to listen on, on the loopback address. 0 picks a free port.
    #[arg(long, default_value_t = 3000)]
    pub port: u16,
    /// Folder that stores all data.
    #[arg(long, default_value = ".data")]
    pub data_dir: PathBuf,
    /// Write every record and image to the disk before acknowledging it, so that a power failure loses none. Writes are
    /// several times slower.
    #[arg(long)]
    pub durable: bool,
    /// Require tokens, as the deployed service does.
    #[arg(long)]
    pub require_token: bool,
    /// Allow web pages of this origin to call the service. Can be repeated.
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    pub allow_origin: Vec<http::HeaderValue>,
    /// Run the functions as separate processes, from the binaries that `sam build` has put into this folder.
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, default_missing_value = "target/lambda")]
    pub lambda: Option<PathBuf>,
    /// Use the table at this endpoint (plain HTTP) instead of the embedded one, for example Amazon's DynamoDB Local.
    #[arg(long, value_name = "URL", env = "DYNAMODB_ENDPOINT")]
    pub dynamodb_endpoint: Option<String>,
    /// Use the bucket event-capture-images at this endpoint instead of the embedded one. The credentials are
    /// `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`.
    #[arg(long, value_name = "URL", env = "S3_ENDPOINT")]
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
    /// Prefix of all paths, as under a custom domain that several services share.
    #[arg(long, value_name = "PATH", default_value = "", hide = true)]
    pub base_path: String,
    /// Maximum number of requests per token and minute. 0 means no limit.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub token_requests_per_minute: u32,
    /// Seconds without messages after which a connection of the socket is closed.
    #[arg(long, value_name = "SECONDS", default_value_t = 600, hide = true)]
    pub socket_silence: u64,
    /// Seconds after which a client that reads and sends nothing is disconnected.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, hide = true)]
    pub client_silence: u64,
    /// Seconds after which every connection of the socket is closed.
    #[arg(long, value_name = "SECONDS", default_value_t = 7_200, hide = true)]
    pub socket_life: u64,
    /// Options of Twitch's webhook.
    #[command(flatten)]
    pub twitch: TwitchOptions,
}

/// Options of Twitch's webhook. Without a secret, one is generated, and only `demo --live` can send messages.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct TwitchOptions {
    /// Secret that Twitch signs messages with.
    #[arg(long, value_name = "SECRET", env = "TWITCH_SECRET", hide_env_values = true)]
    pub twitch_secret: Option<String>,
    /// Previous secret, which remains valid during a rotation.
    #[arg(long, value_name = "SECRET", env = "TWITCH_PREVIOUS_SECRET", hide_env_values = true)]
    pub twitch_previous_secret: Option<String>,
    /// Twitch's ID of the broadcaster whose events are stored.
    #[arg(long, value_name = "ID", env = "TWITCH_BROADCASTER_ID")]
    pub twitch_broadcaster_id: Option<String>,
    /// ARN of the secret in Secrets Manager, as in the deployed function.
    #[arg(long, value_name = "ARN", hide = true)]
    pub twitch_secret_arn: Option<String>,
    /// Subscription type to take cheers from: `cheer`, `bits`, `none`, or `subscribed` for every subscribed type.
    #[arg(long, value_name = "TYPE", env = "TWITCH_CHEERS")]
    pub twitch_cheers: Option<String>,
    /// Store chat messages: `true` or `false`.
    #[arg(long, value_name = "BOOL", env = "TWITCH_CHAT")]
    pub twitch_chat: Option<String>,
}

impl Options {
    /// Returns the environment variables that the template's parameters set for the functions.
    fn variables(&self) -> Vec<(String, String)> {
        let own = [
            ("BASE_PATH", self.base_path.clone()),
            ("SOCKET_URL", SOCKET_PATH.to_owned()),
            ("TOKEN_REQUESTS_PER_MINUTE", self.token_requests_per_minute.to_string()),
        ];
        let own = own.into_iter().map(|(name, value)| (name.to_owned(), value));
        self.twitch.variables().into_iter().chain(own).collect()
    }
}

impl TwitchOptions {
    /// Returns these options. Without a secret, one is generated, which the demo signs its notifications with.
    fn or_generated(&self, folder: &Path) -> Result<Self, Error> {
        if self.twitch_secret.is_some() || self.twitch_secret_arn.is_some() {
            return Ok(self.clone());
        }
        let secret = stores::generated(folder, demo::SECRET_FILE)?;
        let broadcaster = self.twitch_broadcaster_id.clone().unwrap_or_else(|| demo::BROADCASTER.to_owned());
        Ok(Self { twitch_secret: Some(secret), twitch_broadcaster_id: Some(broadcaster), ..self.clone() })
    }

    /// Returns these options as a function's environment variables.
    fn variables(&self) -> Vec<(String, String)> {
        let given = [
            ("TWITCH_SECRET", &self.twitch_secret),
            ("TWITCH_PREVIOUS_SECRET", &self.twitch_previous_secret),
            ("TWITCH_SECRET_ARN", &self.twitch_secret_arn),
            ("TWITCH_BROADCASTER_ID", &self.twitch_broadcaster_id),
            ("TWITCH_CHEERS", &self.twitch_cheers),
            ("TWITCH_CHAT", &self.twitch_chat),
        ];
        given.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value.clone()?))).collect()
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            port: 3000,
            data_dir: PathBuf::from(".data"),
            durable: false,
            require_token: false,
            allow_origin: Vec::new(),
            lambda: None,
            dynamodb_endpoint: None,
            s3_endpoint: None,
            shards: DEFAULT_SHARDS,
            write_shards: None,
            tokens_not_before: None,
            time_zone: Calendar::default(),
            base_path: String::new(),
            token_requests_per_minute: 0,
            client_silence: 30,
            socket_silence: 600,
            socket_life: 7_200,
            twitch: TwitchOptions::default(),
        }
    }
}

/// The running service.
pub struct Stack {
    /// The address that it listens on.
    pub address: SocketAddr,
    /// A client of its stores.
    pub store: Store,
    stop: watch::Sender<bool>,
    serving: tokio::task::JoinHandle<io::Result<()>>,
    stores: Stores,
    embedded: Option<table::Table>,
    _lock: File,
}

/// Runs the command line: one of the tools, or the service until the process receives a signal.
pub fn main() -> ExitCode {
    let Arguments { options, tool } = clap::Parser::parse();
    match tool {
        Some(Tool::Token(options)) => run_to_end(tokens::run(options)),
        Some(Tool::Feed(options)) => run_to_end(feed::run(options)),
        Some(Tool::Rollups(options)) => run_to_end(rollups::run(options)),
        Some(Tool::Export(options)) => run_to_end(transfer::export(options)),
        Some(Tool::Import(options)) => run_to_end(transfer::import(options)),
        Some(Tool::Demo(options)) => run_to_end(demo::run(options)),
        None => run_to_end(serve(&options)),
    }
}

/// The default log filter. Stores in the same process have no connection that an error could close.
const LOG_FILTER: &str = "warn,dynoxide=error,aws_smithy_runtime::client::http::connection_poisoning=off";

/// Runs a future to completion. Prints its error to standard error.
fn run_to_end(work: impl Future<Output = Result<(), Error>>) -> ExitCode {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env().unwrap_or_else(|_| LOG_FILTER.into());
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).init();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&error.into()),
    };
    match runtime.block_on(work) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

fn failed(error: &Error) -> ExitCode {
    eprintln!("{error}");
    ExitCode::FAILURE
}

async fn serve(options: &Options) -> Result<(), Error> {
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    make_folder(&options.data_dir)?;
    let twitch = options.twitch.or_generated(&options.data_dir)?;
    let stack = Stack::start(&Options { twitch, ..options.clone() }).await?;
    println!("listening on http://{}", stack.address);
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
        lost = stack.lost() => return Err(lost),
    }
    // A second signal ends the process without waiting.
    tokio::select! {
        stopped = stack.stop() => stopped,
        _ = interrupt.recv() => Ok(()),
        _ = terminate.recv() => Ok(()),
    }
}

impl Stack {
    /// Starts the service. Returns when it accepts requests.
    ///
    /// # Errors
    /// If the port or the folder is in use, or a store cannot be opened.
    pub async fn start(options: &Options) -> Result<Self, Error> {
        Self::start_behind(options, |table| table).await
    }

    /// Starts the service with a layer in front of its table. `front` gets the backend of the table, and returns the
    /// backend that the service calls. Tests inject faults there.
    ///
    /// # Errors
    /// If the port or the folder is in use, or a store cannot be opened.
    pub async fn start_behind(
        options: &Options,
        front: impl FnOnce(SharedBackend) -> SharedBackend,
    ) -> Result<Self, Error> {
        let template = Template::read()?;
        make_folder(&options.data_dir)?;
        let lock = lock_folder(&options.data_dir)?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).await;
        let listener = listener.map_err(|error| {
            format!("Cannot listen on port {}: {error}. Choose another one with --port.", options.port)
        })?;
        let address = listener.local_addr()?;

        let durability = if options.durable { Durability::Power } else { Durability::Process };
        let secret = stores::secret(&options.data_dir)?;
        let written = Arc::new(Notify::new());
        let (embedded, table): (_, SharedBackend) = if let Some(endpoint) = &options.dynamodb_endpoint {
            (None, Arc::new(remote::Remote::new(endpoint, Arc::clone(&written))?))
        } else {
            let table = table::Table::open(&options.data_dir, durability, Arc::clone(&written))?;
            (Some(table.clone()), Arc::new(table))
        };
        // Other services may use an external store, so each data folder has its own table there.
        let name = embedded.as_ref().map_or_else(|| format!("{TABLE}-{}", digest(&secret)), |_| TABLE.to_owned());
        table::make(Arc::clone(&table), &name, &template, &options.data_dir).await?;
        let images = options.data_dir.join(objects::IMAGES);
        let objects = Objects::in_folder(images.clone(), durability).map_err(|error| unusable(&images, &error))?;
        let bucket = bucket::service(objects, &template, &secret);
        let shards = Shards { read: options.shards, write: options.write_shards.unwrap_or(options.shards) };
        let tokens_not_before = options.tokens_not_before;
        let (own_table, table, s3_endpoint) = (Arc::clone(&table), front(table), options.s3_endpoint.clone());
        let seconds = Duration::from_secs;
        let sockets = Sockets::new(seconds(options.socket_silence), seconds(options.socket_life));
        let calendar = options.time_zone.clone();
        let run = format!("{:016x}", fastrand::u64(..));
        let stores = Stores {
            table,
            name,
            bucket,
            s3_endpoint,
            address,
            secret,
            run,
            shards,
            tokens_not_before,
            calendar,
            sockets,
        };
        tools::write_address(&options.data_dir, address, &stores.name)?;
        let store = stores.of(stores::OWNER);
        // A page may be opened under another name of this machine. Its images come from this address.
        let images = ("PAGE_IMAGES".to_owned(), format!("http://{address}"));
        let variables = [options.variables(), vec![images]].concat();
        let functions = match &options.lambda {
            Some(folder) => Functions::binaries(&template, &stores, &variables, folder)?,
            None => Functions::inside(&template, &stores, &variables)?,
        };
        let (stop, stopped) = watch::channel(false);
        schedule::start(&template, &functions, &stopped)?;
        let follower = Follower {
            table: Arc::clone(&own_table),
            name: stores.name.clone(),
            written,
            embedded: embedded.is_some(),
            functions: functions.clone(),
            streams: template.streams.clone(),
        };
        follower.start(stopped.clone());
        if let Some(table) = &embedded {
            table.start_to_expire(stopped.clone());
        }
        let patience = seconds(options.client_silence);
        let gateway = gateway::router(template, functions, &stores, options, stopped.clone())?;
        let base = format!("http://{address}{}", base_path(&options.base_path)).into();
        let serving = tokio::spawn(connections::serve(listener, gateway, base, patience, stopped));
        Ok(Self { address, store, stop, serving, stores, embedded, _lock: lock })
    }

    /// Returns the environment variables that direct a function's binary to these stores instead of AWS.
    pub fn environment(&self, function: &str) -> Vec<(String, String)> {
        self.stores.environment(function)
    }

    /// Waits until the table's file is gone, because nothing can be stored then. Returns the error.
    async fn lost(&self) -> Error {
        let Some(table) = &self.embedded else { return std::future::pending().await };
        loop {
            tokio::time::sleep(Duration::from_secs(1)).await;
            if let Err(lost) = table.check() {
                return lost;
            }
        }
    }

    /// Waits for the requests in flight, then closes the stores.
    ///
    /// # Errors
    /// If the server has failed.
    pub async fn stop(self) -> Result<(), Error> {
        self.stop.send_replace(true);
        if let Ok(served) = timeout(MAX_GOODBYE, self.serving).await {
            served??;
        } else {
            tracing::warn!("closed connections whose requests did not finish in time");
        }
        if let Some(table) = self.embedded {
            table.close();
        }
        Ok(())
    }
}

/// Parses an origin as browsers send it, without the default port of its scheme (RFC 6454, section 6.2).
fn origin(text: &str) -> Result<http::HeaderValue, String> {
    let sent = || {
        let uri: http::Uri = text.parse().ok().filter(|_| !text.ends_with('/'))?;
        let (scheme, authority) = (uri.scheme_str()?, uri.authority()?);
        let own_port = matches!((scheme, authority.port_u16()), ("https", Some(443)) | ("http", Some(80)));
        let whole = format!("{scheme}://{authority}") == text && !authority.as_str().contains('@');
        (whole && !own_port && text == text.to_ascii_lowercase()).then_some(())
    };
    // Pages with an opaque origin, such as files, send `null`.
    let known = text == "null" || sent().is_some();
    let value = text.parse().ok().filter(|_| known);
    value.ok_or_else(|| {
        "browsers send origins without a path, such as https://overlay.example or http://localhost:8080".to_owned()
    })
}

/// Parses a timestamp in the service's format.
fn timestamp(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse(text).ok_or_else(|| "expected a timestamp such as 2026-11-20T16:53:02Z".to_owned())
}

/// Parses the name of a time zone.
fn time_zone(text: &str) -> Result<Calendar, String> {
    Calendar::named(text).ok_or_else(|| "expected an IANA name such as Europe/Berlin".to_owned())
}
