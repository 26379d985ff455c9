//! The whole service in one process: gateway, functions, table and bucket.
//!
//! The functions' code is what is deployed; the gateway and the table are what `template.yaml` says. Only
//! the endpoints differ: the DynamoDB-compatible store and the bucket are embedded, and kept in one folder.

pub mod backend;
mod bucket;
mod connections;
mod demo;
mod feed;
mod functions;
mod gateway;
pub mod memory;
mod objects;
mod problems;
mod remote;
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

use event_capture::schema::{Timestamp, digest};
use event_capture::store::{DEFAULT_SHARDS, Shards, Store};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{Notify, watch};
use tokio::time::timeout;

use backend::SharedBackend;
use functions::Functions;
use objects::Objects;
use sockets::{SOCKET_PATH, Sockets};
use stores::{Stores, TABLE};
use stream::Follower;
use template::Template;

/// How long requests in flight may take to end: as long as a request may take at all.
const LONGEST_GOODBYE: Duration = Duration::from_secs(28);

/// What any error ends the process with.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// Starts the event capture service on this machine.
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
    /// Fill a running service with a channel that never was.
    Demo(demo::Options),
}

/// How the service is started.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// The port to listen on, on the loopback address; 0 picks a free one.
    #[arg(long, default_value_t = 3000)]
    pub port: u16,
    /// The folder that everything is kept in.
    #[arg(long, default_value = ".data")]
    pub data_dir: PathBuf,
    /// Ask for tokens, as the deployed service does.
    #[arg(long)]
    pub require_token: bool,
    /// An origin whose web pages may call the service; may be given several times.
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    pub allow_origin: Vec<http::HeaderValue>,
    /// Run the binaries of the functions, as `sam build` leaves them in this folder, in processes of their own.
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, default_missing_value = "target/lambda")]
    pub lambda: Option<PathBuf>,
    /// A table to use instead of the embedded one, such as Amazon's DynamoDB Local: its endpoint, over plain HTTP.
    #[arg(long, value_name = "URL", env = "DYNAMODB_ENDPOINT")]
    pub dynamodb_endpoint: Option<String>,
    /// A bucket to use instead of the embedded one: its endpoint. It is named event-capture-images, and asked with
    /// `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`.
    #[arg(long, value_name = "URL", env = "S3_ENDPOINT")]
    pub s3_endpoint: Option<String>,
    /// How many partitions growing indexes are read. It may grow, and must not shrink.
    #[arg(long, default_value_t = DEFAULT_SHARDS, value_name = "NUMBER", hide = true)]
    pub shards: u64,
    /// How many of these get new records; all, if this is not given.
    #[arg(long, value_name = "NUMBER", hide = true)]
    pub write_shards: Option<u64>,
    /// Tokens that were made before this do not work: for a folder that was restored from a backup.
    #[arg(long, value_name = "TIME", value_parser = timestamp)]
    pub tokens_not_before: Option<Timestamp>,
    /// What all paths begin with, as under a custom domain that has others beside this service.
    #[arg(long, value_name = "PATH", default_value = "", hide = true)]
    pub base_path: String,
    /// How many requests each token may send in a minute; any number, for 0.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub token_requests_per_minute: u32,
    /// After how many seconds of silence a connection of the socket ends.
    #[arg(long, value_name = "SECONDS", default_value_t = 600, hide = true)]
    pub socket_silence: u64,
    /// After how many seconds each connection of the socket ends.
    #[arg(long, value_name = "SECONDS", default_value_t = 7_200, hide = true)]
    pub socket_life: u64,
    /// Our side of Twitch's webhook.
    #[command(flatten)]
    pub twitch: TwitchOptions,
}

