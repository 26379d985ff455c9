//! Executes calls that change the database: several in one transaction, each with its own result.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, Instant};

use capture_core::schema::{Id, StoredValue, Timestamp};
use capture_core::store::{Call, Refusal, Reply};
use capture_core::table::{Action, EXPIRES_AT, Item, Write, WriteKind, number};

use super::{Engine, Result, Sql};
use crate::item::encode;
use crate::limits::{check_item, check_value};
use crate::refusal::{invalid, sqlite_refusal, undecodable};
use crate::units;

/// Time for which a transaction's token is kept, longer than any request. DynamoDB keeps it for ten minutes.
const RETENTION: Duration = Duration::from_mins(1);
/// Maximum number of expired items deleted per call.
pub(crate) const EXPIRED_BATCH: u32 = 50;

/// A call that changes the database, with everything it needs.
#[derive(Debug)]
pub(crate) enum Job {
    Write(String, Write),
    Transact(BTreeMap<String, Write>, String),
    Delete(Vec<String>),
    /// Delete some of the items that expired before a time, in seconds since 1970. The response has their keys.
    Expire(i64),
    /// Delete the changes up to a number from the stream.
    TrimStream(i64),
}

/// Recent transactions by token.
#[derive(Default)]
pub(super) struct Transactions {
    /// Digest of the writes, and the response to a repetition.
    by_token: HashMap<String, (u64, Reply)>,
    by_age: VecDeque<(Instant, String)>,
    /// Tokens of transactions that are not committed yet.
    uncommitted: Vec<String>,
}

/// A write that can be stored: the item's row, and the item before and after.
struct PreparedWrite<'a> {
    pk: &'a str,
    row: Option<i64>,
    old: Option<Item>,
    old_bytes: Option<Vec<u8>>,
    new: Option<Item>,
    /// Whether the write changes the item. False for a check.
    has_effect: bool,
}

impl Job {
    /// Copies a call that writes. `None` for a call that reads.
    pub(crate) fn of(call: Call<'_>) -> Option<Self> {
        match call {
            Call::Get { .. } | Call::Query { .. } => None,
            Call::Write { pk, write } => Some(Self::Write(pk.to_owned(), write.clone())),
            Call::Transact { writes, token } => Some(Self::Transact(writes.clone(), token.to_owned())),
            Call::Delete { pks } => Some(Self::Delete(pks.to_vec())),
        }
    }
}

impl Engine {
    /// Executes calls one after another and commits them together. If that fails, each is committed alone.
    pub(crate) fn execute_all(&mut self, jobs: &[Job]) -> Vec<Result<Reply>> {
        match self.execute_group(jobs) {
            Ok(replies) => replies,
            Err(error) if jobs.len() == 1 => vec![Err(sqlite_refusal(&error))],
            Err(_) => jobs
                .iter()
                .map(|job| {
                    self.execute_group(std::slice::from_ref(job)).map_err(|error| sqlite_refusal(&error))?.remove(0)
                })
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
            // After some errors, such as a full disk, SQLite has rolled back the entire transaction. A group then fails
            // here, since its savepoint is gone.
            if reply.is_err() && (is_group || !self.connection.is_autocommit()) {
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

    /// Rolls back the transaction left open by a call that failed or panicked.
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
                let expired = find().map_err(|error| sqlite_refusal(&error))?;
                self.execute(&Job::Delete(expired.clone()))?;
                Ok(Reply { unprocessed: expired, ..Reply::default() })
            }
            Job::TrimStream(number) => {
                // The empty change of this number stays, so SQLite does not use the number again. `AUTOINCREMENT` would
                // change one more page per write.
                let clear = "UPDATE stream SET pk = '', before = NULL, after = NULL WHERE n = ?";
                for statement in ["DELETE FROM stream WHERE n < ?", clear] {
                    let trim = self.connection.prepare_cached(statement);
                    trim.and_then(|mut trim| trim.execute([number])).map_err(|error| sqlite_refusal(&error))?;
                }
                Ok(Reply::default())
            }
        }
    }

