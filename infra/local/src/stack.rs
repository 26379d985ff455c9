//! The running service: its stores, functions and gateway in one process.
//!
//! The order of the start matters: the folder is locked and the port is taken before a store is opened, because another
//! process may use both.

use std::fs::File;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use emulator::{Durability, TABLE};
use event_capture::lambda::http::base_path;
use event_capture::schema::digest;
use event_capture::store::{Channel, Shards, Store, Token};
use event_capture::webhooks;
use event_capture::webhooks::twitch::SOCKET_SECRET;
use event_capture::webhooks::twitch::connection::Connection as PlatformConnection;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::timeout;
use twitch::connection::{Connection, Webhook};

use crate::backend::SharedBackend;
use crate::folder::{explain, make_folder, unusable, wait_for_folder};
use crate::functions::{Functions, TWITCH_CHANNEL};
use crate::objects::Objects;
use crate::options::Options;
use crate::sockets::Sockets;
use crate::stores::Stores;
use crate::stream::{Delivered, Follower};
use crate::table::Table;
use crate::template::Template;
use crate::{Error, bucket, connections, demo, gateway, objects, remote, schedule, stores, table, tools};

/// Time that requests in flight have to finish at shutdown: the longest time that any request may take.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(28);

/// Running service.
pub struct Stack {
    /// Address that it listens on.
    pub address: SocketAddr,
    /// A client of its stores.
    pub store: Store,
    stop: watch::Sender<bool>,
    serving: tokio::task::JoinHandle<io::Result<()>>,
    stores: Stores,
    embedded: Option<Table>,
    connection: Option<Connection>,
    _lock: File,
}

impl Stack {
    /// Start the service. Returns when it accepts requests.
    ///
    /// # Errors
    /// If the port or the folder is in use, or a store cannot be opened.
    pub async fn start(options: &Options) -> Result<Self, Error> {
        Self::start_behind(options, |table| table).await
    }

