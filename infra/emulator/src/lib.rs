//! Executes DynamoDB's calls on a SQLite database, with the emulator of `dynoxide`.
//!
//! A crate of its own, so that it is compiled beside those that do not need it, and optimized: each call passes it.

#![expect(clippy::missing_errors_doc, reason = "each error is the database's")]

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use dynoxide::actions;
use dynoxide::actions::transact_write_items::TransactWriteItemsRequest;
use dynoxide::actions::vector_lifecycle::VectorIndexLifecycle;
use dynoxide::storage::Storage;
use dynoxide::{DynoxideError, Result};
use futures_util::FutureExt;
use rusqlite::ErrorCode;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Name of the table.
pub const TABLE: &str = "event-capture";
/// Operation that deletes the records of the stream up to the one with this `eventID`. DynamoDB does not have it.
pub const DELETE_STREAM_RECORDS: &str = "DeleteStreamRecords";

/// Operation that deletes some of the items that expired before a time (Unix seconds), and returns their number.
/// DynamoDB does so on its own; the emulator would read the whole table.
pub const DELETE_EXPIRED: &str = "DeleteExpired";
/// Maximum number of items that one call deletes.
pub const EXPIRED_BATCH: usize = 50;

/// Prepared statements that a connection keeps. A transaction uses about thirty.
const MAX_STATEMENTS: usize = 200;
/// Pages of the log of writes that are moved into the file at once. Pages that many writes change are moved once.
const CHECKPOINT_PAGES: u32 = 4_000;
/// Steps of a check after which its deadline is checked: about a millisecond.
const STEPS_PER_CHECK: i32 = 1_000;
/// Time for which a transaction's response is kept, which is longer than a request. DynamoDB keeps it ten minutes.
const RETENTION: Duration = Duration::from_mins(1);

/// Indexes of the emulator's stream. The emulator never deletes records from its stream, and searches all of it at each
/// write. Delivered records are therefore deleted, and these indexes find the others.
const STREAM_INDEXES: &str = "
    CREATE INDEX IF NOT EXISTS stream_by_number ON _stream_records (table_name, CAST(sequence_number AS INTEGER));
    CREATE INDEX IF NOT EXISTS stream_by_event ON _stream_records (event_id);
";

/// A call to the table.
#[derive(Clone, Debug)]
pub struct Call {
    /// Operation, such as `GetItem`.
    pub operation: String,
    /// Access key of the caller: the name of a function, or of the owner.
    pub caller: Arc<str>,
    /// Parameters of the call, in JSON.
    pub body: Bytes,
}

/// Response to a call.
#[derive(Clone, Debug)]
pub struct CallResponse {
    /// HTTP status.
    pub status: u16,
    /// Result or the error, in JSON.
    pub body: Bytes,
}

/// Failures that a stored record survives.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Durability {
    /// End of the process. A power failure may lose the writes of the last seconds.
    #[default]
    Process,
    /// A power failure: a write is on the disk before it is acknowledged.
    Power,
}

/// A connection to the database.
pub struct Engine {
    storage: Storage,
    transactions: Transactions,
    indexes: VectorIndexLifecycle,
    /// True while several calls are executed in one transaction of the database.
    in_group: Arc<AtomicBool>,
}

/// Parameters of [`DELETE_EXPIRED`].
#[derive(Deserialize)]
struct Expired {
    /// Attribute with the time of an item.
    attribute: String,
    /// Time, in Unix seconds.
    before: i64,
}

/// Responses to the latest transactions, by client token.
#[derive(Default)]
struct Transactions {
    responses: HashMap<String, (u64, CallResponse)>,
    by_age: VecDeque<(Instant, String)>,
    /// Client tokens of transactions that the database has not committed yet.
    uncommitted: Vec<String>,
}

impl Call {
    /// Tell if the operation may change an item.
    pub fn writes(&self) -> bool {
        ["Put", "Update", "Delete", "Write"].iter().any(|verb| self.operation.contains(verb))
    }

