//! Reads of items by their keys.

use std::collections::{BTreeMap, HashMap};

use aws_sdk_dynamodb::types::{KeysAndAttributes, ReturnConsumedCapacity};

use super::attribute::{Attributes, key, text, to_item, to_record};
use super::fault::fault;
use super::{Store, back_off, in_parallel};
use crate::error::{Error, Result};
use crate::schema::{Id, Key, Record, Resource, Stored};
use crate::table::{CONTENT, Existing, Item, MESSAGES, ReadSet, SOURCE, Snapshot, State, reservation, state_key};

/// DynamoDB's limit for one batch.
const BATCH: usize = 100;
/// The number of attempts to read the unprocessed keys of a batch.
const BATCH_ATTEMPTS: u32 = 8;

/// The number of attempts to look up a unique value that moves between records meanwhile.
const RESERVATION_READS: u32 = 10;

/// The consistency of a read. A strong read costs twice as much as an eventual one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consistency {
    /// Includes every acknowledged write.
    Strong,
    /// May lag by a moment, like an index.
    Eventual,
}

/// The content of an item.
enum What {
    /// A record.
    Record,
    /// The state of a parent.
    State(Key),
    /// A text that is stored out of line.
    Text,
}

impl Store {
    /// Returns the current record with a key.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn get(&self, key: Key) -> Result<Option<Record>> {
        Ok(self.get_attributes(&key.to_string()).await?.and_then(to_record))
    }

    /// Returns the current record that a reservation refers to. It still has the reserved value: if it lost the value
    /// between the two reads, the reservation is read again.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn reserved(&self, resource: &'static Resource, reserved: &str) -> Result<Option<Record>> {
        for _ in 0..RESERVATION_READS {
            let item = self.get_item(reserved).await?;
            let Some(id) = item.and_then(|item| Id::parse(item.get("record")?.digits()?)) else { return Ok(None) };
            let record = self.get(Key::new(resource, id)).await?;
            let value = record.as_ref().and_then(|record| record.get(resource.unique?.attribute));
            if value.is_some_and(|value| reservation(resource, value) == reserved) {
                return Ok(record);
            }
        }
        Err(Error::unavailable())
    }

    /// Returns the record with a key, or the mark of a withdrawn one, and the external source that it was created from.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn met(&self, key: Key) -> Result<Option<Existing>> {
        let Some(attributes) = self.get_attributes(&key.to_string()).await? else { return Ok(None) };
        let text = |name: &str| attributes.get(name).and_then(|value| value.as_s().ok()).cloned();
        let (source, messages) = (text(SOURCE).unwrap_or_default(), text(MESSAGES));
        Ok(Some(Existing { source, record: to_record(attributes), messages }))
    }

    pub(crate) async fn get_item(&self, pk: &str) -> Result<Option<Item>> {
        Ok(self.get_attributes(pk).await?.map(to_item))
    }

    /// Returns the current items with these partition keys, without those that do not exist.
    pub(crate) async fn get_items(&self, pks: &[String]) -> Result<BTreeMap<String, Item>> {
        let batches = pks.chunks(BATCH).map(|batch| self.get_batch(batch, Consistency::Strong));
        let items = in_parallel(batches).await?.into_iter().flatten();
        Ok(items.map(|(pk, item)| (pk, to_item(item))).collect())
    }

    async fn get_attributes(&self, pk: &str) -> Result<Option<Attributes>> {
        let _trip = self.cost.trip();
        let request = self.clients.dynamo.get_item().table_name(&self.clients.names.table);
        let request = request.key("pk", text(pk)).consistent_read(true);
        let request = request.return_consumed_capacity(ReturnConsumedCapacity::Total);
        let found = request.send().await.map_err(|error| fault(&error))?;
        self.cost.read(found.consumed_capacity.as_slice());
        Ok(found.item)
    }

    /// Reads everything in a read set, in one call or in several parallel ones.
    ///
    /// # Errors
    /// Only if the store fails.
    pub async fn load(&self, read_set: &ReadSet, consistency: Consistency) -> Result<Snapshot> {
        let records = read_set.records.iter().map(|key| (key.to_string(), What::Record));
        let states = read_set.states.iter().map(|parent| (state_key(*parent), What::State(*parent)));
        let texts = read_set.texts.iter().map(|pk| (pk.clone(), What::Text));
        let places: BTreeMap<_, _> = records.chain(states).chain(texts).collect();
        let pks: Vec<_> = places.keys().cloned().collect();
        let items = match &pks[..] {
            [] => Vec::new(),
            [pk] if consistency == Consistency::Strong => {
                self.get_attributes(pk).await?.map(|item| (pk.clone(), item)).into_iter().collect()
            }
            pks => {
                let batches = pks.chunks(BATCH).map(|batch| self.get_batch(batch, consistency));
                in_parallel(batches).await?.into_iter().flatten().collect()
            }
        };
        let mut snapshot = Snapshot::default();
        snapshot.states.extend(read_set.states.iter().map(|parent| (*parent, State::default())));
        for (pk, item) in items {
            match places.get(&pk) {
                Some(What::State(parent)) => drop(snapshot.states.insert(*parent, State(to_item(item)))),
                Some(What::Text) => {
                    let text = to_item(item).remove(CONTENT).and_then(Stored::into_text);
                    snapshot.texts.extend(text.map(|text| (pk, text)));
                }
                _ => to_record(item).into_iter().for_each(|record| snapshot.insert(record)),
            }
        }
        Ok(snapshot)
    }

    async fn get_batch(&self, pks: &[String], consistency: Consistency) -> Result<Vec<(String, Attributes)>> {
        let table = &self.clients.names.table;
        let mut pending: Vec<Attributes> = pks.iter().map(key).collect();
        let mut found = Vec::with_capacity(pending.len());
        for attempt in 0..BATCH_ATTEMPTS {
            back_off(attempt).await;
            let read_set = KeysAndAttributes::builder()
                .set_keys(Some(pending))
                .consistent_read(consistency == Consistency::Strong)
                .build()
                .map_err(|_| Error::fault())?;
            let _trip = self.cost.trip();
            let request = self.clients.dynamo.batch_get_item().request_items(table, read_set);
            let request = request.return_consumed_capacity(ReturnConsumedCapacity::Total);
            let page = request.send().await.map_err(|error| fault(&error))?;
            self.cost.read(page.consumed_capacity());
            let items = page.responses.unwrap_or_default().remove(table).unwrap_or_default();
            found.extend(items.into_iter().filter_map(|mut item| match item.remove("pk") {
                Some(aws_sdk_dynamodb::types::AttributeValue::S(pk)) => Some((pk, item)),
                _ => None,
            }));
            pending = left_over(page.unprocessed_keys, table);
            if pending.is_empty() {
                return Ok(found);
            }
        }
        Err(Error::unavailable())
    }
}

fn left_over(unprocessed: Option<HashMap<String, KeysAndAttributes>>, table: &str) -> Vec<Attributes> {
    unprocessed.unwrap_or_default().remove(table).map(|left| left.keys).unwrap_or_default()
}
