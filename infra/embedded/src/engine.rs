//! Executes calls on a SQLite database: one connection, and one call after another.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Cursor;
use std::path::Path;
use std::time::{Duration, Instant};

use event_capture::request::Direction;
use event_capture::schema::{Id, Stored, Timestamp};
use event_capture::store::{Call, Consistency, Refusal, Reply};
use event_capture::table::{Action, EXPIRES_AT, IndexRange, Item, Position, Write, WriteKind, number};
use rusqlite::{Connection, ErrorCode, MAIN_DB, OptionalExtension};

use crate::Durability;
use crate::index::{Index, position};
use crate::item::{decode, encode};
use crate::limits::{self, MAX_BATCH, check_item, check_value};
use crate::refusal::{failed, invalid, undecodable};
use crate::units;

type Sql<T> = rusqlite::Result<T>;
type Result<T, E = Refusal> = std::result::Result<T, E>;

/// Version of the database's layout. A folder with another one is refused: nothing is converted.
const VERSION: i64 = 2;
/// The tables but those of the indexes. An item's row number is what the indexes refer to. `AUTOINCREMENT` uses no number of
/// the stream twice.
const SCHEMA: &str = "
    CREATE TABLE items (n INTEGER PRIMARY KEY, pk TEXT NOT NULL UNIQUE, expires INTEGER, item BLOB NOT NULL) STRICT;
    CREATE INDEX expiring ON items (expires) WHERE expires IS NOT NULL;
    CREATE TABLE stream (
        n INTEGER PRIMARY KEY AUTOINCREMENT, pk TEXT NOT NULL, time INTEGER NOT NULL, before BLOB, after BLOB
    ) STRICT;
";
/// Prepared statements that a connection keeps. A transaction uses about thirty.
const MAX_STATEMENTS: usize = 200;
/// Steps of a check after which its deadline is checked: about a millisecond.
const STEPS_PER_CHECK: i32 = 1_000;
/// Time for which the token of a transaction is kept, which is longer than a request. DynamoDB keeps it ten minutes.
const RETENTION: Duration = Duration::from_mins(1);
/// Most items that one call to delete expired ones deletes.
pub(crate) const EXPIRED_BATCH: u32 = 50;

/// A connection to the database.
pub struct Engine {
    connection: Connection,
    indexes: Vec<Index>,
    write_shards: u64,
    transactions: Transactions,
}

/// A change of an item, in the order of the changes.
#[derive(Clone, Debug)]
pub struct Change {
    #[expect(missing_docs, reason = "the name says it")]
    pub number: i64,
    #[expect(missing_docs, reason = "the name says it")]
    pub pk: String,
    /// Time of the change, in milliseconds since 1970.
    pub time: i64,
    /// Item before the change. `None` if it did not exist.
    pub before: Option<Item>,
    /// Item after the change. `None` if it was deleted.
    pub after: Option<Item>,
}

/// Why a database cannot be opened.
#[derive(Debug)]
pub enum OpenError {
    /// It is in the format of another version of the service.
    OtherVersion,
    #[expect(missing_docs, reason = "the type says it")]
    Sqlite(rusqlite::Error),
}

/// A call that changes the database, with all that it needs.
#[derive(Debug)]
pub(crate) enum Job {
    Write(String, Write),
    Transact(BTreeMap<String, Write>, String),
    Delete(Vec<String>),
    /// Delete some of the items that expired before a time, in seconds since 1970. The answer has their keys.
    Expire(i64),
    /// Delete the changes up to a number from the stream.
    Forget(i64),
}

impl Job {
    /// Copy a call that writes. `None` for one that reads.
    pub(crate) fn of(call: Call<'_>) -> Option<Self> {
        match call {
            Call::Get { .. } | Call::Query { .. } => None,
            Call::Write { pk, write } => Some(Self::Write(pk.to_owned(), write.clone())),
            Call::Transact { writes, token } => Some(Self::Transact(writes.clone(), token.to_owned())),
            Call::Delete { pks } => Some(Self::Delete(pks.to_vec())),
        }
    }
}

