//! The sequencer: what the table's stream tells becomes the feed.
//!
//! The stream brings each change at least once, and those of one item in their order. It is not the feed itself: it has no numbers,
//! several shards, and keeps nothing for longer than a day. A batch that fails comes again, whole.
//!
//! <https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html>

use serde::Deserialize;
use serde_json::{Value, json};

use super::socket;
use crate::error::Result;
use crate::execute::Execution;
use crate::plan::{Became, Change, Entry, coalesced, from_image, is_shown_change};
use crate::schema::Timestamp;
use crate::store::Store;

/// A batch of the stream.
#[derive(Debug, Deserialize)]
struct Batch {
    #[serde(rename = "Records")]
    records: Vec<Streamed>,
}

/// A change of an item.
#[derive(Debug, Deserialize)]
struct Streamed {
    #[serde(rename = "eventID")]
    id: String,
    #[serde(rename = "eventName")]
    name: String,
    dynamodb: Told,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Told {
    keys: Keys,
    /// The item before and after, in DynamoDB's JSON.
    #[serde(default)]
    old_image: Value,
    #[serde(default)]
    new_image: Value,
    /// Seconds since 1970.
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

/// Tells of all changes of a batch. Answers which of them are to come again: none.
///
/// # Errors
/// When the store fails: then the whole batch is to come again.
pub async fn run(store: &Store, batch: &Value, now: Timestamp) -> Result<Value> {
    let execution = Execution { store: store.for_request(), now, base: String::new(), caller: String::new() };
    let changes = changes(batch, now);
    let head = execution.tell(&changes).await?;
    if !changes.is_empty() {
        socket::tell(&execution.store, head, now).await;
    }
    tracing::info!(changes = changes.len(), head, "told");
    Ok(json!({"batchItemFailures": []}))
}

/// What of a batch is to be told. What can't be read is not told: it would keep all that comes after it from being told, too.
fn changes(batch: &Value, now: Timestamp) -> Vec<Change> {
    let records = match Batch::deserialize(batch) {
        Ok(batch) => batch.records,
        Err(error) => {
            tracing::error!(%error, "the stream has brought what is no batch");
            Vec::new()
        }
    };
    coalesced(records.into_iter().filter_map(|record| change(record, now)).collect())
}

fn change(record: Streamed, now: Timestamp) -> Option<Change> {
    let became = match record.name.as_str() {
        "INSERT" => Became::Created,
        "MODIFY" => {
            let (before, after) = (from_image(&record.dynamodb.old_image)?, from_image(&record.dynamodb.new_image)?);
            is_shown_change(&before, &after).then_some(Became::Updated)?
        }
        "REMOVE" => Became::Deleted,
        _ => return None,
    };
    #[expect(clippy::cast_possible_truncation, reason = "milliseconds of this age")]
    let time = record.dynamodb.approximate_creation_date_time.map(|seconds| (seconds * 1_000.0) as i128);
    let time = time.and_then(Timestamp::from_unix_millis).unwrap_or(now);
    let entry = Entry::of(&record.dynamodb.keys.pk.text, became, time)?;
    Some(Change { id: record.id, entry })
}
