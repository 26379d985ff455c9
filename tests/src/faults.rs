//! Behaviour of DynamoDB that the emulator lacks: rights, conflicts, throttling, lost responses and stale indexes.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use local_stack::backend::{Backend, Call, CallResponse, SharedBackend};
use serde_json::{Value, json};

use crate::rights::{self, Rights};

/// The faults of calls. With n, every n-th call fails; with 0, none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults {
    /// Transactions that are rejected because of a conflict.
    pub conflicts: usize,
    /// Writes that take effect and return a server error.
    pub lost_answers: usize,
    /// Calls of any kind that are throttled.
    pub throttled: usize,
    /// True if a repeated read of an index returns the result of the first.
    pub stale_indexes: bool,
    /// A function, and a flag. While it is true, all calls of the function are throttled.
    pub stopped: Option<(&'static str, &'static AtomicBool)>,
}

/// A proxy of a table that injects faults.
#[derive(Clone, Debug)]
struct Front {
    table: SharedBackend,
    faults: Faults,
    rights: Rights,
    calls: Arc<AtomicUsize>,
    read: Arc<Mutex<HashMap<String, Bytes>>>,
}

/// Returns a proxy of a table that injects faults, and checks each call against its caller's policy.
pub fn before(table: SharedBackend, faults: Faults) -> SharedBackend {
    Arc::new(Front { table, faults, rights: Rights::of_the_template(), calls: Arc::default(), read: Arc::default() })
}

impl Backend for Front {
    fn call(&self, call: Call) -> BoxFuture<'static, CallResponse> {
        let front = self.clone();
        async move { front.answer(call).await }.boxed()
    }
}

impl Front {
    async fn answer(&self, call: Call) -> CallResponse {
        let number = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        let due = |every: usize| every > 0 && number.is_multiple_of(every);
        let operation = call.operation.clone();
        let transaction = operation == "TransactWriteItems";
        let write = transaction || ["PutItem", "UpdateItem", "DeleteItem"].contains(&operation.as_str());
        if let Err(missing) = self.rights.check(&call.caller, &operation, &call.body) {
            rights::deny(&missing);
            return refusal(400, "AccessDeniedException", "");
        }
        if operation == "GetSecretValue" {
            return secret(&call.body);
        }
        let is_stopped =
            |(function, flag): (&str, &AtomicBool)| &*call.caller == function && flag.load(Ordering::Relaxed);
        if due(self.faults.throttled) || self.faults.stopped.is_some_and(is_stopped) {
            return refusal(400, "ThrottlingException", "");
        }
        if transaction && due(self.faults.conflicts) {
            let reasons = r#","CancellationReasons":[{"Code":"TransactionConflict"}]"#;
            return refusal(400, "TransactionCanceledException", reasons);
        }
        let part = (self.faults.stale_indexes && operation == "Query").then(|| part_of_index(&call.body));
        let known = part.as_ref().and_then(|part| self.read.lock().expect("a lock").get(part).cloned());
        if let Some(body) = known {
            return CallResponse { status: 200, body };
        }
        let answer = self.table.call(call).await;
        if write && answer.status == 200 && due(self.faults.lost_answers) {
            return refusal(500, "InternalServerError", "");
        }
        if let Some(part) = part {
            self.read.lock().expect("a lock").insert(part, answer.body.clone());
        }
        answer
    }
}

/// Answers like Secrets Manager. A secret's name is the path of its file.
fn secret(call: &[u8]) -> CallResponse {
    let call: Value = serde_json::from_slice(call).expect("a call");
    match std::fs::read_to_string(call["SecretId"].as_str().unwrap_or_default()) {
        Ok(text) => CallResponse { status: 200, body: json!({"SecretString": text}).to_string().into() },
        Err(_) => refusal(400, "ResourceNotFoundException", ""),
    }
}

/// Returns a key that identifies a read of an index, independent of its limit.
fn part_of_index(query: &[u8]) -> String {
    let query: Value = serde_json::from_slice(query).expect("a query");
    // The request has them in the order of a hash map, which is random.
    let sorted = |name: &str| query[name].as_object().map(|values| values.iter().collect::<BTreeMap<_, _>>());
    let (values, start_key) = (sorted("ExpressionAttributeValues"), sorted("ExclusiveStartKey"));
    format!("{} {} {values:?} {start_key:?}", query["IndexName"], query["KeyConditionExpression"])
}

fn refusal(status: u16, code: &str, more: &str) -> CallResponse {
    let body = format!(r#"{{"__type":"com.amazonaws.dynamodb.v20120810#{code}","message":"injected"{more}}}"#);
    CallResponse { status, body: body.into() }
}
