//! Histories of concurrent clients, each checked for linearizability. In a linearizable history, each operation takes
//! effect at one moment between its request and its response, in an order that explains all responses. The check is
//! Wing and Gong's (1993), and remembers the states that it has tried, as Lowe's does.
//!
//! `HISTORIES=1000 cargo test linearizability` checks 1,000 histories of each kind.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use end_to_end::faults::Faults;
use end_to_end::{Api, Reply, amount, invariants, options, samples};
use event_capture::{Options, Stack};
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::json;

use crate::guarantees::crash::Process;

const CLIENTS: usize = 4;
const OPERATIONS: i64 = 4;

/// A client's operation on a state that is a single number.
#[derive(Clone, Copy, Debug)]
enum Operation {
    Read,
    Write(i64),
    /// Writes if the state is the value that the client saw.
    Swap(i64, i64),
    Add(i64),
    /// Takes a state that must be free.
    Take,
    /// Frees a state that must be taken.
    Free,
    /// Claims a state for this client. The state must be free or already belong to the client.
    Claim(i64),
    /// Releases a state that may belong to this client.
    Release(i64),
    /// Reads 1 if the state belongs to this client, and 0 otherwise.
    Holds(i64),
}

/// An operation's outcome.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Outcome {
    Value(i64),
    Done,
    Refused,
    /// The operation may or may not have taken effect.
    Unknown,
}

#[derive(Clone, Debug)]
struct Call {
    operation: Operation,
    outcome: Outcome,
    from: Instant,
    /// The time of the response. `None` if the outcome is unknown: the operation may take effect at any later time.
    to: Option<Instant>,
}

/// Returns the possible states after an operation with this outcome, or none if the outcome is impossible.
fn after(state: i64, call: &Call) -> Vec<i64> {
    use Outcome::{Done, Refused, Unknown, Value};
    let only = |holds: bool, state: i64| if holds { vec![state] } else { Vec::new() };
    match (call.operation, call.outcome) {
        (Operation::Read, Value(value)) => only(state == value, state),
        (Operation::Write(new), Done) => vec![new],
        (Operation::Write(new), Unknown) => vec![new, state],
        (Operation::Swap(seen, new), Done) => only(state == seen, new),
        (Operation::Swap(seen, _), Refused) => only(state != seen, state),
        (Operation::Swap(seen, new), Unknown) => {
            if state == seen {
                vec![new, state]
            } else {
                vec![state]
            }
        }
        (Operation::Add(more), Done) => vec![state + more],
        (Operation::Add(more), Unknown) => vec![state + more, state],
        (Operation::Take, Done) => only(state == 0, 1),
        (Operation::Take, Refused) => only(state == 1, 1),
        (Operation::Take, Unknown) => vec![1, state],
        (Operation::Free, Done) => only(state == 1, 0),
        (Operation::Free, Refused) => only(state == 0, 0),
        (Operation::Free, Unknown) => vec![0, state],
        (Operation::Claim(one), Done) => only(state == 0 || state == one, one),
        (Operation::Claim(one), Refused) => only(state != 0 && state != one, state),
        (Operation::Claim(one), Unknown) => only(state == 0, one).into_iter().chain([state]).collect(),
        (Operation::Release(one), Done) => vec![if state == one { 0 } else { state }],
        (Operation::Release(one), Unknown) => only(state == one, 0).into_iter().chain([state]).collect(),
        (Operation::Holds(one), Value(held)) => only(held == i64::from(state == one), state),
        (Operation::Read | Operation::Holds(_), _) => vec![state],
        _ => Vec::new(),
    }
}

/// Returns true if some order explains all outcomes.
fn is_linearizable(calls: &[Call], first: i64) -> bool {
    let all = (1u32 << calls.len()) - 1;
    let (mut open, mut visited) = (vec![(0u32, first)], HashSet::new());
    while let Some((done, state)) = open.pop() {
        if done == all {
            return true;
        }
        let left = || calls.iter().enumerate().filter(move |(position, _)| done & (1 << position) == 0);
        let earliest = left().filter_map(|(_, call)| call.to).min();
        for (position, call) in left().filter(|(_, call)| earliest.is_none_or(|earliest| call.from <= earliest)) {
            for next in after(state, call) {
                if visited.insert((done | 1 << position, next)) {
                    open.push((done | 1 << position, next));
                }
            }
        }
    }
    false
}

