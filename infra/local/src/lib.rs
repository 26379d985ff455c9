//! The whole service in one process: gateway, functions, table and bucket.
//!
//! The functions' code is what is deployed; the gateway and the table are what `template.yaml` says. Only
//! the endpoints differ: the DynamoDB-compatible store and the bucket are embedded, and kept in one folder.

mod bucket;
mod functions;
mod gateway;
mod schedule;
mod table;
pub mod template;

use std::fs::File;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;

use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_sdk_dynamodb::config::{Credentials, SharedCredentialsProvider};
use event_capture::store::{Names, Store};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use template::Template;

/// What any error ends the process with.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

const TABLE: &str = "event-capture";
/// The bucket, and the first segment of the paths that lead to it.
const BUCKET: &str = "event-capture-images";
const ACCESS_KEY: &str = "local";
const SECRET_KEY: &str = "only-for-the-loopback-address";

/// Starts the event capture service on this machine.
#[derive(Clone, Debug, clap::Parser)]
#[command(name = "event-capture", version)]
pub struct Options {
    /// The port to listen on, on the loopback address; 0 picks a free one.
    #[arg(long, default_value_t = 3000)]
    pub port: u16,
    /// The folder that everything is kept in.
    #[arg(long, default_value = ".data")]
    pub data_dir: PathBuf,
}

/// The running service.
pub struct Stack {
    /// Where it answers.
    pub address: SocketAddr,
    /// A handle to its stores.
    pub store: Store,
    stop: watch::Sender<bool>,
    serving: tokio::task::JoinHandle<io::Result<()>>,
    table: table::Table,
    _lock: File,
}

/// Runs the service until the process is told to stop.
pub fn run(options: &Options) -> ExitCode {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env().unwrap_or_else(|_| "warn,dynoxide=error".into());
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).init();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&error.into()),
    };
    match runtime.block_on(serve(options)) {
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
    }
    stack.stop().await
}

impl Stack {
    /// Starts everything, and answers when it serves.
    ///
    /// # Errors
    /// When the port or the folder is taken, or a store cannot be opened.
    pub async fn start(options: &Options) -> Result<Self, Error> {
        Self::start_behind(options, |table| table).await
    }

    /// Starts everything, with something between the service and its table: `front` is told where the table
    /// answers, and tells where the service is to ask. Tests inject faults there.
    ///
    /// # Errors
    /// When the port or the folder is taken, or a store cannot be opened.
    pub async fn start_behind(options: &Options, front: impl FnOnce(SocketAddr) -> SocketAddr) -> Result<Self, Error> {
        let template = Template::read()?;
        std::fs::create_dir_all(&options.data_dir)?;
        let lock = lock(options)?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).await;
        let listener =
            listener.map_err(|error| format!("cannot listen on port {}: {error}; try --port 0", options.port))?;
        let address = listener.local_addr()?;

        let table = table::Table::open(&options.data_dir.join("table.sqlite"))?;
        let direct = sdk_config(&format!("http://{}", table.address));
        table::create(&aws_sdk_dynamodb::Client::new(&direct), TABLE, &template).await?;
        let dynamo = sdk_config(&format!("http://{}", front(table.address)));

        let s3 = sdk_config(&format!("http://{address}"));
        let names = Names { table: TABLE.to_owned(), bucket: BUCKET.to_owned() };
        let store = Store::new(&dynamo, &s3, names);
        let functions = functions::Functions::new(&store);
        let (stop, stopped) = watch::channel(false);
        schedule::start(&template, &functions, &stopped)?;
        let bucket = bucket::service(options.data_dir.join("images"))?;
        let gateway = gateway::router(template, functions, bucket)?;
        let serving = tokio::spawn(gateway::serve(listener, gateway, stopped));
        Ok(Self { address, store, stop, serving, table, _lock: lock })
    }

    /// Ends requests in flight, then closes the stores.
    ///
    /// # Errors
    /// When serving had failed.
    pub async fn stop(self) -> Result<(), Error> {
        self.stop.send_replace(true);
        self.serving.await??;
        self.table.close();
        Ok(())
    }
}

/// Two processes on one folder would destroy it.
fn lock(options: &Options) -> Result<File, Error> {
    let lock = File::create(options.data_dir.join("lock"))?;
    let taken = |_| format!("another process has {}; try --data-dir", options.data_dir.display());
    lock.try_lock().map_err(taken)?;
    Ok(lock)
}

fn sdk_config(endpoint: &str) -> SdkConfig {
    let credentials = Credentials::new(ACCESS_KEY, SECRET_KEY, None, None, "local stack");
    SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::from_static("us-east-1"))
        .credentials_provider(SharedCredentialsProvider::new(credentials))
        .endpoint_url(endpoint)
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .build()
}
