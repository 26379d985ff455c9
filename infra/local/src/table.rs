//! The embedded DynamoDB-compatible store. It runs on its own thread, because its calls block.

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

/// The file in the data folder that lists the indexes of the table.
const INDEXES: &str = "table.indexes";
/// The interval for deleting expired items.
const SWEEP: Duration = Duration::from_mins(1);

/// Indexes of the emulator's stream. The emulator never deletes records from its stream, and searches all of it at each
/// write. Delivered records are therefore deleted, and these indexes find the others.
const STREAM_INDEXES: &str = "
    CREATE INDEX IF NOT EXISTS stream_by_number ON _stream_records (table_name, CAST(sequence_number AS INTEGER));
    CREATE INDEX IF NOT EXISTS stream_by_event ON _stream_records (event_id);
";

/// A call and the channel for its response.
type Job = (Call, oneshot::Sender<Answer>);

/// The running store.
#[derive(Debug)]
pub(crate) struct Table {
    calls: mpsc::Sender<Job>,
    thread: JoinHandle<()>,
    file: Arc<Opened>,
}

/// The opened file: its path, and the inode that distinguishes it from a replacement.
#[derive(Debug)]
struct Opened {
    path: PathBuf,
    inode: u64,
}

/// A handle that sends calls to the store.
#[derive(Clone, Debug)]
pub(crate) struct Handle {
    calls: mpsc::Sender<Job>,
    file: Arc<Opened>,
}

impl Opened {
    /// True if the file is still at its path. Writes to a deleted file would be lost.
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
    /// Opens the table in a folder and starts its thread. Notifies `written` of writes.
    pub(crate) fn open(folder: &Path, written: Arc<Notify>) -> Result<Self, Error> {
        let path = folder.join("table.sqlite");
        let shown = path.display();
        if folder.join(INDEXES).exists() && !path.exists() {
            let folder = folder.display();
            return Err(format!(
                "{shown} is missing. Either put it back, or move {folder} away to start with an empty table."
            )
            .into());
        }
        let unusable = |error: DynoxideError| {
            tracing::debug!(%error, "the table cannot be opened");
            let folder = folder.display();
            format!(
                "{shown} is damaged or not a table of this service. Either put back a good copy, or move {folder} away to start with an empty one."
            )
        };
        let is_known = folder.join(INDEXES).exists();
        if is_known && std::fs::metadata(&path).is_ok_and(|file| file.len() == 0) {
            return Err(unusable(DynoxideError::InternalServerError("the file is empty".to_owned())).into());
        }
        let database = Database::new(
            path.to_str().ok_or("The data folder's path is not UTF-8. Choose another one with --data-dir.")?,
        )
        .map_err(unusable)?;
        if is_known && database.get_table_metadata(TABLE).map_err(unusable)?.is_none() {
            return Err(unusable(DynoxideError::InternalServerError("the file contains no table".to_owned())).into());
        }
        // Safe if the process is killed, but not at a power failure. The alternative is one disk sync per item.
        database.disable_bulk_loading().map_err(unusable)?;
        let inode = std::fs::metadata(&path)?.ino();
        let stream = rusqlite::Connection::open(&path)?;
        stream.execute_batch(STREAM_INDEXES)?;
        let (calls, called) = mpsc::channel();
        let table = std::thread::Builder::new().name("table".to_owned());
        let thread = table.spawn(move || serve(&database, &stream, &called, &written))?;
        Ok(Self { calls, thread, file: Arc::new(Opened { path, inode }) })
    }

    /// Checks that the file still exists.
    ///
    /// # Errors
    /// If the file was deleted or replaced.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.file.is_there() {
            return Ok(());
        }
        let path = self.file.path.display();
        Err(format!("{path} was deleted or replaced while it was in use. Put it back, then start the service again.")
            .into())
    }

    /// Returns a handle that sends calls to the table.
    pub(crate) fn handle(&self) -> Handle {
        Handle { calls: self.calls.clone(), file: Arc::clone(&self.file) }
    }

    /// Completes the current calls and closes the file. No handle may be in use any more.
    pub(crate) fn close(self) {
        let (answer, _) = oneshot::channel();
        let end = Call { operation: END.to_owned(), authorization: String::new(), body: bytes::Bytes::new() };
        let _ = self.calls.send((end, answer));
        let _ = self.thread.join();
    }
}

/// The operation that stops the store. DynamoDB does not have it.
const END: &str = "End";

/// The operation that deletes the records of the stream up to the one with this `eventID`. DynamoDB does not have it.
pub(crate) const FORGET_RECORDS: &str = "ForgetRecords";

/// Executes one call after another, because SQLite has a single writer.
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
                    tracing::warn!(%error, "the embedded table could not delete expired items");
                }
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// Deletes records of the stream, on the thread of all writes, so that none waits for another. Keeps the last record,
/// because the emulator numbers the next one after it. Without it, a clock that is set back could lead to a number
/// below a checkpoint.
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
            tracing::warn!(%error, "the embedded table could not delete delivered records of its stream");
            Answer { status: 500, body: r#"{"__type":"InternalServerError"}"#.into() }
        }
    }
}

/// Executes the operations that the service uses, and refuses all others.
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
        other => Err(DynoxideError::ValidationException(format!("the local stack does not support {other}"))),
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

/// Creates a table as the template declares it, or adds to an older table the stream and the indexes that it lacks.
pub(crate) async fn make(table: SharedBackend, name: &str, template: &Template, folder: &Path) -> Result<(), Error> {
    let client = Client::new(&sdk_config("http://table", OWNER, "any", table_client(table)));
    // DescribeTable would make the emulator count all items.
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

/// Returns the specification of the table's stream, as the template declares it.
fn stream(template: &Template) -> Result<StreamSpecification, BuildError> {
    let view = StreamViewType::from(template.stream_view.as_str());
    StreamSpecification::builder().stream_enabled(true).stream_view_type(view).build()
}

/// Creates the table. Returns false if it already exists.
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

/// Adds the stream and the indexes that the table lacks. A new index contains the existing items.
async fn add_what_is_new(client: &Client, name: &str, template: &Template) -> Result<(), Error> {
    let described = client.describe_table().table_name(name).send().await?;
    let table = described.table.ok_or("DescribeTable returned no table")?;
    let known = table.stream_specification().filter(|stream| stream.stream_enabled());
    let view = known.and_then(|stream| stream.stream_view_type()).map(StreamViewType::as_str);
    if known.is_some() && view != Some(template.stream_view.as_str()) {
        // A view type cannot be changed. The stream is disabled, and a new one enabled.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forgetting_the_stream_keeps_its_last_record() {
        let stream = rusqlite::Connection::open_in_memory().expect("a database");
        let rows = "
            CREATE TABLE _stream_records (table_name TEXT, sequence_number TEXT, event_id TEXT);
            INSERT INTO _stream_records VALUES ('t', '9', 'a'), ('t', '10', 'b'), ('t', '11', 'c');";
        stream.execute_batch(rows).expect("records");
        let left = || -> Vec<String> {
            let mut query = stream.prepare("SELECT event_id FROM _stream_records ORDER BY event_id").expect("a query");
            let rows = query.query_map([], |row| row.get(0)).expect("rows");
            rows.collect::<Result<_, _>>().expect("texts")
        };
        assert_eq!((forget(&stream, b"\"b\"").status, left()), (200, vec!["c".to_owned()]));
        assert_eq!((forget(&stream, b"\"c\"").status, left()), (200, vec!["c".to_owned()]));
    }
}
