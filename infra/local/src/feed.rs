//! `feed`: what an operator does with the feed.

use crate::Error;
use crate::tools::Place;

/// More numbers than a feed gives in the time that a backup is behind.
const JUMP: u64 = 1_000_000;

/// Look after the feed.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    position: Place,
}

#[derive(Clone, Copy, Debug, clap::Subcommand)]
enum Action {
    /// Move the feed's last number on, after the table was restored from a backup. Clients that knew later numbers are answered 410,
    /// and go on from the new one; no number is used twice.
    Advance {
        /// By how much.
        #[arg(long, default_value_t = JUMP, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
        by: u64,
    },
}

/// Carries out what the options ask for.
pub(crate) async fn run(Options { action: Action::Advance { by }, position }: Options) -> Result<(), Error> {
    position
        .with_store(async |store| {
            println!("the feed's last number is {}", store.advance_feed(by).await?);
            Ok(())
        })
        .await
}
