//! A gate in front of the stores that records their calls and injects faults into chosen ones. A process under test can
//! also have one: [`serve`] reads commands from its standard input.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use capture_core::schema::Key;
use capture_core::store::{Bucket, BucketCall, Call, Fault as Cause, Refusal, Reply, StoredImage, Table};
use event_capture::{Options, Stack, StoreLayer};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use crate::faults::lost;

/// A fault in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The call is throttled.
    Throttled,
    /// The call is rejected because of a conflicting transaction.
    Conflict,
    /// The call does not take effect, and the response is a server error.
    LostBefore,
    /// The call takes effect, and the response is a server error.
    LostAfter,
    /// The call processes half of its items, rounded down.
    Unprocessed,
    /// The call returns a page with one item.
    ShortPage,
    /// The process is killed before its call takes effect.
    KilledBefore,
    /// The call takes effect, and the process is killed before the response.
    KilledAfter,
}

impl Fault {
    /// Returns true if an operation can have this fault.
    pub fn is_possible(self, operation: &str) -> bool {
        match self {
            Self::Conflict => operation == "TransactWriteItems",
            Self::Unprocessed => operation.starts_with("Batch"),
            Self::ShortPage => operation == "Query",
            _ => true,
        }
    }
}

/// The number of injected faults per operation.
pub type Injected = BTreeMap<String, usize>;

/// A gate that clones share.
#[derive(Clone, Debug, Default)]
pub struct Gate(Arc<Mutex<State>>);

/// The calls to the stores, and the fault to inject.
#[derive(Debug, Default)]
struct State {
    /// The operations since the last `set`.
    calls: Vec<String>,
    /// The number of calls that do not belong to a request.
    background: usize,
    /// The index of the first faulty call, the number of faulty calls, and the fault.
    fault: Option<(usize, usize, Fault)>,
    injected: Injected,
}

impl Gate {
    /// Sets the fault and clears the calls.
    pub fn set(&self, fault: Option<(usize, usize, Fault)>) {
        let mut state = self.0.lock().expect("a lock");
        state.calls.clear();
        state.fault = fault;
    }

    /// Returns the operations since the last `set`.
    pub fn calls(&self) -> Vec<String> {
        self.0.lock().expect("a lock").calls.clone()
    }

    /// Returns the number of injected faults per operation.
    pub fn injected(&self) -> Injected {
        self.0.lock().expect("a lock").injected.clone()
    }

    /// Records a call and returns the fault to inject into it.
    fn next(&self, caller: &str, operation: &str) -> Option<Fault> {
        let mut state = self.0.lock().expect("a lock");
        // The schedule and the stream's consumers may make calls at any time, which do not belong to a request.
        if ["follower", "sequencer", "socket", "upkeep"].contains(&caller) {
            state.background += 1;
            return None;
        }
        let position = state.calls.len();
        state.calls.push(operation.to_owned());
        let (from, many, fault) = state.fault?;
        if !(from..from + many).contains(&position) || !fault.is_possible(operation) {
            return None;
        }
        *state.injected.entry(operation.to_owned()).or_default() += 1;
        Some(fault)
    }
}

impl StoreLayer for Gate {
    fn table(&self, caller: &str, table: Arc<dyn Table>) -> Arc<dyn Table> {
        Arc::new(Gated { gate: self.clone(), caller: caller.to_owned(), store: table })
    }

    fn bucket(&self, caller: &str, bucket: Arc<dyn Bucket>) -> Arc<dyn Bucket> {
        Arc::new(Gated { gate: self.clone(), caller: caller.to_owned(), store: bucket })
    }
}

/// A store behind a gate.
#[derive(Debug)]
struct Gated<S> {
    gate: Gate,
    caller: String,
    store: S,
}

/// Performs a call with a fault.
async fn carry_out<T>(fault: Option<Fault>, call: impl Future<Output = Result<T, Refusal>>) -> Result<T, Refusal> {
    match fault {
        Some(Fault::Throttled) => Err(Refusal::Busy(Cause::coded("ThrottlingException", "injected"))),
        Some(Fault::Conflict) => Err(Refusal::Conflict),
        Some(Fault::LostBefore) => Err(lost()),
        Some(Fault::LostAfter) => {
            let _ = call.await;
            Err(lost())
        }
        Some(Fault::KilledBefore) => std::process::abort(),
        Some(Fault::KilledAfter) => {
            let _ = call.await;
            std::process::abort()
        }
        Some(Fault::Unprocessed | Fault::ShortPage) | None => call.await,
    }
}

