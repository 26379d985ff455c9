//! Deterministic simulation of concurrent requests, in the manner of the simulators of `FoundationDB` and
//! `TigerBeetle`.
//!
//! Two or three requests on the same records run on one thread. A scheduler holds each call to the table and releases
//! one at a time, in an order that a seed decides. The responses and the stored records must match some serial order of
//! the same requests, and all storage invariants must hold. The serial execution is the reference, which `model` checks
//! against an independent model.
//!
//! `SIMULATIONS=10000 cargo test simulation` runs 10,000 schedules. `SIMULATION_SEED=7` runs the schedule of one seed.
//! `SIMULATION_TORN=1` also lets other requests write between the reads of a batch, as on DynamoDB. Of 20,000 such
//! schedules, one still has a response that matches no serial order.

mod refreshes;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use capture_core::error::Code;
use capture_core::lambda::upkeep;
use capture_core::operations::Execution;
use capture_core::request::{Operation, Path, Request, Target, Transfer};
use capture_core::schema::{StoredValue, Timestamp};
use capture_core::store::{Call, Refusal, Reply, Store, Table};
use capture_core::table::Item;
use end_to_end::memory::{Memory, Snapshot};
use end_to_end::{Slice, amount, invariants, is_deep, samples};
use fastrand::Rng;
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, try_join_all};
use http::{HeaderMap, HeaderValue, Method};
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, LocalSet, yield_now};

/// The number of schedules per group of requests.
const SCHEDULES: u64 = 8;
/// The number of turns that all tasks get before the scheduler looks at their calls.
const TURNS: u32 = 4;

/// The number of attempts to store a record while it is being deleted.
const MAX_DELETION: u32 = 60;