/// What the webhook of Twitch needs to know; without a secret, it refuses everything.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct TwitchOptions {
    /// The secret that Twitch signs with.
    #[arg(long, value_name = "SECRET", env = "TWITCH_SECRET", hide_env_values = true)]
    pub twitch_secret: Option<String>,
    /// The secret before that, while it is being replaced.
    #[arg(long, value_name = "SECRET", env = "TWITCH_PREVIOUS_SECRET", hide_env_values = true)]
    pub twitch_previous_secret: Option<String>,
    /// The channel whose events are stored: Twitch's identifier of its broadcaster.
    #[arg(long, value_name = "ID", env = "TWITCH_BROADCASTER_ID")]
    pub twitch_broadcaster_id: Option<String>,
    /// Where the secret is kept instead, as the deployed function has it.
    #[arg(long, value_name = "ARN", hide = true)]
    pub twitch_secret_arn: Option<String>,
    /// Which type of subscription tells of cheers: `cheer`, `bits`, `none`, or whatever is `subscribed` to.
    #[arg(long, value_name = "TYPE", env = "TWITCH_CHEERS")]
    pub twitch_cheers: Option<String>,
    /// Whether chat messages are stored: `true` or `false`.
    #[arg(long, value_name = "TAKEN", env = "TWITCH_CHAT")]
    pub twitch_chat: Option<String>,
}

impl Options {
    /// What the template's parameters would put into the functions' environment.
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
    /// The same, as a function's environment has it.
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
            require_token: false,
            allow_origin: Vec::new(),
            lambda: None,
            dynamodb_endpoint: None,
            s3_endpoint: None,
            shards: DEFAULT_SHARDS,
            write_shards: None,
            tokens_not_before: None,
            base_path: String::new(),
            token_requests_per_minute: 0,
            socket_silence: 600,
            socket_life: 7_200,
            twitch: TwitchOptions::default(),
        }
    }
}

/// The running service.
pub struct Stack {
    /// Where it answers.
    pub address: SocketAddr,
    /// A handle to its stores.
    pub store: Store,
    stop: watch::Sender<bool>,
    serving: tokio::task::JoinHandle<io::Result<()>>,
    stores: Stores,
    embedded: Option<table::Table>,
    _lock: File,
}

/// What the command line asks for: the service until the process is told to stop, or one of its tools.
pub fn main() -> ExitCode {
    let Arguments { options, tool } = clap::Parser::parse();
    match tool {
        Some(Tool::Token(options)) => run_to_end(tokens::run(options)),
        Some(Tool::Feed(options)) => run_to_end(feed::run(options)),
        Some(Tool::Demo(options)) => run_to_end(demo::run(options)),
        None => run_to_end(serve(&options)),
    }
}

/// Runs something to its end, and says on the standard error why it failed.
fn run_to_end(work: impl Future<Output = Result<(), Error>>) -> ExitCode {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env().unwrap_or_else(|_| "warn,dynoxide=error".into());
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
    let stack = Stack::start(options).await?;
    println!("listening on http://{}", stack.address);
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
        lost = stack.lost() => return Err(lost),
    }
    // Who asks twice does not want to wait.
    tokio::select! {
        stopped = stack.stop() => stopped,
        _ = interrupt.recv() => Ok(()),
        _ = terminate.recv() => Ok(()),
    }
}

impl Stack {
    /// Starts everything, and answers when it serves.
    ///
    /// # Errors
    /// When the port or the folder is taken, or a store cannot be opened.
    pub async fn start(options: &Options) -> Result<Self, Error> {
        Self::start_behind(options, |table| table).await
    }

    /// Starts everything, with something between the service and its table: `front` is told who answers for the table, and
    /// tells whom the service is to ask. Tests inject faults there.
    ///
    /// # Errors
    /// When the port or the folder is taken, or a store cannot be opened.
    pub async fn start_behind(
        options: &Options,
        front: impl FnOnce(SharedBackend) -> SharedBackend,
    ) -> Result<Self, Error> {
        let template = Template::read()?;
        make_folder(&options.data_dir)?;
        let lock = lock(&options.data_dir)?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).await;
        let listener =
            listener.map_err(|error| format!("cannot listen on port {}: {error}; try --port 0", options.port))?;
        let address = listener.local_addr()?;

