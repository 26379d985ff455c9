//! Executes calls on a SQLite database, one at a time on one connection.

mod jobs;

use std::collections::BTreeMap;
use std::fmt;
use std::io::Cursor;
use std::path::Path;
use std::time::{Duration, Instant};

use capture_core::request::Direction;
use capture_core::store::{Call, Consistency, Refusal, Reply};
use capture_core::table::{IndexRange, Item, Position};
use rusqlite::{Connection, ErrorCode, MAIN_DB, OpenFlags, OptionalExtension};

use crate::index::{Index, position};
use crate::item::decode;
use crate::limits::{self, MAX_BATCH};
use crate::refusal::{invalid, sqlite_refusal, undecodable};
use crate::{Durability, TableSettings, units};
use jobs::Transactions;

pub(crate) use jobs::{EXPIRED_BATCH, Job};

type Sql<T> = rusqlite::Result<T>;
type Result<T, E = Refusal> = std::result::Result<T, E>;

/// Version of the database's layout. A database with another version is refused, not converted.
const VERSION: i64 = 3;
/// The tables other than the indexes, which refer to items by row number.
const SCHEMA: &str = "
    CREATE TABLE items (n INTEGER PRIMARY KEY, pk TEXT NOT NULL UNIQUE, expires INTEGER, item BLOB NOT NULL) STRICT;
    CREATE INDEX expiring ON items (expires) WHERE expires IS NOT NULL;
    CREATE TABLE stream (
        n INTEGER PRIMARY KEY, pk TEXT NOT NULL, time INTEGER NOT NULL, before BLOB, after BLOB
    ) STRICT;
";
/// Prepared statements cached per connection. A transaction uses about thirty.
const MAX_STATEMENTS: usize = 200;
/// Steps of SQLite between two checks of a deadline, about a millisecond.
const STEPS_PER_CHECK: i32 = 1_000;

/// A connection to the database.
pub struct Engine {
    connection: Connection,
    indexes: Vec<Index>,
    settings: TableSettings,
    transactions: Transactions,
}

/// A change of an item. Numbers ascend in the order of the changes.
#[derive(Clone, Debug)]
pub struct Change {
    pub number: i64,
    pub pk: String,
    /// Time of the change, in milliseconds since 1970.
    pub time: i64,
    /// Item before the change. `None` if it did not exist.
    pub before: Option<Item>,
    /// Item after the change. `None` if it was deleted.
    pub after: Option<Item>,
}

/// Reason why a database cannot be opened.
#[derive(Debug)]
pub enum OpenError {
    /// The database has the format of another version of the service.
    OtherVersion,
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for OpenError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherVersion => f.write_str("the database is in the format of another version"),
            Self::Sqlite(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for OpenError {}

fn item(bytes: &[u8]) -> Sql<Item> {
    decode(bytes).map_err(undecodable)
}

impl Engine {
    /// Opens the database in a file.
    ///
    /// # Errors
    /// If SQLite cannot open it, or if it has another format.
    pub fn open(path: &Path, settings: &TableSettings) -> Result<Self, OpenError> {
        let connection = Connection::open(path)?;
        connection.busy_timeout(Duration::from_secs(5))?;
        let synchronous = match settings.durability {
            Durability::Process => "NORMAL",
            Durability::Power => "FULL",
        };
        // A page that many writes change moves from the log into the file only once, when the log has 8,000 pages. The
        // file is not memory-mapped: truncating it during use would kill the process.
        connection.execute_batch(&format!(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = {synchronous}; PRAGMA wal_autocheckpoint = 8000;
             PRAGMA secure_delete = ON; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY;"
        ))?;
        Self::from_connection(connection, settings.clone())
    }

    /// Copies the database in a file to an empty file, as of one moment.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn copy(path: &Path, to: &Path) -> Sql<()> {
        // Without creating a missing file.
        let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        connection.busy_timeout(Duration::from_secs(5))?;
        connection.execute("VACUUM INTO ?1", [to.to_string_lossy()]).map(drop)
    }

    /// Creates a database in memory.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn in_memory() -> Result<Self, OpenError> {
        let engine = Self::from_connection(Connection::open_in_memory()?, TableSettings::default())?;
        engine.create()?;
        Ok(engine)
    }

