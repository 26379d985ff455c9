//! Behaviour of DynamoDB and S3 that the embedded stores lack: rights, conflicts, throttling, lost responses and stale
//! indexes. Each call is also rendered for DynamoDB, which limits the length of expressions.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use capture_core::schema::Key;
use capture_core::store::{Bucket, BucketCall, Call, DEFAULT_SHARDS, Fault, Refusal, Reply, StoredImage, Table};
use capture_core::table::WriteExpression;
use event_capture::StoreLayer;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use crate::rights::{self, Rights};

/// The faults of calls. With n, every nth call fails. With 0, none do.
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults {
    /// Transactions that are rejected because of a conflict.
    pub conflicts: usize,
    /// Writes that take effect and return a server error.
    pub lost_answers: usize,
    /// Calls of any kind that are throttled.
    pub throttled: usize,
    /// Whether a repeated read of an index returns the first read's result.
    pub stale_indexes: bool,
    /// Whether the bucket is unreachable.
    pub no_bucket: bool,
    /// A function and a flag. While the flag is true, all the function's calls are throttled.
    pub stopped: Option<(&'static str, &'static AtomicBool)>,
}

/// A layer in front of the stores that injects faults and checks each call against its caller's policy.
#[derive(Clone, Debug)]
pub struct Faulty {
    faults: Faults,
    rights: Rights,
    calls: Arc<AtomicUsize>,
    read: Arc<Mutex<HashMap<String, Reply>>>,
}

impl Faulty {
    /// Creates the layer.
    pub fn with(faults: Faults) -> Arc<dyn StoreLayer> {
        let rights = Rights::of_the_template();
        Arc::new(Self { faults, rights, calls: Arc::default(), read: Arc::default() })
    }
}

impl StoreLayer for Faulty {
    fn table(&self, caller: &str, table: Arc<dyn Table>) -> Arc<dyn Table> {
        Arc::new(FaultyTable { front: self.clone(), caller: caller.to_owned(), table })
    }

    fn bucket(&self, caller: &str, bucket: Arc<dyn Bucket>) -> Arc<dyn Bucket> {
        Arc::new(CheckedBucket { front: self.clone(), caller: caller.to_owned(), bucket })
    }
}

#[derive(Debug)]
struct FaultyTable {
    front: Faulty,
    caller: String,
    table: Arc<dyn Table>,
}

fn throttled() -> Refusal {
    Refusal::Busy(Fault::coded("ThrottlingException", "injected"))
}

/// Returns the refusal of a call that may have taken effect.
pub fn lost() -> Refusal {
    Refusal::Unknown(Fault::coded("InternalServerError", "injected"))
}

fn denied() -> Refusal {
    Refusal::Invalid(Fault::coded("AccessDeniedException", "the policy does not allow it"))
}

impl Table for FaultyTable {
    fn send<'a>(&'a self, call: Call<'a>) -> BoxFuture<'a, Result<Reply, Refusal>> {
        async move {
            let Faulty { faults, rights, calls, read } = &self.front;
            let number = calls.fetch_add(1, Ordering::Relaxed) + 1;
            let due = |every: usize| every > 0 && number.is_multiple_of(every);
            check_limits(&call);
            if !rights.allow(&self.caller, rights::needed(&call)) {
                return Err(denied());
            }
            let is_stopped =
                |(function, flag): (&str, &AtomicBool)| self.caller == function && flag.load(Ordering::Relaxed);
            if due(faults.throttled) || faults.stopped.is_some_and(is_stopped) {
                return Err(throttled());
            }
            if matches!(call, Call::Transact { .. }) && due(faults.conflicts) {
                return Err(Refusal::Conflict);
            }
            let part = match call {
                // Regardless of the limit.
                Call::Query { range, direction, start, .. } if faults.stale_indexes => {
                    Some(format!("{range:?} {direction:?} {start:?}"))
                }
                _ => None,
            };
            let known = part.as_ref().and_then(|part| read.lock().expect("a lock").get(part).cloned());
            if let Some(reply) = known {
                return Ok(reply);
            }
            let reply = self.table.send(call).await?;
            let is_commit = matches!(call, Call::Write { .. } | Call::Transact { .. });
            if is_commit && due(faults.lost_answers) {
                return Err(lost());
            }
            if let Some(part) = part {
                read.lock().expect("a lock").insert(part, reply.clone());
            }
            Ok(reply)
        }
        .boxed()
    }