/// What a history is about.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// A user's name, written with and without `If-Match`.
    Register,
    /// A wallet.
    Wallet,
    /// The active specimen.
    Slot,
    /// A `platform_id` that several users claim.
    Identity,
    /// A stamp's document, one of two.
    Stamp,
}

const KINDS: [Kind; 5] = [Kind::Register, Kind::Wallet, Kind::Slot, Kind::Identity, Kind::Stamp];

/// The records of a history.
#[derive(Clone)]
struct Place {
    /// The path of the user or the stamp.
    home: String,
    /// The user's own `platform_id` and the contested one, or the two documents.
    pair: [serde_json::Value; 2],
}

/// A client, with the last tag and value that it saw.
struct Client {
    api: Api,
    number: i64,
    position: Place,
    seen: Option<(String, i64)>,
}

fn outcome(reply: &Reply, refused: &[u16]) -> Outcome {
    match reply.status.as_u16() {
        200 | 201 => Outcome::Done,
        status if refused.contains(&status) => Outcome::Refused,
        503 => Outcome::Unknown,
        status => panic!("{status}: {}", String::from_utf8_lossy(&reply.bytes)),
    }
}

impl Client {
    async fn run(&mut self, kind: Kind, choice: u8, value: i64) -> Call {
        let from = Instant::now();
        let Place { home, pair } = &self.position;
        let (operation, outcome) = match (kind, choice % 3) {
            (Kind::Register, 0) => {
                let reply = self.api.patch(home, &json!({"name": value.to_string()})).await;
                (Operation::Write(value), outcome(&reply, &[]))
            }
            (Kind::Register, 1) if self.seen.is_some() => {
                let (tag, seen) = self.seen.clone().expect("it was seen");
                let request = self.api.request(Method::PATCH, home).header("If-Match", tag);
                let reply = self.api.send(request.json(&json!({"name": value.to_string()}))).await;
                (Operation::Swap(seen, value), outcome(&reply, &[412]))
            }
            (Kind::Register, _) => {
                let reply = self.api.get(home).await;
                let name = (reply.status == 200)
                    .then(|| reply.json()["name"].as_str().expect("a name").parse().expect("a number"));
                self.seen = name.map(|name| (reply.header("etag").to_owned(), name));
                (Operation::Read, name.map_or(Outcome::Unknown, Outcome::Value))
            }
            (Kind::Wallet, 0 | 1) => {
                let paid = json!({"amount": value, "description": "x"});
                let reply = self.api.post(&format!("{home}/transactions"), &paid).await;
                (Operation::Add(value), outcome(&reply, &[]))
            }
            (Kind::Wallet, _) => {
                let reply = self.api.get(&format!("{home}/wallet")).await;
                let wallet = (reply.status == 200).then(|| reply.json()["wallet"].as_i64().expect("a number"));
                (Operation::Read, wallet.map_or(Outcome::Unknown, Outcome::Value))
            }
            (Kind::Slot, 0) => {
                let reply = self.api.post(&format!("{home}/specimens"), &json!({})).await;
                (Operation::Take, outcome(&reply, &[409]))
            }
            (Kind::Slot, 1) => {
                let reply = self.api.delete(&format!("{home}/specimen")).await;
                (Operation::Free, outcome(&reply, &[404]))
            }
            (Kind::Slot, _) => {
                let reply = self.api.get(home).await;
                let taken = (reply.status == 200).then(|| i64::from(!reply.json()["specimen"].is_null()));
                (Operation::Read, taken.map_or(Outcome::Unknown, Outcome::Value))
            }
            (Kind::Identity, 0) => {
                let reply = self.api.patch(home, &json!({"platform_id": pair[1]})).await;
                (Operation::Claim(self.number), outcome(&reply, &[409]))
            }
            (Kind::Identity, 1) => {
                let reply = self.api.patch(home, &json!({"platform_id": pair[0]})).await;
                (Operation::Release(self.number), outcome(&reply, &[]))
            }
            (Kind::Identity, _) => {
                let reply = self.api.get(home).await;
                let held = (reply.status == 200).then(|| i64::from(reply.json()["platform_id"] == pair[1]));
                (Operation::Holds(self.number), held.map_or(Outcome::Unknown, Outcome::Value))
            }
            (Kind::Stamp, 0 | 1) => {
                let on = value % 2;
                let to = &pair[usize::from(on == 1)];
                let reply = self.api.patch(home, &json!({"document_id": to["document_id"]})).await;
                (Operation::Write(on), outcome(&reply, &[]))
            }
            (Kind::Stamp, _) => {
                let document = usize::from(fastrand::bool());
                let reply = self.api.get(&format!("/documents/{}", pair[document]["document_id"])).await;
                let rendered = (reply.status == 200).then(|| {
                    let on_it = !reply.json()["stamps"].as_array().expect("a list").is_empty();
                    i64::from(on_it == (document == 1))
                });
                (Operation::Read, rendered.map_or(Outcome::Unknown, Outcome::Value))
            }
        };
        let to = (outcome != Outcome::Unknown).then(Instant::now);
        Call { operation, outcome, from, to }
    }
}

