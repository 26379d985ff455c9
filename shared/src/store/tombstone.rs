//! Records of intended deletions: written in the transaction that starts a deletion, gone when all that it
//! names is gone. Whatever dies in between, [`crate::upkeep`] carries it on.

use aws_sdk_dynamodb::types::{DeleteRequest, ReturnConsumedCapacity, WriteRequest};
use serde::{Deserialize, Serialize};

use super::fault::fault;
use super::item::{Item, number, shard, text};
use super::{SHARDS, Store, back_off, in_parallel};
use crate::error::{Error, Result};
use crate::value::{Id, Timestamp};

const RESOURCE: &str = "tombstones";
const CHECKPOINT: &str = "checkpoints/images";
/// DynamoDB's limit for one batch.
const BATCH: usize = 25;
const BATCH_ATTEMPTS: u32 = 10;

/// What is to be deleted.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Tombstone {
    /// Partition keys of records that nothing refers to any more.
    #[serde(default)]
    pub records: Vec<String>,
    /// Keys of images.
    #[serde(default)]
    pub images: Vec<String>,
    /// The partition key of a record that is gone, and of whom nothing may be left.
    #[serde(default)]
    pub holder: Option<String>,
}

/// A tombstone in the table.
#[derive(Clone, Debug)]
pub struct Pending {
    /// Its partition key.
    pub pk: String,
    /// When it was written.
    pub since: Timestamp,
    /// What it says.
    pub tombstone: Tombstone,
}

impl Tombstone {
    /// Whether there is nothing to delete.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty() && self.images.is_empty() && self.holder.is_none()
    }
}

impl super::Changes {
    /// Stores a tombstone with whatever makes it true.
    pub fn add_tombstone(&mut self, id: Id, since: Timestamp, tombstone: Tombstone) -> Pending {
        let pk = format!("{RESOURCE}/{id}");
        // A tombstone is plain text and numbers: there is nothing in it that could fail to become an item.
        let mut item: Item = serde_dynamo::to_item(&tombstone).unwrap_or_default();
        let fixed = [
            ("pk", text(&pk)),
            ("resource", text(RESOURCE)),
            ("id", number(id)),
            ("shard", number(shard(id))),
            ("time", text(since.sortable())),
        ];
        item.extend(fixed.map(|(name, value)| (name.to_owned(), value)));
        self.create_item(item);
        Pending { pk, since, tombstone }
    }
}

impl Store {
    /// Every tombstone in the table.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn pending(&self) -> Result<Vec<Pending>> {
        let shards = in_parallel((0..SHARDS).map(|shard| self.tombstones_in(shard))).await?;
        Ok(shards.iter().flatten().filter_map(from_item).collect())
    }

    async fn tombstones_in(&self, shard: u64) -> Result<Vec<Item>> {
        let (mut items, mut next) = (Vec::new(), None);
        loop {
            let _trip = self.cost.trip();
            let request = self.clients.dynamo.query().table_name(&self.clients.names.table);
            let request = request.index_name(crate::resources::BY_TIME.name).limit(1_000).set_exclusive_start_key(next);
            let page = request
                .key_condition_expression("#resource = :resource AND #shard = :shard")
                .expression_attribute_names("#resource", "resource")
                .expression_attribute_names("#shard", "shard")
                .expression_attribute_values(":resource", text(RESOURCE))
                .expression_attribute_values(":shard", number(shard))
                .return_consumed_capacity(ReturnConsumedCapacity::Total)
                .send()
                .await
                .map_err(|error| fault(&error))?;
            self.cost.read(page.consumed_capacity.as_slice());
            items.extend(page.items.unwrap_or_default());
            next = page.last_evaluated_key;
            if next.is_none() {
                return Ok(items);
            }
        }
    }

    /// Deletes what a tombstone names, in parts that may be repeated, but not yet the tombstone.
    ///
    /// # Errors
    /// Only when a store fails; all of it can be done again.
    pub async fn clear(&self, tombstone: &Tombstone) -> Result<()> {
        tokio::try_join!(self.delete_all(&tombstone.records), self.delete_images(&tombstone.images))?;
        Ok(())
    }

    /// Deletes the tombstone itself, when all that it names is gone.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn remove_tombstone(&self, pending: &Pending) -> Result<()> {
        self.delete_all(std::slice::from_ref(&pending.pk)).await
    }

    /// Deletes items by partition key; those that are gone already are fine.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn delete_all(&self, pks: &[String]) -> Result<()> {
        in_parallel(pks.chunks(BATCH).map(|batch| self.delete_batch(batch.to_vec()))).await?;
        Ok(())
    }

    async fn delete_batch(&self, pks: Vec<String>) -> Result<()> {
        let table = &self.clients.names.table;
        let delete = |pk| {
            DeleteRequest::builder()
                .key("pk", text(pk))
                .build()
                .map(|delete| WriteRequest::builder().delete_request(delete).build())
        };
        let mut left: Vec<WriteRequest> =
            pks.into_iter().map(delete).collect::<Result<_, _>>().map_err(|_| Error::fault())?;
        for attempt in 0..BATCH_ATTEMPTS {
            let _trip = self.cost.trip();
            let request = self.clients.dynamo.batch_write_item().request_items(table, left);
            let request = request.return_consumed_capacity(ReturnConsumedCapacity::Total);
            let done = request.send().await.map_err(|error| fault(&error))?;
            self.cost.wrote(done.consumed_capacity());
            left = done.unprocessed_items.unwrap_or_default().remove(table).unwrap_or_default();
            if left.is_empty() {
                return Ok(());
            }
            back_off(attempt).await;
        }
        Err(Error::unavailable())
    }

    /// The last image that a sweep has looked at.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn swept_to(&self) -> Result<Option<String>> {
        let item = self.get_item(CHECKPOINT).await?;
        Ok(item.and_then(|item| item.get("key")?.as_s().ok().cloned()))
    }

    /// Notes the last image that a sweep has looked at.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn set_swept_to(&self, key: &str) -> Result<()> {
        let request = self.clients.dynamo.put_item().table_name(&self.clients.names.table);
        request.item("pk", text(CHECKPOINT)).item("key", text(key)).send().await.map_err(|error| fault(&error))?;
        Ok(())
    }
}

fn from_item(item: &Item) -> Option<Pending> {
    Some(Pending {
        pk: item.get("pk")?.as_s().ok()?.clone(),
        since: Timestamp::parse(item.get("time")?.as_s().ok()?)?,
        tombstone: serde_dynamo::from_item(item.clone()).ok()?,
    })
}