/// The shared records, in order of creation. Requests refer to them by name.
const WORLD: [(&str, &str); 19] = [
    ("ann", r#"POST /users {"platform_id": "a", "name": "Ann"}"#),
    ("bob", r#"POST /users {"platform_id": "b", "name": "Bob"}"#),
    ("pet", r#"POST /specimens {"owner_id": $ann}"#),
    ("old", r#"POST /specimens {"owner_id": $ann, "forgotten_at": "2100-01-01T00:00:00Z"}"#),
    ("hat", r#"POST /inventory {"owner_id": $ann, "name": "hat"}"#),
    ("cap", r#"POST /inventory {"owner_id": $ann, "name": "cap", "used_at": "2026-01-01T00:00:00Z"}"#),
    ("paid", r#"POST /users/$ann/transactions {"amount": 5, "description": "x"}"#),
    ("rich", r#"POST /users/$bob/transactions {"amount": 12, "description": "x"}"#),
    ("acorn", r#"POST /products {"name": "acorn", "price": 5, "stock": 2, "item_name": "acorn", "max_per_user": 2}"#),
    ("lamp", r#"POST /products {"name": "lamp", "price": 0}"#),
    ("bought", r#"POST /users/$ann/purchases {"product_id": $acorn}"#),
    ("card", r#"POST /documents {"document_data": "$image", "seal": 1}"#),
    ("heart", r#"POST /stamps {"document_id": $card, $stamp}"#),
    ("star", r#"POST /stamps {"document_id": $card, $stamp}"#),
    ("free", r#"POST /documents {"document_data": "$image", "seal": 2}"#),
    ("dot", r#"POST /stamps {"document_id": $free, $stamp}"#),
    ("shown", r#"POST /events {$plain, "user_id": $ann, "document_id": $card}"#),
    ("bare", r#"POST /events {$plain, "user_id": $ann}"#),
    ("other", r#"POST /events {$plain, "user_id": $bob}"#),
];

/// The requests. Two or three of them run concurrently.
const REQUESTS: &[&str] = &[
    // Upserts.
    r#"POST /events {$plain, "user": {"platform_id": "a", "name": "Anna"}}"#,
    r#"POST /events {$plain, "user": {"platform_id": "a", "name": "Ann"}, "document_id": $free}"#,
    r#"POST /events {$plain, "user": {"platform_id": "c", "name": "Cid"}}"#,
    r#"POST /events {$plain, "user": {"platform_id": "b", "name": "Bo"}, "document": {"document_data": "$image", "seal": 3, "stamps": [{$stamp}]}}"#,
    r#"POST /specimens {"owner": {"platform_id": "b", "name": "Bobby"}}"#,
    r#"POST /specimens {"owner": {"platform_id": "a", "name": "Ann"}}"#,
    r#"POST /inventory {"owner": {"platform_id": "a", "name": "Annie"}, "name": "bow"}"#,
    // Users and renames.
    r#"POST /users {"platform_id": "c", "name": "Cleo"}"#,
    r#"POST /users {"platform_id": "a", "name": "Another"}"#,
    r#"PATCH /users/$ann {"platform_id": "c"}"#,
    r#"PATCH /users/$bob {"platform_id": "a"}"#,
    r#"PATCH /users/$bob {"platform_id": "c", "name": "Rob"}"#,
    r#"PATCH /users/$ann {"name": "Anne"}"#,
    r#"PATCH /users/$ann if-match {"name": "Anja"}"#,
    r#"PATCH /users/$bob if-match {"name": "Bert"}"#,
    "DELETE /users/$ann",
    "DELETE /users/$ann if-match",
    "DELETE /users/$bob",
    // Events and their documents.
    "POST /users/$ann/events {$plain}",
    r#"POST /events {$plain, "user_id": $ann, "document_id": $free}"#,
    r#"PATCH /events/$shown {"message": "changed"}"#,
    r#"PATCH /events/$shown if-match {"message": "changed too"}"#,
    "DELETE /events/$shown",
    "DELETE /events/$shown if-match",
    r#"POST /events/$bare/document {"document_data": "$image", "seal": 4}"#,
    "DELETE /events/$bare",
    r#"PATCH /documents/$card {"seal": 5}"#,
    r#"PATCH /documents/$card {"document_data": "$image"}"#,
    r#"PATCH /documents/$card if-match {"metadata": "$long"}"#,
    r#"PATCH /documents/$free {"metadata": "$long"}"#,
    "DELETE /documents/$card",
    "DELETE /documents/$card if-match",
    "DELETE /documents/$free",
    // Stamps: one, many, moves.
    r#"POST /stamps {"document_id": $card, $stamp}"#,
    r#"PUT /stamps [{"document_id": $card, $stamp}, {"document_id": $free, $stamp}]"#,
    "PUT /documents/$card/stamps [{$stamp}, {$stamp}]",
    r#"PATCH /stamps/$heart {"pos_x": 7}"#,
    r#"PATCH /stamps/$heart if-match {"pos_x": 8}"#,
    r#"PATCH /stamps/$heart {"stamp_type": "much longer"}"#,
    r#"PATCH /stamps/$heart {"document_id": $free}"#,
    r#"PATCH /stamps/$dot {"document_id": $card}"#,
    "DELETE /stamps/$heart",
    "DELETE /stamps/$heart if-match",
    // Specimens: forgotten, restored, moved.
    r#"PATCH /specimens/$pet {"forgotten_at": "2100-01-01T00:00:00Z"}"#,
    r#"PATCH /users/$ann/specimen if-match {"forgotten_at": "2100-01-01T00:00:00Z"}"#,
    r#"PATCH /specimens/$old {"forgotten_at": null}"#,
    r#"PATCH /specimens/$pet {"owner_id": $bob}"#,
    r#"PATCH /specimens/$pet if-match {"owner_id": $bob}"#,
    "POST /users/$ann/specimen {}",
    "DELETE /users/$ann/specimen",
    "DELETE /specimens/$pet if-match",
    // Items.
    r#"PATCH /inventory/$hat {"used_at": "2026-06-01T00:00:00Z"}"#,
    r#"PATCH /inventory/$hat if-match {"quantity": 3}"#,
    r#"PATCH /inventory/$cap {"used_at": null}"#,
    r#"PATCH /inventory/$hat {"metadata": "$long"}"#,
    "DELETE /inventory/$hat",
    "DELETE /inventory/$cap if-match",
    // Transactions and keys.
    r#"POST /users/$ann/transactions {"amount": -3, "description": "y"}"#,
    r#"POST /users/$ann/transactions {"amount": 9007199254740980, "description": "much"}"#,
    r#"POST /users/$ann/transactions key {"amount": 7, "description": "z"}"#,
    r#"POST /users key {"platform_id": "c", "name": "Key"}"#,
    r#"POST /documents key {"document_data": "$image", "seal": 9}"#,
    // Purchases and transfers.
    r#"POST /users/$bob/purchases {"product_id": $acorn}"#,
    r#"POST /users/$bob/purchases {"product_id": $acorn, "quantity": 2}"#,
    r#"POST /users/$bob/purchases key {"product_id": $acorn, "price": 5}"#,
    r#"POST /users/$ann/purchases {"product_id": $lamp}"#,
    r#"PATCH /purchases/$bought {"status": "fulfilled"}"#,
    r#"PATCH /purchases/$bought {"status": "refunded"}"#,
    r#"PATCH /purchases/$bought if-match {"status": "refunded"}"#,
    r#"PATCH /products/$acorn {"price": 3}"#,
    r#"PATCH /products/$acorn if-match {"price": 4, "stock": 9}"#,
    r#"PATCH /products/$acorn {"stock": null}"#,
    r#"PATCH /products/$lamp {"name": "ACORN"}"#,
    "DELETE /products/$acorn",
    r#"POST /products {"name": "Lamp", "price": 1}"#,
    r#"POST /users/$bob/transfers {"to_user_id": $ann, "amount": 10, "description": "t"}"#,
    r#"POST /users/$ann/transfers {"to_user_id": $bob, "amount": 1, "description": "u"}"#,
    r#"PUT /purchases/8888888888888808 {"user_id": $bob, "product_id": $acorn, "price": 1, "name": "acorn", "status": "pending", "transaction_id": 8888888888888809}"#,
    // Complete records.
    r#"PUT /users/8888888888888801 {"platform_id": "c", "name": "Cleo"}"#,
    r#"PUT /users/8888888888888801 key {"platform_id": "c", "name": "Cleo"}"#,
    r#"PUT /users/8888888888888801 {"platform_id": "d", "name": "Dan"}"#,
    r#"PUT /users/$ann {"platform_id": "a", "name": "Ann"}"#,
    r#"PUT /users/$bob {"platform_id": "b", "name": "Bob"}"#,
    r#"PUT /documents/8888888888888802 {"document_data": "$image", "seal": 2}"#,
    r#"PUT /documents/$free {"document_data": "$image", "seal": 2}"#,
    r#"PUT /documents/$card {"document_data": "$image", "seal": 1}"#,
    r#"PUT /events/8888888888888803 {$plain, "user_id": $ann, "document_id": $free}"#,
    r#"PUT /events/8888888888888803 {$plain, "user_id": $bob}"#,
    r#"PUT /events/$bare {$plain, "user_id": $ann}"#,
    r#"PUT /events/$shown {$plain, "user_id": $ann, "document_id": $card}"#,
    r#"PUT /stamps/8888888888888804 {"document_id": $card, $stamp}"#,
    r#"PUT /stamps/8888888888888804 {"document_id": $free, $stamp}"#,
    r#"PUT /stamps/$heart {"document_id": $card, $stamp}"#,
    r#"PUT /specimens/8888888888888805 {"owner_id": $ann}"#,
    r#"PUT /specimens/$pet {"owner_id": $ann}"#,
    r#"PUT /inventory/8888888888888806 {"owner_id": $ann, "name": "hat"}"#,
    r#"PUT /inventory/$hat {"owner_id": $ann, "name": "hat"}"#,
    r#"PUT /transactions/8888888888888807 {"user_id": $ann, "amount": 9007199254740980, "description": "much"}"#,
    // Reads.
    "GET /users/$ann",
    "GET /users/$ann/wallet",
    "GET /users/$ann/specimen",
    "GET /specimens/$pet",
    "GET /events/$shown",
    "GET /events/$bare/document",
    "GET /documents/$card",
    "GET /documents/$free",
    "GET /inventory/$hat",
    "GET /products/$acorn",
    "GET /purchases/$bought",
    "GET /users/$bob/purchases",
    "GET /users",
    "GET /events",
    "GET /documents",
    "GET /documents?stamp_type=heart",
    "GET /specimens?forgotten=false",
    "GET /users/$ann/inventory",
    "GET /users?platform_id=a",
];

/// The requests that run while a user is deleted and stored again.
const MEANWHILE: &[&str] = &[
    "POST /users/$ann/events {$plain}",
    r#"POST /events {$plain, "user_id": $ann, "document_id": $free}"#,
    r#"POST /events {$plain, "user": {"platform_id": "a", "name": "Anna"}}"#,
    r#"POST /specimens {"owner_id": $ann, "forgotten_at": "2100-01-01T00:00:00Z"}"#,
    "POST /users/$ann/specimen {}",
    r#"POST /inventory {"owner_id": $ann, "name": "bow"}"#,
    r#"POST /users/$ann/transactions {"amount": -3, "description": "y"}"#,
    r#"PUT /events/$bare {$plain, "user_id": $ann}"#,
    r#"PUT /specimens/$pet {"owner_id": $ann}"#,
    r#"PATCH /specimens/$pet {"owner_id": $bob}"#,
    r#"PATCH /events/$bare {"message": "changed"}"#,
    "DELETE /users/$ann",
    "GET /users/$ann",
];

tokio::task_local! {
    /// The index of the request that a task executes.
    static REQUEST: usize;
}

/// A call that waits for its release: the index of its request, its description, and its permit.
type HeldCall = (usize, String, oneshot::Sender<()>);

/// A layer in front of a table that holds requests' calls and forwards all others.
#[derive(Clone, Debug)]
struct Scheduler {
    table: Arc<dyn Table>,
    held: Arc<Mutex<Vec<HeldCall>>>,
    /// Whether other requests can write between the reads of a batch.
    is_torn: bool,
}

impl Scheduler {
    /// Waits for a call's release.
    async fn hold(&self, request: usize, call: &Call<'_>) {
        let (permit, permitted) = oneshot::channel();
        self.held.lock().expect("a lock").push((request, described_call(call), permit));
        permitted.await.expect("a permit");
    }
}

impl Table for Scheduler {
    fn send<'a>(&'a self, call: Call<'a>) -> BoxFuture<'a, Result<Reply, Refusal>> {
        let Ok(request) = REQUEST.try_with(|request| *request) else { return self.table.send(call) };
        async move {
            let (pks, consistency) = match call {
                Call::Get { pks, consistency } if self.is_torn => (pks, consistency),
                _ => {
                    self.hold(request, &call).await;
                    return self.table.send(call).await;
                }
            };
            // DynamoDB reads the items of a batch one by one.
            let read = async |pk: &'a String| {
                let call = Call::Get { pks: std::slice::from_ref(pk), consistency };
                self.hold(request, &call).await;
                self.table.send(call).await
            };
            let mut whole = Reply::default();
            for reply in try_join_all(pks.iter().map(read)).await? {
                whole.items.extend(reply.items);
                whole.units += reply.units;
            }
            Ok(whole)
        }
        .boxed()
    }
}

/// Describes a call by its operation and its keys.
fn described_call(call: &Call<'_>) -> String {
    let keys = match call {
        Call::Get { pks, .. } | Call::Delete { pks } => pks.join(" "),
        Call::Query { range, .. } => format!("{} {:?}", range.role.index().name, range.partition),
        Call::Write { pk, .. } => (*pk).to_owned(),
        Call::Transact { writes, .. } => writes.keys().cloned().collect::<Vec<_>>().join(" "),
    };
    format!("{} {keys}", call.operation())
}

/// A request, ready to be sent.
#[derive(Clone, Debug)]
struct Sent {
    line: String,
    method: Method,
    path: String,
    query: String,
    headers: HeaderMap,
    body: String,
}

/// The response to a request.
#[derive(Clone, Debug)]
struct Answered {
    status: u16,
    body: Value,
}

/// The initial state of every run.
struct World {
    memory: Memory,
    snapshot: Snapshot,
    names: BTreeMap<&'static str, String>,
    /// The identifiers and images that exist before the requests.
    known: BTreeSet<String>,
    now: Timestamp,
    is_torn: bool,
}

impl World {
    /// Creates the records.
    async fn new(is_torn: bool) -> Self {
        fastrand::seed(1);
        let memory = Memory::new();
        let stamp = r#""stamp_type": "heart", "pos_x": 1, "pos_y": 2, "rotation": 0"#;
        let plain =
            r#""event_type": "plain", "message": "hello", "user_name": "Ann", "occurred_at": "2026-01-01T00:00:00Z""#;
        let image = samples::document()["document_data"].as_str().expect("an image").to_owned();
        let mut names = BTreeMap::from([
            ("image", image),
            ("stamp", stamp.to_owned()),
            ("plain", plain.to_owned()),
            ("long", "long ".repeat(300)),
        ]);
        let now = Timestamp::parse("2026-11-20T12:00:00Z").expect("a time");
        let store = memory.store(|table| table);
        let mut known = BTreeSet::new();
        for (name, line) in WORLD {
            let answered = answer(&store, now, &parse(line, &names)).await;
            assert_eq!(answered.status, 201, "{line}: {}", answered.body);
            let id = answered.body.as_object().and_then(|fields| fields.values().next()).map(Value::to_string);
            known.extend(identities(&answered.body));
            names.insert(name, id.expect("an identifier"));
        }
        let snapshot = memory.save();
        Self { memory, snapshot, names, known, now: now.checked_add(time::Duration::MINUTE).expect("a time"), is_torn }
    }

    /// Returns a request. With `if-match`, it has the tag of its record before all requests.
    async fn sent(&self, line: &str) -> Sent {
        let mut sent = parse(line, &self.names);
        if sent.headers.remove("if-match").is_some() {
            let store = self.memory.store(|table| table);
            let execution = Execution { store, now: self.now, base: String::new(), token_id: String::new() };
            let read = Operation::Read(Path::parse(&sent.path).expect("a path"), None);
            let tag = execution.run(read).await.expect("a record").etag.expect("a tag");
            sent.headers.insert("if-match", HeaderValue::from_str(&tag).expect("a tag"));
        }
        sent
    }

    /// Checks the storage invariants.
    async fn check(&self) -> Result<(), String> {
        let store = self.memory.store(|table| table);
        let wrong = self.memory.engine().wrong_entries().expect("the table");
        if !wrong.is_empty() {
            return Err(format!("wrong entries of indexes: {wrong:?}"));
        }
        let checked = std::panic::AssertUnwindSafe(invariants::check(&store)).catch_unwind().await;
        checked.map_err(|panic| panic.downcast_ref::<String>().cloned().unwrap_or_default())
    }

    fn restore(&mut self) {
        self.memory.restore(&self.snapshot);
    }

    /// Runs requests one after another in this order and returns their responses.
    async fn run_serially(&mut self, sent: &[Sent], order: &[usize]) -> Vec<Answered> {
        self.restore();
        let store = self.memory.store(|table| table);
        let mut answers = vec![None; sent.len()];
        for position in order {
            answers[*position] = Some(answer(&store, self.now, &sent[*position]).await);
        }
        self.finish_deletions().await;
        answers.into_iter().map(|answered| answered.expect("an answer")).collect()
    }

    /// Runs the upkeep if a deletion is pending. It also deletes an event that a single write has added in the
    /// meantime.
    async fn finish_deletions(&self) {
        if self.memory.items().keys().any(|pk| pk.starts_with("tombstones/")) {
            let later = self.now.checked_add(time::Duration::minutes(2)).expect("a time");
            let deadline = Instant::now() + Duration::from_mins(1);
            let report = upkeep::run(&self.memory.store(|table| table), later, deadline).await.expect("the upkeep");
            assert_eq!(report.deletions_left, 0, "deletions end");
        }
    }

    /// Runs requests concurrently, with their calls in an order that `rng` decides. Returns the responses and that
    /// order.
    async fn run_at_once(&mut self, sent: &[Sent], rng: &mut Rng) -> (Vec<Answered>, String) {
        self.restore();
        let (held, is_torn) = (Arc::new(Mutex::new(Vec::new())), self.is_torn);
        let front = |table| Arc::new(Scheduler { table, held: Arc::clone(&held), is_torn }) as Arc<dyn Table>;
        let store = self.memory.store(front);
        let (tasks, now) = (LocalSet::new(), self.now);
        let answered = tasks
            .run_until(async {
                let spawn = |(position, sent): (usize, &Sent)| {
                    let (store, sent) = (store.for_request(), sent.clone());
                    tokio::task::spawn_local(REQUEST.scope(position, async move { answer(&store, now, &sent).await }))
                };
                let running: Vec<_> = sent.iter().enumerate().map(spawn).collect();
                let schedule = release_all(&running, &held, rng).await;
                let mut answers = Vec::new();
                for task in running {
                    answers.push(task.await.expect("no panic"));
                }
                (answers, schedule)
            })
            .await;
        self.finish_deletions().await;
        answered
    }

    /// Renders the responses and the stored items without the differences between runs. The identifiers and images of
    /// new records are numbered in the order of the responses, and lists are sorted.
    fn canonical(&self, sent: &[Sent], answers: &[Answered]) -> String {
        let mut numbers = BTreeMap::new();
        let mut succeeded: Vec<_> = answers.iter().filter(|answered| answered.status < 400).collect();
        // A creation names its own records: they may or may not be in another response.
        succeeded.sort_by_key(|answered| answered.status != 201);
        for id in succeeded.into_iter().flat_map(|answered| identities(&answered.body)) {
            let next = numbers.len();
            if !self.known.contains(&id) {
                numbers.entry(id).or_insert_with(|| format!("new-{next}"));
            }
        }
        let name = |id: &str| numbers.get(id).cloned().unwrap_or_else(|| id.to_owned());
        let mut text = String::new();
        for (sent, Answered { status, body }) in sent.iter().zip(answers) {
            let body = if *status >= 400 { Value::Null } else { sorted(&sent.comparable(body), &name) };
            let _ = writeln!(text, "{}\n  {status} {body}", sent.line);
        }
        // The text is replaced, since keys also contain the identifiers.
        let rename = |text: String| {
            let name = |id: &str| id.trim_matches('"').trim_start_matches("/images/").to_owned();
            numbers.iter().fold(text, |text, (id, number)| text.replace(&name(id), number))
        };
        let items = self.memory.items();
        let mut items: Vec<_> = items.iter().filter_map(|(pk, item)| described(pk, item, &rename)).collect();
        items.sort_unstable();
        text + &items.join("\n")
    }
}

/// Renders an item's key and attributes. Returns `None` for a tombstone, a checkpoint, or an item that expires.
fn described(pk: &str, item: &Item, rename: &impl Fn(String) -> String) -> Option<String> {
    let passes = pk.starts_with("tombstones/") || pk.starts_with("checkpoints/") || item.contains_key("expires_at");
    // A record without a time has the time of its identifier, which is random.
    let drawn = if pk.starts_with("stamps/") { "time" } else { "shard" };
    // The digest of a cause is derived from an identifier.
    let digest = if pk.starts_with("transactions/") { "text_3" } else { "shard" };
    let attributes = item.iter().filter(|(name, _)| !["shard", drawn, digest].contains(&name.as_str()));
    let text = |(name, value): (&String, &StoredValue)| {
        let value = match value {
            StoredValue::Text(text) | StoredValue::Number(text) => rename(text.clone()),
            StoredValue::Bytes(bytes) => format!("{bytes:x?}"),
            StoredValue::Ids(ids) => {
                let mut ids: Vec<_> = ids.iter().map(|id| rename(id.to_string())).collect();
                ids.sort_unstable();
                ids.join(",")
            }
        };
        format!("{name}={value}")
    };
    let attributes: Vec<_> = attributes.map(text).collect();
    (!passes).then(|| format!("{}: {}", rename(pk.to_owned()), attributes.join(" ")))
}

impl Sent {
    /// Returns true for a list, which is not a snapshot, although each of its records is.
    fn is_list(&self) -> bool {
        self.method == Method::GET && matches!(Path::parse(&self.path).map(|path| path.target()), Ok(Target::Many(_)))
    }

    /// Returns the part of a response that one serial order must explain. A read, or a write with `If-Match`, sees a
    /// consistent state. Other writes do not: their responses may contain older versions of unchanged parts.
    fn comparable(&self, body: &Value) -> Value {
        match body {
            _ if self.is_list() => Value::Null,
            Value::Object(fields) if self.method != Method::GET && !self.headers.contains_key("if-match") => {
                fields.iter().take(1).map(|(name, value)| (name.clone(), value.clone())).collect()
            }
            body => body.clone(),
        }
    }
}

/// Returns the members that relate records to each other.
fn structure(body: &Value) -> Value {
    match body {
        Value::Object(fields) => {
            let is_active = |name: &str, value: &Value| {
                is_identity(name)
                    || ["forgotten_at", "used_at"].contains(&name)
                    || value.is_object()
                    || value.is_array()
            };
            let active = fields.iter().filter(|(name, value)| is_active(name, value));
            Value::Object(active.map(|(name, value)| (name.clone(), structure(value))).collect())
        }
        Value::Array(elements) => elements.iter().map(structure).collect(),
        value => value.clone(),
    }
}

/// Releases held calls, one at a time, until all requests are answered.
async fn release_all<T>(running: &[JoinHandle<T>], held: &Mutex<Vec<HeldCall>>, rng: &mut Rng) -> String {
    let (mut schedule, mut last) = (String::new(), usize::MAX);
    loop {
        for _ in 0..TURNS {
            yield_now().await;
        }
        let waits = |request: usize| held.lock().expect("a lock").iter().any(|(of, ..)| *of == request);
        let mut open = running.iter().enumerate().filter(|(_, task)| !task.is_finished()).peekable();
        if open.peek().is_none() {
            return schedule;
        }
        if !open.all(|(request, _)| waits(request)) {
            // A request waits before its next attempt or decodes an image.
            tokio::time::sleep(Duration::from_millis(1)).await;
            continue;
        }
        let (request, call, permit) = {
            let mut held = held.lock().expect("a lock");
            held.sort_by(|(one, first, _), (other, second, _)| (one, first).cmp(&(other, second)));
            // A request often continues for several calls, as if it were faster than the others.
            let same = held.iter().position(|(request, ..)| *request == last).filter(|_| rng.bool());
            let next = same.unwrap_or_else(|| rng.usize(..held.len()));
            held.remove(next)
        };
        last = request;
        let _ = writeln!(schedule, "    {request}: {call}");
        let _ = permit.send(());
    }
}

/// Parses a line such as `PATCH /users/$ann if-match {"name": "Anne"}`.
fn parse(line: &str, names: &BTreeMap<&'static str, String>) -> Sent {
    let mut whole = line.to_owned();
    for (name, text) in names {
        whole = whole.replace(&format!("${name}"), text);
    }
    let (head, body) = whole.find(['{', '[']).map_or((whole.as_str(), ""), |start| whole.split_at(start));
    let mut words = head.split_whitespace();
    let method = words.next().expect("a method").parse().expect("a method");
    let target = words.next().expect("a path");
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let mut headers = HeaderMap::new();
    headers.insert("content-type", HeaderValue::from_static("application/json"));
    for word in words {
        match word {
            "if-match" => headers.insert("if-match", HeaderValue::from_static("*")),
            "key" => headers.insert("idempotency-key", HeaderValue::from_static("key")),
            other => panic!("{other} in {line}"),
        };
    }
    Sent {
        line: line.to_owned(),
        method,
        path: path.to_owned(),
        query: query.to_owned(),
        headers,
        body: body.to_owned(),
    }
}

/// Executes a request.
async fn answer(store: &Store, now: Timestamp, sent: &Sent) -> Answered {
    let execution = Execution { store: store.clone(), now, base: String::new(), token_id: String::new() };
    let mut attempts = 0;
    let replied = loop {
        let Sent { method, path, query, headers, body, .. } = sent.clone();
        let request = Request { method, path: path.clone(), query, headers, body: body.into() };
        let replied = async {
            let path = Path::parse(&path)?;
            match path.target() {
                Target::Action(_) => Box::pin(execution.transfer(Transfer::parse(Some(path), request)?, true)).await,
                _ => Box::pin(execution.run_with_economy(Operation::parse(path, request)?)).await,
            }
        };
        let replied = replied.await;
        // A client waits while a record is being deleted. Children of a deleted user wait until the user is stored
        // again.
        let is_deleting = replied.as_ref().is_err_and(|error| error.code() == Code::DeletionInProgress);
        attempts += 1;
        if !is_deleting || attempts == MAX_DELETION {
            break replied;
        }
    };
    match replied {
        Ok(reply) => {
            Answered { status: reply.status.as_u16(), body: serde_json::from_str(&reply.body).unwrap_or_default() }
        }
        Err(error) => Answered { status: error.status().as_u16(), body: error.to_problem("", "") },
    }
}

/// Returns true if a field contains an identifier that the service assigns, or an image.
fn is_identity(field: &str) -> bool {
    (field.ends_with("_id") && field != "platform_id") || field == "document_data"
}

/// Returns the identifiers and images in a body.
fn identities(body: &Value) -> Vec<String> {
    match body {
        Value::Object(fields) => {
            let own = fields.iter().filter(|(name, value)| is_identity(name) && !value.is_null());
            let own: Vec<_> = own.map(|(_, value)| value.to_string()).collect();
            own.into_iter().chain(fields.values().flat_map(identities)).collect()
        }
        Value::Array(elements) => elements.iter().flat_map(identities).collect(),
        _ => Vec::new(),
    }
}

/// Returns a body with sorted lists and replaced names for identifiers and images.
fn sorted(body: &Value, name: &impl Fn(&str) -> String) -> Value {
    match body {
        Value::Object(fields) => {
            let field = |(field, value): (&String, &Value)| {
                let is_named = is_identity(field) && !value.is_null();
                (field.clone(), if is_named { json!(name(&value.to_string())) } else { sorted(value, name) })
            };
            Value::Object(fields.iter().map(field).collect())
        }
        Value::Array(elements) => {
            let mut elements: Vec<_> = elements.iter().map(|element| sorted(element, name)).collect();
            elements.sort_by_cached_key(Value::to_string);
            Value::Array(elements)
        }
        value => value.clone(),
    }
}

/// Returns all orders of `count` requests.
fn orders(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let insert = |order: Vec<usize>| {
        (0..count).map(move |position| {
            let mut longer = order.clone();
            longer.insert(position, count - 1);
            longer
        })
    };
    orders(count - 1).into_iter().flat_map(insert).collect()
}

/// The results of some requests' serial orders, computed on demand.
struct Reference {
    sent: Vec<Sent>,
    orders: Vec<Vec<usize>>,
    results: BTreeSet<String>,
    /// The records that lists return in any of these orders.
    listed: BTreeSet<String>,
}

impl Reference {
    fn of(sent: Vec<Sent>) -> Self {
        let orders = orders(sent.len());
        Self { sent, orders, results: BTreeSet::new(), listed: BTreeSet::new() }
    }

    /// Runs serial orders until one has this result and lists these records. Returns false if none does.
    async fn explains(&mut self, world: &mut World, result: &str, listed: &BTreeSet<String>) -> bool {
        loop {
            if self.results.contains(result) && listed.is_subset(&self.listed) {
                return true;
            }
            let Some(order) = self.orders.pop() else { return false };
            let answers = world.run_serially(&self.sent, &order).await;
            self.listed.extend(shown_in_lists(world, &self.sent, &answers));
            self.results.insert(world.canonical(&self.sent, &answers));
            world.check().await.expect("serial requests keep the invariants");
        }
    }
}

/// Returns the records in the responses to lists, each with its related records.
fn shown_in_lists(world: &World, sent: &[Sent], answers: &[Answered]) -> BTreeSet<String> {
    let lists = sent.iter().zip(answers).filter(|(sent, _)| sent.is_list());
    let records = lists.flat_map(|(_, answered)| answered.body.as_array().cloned().unwrap_or_default());
    let name = |id: &str| if world.known.contains(id) { id } else { "new" }.to_owned();
    records.map(|record| sorted(&structure(&record), &name).to_string()).collect()
}

/// Runs one seed's schedule. The error describes a violation.
async fn run(world: &mut World, reference: &mut Reference, seed: u64) -> Result<(), String> {
    fastrand::seed(seed);
    let (answers, schedule) = world.run_at_once(&reference.sent, &mut Rng::with_seed(seed)).await;
    let result = world.canonical(&reference.sent, &answers);
    let listed = shown_in_lists(world, &reference.sent, &answers);
    // If a serial order has the same result, its invariants are checked there.
    let checked = if reference.results.contains(&result) { Ok(()) } else { world.check().await };
    let wrong = match checked {
        Err(violation) => format!("an invariant of storage does not hold: {violation}"),
        Ok(()) if reference.explains(world, &result, &listed).await => return Ok(()),
        Ok(()) => "no serial order has this result".to_owned(),
    };
    let serial: BTreeSet<_> = reference.results.iter().flat_map(|result| result.lines()).collect();
    let marked = |line| format!("{} {line}\n", if serial.contains(line) { ' ' } else { '!' });
    let marked: String = result.lines().map(marked).collect();
    let unlisted: Vec<_> = listed.difference(&reference.listed).cloned().collect();
    Err(format!("{wrong}\n{marked}  listed by no serial order: {unlisted:#?}\n  the calls:\n{schedule}"))
}

/// Picks two or three requests, most of which name a record of the first.
fn drawn(rng: &mut Rng) -> Vec<&'static str> {
    let mut generate = || REQUESTS[rng.usize(..REQUESTS.len())];
    let mut lines = vec![generate()];
    let named = |line: &str| {
        WORLD.map(|(name, _)| line.contains(&format!("${name}")) || line.contains(&format!("id\": \"{}\"", &name[..1])))
    };
    let first = named(lines[0]);
    let is_near = |line: &&str| named(line).iter().zip(first).any(|(one, other)| *one && other);
    for _ in 0..2 {
        let candidates = [generate(), generate(), generate()];
        lines.push(candidates.iter().copied().find(is_near).unwrap_or(candidates[0]));
    }
    lines.truncate(rng.usize(2..=3));
    lines
}

/// Runs the schedules of some groups of requests, each of which `lines` returns. Returns their number, and the failures
/// with their seeds.
async fn run_groups(
    groups: impl Iterator<Item = u64>,
    only: Option<u64>,
    lines: fn(u64) -> Vec<&'static str>,
    is_torn: bool,
) -> (u64, Vec<String>) {
    let mut world = Box::pin(World::new(is_torn)).await;
    let (mut count, mut wrong) = (0, Vec::new());
    for group in groups {
        world.restore();
        let mut sent = Vec::new();
        for line in lines(group) {
            sent.push(world.sent(line).await);
        }
        let mut reference = Reference::of(sent);
        let seeds = group * SCHEDULES..(group + 1) * SCHEDULES;
        for seed in seeds.filter(|seed| only.is_none_or(|only| only == *seed)) {
            count += 1;
            if let Err(violation) = run(&mut world, &mut reference, seed).await {
                wrong.push(format!("SIMULATION_SEED={seed}: {violation}"));
                break;
            }
        }
    }
    (count, wrong)
}

#[test]
fn concurrent_requests_take_effect_in_a_serial_order() {
    check_schedules(amount("SIMULATIONS", 60, 1_000_u64).div_ceil(SCHEDULES), |group| {
        drawn(&mut Rng::with_seed(group))
    });
}

/// The first schedule buys a product and reads the record before its deletion, and the state after it. The second
/// stores an event again and reads its document before the deletion of both.
#[tokio::test]
async fn record_that_is_deleted_while_a_batch_reads_it_is_read_again() {
    for seed in [43_206, 52_586] {
        let groups = std::iter::once(seed / SCHEDULES);
        let (count, wrong) = run_groups(groups, Some(seed), |group| drawn(&mut Rng::with_seed(group)), true).await;
        assert_eq!((count, wrong), (1, Vec::new()));
    }
}

#[test]
fn requests_on_a_user_that_is_stored_again_take_effect_in_a_serial_order() {
    // Half of the requests, or each of them in as many rounds.
    let halves = if is_deep() { 2 * amount("SIMULATIONS", 120, 1_000_u64).div_ceil(120) } else { 1 };
    check_schedules(halves * (MEANWHILE.len() as u64).div_ceil(2), |group| {
        let position = usize::try_from(group).expect("a position") % MEANWHILE.len();
        vec!["DELETE /users/$ann", r#"PUT /users/$ann {"platform_id": "a", "name": "Ann"}"#, MEANWHILE[position]]
    });
}

/// Returns the requests with an ETag, which covers the name of the user that their record embeds.
fn with_etags() -> Vec<&'static str> {
    REQUESTS.iter().copied().filter(|line| line.contains(" if-match")).collect()
}

#[test]
fn requests_with_an_etag_beside_a_rename_take_effect_in_a_serial_order() {
    check_schedules(with_etags().len() as u64, |group| {
        let lines = with_etags();
        let position = usize::try_from(group).expect("a position") % lines.len();
        vec![lines[position], r#"PATCH /users/$ann {"name": "Anne"}"#]
    });
}

/// Checks the schedules of several groups of requests.
fn check_schedules(groups: u64, lines: fn(u64) -> Vec<&'static str>) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let only = number("SIMULATION_SEED");
    let first = number("SIMULATION_FIRST").unwrap_or_else(|| Slice::of_this_run().seed() * groups);
    let range = only.map_or(first..first + groups, |seed| seed / SCHEDULES..seed / SCHEDULES + 1);
    let (started, is_torn) = (Instant::now(), number("SIMULATION_TORN").is_some());
    let halves = [0, 1].map(|half| {
        let groups = range.clone().filter(move |group| group % 2 == half);
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(run_groups(groups, only, lines, is_torn))
        })
    });
    let (mut count, mut wrong) = (0, Vec::new());
    for half in halves {
        let (of, failures) = half.join().expect("no panic");
        count += of;
        wrong.extend(failures);
    }
    println!("{count} schedules in {:.1} s, {} failed", started.elapsed().as_secs_f64(), wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
