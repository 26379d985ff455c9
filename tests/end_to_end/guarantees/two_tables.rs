//! Random calls to two tables, the embedded one and another DynamoDB. Their responses, items and streams are equal.
//!
//! ```sh
//! DYNAMODB=http://127.0.0.1:8000 cargo test -p end-to-end --features aws -- --ignored two_tables --nocapture
//! ```
//!
//! `CALLS` is the number of calls, and `SEED` repeats a run. `UNITS=1` also compares the units, which Amazon's DynamoDB
//! Local counts differently from the bill.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use capture_core::lambda::stream::EventName;
use capture_core::request::Direction;
use capture_core::schema::{Id, Role, StoredValue, is_numeric};
use capture_core::store::{Call, Consistency, DEFAULT_SHARDS, Refusal, Reply, Table};
use capture_core::table::{Condition, IndexRange, Item, Position, Write, WriteKind, number};
use embedded::{EmbeddedTable, TableSettings};
use end_to_end::amount;
use event_capture::remote::{RemoteStream, RemoteTable};
use event_capture::template::Template;
use fastrand::Rng;

/// The number of items.
const ITEMS: usize = 12;
const SHARDS: u64 = DEFAULT_SHARDS;
/// Attributes that are not in any index, by type.
const TEXTS: [&str; 2] = ["message", "name"];
const NUMBERS: [&str; 2] = ["count", "until"];
const SETS: [&str; 2] = ["stamp_ids", "item_ids"];

fn pk(index: usize) -> String {
    format!("events/{index}")
}

/// A call with its data.
#[derive(Clone, Debug)]
enum Drawn {
    Get(Vec<String>, Consistency),
    Query(IndexRange, Direction, usize, Option<Position>),
    Write(String, Write),
    Transact(BTreeMap<String, Write>, String),
    Delete(Vec<String>),
}

impl Drawn {
    fn call(&self) -> Call<'_> {
        match self {
            Self::Get(pks, consistency) => Call::Get { pks, consistency: *consistency },
            Self::Query(range, direction, limit, start) => {
                Call::Query { range, direction: *direction, limit: *limit, start: start.as_ref() }
            }
            Self::Write(pk, write) => Call::Write { pk, write },
            Self::Transact(writes, token) => Call::Transact { writes, token },
            Self::Delete(pks) => Call::Delete { pks },
        }
    }
}

/// A source of random calls.
struct Source {
    rng: Rng,
    /// Whether keys may be longer than an index allows, which dynoxide does not check.
    draws_long_keys: bool,
    /// The last transactions, which may be sent again.
    sent: Vec<(BTreeMap<String, Write>, String)>,
}

