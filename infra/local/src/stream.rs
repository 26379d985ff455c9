//! Delivers the table's stream to the functions that the template names. As with Lambda, records are delivered in
//! order, retried until a call succeeds, and filtered by patterns.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::{Notify, watch};

use crate::Error;
use crate::backend::{Call, SharedBackend};
use crate::engine::FORGET_RECORDS;
use crate::functions::Functions;
use crate::stores::OWNER;
use crate::template::Stream;

/// The shortest interval for polling the stream of an external table. It doubles while there are no records.
const LOOK: Duration = Duration::from_millis(200);
/// The longest interval for polling.
const MAX_LOOK: Duration = Duration::from_secs(30);
/// The wait for further records after a write. Each delivery has the cost of three writes.
const GATHER: Duration = Duration::from_millis(10);
/// The first wait after a failed call. It doubles with each failure.
const FIRST_WAIT: Duration = Duration::from_millis(50);
/// The longest wait after a failed call.
const MAX_WAIT: Duration = Duration::from_secs(2);
/// The maximum number of records per read.
const MAX_PAGE: u64 = 1_000;

/// A consumer that delivers the stream of a table to functions.
pub(crate) struct Follower {
    pub(crate) table: SharedBackend,
    /// The table's name.
    pub(crate) name: String,
    /// Notified of this process's writes.
    pub(crate) written: Arc<Notify>,
    /// True if the table is embedded. Then no other process writes to it, and delivered records must be deleted.
    pub(crate) embedded: bool,
    pub(crate) functions: Functions,
    pub(crate) streams: Vec<Stream>,
}

impl Follower {
    /// Starts the consumer. It ends when the stack stops.
    pub(crate) fn start(self, mut stopped: watch::Receiver<bool>) {
        tokio::spawn(async move {
            let (mut shards, mut wait, mut look) = (BTreeMap::new(), FIRST_WAIT, LOOK);
            loop {
                let read = async {
                    match self.read(&mut shards).await {
                        Ok(has_come) => {
                            wait = FIRST_WAIT;
                            look = if has_come { LOOK } else { (look * 2).min(MAX_LOOK) };
                            if self.rest(look).await {
                                look = LOOK;
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

    /// Waits until there may be new records. Returns true if this process has written.
    async fn rest(&self, look: Duration) -> bool {
        tokio::select! {
            () = self.written.notified() => {
                tokio::time::sleep(GATHER).await;
                true
            }
            () = tokio::time::sleep(look), if !self.embedded => false,
        }
    }

    /// Delivers all available records. Returns true if there were any. `shards` contains the iterator of each shard, or
    /// `None` for a closed shard that was read to its end.
    async fn read(&self, shards: &mut BTreeMap<String, Option<String>>) -> Result<bool, Error> {
        let mut has_come = false;
        if shards.is_empty() {
            *shards = self.shards().await?;
        }
        for (shard, iterator) in shards.clone() {
            let Some(mut iterator) = iterator else { continue };
            loop {
                let asked = json!({"ShardIterator": iterator, "Limit": MAX_PAGE});
                let page = self.call("GetRecords", &asked).await?;
                let records = page["Records"].as_array().cloned().unwrap_or_default();
                for stream in &self.streams {
                    self.bring(stream, &shard, &records).await?;
                }
                self.forget(&records).await?;
                let Some(next) = page["NextShardIterator"].as_str() else {
                    // The shard is closed. New shards continue it.
                    for (other, start) in self.shards().await? {
                        shards.entry(other).or_insert(start);
                    }
                    shards.insert(shard.clone(), None);
                    has_come = true;
                    break;
                };
                iterator = next.to_owned();
                shards.insert(shard.clone(), Some(iterator.clone()));
                if records.is_empty() {
                    break;
                }
                has_come = true;
            }
        }
        Ok(has_come)
    }

    /// Delivers to a function the records that match its patterns, in batches.
    async fn bring(&self, stream: &Stream, shard: &str, records: &[Value]) -> Result<(), Error> {
        let due: Vec<_> = records.iter().filter(|record| stream.patterns.iter().any(|one| fits(one, record))).collect();
        for batch in due.chunks(stream.batch) {
            let mut event = json!({"Records": batch});
            if stream.windowed {
                event["shardId"] = shard.into();
            }
            let answer = self.functions.call(&stream.function, &event).await?;
            if answer["batchItemFailures"].as_array().is_none_or(|failed| !failed.is_empty()) {
                return Err(format!("{} did not process all records", stream.function).into());
            }
        }
        Ok(())
    }

    /// Returns the shards, each with an iterator at its oldest record.
    async fn shards(&self) -> Result<BTreeMap<String, Option<String>>, Error> {
        let table = self.call("DescribeTable", &json!({"TableName": self.name})).await?;
        let arn = &table["Table"]["LatestStreamArn"];
        let described = self.call("DescribeStream", &json!({"StreamArn": arn})).await?;
        let mut shards = BTreeMap::new();
        for shard in described["StreamDescription"]["Shards"].as_array().into_iter().flatten() {
            let id = shard["ShardId"].as_str().unwrap_or_default();
            let asked = json!({"StreamArn": arn, "ShardId": id, "ShardIteratorType": "TRIM_HORIZON"});
            let iterator = self.call("GetShardIterator", &asked).await?;
            let iterator = iterator["ShardIterator"].as_str().ok_or("GetShardIterator returned no iterator")?;
            shards.insert(id.to_owned(), Some(iterator.to_owned()));
        }
        Ok(shards)
    }

    /// Deletes the records up to the last of these from the embedded table. All functions have processed them.
    async fn forget(&self, records: &[Value]) -> Result<(), Error> {
        if let Some(last) = records.last().filter(|_| self.embedded) {
            self.call(FORGET_RECORDS, &json!(last["eventID"])).await?;
        }
        Ok(())
    }

    async fn call(&self, operation: &str, body: &Value) -> Result<Value, Error> {
        let call = Call::new(operation, Arc::from(OWNER), body.to_string().into());
        let answer = self.table.call(call).await;
        if answer.status != 200 {
            return Err(format!("{operation}: {}", String::from_utf8_lossy(&answer.body)).into());
        }
        Ok(serde_json::from_slice(&answer.body)?)
    }
}

/// True if a record matches a pattern
/// (<https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html>). Supports values and prefixes.
fn fits(pattern: &Value, record: &Value) -> bool {
    match pattern {
        Value::Object(parts) => parts.iter().all(|(name, part)| fits(part, &record[name])),
        Value::Array(ways) => ways.iter().any(|way| match (way["prefix"].as_str(), record.as_str()) {
            (Some(prefix), Some(text)) => text.starts_with(prefix),
            _ => way == record,
        }),
        _ => false,
    }
}
