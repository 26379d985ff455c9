//! The `rollups` command: rebuilds the statistics of a table.

use std::time::Duration;

use capture_core::schema::Timestamp;
use capture_core::statistics::Progress;
use capture_core::store::Store;
use serde_json::json;

use crate::Error;
use crate::tools::TableArgs;

/// Interval at which the progress is read.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Check or rebuild the rollups of statistics and leaderboards.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    #[command(subcommand)]
    action: RollupsAction,
    #[command(flatten)]
    table_args: TableArgs,
}

#[derive(Clone, Copy, Debug, clap::Subcommand)]
enum RollupsAction {
    /// Recompute all rollups from the events, and show the progress. The upkeep of the service does the work. Until it
    /// is done, statistics and leaderboards return 503.
    Rebuild {
        /// Print JSON at the end, and no progress: `{"as_of": "2026-11-20T18:30:00Z"}`.
        #[arg(long)]
        json: bool,
    },
    /// List the five-minute segments with a rollup that differs from their events. This reads all events.
    Check {
        /// Print JSON: `{"inconsistent": ["2026-11-20T18:30:00Z"]}`.
        #[arg(long)]
        json: bool,
    },
}

/// Runs the command.
pub(crate) async fn run(Options { action, table_args }: Options) -> Result<(), Error> {
    table_args
        .with_store(async |store| match action {
            RollupsAction::Rebuild { json } => rebuild(store, json).await,
            RollupsAction::Check { json } => check(store, json).await,
        })
        .await
}

async fn rebuild(store: &Store, json: bool) -> Result<(), Error> {
    store.request_rebuild(Timestamp::now()).await?;
    let mut last_state = String::new();
    loop {
        let state = match store.rebuild_progress().await? {
            None => {
                "Waiting for the upkeep, which runs each minute. The request stays if you stop this command.".to_owned()
            }
            Some(Progress { as_of: Some(as_of), .. }) if json => {
                println!("{}", json!({"as_of": as_of.to_string()}));
                return Ok(());
            }
            Some(Progress { as_of: Some(as_of), .. }) => {
                let as_of = system::local_time(&as_of.to_string());
                println!("All rollups are rebuilt. They include the changes before {as_of}.");
                return Ok(());
            }
            Some(Progress { marked_to: Some(time), .. }) => format!("Searching for events: up to {time}."),
            Some(Progress { remaining, .. }) => format!("Computing: {remaining} five-minute segments left."),
        };
        if state != last_state && !json {
            println!("{state}");
        }
        last_state = state;
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

async fn check(store: &Store, json: bool) -> Result<(), Error> {
    let inconsistent = store.inconsistent_segments().await?;
    let times = inconsistent.iter().filter_map(|segment| Timestamp::from_unix_seconds(*segment));
    let times: Vec<_> = times.map(|time| time.to_string()).collect();
    if json {
        println!("{}", json!({"inconsistent": times}));
    } else {
        for time in &times {
            println!("The segment from {} differs from its events.", system::local_time(time));
        }
    }
    match inconsistent.len() {
        0 if json => Ok(()),
        0 => {
            println!("Every segment matches its events or is marked for the next refresh.");
            Ok(())
        }
        count => Err(format!("{count} segments are wrong. Run `rollups rebuild`.").into()),
    }
}