impl Source {
    fn one_in(&mut self, count: u32) -> bool {
        self.rng.u32(..count) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.rng.usize(..from.len())]
    }

    fn text(&mut self) -> String {
        let length = match self.rng.u32(..40) {
            0 => self.rng.usize(90_000..200_000),
            1..4 => self.rng.usize(900..5_000),
            _ => self.rng.usize(..30),
        };
        let letter = self.pick(&["a", "é", "z"]);
        letter.repeat(length)
    }

    /// Returns a value for a key attribute, drawn from a few.
    fn key_value(&mut self, name: &str) -> StoredValue {
        let value = self.rng.u32(..3);
        match name {
            "resource" => StoredValue::Text(self.pick(&["events", "users"]).to_owned()),
            _ if is_numeric(name) => number(i64::from(value) - 1),
            _ => StoredValue::Text(self.pick(&["a", "ab", "b", "é", "2026-01-01", "2026-01-02"]).to_owned()),
        }
    }

    /// Returns a value for any attribute. A few are invalid.
    fn value(&mut self, name: &str) -> StoredValue {
        if TEXTS.contains(&name) {
            return StoredValue::Text(self.text());
        }
        if NUMBERS.contains(&name) {
            // A sum of it has no more digits.
            let long = "8".repeat(if self.one_in(100) { 39 } else { 38 });
            return if self.one_in(30) { StoredValue::Number(long) } else { number(self.rng.i64(-1_000..1_000_000)) };
        }
        if SETS.contains(&name) {
            return StoredValue::Ids((1..=self.rng.u64(1..5)).filter_map(Id::new).collect());
        }
        if name == "blob" {
            return StoredValue::Bytes((0..self.rng.usize(1..9)).map(|_| self.rng.u8(..)).collect());
        }
        match self.rng.u32(..200) {
            0 => StoredValue::Text(String::new()),
            1 if self.draws_long_keys => StoredValue::Text("x".repeat(3_000)),
            2 => number(5),
            _ => self.key_value(name),
        }
    }

    fn attributes() -> Vec<&'static str> {
        let keys = Role::ALL.iter().flat_map(|role| role.index().hash.iter().chain(role.index().range)).copied();
        let keys = keys.filter(|name| !["id", "shard"].contains(name));
        let mut names: Vec<_> = keys.chain(TEXTS).chain(NUMBERS).chain(SETS).chain(["blob"]).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    fn condition(&mut self) -> Condition {
        let (numeric, set) = (self.pick(&NUMBERS), self.pick(&SETS));
        let bound = self.rng.i64(-1_000..1_000_000);
        let any = self.pick(&Self::attributes());
        match self.rng.u32(..12) {
            0 => Condition::Exists,
            1 => Condition::Missing,
            2 => Condition::Is(any.to_owned(), None),
            3 => Condition::Is(any.to_owned(), Some(self.value(any))),
            4 => Condition::Has(any),
            5 => Condition::MissingOrBefore(numeric, bound.into()),
            6 => Condition::UnsetOrBefore(numeric, bound.into()),
            7 | 8 => Condition::MaxMembers(set, self.rng.usize(..5)),
            9 | 10 => Condition::Within(Cow::Borrowed(numeric), bound.min(0), bound.max(0) + 500_000),
            _ => Condition::NotWithin(Cow::Borrowed(numeric), bound.into(), i128::from(bound) + 200_000),
        }
    }

    fn write(&mut self, index: usize) -> Write {
        let mut write =
            Write { kind: self.pick(&[WriteKind::Update, WriteKind::Update, WriteKind::Put]), ..Write::default() };
        if self.one_in(6) {
            write.kind = WriteKind::Delete;
        } else {
            let mut names = Self::attributes();
            self.rng.shuffle(&mut names);
            let is_consistent = write.kind == WriteKind::Put || self.one_in(3);
            let count = if is_consistent { self.rng.usize(6..names.len()) } else { self.rng.usize(..4) };
            let mut left = names.split_off(count.min(names.len()));
            for name in names {
                let value = self.value(name);
                write.set.insert(name.to_owned(), value);
            }
            if is_consistent {
                let id = Id::new(index as u64 + 1).expect("an identifier");
                write.set.insert("id".to_owned(), number(id));
                write.sharded_by = (!self.one_in(10)).then_some(id);
            }
            if write.kind == WriteKind::Update {
                // Occasionally, an attribute is in two clauses, which is invalid.
                if self.one_in(150) {
                    left.extend(
                        write.set.keys().next().and_then(|name| Self::attributes().into_iter().find(|one| one == name)),
                    );
                }
                for name in left {
                    match self.rng.u32(..8) {
                        0 => drop(write.remove.insert(name.to_owned())),
                        1 | 2 if NUMBERS.contains(&name) => _ = write.add.insert(name.into(), self.rng.i64(-500..500)),
                        1..3 if SETS.contains(&name) => drop(write.add_members.insert(name, self.members())),
                        3 if SETS.contains(&name) => drop(write.remove_members.insert(name, self.members())),
                        _ => {}
                    }
                }
            }
        }
        for _ in 0..self.rng.u32(..3) {
            let condition = self.condition();
            write.require(condition);
        }
        write
    }

    fn members(&mut self) -> std::collections::BTreeSet<Id> {
        let first = self.rng.u64(1..4);
        (first..=first + self.rng.u64(..3)).filter_map(Id::new).collect()
    }

    fn pks(&mut self) -> Vec<String> {
        let mut all: Vec<_> = (0..=ITEMS).map(pk).collect();
        self.rng.shuffle(&mut all);
        all.truncate(self.rng.usize(1..=ITEMS));
        all
    }

    fn query(&mut self) -> Drawn {
        let role = self.pick(&Role::ALL);
        let index = role.index();
        let partition = index.hash.iter().map(|name| match *name {
            "shard" => number(self.rng.u64(..SHARDS)),
            name => self.key_value(name),
        });
        let partition: Vec<_> = partition.collect();
        let bound = |source: &mut Self| source.pick(&["2026-01-01", "2026-01-02", "a", "b"]).to_owned();
        let is_text = !is_numeric(index.range[0]);
        let lower = (is_text && self.one_in(3)).then(|| bound(self));
        let upper = (is_text && self.one_in(3)).then(|| bound(self));
        let is_prefix = is_text && lower.is_none() && upper.is_none() && self.one_in(3);
        let prefix = if is_prefix { self.pick(&["2026", "a", "é"]).to_owned() } else { String::new() };
        let start = self.one_in(3).then(|| {
            let owner = self.rng.usize(..ITEMS);
            let value = |name: &&str| if *name == "id" { number(owner + 1) } else { self.key_value(name) };
            Position { sort_values: index.range.iter().map(value).collect(), pk: pk(owner) }
        });
        let direction = self.pick(&[Direction::Ascending, Direction::Descending]);
        let range = IndexRange { role, partition, lower, upper, prefix };
        Drawn::Query(range, direction, self.rng.usize(1..8), start)
    }

    fn draw(&mut self) -> Drawn {
        match self.rng.u32(..20) {
            0..2 => Drawn::Get(self.pks(), self.pick(&[Consistency::Strong, Consistency::Eventual])),
            2..8 => self.query(),
            8..15 => {
                let index = self.rng.usize(..ITEMS);
                let write = self.write(index);
                // A check alone is not a call.
                if write.action() == capture_core::table::Action::Check {
                    self.query()
                } else {
                    Drawn::Write(pk(index), write)
                }
            }
            15 => Drawn::Delete(self.pks()),
            _ if self.one_in(8) && !self.sent.is_empty() => {
                let (mut writes, token) = self.sent[self.rng.usize(..self.sent.len())].clone();
                if self.one_in(3) {
                    let index = self.rng.usize(..ITEMS);
                    writes.insert(pk(index), Write { kind: WriteKind::Delete, ..Write::default() });
                }
                Drawn::Transact(writes, token)
            }
            _ => {
                let mut indexes: Vec<_> = (0..ITEMS).collect();
                self.rng.shuffle(&mut indexes);
                let count = self.rng.usize(2..6);
                let writes: BTreeMap<_, _> =
                    indexes[..count].iter().map(|index| (pk(*index), self.write(*index))).collect();
                // DynamoDB rejects a check without a condition.
                let is_valid = |write: &Write| {
                    write.action() != capture_core::table::Action::Check || !write.conditions.is_empty()
                };
                let writes: BTreeMap<_, _> = writes.into_iter().filter(|(_, write)| is_valid(write)).collect();
                if writes.is_empty() {
                    return self.query();
                }
                let token = format!("{:032x}", self.rng.u128(..));
                self.sent.push((writes.clone(), token.clone()));
                if self.sent.len() > 10 {
                    self.sent.remove(0);
                }
                Drawn::Transact(writes, token)
            }
        }
    }
}