    fn from_connection(connection: Connection, settings: TableSettings) -> Result<Self, OpenError> {
        connection.set_prepared_statement_cache_capacity(MAX_STATEMENTS);
        let indexes = capture_core::schema::Role::ALL.map(Index::of).into();
        let engine = Self { connection, indexes, settings, transactions: Transactions::default() };
        let tables = engine.connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0));
        let is_new = tables.map(|tables: i64| tables == 0)?;
        let version: i64 = engine.connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if is_new || version == VERSION { Ok(engine) } else { Err(OpenError::OtherVersion) }
    }

    /// Creates missing tables. An index that is missing or has other columns is filled from the items.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn create(&self) -> Sql<()> {
        self.connection.execute_batch("BEGIN IMMEDIATE")?;
        let schema_of = |name: &str| -> Sql<Option<String>> {
            let schema = "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?";
            self.connection.query_row(schema, [name], |row| row.get(0)).optional()
        };
        if schema_of("items")?.is_none() {
            self.connection.execute_batch(SCHEMA)?;
            self.connection.pragma_update(None, "user_version", VERSION)?;
        }
        for index in &self.indexes {
            let name = index.role.index().name;
            if schema_of(name)?.as_deref() == Some(&index.schema()) {
                continue;
            }
            self.connection.execute_batch(&format!("DROP TABLE IF EXISTS {name}; {}", index.schema()))?;
            self.each_item(|n, item| index.replace(&self.connection, n, None, index.entry(item)))?;
        }
        self.connection.execute_batch("COMMIT")
    }

    fn each_item(&self, mut apply: impl FnMut(i64, &Item) -> Sql<()>) -> Sql<()> {
        let mut statement = self.connection.prepare("SELECT n, item FROM items")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            apply(row.get(0)?, &item(row.get_ref(1)?.as_blob()?)?)?;
        }
        Ok(())
    }

    /// Checks the structure of the database within a time limit. Returns the first defect.
    ///
    /// # Errors
    /// If SQLite cannot check it.
    pub fn first_defect(&mut self, time_limit: Duration) -> Sql<Option<String>> {
        let deadline = Instant::now() + time_limit;
        self.connection.progress_handler(STEPS_PER_CHECK, Some(move || Instant::now() > deadline))?;
        let report = self.connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
        self.connection.progress_handler(0, None::<fn() -> bool>)?;
        match report {
            Ok(report) if report == "ok" => Ok(None),
            Ok(defect) => Ok(Some(defect)),
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) => {
                tracing::warn!("the table is large and was only partly checked");
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Lists missing and superfluous index entries. An empty list means that every index matches the items.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn wrong_entries(&self) -> Sql<Vec<String>> {
        let mut wrong = Vec::new();
        for index in &self.indexes {
            let mut expected = Vec::new();
            self.each_item(|n, item| {
                expected.extend(index.entry(item).map(|mut entry| {
                    entry.push(n.into());
                    format!("{entry:?}")
                }));
                Ok(())
            })?;
            let entries = index.entries(&self.connection)?.into_iter();
            let (expected, stored) =
                (counted(expected.into_iter()), counted(entries.map(|entry| format!("{entry:?}"))));
            let name = index.role.index().name;
            let differs = |entry: &&String| expected.get(*entry) != stored.get(*entry);
            wrong.extend(expected.keys().chain(stored.keys()).filter(differs).map(|entry| format!("{name}: {entry}")));
        }
        Ok(wrong)
    }

    /// Reads all items, each with its partition key, ordered by key.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn items(&self) -> Sql<Vec<(String, Item)>> {
        let mut statement = self.connection.prepare("SELECT pk, item FROM items ORDER BY pk")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, item(row.get_ref(1)?.as_blob()?)?)))?;
        rows.collect()
    }

    /// Copies the database.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn save(&mut self) -> Sql<Vec<u8>> {
        Ok(self.connection.serialize(MAIN_DB)?.to_vec())
    }

    /// Replaces the content of an in-memory database with a copy.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn restore(&mut self, copy: &[u8]) -> Sql<()> {
        self.transactions = Transactions::default();
        self.connection.deserialize_read_exact(MAIN_DB, Cursor::new(copy), copy.len(), false)
    }

    /// Executes a call.
    ///
    /// # Errors
    /// As for a [`Table`](capture_core::store::Table).
    pub fn send(&mut self, call: Call<'_>) -> Result<Reply> {
        limits::check(&call)?;
        match Job::of(call) {
            Some(job) => self.execute_all(&[job]).remove(0),
            None => self.read(call),
        }
    }

    /// Shows the table as of the next query, until [`unpin`](Self::unpin).
    pub(crate) fn pin(&self) -> Sql<()> {
        self.run("BEGIN")
    }

    /// Shows the current table to every call again.
    pub(crate) fn unpin(&self) -> Sql<()> {
        self.run("COMMIT")
    }

    /// Executes a call that reads.
    pub(crate) fn read(&self, call: Call<'_>) -> Result<Reply> {
        match call {
            Call::Get { pks, consistency } => self.get(pks, consistency),
            Call::Query { range, direction, limit, start } => self.query(range, direction, limit, start),
            _ => Err(invalid("a write is not a read")),
        }
    }

    fn get(&self, pks: &[String], consistency: Consistency) -> Result<Reply> {
        let factor = if consistency == Consistency::Strong { 1.0 } else { 0.5 };
        // A transaction takes the file's locks only once for all items. Each lock costs a system call.
        let is_batch = pks.len() > 1;
        if is_batch {
            self.run("BEGIN").map_err(|error| sqlite_refusal(&error))?;
        }
        let read = self.get_each(pks, factor);
        if is_batch {
            self.run("COMMIT").map_err(|error| sqlite_refusal(&error))?;
        }
        read
    }

    fn get_each(&self, pks: &[String], factor: f64) -> Result<Reply> {
        let (mut reply, mut bytes) = (Reply::default(), 0);
        for (index, pk) in pks.iter().enumerate() {
            let found = self.item(pk).map_err(|error| sqlite_refusal(&error))?;
            let size = found.as_ref().map_or(0, |item| units::size(pk, item));
            bytes += size;
            if bytes > MAX_BATCH {
                reply.unprocessed = pks.get(index..).unwrap_or_default().to_vec();
                break;
            }
            reply.units += factor * units::read(size);
            reply.items.extend(found.map(|item| (pk.clone(), item)));
        }
        Ok(reply)
    }

    fn item(&self, pk: &str) -> Sql<Option<Item>> {
        let mut statement = self.connection.prepare_cached("SELECT item FROM items WHERE pk = ?")?;
        statement.query_row([pk], |row| item(row.get_ref(0)?.as_blob()?)).optional()
    }

    /// Finds the row number, the bytes and the item with a key.
    fn find(&self, pk: &str) -> Sql<Option<(i64, Vec<u8>, Item)>> {
        let mut statement = self.connection.prepare_cached("SELECT n, item FROM items WHERE pk = ?")?;
        let found = statement.query_row([pk], |row| {
            let bytes = row.get_ref(1)?.as_blob()?;
            Ok((row.get(0)?, bytes.to_vec(), item(bytes)?))
        });
        found.optional()
    }

    fn query(&self, range: &IndexRange, direction: Direction, limit: usize, start: Option<&Position>) -> Result<Reply> {
        let index = self.indexes.iter().find(|index| index.role == range.role);
        let index = index.ok_or_else(|| invalid("the table has no such index"))?;
        let page = index.page(&self.connection, range, direction, limit, start)?;
        let last = page.items.last().filter(|_| page.is_full);
        let next = last.map(|(pk, item)| position(range.role, pk, item));
        Ok(Reply { units: units::read(page.bytes) / 2.0, items: page.items, next, unprocessed: Vec::new() })
    }

    /// Reads up to `limit` changes after a number.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn changes(&self, after: i64, limit: usize) -> Sql<Vec<Change>> {
        let changes = "SELECT n, pk, time, before, after FROM stream WHERE n > ? AND pk <> '' ORDER BY n LIMIT ?";
        let mut statement = self.connection.prepare_cached(changes)?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = statement.query_map((after, limit), |row| {
            let image = |column| row.get_ref(column)?.as_blob_or_null()?.map(item).transpose();
            Ok(Change { number: row.get(0)?, pk: row.get(1)?, time: row.get(2)?, before: image(3)?, after: image(4)? })
        })?;
        rows.collect()
    }

    fn run(&self, statement: &str) -> Sql<()> {
        self.connection.prepare_cached(statement)?.execute([]).map(drop)
    }
}

