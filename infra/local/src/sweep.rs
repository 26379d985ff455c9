//! The `sweep` command: decides about images that the sweep does not delete by itself.

use event_capture::schema::Timestamp;
use event_capture::store::Sweep;

use crate::Error;
use crate::tools::TableArgs;

/// Let the sweep of images go on after it has found too many images without a record.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    #[command(subcommand)]
    decision: Decision,
    #[command(flatten)]
    table_args: TableArgs,
}

#[derive(Clone, Copy, Debug, clap::Subcommand)]
enum Decision {
    /// Keep all images that are stored now. The sweep then checks only those that are uploaded later.
    Skip,
}

/// Run the command.
pub(crate) async fn run(Options { decision: Decision::Skip, table_args }: Options) -> Result<(), Error> {
    table_args.with_store(async |store| Ok(store.set_sweep(&Sweep::to(Timestamp::now())).await?)).await?;
    println!("All images that are stored now stay. The sweep checks those that are uploaded from now on.");
    Ok(())
}