/// The latest transactions by their tokens.
#[derive(Default)]
struct Transactions {
    /// Digest of the writes, and the answer to a repetition.
    known: HashMap<String, (u64, Reply)>,
    by_age: VecDeque<(Instant, String)>,
    /// Tokens of transactions that the database has not committed yet.
    uncommitted: Vec<String>,
}

/// A write that can be stored: the row of its item, and the item before and after.
struct Prepared<'a> {
    pk: &'a str,
    row: Option<i64>,
    old: Option<Item>,
    old_bytes: Option<Vec<u8>>,
    new: Option<Item>,
    /// False for a check, and for a write that leaves the item as it was.
    has_effect: bool,
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
    /// Open the database in a file.
    ///
    /// # Errors
    /// If SQLite cannot open it, or it has another format.
    pub fn open(path: &Path, durability: Durability, write_shards: u64) -> Result<Self, OpenError> {
        let connection = Connection::open(path)?;
        connection.busy_timeout(Duration::from_secs(5))?;
        let synchronous = match durability {
            Durability::Process => "NORMAL",
            Durability::Power => "FULL",
        };
        // Pages that many writes change are moved from the log into the file once, when it has 4,000 pages. The file is
        // not mapped into memory: a file that is cut while it is in use would kill the process.
        connection.execute_batch(&format!(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = {synchronous}; PRAGMA wal_autocheckpoint = 4000;
             PRAGMA secure_delete = ON; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY;"
        ))?;
        Self::on(connection, write_shards)
    }

    /// Create a database in memory.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn in_memory(write_shards: u64) -> Result<Self, OpenError> {
        let engine = Self::on(Connection::open_in_memory()?, write_shards)?;
        engine.create()?;
        Ok(engine)
    }

    fn on(connection: Connection, write_shards: u64) -> Result<Self, OpenError> {
        connection.set_prepared_statement_cache_capacity(MAX_STATEMENTS);
        let indexes = event_capture::schema::Role::ALL.map(Index::of).into();
        let engine = Self { connection, indexes, write_shards, transactions: Transactions::default() };
        let tables = engine.connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0));
        let is_new = tables.map(|tables: i64| tables == 0)?;
        let version: i64 = engine.connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if is_new || version == VERSION { Ok(engine) } else { Err(OpenError::OtherVersion) }
    }

    /// Create the tables that the database lacks. An index that is missing or has other columns is filled from the items.
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

    /// Check the structure of the database for at most some time. Returns its first defect.
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
                tracing::warn!("the table was checked in part, because it is large");
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// List the entries of indexes that are missing or too many. An empty list means that each index is as the items say.
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

    /// Read all items, each with its partition key, in the order of the keys.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn items(&self) -> Sql<Vec<(String, Item)>> {
        let mut statement = self.connection.prepare("SELECT pk, item FROM items ORDER BY pk")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, item(row.get_ref(1)?.as_blob()?)?)))?;
        rows.collect()
    }

    /// Copy the database.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn save(&mut self) -> Sql<Vec<u8>> {
        Ok(self.connection.serialize(MAIN_DB)?.to_vec())
    }

    /// Replace the content of a database in memory with a copy.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn restore(&mut self, copy: &[u8]) -> Sql<()> {
        self.transactions = Transactions::default();
        self.connection.deserialize_read_exact(MAIN_DB, Cursor::new(copy), copy.len(), false)
    }

    /// Execute a call.
    ///
    /// # Errors
    /// As a [`Table`](event_capture::store::Table).
    pub fn send(&mut self, call: Call<'_>) -> Result<Reply> {
        limits::check(&call)?;
        match Job::of(call) {
            Some(job) => self.execute_all(&[job]).remove(0),
            None => self.read(call),
        }
    }

    /// Execute a call that changes nothing.
    pub(crate) fn read(&self, call: Call<'_>) -> Result<Reply> {
        match call {
            Call::Get { pks, consistency } => self.get(pks, consistency),
            Call::Query { range, direction, limit, start } => self.query(range, direction, limit, start),
            _ => Err(invalid("a write is not a read")),
        }
    }

    fn get(&self, pks: &[String], consistency: Consistency) -> Result<Reply> {
        let factor = if consistency == Consistency::Strong { 1.0 } else { 0.5 };
        // The locks of the file are taken once for all items, each with a call of the system.
        let is_batch = pks.len() > 1;
        if is_batch {
            self.run("BEGIN").map_err(|error| failed(&error))?;
        }
        let read = self.get_each(pks, factor);
        if is_batch {
            self.run("COMMIT").map_err(|error| failed(&error))?;
        }
        read
    }

    fn get_each(&self, pks: &[String], factor: f64) -> Result<Reply> {
        let (mut reply, mut bytes) = (Reply::default(), 0);
        for (index, pk) in pks.iter().enumerate() {
            let found = self.item(pk).map_err(|error| failed(&error))?;
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

    /// Find the row, the bytes and the item with a key.
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

    /// Read up to `limit` changes after a number.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn changes(&self, after: i64, limit: usize) -> Sql<Vec<Change>> {
        let changes = "SELECT n, pk, time, before, after FROM stream WHERE n > ? ORDER BY n LIMIT ?";
        let mut statement = self.connection.prepare_cached(changes)?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = statement.query_map((after, limit), |row| {
            let image = |column| row.get_ref(column)?.as_blob_or_null()?.map(item).transpose();
            Ok(Change { number: row.get(0)?, pk: row.get(1)?, time: row.get(2)?, before: image(3)?, after: image(4)? })
        })?;
        rows.collect()
    }

    // Writes

    /// Execute calls one after another, and commit them together. If that is impossible, each is committed alone.
    pub(crate) fn execute_all(&mut self, jobs: &[Job]) -> Vec<Result<Reply>> {
        match self.execute_group(jobs) {
            Ok(replies) => replies,
            Err(error) if jobs.len() == 1 => vec![Err(failed(&error))],
            Err(_) => jobs
                .iter()
                .map(|job| self.execute_group(std::slice::from_ref(job)).map_err(|error| failed(&error))?.remove(0))
                .collect(),
        }
    }

    fn execute_group(&mut self, jobs: &[Job]) -> Sql<Vec<Result<Reply>>> {
        self.recover();
        self.run("BEGIN IMMEDIATE")?;
        let is_group = jobs.len() > 1;
        let mut replies = Vec::with_capacity(jobs.len());
        for job in jobs {
            if is_group {
                self.run("SAVEPOINT job")?;
            }
            let reply = self.execute(job);
            // Without the savepoint, SQLite has rolled back the whole transaction, for example because the disk is full.
            if reply.is_err() {
                self.run(if is_group { "ROLLBACK TO job" } else { "ROLLBACK" })?;
            }
            if is_group {
                self.run("RELEASE job")?;
            }
            replies.push(reply);
        }
        if !self.connection.is_autocommit() {
            self.run("COMMIT")?;
        }
        self.transactions.uncommitted.clear();
        Ok(replies)
    }

    fn run(&self, statement: &str) -> Sql<()> {
        self.connection.prepare_cached(statement)?.execute([]).map(drop)
    }

    /// Roll back the transaction that a failed or panicked call has left open.
    fn recover(&mut self) {
        if !self.connection.is_autocommit() {
            let _ = self.connection.execute_batch("ROLLBACK");
        }
        self.transactions.remove_uncommitted();
    }

    fn execute(&mut self, job: &Job) -> Result<Reply> {
        match job {
            Job::Write(pk, write) => {
                let prepared = self.prepare(pk, write)?.map_err(|item| Refusal::Conditions(vec![(0, item)]))?;
                Ok(Reply { units: self.store(&prepared, 1.0)?, ..Reply::default() })
            }
            Job::Transact(writes, token) => self.transact(writes, token),
            Job::Delete(pks) => {
                let (mut units, delete) = (0.0, Write { kind: WriteKind::Delete, ..Write::default() });
                for pk in pks {
                    if let Ok(prepared) = self.prepare(pk, &delete)? {
                        units += self.store(&prepared, 1.0)?;
                    }
                }
                Ok(Reply { units, ..Reply::default() })
            }
            Job::Expire(before) => {
                let find = || -> Sql<Vec<String>> {
                    let expired = "SELECT pk FROM items WHERE expires < ? LIMIT ?";
                    let mut statement = self.connection.prepare_cached(expired)?;
                    statement.query_map((before, EXPIRED_BATCH), |row| row.get(0))?.collect()
                };
                let expired = find().map_err(|error| failed(&error))?;
                self.execute(&Job::Delete(expired.clone()))?;
                Ok(Reply { unprocessed: expired, ..Reply::default() })
            }
            Job::Forget(number) => {
                let delete = self.connection.prepare_cached("DELETE FROM stream WHERE n <= ?");
                delete.and_then(|mut delete| delete.execute([number])).map_err(|error| failed(&error))?;
                Ok(Reply::default())
            }
        }
    }

    /// Execute a transaction once for each token.
    fn transact(&mut self, writes: &BTreeMap<String, Write>, token: &str) -> Result<Reply> {
        let digest = digest(writes);
        match self.transactions.known.get(token) {
            Some((known, reply)) if *known == digest => return Ok(reply.clone()),
            Some(_) => return Err(invalid("the token belongs to another transaction")),
            None => {}
        }
        let (mut prepared, mut refused) = (Vec::with_capacity(writes.len()), Vec::new());
        for (index, (pk, write)) in writes.iter().enumerate() {
            match self.prepare(pk, write)? {
                Ok(write) => prepared.push(write),
                Err(item) => refused.push((index, item)),
            }
        }
        if !refused.is_empty() {
            return Err(Refusal::Conditions(refused));
        }
        let (mut reply, mut repeated) = (Reply::default(), Reply::default());
        for write in &prepared {
            reply.units += self.store(write, 2.0)?;
            repeated.units += 2.0 * units::read(write.size());
        }
        self.transactions.insert(token.to_owned(), (digest, repeated));
        Ok(reply)
    }

    /// Check the conditions of a write and compute its item. The inner error is the item on which a condition failed.
    fn prepare<'a>(&self, pk: &'a str, write: &Write) -> Result<Result<Prepared<'a>, Option<Item>>> {
        let (row, old_bytes, old) = match self.find(pk).map_err(|error| failed(&error))? {
            Some((row, bytes, item)) => (Some(row), Some(bytes), Some(item)),
            None => (None, None, None),
        };
        if !write.conditions.iter().all(|(condition, _)| condition.holds(write, old.as_ref())) {
            return Ok(Err(old));
        }
        let new = match write.action() {
            Action::Check | Action::Delete => None,
            Action::Put => Some(write.values(self.write_shards)),
            Action::Update => Some(updated(old.as_ref(), write, self.write_shards)?),
        };
        new.as_ref().map_or(Ok(()), |item| check_item(pk, item))?;
        let has_effect = write.action() != Action::Check && new != old;
        Ok(Ok(Prepared { pk, row, old, old_bytes, new, has_effect }))
    }

    /// Store a write with its entries in the indexes and its record in the stream. Returns its units, with those of the item
    /// multiplied by `factor`.
    fn store(&self, write: &Prepared<'_>, factor: f64) -> Result<f64> {
        let units = factor * units::write(write.size());
        if !write.has_effect {
            return Ok(units);
        }
        let new_bytes = write.new.as_ref().map(encode).transpose().map_err(|error| failed(&undecodable(error)))?;
        let store = || -> Sql<f64> {
            let n = self.store_item(write, new_bytes.as_deref())?;
            let units = units + self.store_entries(n, write)?;
            let now = i64::try_from(Timestamp::now().unix_millis()).unwrap_or_default();
            let change = "INSERT INTO stream (pk, time, before, after) VALUES (?, ?, ?, ?)";
            self.connection.prepare_cached(change)?.execute((write.pk, now, &write.old_bytes, &new_bytes))?;
            Ok(units)
        };
        store().map_err(|error| failed(&error))
    }

    /// Store an item, and return its row.
    fn store_item(&self, write: &Prepared<'_>, bytes: Option<&[u8]>) -> Sql<i64> {
        let new = write.new.as_ref();
        let expires = new.and_then(|item| item.get(EXPIRES_AT)?.digits()?.parse::<i64>().ok());
        match (write.row, bytes) {
            (Some(n), Some(bytes)) => {
                let update = "UPDATE items SET item = ?, expires = ? WHERE n = ?";
                self.connection.prepare_cached(update)?.execute((bytes, expires, n))?;
                Ok(n)
            }
            (Some(n), None) => {
                self.connection.prepare_cached("DELETE FROM items WHERE n = ?")?.execute([n])?;
                Ok(n)
            }
            (None, bytes) => {
                let insert = "INSERT INTO items (pk, expires, item) VALUES (?, ?, ?)";
                self.connection.prepare_cached(insert)?.insert((write.pk, expires, bytes))
            }
        }
    }

    /// Store the changed entries of an item, and return the units of all indexes.
    fn store_entries(&self, n: i64, write: &Prepared<'_>) -> Sql<f64> {
        let new = write.new.as_ref();
        let mut all_units = 0.0;
        for index in &self.indexes {
            let units = |item: Option<&Item>| item.map_or(0.0, |item| units::entry(write.pk, index.role.index(), item));
            let (old, new_entry) =
                (write.old.as_ref().and_then(|item| index.entry(item)), new.and_then(|item| index.entry(item)));
            let (before, after) = (write.old.as_ref().filter(|_| old.is_some()), new.filter(|_| new_entry.is_some()));
            if old != new_entry {
                // A moved entry is a deletion and an insertion.
                all_units += units(before) + units(after);
                index.replace(&self.connection, n, old, new_entry)?;
            } else if !index.role.index().keys_only {
                all_units += units(before).max(units(after));
            }
        }
        Ok(all_units)
    }
}