    /// Executes a transaction, at most once per token.
    fn transact(&mut self, writes: &BTreeMap<String, Write>, token: &str) -> Result<Reply> {
        let digest = digest(writes);
        match self.transactions.by_token.get(token) {
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

    /// Checks the conditions of a write and computes its item. The inner error is the item that failed a condition.
    fn prepare<'a>(&self, pk: &'a str, write: &Write) -> Result<Result<PreparedWrite<'a>, Option<Item>>> {
        let (row, old_bytes, old) = match self.find(pk).map_err(|error| sqlite_refusal(&error))? {
            Some((row, bytes, item)) => (Some(row), Some(bytes), Some(item)),
            None => (None, None, None),
        };
        if !write.conditions.iter().all(|(condition, _)| condition.holds(write, old.as_ref())) {
            return Ok(Err(old));
        }
        let new = match write.action() {
            Action::Check | Action::Delete => None,
            Action::Put => Some(write.values(self.settings.write_shards)),
            Action::Update => Some(updated(old.as_ref(), write, self.settings.write_shards)?),
        };
        new.as_ref().map_or(Ok(()), |item| check_item(pk, item))?;
        let has_effect = write.action() != Action::Check && new != old;
        Ok(Ok(PreparedWrite { pk, row, old, old_bytes, new, has_effect }))
    }

    /// Stores a write with its index entries, and its record if the stream keeps it. Returns its units, with those of the
    /// item multiplied by `factor`.
    fn store(&self, write: &PreparedWrite<'_>, factor: f64) -> Result<f64> {
        let units = factor * units::write(write.size());
        if !write.has_effect {
            return Ok(units);
        }
        let new_bytes =
            write.new.as_ref().map(encode).transpose().map_err(|error| sqlite_refusal(&undecodable(error)))?;
        let store = || -> Sql<f64> {
            let n = self.store_item(write, new_bytes.as_deref())?;
            let units = units + self.store_entries(n, write)?;
            let streamed = self.settings.streamed.as_ref();
            if streamed.is_none_or(|streamed| streamed(write.pk, write.old.as_ref(), write.new.as_ref())) {
                let now = i64::try_from(Timestamp::now().unix_millis()).unwrap_or_default();
                let change = "INSERT INTO stream (pk, time, before, after) VALUES (?, ?, ?, ?)";
                self.connection.prepare_cached(change)?.execute((write.pk, now, &write.old_bytes, &new_bytes))?;
            }
            Ok(units)
        };
        store().map_err(|error| sqlite_refusal(&error))
    }

    /// Stores an item. Returns its row.
    fn store_item(&self, write: &PreparedWrite<'_>, bytes: Option<&[u8]>) -> Sql<i64> {
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

    /// Stores an item's changed entries. Returns the units of all indexes.
    fn store_entries(&self, n: i64, write: &PreparedWrite<'_>) -> Sql<f64> {
        let new = write.new.as_ref();
        let mut all_units = 0.0;
        for index in &self.indexes {
            let units = |item: Option<&Item>| item.map_or(0.0, |item| units::entry(write.pk, index.role.index(), item));
            let (old, new_entry) =
                (write.old.as_ref().and_then(|item| index.entry(item)), new.and_then(|item| index.entry(item)));
            let (before, after) = (write.old.as_ref().filter(|_| old.is_some()), new.filter(|_| new_entry.is_some()));
            if old != new_entry {
                // Moving an entry deletes it and inserts it again.
                all_units += units(before) + units(after);
                index.replace(&self.connection, n, old, new_entry)?;
            } else if !index.role.index().keys_only {
                all_units += units(before).max(units(after));
            }
        }
        Ok(all_units)
    }
}

impl PreparedWrite<'_> {
    /// Returns the size that the write is charged for: that of the larger image.
    fn size(&self) -> usize {
        let size = |item: Option<&Item>| item.map_or(0, |item| units::size(self.pk, item));
        size(self.old.as_ref()).max(size(self.new.as_ref()))
    }
}

impl Transactions {
    /// Adds a token and removes old ones.
    fn insert(&mut self, token: String, known: (u64, Reply)) {
        let now = Instant::now();
        while let Some((_, old)) = self.by_age.pop_front_if(|(added, _)| now.duration_since(*added) > RETENTION) {
            self.by_token.remove(&old);
        }
        self.by_age.push_back((now, token.clone()));
        self.uncommitted.push(token.clone());
        self.by_token.insert(token, known);
    }

