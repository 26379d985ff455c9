//! The `feed` command: operations on the feed.

use crate::Error;
use crate::tools::TableArgs;

/// Default advance. A feed assigns fewer sequence numbers between a backup and its restore.
const DEFAULT_ADVANCE: u64 = 1_000_000;

/// Advance the feed's sequence numbers after a restore.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    #[command(subcommand)]
    action: FeedAction,
    #[command(flatten)]
    table_args: TableArgs,
}

#[derive(Clone, Copy, Debug, clap::Subcommand)]
enum FeedAction {
    /// Advance the feed's last sequence number after the table was restored from a backup. Clients with a later number
    /// get 410 and continue from the new number. No number is used twice.
    Advance {
        /// Number to add.
        #[arg(long, default_value_t = DEFAULT_ADVANCE, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
        by: u64,
        /// Print JSON: `{"feed_head": 1000412}`.
        #[arg(long)]
        json: bool,
    },
}

/// Runs the command.
pub(crate) async fn run(
    Options { action: FeedAction::Advance { by, json }, table_args }: Options,
) -> Result<(), Error> {
    table_args
        .with_store(async |store| {
            let head = store.advance_feed(by).await?;
            if json {
                println!("{}", serde_json::json!({"feed_head": head}));
            } else {
                println!("Last sequence number of the feed: {head}");
            }
            Ok(())
        })
        .await
}