    /// Tell if the operation reads items, and nothing else.
    pub fn only_reads(&self) -> bool {
        ["GetItem", "BatchGetItem", "Query"].contains(&self.operation.as_str())
    }

    /// Create a call from the headers of a request: the operation, and the signature, which names the caller.
    pub fn signed(target: &str, authorization: &str, body: Bytes) -> Self {
        let caller = authorization.split("Credential=").nth(1).and_then(|key| key.split('/').next());
        Self::new(target, Arc::from(caller.unwrap_or_default()), body)
    }

    /// Create a call from the header that names its operation.
    pub fn new(target: &str, caller: Arc<str>, body: Bytes) -> Self {
        let operation = target.rsplit('.').next().unwrap_or_default().to_owned();
        Self { operation, caller, body }
    }
}

impl Engine {
    /// Open the database in a file, or create it.
    pub fn open(path: &Path, durability: Durability) -> Result<Self> {
        let path = path.to_str().ok_or_else(|| failed("the path of the database is not UTF-8"))?;
        let engine = Self::with_storage(Storage::new(path)?);
        let synchronous = match durability {
            Durability::Process => "NORMAL",
            Durability::Power => "FULL",
        };
        let settings = format!(
            "PRAGMA synchronous = {synchronous}; PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}; \
             PRAGMA secure_delete = ON;"
        );
        engine.storage.conn().execute_batch(&settings)?;
        Ok(engine)
    }

    /// Create a database in memory.
    pub fn in_memory() -> Result<Self> {
        Ok(Self::with_storage(Storage::memory()?))
    }

