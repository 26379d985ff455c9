//! The batches of the table's stream, as Lambda delivers them.
//!
//! <https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html>

use serde::Deserialize;
use serde_json::Value;

pub use crate::feed::entries::SequenceNumber;
use crate::schema::Timestamp;
use crate::table::{IMPORTED, Item, item_from};

/// A batch of records from one shard.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    pub records: Vec<ItemRecord>,
    /// Identifier of the shard. Only a mapping with a tumbling window provides it.
    pub shard: Option<String>,
}

/// A record of the stream with its items.
#[derive(Clone, Debug)]
pub struct ItemRecord {
    pub pk: String,
    pub event: EventName,
    pub sequence_number: SequenceNumber,
    /// Item before the change.
    pub before: Option<Item>,
    /// Item after the change.
    pub after: Option<Item>,
    /// Time of the change.
    pub time: Option<Timestamp>,
}

/// The kind of a change to an item.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "UPPERCASE")]
pub enum EventName {
    /// The item was created.
    Insert,
    /// The item was changed.
    Modify,
    /// The item was deleted.
    Remove,
}

impl EventName {
    /// Returns the event that changes an item from its state before to its state after.
    pub fn of(before: Option<&Item>, after: Option<&Item>) -> Self {
        match (before, after) {
            (None, _) => Self::Insert,
            (Some(_), Some(_)) => Self::Modify,
            (Some(_), None) => Self::Remove,
        }
    }

    /// Returns DynamoDB's name for the event.
    pub fn name(self) -> &'static str {
        match self {
            Self::Insert => "INSERT",
            Self::Modify => "MODIFY",
            Self::Remove => "REMOVE",
        }
    }
}

/// A stream record, as delivered.
#[derive(Debug, Deserialize)]
struct StreamRecord {
    #[serde(rename = "eventName")]
    event: EventName,
    dynamodb: ItemChange,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct ItemChange {
    keys: Keys,
    sequence_number: SequenceNumber,
    /// Item before and after, in DynamoDB's JSON.
    old_image: Option<serde_dynamo::Item>,
    new_image: Option<serde_dynamo::Item>,
    /// Time of the change, in seconds since 1970.
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

impl Batch {
    /// Parses a batch. Each record is parsed separately. A record that this version cannot read is skipped and does not
    /// stop the others. A metric filter counts the skipped records in the log.
    pub fn parse(batch: &Value) -> Self {
        let shard = batch["shardId"].as_str();
        let Some(records) = batch["Records"].as_array() else {
            tracing::error!(skipped_records = 1, "a batch of the stream has no records and was skipped");
            return Self::default();
        };
        Self {
            records: records.iter().filter_map(|record| ItemRecord::parse(record, shard)).collect(),
            shard: shard.map(str::to_owned),
        }
    }
}

impl ItemRecord {
    /// Parses a stream record. A record that cannot be parsed would block all later changes of its shard, so it is
    /// skipped. An operator can read it from the stream by its position in the log, as with a dead letter of Lambda.
    pub fn parse(stream_record: &Value, shard: Option<&str>) -> Option<Self> {
        let parsed = StreamRecord::deserialize(stream_record);
        let skip = |error| {
            let sequence_number = stream_record["dynamodb"]["SequenceNumber"].as_str();
            // A metric filter counts this line.
            tracing::error!(skipped_records = 1, shard, sequence_number, %error, "a stream record was skipped");
        };
        parsed.map_err(skip).ok().map(Self::from)
    }

    /// Returns true if the item was imported.
    pub fn is_import(&self) -> bool {
        self.after.as_ref().is_some_and(|item| item.contains_key(IMPORTED))
    }
}

impl From<StreamRecord> for ItemRecord {
    fn from(StreamRecord { event, dynamodb }: StreamRecord) -> Self {
        let ItemChange { keys, sequence_number, old_image, new_image, approximate_creation_date_time } = dynamodb;
        #[expect(clippy::cast_possible_truncation, reason = "milliseconds of this age")]
        let time = approximate_creation_date_time.map(|seconds| (seconds * 1_000.0) as i128);
        let time = time.and_then(Timestamp::from_unix_millis);
        let item = |image: serde_dynamo::Item| item_from(image.into_inner()).1;
        let (before, after) = (old_image.map(item), new_image.map(item));
        Self { pk: keys.pk.text, event, sequence_number, before, after, time }
    }
}

/// Render a batch as the event of a function.
impl From<&Batch> for Value {
    fn from(Batch { records, shard }: &Batch) -> Self {
        let image = |item: &Option<Item>| item.as_ref().map(crate::table::attributes);
        let record = |record: &ItemRecord| {
            let ItemRecord { pk, event, sequence_number, before, after, time } = record;
            #[expect(clippy::cast_precision_loss, reason = "milliseconds of this age")]
            let seconds = time.map(|time| time.unix_millis() as f64 / 1_000.0);
            serde_json::json!({"eventName": event.name(), "dynamodb": {
                "Keys": {"pk": {"S": pk}}, "SequenceNumber": sequence_number.0, "OldImage": image(before),
                "NewImage": image(after), "ApproximateCreationDateTime": seconds}})
        };
        serde_json::json!({"Records": records.iter().map(record).collect::<Vec<_>>(), "shardId": shard})
    }
}
