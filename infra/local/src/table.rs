//! The embedded DynamoDB-compatible store, on a thread of its own: it works inside its handlers.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::mpsc;
use std::thread::JoinHandle;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::BuildError;
use aws_sdk_dynamodb::operation::create_table::CreateTableError;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, CreateGlobalSecondaryIndexAction, GlobalSecondaryIndex,
    GlobalSecondaryIndexUpdate, KeySchemaElement, KeyType, Projection, ProjectionType, ScalarAttributeType,
};
use dynoxide::Database;
use tokio::sync::oneshot;

use crate::Error;
use crate::stores::{OWNER, TABLE, sdk_config};
use crate::template::{Index, Key, Template};

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

    /// Creates the table as the template declares it, or adds the indexes that one from before does not have yet.
    pub(crate) async fn make(&self, template: &Template, folder: &Path) -> Result<(), Error> {
        let client = Client::new(&sdk_config(self.address, OWNER, "any"));
        // Asking the table itself would have it count its items.
        let (known, names) = (folder.join("table.indexes"), names(template));
        if std::fs::read_to_string(&known).is_ok_and(|known| known == names) {
            return Ok(());
        }
        if !create(&client, template).await? {
            add_indexes(&client, template).await?;
        }
        Ok(std::fs::write(known, names)?)
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

fn names(template: &Template) -> String {
    template.indexes.iter().flat_map(|index| [index.name.as_str(), "\n"]).collect()
}

/// Creates the table. Answers whether there was none.
async fn create(client: &Client, template: &Template) -> Result<bool, Error> {
    let indexes = template.indexes.iter().map(|index| {
        GlobalSecondaryIndex::builder()
            .index_name(&index.name)
            .set_key_schema(Some(key_schema(&index.key)?))
            .projection(projection(index))
            .build()
    });
    let created = client
        .create_table()
        .table_name(TABLE)
        .billing_mode(BillingMode::PayPerRequest)
        .set_attribute_definitions(Some(attributes(template)?))
        .set_key_schema(Some(key_schema(&template.key)?))
        .set_global_secondary_indexes(Some(indexes.collect::<Result<_, _>>()?))
        .send()
        .await;
    match created {
        Ok(_) => Ok(true),
        Err(error) if error.as_service_error().is_some_and(CreateTableError::is_resource_in_use_exception) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Adds the indexes that the table does not have, each from the items that are there.
async fn add_indexes(client: &Client, template: &Template) -> Result<(), Error> {
    let described = client.describe_table().table_name(TABLE).send().await?;
    let table = described.table.ok_or("the table is gone")?;
    let known: Vec<_> = table.global_secondary_indexes().iter().filter_map(|index| index.index_name()).collect();
    for index in template.indexes.iter().filter(|index| !known.contains(&index.name.as_str())) {
        let added = CreateGlobalSecondaryIndexAction::builder()
            .index_name(&index.name)
            .set_key_schema(Some(key_schema(&index.key)?))
            .projection(projection(index))
            .build()?;
        client
            .update_table()
            .table_name(TABLE)
            .set_attribute_definitions(Some(attributes(template)?))
            .global_secondary_index_updates(GlobalSecondaryIndexUpdate::builder().create(added).build())
            .send()
            .await?;
    }
    Ok(())
}

fn attributes(template: &Template) -> Result<Vec<AttributeDefinition>, BuildError> {
    let definition = |(name, kind): &(String, String)| {
        let kind = ScalarAttributeType::from(kind.as_str());
        AttributeDefinition::builder().attribute_name(name).attribute_type(kind).build()
    };
    template.attributes.iter().map(definition).collect()
}

fn projection(index: &Index) -> Projection {
    Projection::builder().projection_type(ProjectionType::from(index.projection.as_str())).build()
}

fn key_schema(key: &[Key]) -> Result<Vec<KeySchemaElement>, BuildError> {
    let element = |key: &Key| {
        let kind = KeyType::from(key.kind.as_str());
        KeySchemaElement::builder().attribute_name(&key.attribute).key_type(kind).build()
    };
    key.iter().map(element).collect()
}