/// Creates a record, retrying until it succeeds.
async fn created(api: &Api, path: &str, body: impl Fn() -> serde_json::Value) -> Reply {
    loop {
        let reply = api.post(path, &body()).await;
        if reply.status == 201 {
            return reply;
        }
    }
}

/// Returns each client's place: the same for all, or a separate user for each.
async fn places(api: &Api, kind: Kind) -> Vec<Place> {
    let user = || created(api, "/users", || json!({"platform_id": samples::unique(), "name": "0"}));
    let home_of = |reply: &Reply| reply.location();
    match kind {
        Kind::Register | Kind::Wallet | Kind::Slot => {
            vec![Place { home: home_of(&user().await), pair: Default::default() }; CLIENTS]
        }
        Kind::Identity => {
            let wanted = json!(samples::unique());
            let of_user = |reply: Reply| Place {
                home: home_of(&reply),
                pair: [reply.json()["platform_id"].clone(), wanted.clone()],
            };
            join_all((0..CLIENTS).map(|_| user())).await.into_iter().map(of_user).collect()
        }
        Kind::Stamp => {
            let stamp = json!({"stamp_type": "heart", "pos_x": 1, "pos_y": -2, "rotation": 0.5});
            let stamped = || samples::merged(samples::document(), &json!({"stamps": [stamp]}));
            let one = created(api, "/documents", stamped).await.json();
            let two = created(api, "/documents", samples::document).await.json();
            let home = format!("/stamps/{}", one["stamps"][0]["stamp_id"]);
            vec![Place { home, pair: [one, two] }; CLIENTS]
        }
    }
}

/// Runs concurrent clients and returns their history.
async fn history(api: &Api, kind: Kind) -> Vec<Call> {
    let places = places(api, kind).await;
    let clients = places.into_iter().zip(0..).map(|(position, client)| {
        let mut client_of = Client { api: api.clone(), number: 1 + client, position, seen: None };
        async move {
            let mut calls = Vec::new();
            for turn in 0..OPERATIONS {
                let value = 1 + client * OPERATIONS + turn;
                calls.push(client_of.run(kind, fastrand::u8(..), value).await);
                tokio::time::sleep(Duration::from_micros(fastrand::u64(0..2_000))).await;
            }
            calls
        }
    });
    join_all(clients).await.concat()
}

#[tokio::test(flavor = "multi_thread")]
async fn histories_are_linearizable_with_and_without_faults() {
    let each: usize = amount("HISTORIES", 8, 100);
    let (well, store) = Api::start_with_store();
    let faulty = Api::faulty(Faults { conflicts: 5, lost_answers: 7, throttled: 13, ..Faults::default() });
    for kind in KINDS {
        let checked = Arc::new(std::sync::atomic::AtomicUsize::new(0));
        for _ in 0..each.div_ceil(8) {
            let histories = (0..8).map(|position| history(if position % 2 == 0 { &well } else { &faulty }, kind));
            for calls in join_all(histories).await {
                assert!(is_linearizable(&calls, 0), "{kind:?}: {}", described(calls));
                checked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            }
        }
        println!("{kind:?}: {checked:?} histories are linearizable");
    }
    invariants::check(&store).await;
}