impl Prepared<'_> {
    /// Returns the size by which the write is charged: that of the larger image.
    fn size(&self) -> usize {
        let size = |item: Option<&Item>| item.map_or(0, |item| units::size(self.pk, item));
        size(self.old.as_ref()).max(size(self.new.as_ref()))
    }
}

impl Transactions {
    /// Keep a token, and remove those that are old.
    fn insert(&mut self, token: String, known: (u64, Reply)) {
        let now = Instant::now();
        while let Some((_, old)) = self.by_age.pop_front_if(|(added, _)| now.duration_since(*added) > RETENTION) {
            self.known.remove(&old);
        }
        self.by_age.push_back((now, token.clone()));
        self.uncommitted.push(token.clone());
        self.known.insert(token, known);
    }

    /// Remove the tokens of transactions that were rolled back.
    fn remove_uncommitted(&mut self) {
        for token in self.uncommitted.drain(..) {
            self.known.remove(&token);
        }
    }
}

fn counted(entries: impl Iterator<Item = String>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for entry in entries {
        *counts.entry(entry).or_default() += 1;
    }
    counts
}

fn digest(writes: &BTreeMap<String, Write>) -> u64 {
    let mut hasher = DefaultHasher::new();
    for (pk, write) in writes {
        (pk, write.kind, &write.set, &write.remove).hash(&mut hasher);
        (&write.add, &write.add_members, &write.remove_members).hash(&mut hasher);
        write.conditions.iter().for_each(|(condition, _)| condition.hash(&mut hasher));
    }
    hasher.finish()
}

