//! The `rollups` command: rebuilds the statistics of a table.

use std::time::Duration;

use event_capture::schema::Timestamp;
use event_capture::statistics::Progress;
use event_capture::store::Store;

use crate::Error;
use crate::tools::TableArgs;

/// Interval in which the progress is read.
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
    /// Compute all rollups from the events again, and show the progress. The upkeep of the service does the work.
    /// Meanwhile, statistics and leaderboards answer 503.
    Rebuild,
    /// List the segments of five minutes whose rollup differs from their events. This reads all events.
    Check,
}

/// Run the command.
pub(crate) async fn run(Options { action, table_args }: Options) -> Result<(), Error> {
    table_args
        .with_store(async |store| match action {
            RollupsAction::Rebuild => rebuild(store).await,
            RollupsAction::Check => check(store).await,
        })
        .await
}

async fn rebuild(store: &Store) -> Result<(), Error> {
    store.request_rebuild(Timestamp::now()).await?;
    let mut last_state = String::new();
    loop {
        let state = match store.rebuild_progress().await? {
            None => {
                "Waiting for the upkeep, which runs each minute. The request stays if you stop this command.".to_owned()
            }
            Some(Progress { as_of: Some(as_of), .. }) => {
                println!("All rollups are rebuilt. They include the changes before {as_of}.");
                return Ok(());
            }
            Some(Progress { marked_to: Some(time), .. }) => format!("Searching for events: up to {time}."),
            Some(Progress { remaining, .. }) => format!("Computing: {remaining} segments of five minutes left."),
        };
        if state != last_state {
            println!("{state}");
        }
        last_state = state;
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

async fn check(store: &Store) -> Result<(), Error> {
    let inconsistent = store.inconsistent_segments().await?;
    for time in inconsistent.iter().filter_map(|segment| Timestamp::from_unix_seconds(*segment)) {
        println!("The segment from {time} differs from its events.");
    }
    match inconsistent.len() {
        0 => {
            println!("Every segment equals its events, or is marked for the next refresh.");
            Ok(())
        }
        count => Err(format!("{count} segments are wrong. Run `rollups rebuild`.").into()),
    }
}
