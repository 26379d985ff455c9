//! Access to the stores. Each function has its own handle, so a layer in front of a store knows the caller.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use capture_core::store::{Bucket, Store, StoreSettings, Table, Token};
use embedded::{EmbeddedBucket, EmbeddedTable};

use crate::Error;
use crate::folder::{unusable, write_private};
use crate::remote::{RemoteBucket, RemoteTable};
use crate::sockets::Sockets;

/// File in the data folder that stores its secret.
pub(crate) const SECRET_FILE: &str = "secret";
/// Minimum length of a secret in bytes: that of the digests it signs.
const MIN_SECRET: usize = 32;

/// A layer in front of the stores of each caller, which is a function or `local`. Tests inject faults there.
pub trait StoreLayer: Send + Sync {
    /// Returns the table that the caller uses.
    fn table(&self, caller: &str, table: Arc<dyn Table>) -> Arc<dyn Table>;

    /// Returns the bucket that the caller uses.
    fn bucket(&self, caller: &str, bucket: Arc<dyn Bucket>) -> Arc<dyn Bucket>;
}

/// Direct access to the stores.
pub(crate) struct Direct;

impl StoreLayer for Direct {
    fn table(&self, _: &str, table: Arc<dyn Table>) -> Arc<dyn Table> {
        table
    }

    fn bucket(&self, _: &str, bucket: Arc<dyn Bucket>) -> Arc<dyn Bucket> {
        bucket
    }
}

/// The table of the service.
#[derive(Clone)]
pub(crate) enum TableBackend {
    Embedded(EmbeddedTable),
    Remote(Box<RemoteTable>),
}

/// The bucket of the service.
#[derive(Clone)]
pub(crate) enum BucketBackend {
    Embedded(EmbeddedBucket),
    Remote(RemoteBucket),
}

/// The stores of the service.
#[derive(Clone)]
pub(crate) struct Stores {
    /// Stores of a deployed service, which this service only reads. All functions use them instead of its own stores.
    pub(crate) deployed: Option<Store>,
    pub(crate) table: TableBackend,
    pub(crate) bucket: BucketBackend,
    pub(crate) layer: Arc<dyn StoreLayer>,
    /// Address of the gateway.
    pub(crate) address: SocketAddr,
    pub(crate) settings: StoreSettings,
    /// Connections of the socket.
    pub(crate) sockets: Sockets,
    /// First segments of the paths where the functions' processes post to connections: the secret of the folder, and an
    /// identifier of this run. A function that outlives its service cannot post to another.
    pub(crate) callback_path: String,
}

/// Returns the secret of a data folder, generated on first use. It signs the URLs of images, and only clients with such
/// a URL can read them. The URLs remain valid after a restart.
pub(crate) fn secret(folder: &Path) -> Result<String, Error> {
    read_or_generate(folder, SECRET_FILE)
}

/// Returns a secret from a file in a folder, generated on first use.
pub(crate) fn read_or_generate(folder: &Path, file: &str) -> Result<String, Error> {
    let path = folder.join(file);
    let stored = match std::fs::read_to_string(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(unusable(&path, &error)),
        stored => stored.unwrap_or_default(),
    };
    if stored.is_empty() {
        let secret = Token::generate()?.reveal();
        write_private(&path, secret.as_bytes())?;
        return Ok(secret);
    }
    if stored.trim().len() < MIN_SECRET {
        return Err(format!(
            "{} has a secret of less than {MIN_SECRET} bytes, which can be guessed. Restore the original file, or delete it to generate a new secret.",
            path.display()
        )
        .into());
    }
    Ok(stored)
}

impl Stores {
    /// Creates the stores for a caller.
    pub(crate) fn store_for(&self, caller: &str) -> Store {
        if let Some(store) = &self.deployed {
            return store.for_request();
        }
        let table: Arc<dyn Table> = match &self.table {
            TableBackend::Embedded(table) => Arc::new(table.clone()),
            TableBackend::Remote(table) => table.client(caller, self.settings.shards.write),
        };
        let bucket: Arc<dyn Bucket> = match &self.bucket {
            BucketBackend::Embedded(folder) => Arc::new(folder.clone()),
            BucketBackend::Remote(bucket) => bucket.client(),
        };
        let (table, bucket) = (self.layer.table(caller, table), self.layer.bucket(caller, bucket));
        Store::new(table, Some(bucket), Some(Arc::new(self.sockets.clone())), self.settings.clone())
    }
}
