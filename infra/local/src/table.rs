//! The embedded DynamoDB-compatible store, on a thread of its own: it works inside its handlers.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::BuildError;
use aws_sdk_dynamodb::operation::create_table::CreateTableError;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, CreateGlobalSecondaryIndexAction, GlobalSecondaryIndex,
    GlobalSecondaryIndexUpdate, KeySchemaElement, KeyType, Projection, ProjectionType, ScalarAttributeType,
    StreamSpecification, StreamViewType,
};
use dynoxide::{Database, DynoxideError};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::{Notify, oneshot};

use crate::Error;
use crate::backend::{Answer, Backend, Call, SharedBackend, table_client};
use crate::stores::{OWNER, TABLE, sdk_config};
use crate::template::{Index, Key, Template};

/// The file that has the names of the indexes that the table has.
const INDEXES: &str = "table.indexes";
/// How often items that have outlived their time are removed.
const SWEEP: Duration = Duration::from_mins(1);

/// The emulator keeps its stream for ever, and looks through all of it at each write: what is told is taken out, and what is not
/// is found by these.
const STREAM_INDEXES: &str = "
    CREATE INDEX IF NOT EXISTS stream_by_number ON _stream_records (table_name, CAST(sequence_number AS INTEGER));
    CREATE INDEX IF NOT EXISTS stream_by_event ON _stream_records (event_id);
";

/// A call, and who waits for its answer.
type Job = (Call, oneshot::Sender<Answer>);

/// The running store.
#[derive(Debug)]
pub(crate) struct Table {
    calls: mpsc::Sender<Job>,
    thread: JoinHandle<()>,
    file: Arc<Opened>,
}

/// The file that was opened: where it is, and what tells it from another in its place.
#[derive(Debug)]
struct Opened {
    path: PathBuf,
    inode: u64,
}

/// What calls the store.
#[derive(Clone, Debug)]
pub(crate) struct Handle {
    calls: mpsc::Sender<Job>,
    file: Arc<Opened>,
}

impl Opened {
    /// Whether the file is still where it was: what is written to one that was deleted is nowhere.
    fn is_there(&self) -> bool {
        std::fs::metadata(&self.path).is_ok_and(|found| found.ino() == self.inode)
    }
}

impl Backend for Handle {
    fn call(&self, call: Call) -> BoxFuture<'static, Answer> {
        let (answer, answered) = oneshot::channel();
        let is_sent = self.file.is_there() && self.calls.send((call, answer)).is_ok();
        async move {
            match answered.await {
                Ok(answer) if is_sent => answer,
                _ => Answer { status: 503, body: r#"{"__type":"InternalServerError"}"#.into() },
            }
        }
        .boxed()
    }
}

impl Table {
    /// Opens the file in a folder, and answers calls to it. `written` is told of writes.
    pub(crate) fn open(folder: &Path, written: Arc<Notify>) -> Result<Self, Error> {
        let path = folder.join("table.sqlite");
        let shown = path.display();
        if folder.join(INDEXES).exists() && !path.exists() {
            let folder = folder.display();
            return Err(format!("{shown} is gone, and the records with it: put it back, or move {folder} away to start with an empty one").into());
        }
        let unusable = |error: DynoxideError| {
            tracing::debug!(%error, "the table cannot be opened");
            let folder = folder.display();
            format!(
                "{shown} is damaged, or no table of this service: put back one that is good, or move {folder} away to start with an empty one"
            )
        };
        let is_known = folder.join(INDEXES).exists();
        if is_known && std::fs::metadata(&path).is_ok_and(|file| file.len() == 0) {
            return Err(unusable(DynoxideError::InternalServerError("it is empty".to_owned())).into());
        }
        let database = Database::new(path.to_str().ok_or("the data folder's path is not UTF-8")?).map_err(unusable)?;
        if is_known && database.get_table_metadata(TABLE).map_err(unusable)?.is_none() {
            return Err(unusable(DynoxideError::InternalServerError("it has no table".to_owned())).into());
        }
        // Safe against a killed process, not against a power cut; the other way is one disk sync an item.
        database.disable_bulk_loading().map_err(unusable)?;
        let inode = std::fs::metadata(&path)?.ino();
        let stream = rusqlite::Connection::open(&path)?;
        stream.execute_batch(STREAM_INDEXES)?;
        let (calls, called) = mpsc::channel();
        let table = std::thread::Builder::new().name("table".to_owned());
        let thread = table.spawn(move || serve(&database, &stream, &called, &written))?;
        Ok(Self { calls, thread, file: Arc::new(Opened { path, inode }) })
    }