    fn with_storage(storage: Storage) -> Self {
        storage.conn().set_prepared_statement_cache_capacity(MAX_STATEMENTS);
        let in_group = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&in_group);
        // In a group, the emulator's BEGIN, COMMIT and ROLLBACK do nothing
        // (https://www.sqlite.org/c3ref/set_authorizer.html).
        storage.conn().authorizer(Some(move |context: AuthContext<'_>| match context.action {
            AuthAction::Transaction { .. } if flag.load(Ordering::Relaxed) => Authorization::Ignore,
            _ => Authorization::Allow,
        }));
        // An error may have ended the group's transaction. A statement after it would commit on its own.
        let flag = Arc::clone(&in_group);
        storage.conn().commit_hook(Some(move || flag.load(Ordering::Relaxed)));
        Self { storage, transactions: Transactions::default(), indexes: VectorIndexLifecycle::new(), in_group }
    }

    /// Create the indexes of the emulator's stream.
    pub fn index_stream(&self) -> Result<()> {
        Ok(self.storage.conn().execute_batch(STREAM_INDEXES)?)
    }

    /// Check the structure of the database for at most some time. Returns its first defect.
    pub fn first_defect(&self, time_limit: Duration) -> Result<Option<String>> {
        let (connection, deadline) = (self.storage.conn(), Instant::now() + time_limit);
        connection.progress_handler(STEPS_PER_CHECK, Some(move || Instant::now() > deadline));
        let result = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
        connection.progress_handler(0, None::<fn() -> bool>);
        match result {
            Ok(report) if report == "ok" => Ok(None),
            Ok(defect) => Ok(Some(defect)),
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) => {
                tracing::warn!("the table was checked in part, because it is large");
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Tell if the database has a table of this name.
    pub fn has_table(&self, name: &str) -> Result<bool> {
        self.storage.table_exists(name)
    }

    /// Copy the database to a file.
    pub fn save(&self, path: &str) -> Result<()> {
        self.storage.vacuum_into(path)
    }

    /// Replace the content of the database with that of a file.
    pub fn restore(&mut self, path: &str) -> Result<()> {
        self.transactions = Transactions::default();
        self.storage.restore_from(path)
    }

    /// Execute a call.
    pub fn execute(&mut self, call: &Call) -> CallResponse {
        self.recover();
        let response = self.dispatch(call);
        self.transactions.uncommitted.clear();
        response
    }

    /// Execute calls one after another, and commit them together. If that is impossible, commits each alone.
    pub fn execute_all(&mut self, calls: &[Call]) -> Vec<CallResponse> {
        // The emulator caches tables, and does not learn that they were rolled back.
        let is_group = calls.len() > 1 && !calls.iter().any(|call| call.operation.ends_with("Table"));
        let responses = if is_group { self.execute_group(calls).ok() } else { None };
        responses.unwrap_or_else(|| calls.iter().map(|call| self.execute(call)).collect())
    }

    fn execute_group(&mut self, calls: &[Call]) -> Result<Vec<CallResponse>> {
        self.recover();
        self.storage.begin_transaction()?;
        self.in_group.store(true, Ordering::Relaxed);
        let mut responses = Vec::with_capacity(calls.len());
        for call in calls {
            self.run_statement("SAVEPOINT call")?;
            let response = self.dispatch(call);
            // Without the savepoint, SQLite has rolled back the whole transaction, for example because the disk is full.
            if response.status != 200 {
                self.run_statement("ROLLBACK TO call")?;
            }
            self.run_statement("RELEASE call")?;
            responses.push(response);
        }
        self.in_group.store(false, Ordering::Relaxed);
        self.storage.commit()?;
        self.transactions.uncommitted.clear();
        Ok(responses)
    }

    fn run_statement(&self, statement: &str) -> Result<()> {
        self.storage.conn().prepare_cached(statement)?.execute([])?;
        Ok(())
    }

    /// Rolls back the transaction that a failed or panicked call has left open.
    fn recover(&mut self) {
        self.in_group.store(false, Ordering::Relaxed);
        if !self.storage.conn().is_autocommit() {
            let _ = self.storage.rollback();
        }
        self.transactions.remove_uncommitted();
    }

    /// Execute the operations that the service uses, and refuse all others.
    fn dispatch(&mut self, call: &Call) -> CallResponse {
        let (storage, body) = (&self.storage, &call.body);
        let result = match call.operation.as_str() {
            "BatchGetItem" => run(body, |request| actions::batch_get_item::execute(storage, request)),
            "BatchWriteItem" => run(body, |request| actions::batch_write_item::execute(storage, request)),
            "CreateTable" => run(body, |request| actions::create_table::execute(storage, request)),
            "DeleteItem" => run(body, |request| actions::delete_item::execute(storage, request)),
            "DescribeStream" => run(body, |request| actions::describe_stream::execute(storage, request)),
            "DescribeTable" => run(body, |request| actions::describe_table::execute(storage, request, &self.indexes)),
            "GetItem" => run(body, |request| actions::get_item::execute(storage, request)),
            "GetRecords" => run(body, |request| actions::get_records::execute(storage, request)),
            "GetShardIterator" => run(body, |request| actions::get_shard_iterator::execute(storage, request)),
            "PutItem" => run(body, |request| actions::put_item::execute(storage, request)),
            "Query" => run(body, |request| actions::query::execute(storage, request)),
            "Scan" => run(body, |request| actions::scan::execute(storage, request)),
            "TransactWriteItems" => return self.transact(body),
            "UpdateItem" => run(body, |request| actions::update_item::execute(storage, request)),
            "UpdateTable" => run(body, |request| actions::update_table::execute(storage, request, &self.indexes)),
            DELETE_EXPIRED => self.delete_expired(body),
            DELETE_STREAM_RECORDS => self.delete_stream_records(body),
            other => Err(DynoxideError::ValidationException(format!("the local stack does not support {other}"))),
        };
        to_response(result)
    }

    /// Execute a transaction once for each client token. The emulator's own memory of tokens is searched whole at each
    /// transaction.
    fn transact(&mut self, body: &Bytes) -> CallResponse {
        let request: TransactWriteItemsRequest = match parse(body) {
            Ok(request) => request,
            Err(error) => return to_response(Err(error)),
        };
        let Some(token) = request.client_request_token.clone() else {
            return to_response(complete(actions::transact_write_items::execute(&self.storage, request)));
        };
        let digest = digest(body);
        match self.transactions.completed(&token) {
            Some((completed, response)) if *completed == digest => return response.clone(),
            Some(_) => {
                let message = "the token belongs to another transaction".to_owned();
                return to_response(Err(DynoxideError::IdempotentParameterMismatchException(message)));
            }
            None => {}
        }
        let response = to_response(complete(actions::transact_write_items::execute(&self.storage, request)));
        if response.status == 200 {
            self.transactions.insert(token, digest, response.clone());
        }
        response
    }

    /// Delete records of the stream. Keeps the last one, because the emulator numbers the next one after it. Without
    /// it, a clock that is set back could lead to a number below a checkpoint.
    fn delete_stream_records(&self, body: &[u8]) -> Result<Vec<u8>> {
        let event: String = parse(body)?;
        let statement = "
            WITH delivered AS (SELECT table_name, CAST(sequence_number AS INTEGER) AS number FROM _stream_records WHERE event_id = ?1)
            DELETE FROM _stream_records WHERE table_name = (SELECT table_name FROM delivered)
                AND CAST(sequence_number AS INTEGER) <= (SELECT number FROM delivered)
                AND CAST(sequence_number AS INTEGER) < (SELECT MAX(CAST(sequence_number AS INTEGER))
                    FROM _stream_records WHERE table_name = (SELECT table_name FROM delivered))";
        self.storage.conn().prepare_cached(statement)?.execute([event])?;
        Ok(b"{}".to_vec())
    }

    /// Delete expired items as `DeleteItem` does: from all indexes, and with a record in the stream.
    fn delete_expired(&self, body: &[u8]) -> Result<Vec<u8>> {
        let Expired { attribute, before } = parse(body)?;
        let time = format!("CAST(json_extract(item_json, '$.{attribute}.N') AS INTEGER)");
        let connection = self.storage.conn();
        connection.execute_batch(&format!(
            "CREATE INDEX IF NOT EXISTS expiring ON \"{TABLE}\" ({time}) WHERE {time} IS NOT NULL"
        ))?;
        let expired = format!(
            "SELECT json_extract(item_json, '$.pk.S') FROM \"{TABLE}\" WHERE {time} IS NOT NULL AND {time} < ?1 LIMIT ?2"
        );
        let mut expired = connection.prepare_cached(&expired)?;
        let keys = expired.query_map((before, EXPIRED_BATCH), |row| row.get::<_, String>(0))?;
        let keys: Vec<_> = keys.collect::<rusqlite::Result<_>>()?;
        for key in &keys {
            let request = json!({"TableName": TABLE, "Key": {"pk": {"S": key}}}).to_string();
            run(request.as_bytes(), |request| actions::delete_item::execute(&self.storage, request))?;
        }
        Ok(json!(keys.len()).to_string().into_bytes())
    }
}

impl Transactions {
    /// Look up the digest and the response of a transaction.
    fn completed(&self, token: &str) -> Option<&(u64, CallResponse)> {
        self.responses.get(token)
    }

    /// Keep a response, and remove those that are old.
    fn insert(&mut self, token: String, digest: u64, response: CallResponse) {
        let now = Instant::now();
        while let Some((_, old)) = self.by_age.pop_front_if(|(added, _)| now.duration_since(*added) > RETENTION) {
            self.responses.remove(&old);
        }
        self.by_age.push_back((now, token.clone()));
        self.uncommitted.push(token.clone());
        self.responses.insert(token, (digest, response));
    }

    /// Remove the responses to transactions that were rolled back.
    fn remove_uncommitted(&mut self) {
        for token in self.uncommitted.drain(..) {
            self.responses.remove(&token);
        }
    }
}

fn digest(body: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    hasher.finish()
}

fn failed(message: &str) -> DynoxideError {
    DynoxideError::InternalServerError(message.to_owned())
}

fn unreadable(error: &serde_json::Error) -> DynoxideError {
    DynoxideError::SerializationException(error.to_string())
}

fn parse<Q: DeserializeOwned>(body: &[u8]) -> Result<Q> {
    serde_json::from_slice(body).map_err(|error| unreadable(&error))
}

fn run<Q: DeserializeOwned, A: Serialize, F: Future<Output = Result<A>>>(
    body: &[u8],
    operation: impl FnOnce(Q) -> F,
) -> Result<Vec<u8>> {
    complete(operation(parse(body)?))
}

/// Complete an operation of the emulator. With SQLite, its futures never wait.
fn complete<A: Serialize>(operation: impl Future<Output = Result<A>>) -> Result<Vec<u8>> {
    let response = operation.now_or_never().ok_or_else(|| failed("the emulator waits"))??;
    serde_json::to_vec(&response).map_err(|error| unreadable(&error))
}

fn to_response(result: Result<Vec<u8>>) -> CallResponse {
    match result {
        Ok(body) => CallResponse { status: 200, body: body.into() },
        Err(error) => CallResponse { status: error.status_code(), body: error.to_json().into() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(operation: &str, body: &serde_json::Value) -> Call {
        Call::new(operation, "local".into(), body.to_string().into())
    }

    fn with_table() -> Engine {
        let mut engine = Engine::in_memory().expect("a database");
        let table = json!({
            "TableName": TABLE, "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        });
        assert_eq!(engine.execute(&call("CreateTable", &table)).status, 200);
        engine
    }

    /// A transaction that creates two items.
    fn create(keys: [&str; 2], text: &str) -> Call {
        let put = |key| {
            let item = json!({"pk": {"S": key}, "text": {"S": text}});
            json!({"Put": {"TableName": TABLE, "Item": item, "ConditionExpression": "attribute_not_exists(pk)"}})
        };
        call("TransactWriteItems", &json!({"TransactItems": keys.map(put), "ClientRequestToken": keys.concat()}))
    }

    fn keys(engine: &mut Engine) -> Vec<String> {
        let response = engine.execute(&call("Scan", &json!({"TableName": TABLE})));
        let found: serde_json::Value = serde_json::from_slice(&response.body).expect("JSON");
        let items = found["Items"].as_array().expect("items");
        let mut keys: Vec<_> = items.iter().filter_map(|item| item["pk"]["S"].as_str().map(str::to_owned)).collect();
        keys.sort();
        keys
    }

    fn statuses(responses: &[CallResponse]) -> Vec<u16> {
        responses.iter().map(|response| response.status).collect()
    }

    #[test]
    fn a_group_stores_the_calls_that_succeed() {
        let mut engine = with_table();
        let calls = [create(["a", "b"], ""), create(["c", "a"], ""), create(["a", "b"], ""), create(["c", "d"], "")];
        let responses = engine.execute_all(&calls);
        assert_eq!(statuses(&responses), [200, 400, 200, 200], "a condition failed, and a token was repeated");
        assert_eq!(keys(&mut engine), ["a", "b", "c", "d"]);
        assert_eq!(statuses(&engine.execute_all(&calls)), [200, 400, 200, 200]);
    }

    #[test]
    fn a_group_that_has_ended_commits_nothing() {
        let mut engine = with_table();
        // As after an error that made SQLite end the group's transaction.
        engine.in_group.store(true, Ordering::Relaxed);
        assert_eq!(engine.dispatch(&create(["a", "b"], "")).status, 500);
        assert!(keys(&mut engine).is_empty());
    }

    #[test]
    fn one_call_that_cannot_be_stored_fails_alone() {
        let mut engine = with_table();
        let pages = |engine: &Engine, pragma: &str| -> u32 {
            engine.storage.conn().query_row(pragma, [], |row| row.get(0)).expect("a number")
        };
        let limit = pages(&engine, "PRAGMA page_count") + 2;
        pages(&engine, &format!("PRAGMA max_page_count = {limit}"));
        let calls = [create(["a", "b"], ""), create(["c", "d"], &"x".repeat(100_000))];
        assert_eq!(statuses(&engine.execute_all(&calls)), [200, 500], "the database was full, which undid the group");
        assert_eq!(keys(&mut engine), ["a", "b"]);
        pages(&engine, "PRAGMA max_page_count = 1000000");
        assert_eq!(statuses(&engine.execute_all(&calls)), [200, 200]);
        assert_eq!(keys(&mut engine), ["a", "b", "c", "d"]);
    }

    #[test]
    fn forgetting_the_stream_keeps_its_last_record() {
        let engine = Engine::in_memory().expect("a database");
        let rows = "
            INSERT INTO _stream_records (table_name, event_name, keys_json, sequence_number, shard_id, created_at, event_id)
            VALUES ('t', '', '', '9', '', 0, 'a'), ('t', '', '', '10', '', 0, 'b'), ('t', '', '', '11', '', 0, 'c');";
        engine.storage.conn().execute_batch(rows).expect("records");
        let remaining = || -> Vec<String> {
            let mut query = engine
                .storage
                .conn()
                .prepare("SELECT event_id FROM _stream_records ORDER BY event_id")
                .expect("a query");
            let rows = query.query_map([], |row| row.get(0)).expect("rows");
            rows.collect::<rusqlite::Result<_>>().expect("texts")
        };
        assert_eq!((engine.delete_stream_records(b"\"b\"").is_ok(), remaining()), (true, vec!["c".to_owned()]));
        assert_eq!((engine.delete_stream_records(b"\"c\"").is_ok(), remaining()), (true, vec!["c".to_owned()]));
    }

    #[test]
    fn old_transactions_are_forgotten() {
        let mut transactions = Transactions::default();
        let response = CallResponse { status: 200, body: Bytes::new() };
        let long_ago = Instant::now().checked_sub(2 * RETENTION).expect("an uptime of minutes");
        transactions.by_age.push_back((long_ago, "old".to_owned()));
        transactions.responses.insert("old".to_owned(), (1, response.clone()));
        transactions.insert("new".to_owned(), 2, response);
        assert!(transactions.completed("old").is_none() && transactions.completed("new").is_some());
        assert_eq!(transactions.by_age.len(), 1);
    }

    #[test]
    fn durable_writes_are_synced() {
        let folder = std::env::temp_dir().join(format!("durable-{:016x}", fastrand::u64(..)));
        std::fs::create_dir(&folder).expect("a folder");
        let synchronous = |durability| -> u8 {
            let engine = Engine::open(&folder.join("table.sqlite"), durability).expect("a database");
            engine.storage.conn().query_row("PRAGMA synchronous", [], |row| row.get(0)).expect("a setting")
        };
        // As in https://www.sqlite.org/pragma.html#pragma_synchronous: 1 syncs checkpoints, 2 each commit.
        assert_eq!([Durability::Process, Durability::Power].map(synchronous), [1, 2]);
        std::fs::remove_dir_all(folder).expect("a folder");
    }

    #[test]
    fn expired_items_are_deleted() {
        let mut engine = with_table();
        let mut send = |operation: &str, body: serde_json::Value| {
            let response = engine.execute(&call(operation, &body));
            assert_eq!(response.status, 200, "{}", String::from_utf8_lossy(&response.body));
            serde_json::from_slice::<serde_json::Value>(&response.body).expect("JSON")
        };
        for (key, expires) in [("old", Some("99")), ("new", Some("100")), ("always", None)] {
            let mut item = json!({"pk": {"S": key}});
            if let Some(expires) = expires {
                item["expires"] = json!({"N": expires});
            }
            send("PutItem", json!({"TableName": TABLE, "Item": item}));
        }
        assert_eq!(send(DELETE_EXPIRED, json!({"attribute": "expires", "before": 100})), json!(1));
        assert_eq!(send(DELETE_EXPIRED, json!({"attribute": "expires", "before": 100})), json!(0));
        assert_eq!(send("Scan", json!({"TableName": TABLE}))["Count"], json!(2));
    }
}