impl Table for Gated<Arc<dyn Table>> {
    fn send<'a>(&'a self, call: Call<'a>) -> BoxFuture<'a, Result<Reply, Refusal>> {
        async move {
            let fault = self.gate.next(&self.caller, call.operation());
            match (fault, call) {
                (Some(Fault::Unprocessed), Call::Get { pks, consistency }) => {
                    let (now, later) = pks.split_at(pks.len() / 2);
                    let mut reply = self.store.send(Call::Get { pks: now, consistency }).await?;
                    reply.unprocessed.extend(later.iter().cloned());
                    Ok(reply)
                }
                (Some(Fault::Unprocessed), Call::Delete { pks }) => {
                    let (now, later) = pks.split_at(pks.len() / 2);
                    let mut reply = Reply::default();
                    if !now.is_empty() {
                        reply = self.store.send(Call::Delete { pks: now }).await?;
                    }
                    reply.unprocessed.extend(later.iter().cloned());
                    Ok(reply)
                }
                (Some(Fault::ShortPage), Call::Query { range, direction, start, .. }) => {
                    self.store.send(Call::Query { range, direction, limit: 1, start }).await
                }
                (fault, call) => carry_out(fault, self.store.send(call)).await,
            }
        }
        .boxed()
    }
}

impl Gated<Arc<dyn Bucket>> {
    fn pass<'a, T: Send + 'a>(&self, operation: &str, call: BucketCall<'a, T>) -> BucketCall<'a, T> {
        carry_out(self.gate.next(&self.caller, operation), call).boxed()
    }
}

impl Bucket for Gated<Arc<dyn Bucket>> {
    fn put<'a>(&'a self, name: &'a str, record: Key, content_type: &'a str, bytes: Bytes) -> BucketCall<'a, ()> {
        self.pass("PutObject", self.store.put(name, record, content_type, bytes))
    }

    fn get<'a>(&'a self, name: &'a str) -> BucketCall<'a, Option<Bytes>> {
        self.pass("GetObject", self.store.get(name))
    }

    fn record_of<'a>(&'a self, name: &'a str) -> BucketCall<'a, Option<String>> {
        self.pass("HeadObject", self.store.record_of(name))
    }

    fn delete<'a>(&'a self, names: &'a [String]) -> BucketCall<'a, ()> {
        self.pass("DeleteObjects", self.store.delete(names))
    }

    fn list<'a>(&'a self, last_name: Option<&'a str>) -> BucketCall<'a, (Vec<StoredImage>, bool)> {
        self.pass("ListObjectsV2", self.store.list(last_name))
    }

    fn url<'a>(&'a self, name: &'a str, lifetime: Duration, head: bool) -> BucketCall<'a, String> {
        self.store.url(name, lifetime, head)
    }
}

/// Runs a service behind a gate. Prints its address, then answers each command on the standard input with a line:
///
/// - `calls`: the operations since the last `set`, separated by spaces.
/// - `background`: the number of calls that do not belong to a request.
/// - `set 3 after`, `set 3 before`, `set none`: the call of a request at which the process is killed.
///
/// # Panics
/// If the service does not start.
pub fn serve(folder: &Path) {
    let gate = Gate::default();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let options = Options { lambda: None, ..crate::options(folder) };
    let stack =
        runtime.block_on(Stack::start_with_layer(&options, Arc::new(gate.clone()))).expect("the service starts");
    println!("listening on http://{}", stack.address);
    for order in std::io::stdin().lock().lines() {
        let order = order.expect("an order");
        let words: Vec<_> = order.split(' ').collect();
        let answer = match words[..] {
            ["calls"] => gate.calls().join(" "),
            ["background"] => gate.0.lock().expect("a lock").background.to_string(),
            ["set", "none"] => {
                gate.set(None);
                String::new()
            }
            ["set", position, moment] => {
                let fault = if moment == "after" { Fault::KilledAfter } else { Fault::KilledBefore };
                gate.set(Some((position.parse().expect("a position"), 1, fault)));
                String::new()
            }
            _ => panic!("no order: {order}"),
        };
        println!("{answer}");
        std::io::stdout().flush().expect("an answer");
    }
}
