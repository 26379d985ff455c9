//! Runs the entire service in one process: gateway, functions, table and bucket.
//!
//! The functions run the deployed code, and the gateway follows `template.yaml`. Only the stores differ: they are
//! embedded and keep their data in one folder.

mod backup;
mod bodies;
mod command_line;
mod connections;
mod continuous;
mod demo;
mod environment;
mod event;
mod feed;
mod folder;
mod functions;
mod gateway;
mod images;
mod import_points;
mod options;
mod origins;
mod pages;
mod payments;
mod problems;
pub mod remote;
mod rollups;
pub mod runtime;
mod schedule;
mod sockets;
mod stack;
mod status;
mod stores;
mod stream;
mod sweep;
mod table;
pub mod template;
pub mod tokens;
mod tools;

use std::io;
use std::process::{ExitCode, Termination};

use system::StopSignal;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use command_line::Command;
use demo::Target;
use folder::make_folder;
pub use options::{Options, TwitchOptions};
pub use stack::Stack;
pub use stores::StoreLayer;

/// Name of the bucket, and the first segment of its paths.
const BUCKET: &str = "event-capture-images";
/// Caller of the stores that is not a function and may do everything.
const OWNER: &str = "local";

/// Any error that ends the process.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// Runs the command line: a tool, or the service until the process receives a signal.
pub fn main() -> ExitCode {
    twitch::tls::install();
    match command_line::parse() {
        Command::Serve(options) => {
            // By default, the allocator keeps freed memory for a second: twice as much as the images that arrive in
            // that time.
            let _ = system::restart_with("MIMALLOC_PURGE_DELAY", "10");
            run_to_end(serve(&options, None))
        }
        Command::Demo(options) => run_to_end(run_demo(options)),
        Command::Status(options) => run_to_end(status::run(options)),
        Command::Backup(options) => run_to_end(async move { backup::run(&options) }),
        Command::Export(options) => run_to_end(run_resumable(transfer::export(options))),
        Command::Import(options) => run_to_end(run_resumable(transfer::import(options))),
        Command::ImportPoints(options) => run_to_end(import_points::run(options)),
        Command::Feed(options) => run_to_end(feed::run(options)),
        Command::Payments(options) => run_to_end(payments::run(options)),
        Command::Rollups(options) => run_to_end(rollups::run(options)),
        Command::Sweep(options) => run_to_end(sweep::run(options)),
        Command::Token(options) => run_to_end(tokens::run(options)),
        Command::Twitch(options) => run_to_end(manage_twitch(options)),
        Command::Completions { shell } => run_to_end(async move { command_line::print_completions(shell) }),
        Command::Man { folder } => run_to_end(async move { command_line::write_manual(&folder) }),
    }
}

/// Runs a future to completion. Prints its error to standard error.
fn run_to_end<T: Termination>(work: impl Future<Output = Result<T, Error>>) -> ExitCode {
    let given = std::env::var("RUST_LOG").ok().and_then(|given| given.parse().ok());
    let filter = given.unwrap_or_else(|| Targets::new().with_default(LevelFilter::WARN));
    let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr);
    tracing_subscriber::registry().with(lines.with_filter(filter)).init();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&error.into()),
    };
    match runtime.block_on(work) {
        Ok(outcome) => outcome.report(),
        Err(error) => failed(&error),
    }
}

fn failed(error: &Error) -> ExitCode {
    eprintln!("{error}");
    ExitCode::FAILURE
}

/// Exit code of a process that Ctrl-C has ended, as shells report it.
const INTERRUPTED: i32 = 130;

/// Runs a command that can continue where it stopped, and says so if the user interrupts it. The process exits at once,
/// without waiting for a step to finish.
async fn run_resumable(work: impl Future<Output = Result<(), Error>>) -> Result<(), Error> {
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_err() {
            return;
        }
        eprintln!("\nInterrupted. Run the same command again to continue.");
        std::process::exit(INTERRUPTED);
    });
    work.await
}

/// Runs a `twitch` command. If it has printed a problem, it fails without an error.
async fn manage_twitch(options: twitch::Options) -> Result<ExitCode, Error> {
    let is_well = twitch::run(options, &mut io::stdout()).await?;
    Ok(if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn run_demo(mut options: demo::Options) -> Result<(), Error> {
    match options.target() {
        Target::Running(url) => {
            demo::run(options, &url, || {
                println!("Open {}/console/ to see them.", url.trim_end_matches('/'));
            })
            .await
        }
        Target::Own(data_dir) => {
            demo::claim(&data_dir)?;
            serve(&Options { port: 0, data_dir, ..Options::default() }, Some(options)).await
        }
    }
}

/// Runs the service until the process receives a signal. With `demo`, show the demo in it.
async fn serve(options: &Options, demo: Option<demo::Options>) -> Result<(), Error> {
    let mut stop = StopSignal::new()?;
    make_folder(&options.data_dir)?;
    let twitch = options.twitch.with_secret(&options.data_dir)?;
    let stack = Stack::start(&Options { twitch, ..options.clone() }).await?;
    println!("listening on http://{}", stack.address);
    let url = format!("http://{}", stack.address);
    let failure = async {
        match demo {
            Some(demo) => match demo::show(demo, &url).await {
                Ok(()) => stack.wait_until_lost().await,
                Err(error) => error,
            },
            None => stack.wait_until_lost().await,
        }
    };
    tokio::select! {
        () = stop.recv() => {}
        error = failure => return Err(error),
    }
    // A second signal ends the process without waiting.
    tokio::select! {
        stopped = stack.stop() => stopped,
        () = stop.recv() => Ok(()),
    }
}