/// Compute an item after an update. An absent item counts as empty, an absent number as 0, and an empty set is removed.
fn updated(old: Option<&Item>, write: &Write, write_shards: u64) -> Result<Item> {
    let mut item = old.cloned().unwrap_or_default();
    for (name, amount) in &write.add {
        let before = match item.get(name.as_ref()) {
            None => Some(0),
            Some(value) => value.digits().and_then(|digits| digits.parse::<i128>().ok()),
        };
        let sum = before.and_then(|before| before.checked_add((*amount).into()));
        let sum = sum.ok_or_else(|| invalid("an amount is added to something else than a number"))?;
        let sum = number(sum);
        check_value(&sum)?;
        item.insert(name.to_string(), sum);
    }
    for (members, adds) in [(&write.add_members, true), (&write.remove_members, false)] {
        for (name, members) in members {
            let before = match item.remove(*name) {
                None => BTreeSet::new(),
                Some(Stored::Ids(ids)) => ids,
                Some(_) => return Err(invalid("members are added to something else than a set")),
            };
            let after: BTreeSet<Id> = if adds { &before | members } else { &before - members };
            if !after.is_empty() {
                item.insert((*name).to_owned(), Stored::Ids(after));
            }
        }
    }
    write.remove.iter().for_each(|name| drop(item.remove(name)));
    item.extend(write.values(write_shards));
    Ok(item)
}

