//! Opens the table that a tool works on: the table of a data folder, even while its service runs, or a deployed table.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use capture_core::store::{Store, StoreSettings};
use embedded::TableSettings;
use tokio::sync::watch;

use crate::folder::lock_folder;
use crate::remote::{self, RemoteTable};
use crate::stores::{self, SECRET_FILE};
use crate::table::{self, MAX_CHECK};
use crate::template::Template;
use crate::{Error, OWNER};

/// Table that a tool works on.
#[derive(Clone, Debug, clap::Args)]
pub struct TableArgs {
    /// Data folder of the local service.
    #[arg(long, global = true, env = "EVENT_CAPTURE_DATA_DIR", default_value = ".data")]
    data_dir: PathBuf,
    /// Use this table of a deployed service instead, with your AWS credentials (needs `--features deployed`).
    #[arg(long, global = true)]
    table: Option<String>,
    /// Use the table of a service that runs with this option.
    #[arg(long, global = true, value_name = "URL", env = "EVENT_CAPTURE_DYNAMODB_ENDPOINT", hide = true)]
    dynamodb_endpoint: Option<String>,
}

impl TableArgs {
    /// Opens the table and runs a tool on it.
    pub(crate) async fn with_store(self, tool: impl AsyncFnOnce(&Store) -> Result<(), Error>) -> Result<(), Error> {
        if let Some(table) = self.table {
            return tool(&open_deployed(&table, "").await?).await;
        }
        let folder = self.data_dir;
        check_data_folder(&folder)?;
        let settings = StoreSettings::default();
        if let Some(endpoint) = self.dynamodb_endpoint {
            let name = remote::table_name(&stores::secret(&folder)?);
            let table = RemoteTable::open(&endpoint, name, &Template::read()?, watch::Sender::default()).await?;
            let table = table.client(OWNER, settings.shards.write);
            return tool(&Store::new(table, None, None, settings)).await;
        }
        // A running service has checked the table and may keep running: SQLite allows two processes.
        let lock = lock_folder(&folder).ok();
        let max_check = lock.as_ref().map(|_| MAX_CHECK);
        let table = table::open(&folder, TableSettings::default(), max_check, watch::Sender::default())?;
        let result = tool(&Store::new(Arc::new(table.clone()), None, None, settings)).await;
        table.close();
        result
    }
}

/// Opens the table and the bucket of a deployed service with the user's credentials.
#[cfg(feature = "aws")]
pub(crate) async fn open_deployed(table: &str, bucket: &str) -> Result<Store, Error> {
    use capture_core::store::{Shards, aws};
    let opened = async {
        let settings = StoreSettings::default();
        // The functions may read more shards of growing indexes than the default.
        let read = aws::from_default_chain(table, bucket, settings.clone()).await?.functions_read_shards().await?;
        let shards = read.map_or(settings.shards, Shards::both);
        Ok(aws::from_default_chain(table, bucket, StoreSettings { shards, ..settings }).await?)
    };
    opened.await.map_err(|error: Error| {
        format!("{error}\nCheck the region, the credentials and the name of the table {table}.").into()
    })
}

/// Returns an error: this program was built without AWS.
#[cfg(not(feature = "aws"))]
#[expect(clippy::unused_async, reason = "the signature is that of the function with AWS")]
pub(crate) async fn open_deployed(_: &str, _: &str) -> Result<Store, Error> {
    Err("--table needs AWS, which this program was built without. Build it with `--features deployed`.".into())
}

/// Checks that a service has used the data folder. A tool that creates a folder would report a service without data.
pub(crate) fn check_data_folder(folder: &Path) -> Result<(), Error> {
    if folder.join(SECRET_FILE).is_file() {
        return Ok(());
    }
    let folder = folder.display();
    Err(format!("{folder} is not a data folder of a service. Set --data-dir to the folder that `serve` uses.").into())
}
