//! Reading records by key.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::{AttributeValue, KeysAndAttributes, ReturnConsumedCapacity};

use super::fault::fault;
use super::item::{Item, from_item, id_in, text};
use super::{Store, back_off, in_parallel};
use crate::error::{Error, Result};
use crate::record::{Key, Record};
use crate::value::{Id, Timestamp};

/// Records by their keys.
pub type Loaded = std::collections::BTreeMap<Key, Record>;

/// DynamoDB's limit for one batch.
const BATCH: usize = 100;
/// How often keys that a batch left unprocessed are asked for again.
const BATCH_ATTEMPTS: u32 = 8;

/// How current a read must be. A strong read costs twice an eventual one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consistency {
    /// Everything that was acknowledged before.
    Strong,
    /// Possibly a moment old, as an index is.
    Eventual,
}

impl Store {
    /// The record of a key, as it is now.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn get(&self, key: Key) -> Result<Option<Record>> {
        Ok(self.get_item(&key.to_string()).await?.as_ref().and_then(from_item))
    }

    /// Who holds a unique value, and since when.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn holder(&self, marker: &str) -> Result<Option<(Id, Timestamp)>> {
        let item = self.get_item(marker).await?;
        Ok(item.and_then(|item| {
            let time = Timestamp::parse(item.get("time")?.as_s().ok()?)?;
            Some((id_in(&item, "holder")?, time))
        }))
    }

    pub(super) async fn get_item(&self, pk: &str) -> Result<Option<Item>> {
        let _trip = self.cost.trip();
        let request = self.clients.dynamo.get_item().table_name(&self.clients.names.table);
        let request = request.key("pk", text(pk)).consistent_read(true);
        let request = request.return_consumed_capacity(ReturnConsumedCapacity::Total);
        let found = request.send().await.map_err(|error| fault(&error))?;
        self.cost.read(found.consumed_capacity.as_slice());
        Ok(found.item)
    }

    /// The records of these keys, those that exist: in one batch, or in several at the same time.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn get_all(&self, keys: impl IntoIterator<Item = Key>, consistency: Consistency) -> Result<Loaded> {
        let mut keys: Vec<Key> = keys.into_iter().collect();
        keys.sort_unstable();
        keys.dedup();
        if let ([key], Consistency::Strong) = (&keys[..], consistency) {
            return Ok(self.get(*key).await?.map(|record| (*key, record)).into_iter().collect());
        }
        let batches = in_parallel(keys.chunks(BATCH).map(|batch| self.get_batch(batch, consistency))).await?;
        Ok(batches.into_iter().flatten().collect())
    }

    async fn get_batch(&self, keys: &[Key], consistency: Consistency) -> Result<Vec<(Key, Record)>> {
        let table = &self.clients.names.table;
        let mut pending: Vec<Item> = keys.iter().map(item_key).collect();
        let mut records = Vec::with_capacity(pending.len());
        for attempt in 0..BATCH_ATTEMPTS {
            let wanted = KeysAndAttributes::builder()
                .set_keys(Some(pending))
                .consistent_read(consistency == Consistency::Strong)
                .build()
                .map_err(|_| Error::fault())?;
            let _trip = self.cost.trip();
            let request = self.clients.dynamo.batch_get_item().request_items(table, wanted);
            let request = request.return_consumed_capacity(ReturnConsumedCapacity::Total);
            let found = request.send().await.map_err(|error| fault(&error))?;
            self.cost.read(found.consumed_capacity());
            let items = found.responses.unwrap_or_default().remove(table).unwrap_or_default();
            records.extend(items.iter().filter_map(from_item).map(|record| (record.key, record)));
            pending = left_over(found.unprocessed_keys, table);
            if pending.is_empty() {
                return Ok(records);
            }
            back_off(attempt).await;
        }
        Err(Error::unavailable())
    }
}

fn item_key(key: &Key) -> Item {
    HashMap::from([("pk".to_owned(), text(key.to_string()))])
}

fn left_over(
    unprocessed: Option<HashMap<String, KeysAndAttributes>>,
    table: &str,
) -> Vec<HashMap<String, AttributeValue>> {
    unprocessed.unwrap_or_default().remove(table).map(|left| left.keys).unwrap_or_default()
}