#[cfg(test)]
mod tests {
    use event_capture::schema::Role;
    use event_capture::table::Condition;

    use super::*;

    fn engine() -> Engine {
        Engine::in_memory(2).expect("a database")
    }

    fn put(text: &str, conditions: Vec<(Condition, Option<event_capture::error::Error>)>) -> Write {
        let set = Item::from([("message".to_owned(), Stored::Text(text.to_owned()))]);
        Write { kind: WriteKind::Put, set, conditions, ..Write::default() }
    }

    /// A transaction that creates two items.
    fn create(keys: [&str; 2], text: &str) -> Job {
        let writes = keys.map(|key| (key.to_owned(), put(text, vec![(Condition::Missing, None)])));
        Job::Transact(BTreeMap::from(writes), keys.concat())
    }

    fn keys(engine: &Engine) -> Vec<String> {
        engine.items().expect("items").into_iter().map(|(pk, _)| pk).collect()
    }

    fn succeeded(replies: &[Result<Reply>]) -> Vec<bool> {
        replies.iter().map(Result::is_ok).collect()
    }

    #[test]
    fn a_group_stores_the_calls_that_succeed() {
        let mut engine = engine();
        let jobs = [create(["a", "b"], ""), create(["c", "a"], ""), create(["a", "b"], ""), create(["c", "d"], "")];
        let replies = engine.execute_all(&jobs);
        assert_eq!(succeeded(&replies), [true, false, true, true], "a condition failed, and a token was repeated");
        assert_eq!(keys(&engine), ["a", "b", "c", "d"]);
        assert_eq!(succeeded(&engine.execute_all(&jobs)), [true, false, true, true]);
        let other = engine.execute_all(&[create(["a", "b"], "other")]);
        assert!(matches!(other[0], Err(Refusal::Invalid(_))), "the token belongs to other writes: {other:?}");
    }

