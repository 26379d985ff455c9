//! Delivers the table's stream to the functions that the template names. As with Lambda, each function reads on its own,
//! and records are delivered in order, retried until a call succeeds, and filtered by patterns.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use emulator::{Call, DELETE_STREAM_RECORDS};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::Error;
use crate::backend::SharedBackend;
use crate::functions::Functions;
use crate::stores::OWNER;
use crate::template::Stream;

/// Minimum interval for polling the stream of an external table. It doubles while there are no records.
const MIN_POLL_INTERVAL: Duration = Duration::from_millis(200);
/// Maximum interval for polling.
const MAX_POLL_INTERVAL: Duration = Duration::from_secs(30);
/// Wait for further records after a write. Each delivery has the cost of three writes.
const GATHER_TIME: Duration = Duration::from_millis(10);
/// First wait after a failed call. It doubles with each failure.
const MIN_WAIT: Duration = Duration::from_millis(50);
/// Maximum wait after a failed call.
const MAX_WAIT: Duration = Duration::from_secs(2);
/// Maximum number of records per read.
const MAX_PAGE: usize = 1_000;

/// The number and the `eventID` of a record of the stream.
type LastRecord = (u128, String);

/// Progress of the functions that read the embedded table's stream.
#[derive(Clone)]
pub(crate) struct Delivered(Arc<Mutex<LastRecords>>);

struct LastRecords {
    /// The last one that was delivered to each function.
    of_functions: Vec<Option<LastRecord>>,
    /// The last one that was deleted, because it was delivered to all.
    deleted: Option<LastRecord>,
}

impl Delivered {
    /// Create the progress of this many functions, to which nothing was delivered.
    pub(crate) fn to(functions: usize) -> Self {
        Self(Arc::new(Mutex::new(LastRecords { of_functions: vec![None; functions], deleted: None })))
    }

    /// Advance a function to the last record that was delivered to it. Returns the `eventID` of the last record that was delivered
    /// to all functions, if it is another one than before.
    fn advance(&self, function: usize, record: LastRecord) -> Option<String> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *last.of_functions.get_mut(function)? = Some(record);
        let to_all = last.of_functions.iter().min().cloned().flatten()?;
        let is_new = last.deleted.as_ref() != Some(&to_all);
        last.deleted = Some(to_all.clone());
        is_new.then_some(to_all.1)
    }
}

/// A consumer that delivers the stream of a table to one function.
pub(crate) struct Follower {
    pub(crate) table: SharedBackend,
    /// Name of the table.
    pub(crate) name: String,
    /// Changes with each of this process's writes.
    pub(crate) written: watch::Receiver<()>,
    /// Index of the function, and the progress of all, if the table is embedded. Then no other process writes to it, and
    /// records that were delivered to all functions must be deleted.
    pub(crate) delivered: Option<(usize, Delivered)>,
    pub(crate) functions: Functions,
    pub(crate) stream: Stream,
}

impl Follower {
    /// Start the consumer. It ends when the stack stops.
    pub(crate) fn start(mut self, mut stopped: watch::Receiver<bool>) {
        tokio::spawn(async move {
            let (mut shards, mut wait, mut interval) = (BTreeMap::new(), MIN_WAIT, MIN_POLL_INTERVAL);
            loop {
                let read = async {
                    match self.read(&mut shards).await {
                        Ok(has_records) => {
                            wait = MIN_WAIT;
                            interval =
                                if has_records { MIN_POLL_INTERVAL } else { (interval * 2).min(MAX_POLL_INTERVAL) };
                            if self.wait_for_records(interval).await {
                                interval = MIN_POLL_INTERVAL;
                            }
                        }
                        Err(error) => {
                            tracing::warn!(%error, "records of the table's stream could not be delivered; retrying");
                            // An iterator may have expired. The stream is then read again from its beginning.
                            if wait == MAX_WAIT {
                                shards.clear();
                            }
                            tokio::time::sleep(wait).await;
                            wait = (wait * 2).min(MAX_WAIT);
                        }
                    }
                };
                tokio::select! {
                    () = read => {}
                    _ = stopped.changed() => return,
                }
            }
        });
    }

    /// Wait until there may be new records. Returns true if this process has written.
    async fn wait_for_records(&mut self, interval: Duration) -> bool {
        let is_embedded = self.delivered.is_some();
        tokio::select! {
            Ok(()) = self.written.changed() => {
                tokio::time::sleep(GATHER_TIME).await;
                true
            }
            () = tokio::time::sleep(interval), if !is_embedded => false,
            else => std::future::pending().await,
        }
    }