    /// Looks whether the file is still there.
    ///
    /// # Errors
    /// Says what to do where it is not.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.file.is_there() {
            return Ok(());
        }
        let path = self.file.path.display();
        Err(format!("{path} was deleted or replaced while it was in use: put it back, and start again").into())
    }

    /// What answers for the table.
    pub(crate) fn handle(&self) -> Handle {
        Handle { calls: self.calls.clone(), file: Arc::clone(&self.file) }
    }

    /// Ends what is under way and closes the file, when nobody calls any more.
    pub(crate) fn close(self) {
        let (answer, _) = oneshot::channel();
        let end = Call { operation: END.to_owned(), authorization: String::new(), body: bytes::Bytes::new() };
        let _ = self.calls.send((end, answer));
        let _ = self.thread.join();
    }
}

/// No operation of DynamoDB's: ends the store.
const END: &str = "End";

/// No operation of DynamoDB's, but of the local stack: forgets the records of the stream up to the one with this `eventID`.
pub(crate) const FORGET_RECORDS: &str = "ForgetRecords";

/// One call after another, as SQLite writes.
fn serve(database: &Database, stream: &rusqlite::Connection, called: &mpsc::Receiver<Job>, written: &Notify) {
    loop {
        match called.recv_timeout(SWEEP) {
            Ok((call, _)) if call.operation == END => return,
            Ok((call, answer)) if call.operation == FORGET_RECORDS => drop(answer.send(forget(stream, &call.body))),
            Ok((call, answer)) => {
                drop(answer.send(answer_to(database, &call)));
                if call.writes() {
                    written.notify_one();
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Err(error) = database.sweep_ttl() {
                    tracing::warn!(%error, "the embedded table could not forget what has outlived its time");
                }
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// Forgets records of the stream, on the thread that all writes are on: none waits for another. The last record stays, for the
/// emulator numbers the next one after it: a clock that is set back must not lead to a number below a checkpoint.
fn forget(stream: &rusqlite::Connection, body: &[u8]) -> Answer {
    let forgotten = || -> Result<usize, Error> {
        let event: String = serde_json::from_slice(body)?;
        let statement = "
            WITH brought AS (SELECT table_name, CAST(sequence_number AS INTEGER) AS number FROM _stream_records WHERE event_id = ?1)
            DELETE FROM _stream_records WHERE table_name = (SELECT table_name FROM brought)
                AND CAST(sequence_number AS INTEGER) <= (SELECT number FROM brought)
                AND CAST(sequence_number AS INTEGER) < (SELECT MAX(CAST(sequence_number AS INTEGER))
                    FROM _stream_records WHERE table_name = (SELECT table_name FROM brought))";
        Ok(stream.execute(statement, [event])?)
    };
    match forgotten() {
        Ok(_) => Answer { status: 200, body: "{}".into() },
        Err(error) => {
            tracing::warn!(%error, "the embedded table could not forget what its stream has told");
            Answer { status: 500, body: r#"{"__type":"InternalServerError"}"#.into() }
        }
    }
}

/// Carries out the operations that the service uses, and refuses all others.
pub(crate) fn answer_to(database: &Database, call: &Call) -> Answer {
    let body = &call.body;
    let answered = match call.operation.as_str() {
        "BatchGetItem" => run(body, |request| database.batch_get_item(request)),
        "BatchWriteItem" => run(body, |request| database.batch_write_item(request)),
        "CreateTable" => run(body, |request| database.create_table(request)),
        "DeleteItem" => run(body, |request| database.delete_item(request)),
        "DescribeStream" => run(body, |request| database.describe_stream(request)),
        "DescribeTable" => run(body, |request| database.describe_table(request)),
        "GetItem" => run(body, |request| database.get_item(request)),
        "GetRecords" => run(body, |request| database.get_records(request)),
        "GetShardIterator" => run(body, |request| database.get_shard_iterator(request)),
        "PutItem" => run(body, |request| database.put_item(request)),
        "Query" => run(body, |request| database.query(request)),
        "TransactWriteItems" => run(body, |request| database.transact_write_items(request)),
        "UpdateItem" => run(body, |request| database.update_item(request)),
        "UpdateTable" => run(body, |request| database.update_table(request)),
        other => Err(DynoxideError::ValidationException(format!("the local stack has no {other}"))),
    };
    match answered {
        Ok(body) => Answer { status: 200, body: body.into() },
        Err(error) => Answer { status: error.status_code(), body: error.to_json().into() },
    }
}

fn run<Q: DeserializeOwned, A: Serialize>(
    body: &[u8],
    operation: impl FnOnce(Q) -> dynoxide::Result<A>,
) -> dynoxide::Result<Vec<u8>> {
    let unreadable = |error: serde_json::Error| DynoxideError::SerializationException(error.to_string());
    let request = serde_json::from_slice(body).map_err(unreadable)?;
    serde_json::to_vec(&operation(request)?).map_err(unreadable)
}

/// Creates a table as the template declares it, or adds what one from before does not have yet.
pub(crate) async fn make(table: SharedBackend, name: &str, template: &Template, folder: &Path) -> Result<(), Error> {
    let client = Client::new(&sdk_config("http://table", OWNER, "any", table_client(table)));
    // Asking the table itself would have it count its items.
    let (known, names) = (folder.join(INDEXES), names(template));
    if std::fs::read_to_string(&known).is_ok_and(|known| known == names) {
        return Ok(());
    }
    if !create(&client, name, template).await? {
        add_what_is_new(&client, name, template).await?;
    }
    Ok(std::fs::write(known, names)?)
}

fn names(template: &Template) -> String {
    let indexes = template.indexes.iter().flat_map(|index| [index.name.as_str(), "\n"]);
    indexes.chain(["stream ", &template.stream_view, "\n"]).collect()
}

/// The table's stream, as the template declares it.
fn stream(template: &Template) -> Result<StreamSpecification, BuildError> {
    let view = StreamViewType::from(template.stream_view.as_str());
    StreamSpecification::builder().stream_enabled(true).stream_view_type(view).build()
}

/// Creates the table. Answers whether there was none.
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

/// Adds the stream, and the indexes, that the table does not have, each index from the items that are there.
async fn add_what_is_new(client: &Client, name: &str, template: &Template) -> Result<(), Error> {
    let described = client.describe_table().table_name(name).send().await?;
    let table = described.table.ok_or("the table is gone")?;
    let known = table.stream_specification().filter(|stream| stream.stream_enabled());
    let view = known.and_then(|stream| stream.stream_view_type()).map(StreamViewType::as_str);
    if known.is_some() && view != Some(template.stream_view.as_str()) {
        // A view cannot be changed: the stream ends, and another begins.
        let off = StreamSpecification::builder().stream_enabled(false).build()?;
        client.update_table().table_name(name).stream_specification(off).send().await?;
    }
    if view != Some(template.stream_view.as_str()) {
        client.update_table().table_name(name).stream_specification(stream(template)?).send().await?;
    }
    let known: Vec<_> = table.global_secondary_indexes().iter().filter_map(|index| index.index_name()).collect();
    for index in template.indexes.iter().filter(|index| !known.contains(&index.name.as_str())) {
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