/// The parts of a response that must be the same for both tables.
#[derive(Debug, PartialEq)]
enum Answer {
    Done { items: Vec<(String, Item)>, next: Option<Position>, unprocessed: usize, units: Option<u64> },
    Conditions(Vec<(usize, Option<Item>)>),
    Invalid,
}

fn answer(drawn: &Drawn, result: Result<Reply, Refusal>, compares_units: bool) -> Answer {
    match result {
        Ok(Reply { mut items, next, unprocessed, units }) => {
            // The items of a batch are unordered.
            if matches!(drawn, Drawn::Get(..)) {
                items.sort_by(|(one, _), (other, _)| one.cmp(other));
            }
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "half units")]
            let units = compares_units.then_some((units * 2.0) as u64);
            Answer::Done { items, next, unprocessed: unprocessed.len(), units }
        }
        Err(Refusal::Conditions(failed)) => Answer::Conditions(failed),
        Err(Refusal::Invalid(_)) => Answer::Invalid,
        Err(other) => panic!("{drawn:?}: {other:?}"),
    }
}

/// Shortens runs of the same letter.
fn short(text: &str) -> String {
    let (mut short, mut run) = (String::new(), 0);
    let mut last = None;
    for letter in text.chars() {
        run = if last == Some(letter) { run + 1 } else { 0 };
        last = Some(letter);
        if run < 4 {
            short.push(letter);
        }
    }
    short
}

/// A change of an item in a stream.
type Change = (EventName, Option<Item>, Option<Item>);