        let secret = stores::secret(&options.data_dir)?;
        let written = Arc::new(Notify::new());
        let (embedded, table): (_, SharedBackend) = if let Some(endpoint) = &options.dynamodb_endpoint {
            (None, Arc::new(remote::Remote::new(endpoint, Arc::clone(&written))?))
        } else {
            let table = table::Table::open(&options.data_dir, Arc::clone(&written))?;
            let handle = table.handle();
            (Some(table), Arc::new(handle))
        };
        // Of a store that others use, too, each folder has a table of its own.
        let name = embedded.as_ref().map_or_else(|| format!("{TABLE}-{}", digest(&secret)), |_| TABLE.to_owned());
        table::make(Arc::clone(&table), &name, &template, &options.data_dir).await?;
        let images = options.data_dir.join("images");
        let objects = Objects::in_folder(images.clone()).map_err(|error| unusable(&images, &error))?;
        let bucket = bucket::service(objects, &template, &secret);
        let shards = Shards { read: options.shards, write: options.write_shards.unwrap_or(options.shards) };
        let tokens_not_before = options.tokens_not_before;
        let (own_table, table, s3_endpoint) = (Arc::clone(&table), front(table), options.s3_endpoint.clone());
        let seconds = Duration::from_secs;
        let sockets = Sockets::new(seconds(options.socket_silence), seconds(options.socket_life));
        let stores = Stores { table, name, bucket, s3_endpoint, address, secret, shards, tokens_not_before, sockets };
        tools::tell_address(&options.data_dir, address, &stores.name)?;
        let store = stores.of(stores::OWNER);
        // A page that was opened under another name of this machine is led to this one.
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
        let gateway = gateway::router(template, functions, &stores, options, stopped.clone())?;
        let serving = tokio::spawn(connections::serve(listener, gateway, stopped));
        Ok(Self { address, store, stop, serving, stores, embedded, _lock: lock })
    }

    /// The environment in which a function's binary finds the stores, as the deployed one finds AWS's.
    pub fn environment(&self, function: &str) -> Vec<(String, String)> {
        self.stores.environment(function)
    }

    /// Waits until the table's file is gone, for then nothing more can be kept.
    async fn lost(&self) -> Error {
        let Some(table) = &self.embedded else { return std::future::pending().await };
        loop {
            tokio::time::sleep(Duration::from_secs(1)).await;
            if let Err(lost) = table.check() {
                return lost;
            }
        }
    }

    /// Ends requests in flight, then closes the stores.
    ///
    /// # Errors
    /// When serving had failed.
    pub async fn stop(self) -> Result<(), Error> {
        self.stop.send_replace(true);
        if let Ok(served) = timeout(LONGEST_GOODBYE, self.serving).await {
            served??;
        } else {
            tracing::warn!("connections were still open, and have been cut");
        }
        if let Some(table) = self.embedded {
            table.close();
        }
        Ok(())
    }
}

/// An origin as browsers send it: scheme, host, and a port that is not the scheme's own (RFC 6454, section 6.2).
fn origin(text: &str) -> Result<http::HeaderValue, String> {
    let sent = || {
        let uri: http::Uri = text.parse().ok().filter(|_| !text.ends_with('/'))?;
        let (scheme, authority) = (uri.scheme_str()?, uri.authority()?);
        let own_port = matches!((scheme, authority.port_u16()), ("https", Some(443)) | ("http", Some(80)));
        let whole = format!("{scheme}://{authority}") == text && !authority.as_str().contains('@');
        (whole && !own_port && text == text.to_ascii_lowercase()).then_some(())
    };
    // Pages without an origin of their own, such as files, send this.
    let known = text == "null" || sent().is_some();
    let value = text.parse().ok().filter(|_| known);
    value.ok_or_else(|| {
        "browsers send origins such as https://overlay.example or http://localhost:8080, with no path".to_owned()
    })
}

/// A timestamp as the service takes them.
fn timestamp(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse(text).ok_or_else(|| "give a timestamp, such as 2026-11-20T16:53:02Z".to_owned())
}

/// The data folder.
fn make_folder(folder: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(folder).map_err(|error| unusable(folder, &error))
}

/// What is wrong with a part of the data folder, and what to do.
fn unusable(path: &Path, error: &dyn std::fmt::Display) -> Error {
    format!("{} cannot be used: {error}; give a folder that can be written with --data-dir", path.display()).into()
}

/// Two processes on one folder would destroy it.
fn lock(folder: &Path) -> Result<File, Error> {
    let lock = File::create(folder.join("lock")).map_err(|error| unusable(folder, &error))?;
    let taken = |_| format!("another process has {}; try --data-dir", folder.display());
    lock.try_lock().map_err(taken)?;
    Ok(lock)
}