    #[test]
    fn one_call_that_cannot_be_stored_fails_alone() {
        let mut engine = engine();
        let pages = |engine: &Engine, pragma: &str| -> u32 {
            engine.connection.query_row(pragma, [], |row| row.get(0)).expect("a number")
        };
        let limit = pages(&engine, "PRAGMA page_count") + 2;
        pages(&engine, &format!("PRAGMA max_page_count = {limit}"));
        let jobs = [create(["a", "b"], ""), create(["c", "d"], &"x".repeat(100_000))];
        assert_eq!(
            succeeded(&engine.execute_all(&jobs)),
            [true, false],
            "the database was full, which undid the group"
        );
        assert_eq!(keys(&engine), ["a", "b"]);
        pages(&engine, "PRAGMA max_page_count = 1000000");
        assert_eq!(succeeded(&engine.execute_all(&jobs)), [true, true]);
        assert_eq!(keys(&engine), ["a", "b", "c", "d"]);
    }

    #[test]
    fn old_tokens_are_forgotten() {
        let mut transactions = Transactions::default();
        let long_ago = Instant::now().checked_sub(2 * RETENTION).expect("an uptime of minutes");
        transactions.by_age.push_back((long_ago, "old".to_owned()));
        transactions.known.insert("old".to_owned(), (1, Reply::default()));
        transactions.insert("new".to_owned(), (2, Reply::default()));
        assert!(!transactions.known.contains_key("old") && transactions.known.contains_key("new"));
        assert_eq!(transactions.by_age.len(), 1);
    }