    /// Deliver all available records. Returns true if there were any. `shards` contains the iterator of each shard, or
    /// `None` for a closed shard that was read to its end.
    async fn read(&self, shards: &mut BTreeMap<String, Option<String>>) -> Result<bool, Error> {
        let mut has_records = false;
        if shards.is_empty() {
            *shards = self.shards().await?;
        }
        for (shard, iterator) in shards.clone() {
            let Some(mut iterator) = iterator else { continue };
            loop {
                let parameters = json!({"ShardIterator": iterator, "Limit": MAX_PAGE});
                let mut page = self.call("GetRecords", &parameters).await?;
                let Value::Array(records) = page["Records"].take() else {
                    return Err("GetRecords returned no records".into());
                };
                let count = records.len();
                self.deliver(&shard, records).await?;
                let Some(next) = page["NextShardIterator"].as_str() else {
                    // The shard is closed. New shards continue it.
                    for (other, start) in self.shards().await? {
                        shards.entry(other).or_insert(start);
                    }
                    shards.insert(shard.clone(), None);
                    has_records = true;
                    break;
                };
                iterator = next.to_owned();
                shards.insert(shard.clone(), Some(iterator.clone()));
                has_records |= count > 0;
                // Records that are stored now are read after their write is noticed.
                if count < MAX_PAGE {
                    break;
                }
            }
        }
        Ok(has_records)
    }

    /// Deliver to the function the records that match its patterns, in batches. Then delete from the embedded table those that
    /// all functions have processed.
    async fn deliver(&self, shard: &str, mut records: Vec<Value>) -> Result<(), Error> {
        let stream = &self.stream;
        let last = records.last().and_then(|last| {
            let number = last["dynamodb"]["SequenceNumber"].as_str()?.parse().ok()?;
            Some((number, last["eventID"].as_str()?.to_owned()))
        });
        records.retain(|record| stream.patterns.iter().any(|pattern| matches_pattern(pattern, record)));
        while !records.is_empty() {
            let rest = records.split_off(stream.batch.min(records.len()));
            let mut event = json!({});
            event["Records"] = Value::Array(std::mem::replace(&mut records, rest));
            if stream.windowed {
                event["shardId"] = shard.into();
            }
            let response = self.functions.call(&stream.function, &event).await?;
            if response["batchItemFailures"].as_array().is_none_or(|failed| !failed.is_empty()) {
                return Err(format!("{} did not process all records", stream.function).into());
            }
        }
        if let (Some((function, delivered)), Some(last)) = (&self.delivered, last)
            && let Some(event) = delivered.advance(*function, last)
        {
            self.call(DELETE_STREAM_RECORDS, &json!(event)).await?;
        }
        Ok(())
    }

    /// Read the shards, each with an iterator at its oldest record.
    async fn shards(&self) -> Result<BTreeMap<String, Option<String>>, Error> {
        let table = self.call("DescribeTable", &json!({"TableName": self.name})).await?;
        let arn = &table["Table"]["LatestStreamArn"];
        let described = self.call("DescribeStream", &json!({"StreamArn": arn})).await?;
        let mut shards = BTreeMap::new();
        for shard in described["StreamDescription"]["Shards"].as_array().into_iter().flatten() {
            let id = shard["ShardId"].as_str().unwrap_or_default();
            let parameters = json!({"StreamArn": arn, "ShardId": id, "ShardIteratorType": "TRIM_HORIZON"});
            let iterator = self.call("GetShardIterator", &parameters).await?;
            let iterator = iterator["ShardIterator"].as_str().ok_or("GetShardIterator returned no iterator")?;
            shards.insert(id.to_owned(), Some(iterator.to_owned()));
        }
        Ok(shards)
    }

    async fn call(&self, operation: &str, body: &Value) -> Result<Value, Error> {
        let call = Call::new(operation, Arc::from(OWNER), body.to_string().into());
        let response = self.table.call(call).await;
        if response.status != 200 {
            return Err(format!("{operation}: {}", String::from_utf8_lossy(&response.body)).into());
        }
        Ok(serde_json::from_slice(&response.body)?)
    }
}

/// Tell if a record matches a pattern
/// (<https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html>). Supports values and prefixes.
fn matches_pattern(pattern: &Value, record: &Value) -> bool {
    match pattern {
        Value::Object(parts) => parts.iter().all(|(name, part)| matches_pattern(part, &record[name])),
        Value::Array(alternatives) => {
            alternatives.iter().any(|alternative| match (alternative["prefix"].as_str(), record.as_str()) {
                (Some(prefix), Some(text)) => text.starts_with(prefix),
                _ => alternative == record,
            })
        }
        _ => false,
    }
}