fn counted(entries: impl Iterator<Item = String>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for entry in entries {
        *counts.entry(entry).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use capture_core::schema::{Id, Role, StoredValue};
    use capture_core::table::{Write, WriteKind, number};

    use super::*;

    #[test]
    fn durable_writes_are_synced() {
        let folder = tempfile::tempdir().expect("a folder");
        let synchronous = |durability| -> u8 {
            let settings = TableSettings { durability, ..TableSettings::default() };
            let engine = Engine::open(&folder.path().join("table.sqlite"), &settings).expect("a database");
            engine.connection.query_row("PRAGMA synchronous", [], |row| row.get(0)).expect("a setting")
        };
        // As in https://www.sqlite.org/pragma.html#pragma_synchronous: 1 syncs checkpoints, 2 each commit.
        assert_eq!([Durability::Process, Durability::Power].map(synchronous), [1, 2]);
    }

    #[test]
    fn index_that_is_missing_or_has_other_columns_is_filled_from_the_items() {
        let mut engine = Engine::in_memory().expect("a database");
        for id in 1..=3 {
            let set = Item::from([
                ("resource".to_owned(), StoredValue::Text("events".to_owned())),
                ("time".to_owned(), StoredValue::Text(format!("2026-01-0{id}"))),
                ("id".to_owned(), number(id)),
            ]);
            let write = Write { kind: WriteKind::Put, set, sharded_by: Id::new(id), ..Write::default() };
            engine.send(Call::Write { pk: &format!("events/{id}"), write: &write }).expect("an item");
        }
        assert_eq!(engine.wrong_entries().expect("entries"), Vec::<String>::new());
        engine.connection.execute_batch("DELETE FROM by_time WHERE id = 2").expect("a deletion");
        assert_eq!(engine.wrong_entries().expect("entries").len(), 1);
        for damage in ["DROP TABLE by_time", "DROP TABLE by_time; CREATE TABLE by_time (n INTEGER)"] {
            engine.connection.execute_batch(damage).expect("a change");
            engine.create().expect("a repair");
            assert_eq!(engine.wrong_entries().expect("entries"), Vec::<String>::new());
        }
        let listed = |engine: &mut Engine, shard, start: Option<&Position>| {
            let range = IndexRange::of_shard(Role::Time, "events", shard);
            let direction = Direction::Descending;
            engine.send(Call::Query { range: &range, direction, limit: 1, start }).expect("a page")
        };
        let mut found = Vec::new();
        for shard in 0..2 {
            let mut start = None;
            loop {
                let page = listed(&mut engine, shard, start.as_ref());
                found.extend(page.items.into_iter().map(|(pk, _)| pk));
                start = page.next;
                if start.is_none() {
                    break;
                }
            }
        }
        found.sort();
        assert_eq!(found, ["events/1", "events/2", "events/3"]);
    }
}