    #[test]
    fn durable_writes_are_synced() {
        let folder = tempfile::tempdir().expect("a folder");
        let synchronous = |durability| -> u8 {
            let engine = Engine::open(&folder.path().join("table.sqlite"), durability, 2).expect("a database");
            engine.connection.query_row("PRAGMA synchronous", [], |row| row.get(0)).expect("a setting")
        };
        // As in https://www.sqlite.org/pragma.html#pragma_synchronous: 1 syncs checkpoints, 2 each commit.
        assert_eq!([Durability::Process, Durability::Power].map(synchronous), [1, 2]);
    }

    #[test]
    fn expired_items_are_deleted_and_leave_the_stream() {
        let mut engine = engine();
        for (key, expires) in [("old", Some(99)), ("new", Some(100)), ("always", None)] {
            let mut write = put("", Vec::new());
            write.set.extend(expires.map(|time| (EXPIRES_AT.to_owned(), number(time))));
            engine.send(Call::Write { pk: key, write: &write }).expect("an item");
        }
        for expected in [vec!["old".to_owned()], Vec::new()] {
            let replies = engine.execute_all(&[Job::Expire(100)]);
            assert_eq!(replies[0].as_ref().expect("a reply").unprocessed, expected);
        }
        assert_eq!(keys(&engine), ["always", "new"]);
        let changes = engine.changes(0, 10).expect("changes");
        let last = changes.last().expect("a change");
        assert!((last.number, last.pk.as_str()) == (4, "old") && last.before.is_some() && last.after.is_none());
        assert!(engine.execute_all(&[Job::Forget(4)])[0].is_ok());
        assert!(engine.changes(0, 10).expect("changes").is_empty());
        engine.send(Call::Delete { pks: &["new".to_owned()] }).expect("a deletion");
        assert_eq!(engine.changes(0, 10).expect("changes")[0].number, 5, "no number is used twice");
    }

    #[test]
    fn index_that_is_missing_or_has_other_columns_is_filled_from_the_items() {
        let mut engine = engine();
        for id in 1..=3 {
            let set = Item::from([
                ("resource".to_owned(), Stored::Text("events".to_owned())),
                ("time".to_owned(), Stored::Text(format!("2026-01-0{id}"))),
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

    #[test]
    fn conditions_hold_for_all_writes_of_a_transaction_or_nothing_is_stored() {
        let mut engine = engine();
        engine.send(Call::Write { pk: "a", write: &put("old", Vec::new()) }).expect("an item");
        let mut check = Write::default();
        check.when(Condition::Exists);
        let absent = BTreeMap::from([("b".to_owned(), check.clone()), ("c".to_owned(), put("new", Vec::new()))]);
        let refused = engine.send(Call::Transact { writes: &absent, token: "1" });
        assert!(matches!(&refused, Err(Refusal::Conditions(failed)) if failed[..] == [(0, None)]), "{refused:?}");
        assert_eq!(keys(&engine), ["a"]);
        let present = BTreeMap::from([("a".to_owned(), check), ("c".to_owned(), put("new", Vec::new()))]);
        let reply = engine.send(Call::Transact { writes: &present, token: "2" }).expect("a commit");
        assert!((reply.units - 4.0).abs() < f64::EPSILON, "a check costs as much as a write: {reply:?}");
    }
}
