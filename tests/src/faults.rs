//! What DynamoDB does and the emulator does not: rights, conflicts, throttling, answers that get lost, stale indexes.

use std::collections::{BTreeMap, HashMap};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::response::Response;
use reqwest::Client;
use serde_json::Value;

use crate::rights::Rights;

/// Which calls fail, and how. Of each kind, every so many calls fail; none, for 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults {
    /// Transactions that are refused because they met another.
    pub conflicts: usize,
    /// Writes that are carried out, and answered with a fault.
    pub lost_answers: usize,
    /// Calls of any kind that are refused because there are too many.
    pub throttled: usize,
    /// Whether a part of an index that was read once stays as it was then.
    pub stale_indexes: bool,
}

#[derive(Clone)]
struct Proxy {
    table: SocketAddr,
    faults: Faults,
    rights: Rights,
    calls: Arc<AtomicUsize>,
    client: Client,
    read: Arc<Mutex<HashMap<String, Bytes>>>,
}

/// Starts to answer for the table, and tells where.
pub fn start(table: SocketAddr, faults: Faults) -> SocketAddr {
    let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    listener.set_nonblocking(true).expect("a listener");
    let address = listener.local_addr().expect("an address");
    let proxy = Proxy {
        table,
        faults,
        rights: Rights::of_the_template(),
        calls: Arc::default(),
        client: Client::new(),
        read: Arc::default(),
    };
    tokio::spawn(async move {
        let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
        axum::serve(listener, Router::new().fallback(answer).with_state(proxy)).await.expect("serving");
    });
    address
}

async fn answer(State(proxy): State<Proxy>, request: Request) -> Response {
    let call = proxy.calls.fetch_add(1, Ordering::Relaxed) + 1;
    let due = |every: usize| every > 0 && call.is_multiple_of(every);
    let (parts, body) = request.into_parts();
    let header = |name| parts.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let target = header("x-amz-target");
    let transaction = target.ends_with("TransactWriteItems");
    let write = transaction || ["PutItem", "UpdateItem", "DeleteItem"].iter().any(|name| target.ends_with(name));
    let body = to_bytes(body, usize::MAX).await.expect("a body");
    if let Err(missing) = proxy.rights.check(header("authorization"), target, &body) {
        crate::rights::deny(&missing);
        return refusal(400, "AccessDeniedException", "");
    }
    if due(proxy.faults.throttled) {
        return refusal(400, "ThrottlingException", "");
    }
    if transaction && due(proxy.faults.conflicts) {
        return refusal(
            400,
            "TransactionCanceledException",
            r#","CancellationReasons":[{"Code":"TransactionConflict"}]"#,
        );
    }
    let part = (proxy.faults.stale_indexes && target.ends_with("Query")).then(|| part_of_index(&body));
    let known = part.as_ref().and_then(|part| proxy.read.lock().expect("a lock").get(part).cloned());
    if let Some(known) = known {
        return response(200, known.into());
    }
    let forwarded =
        proxy.client.request(parts.method, format!("http://{}/", proxy.table)).headers(parts.headers).body(body);
    let answered = forwarded.send().await.expect("the table answers");
    let status = answered.status();
    let body = answered.bytes().await.expect("a body");
    if write && status.is_success() && due(proxy.faults.lost_answers) {
        return refusal(500, "InternalServerError", "");
    }
    if let Some(part) = part {
        proxy.read.lock().expect("a lock").insert(part, body.clone());
    }
    response(status.as_u16(), body.into())
}

/// What tells one read of an index from another, but for how much of it is asked for.
fn part_of_index(query: &[u8]) -> String {
    let query: Value = serde_json::from_slice(query).expect("a query");
    // Their order in the request is that of a hash map: another one each time.
    let sorted = |name: &str| query[name].as_object().map(|values| values.iter().collect::<BTreeMap<_, _>>());
    format!("{} {:?} {:?}", query["IndexName"], sorted("ExpressionAttributeValues"), sorted("ExclusiveStartKey"))
}

fn refusal(status: u16, code: &str, more: &str) -> Response {
    let body = format!(r#"{{"__type":"com.amazonaws.dynamodb.v20120810#{code}","message":"injected"{more}}}"#);
    response(status, body.into())
}

fn response(status: u16, body: Body) -> Response {
    let response = Response::builder().status(status).header("content-type", "application/x-amz-json-1.0");
    response.body(body).expect("a response")
}