    /// Removes the tokens of transactions that were rolled back.
    fn remove_uncommitted(&mut self) {
        for token in self.uncommitted.drain(..) {
            self.by_token.remove(&token);
        }
    }
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

/// Returns the item after an update. A missing item counts as empty, a missing number as 0, and an empty set is
/// removed.
fn updated(old: Option<&Item>, write: &Write, write_shards: u64) -> Result<Item> {
    let mut item = old.cloned().unwrap_or_default();
    for (name, amount) in &write.add {
        let before = match item.get(name.as_ref()) {
            None => Some(0),
            Some(value) => value.digits().and_then(|digits| digits.parse::<i128>().ok()),
        };
        let sum = before.and_then(|before| before.checked_add((*amount).into()));
        let sum = sum.ok_or_else(|| invalid("an amount can only be added to a number"))?;
        let sum = number(sum);
        check_value(&sum)?;
        item.insert(name.to_string(), sum);
    }
    for (members, adds) in [(&write.add_members, true), (&write.remove_members, false)] {
        for (name, members) in members {
            let before = match item.remove(*name) {
                None => BTreeSet::new(),
                Some(StoredValue::Ids(ids)) => ids,
                Some(_) => return Err(invalid("members can only be added to or removed from a set")),
            };
            let after: BTreeSet<Id> = if adds { &before | members } else { &before - members };
            if !after.is_empty() {
                item.insert((*name).to_owned(), StoredValue::Ids(after));
            }
        }
    }
    write.remove.iter().for_each(|name| drop(item.remove(name)));
    item.extend(write.values(write_shards));
    Ok(item)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use capture_core::table::Condition;

    use super::*;

    fn engine() -> Engine {
        Engine::in_memory().expect("a database")
    }

    fn put(text: &str, conditions: Vec<(Condition, Option<capture_core::error::Error>)>) -> Write {
        let set = Item::from([("message".to_owned(), StoredValue::Text(text.to_owned()))]);
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
        let replies = engine.execute_all(&jobs);
        assert_eq!(succeeded(&replies), [true, false], "the database was full, which undid the group");
        assert!(format!("{:?}", replies[1]).contains("full"), "the log has the cause: {:?}", replies[1]);
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
        transactions.by_token.insert("old".to_owned(), (1, Reply::default()));
        transactions.insert("new".to_owned(), (2, Reply::default()));
        assert!(!transactions.by_token.contains_key("old") && transactions.by_token.contains_key("new"));
        assert_eq!(transactions.by_age.len(), 1);
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
        assert!(engine.execute_all(&[Job::TrimStream(4)])[0].is_ok());
        assert!(engine.changes(0, 10).expect("changes").is_empty());
        let kept = "SELECT count(*) FROM stream WHERE pk <> '' OR before IS NOT NULL OR after IS NOT NULL";
        let kept: u32 = engine.connection.query_row(kept, [], |row| row.get(0)).expect("a number");
        assert_eq!(kept, 0, "nothing of a delivered change stays");
        engine.send(Call::Delete { pks: &["new".to_owned()] }).expect("a deletion");
        assert_eq!(engine.changes(0, 10).expect("changes")[0].number, 5, "no number is used twice");
    }

    #[test]
    fn the_stream_keeps_only_the_changes_that_its_filter_selects() {
        let mut engine = engine();
        let selects = |pk: &str, before: Option<&Item>, after: Option<&Item>| {
            pk == "a" && before.is_none() || pk == "b" && after.is_none()
        };
        engine.settings.streamed = Some(Arc::new(selects));
        engine.execute_all(&[create(["a", "b"], ""), Job::Delete(vec!["a".to_owned(), "b".to_owned()])]);
        let changes = engine.changes(0, 10).expect("changes");
        let changes: Vec<_> = changes.iter().map(|change| (change.pk.as_str(), change.after.is_some())).collect();
        assert_eq!(changes, [("a", true), ("b", false)]);
        assert!(engine.items().expect("items").is_empty());
    }

    #[test]
    fn conditions_hold_for_all_writes_of_a_transaction_or_nothing_is_stored() {
        let mut engine = engine();
        engine.send(Call::Write { pk: "a", write: &put("old", Vec::new()) }).expect("an item");
        let mut check = Write::default();
        check.require(Condition::Exists);
        let absent = BTreeMap::from([("b".to_owned(), check.clone()), ("c".to_owned(), put("new", Vec::new()))]);
        let refused = engine.send(Call::Transact { writes: &absent, token: "1" });
        assert!(matches!(&refused, Err(Refusal::Conditions(failed)) if failed[..] == [(0, None)]), "{refused:?}");
        assert_eq!(keys(&engine), ["a"]);
        let present = BTreeMap::from([("a".to_owned(), check), ("c".to_owned(), put("new", Vec::new()))]);
        let reply = engine.send(Call::Transact { writes: &present, token: "2" }).expect("a commit");
        assert!((reply.units - 4.0).abs() < f64::EPSILON, "a check costs as much as a write: {reply:?}");
    }
}
