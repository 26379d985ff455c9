//! The embedded table: a database in the data folder, its connections, and its creation.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::BuildError;
use aws_sdk_dynamodb::operation::create_table::CreateTableError;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, CreateGlobalSecondaryIndexAction, GlobalSecondaryIndex,
    GlobalSecondaryIndexUpdate, KeySchemaElement, KeyType, Projection, ProjectionType, ScalarAttributeType,
    StreamSpecification, StreamViewType,
};
use emulator::{Call, CallResponse, DELETE_EXPIRED, Durability, EXPIRED_BATCH, Engine, TABLE};
use event_capture::schema::Timestamp;
use event_capture::table::EXPIRES_AT;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::json;
use system::private_file;
use tokio::sync::{oneshot, watch};

use crate::Error;
use crate::backend::{Backend, SharedBackend, table_config};
use crate::folder::{self, explain, write_private};
use crate::stores::OWNER;
use crate::template::{Index, Key, Template};

/// File in the data folder that lists the indexes of the table.
const INDEXES: &str = "table.indexes";
/// Interval for deleting expired items.
const EXPIRY_INTERVAL: Duration = Duration::from_mins(1);

/// Maximum time to check the file at the start. It suffices for about 3 GB in the system's cache, or 400,000 events.
/// Defects in the rest are found when they are read.
const MAX_CHECK: Duration = Duration::from_secs(5);

/// Maximum number of calls that are committed together.
const MAX_BATCH: usize = 32;

/// A call and the channel for its response.
type Job = (Call, oneshot::Sender<CallResponse>);

/// Table in a data folder. All clones use the same connections.
#[derive(Clone)]
pub(crate) struct Table(Arc<Connections>);

/// Connections to the database. SQLite has one writer, beside which others read. A call runs on the thread that
/// makes it: it is shorter than a change of threads.
struct Connections {
    file: File,
    durability: Durability,
    /// `None` after the table was closed.
    writer: Mutex<Option<Engine>>,
    /// Calls that wait for the writer.
    waiting: Mutex<VecDeque<Job>>,
    /// Connections that nobody is reading with. `None` after the table was closed.
    readers: Mutex<Option<Vec<Engine>>>,
    /// Notified of writes.
    written: watch::Sender<()>,
}

/// File of the database: its path, and its identity, which a replacement does not have.
struct File {
    path: PathBuf,
    identity: u64,
}

impl File {
    /// Tell if the file is still at its path. Writes to a deleted file would be lost.
    fn is_in_place(&self) -> bool {
        std::fs::metadata(&self.path).is_ok_and(|metadata| system::identity(&metadata) == self.identity)
    }
}

impl Backend for Table {
    fn call(&self, call: Call) -> BoxFuture<'static, CallResponse> {
        let connections = Arc::clone(&self.0);
        async move {
            let response = if call.only_reads() { connections.read(&call) } else { connections.write(call).await };
            response.unwrap_or_else(|| CallResponse { status: 503, body: r#"{"__type":"InternalServerError"}"#.into() })
        }
        .boxed()
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Table").field(&self.0.file.path).finish()
    }
}

impl Connections {
    /// Answer a call that changes nothing. `None` if the table is closed, or its file is gone.
    fn read(self: &Arc<Self>, call: &Call) -> Option<CallResponse> {
        // The writer knows the latest pages. A reader has to read them again after each write.
        let response = if let Some(mut writer) = self.idle_writer() {
            writer.engine()?.execute(call)
        } else {
            let idle_reader = self.readers().as_mut()?.pop();
            let mut reader = match idle_reader {
                Some(reader) => reader,
                None => self.new_reader()?,
            };
            let response = reader.execute(call);
            self.readers().as_mut()?.push(reader);
            response
        };
        self.file.is_in_place().then_some(response)
    }

    /// Answer any call, one after another. `None` if the table is closed, or its file is gone.
    async fn write(self: &Arc<Self>, call: Call) -> Option<CallResponse> {
        let (sender, response) = oneshot::channel();
        self.waiting().push_back((call, sender));
        self.process_waiting();
        response.await.ok()
    }

    /// Answer calls that wait for the writer, unless another thread uses the writer. No thread waits for another.
    fn process_waiting(self: &Arc<Self>) {
        let Some(mut writer) = self.idle_writer() else { return };
        let (calls, channels): (Vec<_>, Vec<_>) = {
            let mut waiting = self.waiting();
            let count = waiting.len().min(MAX_BATCH);
            waiting.drain(..count).unzip()
        };
        let Some(engine) = writer.engine() else { return };
        let responses = engine.execute_all(&calls);
        // Without a response, the caller learns that the table is closed.
        if self.file.is_in_place() {
            for (channel, response) in channels.into_iter().zip(responses) {
                let _ = channel.send(response);
            }
        }
        if calls.iter().any(Call::writes) {
            self.written.send_replace(());
        }
    }

