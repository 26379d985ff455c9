//! The embedded DynamoDB-compatible store, on a thread of its own: it works inside its handlers.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::mpsc;
use std::thread::JoinHandle;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::operation::create_table::CreateTableError;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType, Projection, ProjectionType,
    ScalarAttributeType,
};
use dynoxide::Database;
use tokio::sync::oneshot;

use crate::Error;
use crate::stores::{OWNER, TABLE, sdk_config};
use crate::template::{Key, Template};

/// The file in the data folder that says where the running table answers.
pub(crate) const ADDRESS_FILE: &str = "table.address";

/// The running store.
pub(crate) struct Table {
    pub(crate) address: SocketAddr,
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

impl Table {
    /// Opens the file in a folder and serves it on a free loopback port.
    pub(crate) fn open(folder: &Path) -> Result<Self, Error> {
        let path = folder.join("table.sqlite");
        let database = Database::new(path.to_str().ok_or("the data folder's path is not UTF-8")?)?;
        // Safe against a killed process, not against a power cut; the other way is one disk sync an item.
        database.disable_bulk_loading()?;
        let (stop, stopped) = oneshot::channel();
        let (started, start) = mpsc::channel();
        let thread = std::thread::Builder::new().name("table".to_owned()).spawn(move || {
            if let Err(error) = serve(database, stopped, &started) {
                tracing::error!(%error, "the embedded table ended");
            }
        })?;
        Ok(Self { address: start.recv()?, stop, thread })
    }

    /// Creates the table as the template declares it, unless it is there.
    pub(crate) async fn make(&self, template: &Template) -> Result<(), Error> {
        create(&Client::new(&sdk_config(self.address, OWNER)), TABLE, template).await
    }

    /// Leaves word of where the table answers, for the tools that work on a running stack.
    pub(crate) fn tell_address(&self, folder: &Path) -> Result<(), Error> {
        Ok(std::fs::write(folder.join(ADDRESS_FILE), self.address.to_string())?)
    }

    /// Ends what is under way and closes the file.
    pub(crate) fn close(self) {
        let _ = self.stop.send(());
        let _ = self.thread.join();
    }
}

fn serve(database: Database, stopped: oneshot::Receiver<()>, started: &mpsc::Sender<SocketAddr>) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        started.send(listener.local_addr()?)?;
        let signal = async {
            let _ = stopped.await;
        };
        Ok(dynoxide::server::serve_with_shutdown(listener, database, signal).await?)
    })
}

async fn create(client: &Client, name: &str, template: &Template) -> Result<(), Error> {
    let attributes = template.attributes.iter().map(|(name, kind)| {
        let kind = ScalarAttributeType::from(kind.as_str());
        AttributeDefinition::builder().attribute_name(name).attribute_type(kind).build()
    });
    let indexes = template.indexes.iter().map(|index| {
        let projection = ProjectionType::from(index.projection.as_str());
        GlobalSecondaryIndex::builder()
            .index_name(&index.name)
            .set_key_schema(Some(key_schema(&index.key)?))
            .projection(Projection::builder().projection_type(projection).build())
            .build()
    });
    let created = client
        .create_table()
        .table_name(name)
        .billing_mode(BillingMode::PayPerRequest)
        .set_attribute_definitions(Some(attributes.collect::<Result<_, _>>()?))
        .set_key_schema(Some(key_schema(&template.key)?))
        .set_global_secondary_indexes(Some(indexes.collect::<Result<_, _>>()?))
        .send()
        .await;
    match created {
        Err(error) if !error.as_service_error().is_some_and(CreateTableError::is_resource_in_use_exception) => {
            Err(error.into())
        }
        _ => Ok(()),
    }
}

fn key_schema(key: &[Key]) -> Result<Vec<KeySchemaElement>, aws_sdk_dynamodb::error::BuildError> {
    let element = |key: &Key| {
        let kind = KeyType::from(key.kind.as_str());
        KeySchemaElement::builder().attribute_name(&key.attribute).key_type(kind).build()
    };
    key.iter().map(element).collect()
}
