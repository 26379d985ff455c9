//! The running service: its stores, functions and gateway in one process.
//!
//! The order at startup matters: the folder is locked and the port is taken before a store is opened, since another
//! process may be using both.

use std::fs::File;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use capture_core::lambda::http::base_path;
use capture_core::store::{Channel, Chat, Shards, Store, StoreSettings, Token};
use capture_core::webhooks;
use capture_core::webhooks::twitch::SOCKET_SECRET;
use capture_core::webhooks::twitch::connection::Connection as PlatformConnection;
use embedded::{ChangeFilter, Durability, EmbeddedBucket, EmbeddedTable, TableSettings};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::timeout;
use twitch::connection::{Connection, Webhook};

use crate::environment::environment;
use crate::folder::{make_folder, unusable, wait_for_folder};
use crate::functions::{Functions, TWITCH_CHANNEL};
use crate::options::Options;
use crate::remote::{self, RemoteBucket, RemoteStream, RemoteTable};
use crate::sockets::Sockets;
use crate::stores::{BucketBackend, Direct, StoreLayer, Stores, TableBackend};
use crate::stream::{DeliveryProgress, Source, StreamConsumer};
use crate::table::{self, IMAGES, MAX_CHECK};
use crate::template::Template;
use crate::{BUCKET, Error, OWNER, connections, demo, gateway, schedule, stores, tools};

/// Time for requests in flight to finish at shutdown: the longest time that any request may take.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(28);

/// A running service.
pub struct Stack {
    /// Address that it listens on.
    pub address: SocketAddr,
    /// A client of its stores.
    pub store: Store,
    stop: watch::Sender<bool>,
    serving: tokio::task::JoinHandle<io::Result<()>>,
    stores: Stores,
    data_dir: PathBuf,
    connection: Option<Connection>,
    _lock: File,
}

impl Stack {
    /// Starts the service. Returns when it accepts requests.
    ///
    /// # Errors
    /// If the port or the folder is in use, or a store cannot be opened.
    pub async fn start(options: &Options) -> Result<Self, Error> {
        Self::start_with_layer(options, Arc::new(Direct)).await
    }

    /// Starts the service with a layer in front of its stores, where tests inject faults.
    ///
    /// # Errors
    /// If the port or the folder is in use, or a store cannot be opened.
    pub async fn start_with_layer(options: &Options, layer: Arc<dyn StoreLayer>) -> Result<Self, Error> {
        if !options.listen.is_loopback() && !options.require_token {
            return Err(format!(
                "Without tokens, anyone who can reach {} could change all data. Add --require-token.",
                options.listen
            )
            .into());
        }
        options.check_features()?;
        let template = Template::read()?;
        make_folder(&options.data_dir)?;
        let lock = wait_for_folder(&options.data_dir).await?;
        let listener = TcpListener::bind((options.listen, options.port)).await;
        let listener = listener.map_err(|error| {
            format!(
                "Cannot listen on {}, port {}: {error}. Choose another port with --port.",
                options.listen, options.port
            )
        })?;
        // This process can reach every address of the machine through the loopback address.
        let mut address = listener.local_addr()?;
        if address.ip().is_unspecified() {
            address.set_ip(Ipv4Addr::LOCALHOST.into());
        }

        let written = watch::Sender::new(());
        let mut stores = open_stores(options, &template, address, &written, layer).await?;
        if let Some(table) = &options.table {
            stores.deployed = Some(tools::open_deployed(table, &options.bucket).await?);
        }
        let store = stores.store_for(OWNER);
        // Under a name that does not belong to this machine, such as a proxy's, a page loads its images from this
        // address.
        let images = ("PAGE_IMAGES".to_owned(), format!("http://{address}"));
        // A deployed table is only read.
        let connection = match &stores.deployed {
            None => Some(open_connection(options)?),
            Some(_) => None,
        };
        stores.settings.chat = connection.clone().map(|connection| Arc::new(connection) as Arc<dyn Chat>);
        let channel = connection.as_ref().and_then(Connection::channel);
        let channel = channel.or_else(|| options.twitch.twitch_broadcaster_id.clone());
        let channel = channel.unwrap_or_else(|| demo::BROADCASTER.to_owned());
        stores.settings.channel.set(&channel);
        let socket_secret = Token::generate()?.reveal();
        let twitch = [(TWITCH_CHANNEL.to_owned(), channel), (SOCKET_SECRET.to_owned(), socket_secret.clone())];
        let variables = options.variables().into_iter().filter(|(name, _)| name != TWITCH_CHANNEL);
        let variables: Vec<_> = variables.chain(twitch).chain([images]).collect();
        let functions = match &options.lambda {
            Some(folder) => {
                let environment_of = |name: &str| environment(&stores, options, name);
                Functions::binaries(&template, environment_of, &variables, folder)?
            }
            None => Functions::in_process(&template, |name| stores.store_for(name), &variables)?,
        };
        let functions = match &connection {
            Some(connection) => {
                let connection: Arc<dyn PlatformConnection> = Arc::new(connection.clone());
                functions.with_connection(&template, |name| stores.store_for(name), &connection)?
            }
            None => functions,
        };
        let (stop, stopped) = watch::channel(false);
        // A deployed table has its own upkeep and sequencer, or is a copy that must not change.
        if stores.deployed.is_none() {
            // A failure only delays the list of connected overlays.
            if let Err(error) = store.delete_all_connections().await {
                tracing::warn!(%error, "the connections of an earlier process could not be forgotten");
            }
            schedule::start(&template, &functions, &stopped)?;
            // Each function reads the stream separately, so no function waits for another.
            let delivered = DeliveryProgress::new(template.streams.len());
            for (function, stream) in template.streams.iter().enumerate() {
                let source = match &stores.table {
                    TableBackend::Embedded(table) => {
                        Source::Embedded { table: table.clone(), last: 0, function, delivered: delivered.clone() }
                    }
                    TableBackend::Remote(table) => {
                        Source::Remote(Box::new(RemoteStream::new(RemoteTable::clone(table))))
                    }
                };
                let (written, functions, stream) = (written.subscribe(), functions.clone(), stream.clone());
                StreamConsumer { source, written, functions, stream }.start(stopped.clone());
            }
        }
        if let TableBackend::Embedded(table) = &stores.table {
            table.start_expiry(stopped.clone());
        }
        let client_silence = Duration::from_secs(options.client_silence);
        let (changeable, own_channel) = (functions.clone(), stores.settings.channel.clone());
        let gateway = gateway::router(template, functions, &stores, options, stopped.clone())?;
        let base: Arc<str> = format!("http://{address}{}", base_path(&options.base_path)).into();
        if let Some(connection) = &connection {
            connection.start(Webhook {
                url: format!("{base}{}", webhooks::twitch::PATH),
                secret: socket_secret,
                set_channel: Box::new(move |channel| {
                    own_channel.set(channel);
                    if let Err(error) = changeable.set_variable(&variables, TWITCH_CHANNEL, channel) {
                        tracing::error!(%error, "could not set the channel; restart the service");
                    }
                }),
            });
        }
        let serving = tokio::spawn(connections::serve(listener, gateway, base, client_silence, stopped));
        let data_dir = options.data_dir.clone();
        Ok(Self { address, store, stop, serving, stores, data_dir, connection, _lock: lock })
    }