    /// Take the writer, unless another thread uses it.
    fn idle_writer(self: &Arc<Self>) -> Option<Writer<'_>> {
        let engine = match self.writer.try_lock() {
            Ok(engine) => engine,
            // A call panicked. The writer rolls its transaction back.
            Err(TryLockError::Poisoned(engine)) => engine.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        Some(Writer { engine: Some(engine), connections: self })
    }

    /// Delete some of the expired items. Returns true if there may be more.
    async fn expire(self: &Arc<Self>, now: Timestamp) -> bool {
        let expired = json!({"attribute": EXPIRES_AT, "before": now.unix_seconds()}).to_string();
        let call = Call::new(DELETE_EXPIRED, Arc::from(OWNER), expired.into());
        match self.write(call).await {
            Some(response) if response.status == 200 => *response.body == *EXPIRED_BATCH.to_string().as_bytes(),
            Some(response) => {
                let error = String::from_utf8_lossy(&response.body);
                tracing::warn!(%error, "the embedded table could not delete expired items");
                false
            }
            None => false,
        }
    }

    fn new_reader(&self) -> Option<Engine> {
        let opened = Engine::open(&self.file.path, self.durability);
        opened.inspect_err(|error| tracing::error!(%error, "the table cannot be read")).ok()
    }

    fn readers(&self) -> MutexGuard<'_, Option<Vec<Engine>>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<Job>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Use of the writer. At its end, another thread executes the calls that came meanwhile.
struct Writer<'a> {
    engine: Option<MutexGuard<'a, Option<Engine>>>,
    connections: &'a Arc<Connections>,
}

impl Writer<'_> {
    /// Get the connection. `None` if the table is closed.
    fn engine(&mut self) -> Option<&mut Engine> {
        self.engine.as_mut()?.as_mut()
    }
}

impl Drop for Writer<'_> {
    fn drop(&mut self) {
        self.engine = None;
        if !self.connections.waiting().is_empty() {
            let connections = Arc::clone(self.connections);
            tokio::spawn(async move { connections.process_waiting() });
        }
    }
}

impl Table {
    /// Open the table in a folder. Notifies `written` of writes.
    pub(crate) fn open(folder: &Path, durability: Durability, written: watch::Sender<()>) -> Result<Self, Error> {
        let path = folder.join("table.sqlite");
        let displayed = path.display();
        if folder.join(INDEXES).exists() && !path.exists() {
            let folder = folder.display();
            return Err(format!(
                "{displayed} is missing. Either put it back, or move {folder} away to start with an empty table."
            )
            .into());
        }
        let unusable = |cause: &dyn std::fmt::Display| {
            tracing::debug!(%cause, "the table cannot be opened");
            let text = if cause.to_string().contains("locked") {
                format!("{displayed} is locked by another program. Close it, then start the service again.")
            } else {
                let folder = folder.display();
                format!(
                    "{displayed} is damaged or not a table of this service. Either put back a good copy, or move {folder} away to start with an empty one."
                )
            };
            explain(folder, text.into())
        };
        let is_existing = folder.join(INDEXES).exists();
        if is_existing && std::fs::metadata(&path).is_ok_and(|file| file.len() == 0) {
            return Err(unusable(&"the file is empty"));
        }
        if path.to_str().is_none() {
            return Err("The data folder's path is not UTF-8. Choose another one with --data-dir.".into());
        }
        // SQLite creates its other files with the permissions of this one.
        private_file().create(true).truncate(false).open(&path).map_err(|error| folder::unusable(&path, &error))?;
        let writer = Engine::open(&path, durability).map_err(|error| unusable(&error))?;
        if let Some(defect) = writer.first_defect(MAX_CHECK).map_err(|error| unusable(&error))? {
            return Err(unusable(&defect));
        }
        if is_existing && !writer.has_table(TABLE).map_err(|error| unusable(&error))? {
            return Err(unusable(&"the file contains no table"));
        }
        writer.index_stream().map_err(|error| unusable(&error))?;
        let identity = system::identity(&std::fs::metadata(&path)?);
        let (writer, readers) = (Mutex::new(Some(writer)), Mutex::new(Some(Vec::new())));
        let waiting = Mutex::default();
        Ok(Self(Arc::new(Connections { file: File { path, identity }, durability, writer, waiting, readers, written })))
    }

