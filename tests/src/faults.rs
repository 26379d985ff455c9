//! What DynamoDB does and the emulator does not: rights, conflicts, throttling, answers that get lost, stale indexes.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use local_stack::backend::{Answer, Backend, Call, SharedBackend};
use serde_json::{Value, json};

use crate::rights::{self, Rights};

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

/// Stands in front of a table.
#[derive(Clone, Debug)]
struct Front {
    table: SharedBackend,
    faults: Faults,
    rights: Rights,
    calls: Arc<AtomicUsize>,
    read: Arc<Mutex<HashMap<String, Bytes>>>,
}

/// Puts faults in front of a table, and holds every call against the policy of who makes it.
pub fn before(table: SharedBackend, faults: Faults) -> SharedBackend {
    Arc::new(Front { table, faults, rights: Rights::of_the_template(), calls: Arc::default(), read: Arc::default() })
}

impl Backend for Front {
    fn call(&self, call: Call) -> BoxFuture<'static, Answer> {
        let front = self.clone();
        async move { front.answer(call).await }.boxed()
    }
}

impl Front {
    async fn answer(&self, call: Call) -> Answer {
        let number = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        let due = |every: usize| every > 0 && number.is_multiple_of(every);
        let operation = call.operation.clone();
        let transaction = operation == "TransactWriteItems";
        let write = transaction || ["PutItem", "UpdateItem", "DeleteItem"].contains(&operation.as_str());
        if let Err(missing) = self.rights.check(&call.authorization, &operation, &call.body) {
            rights::deny(&missing);
            return refusal(400, "AccessDeniedException", "");
        }
        if operation == "GetSecretValue" {
            return secret(&call.body);
        }
        if due(self.faults.throttled) {
            return refusal(400, "ThrottlingException", "");
        }
        if transaction && due(self.faults.conflicts) {
            let reasons = r#","CancellationReasons":[{"Code":"TransactionConflict"}]"#;
            return refusal(400, "TransactionCanceledException", reasons);
        }
        let part = (self.faults.stale_indexes && operation == "Query").then(|| part_of_index(&call.body));
        let known = part.as_ref().and_then(|part| self.read.lock().expect("a lock").get(part).cloned());
        if let Some(body) = known {
            return Answer { status: 200, body };
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

/// Stands for Secrets Manager: a secret is named by the file that it is kept in.
fn secret(call: &[u8]) -> Answer {
    let call: Value = serde_json::from_slice(call).expect("a call");
    match std::fs::read_to_string(call["SecretId"].as_str().unwrap_or_default()) {
        Ok(text) => Answer { status: 200, body: json!({"SecretString": text}).to_string().into() },
        Err(_) => refusal(400, "ResourceNotFoundException", ""),
    }
}

/// What tells one read of an index from another, but for how much of it is asked for.
fn part_of_index(query: &[u8]) -> String {
    let query: Value = serde_json::from_slice(query).expect("a query");
    // Their order in the request is that of a hash map: another one each time.
    let sorted = |name: &str| query[name].as_object().map(|values| values.iter().collect::<BTreeMap<_, _>>());
    format!("{} {:?} {:?}", query["IndexName"], sorted("ExpressionAttributeValues"), sorted("ExclusiveStartKey"))
}

fn refusal(status: u16, code: &str, more: &str) -> Answer {
    let body = format!(r#"{{"__type":"com.amazonaws.dynamodb.v20120810#{code}","message":"injected"{more}}}"#);
    Answer { status, body: body.into() }
}