    /// Start the service with a layer in front of its table. `front` gets the backend of the table, and returns the
    /// backend that the service calls. Tests inject faults there.
    ///
    /// # Errors
    /// If the port or the folder is in use, or a store cannot be opened.
    pub async fn start_behind(
        options: &Options,
        front: impl FnOnce(SharedBackend) -> SharedBackend,
    ) -> Result<Self, Error> {
        if !options.listen.is_loopback() && !options.require_token {
            return Err(format!(
                "Without tokens, everybody who reaches {} could change all data. Add --require-token.",
                options.listen
            )
            .into());
        }
        let template = Template::read()?;
        make_folder(&options.data_dir)?;
        let lock = wait_for_folder(&options.data_dir).await?;
        let listener = TcpListener::bind((options.listen, options.port)).await;
        let listener = listener.map_err(|error| {
            format!(
                "Cannot listen on {}, port {}: {error}. Choose another one with --port.",
                options.listen, options.port
            )
        })?;
        // This process reaches every address of the machine by the loopback address.
        let mut address = listener.local_addr()?;
        if address.ip().is_unspecified() {
            address.set_ip(Ipv4Addr::LOCALHOST.into());
        }

        let written = watch::Sender::new(());
        let (mut stores, embedded, own_table) = Self::open_stores(options, &template, address, &written, front).await?;
        if let Some(table) = &options.table {
            stores.deployed = Some(tools::open_deployed(table, &options.bucket).await?);
        }
        tools::write_address(&options.data_dir, address, &stores.name)?;
        let store = stores.store_for(stores::OWNER);
        // Under a name that is not of this machine, such as that of a proxy, the images of a page come from this address.
        let images = ("PAGE_IMAGES".to_owned(), format!("http://{address}"));
        // A deployed table is only read.
        let connection = match &stores.deployed {
            None => Some(open_connection(options)?),
            Some(_) => None,
        };
        let channel = connection.as_ref().and_then(Connection::channel);
        let channel = channel.or_else(|| options.twitch.twitch_broadcaster_id.clone());
        let channel = channel.unwrap_or_else(|| demo::BROADCASTER.to_owned());
        stores.channel.set(&channel);
        let socket_secret = Token::generate()?.reveal();
        let twitch = [(TWITCH_CHANNEL.to_owned(), channel), (SOCKET_SECRET.to_owned(), socket_secret.clone())];
        let variables = options.variables().into_iter().filter(|(name, _)| name != TWITCH_CHANNEL);
        let variables: Vec<_> = variables.chain(twitch).chain([images]).collect();
        let functions = match &options.lambda {
            Some(folder) => Functions::binaries(&template, |name| stores.environment(name), &variables, folder)?,
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
        // A deployed table has an upkeep and a sequencer of its own, or is a copy that nothing should change.
        if stores.deployed.is_none() {
            schedule::start(&template, &functions, &stopped)?;
            // Each function reads the stream on its own, so that none waits for another.
            let delivered = embedded.as_ref().map(|_| Delivered::to(template.streams.len()));
            for (index, stream) in template.streams.iter().enumerate() {
                let follower = Follower {
                    table: Arc::clone(&own_table),
                    name: stores.name.clone(),
                    written: written.subscribe(),
                    delivered: delivered.clone().map(|delivered| (index, delivered)),
                    functions: functions.clone(),
                    stream: stream.clone(),
                };
                follower.start(stopped.clone());
            }
        }
        if let Some(table) = &embedded {
            table.start_to_expire(stopped.clone());
        }
        let client_silence = Duration::from_secs(options.client_silence);
        let (changeable, own_channel) = (functions.clone(), stores.channel.clone());
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
        Ok(Self { address, store, stop, serving, stores, embedded, connection, _lock: lock })
    }

    /// Open the stores: the embedded table and bucket, or clients of external ones. Returns them with the embedded table,
    /// and the table without the layer in front of it.
    async fn open_stores(
        options: &Options,
        template: &Template,
        address: SocketAddr,
        written: &watch::Sender<()>,
        front: impl FnOnce(SharedBackend) -> SharedBackend,
    ) -> Result<(Stores, Option<Table>, SharedBackend), Error> {
        let durability = if options.durable { Durability::Power } else { Durability::Process };
        let secret = stores::secret(&options.data_dir)?;
        let (embedded, table): (_, SharedBackend) = if let Some(endpoint) = &options.dynamodb_endpoint {
            (None, Arc::new(remote::Remote::new(endpoint, written.clone())?))
        } else {
            let table = Table::open(&options.data_dir, durability, written.clone())?;
            (Some(table.clone()), Arc::new(table))
        };
        // Other services may use an external store, so each data folder has its own table there.
        let name = embedded.as_ref().map_or_else(|| format!("{TABLE}-{}", digest(&secret)), |_| TABLE.to_owned());
        let created = table::create_or_update(Arc::clone(&table), &name, template, &options.data_dir).await;
        created.map_err(|error| if embedded.is_some() { explain(&options.data_dir, error) } else { error })?;
        let images = options.data_dir.join(objects::IMAGES);
        let objects = Objects::in_folder(images.clone(), durability).map_err(|error| unusable(&images, &error))?;
        let bucket = bucket::service(objects, template, &secret);
        let shards = Shards { read: options.shards, write: options.write_shards.unwrap_or(options.shards) };
        let tokens_not_before = options.tokens_not_before;
        let (own_table, table, s3_endpoint) = (Arc::clone(&table), front(table), options.s3_endpoint.clone());
        let seconds = Duration::from_secs;
        let sockets = Sockets::new(seconds(options.socket_silence), seconds(options.socket_life));
        let calendar = options.time_zone.clone();
        let run = format!("{:016x}", fastrand::u64(..));
        let stores = Stores {
            deployed: None,
            table,
            name,
            bucket,
            s3_endpoint,
            address,
            secret,
            run,
            shards,
            tokens_not_before,
            calendar,
            channel: Channel::default(),
            chat_retention_days: options.chat_retention_days,
            sockets,
        };
        Ok((stores, embedded, own_table))
    }

    /// List the environment variables that direct a function's binary to these stores instead of AWS.
    pub fn environment(&self, function: &str) -> Vec<(String, String)> {
        self.stores.environment(function)
    }

    /// Wait until the table's file is gone, because nothing can be stored then. Returns the error.
    pub(crate) async fn wait_until_lost(&self) -> Error {
        let Some(table) = &self.embedded else { return std::future::pending().await };
        loop {
            tokio::time::sleep(Duration::from_secs(1)).await;
            if let Err(lost) = table.check() {
                return lost;
            }
        }
    }

    /// Wait for the requests in flight, then close the stores.
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
            tracing::warn!("closed connections whose requests did not finish in time");
        }
        if let Some(table) = self.embedded {
            table.close();
        }
        Ok(())
    }
}

/// Open the connection to Twitch, with what the data folder has of it.
fn open_connection(options: &Options) -> Result<Connection, Error> {
    let opened = Connection::open(options.twitch.connection(&options.data_dir)?);
    opened.map_err(|error| match error.downcast::<std::io::Error>() {
        Ok(error) => unusable(&options.data_dir, &error),
        Err(error) => error,
    })
}