/// Returns a free port below the range that the system assigns from. It is still free after a kill.
fn unshared_port() -> u16 {
    let is_free = |port: &u16| std::net::TcpListener::bind(("127.0.0.1", *port)).is_ok();
    std::iter::repeat_with(|| fastrand::u16(20_000..32_000)).find(is_free).expect("a free port")
}

/// Kills and restarts the process while the clients write.
#[tokio::test(flavor = "multi_thread")]
async fn histories_with_kills_are_linearizable() {
    let each: usize = amount("HISTORIES", 4, 40);
    let folder = tempfile::tempdir().expect("a folder");
    let port = unshared_port().to_string();
    let first = Process::start_with(folder.path(), &["--port", &port]);
    let api = first.api.clone().outliving();
    let mut process = Some(first);
    let (mut kills, mut unknown, mut rounds) = (0, 0, 0);
    // A fast machine completes many histories before a kill.
    while rounds < each.div_ceil(8) || kills <= each / 4 || unknown <= each / 4 {
        rounds += 1;
        assert!(rounds < 100, "{kills} kills under way, {unknown} calls without a response");
        for kind in KINDS {
            let mut histories = std::pin::pin!(join_all((0..8).map(|_| history(&api, kind))));
            let done = loop {
                tokio::select! {
                    done = &mut histories => break done,
                    () = tokio::time::sleep(Duration::from_millis(fastrand::u64(50..300))) => {
                        process.take().expect("it runs").kill();
                        process = Some(Process::start_with(folder.path(), &["--port", &port]));
                        kills += 1;
                    }
                }
            };
            for calls in done {
                unknown += calls.iter().filter(|call| call.outcome == Outcome::Unknown).count();
                assert!(is_linearizable(&calls, 0), "{kind:?}: {}", described(calls));
            }
        }
    }
    println!("{rounds} rounds, {kills} kills under way, {unknown} calls without a response");
    drop(process);
    let stack = Stack::start(&Options { lambda: None, ..options(folder.path()) }).await.expect("the service starts");
    // A kill may leave images without a record. Enough of them would stop the sweep.
    invariants::check_records(&stack.store).await;
}

/// Formats a history for people: in the order of its requests, with milliseconds.
fn described(mut calls: Vec<Call>) -> String {
    calls.sort_by_key(|call| call.from);
    let first = calls[0].from;
    let millis = |time: Instant| time.duration_since(first).as_secs_f64() * 1_000.0;
    let line = |call: &Call| {
        let to = call.to.map_or_else(|| "?".to_owned(), |to| format!("{:.1}", millis(to)));
        format!("\n{:.1}..{to} {:?} {:?}", millis(call.from), call.operation, call.outcome)
    };
    calls.iter().map(line).collect()
}

#[test]
fn checker_rejects_a_history_without_a_valid_order() {
    let start = Instant::now();
    let at = |millis: u64| start + Duration::from_millis(millis);
    let call = |operation, outcome, from, to| Call { operation, outcome, from: at(from), to: Some(at(to)) };
    let written = call(Operation::Write(1), Outcome::Done, 0, 10);
    let stale = call(Operation::Read, Outcome::Value(0), 20, 30);
    assert!(!is_linearizable(&[written.clone(), stale.clone()], 0), "a read after it does not see the write");
    let early = Call { from: at(5), ..stale };
    assert!(is_linearizable(&[written.clone(), early], 0), "a concurrent one may be first");
    let twice = [call(Operation::Take, Outcome::Done, 0, 10), call(Operation::Take, Outcome::Done, 5, 15)];
    assert!(!is_linearizable(&twice, 0), "two have taken what only one can have");
    let lost = Call { outcome: Outcome::Unknown, to: None, ..written };
    assert!(is_linearizable(&[lost.clone(), call(Operation::Read, Outcome::Value(0), 20, 30)], 0));
    assert!(is_linearizable(&[lost, call(Operation::Read, Outcome::Value(1), 20, 30)], 0));
    let claims = [1, 2].map(|one| call(Operation::Claim(one), Outcome::Done, 0, 10));
    assert!(!is_linearizable(&claims, 0), "two clients hold a value that one can hold");
    let between = call(Operation::Release(1), Outcome::Done, 0, 10);
    assert!(is_linearizable(&[claims[0].clone(), between, claims[1].clone()], 0), "one after the other may have it");
}
