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
mod options;
mod origins;
mod problems;
mod remote;
mod rollups;
pub mod runtime;
mod schedule;
mod sockets;
mod stack;
mod stores;
mod stream;
mod table;
pub mod template;
pub mod tokens;
mod tools;

use std::io;
use std::process::ExitCode;

use tokio::signal::unix::{SignalKind, signal};

use folder::make_folder;
pub use options::{Options, TwitchOptions};
pub use stack::Stack;

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

/// Run the command line: one of the tools, or the service until the process receives a signal.
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

/// Default log filter. Stores in the same process have no connection that an error could close.
const LOG_FILTER: &str = "warn,dynoxide=error,aws_smithy_runtime::client::http::connection_poisoning=off";

/// Run a future to completion. Prints its error to standard error.
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
    let twitch = options.twitch.with_secret(&options.data_dir)?;
    let stack = Stack::start(&Options { twitch, ..options.clone() }).await?;
    println!("listening on http://{}", stack.address);
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
        lost = stack.wait_until_lost() => return Err(lost),
    }
    // A second signal ends the process without waiting.
    tokio::select! {
        stopped = stack.stop() => stopped,
        _ = interrupt.recv() => Ok(()),
        _ = terminate.recv() => Ok(()),
    }
}
