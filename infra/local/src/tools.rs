//! Opens the table that a tool works on: that of a data folder, whether its service runs or not, or a deployed one.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use aws_config::{BehaviorVersion, SdkConfig};
use aws_sdk_dynamodb::config::Builder;
use emulator::{Durability, TABLE};
use event_capture::store::{Names, Shards, Store};

use crate::Error;
use crate::backend::{SharedBackend, table_config};
use crate::folder::{lock_folder, write_private};
use crate::stores::{OWNER, SECRET_FILE, sdk_config};
use crate::table::{Table, create_or_update};
use crate::template::Template;

/// File in the data folder that stores the address and the table name of the running service.
const ADDRESS_FILE: &str = "address";

/// Table that a tool works on.
#[derive(Clone, Debug, clap::Args)]
pub struct TableArgs {
    /// Data folder of the local service.
    #[arg(long, global = true, env = "EVENT_CAPTURE_DATA_DIR", default_value = ".data")]
    data_dir: PathBuf,
    /// Use this table of a deployed service instead, with your AWS credentials (needs `--features deployed`).
    #[arg(long, global = true)]
    table: Option<String>,
}

impl TableArgs {
    /// Open the table and run a tool on it.
    pub(crate) async fn with_store(self, tool: impl AsyncFnOnce(&Store) -> Result<(), Error>) -> Result<(), Error> {
        if let Some(table) = self.table {
            return tool(&open_deployed(&table, "").await?).await;
        }
        let folder = self.data_dir;
        check_data_folder(&folder)?;
        let Ok(_lock) = lock_folder(&folder) else {
            return tool(&store_of_running(&folder)?).await;
        };
        let table = Table::open(&folder, Durability::default(), tokio::sync::watch::Sender::default())?;
        let handle: SharedBackend = Arc::new(table.clone());
        create_or_update(Arc::clone(&handle), TABLE, &Template::read()?, &folder).await?;
        let result = tool(&store_with(table_config(handle, OWNER), TABLE)).await;
        table.close();
        result
    }
}

/// Open the table and the bucket of a deployed service with the user's credentials.
pub(crate) async fn open_deployed(table: &str, bucket: &str) -> Result<Store, Error> {
    let opened = async {
        let names = Names::new(table, bucket);
        // The functions may read more shards of growing indexes than the default.
        let read = Store::from_default_chain(names.clone()).await?.functions_read_shards().await?;
        let shards = read.map_or(names.shards, Shards::both);
        Ok(Store::from_default_chain(Names { shards, ..names }).await?)
    };
    opened.await.map_err(|error: Error| {
        format!("{error}\nCheck the region, the credentials and the name of the table {table}.").into()
    })
}

/// Check that a service has used the data folder. A tool that creates one would report that the service has no data.
fn check_data_folder(folder: &Path) -> Result<(), Error> {
    if folder.join(SECRET_FILE).is_file() {
        return Ok(());
    }
    let folder = folder.display();
    Err(format!("{folder} is no data folder of a service. Set --data-dir to the folder that `serve` uses.").into())
}

/// Store the address of the service and the name of its table, for tools that work on a running service.
pub(crate) fn write_address(folder: &Path, address: SocketAddr, table: &str) -> Result<(), Error> {
    write_private(&folder.join(ADDRESS_FILE), format!("{address} {table}").as_bytes())
}

/// Open the table of a running service. The secret of its data folder grants access.
fn store_of_running(folder: &Path) -> Result<Store, Error> {
    let read = |name: &str| std::fs::read_to_string(folder.join(name));
    let text = read(ADDRESS_FILE)?;
    let (address, table) = text
        .split_once(' ')
        .ok_or("The data folder does not contain the address of its service. Restart the service.")?;
    let endpoint = format!("http://{address}/{}", read(SECRET_FILE)?.trim());
    let config = sdk_config(&endpoint, OWNER, "any", aws_smithy_http_client::Builder::new().build_http());
    Ok(store_with(Builder::from(&config), table))
}

/// Create a store without a bucket and without secrets, because no tool needs them.
fn store_with(table: Builder, name: &str) -> Store {
    let empty = SdkConfig::builder().behavior_version(BehaviorVersion::latest()).build();
    Store::new(table, &empty, Names::new(name, ""))
}