    /// Returns the environment variables that point a function's binary to the stores of these options instead of AWS.
    pub fn environment(&self, options: &Options, function: &str) -> Vec<(String, String)> {
        environment(&self.stores, options, function)
    }

    /// Returns the embedded table. `None` if another table is used.
    pub(crate) fn embedded_table(&self) -> Option<&EmbeddedTable> {
        match &self.stores.table {
            TableBackend::Embedded(table) => Some(table),
            TableBackend::Remote(_) => None,
        }
    }

    /// Waits until the table's file is gone and nothing can be stored any more. Returns the error.
    pub(crate) async fn wait_until_lost(&self) -> Error {
        let Some(table) = self.embedded_table() else { return std::future::pending().await };
        loop {
            tokio::time::sleep(Duration::from_secs(1)).await;
            if let Err(lost) = table::check(table, &self.data_dir) {
                return lost;
            }
        }
    }

    /// Waits for the requests in flight, then closes the stores.
    ///
    /// # Errors
    /// If the server has failed.
    pub async fn stop(self) -> Result<(), Error> {
        if let Some(connection) = &self.connection {
            connection.stop().await;
        }
        self.stop.send_replace(true);
        if let Ok(served) = timeout(SHUTDOWN_TIMEOUT, self.serving).await {
            served??;
        } else {
            tracing::warn!("closed connections with requests that did not finish in time");
        }
        if let TableBackend::Embedded(table) = self.stores.table {
            table.close();
        }
        Ok(())
    }
}

/// Opens the stores: the embedded table and bucket, or clients of external ones.
async fn open_stores(
    options: &Options,
    template: &Template,
    address: SocketAddr,
    written: &watch::Sender<()>,
    layer: Arc<dyn StoreLayer>,
) -> Result<Stores, Error> {
    let durability = if options.durable { Durability::Power } else { Durability::Process };
    let shards = Shards { read: options.shards, write: options.write_shards.unwrap_or(options.shards) };
    let secret = stores::secret(&options.data_dir)?;
    let table = if let Some(endpoint) = &options.dynamodb_endpoint {
        let name = remote::table_name(&secret);
        TableBackend::Remote(Box::new(RemoteTable::open(endpoint, name, template, written.clone()).await?))
    } else {
        let streams = template.streams.clone();
        let streamed: ChangeFilter =
            Arc::new(move |pk, before, after| streams.iter().any(|stream| stream.receives(pk, before, after)));
        let settings = TableSettings { durability, write_shards: shards.write, streamed: Some(streamed) };
        TableBackend::Embedded(table::open(&options.data_dir, settings, Some(MAX_CHECK), written.clone())?)
    };
    let images = options.data_dir.join(IMAGES);
    let folder = EmbeddedBucket::new(&images, durability, format!("http://{address}/{BUCKET}"), secret.clone());
    // The folder also holds incomplete request bodies.
    folder.prepare().map_err(|error| unusable(&images, &error))?;
    let bucket = match &options.s3_endpoint {
        Some(endpoint) => BucketBackend::Remote(RemoteBucket(endpoint.clone())),
        None => BucketBackend::Embedded(folder),
    };
    let settings = StoreSettings {
        shards,
        tokens_not_before: options.tokens_not_before,
        calendar: options.time_zone.clone(),
        channel: Channel::default(),
        chat: None,
        chat_retention: Some(options.chat_retention_days).filter(|days| *days > 0),
    };
    let seconds = Duration::from_secs;
    let sockets = Sockets::new(seconds(options.socket_silence), seconds(options.socket_life));
    let callback_path = format!("/{secret}/{:016x}", fastrand::u64(..));
    Ok(Stores { deployed: None, table, bucket, layer, address, settings, sockets, callback_path })
}

/// Opens the connection to Twitch with the state in the data folder.
fn open_connection(options: &Options) -> Result<Connection, Error> {
    let opened = Connection::open(options.twitch.connection(&options.data_dir, options.language)?);
    opened.map_err(|error| match error.downcast::<std::io::Error>() {
        Ok(error) => unusable(&options.data_dir, &error),
        Err(error) => error,
    })
}