#[tokio::test]
#[ignore = "needs another DynamoDB; .ci/dynamodb runs it"]
async fn two_tables_answer_alike() {
    let endpoint = std::env::var("DYNAMODB").expect("DYNAMODB is an endpoint");
    let compares_units = std::env::var_os("UNITS").is_some();
    let (calls, seed) = (amount("CALLS", 2_000, 200_000), amount("SEED", fastrand::u64(..), fastrand::u64(..)));
    println!("SEED={seed} CALLS={calls} repeats this run");
    let folder = tempfile::tempdir().expect("a folder");
    let written = tokio::sync::watch::Sender::default();
    let file = folder.path().join("table.sqlite");
    let settings = TableSettings::default();
    let embedded = EmbeddedTable::open(&file, settings.clone(), None, written.clone()).expect("a table");
    let template = Template::read().expect("a template");
    let name = format!("two-tables-{seed}");
    let remote = RemoteTable::open(&endpoint, name, &template, written).await.expect("another table");
    let other = remote.client("local", SHARDS);

    let mut source = Source { rng: Rng::with_seed(seed), draws_long_keys: !compares_units, sent: Vec::new() };
    let mut kinds = BTreeMap::<&str, usize>::new();
    for number in 0..calls {
        let drawn = source.draw();
        let ours = embedded.send(drawn.call()).await;
        let our_log = format!("{ours:?}");
        let ours = answer(&drawn, ours, compares_units);
        let mut theirs = other.send(drawn.call()).await;
        // A busy emulator occasionally rejects a call.
        for _ in 0..5 {
            if !matches!(theirs, Err(Refusal::Busy(_) | Refusal::Conflict)) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
            theirs = other.send(drawn.call()).await;
        }
        let log = format!("{theirs:?}");
        let theirs = answer(&drawn, theirs, compares_units);
        let kind = match &ours {
            Answer::Done { .. } => drawn.call().operation(),
            Answer::Conditions(_) => "refused by conditions",
            Answer::Invalid => "invalid",
        };
        *kinds.entry(kind).or_default() += 1;
        // If a condition fails and something is invalid, either may be reported. Nothing is stored in either case.
        let is_ambiguous = matches!(
            (&ours, &theirs),
            (Answer::Invalid, Answer::Conditions(_)) | (Answer::Conditions(_), Answer::Invalid)
        );
        *kinds.entry("refused for another reason").or_default() += usize::from(is_ambiguous);
        assert!(
            ours == theirs || is_ambiguous,
            "SEED={seed}, call {number}: {}\nembedded: {}\nother: {}",
            short(&format!("{drawn:?}")),
            short(&our_log),
            short(&log)
        );
    }
    println!("{calls} calls, answered alike: {kinds:?}");

    let mut ours = BTreeMap::<String, Vec<Change>>::new();
    for change in embedded.changes(0, usize::MAX).expect("changes") {
        let event = EventName::of(change.before.as_ref(), change.after.as_ref());
        ours.entry(change.pk).or_default().push((event, change.before, change.after));
    }
    let (mut theirs, mut stream) = (BTreeMap::<String, Vec<Change>>::new(), RemoteStream::new(remote));
    let mut quiet = 0;
    while quiet < 3 {
        let mut count = 0;
        for mut page in stream.pages().await.expect("the stream") {
            for record in std::mem::take(&mut page.records) {
                count += 1;
                // DynamoDB does not report a write that changes nothing, but dynoxide does.
                if record.before == record.after {
                    continue;
                }
                theirs.entry(record.pk).or_default().push((record.event, record.before, record.after));
            }
            stream.advance(page).await.expect("the stream");
        }
        quiet = if count == 0 { quiet + 1 } else { 0 };
    }
    for (pk, ours) in &ours {
        let theirs = theirs.get(pk).map(Vec::as_slice).unwrap_or_default();
        let first = ours.iter().zip(theirs).position(|(one, other)| one != other);
        assert_eq!(
            (ours.len(), first),
            (theirs.len(), None),
            "the stream of {pk}: {:?}",
            first.map(|at| (&ours[at], &theirs[at]))
        );
    }
    assert_eq!(ours.len(), theirs.len());
    let engine = embedded::Engine::open(&file, &settings).expect("a table");
    assert_eq!(engine.wrong_entries().expect("entries"), Vec::<String>::new());
    println!("{} changes, in the same order for each item", ours.values().map(Vec::len).sum::<usize>());
}