    fn is_damaged(&self) -> bool {
        self.table.is_damaged()
    }

    fn pinned(&self) -> Option<Arc<dyn Table>> {
        let (front, caller) = (self.front.clone(), self.caller.clone());
        Some(Arc::new(Self { front, caller, table: self.table.pinned()? }))
    }
}

/// Checks the limits of a call's expressions: 4 KB, 300 operators, and placeholders of letters, digits and underscores
/// (<https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html>).
fn check_limits(call: &Call<'_>) {
    let check = |expression: &str, names: Option<HashMap<String, String>>| {
        assert!(expression.len() <= 4_096, "{} bytes of {expression}", expression.len());
        let operators = expression.matches([',', '=', '<', '>']).count() + expression.matches(" AND ").count();
        assert!(operators <= 300, "{operators} operators in {expression}");
        for placeholder in names.unwrap_or_default().keys() {
            let is_valid = placeholder[1..].chars().all(|char| char.is_ascii_alphanumeric() || char == '_');
            assert!(is_valid, "{placeholder}");
        }
    };
    match call {
        Call::Query { range, .. } => {
            let condition = range.key_condition();
            check(&condition.expression, condition.names);
        }
        Call::Write { pk, write } => check_write(pk, write, &check),
        Call::Transact { writes, .. } => writes.iter().for_each(|(pk, write)| check_write(pk, write, &check)),
        _ => {}
    }
}

fn check_write(pk: &str, write: &capture_core::table::Write, check: &impl Fn(&str, Option<HashMap<String, String>>)) {
    let expression = WriteExpression::new(pk, write, DEFAULT_SHARDS);
    check(&expression.condition.unwrap_or_default(), None);
    check(&expression.update.unwrap_or_default(), expression.names);
}

/// A bucket that checks its caller's rights.
#[derive(Debug)]
struct CheckedBucket {
    front: Faulty,
    caller: String,
    bucket: Arc<dyn Bucket>,
}

impl CheckedBucket {
    /// Carries out an operation if the caller has the right to do it.
    fn check<'a, T: Send + 'a>(&'a self, operation: &'a str, call: BucketCall<'a, T>) -> BucketCall<'a, T> {
        async move {
            if self.front.faults.no_bucket {
                return Err(lost());
            }
            let is_allowed = self.front.rights.allow(&self.caller, vec![rights::on_bucket(operation)]);
            if is_allowed { call.await } else { Err(denied()) }
        }
        .boxed()
    }
}

impl Bucket for CheckedBucket {
    fn put<'a>(&'a self, name: &'a str, record: Key, content_type: &'a str, bytes: Bytes) -> BucketCall<'a, ()> {
        self.check("PutObject", self.bucket.put(name, record, content_type, bytes))
    }

    fn get<'a>(&'a self, name: &'a str) -> BucketCall<'a, Option<Bytes>> {
        self.check("GetObject", self.bucket.get(name))
    }

    fn record_of<'a>(&'a self, name: &'a str) -> BucketCall<'a, Option<String>> {
        self.check("HeadObject", self.bucket.record_of(name))
    }

    fn delete<'a>(&'a self, names: &'a [String]) -> BucketCall<'a, ()> {
        self.check("DeleteObjects", self.bucket.delete(names))
    }

    fn list<'a>(&'a self, last_name: Option<&'a str>) -> BucketCall<'a, (Vec<StoredImage>, bool)> {
        self.check("ListObjectsV2", self.bucket.list(last_name))
    }

    fn url<'a>(&'a self, name: &'a str, lifetime: Duration, head: bool) -> BucketCall<'a, String> {
        self.check("GetObject", self.bucket.url(name, lifetime, head))
    }
}
