//! The table's stream, brought to the functions that the template names, as Lambda does: in order, again until it succeeds, and
//! nothing but what their patterns ask for.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::{Notify, watch};

use crate::Error;
use crate::backend::{Call, SharedBackend};
use crate::functions::Functions;
use crate::table::FORGET_RECORDS;
use crate::template::Stream;

/// How often a stream is looked at that others keep, and may write to; the less often, the longer nothing came.
const LOOK: Duration = Duration::from_millis(200);
const LONGEST_LOOK: Duration = Duration::from_secs(30);
/// The waits after a call that failed.
const FIRST_WAIT: Duration = Duration::from_millis(50);
const LONGEST_WAIT: Duration = Duration::from_secs(2);
/// The most records that are read at once.
const LARGEST_PAGE: u64 = 1_000;
/// What an emulator asks of a signature.
const AUTHORIZATION: &str =
    "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0";

/// Brings the stream of a table to functions.
pub(crate) struct Follower {
    pub(crate) table: SharedBackend,
    /// The table's name.
    pub(crate) name: String,
    /// What tells of writes of this process.
    pub(crate) written: Arc<Notify>,
    /// Whether the table is embedded: then nobody else writes, and what is brought on is to be forgotten.
    pub(crate) embedded: bool,
    pub(crate) functions: Functions,
    pub(crate) streams: Vec<Stream>,
}

impl Follower {
    /// Starts; it ends when the stack stops.
    pub(crate) fn start(self, mut stopped: watch::Receiver<bool>) {
        tokio::spawn(async move {
            let (mut shards, mut wait, mut look) = (BTreeMap::new(), FIRST_WAIT, LOOK);
            loop {
                let read = async {
                    match self.read(&mut shards).await {
                        Ok(has_come) => {
                            wait = FIRST_WAIT;
                            look = if has_come { LOOK } else { (look * 2).min(LONGEST_LOOK) };
                            if self.rest(look).await {
                                look = LOOK;
                            }
                        }
                        Err(error) => {
                            tracing::warn!(%error, "the table's stream could not be brought on; it comes again");
                            // An iterator may have expired: then the stream is read again from its beginning.
                            if wait == LONGEST_WAIT {
                                shards.clear();
                            }
                            tokio::time::sleep(wait).await;
                            wait = (wait * 2).min(LONGEST_WAIT);
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

    /// Waits until there may be something new. Answers whether this process has written.
    async fn rest(&self, look: Duration) -> bool {
        tokio::select! {
            () = self.written.notified() => true,
            () = tokio::time::sleep(look), if !self.embedded => false,
        }
    }

    /// Brings on all that there is, and answers whether there was something. `shards` has how far each was
    /// read; nothing, of one that is closed and read to its end.
    async fn read(&self, shards: &mut BTreeMap<String, Option<String>>) -> Result<bool, Error> {
        let mut has_come = false;
        if shards.is_empty() {
            *shards = self.shards().await?;
        }
        for (shard, iterator) in shards.clone() {
            let Some(mut iterator) = iterator else { continue };
            loop {
                let asked = json!({"ShardIterator": iterator, "Limit": LARGEST_PAGE});
                let page = self.call("GetRecords", &asked).await?;
                let records = page["Records"].as_array().cloned().unwrap_or_default();
                for stream in &self.streams {
                    self.bring(stream, &shard, &records).await?;
                }
                self.forget(&records).await?;
                let Some(next) = page["NextShardIterator"].as_str() else {
                    // It is closed, and others go on from it: those that are not known yet.
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

    /// Brings a function the records that its patterns ask for, in batches.
    async fn bring(&self, stream: &Stream, shard: &str, records: &[Value]) -> Result<(), Error> {
        let due: Vec<_> = records.iter().filter(|record| stream.patterns.iter().any(|one| fits(one, record))).collect();
        for batch in due.chunks(stream.batch) {
            let mut event = json!({"Records": batch});
            if stream.windowed {
                event["shardId"] = shard.into();
            }
            let answer = self.functions.call(&stream.function, event.to_string()).await?;
            if answer["batchItemFailures"].as_array().is_none_or(|failed| !failed.is_empty()) {
                return Err(format!("{} has not taken all changes", stream.function).into());
            }
        }
        Ok(())
    }

    /// The shards, each from the first record that it has.
    async fn shards(&self) -> Result<BTreeMap<String, Option<String>>, Error> {
        let table = self.call("DescribeTable", &json!({"TableName": self.name})).await?;
        let arn = &table["Table"]["LatestStreamArn"];
        let described = self.call("DescribeStream", &json!({"StreamArn": arn})).await?;
        let mut shards = BTreeMap::new();
        for shard in described["StreamDescription"]["Shards"].as_array().into_iter().flatten() {
            let id = shard["ShardId"].as_str().unwrap_or_default();
            let asked = json!({"StreamArn": arn, "ShardId": id, "ShardIteratorType": "TRIM_HORIZON"});
            let iterator = self.call("GetShardIterator", &asked).await?;
            let iterator = iterator["ShardIterator"].as_str().ok_or("a shard without an iterator")?;
            shards.insert(id.to_owned(), Some(iterator.to_owned()));
        }
        Ok(shards)
    }

    /// Has the embedded table forget the records up to the last of these, which the functions have.
    async fn forget(&self, records: &[Value]) -> Result<(), Error> {
        if let Some(last) = records.last().filter(|_| self.embedded) {
            self.call(FORGET_RECORDS, &json!(last["eventID"])).await?;
        }
        Ok(())
    }

    async fn call(&self, operation: &str, body: &Value) -> Result<Value, Error> {
        let (operation, authorization) = (operation.to_owned(), AUTHORIZATION.to_owned());
        let call = Call { operation: operation.clone(), authorization, body: body.to_string().into() };
        let answer = self.table.call(call).await;
        if answer.status != 200 {
            return Err(format!("{operation}: {}", String::from_utf8_lossy(&answer.body)).into());
        }
        Ok(serde_json::from_slice(&answer.body)?)
    }
}

/// Whether a record is what a pattern asks for
/// (<https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html>): values, and prefixes of them.
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
