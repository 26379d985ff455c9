//! The sequencer: appends the changes of the table's stream to the feed.
//!
//! The stream delivers each change at least once, and the changes of one item in order. It cannot be the feed itself:
//! it has several shards without a common order, and keeps its records for a day. Lambda retries a failed batch as a
//! whole. The template configures a tumbling window because only then does a batch have the identifier of its shard.
//!
//! <https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html>

use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::Result;
use crate::feed::entries::{Change, ChangeKind, Entry, SequenceNumber, coalesced, is_visible_change};
use crate::operations::Execution;
use crate::schema::Timestamp;
use crate::store::Store;
use crate::table::{from_image, is_withdrawn};

/// A batch of stream records from one shard.
#[derive(Debug, Default, Deserialize)]
struct Batch {
    #[serde(rename = "Records")]
    records: Vec<StreamRecord>,
    #[serde(rename = "shardId")]
    shard: Option<String>,
}

/// A stream record.
#[derive(Debug, Deserialize)]
struct StreamRecord {
    #[serde(rename = "eventName")]
    name: String,
    dynamodb: ItemChange,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct ItemChange {
    keys: Keys,
    sequence_number: SequenceNumber,
    /// The item before and after, in DynamoDB's JSON.
    #[serde(default)]
    old_image: Value,
    #[serde(default)]
    new_image: Value,
    /// The time of the change, in seconds since 1970.
    approximate_creation_date_time: Option<f64>,
}

#[derive(Debug, Deserialize)]
struct Keys {
    pk: Text,
}

#[derive(Debug, Deserialize)]
struct Text {
    #[serde(rename = "S")]
    text: String,
}

/// Appends the changes of a batch. Returns the response that Lambda expects: no failures, and an empty window state.
///
/// # Errors
/// If the store fails. Lambda then has to retry the whole batch.
pub async fn run(store: &Store, batch: &Value, now: Timestamp) -> Result<Value> {
    // A batch that cannot be parsed is skipped. It would block all later changes.
    let Batch { records, shard } = Batch::deserialize(batch).unwrap_or_else(|error| {
        tracing::error!(%error, "a batch of the stream could not be parsed and was skipped");
        Batch::default()
    });
    let changes = coalesced(records.into_iter().filter_map(|record| change(record, now)).collect());
    if !changes.is_empty() {
        if shard.is_none() {
            tracing::warn!("a batch without its shard: if it comes again, its changes are appended twice");
        }
        let execution = Execution { store: store.for_request(), now, base: String::new(), caller: String::new() };
        let head = execution.append(shard.as_deref(), &changes).await?;
        tracing::info!(changes = changes.len(), head, "appended");
    }
    Ok(json!({"batchItemFailures": [], "state": {}}))
}

fn change(record: StreamRecord, now: Timestamp) -> Option<Change> {
    let ItemChange { keys, sequence_number, old_image, new_image, approximate_creation_date_time } = record.dynamodb;
    let kind = match record.name.as_str() {
        "INSERT" if is_withdrawn(&from_image(&new_image).unwrap_or_default()) => return None,
        "INSERT" => ChangeKind::Created,
        "MODIFY" => {
            let (before, after) = (from_image(&old_image)?, from_image(&new_image)?);
            if is_withdrawn(&after) {
                (!is_withdrawn(&before)).then_some(ChangeKind::Deleted)?
            } else {
                is_visible_change(&before, &after).then_some(ChangeKind::Updated)?
            }
        }
        "REMOVE" if is_withdrawn(&from_image(&old_image).unwrap_or_default()) => return None,
        "REMOVE" => ChangeKind::Deleted,
        _ => return None,
    };
    #[expect(clippy::cast_possible_truncation, reason = "milliseconds of this age")]
    let time = approximate_creation_date_time.map(|seconds| (seconds * 1_000.0) as i128);
    let time = time.and_then(Timestamp::from_unix_millis).unwrap_or(now);
    Some(Change { sequence_number, entry: Entry::of(&keys.pk.text, kind, time)? })
}
