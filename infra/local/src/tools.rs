//! Tools that work on a table: that of a data folder, whether its service runs or not, or a deployed one.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use aws_sdk_dynamodb::config::SharedHttpClient;
use event_capture::store::{Names, Store};

use crate::backend::{SharedBackend, table_client};
use crate::stores::{OWNER, SECRET_FILE, TABLE, sdk_config};
use crate::table::{Table, make};
use crate::template::Template;
use crate::{Error, lock, make_folder};

/// The file in the data folder that says where the running service answers.
const ADDRESS_FILE: &str = "address";

/// Which table a tool works on.
#[derive(Clone, Debug, clap::Args)]
pub struct Place {
    /// The folder of the local stack.
    #[arg(long, global = true, default_value = ".data")]
    data_dir: PathBuf,
    /// The table of a deployed stack instead, reached with your AWS credentials (needs `--features deployed`).
    #[arg(long, global = true)]
    table: Option<String>,
}

impl Place {
    /// Opens the table for a tool.
    pub(crate) async fn with_store(self, act: impl AsyncFnOnce(&Store) -> Result<(), Error>) -> Result<(), Error> {
        if let Some(table) = self.table {
            let done = act(&Store::from_default_chain(Names::new(table, "")).await?).await;
            return done.map_err(|error| {
                format!("{error}\nAre the region, the credentials and the table's name right?").into()
            });
        }
        let folder = self.data_dir;
        make_folder(&folder)?;
        let Ok(_lock) = lock(&folder) else {
            return act(&store_of_running(&folder)?).await;
        };
        let table = Table::open(&folder, Arc::default())?;
        let handle: SharedBackend = Arc::new(table.handle());
        make(Arc::clone(&handle), TABLE, &Template::read()?, &folder).await?;
        let done = act(&store_with(table_client(handle), "http://table", TABLE)).await;
        table.close();
        done
    }
}

/// Leaves word of where the service answers, and what its table is called, for the tools that work on a running stack.
pub(crate) fn tell_address(folder: &Path, address: SocketAddr, table: &str) -> Result<(), Error> {
    Ok(std::fs::write(folder.join(ADDRESS_FILE), format!("{address} {table}"))?)
}

/// The table of a running stack, which answers to who can read its folder's secret.
fn store_of_running(folder: &Path) -> Result<Store, Error> {
    let read = |name: &str| std::fs::read_to_string(folder.join(name));
    let text = read(ADDRESS_FILE)?;
    let (address, table) = text.split_once(' ').ok_or("the folder does not say where its service answers")?;
    let endpoint = format!("http://{address}/{}", read(SECRET_FILE)?.trim());
    Ok(store_with(aws_smithy_http_client::Builder::new().build_http(), &endpoint, table))
}

/// A store without a bucket: no tool needs one.
fn store_with(client: SharedHttpClient, endpoint: &str, table: &str) -> Store {
    let names = Names::new(table, "");
    let config = sdk_config(endpoint, OWNER, "any", client);
    Store::new(&config, &config, &config, names)
}