    /// Check that the file still exists.
    ///
    /// # Errors
    /// If the file was deleted or replaced.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.0.file.is_in_place() {
            return Ok(());
        }
        let path = self.0.file.path.display();
        Err(format!("{path} was deleted or replaced while it was in use. Put it back, then start the service again.")
            .into())
    }

    /// Start to delete expired items each minute, until the stack stops.
    pub(crate) fn start_to_expire(&self, mut stopped: watch::Receiver<bool>) {
        let connections = Arc::clone(&self.0);
        tokio::spawn(async move {
            let mut ticks = tokio::time::interval(EXPIRY_INTERVAL);
            loop {
                tokio::select! {
                    _ = ticks.tick() => while connections.expire(Timestamp::now()).await {},
                    _ = stopped.changed() => return,
                }
            }
        });
    }

    /// Complete the current calls and closes the file. All later calls fail.
    pub(crate) fn close(&self) {
        let writer = self.0.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(self.0.readers().take());
        self.0.waiting().clear();
        // The last connection moves the log of writes into the file.
        drop(writer);
    }
}

/// Create a table as the template declares it, or add to an older table the stream and the indexes that it lacks.
pub(crate) async fn create_or_update(
    table: SharedBackend,
    name: &str,
    template: &Template,
    folder: &Path,
) -> Result<(), Error> {
    let client = Client::from_conf(table_config(table, OWNER).build());
    // DescribeTable would make the emulator count all items.
    let (index_file, names) = (folder.join(INDEXES), names(template));
    if std::fs::read_to_string(&index_file).is_ok_and(|stored| stored == names) {
        return Ok(());
    }
    if !create(&client, name, template).await? {
        add_missing(&client, name, template).await?;
    }
    write_private(&index_file, names.as_bytes())
}

fn names(template: &Template) -> String {
    let indexes = template.indexes.iter().flat_map(|index| [index.name.as_str(), "\n"]);
    indexes.chain(["stream ", &template.stream_view, "\n"]).collect()
}

/// Get the specification of the table's stream, as the template declares it.
fn stream(template: &Template) -> Result<StreamSpecification, BuildError> {
    let view = StreamViewType::from(template.stream_view.as_str());
    StreamSpecification::builder().stream_enabled(true).stream_view_type(view).build()
}

/// Create the table. Returns false if it already exists.
pub(crate) async fn create(client: &Client, name: &str, template: &Template) -> Result<bool, Error> {
    let indexes = template.indexes.iter().map(|index| {
        GlobalSecondaryIndex::builder()
            .index_name(&index.name)
            .set_key_schema(Some(key_schema(&index.key)?))
            .projection(projection(index))
            .build()
    });
    let created = client
        .create_table()
        .table_name(name)
        .billing_mode(BillingMode::PayPerRequest)
        .set_attribute_definitions(Some(attributes(template)?))
        .set_key_schema(Some(key_schema(&template.key)?))
        .stream_specification(stream(template)?)
        .set_global_secondary_indexes(Some(indexes.collect::<Result<_, _>>()?))
        .send()
        .await;
    match created {
        Ok(_) => Ok(true),
        Err(error) if error.as_service_error().is_some_and(CreateTableError::is_resource_in_use_exception) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Add the stream and the indexes that the table lacks. A new index contains the existing items.
async fn add_missing(client: &Client, name: &str, template: &Template) -> Result<(), Error> {
    let described = client.describe_table().table_name(name).send().await?;
    let table = described.table.ok_or("DescribeTable returned no table")?;
    let enabled = table.stream_specification().filter(|stream| stream.stream_enabled());
    let view = enabled.and_then(|stream| stream.stream_view_type()).map(StreamViewType::as_str);
    if enabled.is_some() && view != Some(template.stream_view.as_str()) {
        // A view type cannot be changed. The stream is disabled, and a new one enabled.
        let off = StreamSpecification::builder().stream_enabled(false).build()?;
        client.update_table().table_name(name).stream_specification(off).send().await?;
    }
    if view != Some(template.stream_view.as_str()) {
        client.update_table().table_name(name).stream_specification(stream(template)?).send().await?;
    }
    let existing: Vec<_> = table.global_secondary_indexes().iter().filter_map(|index| index.index_name()).collect();
    for index in template.indexes.iter().filter(|index| !existing.contains(&index.name.as_str())) {
        let added = CreateGlobalSecondaryIndexAction::builder()
            .index_name(&index.name)
            .set_key_schema(Some(key_schema(&index.key)?))
            .projection(projection(index))
            .build()?;
        client
            .update_table()
            .table_name(name)
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
