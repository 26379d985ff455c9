//! The `sweep` command: decides about images that the sweep does not delete on its own.

use capture_core::schema::Timestamp;

use crate::Error;
use crate::tools::TableArgs;

/// Continue the image sweep after it found too many images without a record.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    #[command(subcommand)]
    decision: Decision,
    #[command(flatten)]
    table_args: TableArgs,
}

#[derive(Clone, Copy, Debug, clap::Subcommand)]
enum Decision {
    /// Keep all images stored so far. The sweep then checks only later uploads.
    Skip,
}

/// Runs the command.
pub(crate) async fn run(Options { decision: Decision::Skip, table_args }: Options) -> Result<(), Error> {
    table_args.with_store(async |store| Ok(store.reset_sweep(Timestamp::now()).await?)).await?;
    println!("All images stored so far are kept. The sweep checks images uploaded from now on.");
    Ok(())
}
